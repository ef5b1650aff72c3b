import type { Detail, Page, PageHead, PageRun } from './page.js';

/** What happened in a run since a page was made. */
export interface PageDelta {
  readonly run: PageRun;
  readonly facts: PageHead['facts'];
  /** Those that are new; both lists only grow. */
  readonly details: readonly Detail[];
  readonly texts: readonly string[];
  /** Absent: as before. */
  readonly course?: Pick<PageHead, 'plays' | 'batches' | 'gates' | 'groups' | 'warnings'> | undefined;
  /** Pairs: controller, outcome. */
  readonly outcomes: readonly number[];
  /** Five numbers for each cell: its place, state, detail, duration and end. */
  readonly cells: readonly number[];
}

/** Undefined if controllers or steps were added: then the page must be read again. */
export function deltaOf(before: Page, after: Page): PageDelta | undefined {
  if (before.controllers.length !== after.controllers.length) return undefined;
  if (before.columns.length !== after.columns.length) return undefined;
  const { run, facts } = after;
  const course = courseOf(after);
  const isSameCourse = JSON.stringify(courseOf(before)) === JSON.stringify(course);
  return {
    run,
    facts,
    details: after.details.slice(before.details.length),
    texts: after.texts.slice(before.texts.length),
    ...(!isSameCourse && { course }),
    outcomes: changedOutcomes(before, after),
    cells: changedCells(before, after),
  };
}

function courseOf({ plays, batches, gates, groups, warnings }: Page): NonNullable<PageDelta['course']> {
  return { plays, batches, gates, groups, warnings };
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

/** The page with what happened since. Its arrays are those of the page before. */
export function withDelta(page: Page, delta: PageDelta): Page {
  const { outcomes, cells, run, facts, course } = delta;
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
    ...course,
    run,
    facts,
    details: [...page.details, ...delta.details],
    texts: [...page.texts, ...delta.texts],
  };
}
