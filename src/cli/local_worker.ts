import { errorMessage } from '../model/error_message.js';
import { serveLocal, type ParentProcess } from '../workers/local/local_worker.js';
import { parseDescription } from '../app/request/run_description.js';
import { hostRun } from '../app/worker/hosted_run.js';

/** A process that `run --workers` started: carries out walks until the coordinator ends it. */
export async function serveCoordinator(
  parent: ParentProcess,
  version: string,
  exit: (code: number) => void,
): Promise<void> {
  // Ctrl-C reaches all processes of a terminal, but the coordinator decides what to do.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  // Nothing can be kept any more: what was not announced is not written.
  parent.on('disconnect', () => {
    exit(1);
  });
  await serveLocal(parent, async (description) => {
    return hostRun(parseDescription(description), { env: process.env, version });
  }).catch((error: unknown) => {
    process.stderr.write(`evenkeel: a worker process ends: ${errorMessage(error)}\n`);
    process.exitCode = 1;
  });
  process.disconnect();
}
