import type { Change } from '../../../core/model/run/result.js';
import { jsonText } from '../../../core/model/values/json.js';
import { LARGE } from '../../../core/model/values/stored.js';

/** Lines that later ones can refer to: as many as a reader remembers. */
const MOST_REMEMBERED = 1000;

/** What writer and reader remember of a journal's lines, which both forget in the same order. */
export class RecentLines<K, V> {
  readonly #lines = new Map<K, V>();

  get(key: K): V | undefined {
    return this.#lines.get(key);
  }

  add(key: K, line: V): void {
    this.#lines.set(key, line);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MOST_REMEMBERED && oldest !== undefined) this.#lines.delete(oldest);
  }
}

export interface LineFields {
  readonly type: string;
  readonly time: string;
  readonly controller?: string;
  readonly change?: Change | undefined;
}

/** What the lines about a task have in common, whichever controller they are about. */
const SHARED = new Set(
  'type run play task module handler status spoken diff check source place key list title end counted method target outcome'.split(
    ' ',
  ),
);
/** A longer line is not worth the memory. */
const LONGEST_REMEMBERED = 4096;

interface Remembered {
  readonly id: number;
  readonly time: number;
}

interface PreparedLine {
  /** The same for lines that differ only in their own fields. Undefined: the line refers to none. */
  readonly alike: string | undefined;
  /** What follows the opening brace: without what is shared if there is `alike`. */
  readonly text: string;
}

/**
 * Writes the lines of a journal: what a line has in common with an earlier one is written once. The first has an `id`; a
 * later one has that number as `like`, the milliseconds `after` it, and the fields that differ.
 */
export class LineTexts {
  /** The same change is recorded before a write and with the end of its task. */
  readonly #changes = new WeakMap<Change, string>();
  readonly #remembered = new RecentLines<string, Remembered>();

  /** @param nextId larger than any in the journal so far */
  constructor(private nextId: number) {}

  write(fields: LineFields): string {
    return this.#finish(fields, this.#prepare(fields));
  }

  /** Undefined if the line would be large. */
  writeUnlessLarge(fields: LineFields): string | undefined {
    const line = this.#prepare(fields);
    return line.text.length <= LARGE ? this.#finish(fields, line) : undefined;
  }

  #prepare(fields: LineFields): PreparedLine {
    if (fields.controller === undefined) return { alike: undefined, text: this.#body(fields, fields.change) };
    const [shared, own]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
    let names = '';
    for (const [name, value] of Object.entries<unknown>({ ...fields })) {
      if (value === undefined) continue;
      // The key of an item differs for each controller. Inline, because this is the hottest line of a journal.
      if (SHARED.has(name) && !(name === 'key' && typeof value === 'string' && value.includes('#')))
        shared[name] = value;
      else {
        names += `${name} `;
        if (name !== 'time') own[name] = value;
      }
    }
    return { alike: names + jsonText(shared), text: this.#body(own, fields.change) };
  }

  #finish(fields: LineFields, { alike, text }: PreparedLine): string {
    if (alike === undefined) return `{${text}`;
    const known = this.#remembered.get(alike);
    if (known !== undefined) return `{"like":${known.id},"after":${Date.parse(fields.time) - known.time},${text}`;
    const whole = this.#body(fields, fields.change);
    if (whole.length > LONGEST_REMEMBERED) return `{${whole}`;
    const id = this.nextId++;
    this.#remembered.add(alike, { id, time: Date.parse(fields.time) });
    return `{"id":${id},${whole}`;
  }

  /** The fields as JSON without the opening brace, the change last. */
  #body(fields: object, change: Change | undefined): string {
    if (change === undefined) return jsonText(fields).slice(1);
    const text = jsonText({ ...fields, change: undefined });
    return `${text.slice(1, -1)},"change":${this.#changeText(change)}}`;
  }

  #changeText(change: Change): string {
    const known = this.#changes.get(change);
    if (known !== undefined) return known;
    const text = jsonText(change);
    this.#changes.set(change, text);
    return text;
  }
}
