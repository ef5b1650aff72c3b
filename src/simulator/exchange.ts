import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { SimulatedController } from './controller.js';
import { statusOf } from './delivery.js';
import { deliver, receive } from './wire.js';

/** One request over HTTP, from its first byte to the last of its answer. Throws when the client or the simulator goes away. */
export async function exchange(
  controller: SimulatedController,
  incoming: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const request = await receive(incoming, controller.prefix);
  await controller.watch?.('received', request);
  const { latency, decide } = controller.take(request);
  if (latency > 0) await pause(latency, undefined, { signal });
  const delivery = decide();
  controller.log.add(request, statusOf(delivery));
  await controller.watch?.('carried out', request);
  await deliver(delivery, response, signal);
  await controller.watch?.('answered', request);
}
