import type { Behaviour } from '../behaviour/behaviour.js';
import type { SimulatedRequest } from '../protocol/exchange.js';
import type { JsonObject } from '../protocol/json.js';

type Filter = NonNullable<Behaviour['filter']>;

/** The list result of the API document, 2.2; filtered, cut into pages and counted as the behaviour says. */
export function listAnswer(
  path: string,
  objects: readonly JsonObject[],
  request: SimulatedRequest,
  behaviour: Behaviour,
): JsonObject {
  const name = request.query.get('name');
  const passes = NAME_FILTERS[behaviour.filter ?? 'exact'];
  const matching =
    name === null ? objects : objects.filter((one) => typeof one['name'] === 'string' && passes(one['name'], name));
  const count = Math.max(0, matching.length + (behaviour.count ?? 0));
  const { paging } = behaviour;
  if (paging === undefined) return { count, results: matching };
  const page = Math.max(1, Number.parseInt(request.query.get('page') ?? '1', 10) || 1);
  const results = matching.slice((page - 1) * paging.size, page * paging.size);
  const next = page * paging.size < matching.length ? nextPage(path, page, request, paging.next) : undefined;
  return next === undefined ? { count, results } : { count, results, next };
}

/** How a list is filtered by name. */
export const NAME_FILTERS: Readonly<Record<Filter, (value: string, wanted: string) => boolean>> = {
  exact: (value, wanted) => value === wanted,
  substring: (value, wanted) => value.includes(wanted),
  'case-insensitive': (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  ignored: () => true,
};

export function nextPage(
  path: string,
  page: number,
  request: SimulatedRequest,
  next: NonNullable<Behaviour['paging']>['next'] = 'absolute',
): string | undefined {
  const query = new URLSearchParams(request.query);
  query.set('page', String(next === 'loop' ? page : page + 1));
  switch (next) {
    case 'absolute':
    case 'loop':
      return `${request.base}${path}?${query.toString()}`;
    case 'relative':
      return `${new URL(request.base).pathname.replace(/\/$/, '')}${path}?${query.toString()}`;
    case 'foreign':
      return `https://elsewhere.invalid${path}?${query.toString()}`;
    case 'missing':
      return undefined;
  }
}
