import type { Fault, When } from './fault.js';
import type { SimulatedRequest } from '../protocol/request.js';

/** Picks the faults that hit a request; counts the matching requests of each, from the moment the behaviour was set. */
export class FaultPicker {
  readonly #faults: readonly Fault[];
  readonly #seen: number[];

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
    this.#seen = faults.map(() => 0);
  }

  pick(request: Pick<SimulatedRequest, 'method' | 'path'>): readonly Fault[] {
    return this.#faults.filter((fault, index) => {
      const { when } = fault;
      if (when === undefined) return true;
      if (!matches(when, request)) return false;
      const seen = (this.#seen[index] ?? 0) + 1;
      this.#seen[index] = seen;
      return isTurn(when, seen);
    });
  }
}

function matches(when: When, request: Pick<SimulatedRequest, 'method' | 'path'>): boolean {
  if (when.method !== undefined && when.method.toUpperCase() !== request.method) return false;
  if (when.path === undefined) return true;
  return when.path.endsWith('*') ? request.path.startsWith(when.path.slice(0, -1)) : request.path === when.path;
}

/** `seen` counts from 1. */
function isTurn(when: When, seen: number): boolean {
  if (when.nth !== undefined && seen !== when.nth) return false;
  if (when.first !== undefined && seen > when.first) return false;
  return when.after === undefined || seen > when.after;
}
