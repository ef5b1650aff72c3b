import type { Include, Included, Loop } from '../../core/model/playbook/step.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { jsonText } from '../../core/model/values/json.js';
import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import { warnOfOldForm, type Cursor } from '../document/cursor.js';
import { keywordsAt } from '../keywords/keywords.js';
import { knownText, withRolePaths } from '../task/arguments.js';
import type { ModuleCall } from '../task/call.js';
import { findTaskFile } from '../task/find_task_file.js';
import {
  importCircle,
  inInclude,
  openInnerContext,
  readSteps,
  type InnerContext,
  type LoadedSteps,
  type PlayParts,
  type ReadContext,
  type StepFile,
  type StepKind,
} from '../task/read_context.js';
import {
  applied,
  argument,
  beginReading,
  checkStepKeys,
  fileNamed,
  findAhead,
  givenTo,
  loadError,
  wordIn,
} from '../task/step_call.js';
import { loadCall } from '../task/task.js';

/**
 * An `include_tasks`: a task whose file is read when a controller reaches it. A file whose name has no templates is
 * read at once, so that its mistakes are known before the run.
 */
export async function includeTasks(cursor: Cursor, around: InnerContext, kind: StepKind): Promise<Include | undefined> {
  const { context } = around;
  const task = await loadCall(cursor, around, keywordsAt('include_tasks', kind === 'handlers'));
  const inside = applied(cursor, 'include_tasks', around);
  if (task === undefined) return undefined;
  const { file, args } = withoutApply(task.args);
  const files = new IncludedFiles(cursor, inside, kind);
  const settled = file === undefined ? undefined : withRolePaths(file, context);
  if (settled === undefined || hasTemplate(settled)) context.parts.mayAddHandlers = true;
  else await files.readAhead(settled, task.loop);
  return { ...task, type: 'include', args, read: (rendered) => files.read(rendered) };
}

function withoutApply(args: Include['args']): { readonly file: string | undefined; readonly args: Include['args'] } {
  if (!isMapping(args)) return { file: undefined, args };
  const { file } = args;
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => name !== 'apply'));
  return { file: typeof file === 'string' ? file : undefined, args: rest };
}

/** The value with the name of the file. */
function nameCursor(cursor: Cursor): Cursor {
  return argument(cursor, 'include_tasks', 'file') ?? wordIn(cursor, 'include_tasks');
}

/** The files that one include reads during a run, each once. */
class IncludedFiles {
  readonly #known = new Map<string, Promise<Included>>();

  constructor(
    private readonly cursor: Cursor,
    private readonly inside: InnerContext,
    private readonly kind: StepKind,
  ) {}

  /** Reports mistakes to the diagnostics of the include. A file that includes itself is read during the run. */
  async readAhead(name: string, loop: Loop | undefined): Promise<void> {
    const { context } = this.inside;
    const path = findAhead(nameCursor(this.cursor), loop, (at) =>
      findTaskFile(name, at, context, this.kind, 'include'),
    );
    if (path === undefined || context.file.chain.includes(path) || context.reader.files.isSpent()) return;
    const parts = context.parts.ofInclude();
    const included = await this.#load(path, name, this.cursor, parts);
    this.#known.set(path, Promise.resolve(included));
    context.parts.expectFrom(parts);
  }

  async read({ file }: Mapping): Promise<Included> {
    const name = typeof file === 'string' ? file : jsonText(file);
    const diagnostics = new Diagnostics();
    const cursor = this.cursor.reportingTo(diagnostics);
    const path = findTaskFile(name, nameCursor(cursor), this.inside.context, this.kind, 'include');
    if (path === undefined) throw loadError(diagnostics);
    return getOrAdd(this.#known, path, () => this.#readNow(path, name, cursor));
  }

  async #readNow(path: string, name: string, cursor: Cursor): Promise<Included> {
    beginReading(this.inside.context, cursor);
    const included = await this.#load(path, name, cursor, this.inside.context.parts.ofInclude());
    if (cursor.diagnostics.failed()) throw loadError(cursor.diagnostics);
    return included;
  }

  async #load(path: string, written: string, at: Cursor, parts: PlayParts): Promise<Included> {
    const context = inInclude(this.inside.context, parts);
    const steps = await readSteps(this.kind, { path, written, at }, { ...this.inside, context });
    return { title: context.reader.files.show(path), steps, handlers: parts.handlers, layers: parts.layers };
  }
}

/**
 * Rewrites Ansible's older `include`: as `include_tasks` if the file's name is a template, the step loops, or an
 * include surrounds it; otherwise as `import_tasks`. Its other arguments become variables of the tasks; those of an
 * `include_tasks` around it are stronger, so that `include: f.yml a={{ a }}` passes them on.
 */
export function modernInclude(step: Cursor, call: ModuleCall, context: ReadContext): Cursor | undefined {
  const given = givenTo(step, call);
  if (given === undefined) return undefined;
  const { file = null, ...parameters }: Record<string, Value> = given;
  const word = isDynamic(step, file, context) ? 'include_tasks' : 'import_tasks';
  const written = call.cursor.name;
  const hint = 'write import_tasks; include_tasks if it loops, or a template names the file';
  warnOfOldForm(call.cursor, '"include"', hint);
  const rest = Object.entries(isMapping(step.value) ? step.value : {}).filter(
    ([key]) => key !== written && key !== 'args',
  );
  const places = new Map([[word, written]]);
  if (word === 'include_tasks') {
    const isAlone = Object.keys(parameters).length === 0;
    const value = isAlone ? file : { file, apply: { vars: parameters } };
    return step.rewritten({ ...Object.fromEntries(rest), [word]: value }, places);
  }
  const vars = withParameters(step.get('vars')?.value, parameters);
  if (step.get('vars') === undefined) places.set('vars', written);
  return step.rewritten({ ...Object.fromEntries(rest), [word]: file, ...(vars !== undefined && { vars }) }, places);
}

function isDynamic(step: Cursor, file: Value, { file: { isIncluded } }: ReadContext): boolean {
  const loops = step.entries().some(({ name }) => name === 'loop' || name.startsWith('with_'));
  return loops || isIncluded || (typeof file === 'string' && hasTemplate(file));
}

/** Merges the parameters over `vars`. */
function withParameters(vars: Value | undefined, parameters: Mapping): Value | undefined {
  if (Object.keys(parameters).length === 0) return vars;
  if (vars === undefined) return parameters;
  return isMapping(vars) ? { ...vars, ...parameters } : [...(isList(vars) ? vars : [vars]), parameters];
}

/** The steps of the file that `import_tasks` names, with the keywords of the import. */
export async function importTasks<Kind extends StepKind>(
  kind: Kind,
  cursor: Cursor,
  call: ModuleCall,
  around: InnerContext,
): Promise<LoadedSteps[Kind] | readonly []> {
  const found = locate(cursor, call, around, kind);
  return found === undefined ? [] : readSteps(kind, found.file, found);
}

type LocatedInclude = InnerContext & { readonly file: StepFile };

function locate(cursor: Cursor, call: ModuleCall, around: InnerContext, kind: StepKind): LocatedInclude | undefined {
  checkStepKeys(cursor, call, keywordsAt('import_tasks'), around.context.reader.modules);
  const inside = openInnerContext(cursor, around, 'import_tasks');
  const named = fileNamed(cursor, call);
  if (named === undefined) return undefined;
  const name = knownText(named.name, named.at, inside, 'use include_tasks, whose file is chosen during the run');
  const path = name === undefined ? undefined : findTaskFile(name, named.at, inside.context, kind, 'import');
  if (path === undefined) return undefined;
  const circle = importCircle(path, around.context);
  if (circle !== undefined)
    return named.at.error(`import cycle: ${circle}`, 'include_tasks with a condition may repeat a file');
  return { ...inside, file: { path, written: name, at: cursor } };
}
