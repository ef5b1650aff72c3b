// Replaces `src/record/journal/write/start_run.ts` in a build without a journal.

export function startRun(): Promise<undefined> {
  return Promise.resolve(undefined);
}

export function continueRun(): Promise<undefined> {
  return Promise.resolve(undefined);
}
