import {
  CELL_STATES,
  type Detail,
  type DetailItem,
  type Page,
  type PageColumn,
} from '../../reporting/page/format/page.js';
import type { View } from './view.js';
import { stateByCode } from './words.js';

/** Controllers that failed for the same cause. */
export interface ShownFailure {
  readonly status: 'failed' | 'unreachable';
  readonly column: number;
  readonly about: PageColumn;
  /** The detail of the first controller. */
  readonly detail: Detail;
  readonly message: string;
  readonly rows: number[];
}

const FAILED = CELL_STATES.indexOf('failed');
const UNREACHABLE = CELL_STATES.indexOf('unreachable');

/** The failures of the shown controllers, those with the most controllers first. */
export function visibleFailures({ page, rows, columns }: View): readonly ShownFailure[] {
  const total = page.controllers.length;
  const groups = new Map<string, ShownFailure>();
  for (const column of columns) {
    const about = page.columns[column];
    if (about === undefined) continue;
    for (const row of rows) {
      const code = page.state[column * total + row];
      if (code !== FAILED && code !== UNREACHABLE) continue;
      const detail = page.details[page.detail[column * total + row] ?? 0] ?? {};
      const status = code === FAILED ? 'failed' : 'unreachable';
      add(groups, { status, column, about, detail, message: failureMessage(detail), rows: [row] });
    }
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length);
}

function add(groups: Map<string, ShownFailure>, one: ShownFailure): void {
  const cause = one.detail.cause ?? one.message;
  // A controller that cannot be reached fails at its first task, whatever that is.
  const isAnywhere = one.status === 'unreachable' && one.about.type !== 'gate';
  const key = JSON.stringify([one.status, isAnywhere ? null : one.column, cause, one.detail.place ?? null]);
  const known = groups.get(key);
  if (known === undefined) groups.set(key, one);
  else known.rows.push(...one.rows);
}

/** The failures of a loop are those of its items. */
function failureMessage({ message, items = [] }: Detail): string {
  const [first, ...others] = items.filter(isFailed);
  if (first?.message === undefined) return message ?? 'failed without a message';
  return `${first.item}: ${first.message}${others.length > 0 ? `\n… and ${others.length} more of ${items.length} items` : ''}`;
}

function isFailed({ status }: DetailItem): boolean {
  return status === 'failed' || status === 'unreachable';
}

/** Objects that were written before the failure, with the number of controllers, and writes whose outcome is unknown. */
export interface WritesBefore {
  readonly written: ReadonlyMap<string, number>;
  readonly unconfirmed: ReadonlyMap<string, number>;
}

export function writesBefore(page: Page, { rows, column }: ShownFailure): WritesBefore {
  const total = page.controllers.length;
  const [written, unconfirmed] = [new Map<string, number>(), new Map<string, number>()];
  const plus = (counts: Map<string, number>, object: string): unknown =>
    counts.set(object, (counts.get(object) ?? 0) + 1);
  for (const row of rows) {
    for (let before = 0; before <= column; before++) {
      const { object, check } = page.details[page.detail[before * total + row] ?? 0] ?? {};
      if (object === undefined || check === true) continue;
      const state = stateByCode(page.state[before * total + row]);
      if (before < column && state === 'changed') plus(written, object);
      if (before === column && (state === 'failed' || state === 'unreachable')) plus(unconfirmed, object);
    }
  }
  return { written, unconfirmed };
}
