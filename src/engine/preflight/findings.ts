import type { Meta } from '../../core/model/playbook/step.js';
import { LoadError, orElse, type Source } from '../../core/model/source/diagnostic.js';
import { isOfControllers } from '../../core/model/values/variables.js';
import { NotKnownYet, TemplateError } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import { TaskProblem } from '../keywords/failed_result.js';
import type { LeftOut } from './later_variables.js';

/** Errors of what is evaluated before the run. */
export const EXPECTED = [NotKnownYet, TemplateError, LoadError, TaskProblem];

/** Whether the error is one of `EXPECTED`; any other is a mistake in Evenkeel. */
export function isExpected(error: unknown): boolean {
  return EXPECTED.some((type) => error instanceof type);
}

/** A certain failure on one controller, independent of the controller's answers; or a warning. */
export interface RunFinding {
  readonly controller: string;
  readonly message: string;
  readonly source?: Source | undefined;
  /** Whether the source is in a variable of controllers or groups: others can have the same value at another place. */
  readonly inInventory?: boolean | undefined;
  readonly hint?: string | undefined;
  /** The message without the controller's name, if it contains that name. */
  readonly general?: string | undefined;
  /** Whether one controller of the batch runs the task for all. */
  readonly once?: boolean | undefined;
  /** Earlier steps that may end the play for all. */
  readonly after?: ReadonlySet<Meta> | undefined;
  /** Not a failure: the controller may accept it. */
  readonly isWarning?: boolean | undefined;
  /** The task that would define the missing variable is not part of the run. */
  readonly leftOut?: LeftOut | undefined;
  /** A controller that others delegate a task to: the task fails even if the controller itself is left out of the run. */
  readonly delegated?: boolean | undefined;
}

/** A thrown error as a finding; undefined if the value is known only during the run. @throws unexpected errors */
export function toPreflightFinding(
  error: unknown,
  controller: string,
  fallback: Source | undefined,
  scope?: Variables,
): RunFinding | undefined {
  if (error instanceof NotKnownYet) return undefined;
  if (error instanceof TemplateError) return { controller, hint: error.hint, ...placed(error, fallback, scope) };
  if (!(error instanceof TaskProblem || error instanceof LoadError)) throw error;
  return { controller, message: error.message, hint: error.hint, source: error.source ?? fallback };
}

/** A value from the command line has no place in a file: the task that uses it is not to blame. */
function placed(
  error: TemplateError,
  fallback: Source | undefined,
  scope: Variables | undefined,
): Pick<RunFinding, 'message' | 'source' | 'inInventory'> {
  const [variable] = error.innermost?.split('.') ?? [];
  // Also undefined for the variable of another controller (`hostvars`) that a task may set for this one.
  const layer = variable === undefined ? undefined : orElse(undefined, () => scope?.find(variable)?.layer, NotKnownYet);
  const { message, source = fallback } = error;
  if (layer !== undefined && layer.locate === undefined)
    return { message: `${layer.origin}: ${message}`, source: undefined };
  return { message, source, inInventory: layer !== undefined && isOfControllers(layer.level) };
}
