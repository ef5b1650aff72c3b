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

/** What a controller passes before each task, where the coordinator has the barrier and the forks. */
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
    enter: async (position) => {
      if (!lockstep) return DONE;
      ({ round } = await resting(place, () => link.call({ type: 'enter', position })));
      return fork.begin();
    },
    exit: () => {
      if (!lockstep) return;
      forks.ended(() => {
        fork.end();
      });
      link.tell({ type: 'exit' });
    },
    startNew: async () => {
      await resting(place, () => link.call({ type: 'start new' }));
    },
    waitForOthers: () => {
      link.tell({ type: 'wait for others' });
    },
  };
}

/** A walk that waits for others gives its place at the worker to one of them. */
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

/** The coordinator counts who is at work; a walk begins with a fork. */
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
    // A walk that was revoked needs no fork to end.
    void this.link.call({ type: 'take fork' }).then(again, again);
  }

  giveBack(): void {
    if (this.#isEnding) return;
    this.place.giveBack();
    this.link.tell({ type: 'give fork back' });
  }

  /** The fork that is given back then is that of a step in lockstep, whose end says so. */
  ended(end: () => void): void {
    this.#isEnding = true;
    end();
    this.#isEnding = false;
  }
}
