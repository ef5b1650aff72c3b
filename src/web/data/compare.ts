import { OUTCOMES, type ControllerOutcome, type Page } from '../../reporting/page/format/page.js';
import { generalMessage } from '../../reporting/text/messages.js';
import { visibleFailures, type ShownFailure } from './equal.js';
import { completed } from './frame_work.js';
import { stepTimes } from './timing.js';
import { createView, outcomeCounts, type View } from './view.js';
import { getOrAdd, outcomeByCode } from './words.js';

/** Controllers whose outcome is another one. */
interface OutcomeChange {
  readonly before: ControllerOutcome | 'not in this run';
  readonly after: ControllerOutcome | 'not in this run';
  readonly controllers: readonly string[];
}

/** A step that both runs, or one of them, have. */
export interface StepChange {
  readonly task: string;
  /** Median seconds; undefined if the run does not have it. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

export interface RunComparison {
  readonly outcomes: readonly (readonly [outcome: ControllerOutcome, before: number, after: number])[];
  readonly moved: readonly OutcomeChange[];
  /** Causes that only one of the runs has. */
  readonly gone: readonly ShownFailure[];
  readonly come: readonly ShownFailure[];
  /** Those whose median differs by a tenth, and by 10 ms, or that only one run has. The largest differences first. */
  readonly steps: readonly StepChange[];
}

/** What differs between two runs. */
export function compareRuns(before: Page, after: Page): RunComparison {
  const [old, now] = [createView(before, '', 'name'), createView(after, '', 'name')];
  const [oldCounts, nowCounts] = [outcomeCounts(before), outcomeCounts(after)];
  const counts = OUTCOMES.map((one) => [one, oldCounts[one], nowCounts[one]] as const);
  return {
    outcomes: counts.filter(([, one, other]) => one + other > 0),
    moved: movedControllers(before, after),
    gone: onlyIn(old, now),
    come: onlyIn(now, old),
    steps: stepChanges(old, now),
  };
}

function movedControllers(before: Page, after: Page): readonly OutcomeChange[] {
  const outcomes = ({ controllers, outcome }: Page) =>
    new Map(controllers.map((name, row) => [name, outcomeByCode(outcome[row])]));
  const [old, now] = [outcomes(before), outcomes(after)];
  const moved = new Map<string, OutcomeChange & { readonly controllers: string[] }>();
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const change = { before: old.get(name) ?? 'not in this run', after: now.get(name) ?? 'not in this run' } as const;
    if (change.before === change.after) continue;
    const key = `${change.before} ${change.after}`;
    getOrAdd(moved, key, () => ({ ...change, controllers: [] })).controllers.push(name);
  }
  return [...moved.values()].sort((a, b) => b.controllers.length - a.controllers.length);
}

/** Failures whose cause the other run does not have. */
function onlyIn(view: View, other: View): readonly ShownFailure[] {
  const known = new Set(completed(visibleFailures(other)).map(failureKey));
  return completed(visibleFailures(view)).filter((one) => !known.has(failureKey(one)));
}

/**
 * As `causeKey` of one run, but with the name of the task, because another run may have it at another place. A page has a template in place
 * of the controller's name.
 */
function failureKey({ about, status, detail, result }: ShownFailure): string {
  const cause = generalMessage(result.message ?? '', '{{inventory_hostname}}');
  return status === 'unreachable' && detail.round === undefined ? cause : `${about.task} ${cause}`;
}

function stepChanges(old: View, now: View): readonly StepChange[] {
  const medians = (view: View): ReadonlyMap<string, number> => {
    const names = distinctNames(view.page);
    return new Map(
      view.columns.flatMap((column) => {
        const times = stepTimes(view, column);
        return times === undefined ? [] : [[names[column] ?? '', times.median]];
      }),
    );
  };
  const [before, after] = [medians(old), medians(now)];
  const steps = [...new Set([...before.keys(), ...after.keys()])].map((task) => ({
    task,
    before: before.get(task),
    after: after.get(task),
  }));
  const difference = ({ before: one = 0, after: other = 0 }: StepChange): number => Math.abs(other - one);
  return steps.filter(isDifferent).sort((a, b) => difference(b) - difference(a));
}

/** Of each column: `debug`, `debug (2)`. Tasks without a name have that of their module. */
function distinctNames({ columns }: Page): readonly string[] {
  const counts = new Map<string, number>();
  return columns.map(({ task }) => {
    const count = (counts.get(task) ?? 0) + 1;
    counts.set(task, count);
    return count === 1 ? task : `${task} (${count})`;
  });
}

function isDifferent({ before, after }: StepChange): boolean {
  if (before === undefined || after === undefined) return true;
  return Math.abs(after - before) >= Math.max(0.01, before / 10);
}
