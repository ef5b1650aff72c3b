// Replaces `src/record/journal/write/start_journal.ts` in a build without a journal.
import type * as replaced from '../src/record/journal/write/start_journal.js';
import type * as replacement from './no_journal.js';

export function startJournal(): Promise<undefined> {
  return Promise.resolve(undefined);
}

export function openedJournal(): undefined {
  return undefined;
}

/** Fails to compile if the file has an export that this one lacks: then the build would fail, minutes into a bench. */
const MISSING: readonly Exclude<keyof typeof replaced, keyof typeof replacement>[] = [];
void (MISSING satisfies readonly never[]);
