// A worker in a process that tests kill or stop. Prints what happens, a line each. usage: node --import tsx worker_process.ts OPTIONS_AS_JSON
import type { Assignment } from '../../../src/model/run/worker_transport.js';
import { openNatsWorker, type NatsWorkerOptions } from '../../../src/workers/nats/worker.js';

const say = (line: string) => process.stdout.write(`${line}\n`);
const given = JSON.parse(process.argv[2] ?? '{}') as NatsWorkerOptions;
let onLost: () => void = () => undefined;
const worker = await openNatsWorker({
  ...given,
  report: (line) => {
    if (line.startsWith('lost the connection')) onLost();
  },
});
say('ready');
await worker.serve({
  begin: () => Promise.resolve(),
  walk,
  onBroadcast: () => undefined,
  end: () => Promise.resolve(),
  signal: new AbortController().signal,
});

async function walk(assignment: Assignment): Promise<void> {
  await assignment.postDurably('begun');
  onLost = () => {
    assignment.post('late');
    setImmediate(() => setImmediate(() => say('kept')));
  };
  const signalled = new Promise<void>((resolve) =>
    process.once('SIGUSR2', () => {
      resolve();
    }),
  );
  say('begun');
  await signalled;
  await assignment.postDurably('intent').then(
    () => say('accepted'),
    (error: unknown) => say(`refused: ${String(error)}`),
  );
  assignment.post('written');
}
