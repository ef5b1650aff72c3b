// Replaces `src/record/journal/write/start_journal.ts` in a build without a journal.

export function startJournal(): Promise<undefined> {
  return Promise.resolve(undefined);
}

export function continueRun(): Promise<undefined> {
  return Promise.resolve(undefined);
}
