import type { Event, TaskFinished } from '../../model/run/event.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { LONGEST } from '../text/shorten.js';
import { truncate } from '../text/width.js';
import { count } from '../text/words.js';

/** With more controllers than this, equal messages are shown once, as equal diffs are. */
const MOST_SINGLE = 10;
/** Maximum number of different messages to compare with. */
const MOST_MESSAGES = 100;
const LONGEST_TEXT = 60;

interface RepeatedMessage {
  readonly task: string;
  readonly message: string;
  more: number;
}

/** Equal messages of `debug` on many controllers: shown once, and counted at the end of the batch. */
export class FoldedMessages {
  readonly #last = new Map<string, RepeatedMessage>();
  #isFleet = false;

  handle(event: Event): void {
    if (event.type === 'play-started') this.#isFleet = event.controllers.length > MOST_SINGLE;
  }

  /** Whether the message was shown before in this batch. */
  isFolded({ spoken, message = '', task, source, item }: TaskFinished): boolean {
    if (!this.#isFleet || spoken !== true || message.length > LONGEST) return false;
    const key = JSON.stringify([source.file, source.line, source.column, task, item ?? null, message]);
    const known = this.#last.get(key);
    if (known !== undefined) known.more++;
    else if (this.#last.size < MOST_MESSAGES) this.#last.set(key, { task, message, more: 0 });
    return known !== undefined;
  }

  /** What was folded since the last call. */
  take(palette: Palette): readonly string[] {
    const folded = [...this.#last.values()].filter(({ more }) => more > 0);
    this.#last.clear();
    return folded.map(({ task, message, more }) => {
      const text = truncate(oneLine(message), LONGEST_TEXT);
      return palette.faint(`             and ${count(more, 'other controller')}  ${oneLine(task)}: ${text}`);
    });
  }
}
