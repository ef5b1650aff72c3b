import type { Event, TaskFinished } from '../../core/model/run/event.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isMapping } from '../../core/model/values/value.js';
import { generalText, withoutName } from '../text/messages.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { titleText } from '../text/shorten.js';
import { truncate } from '../text/width.js';
import { count, grouped, MOST_SHOWN_CHARACTERS, nameSome, sortNames } from '../text/words.js';
import { resultLines } from './task_line.js';

/** With more controllers than this, equal messages are shown once, as equal diffs are. */
const MOST_SINGLE = 10;
/** The number of different messages of a task to show in each batch. */
const MOST_DIFFERENT = 10;
/** Maximum number of different messages of a task to compare with. */
const MOST_MESSAGES = 100;
const LONGEST_TEXT = 60;

interface RepeatedMessage {
  readonly task: string;
  /** Without the names of controllers if they differ. */
  message: string;
  readonly controllers: Set<string>;
  /** How often it was said again, also by the same controllers. */
  more: number;
}

/**
 * Messages of `debug` that are equal but for the names of their controllers: shown once, and counted at the end of the batch, as are further ones
 * of a task with many different ones.
 */
export class FoldedMessages {
  readonly #last = new Map<string, RepeatedMessage>();
  /** How many different messages each task has. */
  readonly #different = new Map<string, { readonly task: string; messages: number }>();
  #isFleet = false;

  /** @param isAll whether to show all different ones */
  constructor(private readonly isAll: boolean) {}

  handle(event: Event): void {
    if (event.type === 'play-started') this.#isFleet = event.controllers.length > MOST_SINGLE;
  }

  /** Whether the message, or enough others of its task, were shown before in this batch. */
  isFolded({ spoken, message = '', task, source, item, controller }: TaskFinished): boolean {
    if (!this.#isFleet || spoken !== true || message.length > MOST_SHOWN_CHARACTERS) return false;
    const general = withoutName(message, controller);
    const about = `${placeText(source)} ${task}`;
    const key = JSON.stringify([about, item ?? null, general]);
    const known = this.#last.get(key);
    if (known !== undefined) {
      known.more++;
      known.controllers.add(controller);
      if (known.message !== message) known.message = general;
      return true;
    }
    const different = getOrAdd(this.#different, about, () => ({ task, messages: 0 }));
    different.messages++;
    if (!this.isAll && different.messages > MOST_DIFFERENT) return true;
    if (different.messages <= MOST_MESSAGES)
      this.#last.set(key, { task, message, controllers: new Set([controller]), more: 0 });
    return false;
  }

  /** What was folded since the last call, without what is secret by now. */
  take(palette: Palette, mask: (text: string) => string): readonly string[] {
    const repeated = [...this.#last.values()].filter(({ more }) => more > 0);
    const varied = this.isAll ? [] : [...this.#different.values()].filter(({ messages }) => messages > MOST_DIFFERENT);
    this.#last.clear();
    this.#different.clear();
    return [
      ...repeated.map(({ task, message, controllers, more }) => {
        const text = truncate(oneLine(mask(message)), LONGEST_TEXT);
        const others = controllers.size - 1;
        const who = others === 0 ? count(more, 'more time') : count(others, 'other controller');
        return `and ${who}  ${titleText(task, mask)}: ${text}`;
      }),
      ...varied.map(({ task, messages }) => {
        return `and ${count(messages - MOST_DIFFERENT, 'other message')}  ${titleText(task, mask)}; -v shows each`;
      }),
    ].map((line) => palette.faint(`             ${line}`));
  }
}

/** Maximum number of different results to keep. */
const MOST_GROUPS = 50;
const MOST_NAMES = 5;
const MODIFIED = /(_last_modified: ).*/g;

interface ReturnedValue {
  readonly task: string;
  /** The result of the first controller. */
  readonly lines: readonly string[];
  readonly controllers: string[];
}

/** What the task of `evenkeel task` returned, equal results together. */
export class TaskResults {
  #groups = new Map<string, ReturnedValue>();
  #others = 0;

  add(event: TaskFinished): void {
    const { controller, task, item, values, status } = event;
    if (item !== undefined || event.spoken === true || values === undefined) return;
    // The line of a resource already says what changed. Its result is the whole object.
    if ((status !== 'ok' && status !== 'changed') || isMapping(values['change'] ?? null)) return;
    const lines = resultLines(event);
    if (lines.length === 0) return;
    const general = generalResult(lines.join('\n'), controller);
    const known = this.#groups.get(general);
    if (known !== undefined) known.controllers.push(controller);
    else if (this.#groups.size < MOST_GROUPS) this.#groups.set(general, { task, lines, controllers: [controller] });
    else this.#others++;
  }

  /** The lines for everything added since the last call, without what is secret by now, the most frequent result first. */
  take(palette: Palette, mask: (text: string) => string): readonly string[] {
    const groups = [...this.#groups.values()].sort((a, b) => b.controllers.length - a.controllers.length);
    const others = this.#others;
    this.#groups = new Map();
    this.#others = 0;
    const shown = groups.flatMap((group) => groupLines(group, palette, mask));
    return others === 0
      ? shown
      : [...shown, palette.faint(`other results on ${count(others, 'controller')}; -vv shows each`)];
  }
}

function groupLines(
  { task, lines, controllers }: ReturnedValue,
  palette: Palette,
  mask: (text: string) => string,
): readonly string[] {
  const names = nameSome(sortNames(controllers).map(oneLine), MOST_NAMES);
  const [first = '', ...others] = controllers;
  const on = others.length === 0 ? `on ${names}` : `the same on ${grouped(controllers.length)} controllers: ${names}`;
  const own = lines.map(mask);
  // Masked before: a secret may contain an address.
  const shown = others.length === 0 ? own : generalResult(own.join('\n'), first).split('\n');
  return [mask(`${palette.strong(`result of ${oneLine(task)}`)} ${on}`), ...shown.map((line) => `    ${line}`)];
}

/** The result without names, addresses, uuids and times, which differ between controllers anyway. */
function generalResult(text: string, controller: string): string {
  return generalText(text, controller).replaceAll(MODIFIED, '$1<time>');
}
