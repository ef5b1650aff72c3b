import { count, nameSome } from '../../core/model/source/amounts.js';
import { shellWord } from '../../core/model/source/diagnostic.js';

export { count, grouped, nameSome } from '../../core/model/source/amounts.js';
export { appendTo, getOrAdd } from '../../core/model/values/groups.js';
export { fileWord } from '../../core/model/source/diagnostic.js';

/** Limit for failures, hints and warnings, in characters. Longer text is data, not a message. */
export const MOST_SHOWN_CHARACTERS = 2_000;

/** How many characters of names fit beside other words in a line of 160. */
export const NAMES_IN_LINE = 110;

/** `lb1`, `3 controllers: lb1, lb2, lb3` */
export function nameControllers(names: readonly string[], limit: number, room = Infinity): string {
  const shown = nameSome(names, limit, room);
  return names.length === 1 ? shown : `${count(names.length, 'controller')}: ${shown}`;
}

/** `cloud "a", pool "b" (2 controllers)`: the number of controllers if not all have it. */
export function nameCounted(
  counts: readonly (readonly [name: string, controllers: number])[],
  all: number,
  most: number,
): string {
  if (counts.length === 0) return 'nothing';
  const texts = counts.map(([name, number]) => (number === all ? name : `${name} (${count(number, 'controller')})`));
  return nameSome(texts, most);
}

/** What a task changed, its message, and what is `between`. `PUT /api/pool/1 answered 200` also says that it was sent. */
export function joinResult(words = '', message = '', between: readonly string[] = []): string {
  const isSaid = words.startsWith('sent ') && message.startsWith(words.slice('sent '.length));
  return [isSaid ? '' : words, ...between, message].filter((part) => part !== '').join('; ');
}

/** `0.3 s`, `12 s`, `2 min 5 s`, `1 h 3 min` */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `3 ms`, and otherwise as `duration`. */
export function elapsed(seconds: number): string {
  return seconds < 0.0995 ? `${Math.round(seconds * 1000)} ms` : duration(seconds);
}

let collator: Intl.Collator | undefined;

/** Compares names as people count: `lb2` before `lb10`. Controllers finish in any order. */
export function compareNames(one: string, other: string): number {
  // Made when it is first needed, which takes longer than most of a start.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(one, other);
}

/** In the order of `compareNames`. */
export function sortNames(names: Iterable<string>): readonly string[] {
  return [...names].sort(compareNames);
}

/** Words as a shell reads them, to copy. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
