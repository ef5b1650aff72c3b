import type { Event, RunFinished, RunStarted, TaskFinished } from '../../core/model/run/event.js';
import { changedSomething, isTrouble } from '../../core/model/run/result.js';
import { appendTo, BoundedMap, getOrAdd } from '../../core/model/values/groups.js';
import { diffLines } from '../diff/diff_text.js';
import { objectPlace, writtenObject } from '../run/failures/failure_group.js';
import { mayHaveWritten } from '../run/failures/failure_log.js';
import { UNCONFIRMED } from '../run/failures/failure_text.js';
import { addRoutes } from '../run/routes.js';
import { causeFirst } from '../text/messages.js';
import { keptStart } from '../text/shorten.js';
import { displayPath, displayPlace } from '../text/source_files.js';
import { TestCases, type Case, type CaseVerdict } from './junit_cases.js';
import { junitText } from './junit_xml.js';
import type { Report, ReportOptions } from './report.js';

const MOST_SHARED = 1_000;
const MERGED = 'More than 100,000 test cases: those of a controller that did not fail are merged into one.';

/**
 * Test results in the XML format of JUnit, as GitLab, Jenkins and GitHub actions read it: a suite for each play, a test case for each task on
 * each controller. GitLab tells cases apart by `classname` and `name`, and ignores the name of the suite. Jenkins takes what is before the
 * last dot of `classname` for a package, so the name of the controller is not there.
 */
export class JunitReport implements Report {
  readonly #cases = new TestCases();
  /** Failed items of running loops, by controller. */
  readonly #items = new Map<string, string[]>();
  /** Writes with an unknown outcome of items of running loops, by controller. */
  readonly #unconfirmed = new Map<string, string[]>();
  readonly #routes = new Map<string, string>();
  /** Most controllers differ or fail in the same way: each text is kept once. */
  readonly #shared = new BoundedMap<string, string>(MOST_SHARED);
  #started: RunStarted | undefined;

  constructor(private readonly options: ReportOptions) {}

  take(event: Event): Iterable<string> {
    if (event.type === 'run-started') this.#started = event;
    if (event.type === 'play-started') {
      addRoutes(this.#routes, event);
      this.#cases.startPlay(event.play, event.time);
    }
    if (event.type === 'task-finished') this.#finish(event);
    return event.type === 'run-finished' ? this.#text(event) : [];
  }

  #finish(event: TaskFinished): void {
    const own = mayHaveWritten(event) ? [objectPlace(writtenObject(event), event)] : [];
    if (event.item !== undefined) {
      if (isTrouble(event)) appendTo(this.#items, event.controller, `${event.item}: ${event.message ?? ''}`);
      for (const object of own) appendTo(this.#unconfirmed, event.controller, object);
      return;
    }
    const items = this.#items.get(event.controller) ?? [];
    const unconfirmed = this.#unconfirmed.get(event.controller) ?? own;
    this.#items.delete(event.controller);
    this.#unconfirmed.delete(event.controller);
    this.#cases.add(
      this.#toCase(
        event,
        items,
        unconfirmed.map((object) => `${UNCONFIRMED}: ${object}`),
      ),
    );
  }

  #toCase(event: TaskFinished, items: readonly string[], unconfirmed: readonly string[]): Case {
    const { controller, delegatedTo, task, round, seconds, source, message = '', hint, cause } = event;
    const verdict = this.#verdict(event);
    const failed = verdict === 'failure' || verdict === 'error';
    const route = this.#routes.get(delegatedTo ?? controller);
    const details = [
      ...items,
      ...unconfirmed,
      ...(route === undefined ? [] : [`route: ${route}`]),
      ...(delegatedTo === undefined ? [] : [`delegated to: ${delegatedTo}`]),
      ...(hint === undefined ? [] : [`hint: ${hint}`]),
      ...(cause === undefined ? [] : [`because of ${displayPlace(cause, this.options.cwd)}`]),
      ...(changedSomething(event) && event.change !== undefined ? diffLines(event.change) : []),
    ];
    const why =
      verdict === 'passed' && unconfirmed.length === 0 ? [] : [causeFirst(message === '' ? event.status : message)];
    return {
      task: round === undefined ? task : `${task} (gate, round ${round})`,
      controller,
      verdict,
      seconds,
      place: { file: displayPath(source.file, this.options.cwd), line: source.line },
      message: this.#kept([...why, ...(failed ? [] : unconfirmed)].join('\n')),
      details: failed ? this.#kept(details.join('\n')) : '',
    };
  }

  #kept(text: string): string {
    const kept = keptStart(text);
    return getOrAdd(this.#shared, kept, () => kept);
  }

  #verdict(event: TaskFinished): CaseVerdict {
    const { status, round } = event;
    if (status === 'skipped' || status === 'interrupted') return 'skipped';
    // Also an ignored or rescued failure: what it would change differs.
    if (this.options.comparing === true && !isTrouble(event) && changedSomething(event)) return 'failure';
    // A gate may pass in a later round; if it fails, the run does.
    if (!isTrouble(event) || round !== undefined) return 'passed';
    return status === 'unreachable' ? 'error' : 'failure';
  }

  *#text(event: RunFinished): Iterable<string> {
    const { suites } = this.#cases;
    const missing = this.#missing(event);
    const all = missing.length === 0 ? suites : [...suites, { play: 'not run', started: event.time, cases: missing }];
    const { seconds } = event;
    yield* junitText(all, { properties: this.#properties(event), seconds, secrets: this.options.secrets });
  }

  /** Controllers without a test case of their own: a run that ended early must not look complete. */
  #missing({ unstarted, reason, status, exitCode }: RunFinished): Case[] {
    const place = { file: displayPath(this.#started?.playbooks[0] ?? '', this.options.cwd), line: 1 };
    const common = { seconds: 0, place, details: '' };
    const names = unstarted.map((controller): Case => {
      return { ...common, task: 'not started', controller, verdict: 'skipped', message: 'not started' };
    });
    if (exitCode === 0 || this.#cases.failed) return names;
    const message = reason ?? `the run ended with the status ${status}`;
    return [...names, { ...common, task: 'the run', controller: '', verdict: 'error', message }];
  }

  #properties({ run, reason }: RunFinished): Readonly<Record<string, string>> {
    const { environment = null, check = false, simulated = false, version = '' } = this.#started ?? {};
    return {
      run,
      evenkeel: version,
      ...(environment !== null && { environment }),
      ...(check && { check: 'true' }),
      ...(simulated && { simulated: 'true' }),
      ...(reason !== undefined && { reason }),
      ...(this.#cases.merging && { merged: MERGED }),
    };
  }
}
