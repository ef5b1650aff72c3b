import { once } from 'node:events';
import type { RunControl } from '../../control/run_control.js';
import type { StopSignals } from '../../control/stop_signals.js';
import type { Link } from './link.js';

/** What walks of other processes and the user of the coordinator decide for a walk. */
interface Decided {
  /** Tasks may lead to controllers of other walks. */
  readonly visits: boolean;
  readonly confirms: boolean;
  readonly stopSignals: StopSignals;
}

/** What decides when tasks may start, where walks of other processes have a say in it. */
export function remoteControl(link: Link, own: RunControl, { visits, confirms, stopSignals }: Decided): RunControl {
  return {
    ...own,
    stopSignals,
    locks: {
      hold: async (place, mode, rest, work) => {
        if (!visits) return own.locks.hold(place, mode, rest, work);
        await rest(() => link.call({ type: 'lock', place, mode }));
        try {
          return await work();
        } finally {
          link.tell({ type: 'unlock', place });
        }
      },
    },
    throttles: {
      through: async (task, limit, rest, work) => {
        if (limit <= 0) return work();
        await rest(() => link.call({ type: 'throttle', task, limit }));
        try {
          return await work();
        } finally {
          link.tell({ type: 'leave throttle', task });
        }
      },
    },
    savedFiles: { owner: (file) => link.call({ type: 'file owner', file }) },
    confirmation: confirms ? remoteConfirmation(link, stopSignals) : undefined,
  };
}

function remoteConfirmation(link: Link, stopSignals: StopSignals): NonNullable<RunControl['confirmation']> {
  return {
    confirm: async (step, position, title) => {
      const answer = await link.call({ type: 'confirm', step, position, title });
      const stopped = stopSignals.signal(false);
      // That the run stops is told to the worker in another message, which may be later. The task must not count as declined.
      if (answer === 'stopped' && !stopped.aborted) await once(stopped, 'abort');
      return answer === 'run';
    },
  };
}
