import { existsSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../../core/model/error_message.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { mayExecute } from '../../core/programs/programs.js';
import { BUILT_IN_LIBRARY, Library } from '../../language/library.js';
import { BUILT_IN } from '../../language/library/index.js';
import { helper, type Helper } from '../../language/runtime/helper.js';
import {
  importUserFile,
  recordFiles,
  trustedFolder,
  userFiles,
  type CodeSurroundings,
  type UserFile,
} from './user_files.js';

/**
 * The helpers of templates: the built-in ones, and those in `helpers/` of the directories. A playbook must mean the same on every machine,
 * so a helper must not have the name of a built-in one, or of another helper.
 */
export async function openLibrary(
  directories: readonly string[],
  { cwd, trust, env, diagnostics, onRead }: CodeSurroundings,
): Promise<Library> {
  const folders = directories.map((directory) => path.resolve(cwd, directory, 'helpers'));
  const there = [...new Set(folders)].filter(
    (folder) => existsSync(folder) && trustedFolder(folder, trust, diagnostics),
  );
  const files = there.flatMap(userFiles);
  if (onRead !== undefined) for (const folder of there) recordFiles(folder, onRead);
  if (!mayExecute(env)) return withoutCode(files);
  if (files.length === 0) return BUILT_IN_LIBRARY;
  const helpers = new Map<string, Helper>();
  for (const one of unambiguous(files, cwd, diagnostics)) {
    try {
      helpers.set(one.name, await load(one));
    } catch (error) {
      const reason = errorMessage(error);
      diagnostics.error(`the helper ${path.relative(cwd, one.file)} cannot be used: ${reason}`);
    }
  }
  return new Library(BUILT_IN.with(helpers));
}

/** Templates that call these helpers can be read; only rendering them fails. */
function withoutCode(files: readonly UserFile[]): Library {
  const names = files.map(({ name }) => name).filter((name) => !BUILT_IN.has(name));
  const refused = helper('...arguments, **', (args) => {
    throw args.error('--no-exec does not load this helper');
  });
  return new Library(BUILT_IN.with(new Map(names.map((name) => [name, refused]))), new Set(names));
}

function unambiguous(files: readonly UserFile[], cwd: string, diagnostics: Diagnostics): readonly UserFile[] {
  const known = new Map<string, UserFile>();
  for (const one of files) {
    const shown = path.relative(cwd, one.file);
    const other = known.get(one.name);
    if (BUILT_IN.has(one.name))
      diagnostics.error(`${shown} has the name of a built-in helper`, undefined, 'give it another name');
    else if (other !== undefined)
      diagnostics.error(`${shown} and ${path.relative(cwd, other.file)} have the same name`, undefined, 'rename one');
    else known.set(one.name, one);
  }
  return [...known.values()];
}

async function load({ name, file }: UserFile): Promise<Helper> {
  const { userHelper } = await import('../../language/runtime/user_helper.js');
  const { name: own, helper } = userHelper(await importUserFile(file));
  if (own !== name) throw new Error(`it calls itself "${own}"; the file of a helper must have its name`);
  return helper;
}
