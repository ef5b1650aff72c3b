import type { Event } from '../../model/run/event.js';
import { oneLine } from '../text/plain.js';
import { grouped } from '../text/words.js';

/** The site of each controller: a fold over the events of a run. Empty if no site's workers take part. */
export class SiteLog {
  readonly #sites = new Map<string, string>();

  handle(event: Event): void {
    if (event.type !== 'play-started') return;
    for (const [site, places] of Object.entries(event.sites ?? {}))
      for (const place of places) {
        const name = event.controllers[place];
        if (name !== undefined) this.#sites.set(name, site);
      }
  }

  /** By controller. */
  get all(): ReadonlyMap<string, string> {
    return this.#sites;
  }
}

/** The label of controllers without a site in a list of sites. */
export const NO_SITE = 'no site';

/** Where controllers with the same trouble are: ` in madrid` or ` in 3 sites`; nothing if they have no site. */
export function inSites(sites: ReadonlySet<string>): string {
  const [first, ...others] = sites;
  if (first === undefined) return '';
  return ` in ${others.length === 0 ? oneLine(first) : `${grouped(sites.size)} sites`}`;
}
