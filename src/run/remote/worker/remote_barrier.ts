import { Fork, type ForkSource } from '../../control/forks.js';
import type { Barrier } from '../../batch/strategy.js';
import type { WalkPlace } from '../../../model/run/worker_transport.js';
import type { Link } from './link.js';

const NO_LIMIT: WalkPlace = {
  giveBack: () => undefined,
  takeAgain: (go) => {
    go();
  },
};

const DONE = Promise.resolve();

/** The barrier before each task of a controller. The coordinator has the real barrier and the forks. */
export function remoteBarrier(link: Link, lockstep: boolean, place: WalkPlace = NO_LIMIT): Barrier {
  let round: number | undefined;
  const forks = new RemoteForks(link, place);
  const fork = new Fork(forks);
  return {
    lockstep,
    get round() {
      return round;
    },
    fork,
    beginStep: async (position) => {
      if (!lockstep) return DONE;
      ({ round } = await resting(place, () => link.call({ type: 'begin step', position })));
      return fork.begin();
    },
    endStep: () => {
      if (!lockstep) return;
      forks.ended(() => {
        fork.end();
      });
      link.tell({ type: 'end step' });
    },
    startNew: async () => {
      await resting(place, () => link.call({ type: 'start new' }));
    },
    waitForOthers: () => {
      link.tell({ type: 'wait for others' });
    },
  };
}

/** Gives the walk's place at the worker to another walk while it waits for others. */
async function resting<T>(place: WalkPlace, wait: () => Promise<T>): Promise<T> {
  place.giveBack();
  try {
    return await wait();
  } finally {
    await new Promise<void>((resolve) => {
      place.takeAgain(resolve);
    });
  }
}

/** Forwards forks to the coordinator. A walk begins with a fork. */
class RemoteForks implements ForkSource {
  readonly areWanted = false;
  #isEnding = false;

  constructor(
    private readonly link: Link,
    private readonly place: WalkPlace,
  ) {}

  takeFirst(go: () => void): void {
    go();
  }

  takeAgain(go: () => void): void {
    const again = (): void => {
      this.place.takeAgain(go);
    };
    // A revoked walk needs no fork to end.
    void this.link.call({ type: 'take fork' }).then(again, again);
  }

  giveBack(): void {
    if (this.#isEnding) return;
    this.place.giveBack();
    this.link.tell({ type: 'give fork back' });
  }

  /**
   * A fork that is given back during `end` belongs to a step in lockstep, and the message about its end gives it back.
   */
  ended(end: () => void): void {
    this.#isEnding = true;
    end();
    this.#isEnding = false;
  }
}
