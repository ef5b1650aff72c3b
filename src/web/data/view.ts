import { OUTCOMES, type ControllerOutcome, type Page } from '../../reporting/page/format/page.js';
import { matchingColumns, matchingRows, parseQuery } from './query.js';
import { outcomeByCode } from './words.js';

export const VIEW_ORDERS = ['group', 'route', 'outcome', 'name'] as const;
export type ViewOrder = (typeof VIEW_ORDERS)[number];

/** Neighbouring rows with something in common. */
interface Section {
  readonly name: string;
  /** Places of rows in the view. */
  readonly from: number;
  readonly to: number;
}

/** What is shown of a page: the controllers and steps that match a query, in order. */
export interface View {
  readonly page: Page;
  readonly query: string;
  readonly order: ViewOrder;
  /** Controllers, from top to bottom. */
  readonly rows: Uint32Array;
  /** How many of them failed or could not be reached: they come first in every order. */
  readonly lost: number;
  /** The index of each controller in `rows`; -1 if it is not shown. */
  readonly indexByRow: Int32Array;
  /** Steps, from left to right. */
  readonly columns: readonly number[];
  readonly sections: readonly Section[];
}

/** Outcomes that need attention come first. */
const BY_TROUBLE: readonly ControllerOutcome[] = [
  'failed',
  'unreachable',
  'cut off',
  'running',
  'waiting',
  'not started',
  'changed',
  'ok',
];
const TROUBLE = OUTCOMES.map((outcome) => BY_TROUBLE.indexOf(outcome));

/** @param order absent: by outcome if something failed, else by group */
export function createView(page: Page, query: string, chosen?: ViewOrder): View {
  const isAnyLost = LOST.some((lost, code) => lost && page.outcome.includes(code));
  const order = chosen ?? (isAnyLost ? 'outcome' : 'group');
  const terms = parseQuery(query);
  const matching = matchingRows(page, terms);
  const sorted = sortedRows(page, order);
  const rows = terms.length === 0 ? sorted : sorted.filter((row) => matching[row] === 1);
  const indexByRow = new Int32Array(page.controllers.length).fill(-1);
  for (const [index, row] of rows.entries()) indexByRow[row] = index;
  const lost = rows.findIndex((row) => !isLost(page.outcome[row] ?? 0));
  return {
    page,
    query,
    order,
    rows,
    indexByRow,
    lost: lost < 0 ? rows.length : lost,
    columns: matchingColumns(page, terms),
    sections: order === 'name' ? [] : rowSections(page, rows, order),
  };
}

const LOST = OUTCOMES.map((outcome) => outcome === 'failed' || outcome === 'unreachable');

/** @param code of an outcome */
export function isLost(code: number): boolean {
  return LOST[code] === true;
}

/** The state of a cell, as a number. */
export function codeAt({ state, controllers }: Page, row: number, column: number): number {
  return state[column * controllers.length + row] ?? 0;
}

/** First controllers that failed, then by group, by outcome and by name. Sorted in one pass, because a running run needs it often. */
function sortedRows(page: Page, order: ViewOrder): Uint32Array {
  const byName = rowsByName(page);
  const groups = order === 'group' || order === 'route' ? groupOfRows(page, order) : undefined;
  const sections = page.groups.length + page.routes.length + 1;
  const findBucket = (row: number): number => {
    const code = page.outcome[row] ?? 0;
    const section = (isLost(code) ? 0 : sections) + (groups?.[row] ?? 0);
    return section * BY_TROUBLE.length + (order === 'name' ? 0 : (TROUBLE[code] ?? 0));
  };
  const ends = new Uint32Array(2 * sections * BY_TROUBLE.length + 1);
  for (let row = 0; row < byName.length; row++) ends[findBucket(row) + 1] = (ends[findBucket(row) + 1] ?? 0) + 1;
  for (let at = 1; at < ends.length; at++) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0);
  const sorted = new Uint32Array(byName.length);
  for (const row of byName) {
    const bucket = findBucket(row);
    const place = ends[bucket] ?? 0;
    sorted[place] = row;
    ends[bucket] = place + 1;
  }
  return sorted;
}

const named = new WeakMap<readonly string[], Uint32Array>();

/** In the order in which people count: `lb2` before `lb10`. */
function rowsByName({ controllers }: Page): Uint32Array {
  const known = named.get(controllers);
  if (known !== undefined) return known;
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sorted = [...controllers.entries()].sort(([, a], [, b]) => compare(a, b));
  const rows = Uint32Array.from(sorted, ([row]) => row);
  named.set(controllers, rows);
  return rows;
}

const smallest = new WeakMap<Page['groups'], Uint32Array>();

/** The index of each controller's route, or of its smallest group: groups contain groups, and the smallest one says most. */
function groupOfRows(page: Page, by: 'group' | 'route'): Uint32Array {
  const { controllers } = page;
  const groups = by === 'route' ? page.routes : page.groups;
  const known = smallest.get(groups);
  if (known?.length === controllers.length) return known;
  const found = new Uint32Array(controllers.length).fill(groups.length);
  const bySize = [...groups.entries()].sort(([, a], [, b]) => b.controllers.length - a.controllers.length);
  for (const [index, group] of bySize) for (const row of group.controllers) found[row] = index;
  smallest.set(groups, found);
  return found;
}

/** Undefined: it has none. */
export function rowRoute(page: Page, row: number): string | undefined {
  return page.routes[groupOfRows(page, 'route')[row] ?? -1]?.name;
}

/** How many of these controllers are in each route. */
export function countRoutes(page: Page, rows: readonly number[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of page.routes.length === 0 ? [] : rows) {
    const route = rowRoute(page, row);
    if (route !== undefined) counts.set(route, (counts.get(route) ?? 0) + 1);
  }
  return counts;
}

function rowSections(page: Page, rows: Uint32Array, order: 'group' | 'route' | 'outcome'): readonly Section[] {
  const keys = order === 'outcome' ? page.outcome : groupOfRows(page, order);
  const nameAt = (row: number): string => {
    if (order === 'outcome') return outcomeByCode(page.outcome[row]);
    return (order === 'route' ? page.routes : page.groups)[keys[row] ?? -1]?.name ?? '';
  };
  const sections: Section[] = [];
  for (let from = 0; from < rows.length;) {
    const first = rows[from] ?? 0;
    let to = from + 1;
    while (to < rows.length && keys[rows[to] ?? 0] === keys[first]) to++;
    sections.push({ name: nameAt(first), from, to });
    from = to;
  }
  return sections;
}

/** How many different controllers the groups have. */
export function distinctRows({ controllers }: Page, groups: readonly { readonly rows: readonly number[] }[]): number {
  const found = new Uint8Array(controllers.length);
  let count = 0;
  for (const { rows } of groups)
    for (const row of rows) {
      count += 1 - (found[row] ?? 0);
      found[row] = 1;
    }
  return count;
}

/** How many of the controllers ended in each way. */
export function outcomeCounts(page: Page): Readonly<Record<ControllerOutcome, number>> {
  const counts = new Uint32Array(OUTCOMES.length);
  for (const code of page.outcome) counts[code] = (counts[code] ?? 0) + 1;
  const entry = (outcome: ControllerOutcome): number => counts[OUTCOMES.indexOf(outcome)] ?? 0;
  return {
    ok: entry('ok'),
    changed: entry('changed'),
    failed: entry('failed'),
    unreachable: entry('unreachable'),
    'cut off': entry('cut off'),
    'not started': entry('not started'),
    running: entry('running'),
    waiting: entry('waiting'),
  };
}
