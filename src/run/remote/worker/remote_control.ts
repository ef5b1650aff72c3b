import type { RunControl } from '../../control/run_control.js';
import type { Link } from './link.js';

/** What decides when tasks may start, where walks of other processes have a say in it. */
export function remoteControl(link: Link, own: RunControl, visits: boolean): RunControl {
  return {
    ...own,
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
    confirmation: undefined,
  };
}
