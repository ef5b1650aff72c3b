import type { Change } from '../../../core/model/run/result.js';
import { LARGE } from '../../../core/model/values/stored.js';
import { jsonText, isEqual } from '../../../core/model/values/value.js';

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
  /** The names of its fields that are defined, without `key`: those that lines about one task share, and its own. */
  readonly shared: readonly string[];
  readonly own: readonly string[];
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
    return this.writeUnlessLarge(fields, Infinity) ?? '';
  }

  /** Undefined if the line would be large. */
  writeUnlessLarge(line: LineFields, most = LARGE): string | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a line has other fields, too; a copy would cost more than the text
    const fields = line as Fields;
    const known = fields.controller === undefined ? undefined : this.#find(fields);
    if (known !== undefined) {
      const text = this.#body(ownFields(known, fields), fields.change);
      return text.length > most
        ? undefined
        : `{"like":${known.id},"after":${Date.parse(fields.time) - known.time},${text}`;
    }
    const whole = this.#body({ ...fields, change: undefined }, fields.change);
    if (whole.length > most) return undefined;
    if (fields.controller === undefined || whole.length > LONGEST_REMEMBERED) return `{${whole}`;
    return `{"id":${this.#remember({ ...fields })},${whole}`;
  }

  #find(fields: Fields): Remembered | undefined {
    return this.#byStep.get(stepText(fields))?.findLast((known) => isAlike(known, fields));
  }

  #remember(fields: Fields): number {
    const id = this.nextId++;
    const names = Object.keys(fields).filter((name) => name !== 'key' && fields[name] !== undefined);
    // What is named as the controller is, differs for each: `target: lb1`.
    const isShared = (name: string): boolean => SHARED.has(name) && fields[name] !== fields.controller;
    const shared = names.filter(isShared);
    const own = names.filter((name) => !isShared(name));
    const line = { id, time: Date.parse(fields.time), fields, shared, own };
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

  /** Fields and a change as JSON without the opening brace. */
  #body(fields: object, change: Change | undefined): string {
    const text = jsonText(fields).slice(1);
    if (change === undefined) return text;
    return `${text.slice(0, -1)},"change":${this.#changeText(change)}}`;
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
function isAlike({ fields: known, shared, own }: Remembered, fields: Fields): boolean {
  const key = fields['key'];
  if ((key === undefined) !== (known['key'] === undefined)) return false;
  if (key !== known['key'] && !isItemKey(key)) return false;
  for (const name of shared) {
    const value = fields[name];
    if (value === undefined || (value !== known[name] && !isEqual(value, known[name]))) return false;
  }
  for (const name of own) if (fields[name] === undefined) return false;
  let size = key === undefined ? 0 : -1;
  for (const name in fields) if (fields[name] !== undefined) size += 1;
  return size === shared.length + own.length;
}

/** What the line has of its own, but for its time and its change. */
function ownFields({ own }: Remembered, fields: Fields): object {
  const texts: Record<string, unknown> = {};
  for (const name of own) if (name !== 'time' && name !== 'change') texts[name] = fields[name];
  if (isItemKey(fields['key'])) texts['key'] = fields['key'];
  return texts;
}

/** Such a key differs for each controller. */
function isItemKey(key: unknown): boolean {
  return typeof key === 'string' && key.includes('#');
}
