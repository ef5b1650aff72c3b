import { placeKey } from '../../locks/place_key.js';
import type { KeptRun } from '../../journal/read/read_run.js';

/**
 * The key of the controller that a name of a run refers to: equal for all names of one controller. In a simulation each name is its own
 * controller, whatever its URL.
 */
export function sitesOf({ header, urls }: Pick<KeptRun, 'header' | 'urls'>): (target: string) => string | undefined {
  return (target) => {
    const url = header.simulated ? undefined : urls.get(target);
    return url === undefined ? undefined : placeKey(url);
  };
}
