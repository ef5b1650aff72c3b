import type { Event } from '../../core/model/run/event.js';
import { oneLine } from '../text/plain.js';
import { grouped } from '../text/words.js';

/** The route of each controller: a fold over the events of a run. Empty if no controller has one. */
export class RouteLog {
  readonly #routes = new Map<string, string>();

  handle(event: Event): void {
    if (event.type !== 'play-started') return;
    for (const [route, places] of Object.entries(event.routes ?? {}))
      for (const place of places) {
        const name = event.controllers[place];
        if (name !== undefined) this.#routes.set(name, route);
      }
  }

  /** By controller. */
  get all(): ReadonlyMap<string, string> {
    return this.#routes;
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
