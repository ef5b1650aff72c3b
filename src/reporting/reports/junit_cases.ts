import { getOrAdd } from '../../core/model/values/groups.js';
import { count, grouped } from '../text/words.js';

/** GitLab refuses files of 30 MB, and a case takes about 200 bytes there; in memory, 5 million cases would take gigabytes. */
const MOST_CASES = 100_000;

/** JUnit's words: a `failure` is a wrong result, an `error` is a test that could not be carried out. */
export type CaseVerdict = 'passed' | 'skipped' | 'failure' | 'error';

export interface Case {
  readonly task: string;
  readonly controller: string;
  readonly verdict: CaseVerdict;
  /** Of a failure or an error. Absent: by the verdict. */
  readonly type?: string | undefined;
  readonly seconds: number;
  readonly place: { readonly file: string; readonly line: number };
  /** Why it did not pass. Of a merged case: `498 passed, 2 skipped`. */
  readonly message: string;
  readonly details: string;
}

/** The cases of a play. */
export interface Suite {
  readonly play: string;
  readonly started: string;
  readonly cases: readonly Case[];
}

interface OpenSuite {
  readonly play: string;
  readonly started: string;
  readonly cases: Case[];
  readonly merged: Map<string, MergedCase>;
}

/** The cases of a controller in a play that are merged into one. */
interface MergedCase {
  readonly place: Case['place'];
  passed: number;
  skipped: number;
  seconds: number;
  failed: boolean;
  /** Number of failures that are not kept; the first failure of the controller is. */
  moreFailures: number;
}

/**
 * Collects up to 100,000 test cases. Beyond that, cases that did not fail are merged into one for each controller and play, so that memory
 * and the file grow only with the number of controllers. Failures are kept up to 100,000, and the first of each controller in any case.
 */
export class TestCases {
  readonly #suites: OpenSuite[] = [];
  #kept = 0;
  merging = false;
  failed = false;

  startPlay(play: string, started: string): void {
    this.#suites.push({ play, started, cases: [], merged: new Map() });
  }

  add(one: Case): void {
    const suite = this.#suites.at(-1);
    if (suite === undefined) return;
    this.failed ||= isBad(one.verdict);
    if (this.merging) return this.#merge(suite, one);
    suite.cases.push(one);
    if (++this.#kept > MOST_CASES) this.#mergeAll();
  }

  get suites(): readonly Suite[] {
    return this.#suites.map(({ play, started, cases, merged }) => ({
      play,
      started,
      cases: this.merging ? [...withMore(cases, merged), ...mergedCases(merged)] : cases,
    }));
  }

  #mergeAll(): void {
    this.merging = true;
    this.#kept = 0;
    for (const suite of this.#suites) for (const one of suite.cases.splice(0)) this.#merge(suite, one);
  }

  #merge(suite: OpenSuite, one: Case): void {
    const known = getOrAdd(suite.merged, one.controller, () => ({
      place: one.place,
      passed: 0,
      skipped: 0,
      seconds: 0,
      failed: false,
      moreFailures: 0,
    }));
    if (!isBad(one.verdict)) {
      known.seconds += one.seconds;
      if (one.verdict === 'passed') known.passed++;
      else known.skipped++;
    } else if (this.#kept >= MOST_CASES && known.failed) known.moreFailures++;
    else {
      known.failed = true;
      suite.cases.push(one);
      this.#kept++;
    }
  }
}

function isBad(verdict: CaseVerdict): boolean {
  return verdict === 'failure' || verdict === 'error';
}

/** The failures. The first one of a controller says how many more were not kept. */
function withMore(failures: readonly Case[], merged: ReadonlyMap<string, MergedCase>): readonly Case[] {
  const counted = new Set<string>();
  return failures.map((one) => {
    const more = merged.get(one.controller)?.moreFailures ?? 0;
    if (more === 0 || counted.has(one.controller)) return one;
    counted.add(one.controller);
    const text = `and ${count(more, 'more failure')} on this controller`;
    return { ...one, details: one.details === '' ? text : `${one.details}\n${text}` };
  });
}

function mergedCases(merged: ReadonlyMap<string, MergedCase>): readonly Case[] {
  return [...merged].flatMap(([controller, { place, passed, skipped, seconds, failed }]): readonly Case[] => {
    if (passed + skipped === 0) return [];
    const task = failed ? 'other tasks' : 'all tasks';
    const verdict = passed > 0 ? 'passed' : 'skipped';
    const message = [
      ...(passed > 0 ? [`${grouped(passed)} passed`] : []),
      ...(skipped > 0 ? [`${grouped(skipped)} skipped`] : []),
    ].join(', ');
    return [{ task, controller, verdict, seconds, place, message, details: '' }];
  });
}
