import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileTypeAt, namesIn } from '../../core/files/paths.js';
import type { Trust } from '../../core/files/trust.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { programs } from '../../core/programs/programs.js';
import type { OnRead } from '../../project/document/project_sources.js';
import type { AnsibleConfig } from '../../project/project/ansible_cfg.js';

export interface UserFile {
  /** Without its suffix: the name of the module or filter in the file. */
  readonly name: string;
  readonly file: string;
}

const CODE: ReadonlySet<string> = new Set(['.ts', '.mts', '.js', '.mjs']);

/** What is needed before user code is loaded. */
export interface UserCodeOptions {
  readonly cwd: string;
  /** Decides whether code that was found, rather than named, may be loaded. */
  readonly trust: Trust;
  /** False with `EVENKEEL_NO_EXEC`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly diagnostics: Diagnostics;
  readonly onRead?: OnRead | undefined;
  /** It may name folders of plugins. */
  readonly ansible?: AnsibleConfig | undefined;
}

/**
 * Whether the code of a folder may run; warns if not. Its files import each other, so one of another user is enough.
 *
 * @param isNamed the user named the folder: it is only checked who the code belongs to
 */
export function trustedFolder(folder: string, trust: Trust, diagnostics: Diagnostics, isNamed = false): boolean {
  const why = (name: string): string | undefined => (isNamed ? trust.foreign(name) : trust.refusal(name));
  const refusal =
    why(folder) ??
    codeIn(folder)
      .map(why)
      .find((one) => one !== undefined);
  const hint =
    'if you trust it, revoke write access for other users, name the project file: --config FILE; or the folder: EVENKEEL_TRUSTED_FOLDERS';
  if (refusal !== undefined) diagnostics.warn(`ignored ${folder}: ${refusal}`, undefined, hint);
  return refusal === undefined;
}

function codeIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((one) => CODE.has(path.extname(one)) || one.endsWith('.py'))
    .map((name) => path.join(folder, name));
}

/** Records the content of a folder's code files, including those that are only imported. */
export function recordFiles(folder: string, onRead: OnRead): void {
  for (const file of codeIn(folder)) {
    if (fileTypeAt(file) === 'file') onRead('file', file, readFileSync(file, 'utf8'));
  }
}

/**
 * The TypeScript and JavaScript files of a folder, by name. Files whose name begins with `_` are only imported by the
 * others.
 */
export function userFiles(folder: string): readonly UserFile[] {
  return namesIn(folder)
    .map((entry) => ({ ...path.parse(entry), file: path.join(folder, entry) }))
    .filter(({ name, ext, file }) => CODE.has(ext) && !/^_|\.d$/.test(name) && fileTypeAt(file) === 'file')
    .map(({ name, file }) => ({ name, file }));
}

/** The default export of a user's file. Its imports of `evenkeel` resolve to this program, wherever the file is. */
export function importUserFile(file: string): Promise<unknown> {
  return programs(true).importCode(file, { evenkeel: publicEntry() });
}

/** As a URL. The sources come from where this file does: a second copy of them would have other classes. */
function publicEntry(): string {
  if (import.meta.filename.endsWith('.ts')) return import.meta.resolve('../../index.js');
  return pathToFileURL(path.join(packageRoot(), 'dist/index.js')).href;
}

/**
 * The folder of this program's package. This file runs from src/launch/user_code and, bundled, from dist or dist/chunks.
 */
export function packageRoot(): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (isOwnPackage(folder)) return folder;
  }
  throw new Error('the package folder of evenkeel is not where it was installed');
}

/** An organisation publishes it under its own scope (docs/install.md). */
const OWN_NAME = /"name": "(?:@[^"/]+\/)?evenkeel"/;

/** Whether the folder is the package of this program, or of another copy of it, such as a checkout. A project may have its name. */
export function isOwnPackage(folder: string): boolean {
  const manifest = path.join(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  const content = readFileSync(manifest, 'utf8');
  return OWN_NAME.test(content) && content.includes('"evenkeel": "dist/main.js"');
}
