import type { HiddenField, WrittenSecrets } from '../../core/model/run/written_secrets.js';
import { entry, isMapping } from '../../core/model/values/value.js';
import { hiddenFields } from '../../module/comparison/hidden_secrets.js';
import type { Plan } from '../../module/contract.js';
import type { Observation } from './observation.js';

/** A task that may declare secrets. */
interface Declaring {
  readonly check: boolean;
  readonly warn: (message: string) => void;
  /** The secrets that the project last wrote to the controller; absent: nothing is kept. */
  readonly writtenSecrets?: (() => Promise<WrittenSecrets>) | undefined;
}

interface Hidden {
  /** Its path on the controller. */
  readonly object: string;
  readonly fields: readonly HiddenField[];
}

/**
 * Whether a declared secret differs from what was last written, although the controller only shows that there is one. Warns once
 * about secrets that this project has never written.
 */
export async function hasRotated(
  task: Declaring,
  plan: Plan,
  args: unknown,
  observation: Observation,
): Promise<boolean> {
  if (plan.change.kind !== 'none' || plan.refusal !== undefined) return false;
  const hidden = hiddenSecrets(task, args, observation);
  const written = hidden && (await task.writtenSecrets?.());
  if (hidden === undefined || written === undefined) return false;
  const { changed, unknown } = await written.compare(hidden.object, hidden.fields);
  if (changed.length > 0) return true;
  if (unknown.length > 0 && !task.check && (await written.note(hidden.object, unknown)))
    task.warn(unknownText(unknown));
  return false;
}

/** Records the secrets that were written. */
export async function keepWritten(task: Declaring, args: unknown, observation: Observation): Promise<void> {
  const hidden = hiddenSecrets(task, args, observation);
  if (hidden !== undefined) await (await task.writtenSecrets?.())?.keep(hidden.object, hidden.fields);
}

/** Undefined if there are none, or if they are always written. */
function hiddenSecrets({ writtenSecrets }: Declaring, args: unknown, { last, path }: Observation): Hidden | undefined {
  if (writtenSecrets === undefined || last === null || !isMapping(args) || args['secrets'] !== 'on_create')
    return undefined;
  const { properties } = args;
  const fields = hiddenFields(isMapping(properties) ? properties : args, last);
  const uuid = entry(last, 'uuid');
  return fields.length === 0 ? undefined : { object: typeof uuid === 'string' ? `${path} ${uuid}` : path, fields };
}

function unknownText(fields: readonly string[]): string {
  const names = fields.map((name) => `"${name}"`).join(', ');
  return `${names} cannot be read, and this project has not written it before, so it may have another value than declared; "secrets: always" writes it`;
}
