import { hash } from 'node:crypto';

/** One of the parts of a fleet that machines share: `--shard 2/4`. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** `2/4` */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/**
 * The index of the shard that a controller belongs to. Its name alone decides: machines agree without a message, also
 * if they read the inventory at different times, and a limit, an order or another controller moves nothing.
 */
export function shardIndex(controller: string, count: number): number {
  return (hash('sha256', controller, 'buffer').readUIntBE(0, BYTES) % count) + 1;
}

export function isInShard(controller: string, { index, count }: Shard): boolean {
  return shardIndex(controller, count) === index;
}

/** The most that a number holds exactly. */
const BYTES = 6;
