import { copyCells, emptyCells, type Detail, type Page, type PageColumn, type PageHead, type PageRun } from './page.js';

/** Short lists, which are sent whole. */
const LISTS = ['plays', 'batches', 'gates', 'groups', 'routes', 'warnings', 'yaml'] as const;

/** The changes of a run since a page was made. */
export interface PageDelta {
  readonly run: PageRun;
  readonly facts: PageHead['facts'];
  /** The new details. Entries of `details` and `texts` are only ever appended. */
  readonly details: readonly Detail[];
  readonly texts: readonly string[];
  /** Those that changed. */
  readonly lists: Partial<Pick<PageHead, (typeof LISTS)[number]>>;
  /** Absent: no controller and no step was added. */
  readonly growth?: Growth | undefined;
  /** Pairs: controller, outcome. */
  readonly outcomes: readonly number[];
  /** Five numbers for each cell: its place after growth, state, detail, duration and end. */
  readonly cells: readonly number[];
}

interface Growth {
  /** The controllers to append. */
  readonly controllers: readonly string[];
  /** All steps in order: the earlier index of a known step, or a new step. */
  readonly columns: readonly (number | PageColumn)[];
}

/** @param before an earlier page of the same run, with identical objects for known steps */
export function pageDelta(before: Page, after: Page): PageDelta {
  const { run, facts } = after;
  const growth = findGrowth(before, after);
  const base = growth === undefined ? before : grown(before, growth);
  const changed = LISTS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return {
    run,
    facts,
    details: after.details.slice(before.details.length),
    texts: after.texts.slice(before.texts.length),
    lists: Object.fromEntries(changed.map((name) => [name, after[name]])),
    growth,
    outcomes: changedOutcomes(base, after),
    cells: changedCells(base, after),
  };
}

function findGrowth(before: Page, after: Page): Growth | undefined {
  const isSame =
    before.controllers.length === after.controllers.length && before.columns.length === after.columns.length;
  if (isSame) return undefined;
  const places = new Map(before.columns.map((column, place) => [column, place]));
  return {
    controllers: after.controllers.slice(before.controllers.length),
    columns: after.columns.map((column) => places.get(column) ?? column),
  };
}

/** The page with empty cells for the new controllers and steps. */
function grown(page: Page, { controllers: added, columns }: Growth): Page {
  const controllers = [...page.controllers, ...added];
  const [rows, oldRows] = [controllers.length, page.controllers.length];
  const cells = emptyCells(rows * columns.length);
  const outcome = new Uint8Array(rows);
  outcome.set(page.outcome);
  for (const [place, column] of columns.entries())
    if (typeof column === 'number') copyCells(page, cells, place * rows, column * oldRows, oldRows);
  const known = columns.flatMap((column) => (typeof column === 'number' ? (page.columns[column] ?? []) : column));
  return { ...page, controllers, columns: known, outcome, ...cells };
}

function changedOutcomes(before: Page, after: Page): readonly number[] {
  const changed: number[] = [];
  for (const [row, code] of after.outcome.entries()) if (before.outcome[row] !== code) changed.push(row, code);
  return changed;
}

function changedCells(before: Page, { state, detail, took, ended }: Page): readonly number[] {
  const changed: number[] = [];
  for (const [at, code] of state.entries())
    if (before.state[at] !== code || before.ended[at] !== ended[at] || before.detail[at] !== detail[at])
      changed.push(at, code, detail[at] ?? 0, took[at] ?? 0, ended[at] ?? 0);
  return changed;
}

/** Applies the changes to a page. Reuses and changes the arrays of the earlier page, unless the page has grown. */
export function withDelta(before: Page, delta: PageDelta): Page {
  const { outcomes, cells, run, facts, lists, growth } = delta;
  const page = growth === undefined ? before : grown(before, growth);
  for (let at = 0; at < outcomes.length; at += 2) page.outcome[outcomes[at] ?? 0] = outcomes[at + 1] ?? 0;
  for (let at = 0; at < cells.length; at += 5) {
    const cell = cells[at] ?? 0;
    page.state[cell] = cells[at + 1] ?? 0;
    page.detail[cell] = cells[at + 2] ?? 0;
    page.took[cell] = cells[at + 3] ?? 0;
    page.ended[cell] = cells[at + 4] ?? 0;
  }
  return {
    ...page,
    ...lists,
    run,
    facts,
    details: [...page.details, ...delta.details],
    texts: [...page.texts, ...delta.texts],
  };
}
