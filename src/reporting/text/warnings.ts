import type { Warning } from '../../core/model/run/event.js';
import { generalMessage } from './messages.js';
import { oneLine } from './plain.js';
import { shownStart } from './shorten.js';
import { displayPlace } from './source_files.js';
import { count, nameControllers, NAMES_IN_LINE } from './words.js';

const MOST_ALIKE = 3;

/** Passes the first few of equal warnings, because a fleet repeats the same one ten thousand times. */
export class WarningLog {
  readonly #counts = new Map<string, { readonly message: string; number: number }>();

  /** The text of the warning, or undefined if enough equal ones were shown. */
  take(event: Warning, cwd: string): string | undefined {
    const key = equalityKey(event);
    const seen = this.#counts.get(key) ?? { message: event.message, number: 0 };
    this.#counts.set(key, seen);
    seen.number++;
    if (seen.number > MOST_ALIKE) return undefined;
    return warningText(event, event.controller, cwd);
  }

  /** The number of warnings that were not shown, for the end of the run. */
  rest(): readonly string[] {
    return [...this.#counts.values()]
      .filter(({ number }) => number > MOST_ALIKE)
      .map(
        ({ message, number }) => `${count(number - MOST_ALIKE, 'more warning')} like: ${oneLine(shownStart(message))}`,
      );
  }
}

/** Equal warnings of several controllers as one, for commands that show what they found at the end. */
export class WarningGroups {
  readonly #groups = new Map<string, { readonly first: Warning; readonly controllers: Set<string> }>();

  add(event: Warning, controller: string): void {
    const key = equalityKey(event);
    const group = this.#groups.get(key) ?? { first: event, controllers: new Set() };
    this.#groups.set(key, group);
    group.controllers.add(controller);
  }

  texts(cwd: string): readonly string[] {
    return [...this.#groups.values()].map(({ first, controllers }) =>
      warningText(first, nameControllers([...controllers].toSorted(), Infinity, NAMES_IN_LINE), cwd),
    );
  }
}

function equalityKey({ message, controller, source }: Warning): string {
  return JSON.stringify([generalMessage(message, controller ?? '\0'), source ?? null]);
}

function warningText({ message, source }: Warning, who: string | undefined, cwd: string): string {
  const where = source === undefined ? '' : ` (${displayPlace(source, cwd)})`;
  return `${who === undefined ? '' : `${oneLine(who)}: `}${oneLine(shownStart(message))}${where}`;
}
