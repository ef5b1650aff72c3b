import type {
  BatchEnded,
  StepSettled,
  WriteAnswer,
  WriteFinished,
  WriteIntended,
  WriteVerified,
} from '../../model/run/journal.js';
import { joined, withEntry } from '../../model/values/stored.js';
import { isMapping, type Mapping, type Value } from '../../model/values/value.js';
import { textOf, type KeptRecord } from './entry.js';
import { JournalError } from '../disk/journal_error.js';
import {
  anything,
  fields,
  mapping,
  number,
  oneOf,
  optional,
  text,
  invalidField,
  type Check,
  type Fields,
} from './shape.js';
import { keyFile, keyName, readKey, requirePrivate } from '../disk/key_file.js';
import { runFolder } from '../disk/run_folders.js';
import type { RunHeader } from '../disk/run_header.js';
import { Sealer } from '../disk/sealer.js';
import { decode, type Find } from '../disk/value_codec.js';
import { ValueFiles } from '../disk/value_files.js';

const CHANGE: Check = (value) =>
  fields({ kind: oneOf('none') })(value) ||
  fields({ kind: oneOf('invoke'), object: text })(value) ||
  fields({ kind: oneOf('create'), object: text, after: mapping })(value) ||
  fields({ kind: oneOf('update'), object: text, before: mappingOrNull, after: mapping })(value);
const CONNECTION = fields({ id: text, url: text, variables: mapping });
const INTENT: Fields = {
  object: text,
  path: text,
  name: optional(text),
  connection: optional(CONNECTION),
  change: CHANGE,
};
const SETTLED: Fields = { title: text, left: optional(mapping) };
const ENDED: Fields = { reason: optional(text) };
const ANSWERED: Fields = { answer: fields({ status: number, body: anything, says: optional(text) }) };
const VERIFIED: Fields = { seen: mapping };

function mappingOrNull(value: unknown): boolean {
  return value === null || mapping(value);
}

/** A record with what was sealed of it: as the engine handed it over. Each throws a `JournalError` if that cannot be. */
export class WholeRecords {
  readonly #opener: Unsealer;

  constructor(opener: Unsealer) {
    this.#opener = opener;
  }

  /** As `Journal.digest` of the run. */
  digest(value: Value): string {
    return this.#opener.sealer().digest(value);
  }

  settled(record: KeptRecord): StepSettled {
    const what = `what "${textOf(record, 'title')}" left on ${textOf(record, 'controller')}`;
    return this.#whole(record, what, SETTLED) as unknown as StepSettled;
  }

  ended(record: KeptRecord): BatchEnded {
    return this.#whole(record, 'why a batch ended', ENDED) as unknown as BatchEnded;
  }

  intended(record: KeptRecord): WriteIntended {
    const what = `what "${textOf(record, 'task')}" wrote to ${textOf(record, 'target')}`;
    const whole = this.#whole(record, what, INTENT);
    if (Object.hasOwn(whole, 'body')) return whole as unknown as WriteIntended;
    // A body that is what the object shall be is kept once.
    const { change } = whole;
    return withEntry(whole, 'body', isMapping(change) ? change : {}, 'after') as unknown as WriteIntended;
  }

  answer(record: KeptRecord): WriteAnswer | undefined {
    if (record.sealed === undefined) return undefined;
    const what = `what ${textOf(record, 'controller')} answered`;
    return (this.#whole(record, what, ANSWERED) as unknown as WriteFinished).answer;
  }

  verified(record: KeptRecord): WriteVerified {
    const what = `what ${textOf(record, 'controller')} showed after a write`;
    return this.#whole(record, what, VERIFIED) as unknown as WriteVerified;
  }

  /** What is shown was checked when it was read; the rest is checked here, so that callers may take it for what it is. */
  #whole({ type, shown, sealed }: KeptRecord, what: string, rest: Fields): Mapping {
    const whole = sealed === undefined ? shown : joined(shown, this.#opener.open(sealed, what));
    const wrong = invalidField(whole, rest);
    if (wrong === undefined) return whole;
    throw new JournalError(`cannot restore ${what}: "${wrong}" of ${type} makes no sense`);
  }
}

/** Opens what was sealed in one run. */
export interface Unsealer {
  /** @throws JournalError if the key is not there */
  readonly sealer: () => Sealer;
  /**
   * @param what could not be restored without it, for the message
   * @throws JournalError if the key is lost or another one, or what is sealed was changed
   */
  readonly open: (sealed: string, what: string) => Mapping;
}

/**
 * Reads the key at once; a missing key is an error only when something sealed is opened.
 *
 * @throws JournalError if other users may have made what is kept
 */
export async function unsealerOf(stateDirectory: string, { id, key: name }: RunHeader): Promise<Unsealer> {
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
    throw new JournalError(`${begin}: ${why}`, 'put the key back that was there when the run was made');
  };
  return {
    sealer: () => sealer ?? refuse('what is sealed'),
    open: (sealed, what) => {
      if (sealer === undefined) return refuse(what);
      const content = opened(sealer, sealed, values?.find);
      if (content !== undefined) return content;
      throw new JournalError(`run ${id}: cannot restore ${what}: what is sealed was changed since`);
    },
  };
}

function opened(sealer: Sealer, sealed: string, find: Find | undefined): Mapping | undefined {
  try {
    const content = decode(sealer.open(sealed), find);
    return isMapping(content) ? content : undefined;
  } catch {
    return undefined;
  }
}
