import { Diagnostics } from '../model/diagnostic.js';
import { LoadError } from '../model/load_error.js';
import type { Include, Included } from '../model/playbook.js';
import { isMapping, type Mapping } from '../model/value.js';
import { hasTemplate } from '../template/check.js';
import type { Cursor } from './cursor.js';
import { enter, type Inside } from './enter.js';
import { findTaskFile, type StepKind } from './find_task_file.js';
import type { Inherited } from './inherited.js';
import { APPLY, asHandler, checkKeyword, INCLUDE_TASKS } from './keywords.js';
import { plainName } from './modules.js';
import type { PlayParts } from './play_parts.js';
import { readHandlers, readSteps } from './read_steps.js';
import type { Site } from './site.js';
import { loadCall } from './task.js';

/** The keys of an include that may hold its arguments. */
const HOLDERS = ['include_tasks', 'action', 'args'];

/** Files that include each other deeper than this have lost their way. */
const DEEPEST = 100;

/**
 * An `include_tasks`: a task whose file is read when a controller comes to it. A file that is named without templates is
 * read at once, so that its mistakes are known before the run.
 */
export async function includeTasks(
  cursor: Cursor,
  site: Site,
  inherited: Inherited,
  kind: StepKind,
): Promise<Include | undefined> {
  const vocabulary = kind === 'handlers' ? asHandler(INCLUDE_TASKS) : INCLUDE_TASKS;
  const task = await loadCall(cursor, site, inherited, vocabulary);
  const inside = applied(cursor, site, inherited);
  if (task === undefined) return undefined;
  const { file, args } = withoutApply(task.args);
  const files = new IncludedFiles(cursor, inside, kind);
  if (file === undefined || hasTemplate(file)) site.play.open = true;
  else await files.readAhead(file);
  return { ...task, type: 'include', args, read: (rendered) => files.read(rendered) };
}

function withoutApply(args: Include['args']): { readonly file: string | undefined; readonly args: Include['args'] } {
  if (!isMapping(args)) return { file: undefined, args };
  const { file } = args;
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => name !== 'apply'));
  return { file: typeof file === 'string' ? file : undefined, args: rest };
}

/** What is handed to the included steps: what is around the include, and its `apply`. */
function applied(cursor: Cursor, site: Site, inherited: Inherited): Inside {
  const apply = argument(cursor, 'apply');
  if (apply === undefined) return { site, inherited };
  if (!isMapping(apply.value)) {
    if (typeof apply.value === 'string' && hasTemplate(apply.value))
      apply.error('"apply" must be a mapping of keywords, not a template');
    return { site, inherited };
  }
  for (const item of apply.entries()) checkKeyword(item, APPLY);
  return enter(apply, site, inherited, 'block vars', 'apply');
}

/** Where an argument is written: under the module, in `action` or in `args`. */
function argument(cursor: Cursor, name: string): Cursor | undefined {
  for (const item of cursor.entries()) {
    const found = HOLDERS.includes(plainName(item.name)) ? item.get(name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the name of the file stands. */
function nameOf(cursor: Cursor): Cursor {
  const [first] = cursor.entries().filter(({ name }) => ['include_tasks', 'action'].includes(plainName(name)));
  return argument(cursor, 'file') ?? first ?? cursor;
}

/** The files that one include names in the course of a run, each read once. */
class IncludedFiles {
  readonly #cursor: Cursor;
  readonly #inside: Inside;
  readonly #kind: StepKind;
  readonly #known = new Map<string, Promise<Included>>();

  constructor(cursor: Cursor, inside: Inside, kind: StepKind) {
    this.#cursor = cursor;
    this.#inside = inside;
    this.#kind = kind;
  }

  /** Mistakes go to those who listen where the include stands. A file that includes itself is left to the run. */
  async readAhead(name: string): Promise<void> {
    const { site } = this.#inside;
    const path = findTaskFile(name, nameOf(this.#cursor), site, this.#kind, 'include');
    if (path === undefined || site.chain.includes(path) || site.files.isSpent()) return;
    const parts = site.play.ofInclude();
    const included = await this.#load(path, name, this.#cursor, parts);
    this.#known.set(path, Promise.resolve(included));
    site.play.await(parts);
  }

  async read({ file }: Mapping): Promise<Included> {
    const name = typeof file === 'string' ? file : JSON.stringify(file);
    const diagnostics = new Diagnostics();
    const cursor = this.#cursor.tellingTo(diagnostics);
    const path = findTaskFile(name, nameOf(cursor), this.#inside.site, this.#kind, 'include');
    if (path === undefined) throw loadError(diagnostics);
    const known = this.#known.get(path) ?? this.#readNow(path, name, cursor);
    this.#known.set(path, known);
    return known;
  }

  async #readNow(path: string, name: string, cursor: Cursor): Promise<Included> {
    const { chain } = this.#inside.site;
    if (chain.length >= DEEPEST) {
      throw new LoadError(
        `includes are nested more than ${DEEPEST} deep`,
        cursor.source,
        'a file that includes itself needs a condition that ends it',
      );
    }
    const included = await this.#load(path, name, cursor, this.#inside.site.play.ofInclude());
    if (cursor.diagnostics.failed()) throw loadError(cursor.diagnostics);
    return included;
  }

  async #load(path: string, written: string, at: Cursor, parts: PlayParts): Promise<Included> {
    const site = { ...this.#inside.site, play: parts };
    const file = { path, written, at };
    const { inherited } = this.#inside;
    const steps =
      this.#kind === 'tasks'
        ? (await readSteps(file, site, inherited)).steps
        : (await readHandlers(file, site, inherited)).handlers;
    return { title: site.files.show(path), steps, handlers: parts.handlers, layers: parts.layers };
  }
}

/** The first mistake, with those behind it named. */
function loadError({ list }: Diagnostics): LoadError {
  const [first, ...others] = list.filter(({ severity }) => severity === 'error');
  const more = others.map(({ message }) => `; ${message}`).join('');
  return new LoadError(`${first?.message ?? ''}${more}`, first?.source, first?.hint);
}
