import type { Event } from '../../../core/model/run/event.js';
import { RECORDS, type JournalRecord } from '../../../core/model/run/journal.js';
import { parseJson } from '../../../core/model/values/json.js';
import {
  fields,
  invalidField,
  mapping,
  number,
  optional,
  text,
  texts,
  type ShapeFields,
} from '../../../core/model/values/stored.js';
import { isMapping, mapValues, type Mapping } from '../../../core/model/values/value.js';
import { RecentLines } from '../format/line_texts.js';

/** A record: its readable fields, and the sealed rest. */
export interface KeptRecord {
  readonly type: JournalRecord['type'];
  readonly shown: Mapping;
  readonly sealed: string | undefined;
}

/** A readable text field of a record. Undefined if it is absent or sealed. */
export function shownText({ shown }: KeptRecord, name: string): string | undefined {
  const value = shown[name];
  return typeof value === 'string' ? value : undefined;
}

/** As `shownText`; empty if there is none. */
export function recordText(record: KeptRecord, name: string): string {
  return shownText(record, name) ?? '';
}

/** A line of the journal. `other`: written by a later version of evenkeel. */
export type JournalEntry =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'record'; readonly record: KeptRecord }
  | { readonly type: 'other' }
  /** `refers`: what is missing or damaged is an earlier line. */
  | { readonly type: 'broken'; readonly problem: string; readonly refers?: true };

/** What may be sealed, for its secrets or its size. */
const SEALABLE = new Set('left reason tenant connection object path name change body answer seen'.split(' '));

/** The readable fields of each kind of record, for finding and listing records without the key. */
const READABLE = mapValues<ShapeFields, ShapeFields>(RECORDS, (checks) => ({
  ...Object.fromEntries(Object.entries(checks).filter(([name]) => !SEALABLE.has(name))),
  sealed: optional(text),
}));

const SOURCE = fields({ file: text, line: number, column: number });
const EVENT = { time: text, run: text };

/** The fields of events that readers of a journal use. */
const EVENTS: Readonly<Record<Event['type'], ShapeFields>> = {
  'run-started': EVENT,
  'play-started': { ...EVENT, play: text, controllers: texts },
  'batch-started': { ...EVENT, batch: number, batches: number, controllers: texts, lost: optional(texts) },
  'task-started': { ...EVENT, controller: text },
  'task-finished': { ...EVENT, controller: text, status: text, play: text, task: text, module: text, source: SOURCE },
  'task-retried': EVENT,
  'task-progressed': EVENT,
  'handler-notified': EVENT,
  'request-finished': EVENT,
  'request-retried': { ...EVENT, controller: text, seconds: number },
  'controller-throttled': { ...EVENT, controller: text, seconds: number },
  'gate-started': { ...EVENT, controllers: texts },
  'gate-checked': EVENT,
  'gate-finished': { ...EVENT, batch: number, action: text },
  'controller-finished': EVENT,
  'batch-finished': EVENT,
  'play-finished': EVENT,
  'run-finished': { ...EVENT, status: text, exitCode: number, seconds: number, stats: mapping, unstarted: texts },
  warning: { ...EVENT, message: text },
};

/** Enough of a line for its type. */
const BEGINNING = 128;
const TYPE = /^\{("id":\d+,)?(?:"time":"[^"]*","run":"[^"]*",)?"type":"([^"]*)"/;
const LIKE = '{"like":';
/** The third byte of a line that refers to another, and of no other line. */
const OF_LIKE = LIKE.charCodeAt(2);

/** Reads the lines of a journal in order: what several have in common is in the first of them. */
export class EntryReader {
  readonly #lines = new RecentLines<Mapping>();

  parse(line: string): JournalEntry {
    let value: unknown;
    try {
      value = parseJson(line);
    } catch {
      return { type: 'broken', problem: 'it is not JSON' };
    }
    if (!isMapping(value)) return NO_RECORD;
    const { id, like } = value;
    if (typeof like === 'number') return this.#likeEarlier(like, value);
    if (typeof id !== 'number') return toEntry(value);
    const { id: _, ...first } = value;
    this.#lines.add(id, first);
    return toEntry(first);
  }

  /** Whether the line that begins there has one of these types. Later lines may refer to it nevertheless. */
  skips(types: ReadonlySet<unknown>, bytes: Buffer, from: number, to: number): boolean {
    if (bytes[from + 2] === OF_LIKE)
      return types.has(this.#lines.get(leadingNumber(bytes, from + LIKE.length))?.['type']);
    const [, id, type] = TYPE.exec(bytes.toString('latin1', from, Math.min(to, from + BEGINNING))) ?? [];
    if (!types.has(type)) return false;
    if (id !== undefined) this.parse(bytes.toString('utf8', from, to));
    return true;
  }

  #likeEarlier(id: number, line: Mapping): JournalEntry {
    const { like: _, after, ...own } = line;
    const first = this.#lines.get(id);
    if (first === undefined) return REFERS_TO_BROKEN;
    const time = new Date(Date.parse(typeof first['time'] === 'string' ? first['time'] : '') + Number(after));
    if (Number.isNaN(time.getTime())) return { type: 'broken', problem: '"after" is invalid' };
    const entry = toEntry({ type: first['type'] ?? null, ...first, ...own, time: time.toISOString() });
    return entry.type === 'broken' && toEntry(first).type === 'broken' ? REFERS_TO_BROKEN : entry;
  }
}

function leadingNumber(bytes: Buffer, from: number): number {
  let number = 0;
  for (let at = from; ; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}

const REFERS_TO_BROKEN = {
  type: 'broken',
  problem: 'an earlier line that it refers to is damaged or missing',
  refers: true,
} as const;
const NO_RECORD = { type: 'broken', problem: 'it is not a record' } as const;

function toEntry(value: Mapping): JournalEntry {
  if (typeof value['type'] !== 'string') return NO_RECORD;
  if (isInTable(RECORDS, value['type'])) return toRecordEntry(value['type'], value);
  if (isInTable(EVENTS, value['type'])) return toEventEntry(value['type'], value);
  return { type: 'other' };
}

function isInTable<K extends string>(table: Readonly<Record<K, ShapeFields>>, type: string): type is K {
  return Object.hasOwn(table, type);
}

function toRecordEntry(type: JournalRecord['type'], value: Mapping): JournalEntry {
  const invalid = invalidField(value, READABLE[type] ?? {});
  if (invalid !== undefined) return { type: 'broken', problem: `"${invalid}" of ${type} is invalid` };
  const { sealed, ...shown } = value;
  return { type: 'record', record: { type, shown, sealed: text(sealed) ? sealed : undefined } };
}

function toEventEntry(type: Event['type'], value: object): JournalEntry {
  const checks = EVENTS[type];
  if (isEvent(value, checks)) return { type: 'event', event: value };
  return { type: 'broken', problem: `"${invalidField(value, checks) ?? ''}" of ${type} is invalid` };
}

/** The other fields are shown as stored. */
function isEvent(value: object, checks: ShapeFields): value is Event {
  return invalidField(value, checks) === undefined;
}
