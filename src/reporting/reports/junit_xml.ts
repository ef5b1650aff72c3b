import { maskText, maskTitle } from '../../core/secrets/mask_text.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import { oneLine, plain } from '../text/plain.js';
import { shownStart } from '../text/shorten.js';
import type { Case, Suite } from './junit_cases.js';

/** The text of a report, piece by piece. */
export function* junitText(
  suites: readonly Suite[],
  about: {
    readonly properties: Readonly<Record<string, string>>;
    readonly seconds: number;
    readonly secrets: Secrets;
  },
): Iterable<string> {
  const writer = new XmlWriter(about.secrets);
  const names = new UniqueNames();
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield writer.open('testsuites', { name: 'evenkeel', ...counts(suites), time: rounded(about.seconds) });
  for (const suite of suites) yield* suiteText(suite, about.properties, names, writer);
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

function* suiteText(
  suite: Suite,
  properties: Readonly<Record<string, string>>,
  names: UniqueNames,
  writer: XmlWriter,
): Iterable<string> {
  const { play, started, cases } = suite;
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
  const timestamp = started.replace(/\.\d+Z$/, '');
  yield writer.open('testsuite', { name: writer.title(play), ...counts([suite]), time: rounded(seconds), timestamp });
  yield '<properties>\n';
  for (const [name, value] of Object.entries(properties))
    yield writer.empty('property', { name, value: writer.text(value) });
  yield '</properties>\n';
  for (const one of cases) yield caseText(one, play, names, writer);
  yield '</testsuite>\n';
}

function caseText(
  { task, controller, verdict, seconds, place, message, details, ...one }: Case,
  play: string,
  names: UniqueNames,
  writer: XmlWriter,
): string {
  const [title, classname] = [writer.title(task), writer.title(play)];
  const name = names.unique(classname, controller === '' ? title : `${controller}: ${title}`);
  const { file, line } = place;
  const at = file === '' ? {} : { file: writer.text(file), line };
  const attributes = { name, classname, time: rounded(seconds), ...at };
  if (verdict === 'passed' && message === '') return writer.empty('testcase', attributes);
  const open = writer.open('testcase', attributes);
  if (verdict === 'passed') return `${open}${writer.element('system-out', {}, writer.text(message))}</testcase>\n`;
  if (verdict === 'skipped') return `${open}${writer.empty('skipped', { message: writer.text(message) })}</testcase>\n`;
  // GitLab shows the text of the element, Jenkins the message as well.
  const text = [message, ...(details === '' ? [] : [details])].join('\n');
  const type = one.type ?? (verdict === 'error' ? 'unreachable' : 'failed');
  return `${open}${writer.element(verdict, { message: writer.text(message), type }, writer.text(text))}</testcase>\n`;
}

/**
 * The same task can run twice on a controller, as handlers and included tasks do, also in plays of one name. GitLab would ignore the second,
 * whatever suite it is in.
 */
class UniqueNames {
  readonly #seen = new Map<string, number>();

  unique(classname: string, name: string): string {
    const key = JSON.stringify([classname, name]);
    const seen = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, seen);
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
