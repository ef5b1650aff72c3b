import type { Past, WrittenBefore } from '../../model/run/past.js';

type DigestSeen = Parameters<Past['writtenTo']>[1];

type Writes = readonly WrittenBefore[];

/** The writes that a run has made. */
export interface WritesOfRun {
  /**
   * Before the run was cut off, to a controller.
   *
   * @param controller whose task asks
   */
  before(target: string, digest: DigestSeen, controller: string): Writes | Promise<Writes>;
  /**
   * Writes of earlier attempts at a controller in this run, possibly with those from before the interrupt. Absent:
   * there was no earlier attempt.
   */
  since?(controller: string, target: string, digest: DigestSeen): Writes;
}

/** The writes of a run that a task must not mistake for another client's. */
export class WritesBefore {
  /** By target controller, because many tasks may write to it. */
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
    // The first request may fail because its walk ended. Then ask again.
    const known = await this.#before.get(target)?.catch(() => undefined);
    if (known !== undefined) return known;
    const asking = Promise.resolve(this.writes.before(target, this.digest, controller));
    this.#before.set(target, asking);
    return asking;
  }
}
