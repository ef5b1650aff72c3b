import { whyFailed } from '../../core/files/paths.js';
import type { HiddenField, WrittenSecrets } from '../../core/model/run/past.js';
import { entry, isMapping } from '../../core/model/values/value.js';
import type { Plan } from '../../module/contract.js';
import { TaskProblem } from '../keywords/failed_result.js';
import type { Observation } from './observation.js';

/** What a task says about its secrets. */
export interface SecretTask {
  readonly args: unknown;
  readonly check: boolean;
  readonly warn: (message: string) => void;
  /** The secrets that the project last wrote to the controller; absent: nothing is kept. */
  readonly writtenSecrets?: (() => Promise<WrittenSecrets>) | undefined;
}

interface PlannedSecrets {
  readonly plan: Plan;
  readonly observation: Observation;
}

/** Records that the controller has the declared secrets. */
export async function keepSecrets(task: SecretTask, decision: PlannedSecrets): Promise<void> {
  const hidden = hiddenSecrets(task, decision);
  if (hidden !== undefined) await (await task.writtenSecrets?.())?.keep(hidden.object, hidden.fields);
}

/** Until the write is verified, the controller may have the declared secrets or the former ones. Returns what takes that back. */
export async function unsettleSecrets(
  task: SecretTask,
  decision: PlannedSecrets,
): Promise<(() => Promise<void>) | undefined> {
  const hidden = hiddenSecrets(task, decision);
  if (hidden === undefined) return undefined;
  return (await task.writtenSecrets?.())?.unsettle(hidden.object, hidden.fields).catch((error: unknown) => {
    const why = `the digests of secrets cannot be written: ${whyFailed(error)}`;
    throw new TaskProblem(
      `nothing was written, because ${why}`,
      undefined,
      'free disk space, or restore the state folder',
    );
  });
}

/**
 * Whether a declared secret differs from what was last written, although the controller only shows that there is one. Warns once
 * about secrets that this project has never written.
 */
export async function hasRotated(task: SecretTask, decision: PlannedSecrets): Promise<boolean> {
  const { plan } = decision;
  if (plan.change.kind !== 'none' || plan.refusal !== undefined) return false;
  const hidden = hiddenSecrets(task, decision);
  const written = hidden && (await task.writtenSecrets?.());
  if (hidden === undefined || written === undefined) return false;
  const { changed, unknown } = await written.compare(hidden.object, hidden.fields);
  if (changed.length > 0) return true;
  if (unknown.length > 0 && (await written.note(hidden.object, unknown, task.check))) task.warn(unknownText(unknown));
  return false;
}

interface HiddenSecrets {
  /** Its path on the controller. */
  readonly object: string;
  readonly fields: readonly HiddenField[];
}

/** Undefined if there are none, or if the module cannot write them alone. */
function hiddenSecrets(
  { args, writtenSecrets }: SecretTask,
  { plan: { hidden }, observation: { last, path } }: PlannedSecrets,
): HiddenSecrets | undefined {
  if (writtenSecrets === undefined || last === null || hidden === undefined) return undefined;
  if (!isMapping(args) || args['secrets'] === undefined) return undefined;
  const uuid = entry(last, 'uuid');
  return { object: typeof uuid === 'string' ? `${path} ${uuid}` : path, fields: hidden };
}

function unknownText(fields: readonly HiddenField[]): string {
  const names = fields.map(([name]) => `"${name}"`).join(', ');
  return `${names} cannot be read, and this project has not written it before, so it may have another value than declared; "secrets: always" writes it`;
}
