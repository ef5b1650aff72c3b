import { orElse, placeText, type FieldPath, type Locate } from '../../core/model/source/diagnostic.js';
import { isStoring } from '../../core/model/values/stored.js';
import { hasLater, isList, isMapping, LazyMapping, mapValues, Unsafe, valueAt } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { taskVars } from '../../core/model/values/variables.js';
import { renderValue } from '../../language/render.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import { secretArguments, validateArguments } from '../../module/arguments/validation.js';
import type { Module } from '../../module/contract.js';
import { property, type Schema } from '../../module/schema.js';
import type { TaskRun } from '../context/task_run.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { isAsPlanned, renderKnown } from '../keywords/known_after_apply.js';
import { examineArguments } from '../keywords/names.js';
import { requireResult } from '../keywords/plain_data.js';

/**
 * The arguments with their templates filled in, checked and with defaults. Throws a `TaskProblem` at the first one that
 * is wrong.
 *
 * @param check what only a write makes known is replaced by `LATER`; throws `KnownAfterApply` if the arguments are not
 * valid with that
 */
export function taskArguments({ task, module, context }: TaskRun, scope: Variables, check = false): Mapping {
  const locate: Locate = (path) => task.locate([...task.argsPath, ...path]);
  const { args, cached } = examinedArguments(module, task.args, scope, locate, check ? renderKnown : renderValue);
  // The name of a file or role. What `apply` gives may be known later.
  const isLater = (value: Value): boolean => typeof value === 'string' && hasLater(value);
  if (check && task.type === 'include' && Object.values(args).some(isLater)) throw new KnownAfterApply('its name');
  context.run.secrets.learnAll(cached === undefined ? secretArguments(module, args) : cached.secrets);
  return args;
}

/** The arguments of the plan, completed with the values that were unknown then. */
export function plannedArguments(run: TaskRun, planned: Mapping, scope: Variables): Mapping {
  if (hasLater(planned)) {
    const now = taskArguments(run, scope);
    if (isAsPlanned(planned, now)) return now;
    const message = 'the arguments differ from those of the plan, so nothing was written';
    throw new TaskProblem(message, undefined, 'make a new plan');
  }
  run.context.run.secrets.learnAll(secretArguments(run.module, planned));
  return planned;
}

type Render = (value: Value, scope: Variables, locate: Locate) => Value;

/** Like `taskArguments`, for any module. */
export function checkedArguments(module: Module, args: Value, scope: Variables, locate: Locate): Mapping {
  return examinedArguments(module, args, scope, locate, renderValue).args;
}

function examinedArguments(
  module: Module,
  args: Value,
  scope: Variables,
  locate: Locate,
  render: Render,
): { readonly args: Mapping; readonly cached?: CachedArguments | undefined } {
  const rendered = renderArguments(module, args, scope, locate, render);
  examineArguments(module, { rendered, written: args }, scope, locate);
  const known = CachedArguments.find(args);
  const completed = known?.completed(module, rendered);
  if (completed !== undefined) return { args: completed, cached: known };
  const checked = validateArguments(module, rendered, 'rendered');
  if ('args' in checked)
    return { args: checked.args, cached: CachedArguments.note(module, args, rendered, checked.args) };
  if (hasLater(rendered)) throw new KnownAfterApply('an argument');
  const [first] = checked.problems;
  const message = checked.problems.map((problem) => problem.message).join('; ');
  const hints = first === undefined ? [] : [first.hint, originHint(args, first.path, scope)];
  const hint = hints.filter((one) => one !== undefined).join('; ');
  throw new TaskProblem(message, first && locate(first.path), hint === '' ? undefined : hint);
}

/** `{{ cloud.mtu }}` */
const VARIABLE = /^\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}$/;

/** Where the variable that an argument consists of is set. Undefined where each controller has its own, so that equal problems stay one. */
function originHint(written: Value, path: FieldPath, scope: Variables): string | undefined {
  const length = path.findIndex((_, index) => typeof valueAt(written, path.slice(0, index)) === 'string');
  const inside = length < 0 ? path : path.slice(0, length);
  const text = valueAt(written, inside);
  const [, variable] = VARIABLE.exec(typeof text === 'string' ? text.trim() : '') ?? [];
  const [name = '', ...parts] = variable?.split('.') ?? [];
  const { level, origin, locate } = scope.find(name)?.layer ?? {};
  if (level === 'extra vars' && locate === undefined) return `"${name}" is set by ${origin}`;
  if (locate === undefined || level?.includes('host') !== false) return undefined;
  return `"${name}" is set in ${placeText(locate([name, ...parts, ...path.slice(inside.length)]))}`;
}

/** Arguments that may set a connection variable. Most tasks have none of them. */
const CONNECTING = ['tenant', 'username'];

/** The connection variables that the arguments of a task set, such as `controller_tenant`. */
export function connectionArguments(module: Module, given: Mapping): readonly (readonly [string, Value])[] {
  const { name, args, connection } = module;
  if (connection !== undefined) {
    const set = connection(given);
    requireResult(set, 'connection', name);
    return Object.entries(set);
  }
  const found: (readonly [string, Value])[] = [];
  for (const one of CONNECTING) {
    const value = given[one];
    const variable = value === undefined ? undefined : property(args, one)?.connection;
    if (value !== undefined && variable !== undefined) found.push([variable, value]);
  }
  return found;
}

/** The rendered arguments, valid or not; null if rendering fails. */
export function renderedArguments({ task }: TaskRun, scope: Variables): Value {
  return orElse(null, () => renderValue(task.args, scope));
}

/** The variables of the task itself, as it sees them: what is random is drawn once. Null for those that cannot be rendered. */
export function ownVariables({ task }: TaskRun, scope: Variables): Value {
  return taskVars(task.layers).map((vars) => mapValues(vars, (_, name) => orElse(null, () => scope.get(name) ?? null)));
}

/** The secrets in a task's arguments, as far as they can be said without carrying it out. */
export function secretsIn({ task, module }: TaskRun, scope: Variables): readonly Value[] {
  return secretArguments(module, task.args).flatMap((text) => orElse([], () => [renderValue(text, scope)]));
}

/** Arguments with bare expressions stay as written, because the module evaluates them. */
function renderArguments(module: Module, args: Value, scope: Variables, locate: Locate, render: Render): Value {
  const schema: Schema = module.args;
  const isExpression = (name: string): boolean => property(schema, name)?.expression === true;
  if (!isMapping(args) || !Object.keys(args).some(isExpression)) return render(args, scope, locate);
  const parts = Object.entries(args);
  const rendered = render(Object.fromEntries(parts.filter(([name]) => !isExpression(name))), scope, locate);
  const expressions = Object.fromEntries(parts.filter(([name]) => isExpression(name)));
  return isMapping(rendered) ? { ...rendered, ...expressions } : expressions;
}

/** Larger arguments are not cached. Counts the characters of texts, and other values as one. */
const MOST_CACHED_CHARACTERS = 16_384;

/**
 * Arguments that passed every check unconverted. Most controllers get the same arguments from a task, and need no
 * second check.
 */
export class CachedArguments {
  #secrets: readonly string[] | undefined;

  private constructor(
    private readonly module: Module,
    private readonly rendered: Mapping,
    /** With the defaults. */
    private readonly args: Mapping,
  ) {}

  /** The last valid arguments of a task, found by its arguments as written. */
  static find(written: Value): CachedArguments | undefined {
    return isMapping(written) ? CACHED.get(written) : undefined;
  }

  /** Undefined if they were converted, because conversion must be repeated each time. */
  static note(module: Module, written: Value, rendered: Value, args: Mapping): CachedArguments | undefined {
    if (!isMapping(written) || !isMapping(rendered)) return undefined;
    if (!Object.keys(rendered).every((name) => args[name] === rendered[name])) return undefined;
    if (sizeUpTo(rendered, MOST_CACHED_CHARACTERS) > MOST_CACHED_CHARACTERS) return undefined;
    const cached = new CachedArguments(module, rendered, args);
    CACHED.set(written, cached);
    return cached;
  }

  /** The arguments with defaults, if they equal the known valid ones. */
  completed(module: Module, rendered: Value): Mapping | undefined {
    const isKnown = module === this.module && isMapping(rendered) && isSame(rendered, this.rendered);
    // A copy, because a module's modification must not reach another controller.
    return isKnown ? { ...this.args, ...rendered } : undefined;
  }

  /** The secrets among the arguments. */
  get secrets(): readonly string[] {
    return (this.#secrets ??= secretArguments(this.module, this.args));
  }
}

const CACHED = new WeakMap<Mapping, CachedArguments>();

function sizeUpTo(value: Value, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  // Lazy values may differ later, or be large.
  if (value instanceof LazyMapping || value instanceof Unsafe || isStoring(value)) return Infinity;
  let size = 1;
  for (const item of isList(value) ? value : Object.values(value)) {
    size += sizeUpTo(item, enough - size);
    if (size > enough) break;
  }
  return size;
}

/** Equal data with the same order of keys. */
function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at] ?? null));
  if (!isMapping(a) || !isMapping(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame(a[name] ?? null, b[name] ?? null))
  );
}
