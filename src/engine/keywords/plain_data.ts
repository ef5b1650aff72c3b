import { DATA, oddIn } from '../../controller/answers/json_object.js';
import { isList, isMapping, type Mapping } from '../../core/model/values/value.js';
import { evaluateLazy } from '../../language/runtime/result.js';
import { TaskProblem } from './failed_result.js';

/**
 * A module's result is stored, sent and shown as JSON. A function or undefined in it, or a mapping that contains itself, would break
 * the whole run later, so it is checked here and fails its task.
 *
 * @param what the returned values by name: `{ values, facts }`
 * @throws TaskProblem that names the first path that is not data
 */
export function requireData(what: Readonly<Record<string, unknown>>, module: string): void {
  const odd = oddIn(what);
  if (odd === undefined) return;
  throw new TaskProblem(`the module ${module} returned ${odd}`, undefined, `a module returns ${DATA}`);
}

/** The body of a write, before the journal records it. @throws TaskProblem: it was not sent */
export function requireBody(body: unknown): void {
  const odd = oddIn(body, 'body');
  if (odd !== undefined) throw new TaskProblem(`not sent: the body has ${odd}`, undefined, `a body contains ${DATA}`);
}

/**
 * A module of a project may be untyped JavaScript that forgets to return.
 *
 * @param result what the named function returned
 * @throws TaskProblem that says what it must return
 */
export function requireResult(result: unknown, of: keyof typeof RESULTS, module: string): void {
  const missing = RESULTS[of].missing(result);
  if (missing === undefined) return;
  const what = result === undefined || result === null ? 'nothing' : missing;
  const hint = `it returns ${RESULTS[of].example}`;
  throw new TaskProblem(`"${of}" of the module ${module} returned ${what}`, undefined, hint);
}

const STATUSES = new Set<unknown>(['ok', 'changed', 'skipped', 'failed', 'interrupted']);
const RESULTS = {
  run: {
    missing: (result: unknown) => {
      const { status, message = '', hint = '', values = {}, facts = {}, change = NO_CHANGE } = entriesIn(result);
      if (!STATUSES.has(status)) return 'no known "status"';
      if (typeof message !== 'string' || typeof hint !== 'string') return 'a message or hint that is not text';
      if (!isMapping(values) || !isMapping(facts)) return 'values or facts that are not a mapping';
      return isWhole(change) ? undefined : 'no whole "change"';
    },
    example: "{ status: 'ok' }, or 'changed', 'skipped' or 'failed' with a message",
  },
  plan: {
    missing: (result: unknown) => {
      const { change, refusal = '', warnings = [], hidden = [] } = entriesIn(result);
      if (!isWhole(change) || entriesIn(change)['kind'] === 'invoke') return 'no whole "change"';
      const areTexts = isList(warnings) && [refusal, ...warnings].every((one) => typeof one === 'string');
      if (!areTexts) return 'a refusal or warning that is not text';
      const arePairs =
        isList(hidden) && hidden.every((one) => isList(one) && one.length === 2 && typeof one[0] === 'string');
      return arePairs ? undefined : '"hidden" that is not a list of pairs of a path and a secret';
    },
    example: "{ change: { kind: 'none' } }, or a change to make",
  },
  connection: {
    missing: (result: unknown) => (isMapping(result) ? undefined : 'no mapping'),
    example: 'the connection variables that the arguments set',
  },
  object: {
    missing: (result: unknown) => (typeof result === 'string' ? undefined : 'no text'),
    example: 'the name of the object for messages',
  },
} as const;

const NO_CHANGE = { kind: 'none' };

/** Every output shows it. */
function isWhole(change: unknown): boolean {
  const { kind, object, before = null, after } = entriesIn(change);
  if (kind === 'none') return true;
  if (typeof object !== 'string') return false;
  if (kind === 'update') return isMapping(after) && (before === null || isMapping(before));
  return kind === 'create' ? isMapping(after) : kind === 'delete' ? isMapping(before) : kind === 'invoke';
}

function entriesIn(value: unknown): Readonly<Record<string, unknown>> {
  return isMapping(value) ? value : {};
}

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
