import { type Position, comparePositions } from '../../../model/playbook/step_place.js';
import { asEnded, asHalted, type BatchEnding, type OnceResult, type SharedBatch } from '../../batch/batch_state.js';
import type { Turn } from '../../batch/once.js';
import type { IncludedRun } from '../../task/included_run.js';
import type { ChangesByOthers } from './changes_by_others.js';
import type { Link } from './link.js';
import type { WalkOrder } from '../walk_order.js';
import { includedKey, shareable } from '../known.js';
import { placeText } from '../../../model/source/source.js';

/** The worker's view of the batch of a walk. It learns of the batch's end slightly later than the coordinator. */
export class RemoteBatch implements SharedBatch {
  #ending: BatchEnding;
  readonly #mayReach: Position | undefined;
  #position: Position = [];

  constructor(
    private readonly link: Link,
    batch: Pick<WalkOrder['batch'], 'ending' | 'mayReach'>,
    private readonly changesByOthers: Pick<ChangesByOthers, 'arrive'>,
  ) {
    this.#ending = batch.ending;
    this.#mayReach = batch.mayReach;
  }

  readonly once: SharedBatch['once'] = {
    arrive: (_, position) => {
      this.#position = position;
      this.changesByOthers.arrive(position);
      this.link.tell({ type: 'arrive', position });
    },
    // The coordinator sees the end of each walk.
    leave: () => undefined,
    turn: (_, step, position) => this.#turn(step, position),
  };

  readonly includes: SharedBatch['includes'] = {
    register: async (_, position, runs) => {
      await this.link.call({ type: 'register includes', position, keys: runs.map(keyOf) });
    },
    ordinals: (_, position) => this.link.call({ type: 'order of includes', position }),
  };

  readonly journal: SharedBatch['journal'] = {
    begin: (_, position) => {
      this.link.tell({ type: 'begin', position });
    },
    finishStep: () => {
      this.link.tell({ type: 'finish step' });
    },
    end: () => undefined,
    mayReach: () => this.#mayReach,
    mayFinish: (_, position) => this.#mayReach !== undefined && comparePositions(position, this.#mayReach) <= 0,
  };

  /** Takes over the state of the batch from the coordinator. */
  update(end: BatchEnding): void {
    this.#ending = end;
  }

  get ending(): BatchEnding {
    return this.#ending;
  }

  watch(): void {
    // The coordinator does this.
  }

  end(what: 'batch' | 'play'): void {
    this.#ending = asEnded(this.#ending, what);
    this.link.tell({ type: 'end batch', what });
  }

  halt(reason: string, round: number | undefined): void {
    this.#ending = asHalted(this.#ending, { reason, round });
    this.link.tell({ type: 'halt', reason, round });
  }

  lose(_: string, round: number | undefined): void {
    this.link.tell({ type: 'lose', round });
  }

  clearErrors(): void {
    // The coordinator does this; see `clear`.
  }

  async clear(what: 'errors' | 'facts'): Promise<void> {
    await this.link.call({ type: 'clear', what, position: this.#position });
  }

  async #turn(step: string, position: Position): Promise<Turn<OnceResult>> {
    const turn = await this.link.call({ type: 'turn', step, position });
    if (turn.type === 'share') return turn;
    const done = (result: OnceResult): void => {
      this.link.tell({ type: 'once done', step, position, result: withoutOwn(result) });
    };
    return { type: 'perform', done };
  }
}

function withoutOwn(result: OnceResult): OnceResult {
  return result.type === 'task' ? { type: 'task', end: shareable(result.end) } : result;
}

function keyOf({ included: { title, steps }, layers }: IncludedRun): string {
  const [first] = steps;
  return includedKey(title, first === undefined ? '' : placeText(first.source), layers);
}
