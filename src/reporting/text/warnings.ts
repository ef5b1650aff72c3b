import type { Warning } from '../../core/model/run/event.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { generalMessage } from './messages.js';
import { oneLine } from './plain.js';
import { shownStart } from './shorten.js';
import { displayPlace } from './source_files.js';
import { count } from './words.js';

const MOST_ALIKE = 3;

/** Equal for warnings that differ only in what is specific to their controllers. */
export function warningKey({ message, controller = '\0', source }: Warning): string {
  return JSON.stringify([generalMessage(message, controller), source ?? null]);
}

/** Passes the first few of equal warnings, because a fleet repeats the same one ten thousand times. */
export class WarningLog {
  readonly #counts = new Map<string, { readonly message: string; number: number }>();

  /** @param mask for warnings that are shown later: a secret may have become known since */
  constructor(private readonly mask = (text: string): string => text) {}

  /** The text of the warning, or undefined if enough equal ones were shown. */
  take(event: Warning, cwd: string): string | undefined {
    const seen = getOrAdd(this.#counts, warningKey(event), () => ({ message: event.message, number: 0 }));
    seen.number++;
    if (seen.number > MOST_ALIKE) return undefined;
    const who = event.controller === undefined ? '' : `${oneLine(event.controller)}: `;
    const where = event.source === undefined ? '' : ` (${displayPlace(event.source, cwd)})`;
    return this.mask(`${who}${oneLine(shownStart(event.message, this.mask))}${where}`);
  }

  /** The number of warnings that were not shown, for the end of the run. */
  rest(): readonly string[] {
    return [...this.#counts.values()]
      .filter(({ number }) => number > MOST_ALIKE)
      .map(
        ({ message, number }) =>
          `${count(number - MOST_ALIKE, 'more warning')} like: ${oneLine(shownStart(message, this.mask))}`,
      );
  }
}
