import type { JournalRecord } from '../../model/run/journal.js';
import type { Past } from '../../model/run/past.js';
import { isMapping, type Value } from '../../model/values/value.js';
import { JournalError } from '../disk/journal_error.js';
import { PastSteps } from './past_steps.js';
import { PastWrites } from './past_writes.js';
import { WholeRecords } from './whole_record.js';

/**
 * What whole records say that was done, for a process that has no journal.
 *
 * @param digest as that of the journal that they come from
 */
export function pastOfRecords(records: readonly JournalRecord[], digest: (value: Value) => string): Past {
  const whole = new WholeRecords({
    sealer: () => ({ digest }),
    open: (_, what) => {
      throw new JournalError(`cannot restore ${what}: it is sealed`);
    },
  });
  const writes = new PastWrites();
  const past = new PastSteps(whole, writes);
  for (const record of records) {
    const shown: unknown = record;
    if (!isMapping(shown)) continue;
    const kept = { type: record.type, shown, sealed: undefined };
    past.record(kept);
    writes.record(kept);
  }
  return past;
}
