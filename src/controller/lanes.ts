import type { ConnectionSettings } from '../model/inventory/connection.js';
import { Lane, type LaneEnds } from './lane.js';
import type { RetryPolicy } from './policy.js';

/** One lane for each controller (URL), kept for the whole run: what a controller asked for outlasts a connection. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  constructor(
    private readonly policy: RetryPolicy,
    private readonly ends: LaneEnds,
  ) {}

  to(settings: ConnectionSettings): Lane {
    const lane = this.#lanes.get(settings.url) ?? new Lane(this.policy, this.ends);
    this.#lanes.set(settings.url, lane);
    lane.restrict(settings);
    return lane;
  }
}
