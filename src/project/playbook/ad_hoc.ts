import path from 'node:path';
import { resolveName } from '../../core/files/paths.js';
import { generatedPlay, NOTHING_INHERITED, type Playbook } from '../../core/model/playbook/playbook.js';
import type { Task } from '../../core/model/playbook/step.js';
import { Diagnostics, type Locate } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import type { Catalogue } from '../../module/catalogue.js';
import { parseOption, passOn, passOnFrom, TYPED } from '../document/command_line.js';
import { Cursor, allTexts, type DocumentReading } from '../document/cursor.js';
import { type FileReading, readDecrypted, withoutQuotes } from '../document/read_file_text.js';
import { Modules, plainName } from '../keywords/modules.js';
import { reportMissing } from '../task/call.js';
import { loadTask } from '../task/task.js';
import { TaskFiles } from '../task/task_files.js';
import { parseYaml } from '../yaml/parse_yaml.js';
import { playContext, playReader } from './play.js';

interface AdHocTask extends FileReading {
  readonly module: string;
  /** `k=v k2=v2`, JSON, YAML or `@file`; absent for none. */
  readonly args?: string | undefined;
  readonly cwd: string;
  readonly catalogue: Catalogue;
}

/** A playbook of one play with one task, for `evenkeel task`; undefined if the task cannot be understood. */
export async function adHocPlaybook(options: AdHocTask & { readonly pattern: string }): Promise<Playbook | undefined> {
  const task = await adHocTask(options);
  if (options.pattern.trim() === '')
    return options.diagnostics.error('the pattern is empty', undefined, 'for every controller, write "all"');
  if (task === undefined) return undefined;
  const directory = path.resolve(options.cwd);
  const hosts = { value: options.pattern, source: TYPED };
  const play = generatedPlay({ name: 'Ad-hoc task', source: TYPED, hosts, directory, tasks: [task] });
  return { file: TYPED.file, directory, plays: [play] };
}

/** Modules and keywords that build playbooks; a single task has no use for them. */
const BUILDS_PLAYBOOKS: ReadonlySet<string> = new Set(
  'block import_playbook import_role import_tasks include include_role include_tasks meta roles'.split(' '),
);

async function adHocTask({ module, args = '', cwd, catalogue, diagnostics, ...services }: AdHocTask) {
  const { library } = services;
  const found = new Diagnostics();
  const modules = new Modules(catalogue, library?.table.plugins);
  const written = await writtenArguments(args.trim(), cwd, { ...services, diagnostics: found });
  let task: Task | undefined;
  if (BUILDS_PLAYBOOKS.has(plainName(module))) {
    found.error(`${module} works only in a playbook`, undefined, 'write a playbook, and "evenkeel run" it');
  } else if (!modules.has(module)) {
    reportMissing(module, undefined, modules, found);
  } else if (written !== undefined) {
    const reading: DocumentReading = {
      locate: within(written.locate),
      locateKey: within(written.locateKey),
      diagnostics: found,
      ...services,
    };
    const cursor = new Cursor({ [module]: written.value }, reading);
    const folder = { directory: cwd, shown: '.' };
    const reader = playReader({ modules, files: new TaskFiles(cwd, services), library, rolesPath: [], folder });
    task = await loadTask(cursor, { context: playContext(cursor, reader, []), inherited: NOTHING_INHERITED });
  }
  passOn(found, diagnostics);
  return task;
}

interface WrittenTask {
  readonly value: Value;
  readonly locate: Locate;
  readonly locateKey: Locate;
}

async function writtenArguments(args: string, cwd: string, reading: FileReading): Promise<WrittenTask | undefined> {
  if (args.startsWith('@')) return fromFile(args.slice(1), cwd, reading);
  const value = isYaml(args) ? parseOption(args, '--args', reading.diagnostics, reading.vault) : args;
  return value === undefined ? undefined : { value, locate: () => TYPED, locateKey: () => TYPED };
}

async function fromFile(name: string, cwd: string, reading: FileReading): Promise<WrittenTask | undefined> {
  const { diagnostics, vault } = reading;
  if (name === '') return diagnostics.error('--args: "@" must be followed by the name of a file');
  const found = new Diagnostics();
  const read = await readDecrypted(resolveName(cwd, name), { ...reading, diagnostics: found }, name);
  const parsed = read && withoutQuotes(read, found, (mistakes) => parseYaml(read.text, name, mistakes, vault));
  passOnFrom('--args', found, diagnostics);
  if (read?.encrypted === true && parsed !== undefined) vault?.hide([], allTexts(parsed.value));
  return parsed;
}

/** Braces, or a first word that ends in a colon: `{name: x}`, `name: x`. */
function isYaml(args: string): boolean {
  return /^(?:\{(?!\{)|[\w.-]+:(?:\s|$))/.test(args);
}

/** Positions in the arguments, for paths that begin with the module's key. */
function within(locate: Locate): Locate {
  return (at) => locate(at.slice(1));
}
