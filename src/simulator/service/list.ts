import type { Behaviour } from '../behaviour/behaviour.js';
import {
  type JsonObject,
  requestRejected,
  type SimulatedJson,
  type SimulatedRequest,
  textOrEmpty,
} from '../protocol/exchange.js';
import { isVisible, type StoreTurn } from './object_store.js';
import { rendered } from './references.js';

const PAGE_SIZE = 25;

interface SimulatedPage extends JsonObject {
  readonly count: number;
  readonly results: readonly JsonObject[];
}

/** GET of a collection: filtered, in pages, as the tenant sees it. */
export function answerPage(kind: string, turn: StoreTurn): SimulatedPage {
  const { request, store, behaviour, view } = turn;
  const visible = store.read(kind).filter((object) => isVisible(kind, object, view));
  const matching = visible.filter((object) => matches(kind, object, turn));
  const page = parsePage(turn);
  const first = (page.number - 1) * page.size;
  if (page.number > 1 && first >= matching.length) throw requestRejected(404, 'Invalid page.');
  const count = Math.max(0, matching.length + (behaviour.count ?? 0));
  const results = matching.slice(first, first + page.size).map((object) => shown(kind, object, turn));
  if (first + page.size >= matching.length) return { count, results };
  const next = nextPage(page.number, request, behaviour.paging?.next);
  return next === undefined ? { count, results } : { count, results, next };
}

/** An object as a GET shows it. */
export function shown(kind: string, object: JsonObject, turn: StoreTurn): JsonObject {
  const whole = rendered(kind, object, asksForNames(turn), turn);
  const fields = turn.request.query.get('fields');
  if (fields === null) return whole;
  const wanted = new Set(['name', 'uuid', 'url', ...fields.split(',')]);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name)));
}

export function asksForNames({ request, dialect }: StoreTurn): boolean {
  const { nameParameter } = dialect.references ?? {};
  return nameParameter !== undefined && request.query.has(nameParameter);
}

function parsePage({ request: { query }, dialect: { paging }, behaviour }: StoreTurn) {
  const { sizeParameter = 'page_size', most = Infinity } = paging ?? {};
  const fallback = behaviour.paging?.size ?? (paging === undefined ? Number.MAX_SAFE_INTEGER : PAGE_SIZE);
  const size = Number(query.get(sizeParameter) ?? fallback);
  const number = Number(query.get('page') ?? 1);
  if (!(size >= 1 && size <= most)) throw requestRejected(400, `${sizeParameter} must be from 1 to ${most}.`);
  if (!Number.isInteger(number) || number < 1) throw requestRejected(400, 'page must be a number from 1.');
  return { size, number };
}

/** Whether an object passes all filters of the query. Parameters that name no field are ignored. */
function matches(kind: string, object: JsonObject, { request, store, behaviour }: StoreTurn): boolean {
  return [...request.query].every(([key, wanted]) => {
    const [, field = '', test = ''] = /^([^.]+)(?:\.(\w+))?$/.exec(key) ?? [];
    const value = object[field];
    if (field === 'name' && test === '') return passes(value, wanted, NAME_FILTERS[behaviour.filter ?? 'exact']);
    if (value === undefined) return store.kind(kind)?.structure.fields.has(field) !== true;
    if (test === 'name' || test === 'uuid') {
      const targets = [value].flat().map((reference) => store.at(textOrEmpty(reference))?.[test]);
      return targets.includes(wanted);
    }
    return passes(value, wanted, test === '' ? equalIgnoringForm : FILTERS.get(test));
  });
}

type Filter = (value: string, wanted: string) => boolean;

/** How a list is filtered by name. */
const NAME_FILTERS: Readonly<Record<NonNullable<Behaviour['filter']>, Filter>> = {
  exact: (value, wanted) => value === wanted,
  substring: (value, wanted) => value.includes(wanted),
  'case-insensitive': (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
  ignored: () => true,
};

const FILTERS: ReadonlyMap<string, Filter> = new Map([
  ['contains', NAME_FILTERS.substring],
  ['icontains', (value, wanted) => value.toLowerCase().includes(wanted.toLowerCase())],
  ['in', (value, wanted) => wanted.split(',').includes(value)],
]);

/** `true` in a query is the boolean, and a reference may be given by its uuid. */
const equalIgnoringForm: Filter = (value, wanted) => value === wanted || value.endsWith(`/${wanted}`);

function passes(value: SimulatedJson | undefined, wanted: string, filter: Filter | undefined): boolean {
  if (filter === undefined) return true;
  return typeof value !== 'object' && value !== undefined && filter(String(value), wanted);
}

function nextPage(
  page: number,
  request: SimulatedRequest,
  next: NonNullable<Behaviour['paging']>['next'] = 'absolute',
): string | undefined {
  const { path, base } = request;
  const query = new URLSearchParams(request.query);
  query.set('page', String(next === 'loop' ? page : page + 1));
  switch (next) {
    case 'absolute':
    case 'loop':
      return `${base}${path}?${query.toString()}`;
    case 'relative':
      return `${new URL(base).pathname.replace(/\/$/, '')}${path}?${query.toString()}`;
    case 'foreign':
      return `https://elsewhere.invalid${path}?${query.toString()}`;
    case 'missing':
      return undefined;
  }
}
