/** The ids of the runs that are kept, newest first. Opens none of them. */
export async function listRuns(_stateDirectory: string): Promise<readonly string[]> {
  return Promise.reject(new Error('not there yet'));
}

/**
 * The id of the run that a user means: `last`, an id, or as much of the beginning of one as no other has.
 *
 * @throws JournalError that names the nearest
 */
export async function findRun(_stateDirectory: string, _name: string): Promise<string> {
  return Promise.reject(new Error('not there yet'));
}
