import {
  RECORDS,
  type BatchEnded,
  type JournalRecord,
  type StepSettled,
  type TypedRecord,
  type WriteAnswer,
  type WriteIntended,
  type WriteVerified,
} from '../../../core/model/run/journal.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { hasFields, invalidField, joined, withEntry } from '../../../core/model/values/stored.js';
import { isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import { decode } from '../../../core/model/values/value_codec.js';
import { keyFile, keyName, readKey, requirePrivate, Sealer } from '../format/project_key.js';
import { JournalError, runFolder } from '../format/run_folders.js';
import type { RunHeader } from '../format/run_header.js';
import { ValueFiles } from '../format/value_files.js';
import { recordText, type KeptRecord } from './entry.js';

/**
 * Restores records with their sealed fields, as the engine wrote them. The methods throw a `JournalError` if that is
 * impossible.
 */
export class WholeRecords {
  constructor(private readonly unsealer: Unsealer) {}

  /** A keyed digest, as the journal has of the values of its run. */
  digest(value: Value): string {
    return this.unsealer.sealer().digest(value);
  }

  finishedStep(record: KeptRecord): StepSettled {
    const what = `what "${recordText(record, 'title')}" left on ${recordText(record, 'controller')}`;
    return checked(this.#open(record, what), 'step-settled', what);
  }

  ended(record: KeptRecord): BatchEnded {
    const what = 'why a batch ended';
    return checked(this.#open(record, what), 'batch-ended', what);
  }

  intended(record: KeptRecord): WriteIntended {
    const what = `what "${recordText(record, 'task')}" wrote to ${recordText(record, 'target')}`;
    const opened = this.#open(record, what);
    const { change } = opened;
    // A body that equals the object after the change is written once.
    const whole = Object.hasOwn(opened, 'body')
      ? opened
      : withEntry(opened, 'body', isMapping(change) ? change : {}, 'after');
    return checked(whole, 'write-intended', what);
  }

  /** The URL of a controller, and its route. */
  address(record: KeptRecord): string {
    const what = `the address of ${recordText(record, 'controller')}`;
    return checked(this.#open(record, what), 'controller-reached', what).url;
  }

  answer(record: KeptRecord): WriteAnswer | undefined {
    if (record.sealed === undefined && !Object.hasOwn(record.shown, 'answer')) return undefined;
    const what = `what ${recordText(record, 'controller')} answered`;
    return checked(this.#open(record, what), 'write-finished', what).answer;
  }

  verified(record: KeptRecord): WriteVerified {
    const what = `what ${recordText(record, 'controller')} showed after a write`;
    return checked(this.#open(record, what), 'write-verified', what);
  }

  #open({ shown, sealed }: KeptRecord, what: string): Mapping {
    return sealed === undefined ? shown : joined(shown, this.unsealer.open(sealed, what));
  }
}

function checked<Type extends JournalRecord['type']>(record: Mapping, type: Type, what: string): TypedRecord<Type> {
  if (isComplete(record, type)) return record;
  const invalid = invalidField(record, RECORDS[type]) ?? '';
  throw new JournalError(`cannot restore ${what}: "${invalid}" of its record is invalid`);
}

function isComplete<Type extends JournalRecord['type']>(record: object, type: Type): record is TypedRecord<Type> {
  return hasFields(record, RECORDS[type]);
}

/** Decrypts what was sealed in one run. */
export interface Unsealer {
  /** @throws JournalError if the key is not there */
  readonly sealer: () => Pick<Sealer, 'digest'>;
  /**
   * @param what what cannot be restored, for the message
   * @throws JournalError if the key is lost or was replaced, or the sealed data was changed
   */
  readonly open: (sealed: string, what: string) => Mapping;
}

/**
 * Reads the key at once; a missing key is an error only when something sealed is opened.
 *
 * @throws JournalError if other users may have created the files
 */
export async function openUnsealer(
  stateDirectory: string,
  { id, key: name }: RunHeader,
): Promise<Unsealer & { readonly sealer: () => Sealer }> {
  requirePrivate(stateDirectory);
  const file = keyFile(stateDirectory);
  const found = await readKey(stateDirectory).catch((error: unknown) => error);
  const key = Buffer.isBuffer(found) ? found : undefined;
  const sealer = key !== undefined && keyName(key) === name ? new Sealer(key, id) : undefined;
  const values = sealer && new ValueFiles(runFolder(stateDirectory, id), sealer);
  const refuse = (what: string): never => {
    const begin = `run ${id}: cannot restore ${what}`;
    if (found instanceof JournalError) throw new JournalError(`${begin}: ${found.message}`, found.hint);
    const why = key === undefined ? `the key ${file} is gone` : `it was sealed with another key than ${file} holds`;
    throw new JournalError(`${begin}: ${why}`, 'restore the key that the project had when the run was made');
  };
  return {
    sealer: () => sealer ?? refuse('what is sealed'),
    open: (sealed, what) => {
      if (sealer === undefined) return refuse(what);
      const content = orElse(null, () => decode(sealer.open(sealed), values?.find));
      if (isMapping(content)) return content;
      throw new JournalError(`run ${id}: cannot restore ${what}: the sealed data was changed since`);
    },
  };
}
