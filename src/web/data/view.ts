import { OUTCOMES, type ControllerOutcome, type Page } from '../../reporting/page/format/page.js';
import { matchingColumns, matchingRows, parseQuery } from './query.js';
import { outcomeByCode } from './words.js';

export const ORDERS = ['group', 'route', 'outcome', 'name'] as const;
export type ViewOrder = (typeof ORDERS)[number];

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
  /** The place of each controller in `rows`; -1 if it is not shown. */
  readonly placeOf: Int32Array;
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
  'not started',
  'changed',
  'ok',
];
const TROUBLE = OUTCOMES.map((outcome) => BY_TROUBLE.indexOf(outcome));

/** @param order absent: by outcome if something failed, else by group */
export function createView(page: Page, query: string, chosen?: ViewOrder): View {
  const order = chosen ?? (page.outcome.some(isLost) ? 'outcome' : 'group');
  const terms = parseQuery(query);
  const matching = matchingRows(page, terms);
  const rows = sortedRows(page, order).filter((row) => matching[row] === 1);
  const placeOf = new Int32Array(page.controllers.length).fill(-1);
  for (let place = 0; place < rows.length; place++) placeOf[rows[place] ?? 0] = place;
  const lost = rows.findIndex((row) => !isLost(page.outcome[row] ?? 0));
  return {
    ...{ page, query, order, rows, placeOf },
    lost: lost < 0 ? rows.length : lost,
    columns: matchingColumns(page, terms),
    sections: order === 'name' ? [] : rowSections(page, rows, order),
  };
}

const LOST = ['failed', 'unreachable'].map((outcome) => OUTCOMES.findIndex((one) => one === outcome));

function isLost(code: number): boolean {
  return LOST.includes(code);
}

/** The state of a cell, as a number. */
export function codeAt({ state, controllers }: Page, row: number, column: number): number {
  return state[column * controllers.length + row] ?? 0;
}

/** The sorted rows of the last page, by order, so that a search need not sort them again. */
let sorted: { readonly page: Page; readonly rows: Map<ViewOrder, Uint32Array> } | undefined;

function sortedRows(page: Page, order: ViewOrder): Uint32Array {
  if (sorted?.page !== page) sorted = { page, rows: new Map() };
  let rows = sorted.rows.get(order);
  if (rows === undefined) {
    const keys = sortKeys(page, order);
    rows = Uint32Array.from(page.controllers.keys()).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
    sorted.rows.set(order, rows);
  }
  return rows;
}

/** One number per controller, by which it is sorted: first those that failed, then by group, by outcome and by name. */
function sortKeys(page: Page, order: ViewOrder): Float64Array {
  const total = page.controllers.length;
  const names = nameRanks(page);
  const groups = order === 'group' || order === 'route' ? groupOfRows(page, order) : undefined;
  const sections = page.groups.length + page.routes.length + 1;
  return Float64Array.from(page.controllers.keys(), (row) => {
    const trouble = order === 'name' ? 0 : (TROUBLE[page.outcome[row] ?? 0] ?? 0);
    const group = (isLost(page.outcome[row] ?? 0) ? 0 : sections) + (groups?.[row] ?? 0);
    return (group * BY_TROUBLE.length + trouble) * total + (names[row] ?? 0);
  });
}

const ranks = new WeakMap<readonly string[], Uint32Array>();

/** In the order in which people count: `lb2` before `lb10`. */
function nameRanks({ controllers }: Page): Uint32Array {
  const known = ranks.get(controllers);
  if (known !== undefined) return known;
  const { compare } = new Intl.Collator('en', { numeric: true });
  const found = new Uint32Array(controllers.length);
  const sorted = [...controllers.entries()].sort(([, a], [, b]) => compare(a, b));
  for (const [rank, [row]] of sorted.entries()) found[row] = rank;
  ranks.set(controllers, found);
  return found;
}

const smallest = { group: new WeakMap<Page, Uint32Array>(), route: new WeakMap<Page, Uint32Array>() };

/** The index of each controller's route, or of its smallest group: groups contain groups, and the smallest one says most. */
function groupOfRows(page: Page, by: 'group' | 'route'): Uint32Array {
  const known = smallest[by].get(page);
  if (known !== undefined) return known;
  const { controllers } = page;
  const groups = by === 'route' ? page.routes : page.groups;
  const found = new Uint32Array(controllers.length).fill(groups.length);
  const bySize = [...groups.entries()].sort(([, a], [, b]) => b.controllers.length - a.controllers.length);
  for (const [index, group] of bySize) for (const row of group.controllers) found[row] = index;
  smallest[by].set(page, found);
  return found;
}

/** Undefined: it has none. */
export function rowRoute(page: Page, row: number): string | undefined {
  return page.routes[groupOfRows(page, 'route')[row] ?? -1]?.name;
}

/** How many of these controllers are in each route. */
export function routeCounts(page: Page, rows: readonly number[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of page.routes.length === 0 ? [] : rows) {
    const route = rowRoute(page, row);
    if (route !== undefined) counts.set(route, (counts.get(route) ?? 0) + 1);
  }
  return counts;
}

function rowSections(page: Page, rows: Uint32Array, order: ViewOrder): readonly Section[] {
  const groups = groupOfRows(page, 'group');
  const nameAt = (row: number): string => {
    if (order === 'outcome') return outcomeByCode(page.outcome[row]);
    return order === 'route' ? (rowRoute(page, row) ?? '') : (page.groups[groups[row] ?? -1]?.name ?? '');
  };
  const sections: { name: string; from: number; to: number }[] = [];
  for (const [place, row] of rows.entries()) {
    const name = nameAt(row);
    const last = sections.at(-1);
    if (last?.name === name) last.to = place + 1;
    else sections.push({ name, from: place, to: place + 1 });
  }
  return sections;
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
  };
}
