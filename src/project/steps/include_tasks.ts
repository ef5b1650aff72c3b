import type { Include, Included } from '../../core/model/playbook/step.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import { warnOfOldForm, type Cursor } from '../document/cursor.js';
import { keywordsAt } from '../keywords/keywords.js';
import { knownText, withRolePaths } from '../task/arguments.js';
import type { ModuleCall } from '../task/call.js';
import { findTaskFile } from '../task/find_task_file.js';
import {
  importCircle,
  openInnerContext,
  readSteps,
  type InnerContext,
  type LoadedSteps,
  type ReadContext,
  type StepFile,
  type StepKind,
} from '../task/read_context.js';
import {
  applied,
  argument,
  checkStepKeys,
  fileNamed,
  findAhead,
  givenTo,
  IncludeReader,
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
  const reader = new IncludeReader<StepFile>(inside.context, async (named, inner) => {
    const steps = await readSteps(kind, named, { ...inside, context: inner });
    const { handlers, layers } = inner.parts;
    return { title: inner.reader.files.show(named.path), steps, handlers, layers };
  });
  const find = (name: string, at: Cursor): string | undefined =>
    findTaskFile(name, at, inside.context, kind, 'include');
  const read = async ({ file: given = null }: Mapping): Promise<Included> => {
    const written = typeof given === 'string' ? given : jsonText(given);
    const diagnostics = new Diagnostics();
    const at = cursor.reportingTo(diagnostics);
    const path = find(written, nameCursor(at));
    if (path === undefined) throw loadError(diagnostics);
    return reader.read(path, at, () => ({ path, written, at }));
  };
  const settled = file === undefined ? undefined : withRolePaths(file, context);
  if (settled === undefined || hasTemplate(settled)) context.parts.mayAddHandlers = true;
  else {
    const path = findAhead(nameCursor(cursor), task.loop, (at) => find(settled, at));
    if (path !== undefined && !context.file.chain.includes(path))
      await reader.readAhead(path, { path, written: settled, at: cursor });
  }
  return { ...task, type: 'include', args, read };
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
