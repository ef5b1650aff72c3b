import type { PlayStarted } from '../../core/model/run/event.js';
import { oneLine } from '../text/plain.js';
import { grouped } from '../text/words.js';

export function addRoutes(known: Map<string, string>, { routes = {}, controllers }: PlayStarted): void {
  for (const [route, places] of Object.entries(routes))
    for (const place of places) {
      const name = controllers[place];
      if (name !== undefined) known.set(name, route);
    }
}

/** The label of controllers that are reached without a route, in a list of routes. */
export const NO_ROUTE = 'direct';

/** Where controllers with the same trouble are: ` via madrid` or ` via 3 routes`; nothing if they have no route. */
export function inRoutes(routes: ReadonlySet<string>): string {
  const [first, ...others] = routes;
  if (first === undefined) return '';
  return ` via ${others.length === 0 ? oneLine(first) : `${grouped(routes.size)} routes`}`;
}
