import { changedControllers, type Event, type RunFinished, type RunStarted } from '../../core/model/run/event.js';
import { changedSomething } from '../../core/model/run/result.js';
import { maskText } from '../../core/secrets/mask_text.js';
import { ClosingLines } from '../run/closing.js';
import { failedNames, type FailureGroup } from '../run/failures/failure_group.js';
import { mayHaveWritten } from '../run/failures/failure_log.js';
import { failureFacts } from '../run/failures/failure_text.js';
import { variedText } from '../run/fleet_diff.js';
import { totalsLine } from '../run/recap.js';
import { ResultGroups, type EqualChange } from '../run/result_groups.js';
import { EqualWarnings } from '../text/equal_warnings.js';
import { UNCOLOURED } from '../text/palette.js';
import { oneLine, plain } from '../text/plain.js';
import { displayPlace } from '../text/source_files.js';
import { WarningLog } from '../text/warnings.js';
import { count, grouped, sortNames, nameSome } from '../text/words.js';
import type { Report, ReportOptions } from './report.js';

/** GitHub refuses comments of more than 65,536 characters. */
export const MOST_MARKDOWN_CHARACTERS = 60_000;
/** An invisible mark, by which a job can find and replace its previous comment. */
export const MARK = '<!-- evenkeel -->';
/** So many causes get a paragraph each; the others, a line. */
const MOST_PARAGRAPHS = 20;
const MOST_CHANGES = 50;
const MOST_DIFF_LINES = 60;
const MOST_NAMES = 10;
const LONGEST_LINE = 300;

/** A comment for a pull request: the outcome, the failures with their causes, and the changes with folded diffs, equal ones once. */
export class MarkdownReport implements Report {
  readonly #closing: ClosingLines;
  readonly #results: ResultGroups;
  /** Includes those that the end of the run does not count, because a failure that may have written was rescued. */
  readonly #writers = new Set<string>();
  readonly #warnings = new EqualWarnings();
  #started: RunStarted | undefined;

  constructor(private readonly options: ReportOptions) {
    this.#closing = new ClosingLines(options, UNCOLOURED);
    this.#results = new ResultGroups({ written: options.writtenArguments, full: true });
  }

  take(event: Event): Iterable<string> {
    if (event.type === 'run-started') this.#started = event;
    if (event.type === 'warning') this.#warnings.add(event);
    this.#closing.handle(event);
    this.#results.handle(event);
    if (
      event.type === 'task-finished' &&
      event.round === undefined &&
      (changedSomething(event) || mayHaveWritten(event))
    )
      this.#writers.add(event.controller);
    return event.type === 'run-finished' ? [this.#text(event)] : [];
  }

  #text(event: RunFinished): string {
    const unconfirmed = this.#closing.unconfirmed.map(escapeText);
    const paragraphs = [
      ...this.#head(event),
      ...this.#failures(),
      ...unconfirmed,
      ...this.#warned(),
      ...this.#changed(),
    ];
    const end = this.#end(event);
    let room = MOST_MARKDOWN_CHARACTERS - end.join('\n\n').length;
    const shown: string[] = [];
    for (const [index, one] of paragraphs.entries()) {
      room -= one.length + 2;
      if (room < 0) {
        shown.push(`_… cut here: ${count(paragraphs.length - index, 'more paragraph')}_`);
        break;
      }
      shown.push(one);
    }
    return `${[...shown, ...end].join('\n\n')}\n`;
  }

  #head(event: RunFinished): readonly string[] {
    const { playbooks = [], environment = null, check = false } = this.#started ?? {};
    const facts = [
      ...playbooks.map((file) => code(this.#mask(file))),
      ...(environment === null ? [] : [`environment ${code(environment)}`]),
      ...this.#closing.modes,
    ];
    return [
      `${MARK}\n### ${headline(event, this.#writers, check, this.options.comparing === true)}`,
      facts.join(' · '),
      escapeText(totalsLine(event, UNCOLOURED)),
    ].filter((one) => one !== '');
  }

  #failures(): readonly string[] {
    const { failures } = this.#closing;
    if (failures.length === 0) return [];
    return [
      '#### Failures',
      ...failures.slice(0, MOST_PARAGRAPHS).map((group) => this.#failure(group)),
      ...failures.slice(MOST_PARAGRAPHS).map((group) => this.#shortFailure(group)),
    ];
  }

  #shortFailure(group: FailureGroup): string {
    const { status, task, message, source } = group;
    const place = code(this.#mask(displayPlace(source, this.options.cwd)));
    const names = failedNames(group, MOST_NAMES);
    const what = escapeText(oneLine(plain(message)).slice(0, LONGEST_LINE));
    return `- **${status}: ${escapeText(oneLine(task))}** (${place}): ${what} (${escapeText(names)})`;
  }

  #failure(group: FailureGroup): string {
    const { cwd } = this.options;
    const { status, task, module, message, source, cause } = group;
    const places = [source, ...(cause === undefined ? [] : [cause])].map((one) => this.#mask(displayPlace(one, cwd)));
    const facts = failureFacts(group, { mask: this.#mask, check: this.#started?.check === true });
    return [
      `**${status}: ${escapeText(oneLine(task))}** (${code(module)}, ${places.map(code).join(', because of ')})`,
      fenced('text', plain(message).trimEnd()),
      facts.map(([name, text]) => `- ${escapeText(name)}: ${escapeText(oneLine(text))}`).join('\n'),
    ].join('\n\n');
  }

  #warned(): readonly string[] {
    const log = new WarningLog(this.#mask);
    const shown = this.#warnings.joined.flatMap((one) => log.take(one, this.options.cwd) ?? []);
    const texts = [...shown, ...log.rest()];
    if (texts.length === 0) return [];
    const more = texts.length - MOST_PARAGRAPHS;
    const lines = texts.slice(0, MOST_PARAGRAPHS).map((one) => `- ${escapeText(one.slice(0, LONGEST_LINE))}`);
    return ['#### Warnings', [...lines, ...(more > 0 ? [`- _… and ${count(more, 'more warning')}_`] : [])].join('\n')];
  }

  #changed(): readonly string[] {
    const { tasks } = this.#results;
    const changes = tasks.flatMap((task) => task.changes.map((change) => ({ task, change })));
    if (changes.length === 0) return [];
    const more = changes.length - MOST_CHANGES;
    return [
      '#### Changes',
      ...changes.slice(0, MOST_CHANGES).map(({ task, change }) => this.#change(oneLine(this.#mask(task.task)), change)),
      ...(more > 0 ? [`_… and ${count(more, 'more change')}_`] : []),
    ];
  }

  #change(task: string, { words, change, controllers }: EqualChange): string {
    const diff = change?.lines.slice(1) ?? [];
    const names = nameSome(sortNames(controllers), MOST_NAMES);
    const on = controllers.length === 1 ? names : `${grouped(controllers.length)} controllers: ${names}`;
    const what = words === '' ? '' : `: ${oneLine(this.#mask(words))}`;
    if (diff.length === 0) return `- **${escapeText(task)}**${escapeText(`${what} (${on})`)}`;
    // Markdown does not look into a line that begins with this element.
    const title = `<b>${escapeHtml(task)}</b>${escapeHtml(`${what} (${on})`)}`;
    const shown = diff.slice(0, MOST_DIFF_LINES);
    const left = diff.length - shown.length;
    const lines = [
      ...shown.map(this.#mask),
      ...(left > 0 ? [`… ${count(left, 'more line')}`] : []),
      ...(change?.varied ?? []).map((one) => `# ${this.#mask(variedText(one))}`),
    ];
    return `<details><summary>${title}</summary>\n\n${fenced('diff', lines.join('\n'))}\n</details>`;
  }

  #end(event: RunFinished): readonly string[] {
    const why = event.reason === undefined ? [] : [`Ended early: ${escapeText(oneLine(this.#mask(event.reason)))}`];
    const commands = this.#closing
      .commands(event)
      .map(({ purpose, command }) => `${capital(purpose)}: ${code(command)}`);
    const { version = '' } = this.#started ?? {};
    return [...why, ...commands, `<sub>evenkeel ${version} · run ${event.run}</sub>`];
  }

  readonly #mask = (text: string): string => maskText(text, this.options.secrets);
}

function headline(finished: RunFinished, writers: Iterable<string>, check: boolean, comparing: boolean): string {
  const { status, stats, unstarted, cutOff = [], exitCode } = finished;
  const failed = Object.values(stats).filter((one) => one.failed + one.unreachable > 0).length;
  const changed = new Set([...changedControllers(finished), ...writers]).size;
  const total = count(new Set([...Object.keys(stats), ...unstarted]).size, 'controller');
  if (failed > 0) return `❌ ${grouped(failed)} of ${total} failed`;
  if (status === 'interrupted')
    return `⚠️ interrupted: ${grouped(unstarted.length + cutOff.length)} of ${total} not finished`;
  if (exitCode !== 0) return `❌ ended early: ${status}`;
  if (comparing && changed > 0) return `⚠️ ${grouped(changed)} of ${total} ${changed === 1 ? 'differs' : 'differ'}`;
  if (comparing) return `✅ ${total}, no drift`;
  if (changed === 0) return `✅ ${total}, nothing ${check ? 'would change' : 'changed'}`;
  return `✅ ${grouped(changed)} of ${total} ${check ? 'would change' : 'changed'}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text of controllers is not trusted: no markup, no mention of a user, no link. */
function escapeText(text: string): string {
  return escapeHtml(text).replaceAll(/[\\`*_[\]#|~!]/g, String.raw`\$&`);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u2060')
    .replaceAll('://', ':\u2060//')
    .replaceAll(/\bwww\./gi, (www) => www.replace('.', '\u2060.'));
}

/** A code span, whatever backticks are in the text. */
export function code(text: string): string {
  const shown = oneLine(text);
  const ticks = '`'.repeat(longestTicks(shown) + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

export function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
