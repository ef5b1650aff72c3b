import { orElse } from '../../../core/model/error_message.js';
import type { ProcessIdentity, WriteFinished } from '../../../core/model/run/journal.js';
import type { Change } from '../../../core/model/run/result.js';
import { entry, isMapping, type Mapping } from '../../../core/model/values/value.js';
import { runFolder } from '../disk/run_folders.js';
import { markAsRead, readHeader } from '../disk/run_header.js';
import { recordText, type KeptRecord } from './entry.js';
import { PastWrites, type KeptWrite } from './past_writes.js';
import { readJournal } from './read_journal.js';
import { openUnsealer, WholeRecords } from './whole_record.js';

/** An object on a controller, as messages call it: `cloud "edge"`. */
export interface ObjectName {
  readonly target: string;
  readonly tenant: string | undefined;
  readonly object: string;
}

/** The last write of a run to an object that may have taken effect. */
export interface ObjectWrite {
  readonly kind: Change['kind'] | undefined;
  readonly outcome: Exclude<WriteFinished['outcome'], 'refused'>;
  /** The object as the controller showed it after the write. Undefined: it was not read, or the key is lost. */
  readonly seen: Mapping | undefined;
}

export function objectKey({ target, tenant, object }: ObjectName): string {
  return JSON.stringify([target, tenant ?? null, object]);
}

/**
 * The last writes of a run to the requested objects, by `objectKey`. Opens only their sealed values.
 *
 * @throws JournalError if the journal cannot be read
 */
export async function objectWrites(
  stateDirectory: string,
  id: string,
  process: ProcessIdentity,
  isWanted: (key: string) => boolean,
): Promise<ReadonlyMap<string, ObjectWrite>> {
  const folder = runFolder(stateDirectory, id);
  const release = await markAsRead(folder, process);
  try {
    const { header } = await readHeader(stateDirectory, id);
    const whole = new WholeRecords(await openUnsealer(stateDirectory, header));
    const writes = new PastWrites();
    const record = (one: KeptRecord): void => {
      if (one.type !== 'write-intended' || isWanted(intentKey(one))) writes.record(one);
    };
    await readJournal(folder, { event: () => undefined, record, broken: () => undefined });
    const last = writes.all.filter(({ outcome }) => outcome !== 'refused');
    return new Map(last.map((write) => [intentKey(write.intent), objectWrite(write, whole)]));
  } finally {
    await release();
  }
}

/** Objects of `no_log` tasks have no readable name. */
function intentKey(intent: KeptRecord): string {
  const { tenant, object } = intent.shown;
  return objectKey({
    target: recordText(intent, 'target'),
    tenant: typeof tenant === 'string' ? tenant : undefined,
    object: typeof object === 'string' ? object : '',
  });
}

function objectWrite({ intent, outcome, verified }: KeptWrite, whole: WholeRecords): ObjectWrite {
  const { change } = intent.shown;
  const kind = isMapping(change) ? entry(change, 'kind') : undefined;
  return {
    kind: KINDS.find((one) => one === kind),
    outcome: outcome === 'applied' ? 'applied' : 'unknown',
    seen: verified && orElse(undefined, () => whole.verified(verified).seen),
  };
}

const KINDS: readonly Change['kind'][] = ['create', 'update', 'delete', 'invoke', 'none'];
