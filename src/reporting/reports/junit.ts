import type { Event, RunFinished, RunStarted, TaskFinished } from '../../core/model/run/event.js';
import { changedSomething, isTrouble } from '../../core/model/run/result.js';
import { appendTo, BoundedMap, getOrAdd } from '../../core/model/values/groups.js';
import { maskText, maskTitle } from '../../core/secrets/mask_text.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import { diffLines } from '../diff/diff_text.js';
import { addRoutes } from '../run/routes.js';
import { causeFirst } from '../text/messages.js';
import { oneLine, plain } from '../text/plain.js';
import { keptStart, shownStart } from '../text/shorten.js';
import { displayPath, displayPlace } from '../text/source_files.js';
import { TestCases, type Case, type CaseVerdict, type Suite } from './junit_cases.js';
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
    if (event.item !== undefined) {
      if (isTrouble(event)) appendTo(this.#items, event.controller, `${event.item}: ${event.message ?? ''}`);
      return;
    }
    const items = this.#items.get(event.controller) ?? [];
    this.#items.delete(event.controller);
    this.#cases.add(this.#toCase(event, items));
  }

  #toCase(event: TaskFinished, items: readonly string[]): Case {
    const { controller, delegatedTo, task, round, seconds, source, message = '', hint, cause } = event;
    const verdict = this.#verdict(event);
    const failed = verdict === 'failure' || verdict === 'error';
    const route = this.#routes.get(delegatedTo ?? controller);
    const details = [
      ...items,
      ...(route === undefined ? [] : [`route: ${route}`]),
      ...(delegatedTo === undefined ? [] : [`delegated to: ${delegatedTo}`]),
      ...(hint === undefined ? [] : [`hint: ${hint}`]),
      ...(cause === undefined ? [] : [`because of ${displayPlace(cause, this.options.cwd)}`]),
      ...(changedSomething(event) && event.change !== undefined ? diffLines(event.change) : []),
    ];
    return {
      task: round === undefined ? task : `${task} (gate, round ${round})`,
      controller,
      verdict,
      seconds,
      place: { file: displayPath(source.file, this.options.cwd), line: source.line },
      message: verdict === 'passed' ? '' : this.#kept(causeFirst(message === '' ? event.status : message)),
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

export function* junitText(
  suites: readonly Suite[],
  about: {
    readonly properties: Readonly<Record<string, string>>;
    readonly seconds: number;
    readonly secrets: Secrets;
  },
): Iterable<string> {
  const writer = new XmlWriter(about.secrets);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield writer.open('testsuites', { name: 'evenkeel', ...counts(suites), time: rounded(about.seconds) });
  for (const suite of suites) yield* suiteText(suite, about.properties, writer);
  yield '</testsuites>\n';
}

function counts(suites: readonly Suite[]): Readonly<Record<string, number>> {
  const tally = { passed: 0, failure: 0, error: 0, skipped: 0 };
  for (const { cases } of suites) for (const { verdict } of cases) tally[verdict]++;
  const { passed, failure, error, skipped } = tally;
  return { tests: passed + failure + error + skipped, failures: failure, errors: error, skipped };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function* suiteText(suite: Suite, properties: Readonly<Record<string, string>>, writer: XmlWriter): Iterable<string> {
  const { play, started, cases } = suite;
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
  const timestamp = started.replace(/\.\d+Z$/, '');
  yield writer.open('testsuite', { name: writer.title(play), ...counts([suite]), time: rounded(seconds), timestamp });
  yield '<properties>\n';
  for (const [name, value] of Object.entries(properties))
    yield writer.empty('property', { name, value: writer.text(value) });
  yield '</properties>\n';
  const names = new UniqueNames();
  for (const one of cases) yield caseText(one, play, names, writer);
  yield '</testsuite>\n';
}

function caseText(
  { task, controller, verdict, seconds, place, message, details, ...one }: Case,
  play: string,
  names: UniqueNames,
  writer: XmlWriter,
): string {
  const title = writer.title(task);
  const name = names.unique(controller === '' ? title : `${controller}: ${title}`);
  const { file, line } = place;
  const at = file === '' ? {} : { file: writer.text(file), line };
  const attributes = { name, classname: writer.title(play), time: rounded(seconds), ...at };
  if (verdict === 'passed' && message === '') return writer.empty('testcase', attributes);
  const open = writer.open('testcase', attributes);
  if (verdict === 'passed') return `${open}${writer.element('system-out', {}, message)}</testcase>\n`;
  if (verdict === 'skipped') return `${open}${writer.empty('skipped', { message: writer.text(message) })}</testcase>\n`;
  // GitLab shows the text of the element, Jenkins the message as well.
  const text = [message, ...(details === '' ? [] : [details])].join('\n');
  const type = one.type ?? (verdict === 'error' ? 'unreachable' : 'failed');
  return `${open}${writer.element(verdict, { message: writer.text(message), type }, writer.text(text))}</testcase>\n`;
}

/** The same task can run twice on a controller, as handlers and included tasks do. GitLab would ignore the second. */
class UniqueNames {
  readonly #seen = new Map<string, number>();

  unique(name: string): string {
    const seen = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, seen);
    return seen === 1 ? name : `${name} (${seen})`;
  }
}

/** Characters that XML 1.0 cannot express, not even escaped. */
const IMPOSSIBLE = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

type Attributes = Readonly<Record<string, string | number>>;

/** Writes elements. Masks their texts again, because secrets may have become known after the event. */
class XmlWriter {
  constructor(private readonly secrets: Secrets) {}

  title(text: string): string {
    return oneLine(shownStart(maskTitle(text, this.secrets)));
  }

  text(text: string): string {
    return plain(shownStart(text, (one) => maskText(one, this.secrets)));
  }

  open(name: string, attributes: Attributes): string {
    return `<${name}${attributesText(attributes)}>\n`;
  }

  empty(name: string, attributes: Attributes): string {
    return `<${name}${attributesText(attributes)}/>\n`;
  }

  element(name: string, attributes: Attributes, text: string): string {
    return `<${name}${attributesText(attributes)}>${possible(text).replaceAll(/[&<>]/g, escaped)}</${name}>\n`;
  }
}

function attributesText(attributes: Attributes): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${possible(String(value)).replaceAll(/[&<>"\n\t]/g, escaped)}"`,
  );
  return written.join('');
}

function possible(text: string): string {
  return text.replaceAll(IMPOSSIBLE, '\ufffd');
}

function escaped(character: string): string {
  return ESCAPES[character] ?? character;
}
