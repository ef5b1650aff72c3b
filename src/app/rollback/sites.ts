import { placeKey } from '../../locks/place_key.js';
import type { KeptRun } from '../../journal/read/read_run.js';

/**
 * What stands for the controller behind a name of a run: the same for all names that led to one. In a rehearsal each name has a
 * controller of its own, whatever its URL.
 */
export function sitesOf({ header, urls }: Pick<KeptRun, 'header' | 'urls'>): (target: string) => string | undefined {
  return (target) => {
    const url = header.simulated ? undefined : urls.get(target);
    return url === undefined ? undefined : placeKey(url);
  };
}
