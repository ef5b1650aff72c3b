// The measured programs' other side, in a process of its own: `fork` it with the number of controllers, and the latency in ms.
import { Simulator } from '../src/simulator/simulator.js';
import { SYSTEM_CONFIGURATION } from '../src/simulator/state/controller_state.js';

/** Sent when all controllers are listening. */
export interface Ready {
  readonly type: 'ready';
  readonly ca: string;
  readonly urls: readonly string[];
}

/** Sent in answer to `reset`: requests since the last one, by method. */
export interface Counted {
  readonly type: 'counted';
  readonly requests: Readonly<Record<string, number>>;
}

const simulator = await Simulator.start();
const names = Array.from({ length: Number(process.argv[2]) }, (_, index) => `lb${index + 1}`);
const urls: string[] = [];
for (const name of names) urls.push((await simulator.startController(name)).url);
const controllers = names.map((name) => simulator.controller(name));
for (const controller of controllers) controller.behaviour = { latency: Number(process.argv[3]) };
const fresh = controllers.map((controller) => controller.object(SYSTEM_CONFIGURATION));

function count(): Counted {
  const requests: Record<string, number> = {};
  for (const controller of controllers) {
    for (const { method } of controller.requests) requests[method] = (requests[method] ?? 0) + 1;
    controller.clearRequests();
  }
  return { type: 'counted', requests };
}

function forget(): void {
  for (const [index, controller] of controllers.entries()) {
    controller.setObjects('/api/cloud/', []);
    controller.setObject(SYSTEM_CONFIGURATION, fresh[index] ?? {});
  }
}

process.on('message', (message: 'count' | 'reset') => {
  process.send?.(count());
  if (message === 'reset') forget();
});
process.on('disconnect', () => void simulator.close());
process.send?.({ type: 'ready', ca: simulator.ca, urls } satisfies Ready);
