import type { JsonObject } from '../protocol/json.js';

const READY_AFTER = 1000;

/** Clouds need some time until they can be used. Those of earlier runs are ready. */
export class CloudStates {
  readonly #readyAt = new Map<string, number>();

  created(uuid: string, readyAfter = READY_AFTER): void {
    this.#readyAt.set(uuid, Date.now() + readyAfter);
  }

  status(uuid: string): JsonObject {
    const isReady = Date.now() >= (this.#readyAt.get(uuid) ?? 0);
    const state = isReady ? 'CLOUD_STATE_PLACEMENT_READY' : 'CLOUD_STATE_IN_PROGRESS';
    return { uuid, state, reason: isReady ? '' : 'Waiting for the cloud to be configured' };
  }
}
