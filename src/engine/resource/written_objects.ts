import type { SeenObject } from '../../core/model/run/plan.js';
import { getOrAdd } from '../../core/model/values/groups.js';

/** Whether an object that this run has written to is as the run left it. */
export type Left = 'as left' | 'changed';

/** Instead of a digest. */
const ANY_STATE = -1;
const ABSENT = -2;

/**
 * The states in which a run has left objects. A large run writes to hundreds of thousands of them, so they are stored
 * as numbers.
 */
export class WrittenObjects {
  /** By connection, a flat list of pairs: the number of an object, and the number of its digest. */
  readonly #left = new Map<string, number[]>();
  /** Numbers are shared, because most objects exist on many controllers. */
  readonly #numbers = new Map<string, number>();

  /** @param digest undefined: any state is as the run left it. */
  set(connection: string, seen: SeenObject, digest: string | null | undefined): void {
    const key = seenObjectKey(seen);
    const object = getOrAdd(this.#numbers, key, () => this.#numbers.size);
    const left = getOrAdd(this.#left, connection, () => []);
    const at = indexForObject(left, object);
    left[at] = object;
    left[at + 1] = digest === undefined ? ANY_STATE : digestNumber(digest);
  }

  /** Undefined if the run has not written to the object. */
  compare(connection: string, seen: SeenObject): Left | undefined {
    const object = this.#numbers.get(seenObjectKey(seen));
    const left = this.#left.get(connection);
    if (object === undefined || left === undefined) return undefined;
    const digest = left[indexForObject(left, object) + 1];
    if (digest === undefined) return undefined;
    return digest === ANY_STATE || digest === digestNumber(seen.digest) ? 'as left' : 'changed';
  }
}

/** The index of the object, or the one at which to insert it. */
function indexForObject(left: readonly number[], object: number): number {
  let at = 0;
  while (at < left.length && left[at] !== object) at += 2;
  return at;
}

/** The first 6 of its 12 bytes. */
function digestNumber(digest: string | null): number {
  return digest === null ? ABSENT : Buffer.from(digest, 'base64url').readUIntBE(0, 6);
}

export function seenObjectKey({ path, name }: Pick<SeenObject, 'path' | 'name'>): string {
  return JSON.stringify([path, name ?? null]);
}
