import { isList, isMapping, type Mapping } from '../../core/model/values/value.js';
import { toWholeNumber } from '../../core/model/values/whole_number.js';
import { evaluateLazy } from '../../language/runtime/access.js';
import { TaskProblem } from './failed_result.js';

/** Deeper than any object of a controller, and safe for the stack. */
const MOST_DATA_LEVELS = 300;
/** Enough of a path to find the place. */
const MOST_PATH_PARTS = 3;

/** The path from the returned value to a place inside it. */
type Path = (string | number)[];

/**
 * A module's result is stored, sent and shown as JSON. A function in it, or a mapping that contains itself, would break the whole
 * run later, so it is checked here and fails its task.
 *
 * @param what the returned values by name: `{ values, facts }`
 * @throws TaskProblem that names the first path that is not data
 */
export function requireData(what: Readonly<Record<string, unknown>>, module: string): void {
  const odd = oddIn(what, []);
  if (odd === undefined) return;
  throw new TaskProblem(
    `the module ${module} returned ${odd}`,
    undefined,
    'a module returns text, numbers, true, false, null, and lists and mappings of them',
  );
}

/**
 * A module of a project may be untyped JavaScript that forgets to return.
 *
 * @param result what `run` or `plan` returned
 * @throws TaskProblem that says what it must return
 */
export function requireResult(result: unknown, of: 'run' | 'plan', module: string): void {
  const given: Readonly<Record<string, unknown>> = typeof result === 'object' && result !== null ? { ...result } : {};
  const { status, change } = given;
  if (of === 'run' ? STATUSES.includes(String(status)) : typeof change === 'object' && change !== null) return;
  const what = result === undefined || result === null ? 'returned nothing' : `returned no ${RESULTS[of].part}`;
  throw new TaskProblem(`"${of}" of the module ${module} ${what}`, undefined, `it returns ${RESULTS[of].example}`);
}

const STATUSES = ['ok', 'changed', 'skipped', 'failed', 'interrupted'];
const RESULTS = {
  run: { part: 'known "status"', example: "{ status: 'ok' }, or 'changed', 'skipped' or 'failed' with a message" },
  plan: { part: '"change"', example: "{ change: { kind: 'none' } }, or a change to make" },
} as const;

/**
 * The current values: a lazy value (`hostvars`) would change later, and would contain itself once it becomes a variable.
 *
 * @param values data, as `requireData` has it
 * @throws TemplateError if an entry cannot be rendered
 */
export function materialized(values: Mapping): Mapping {
  const evaluated = evaluateLazy(values);
  return isMapping(evaluated) ? evaluated : values;
}

/**
 * @param path to the value; unchanged at the end if nothing was found.
 */
function oddIn(value: unknown, path: Path): string | undefined {
  // A small bigint would not equal the number that it is everywhere else.
  if (
    typeof value === 'function' ||
    typeof value === 'symbol' ||
    (typeof value === 'bigint' && toWholeNumber(value) !== value)
  ) {
    return `a ${typeof value} in "${path.join('.')}"`;
  }
  if (!isList(value) && !isMapping(value)) return undefined;
  if (path.length > MOST_DATA_LEVELS) {
    return `"${path.slice(0, MOST_PATH_PARTS).join('.')}", which is nested more than ${MOST_DATA_LEVELS} levels deep, or contains itself`;
  }
  // Entries would allocate, and this runs for everything that a module returns.
  if (isList(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const odd = oddInside(at, value[at], path);
      if (odd !== undefined) return odd;
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    const odd = oddInside(name, value[name], path);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

function oddInside(name: string | number, item: unknown, path: Path): string | undefined {
  // The most common types first.
  if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') return undefined;
  path.push(name);
  const odd = oddIn(item, path);
  if (odd === undefined) path.pop();
  return odd;
}
