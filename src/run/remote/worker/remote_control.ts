import { once } from 'node:events';
import type { RunControl } from '../../control/run_control.js';
import type { StopSignals } from '../../control/stop_signals.js';
import type { Link } from './link.js';

/** Decisions for a walk by the user of the coordinator and by walks of other processes. */
interface Decided {
  /** Tasks may use controllers of other walks. */
  readonly usesOtherControllers: boolean;
  readonly confirms: boolean;
  readonly stopSignals: StopSignals;
}

/** Decides when tasks may start, together with walks of other processes. */
export function remoteControl(
  link: Link,
  own: RunControl,
  { usesOtherControllers, confirms, stopSignals }: Decided,
): RunControl {
  return {
    ...own,
    stopSignals,
    locks: {
      hold: async (place, mode, rest, work) => {
        if (!usesOtherControllers) return own.locks.hold(place, mode, rest, work);
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
      // The stop of the run arrives in another message, possibly later. Until then, the task must not count as
      // declined.
      if (answer === 'stopped' && !stopped.aborted) await once(stopped, 'abort');
      return answer === 'run';
    },
  };
}
