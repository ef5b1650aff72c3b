import { getOrAdd } from '../../core/model/values/groups.js';
import { grouped } from '../text/words.js';
import type { PlayProgress } from './progress.js';
import { NO_ROUTE } from './routes.js';

/** How far the controllers behind a route are in a play. */
export interface RouteProgress {
  readonly name: string;
  total: number;
  finished: number;
  active: number;
  failed: number;
  unreachable: number;
}

/** One entry for each route, and one for controllers without a route. Empty unless controllers are reached in several ways. */
export function routeProgress(progress: PlayProgress): readonly RouteProgress[] {
  const { routes } = progress;
  if (routes.size === 0) return [];
  const found = new Map<string, RouteProgress>();
  for (const [controller, name] of routes) {
    const route = getOrAdd(found, name, () => ({ name, total: 0, finished: 0, active: 0, failed: 0, unreachable: 0 }));
    const { state, outcome } = progress.controller(controller);
    route.total++;
    if (state === 'finished') route.finished++;
    if (state === 'finished' && outcome === 'failed') route.failed++;
    if (state === 'finished' && outcome === 'unreachable') route.unreachable++;
    if (state === 'active') route.active++;
  }
  const all = [...found.values()];
  if (routes.size < progress.total) all.push(withoutRoute(progress, all));
  return all.length > 1 ? all : [];
}

function withoutRoute(
  { total, finished, active, outcomes: { failed, unreachable } }: PlayProgress,
  routes: readonly RouteProgress[],
): RouteProgress {
  const rest = { name: NO_ROUTE, total, finished, active, failed, unreachable };
  for (const route of routes)
    for (const field of ['total', 'finished', 'active', 'failed', 'unreachable'] as const) rest[field] -= route[field];
  return rest;
}

/** `80 of 200`, `2 failed`, `1 unreachable`. */
export function routeCounts({ finished, total, failed, unreachable }: RouteProgress): readonly string[] {
  return [
    `${grouped(finished)} of ${grouped(total)}`,
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(unreachable > 0 ? [`${grouped(unreachable)} unreachable`] : []),
  ];
}
