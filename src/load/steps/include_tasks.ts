import { Diagnostics } from '../../model/source/diagnostic.js';
import type { Include, Included } from '../../model/playbook/step.js';
import { isMapping, type Mapping } from '../../model/values/value.js';
import { hasTemplate } from '../../template/check.js';
import type { Cursor } from '../document/cursor.js';
import type { InnerContext } from '../task/enter.js';
import { findTaskFile, type StepKind } from '../task/find_task_file.js';
import { applied, argument, beginReading, loadError, wordIn } from '../task/include.js';
import type { Inherited } from '../keywords/inherited.js';
import { asHandler, INCLUDE_TASKS } from '../keywords/keywords.js';
import type { PlayParts } from '../task/play_parts.js';
import { readHandlers, readSteps } from '../task/read_steps.js';
import { withRolePaths } from '../task/known_text.js';
import { inInclude, type ReadContext } from '../task/read_context.js';
import { loadCall } from '../task/task.js';

/**
 * An `include_tasks`: a task whose file is read when a controller reaches it. A file that is named without templates is
 * read at once, so that its mistakes are known before the run.
 */
export async function includeTasks(
  cursor: Cursor,
  context: ReadContext,
  inherited: Inherited,
  kind: StepKind,
): Promise<Include | undefined> {
  const vocabulary = kind === 'handlers' ? asHandler(INCLUDE_TASKS) : INCLUDE_TASKS;
  const task = await loadCall(cursor, context, inherited, vocabulary);
  const inside = applied(cursor, 'include_tasks', context, inherited);
  if (task === undefined) return undefined;
  const { file, args } = withoutApply(task.args);
  const files = new IncludedFiles(cursor, inside, kind);
  const settled = file === undefined ? undefined : withRolePaths(file, context);
  if (settled === undefined || hasTemplate(settled)) context.parts.open = true;
  else await files.readAhead(settled);
  return { ...task, type: 'include', args, read: (rendered) => files.read(rendered) };
}

function withoutApply(args: Include['args']): { readonly file: string | undefined; readonly args: Include['args'] } {
  if (!isMapping(args)) return { file: undefined, args };
  const { file } = args;
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => name !== 'apply'));
  return { file: typeof file === 'string' ? file : undefined, args: rest };
}

/** What holds the name of the file. */
function nameOf(cursor: Cursor): Cursor {
  return argument(cursor, 'include_tasks', 'file') ?? wordIn(cursor, 'include_tasks');
}

/** The files that one include names in the course of a run, each read once. */
class IncludedFiles {
  readonly #cursor: Cursor;
  readonly #inside: InnerContext;
  readonly #kind: StepKind;
  readonly #known = new Map<string, Promise<Included>>();

  constructor(cursor: Cursor, inside: InnerContext, kind: StepKind) {
    this.#cursor = cursor;
    this.#inside = inside;
    this.#kind = kind;
  }

  /** Mistakes go to the diagnostics of the include. A file that includes itself is read during the run. */
  async readAhead(name: string): Promise<void> {
    const { context } = this.#inside;
    const path = findTaskFile(name, nameOf(this.#cursor), context, this.#kind, 'include');
    if (path === undefined || context.file.chain.includes(path) || context.reader.files.isSpent()) return;
    const parts = context.parts.ofInclude();
    const included = await this.#load(path, name, this.#cursor, parts);
    this.#known.set(path, Promise.resolve(included));
    context.parts.await(parts);
  }

  async read({ file }: Mapping): Promise<Included> {
    const name = typeof file === 'string' ? file : JSON.stringify(file);
    const diagnostics = new Diagnostics();
    const cursor = this.#cursor.tellingTo(diagnostics);
    const path = findTaskFile(name, nameOf(cursor), this.#inside.context, this.#kind, 'include');
    if (path === undefined) throw loadError(diagnostics);
    const known = this.#known.get(path) ?? this.#readNow(path, name, cursor);
    this.#known.set(path, known);
    return known;
  }

  async #readNow(path: string, name: string, cursor: Cursor): Promise<Included> {
    beginReading(this.#inside.context, cursor);
    const included = await this.#load(path, name, cursor, this.#inside.context.parts.ofInclude());
    if (cursor.diagnostics.failed()) throw loadError(cursor.diagnostics);
    return included;
  }

  async #load(path: string, written: string, at: Cursor, parts: PlayParts): Promise<Included> {
    const context = inInclude(this.#inside.context, parts);
    const file = { path, written, at };
    const { inherited } = this.#inside;
    const steps =
      this.#kind === 'tasks'
        ? (await readSteps(file, context, inherited)).steps
        : (await readHandlers(file, context, inherited)).handlers;
    return { title: context.reader.files.show(path), steps, handlers: parts.handlers, layers: parts.layers };
  }
}
