import { compareControllers, isEqualEverywhere, type ObjectComparison } from '../../capture/compare.js';
import type { RunPorts } from '../load/ports.js';
import type { NotPermitted } from '../run/permission.js';
import { readFleet, type Fleet, type FleetOptions } from './read_fleet.js';

export interface FleetComparison extends Pick<Fleet, 'kinds' | 'unread' | 'interrupted'> {
  /** The controllers that were compared. */
  readonly controllers: readonly string[];
  readonly objects: readonly ObjectComparison[];
  readonly isEqual: boolean;
}

export type ComparisonOutcome = { readonly status: 'compared'; readonly comparison: FleetComparison } | NotPermitted;

/** Reads all selected controllers and compares them with each other. Secrets that controllers show are compared, never shown. */
export async function compareFleet(options: FleetOptions, ports: RunPorts): Promise<ComparisonOutcome> {
  const numbers = new Map<string, number>();
  const hide = (secret: string): string => {
    const number = numbers.get(secret) ?? numbers.size + 1;
    numbers.set(secret, number);
    return `‹secret ${number}›`;
  };
  const outcome = await readFleet(options, ports, { all: false, hide, declarable: false });
  if (outcome.status !== 'read') return outcome;
  const { kinds, table, controllers, unread, interrupted } = outcome.fleet;
  const objects = compareControllers(controllers, table);
  const comparison = {
    ...{ kinds, unread, interrupted, objects },
    controllers: controllers.map(({ name }) => name),
    isEqual: objects.every(isEqualEverywhere),
  };
  return { status: 'compared', comparison };
}
