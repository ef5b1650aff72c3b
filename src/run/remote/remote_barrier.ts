import { Fork, type ForkSource } from '../control/forks.js';
import type { Barrier } from '../batch/strategy.js';
import type { Link } from './link.js';

const DONE = Promise.resolve();

/** What a controller passes before each task, where the coordinator has the barrier and the forks. */
export function remoteBarrier(link: Link, lockstep: boolean): Barrier {
  let round: number | undefined;
  const forks = new RemoteForks(link);
  const fork = new Fork(forks);
  return {
    lockstep,
    get round() {
      return round;
    },
    fork,
    enter: async (position) => {
      if (!lockstep) return DONE;
      ({ round } = await link.call({ type: 'enter', position }));
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
      await link.call({ type: 'start new' });
    },
    waitForOthers: () => {
      link.tell({ type: 'wait for others' });
    },
  };
}

/** The coordinator counts who is at work; a walk begins with a fork. */
class RemoteForks implements ForkSource {
  readonly areWanted = false;
  #isEnding = false;

  constructor(private readonly link: Link) {}

  takeFirst(go: () => void): void {
    go();
  }

  takeAgain(go: () => void): void {
    // A walk that was revoked comes to its end: all that it asks for is refused.
    void this.link.call({ type: 'take fork' }).then(go, go);
  }

  giveBack(): void {
    if (!this.#isEnding) this.link.tell({ type: 'give fork back' });
  }

  /** The fork that is given back then is that of a step in lockstep, whose end says so. */
  ended(end: () => void): void {
    this.#isEnding = true;
    end();
    this.#isEnding = false;
  }
}
