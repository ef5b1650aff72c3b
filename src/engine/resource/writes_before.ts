import type { Past, WrittenBefore } from '../../core/model/run/past.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { comparable } from '../../module/comparison/comparison.js';
import type { Connection } from '../controllers/session_pool.js';
import type { IdentifiedObject } from './observation.js';
import { isAsIntended, type Left, leftBefore, mayBeWritten, type WrittenObjects } from './written_objects.js';

/** The writes of a resumed run from before the interrupt. A task must not mistake them for another client's. */
export class WritesBeforeInterrupt {
  /** By controller, because many tasks may write to it. */
  readonly #writes = new Map<string, readonly WrittenBefore[]>();
  /** What they left, by user and tenant. */
  readonly #left = new Map<string, WrittenObjects>();

  constructor(
    private readonly past: Pick<Past, 'writtenTo'> | undefined,
    private readonly digest: (value: Value) => string,
  ) {}

  /**
   * Like `WrittenObjects.compare`. A write of unknown outcome is resolved by its task. Until then, others write to the object only if it is
   * as it was before, or as that write was to leave it.
   */
  compare(
    connection: Connection | undefined,
    seen: IdentifiedObject,
    known: string | null | undefined,
    writes: boolean,
  ): Left | undefined {
    if (connection === undefined) return undefined;
    const written = this.#to(connection);
    const key = JSON.stringify([connection.reached.account, connection.settings.tenant ?? null]);
    const left = getOrAdd(this.#left, key, () => leftBefore(written, connection)).compare('', seen, known);
    if (left === 'as left' || (left === undefined && known === seen.digest)) return left;
    const unknown = written.filter((write) => write.outcome === 'unknown' && mayBeWritten(write, seen, connection));
    return unknown.some((write) => !writes || isAsIntended(write, seen)) ? 'as left' : left;
  }

  /** Whether a task of another host may have written the object. */
  isOther(
    { controller, connection }: { readonly controller: string; readonly connection: Connection | undefined },
    seen: IdentifiedObject | undefined,
  ): boolean {
    if (connection === undefined || seen === undefined) return false;
    return this.#to(connection).some(
      (write) =>
        write.controller !== controller && write.outcome !== 'refused' && mayBeWritten(write, seen, connection),
    );
  }

  #to({ reached: { controller } }: Connection): readonly WrittenBefore[] {
    const { past } = this;
    if (past === undefined) return [];
    const digest = (seen: Mapping): string => this.digest(comparable(seen));
    return getOrAdd(this.#writes, controller, () => past.writtenTo(controller, digest));
  }
}
