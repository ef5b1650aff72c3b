import type { Change } from '../../../core/model/run/result.js';
import { jsonText } from '../../../core/model/values/json.js';
import { LARGE } from '../../../core/model/values/stored.js';
import { isEqual } from '../../../core/model/values/value.js';

/** Lines that later ones can refer to: as many as a reader remembers. */
const MOST_REMEMBERED = 1000;

/** What writer and reader remember of a journal's lines, which both forget in the same order. */
export class RecentLines<Line> {
  readonly #lines = new Map<number, Line>();

  get(id: number): Line | undefined {
    return this.#lines.get(id);
  }

  /** Returns the line that it forgets, if any. */
  add(id: number, line: Line): Line | undefined {
    this.#lines.set(id, line);
    const [oldest] = this.#lines;
    if (this.#lines.size <= MOST_REMEMBERED || oldest === undefined) return undefined;
    this.#lines.delete(oldest[0]);
    return oldest[1];
  }
}

export interface LineFields {
  readonly type: string;
  readonly time: string;
  readonly place?: string | undefined;
  readonly task?: string | undefined;
  readonly title?: string | undefined;
  readonly handler?: string | boolean | undefined;
  readonly status?: string | number | undefined;
  readonly outcome?: string | undefined;
  readonly source?: { readonly line: number } | undefined;
  readonly controller?: string;
  readonly change?: Change | undefined;
}

/** What the lines about a task have in common, whichever controller they are about. */
const SHARED = new Set(
  'type run play task module handler status spoken diff check source place list title end counted method target outcome'.split(
    ' ',
  ),
);
/** A longer line is not worth the memory. */
const LONGEST_REMEMBERED = 4096;

/** How many remembered lines about one step are compared with a new one. */
const MOST_COMPARED = 8;

interface Remembered {
  readonly id: number;
  readonly time: number;
  readonly fields: Fields;
  /** Number of its fields that are defined. */
  readonly size: number;
}

type Fields = LineFields & Readonly<Record<string, unknown>>;

/**
 * Writes the lines of a journal: what a line has in common with an earlier one is written once. The first has an `id`; a
 * later one has that number as `like`, the milliseconds `after` it, and the fields that differ.
 */
export class LineTexts {
  /** The same change is recorded before a write and with the end of its task. */
  readonly #changes = new WeakMap<Change, string>();
  readonly #recent = new RecentLines<Remembered>();
  /** The same by step, the newest last. */
  readonly #byStep = new Map<string, Remembered[]>();

  /** @param nextId larger than any in the journal so far */
  constructor(private nextId: number) {}

  write(fields: LineFields): string {
    return this.#line({ ...fields }, Infinity) ?? '';
  }

  /** Undefined if the line would be large. */
  writeUnlessLarge(fields: LineFields): string | undefined {
    return this.#line({ ...fields }, LARGE);
  }

  #line(fields: Fields, most: number): string | undefined {
    const known = fields.controller === undefined ? undefined : this.#find(fields);
    if (known !== undefined) {
      const text = this.#body(ownFields(fields), fields.change);
      return text.length > most
        ? undefined
        : `{"like":${known.id},"after":${Date.parse(fields.time) - known.time},${text}`;
    }
    const whole = this.#body(fields, fields.change);
    if (whole.length > most) return undefined;
    if (fields.controller === undefined || whole.length > LONGEST_REMEMBERED) return `{${whole}`;
    return `{"id":${this.#remember(fields)},${whole}`;
  }

  #find(fields: Fields): Remembered | undefined {
    return this.#byStep.get(stepText(fields))?.findLast((known) => isAlike(known, fields));
  }

  #remember(fields: Fields): number {
    const id = this.nextId++;
    const size = Object.values(fields).filter((value) => value !== undefined).length;
    const line = { id, time: Date.parse(fields.time), fields, size };
    const step = stepText(fields);
    this.#byStep.set(step, [...(this.#byStep.get(step) ?? []).slice(1 - MOST_COMPARED), line]);
    const forgotten = this.#recent.add(id, line);
    if (forgotten !== undefined) this.#forget(forgotten);
    return id;
  }

  #forget(line: Remembered): void {
    const step = stepText(line.fields);
    const left = this.#byStep.get(step)?.filter((one) => one !== line) ?? [];
    if (left.length > 0) this.#byStep.set(step, left);
    else this.#byStep.delete(step);
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

/** Lines about different steps have little in common. */
function stepText({ type, place, task, title, handler, status, outcome, source }: Fields): string {
  const name = task ?? title ?? handler ?? '';
  return `${type} ${place ?? source?.line ?? ''} ${name} ${status ?? outcome ?? ''}`;
}

/** Whether the lines differ only in their own fields. */
function isAlike(known: Remembered, fields: Fields): boolean {
  let size = 0;
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    size += 1;
    const other = known.fields[name];
    if (value === other) continue;
    if (other === undefined) return false;
    if ((name === 'key' ? !isItemKey(value) : SHARED.has(name)) && !isEqual(value, other)) return false;
  }
  return size === known.size;
}

function ownFields(fields: Fields): object {
  const own: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    if (name === 'key' ? isItemKey(value) : !SHARED.has(name) && name !== 'time') own[name] = value;
  }
  return own;
}

/** Such a key differs for each controller. */
function isItemKey(key: unknown): boolean {
  return typeof key === 'string' && key.includes('#');
}
