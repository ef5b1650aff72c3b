import type { Past, WrittenBefore } from '../../model/run/past.js';

type DigestSeen = Parameters<Past['writtenTo']>[1];

type Writes = readonly WrittenBefore[];

/** Who knows what a run has written. */
export interface WritesOfRun {
  /**
   * Before the run was cut off, to a controller.
   *
   * @param controller whose task wants to know
   */
  before(target: string, digest: DigestSeen, controller: string): Writes | Promise<Writes>;
  /**
   * What earlier attempts at a controller have written in this run; what was written before may be among it. Absent: there was no earlier
   * attempt.
   */
  since?(controller: string, target: string, digest: DigestSeen): Writes;
}

/** The writes of a run that a task must not take for those of somebody else. */
export class WritesBefore {
  /** By controller that was written to: many tasks may lead to it. */
  readonly #before = new Map<string, Promise<Writes>>();

  constructor(
    private readonly writes: WritesOfRun,
    private readonly digest: DigestSeen,
  ) {}

  /**
   * From before the run was cut off, or by an attempt that was lost; in their order.
   *
   * @param place whose task it is, and the controller that it leads to
   */
  async to({ controller, target }: { readonly controller: string; readonly target: string }): Promise<Writes> {
    const before = await this.#beforeTo(target, controller);
    const last = before.at(-1)?.write ?? 0;
    const since = this.writes.since?.(controller, target, this.digest) ?? [];
    return [...before, ...since.filter(({ write }) => write > last)];
  }

  async #beforeTo(target: string, controller: string): Promise<Writes> {
    // The walk that asked may be over: then this one asks.
    const known = await this.#before.get(target)?.catch(() => undefined);
    if (known !== undefined) return known;
    const asking = Promise.resolve(this.writes.before(target, this.digest, controller));
    this.#before.set(target, asking);
    return asking;
  }
}
