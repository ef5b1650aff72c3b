import type { Event } from '../../model/run/event.js';
import type { JournalRecord } from '../../model/run/journal.js';
import { isMapping, type Mapping } from '../../model/values/value.js';
import {
  fields,
  flag,
  listOf,
  mapping,
  number,
  oneOf,
  optional,
  text,
  texts,
  invalidField,
  type Fields,
} from './shape.js';

/** A record as it is read: what anybody may read of it, and what is sealed. */
export interface KeptRecord {
  readonly type: JournalRecord['type'];
  readonly shown: Mapping;
  readonly sealed: string | undefined;
}

/** A field that such a record shows in any case. */
export function textOf({ shown }: KeptRecord, name: string): string {
  const value = shown[name];
  return typeof value === 'string' ? value : '';
}

/** A line of the journal. `other`: of a kind that a later version of evenkeel has added. */
export type Entry =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'record'; readonly record: KeptRecord }
  | { readonly type: 'other' }
  | { readonly type: 'broken'; readonly problem: string };

const STEP: Fields = {
  controller: text,
  place: text,
  item: optional(number),
  key: optional(text),
  alike: optional(number),
  list: optional(text),
};
const SOURCE = fields({ file: text, line: number, column: number });

/** The readable fields of each kind of record, for finding and listing records without the key. */
const RECORDS: Readonly<Record<JournalRecord['type'], Fields>> = {
  'step-settled': {
    ...STEP,
    module: text,
    title: text,
    end: oneOf('completed', 'failed', 'unreachable'),
    counted: fields({ status: text }),
  },
  'steps-forgotten': { controller: text, place: text },
  'step-declined': STEP,
  'batch-ended': { play: number, batch: number, how: oneOf('halted', 'batch', 'play'), underWay: listOf(fields(STEP)) },
  'write-intended': {
    ...STEP,
    write: number,
    target: text,
    connection: optional(fields({ id: text, url: text })),
    play: text,
    task: text,
    module: text,
    source: SOURCE,
    method: text,
    uncomparable: optional(flag),
    hidden: optional(flag),
  },
  'write-finished': { write: number, controller: text, outcome: oneOf('applied', 'refused', 'unknown') },
  'write-verified': { write: number, controller: text },
  'controller-reached': { controller: text, url: text },
};

/** Of events, what is looked at when a journal is read. */
const EVENTS: Readonly<Record<Event['type'], Fields>> = {
  'run-started': {},
  'play-started': { play: text, controllers: texts },
  'batch-started': { controllers: texts },
  'task-started': { controller: text },
  'task-finished': { controller: text, status: text, play: text, task: text, module: text, source: SOURCE },
  'task-retried': {},
  'handler-notified': {},
  'request-finished': {},
  'controller-throttled': {},
  'gate-started': { controllers: texts },
  'gate-checked': {},
  'gate-finished': { batch: number, action: text },
  'controller-finished': {},
  'batch-finished': {},
  'play-finished': {},
  'run-finished': { status: text, exitCode: number, seconds: number, stats: mapping, unstarted: texts },
  warning: { message: text },
};

/** Understands one line. */
export function parseEntry(line: string): Entry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { type: 'broken', problem: 'it is no JSON' };
  }
  if (!isMapping(value) || typeof value['type'] !== 'string') return { type: 'broken', problem: 'it is no record' };
  if (isOf(RECORDS, value['type'])) return recordOf(value['type'], value);
  if (isOf(EVENTS, value['type'])) return eventOf(value['type'], value);
  return { type: 'other' };
}

function isOf<K extends string>(table: Readonly<Record<K, Fields>>, type: string): type is K {
  return Object.hasOwn(table, type);
}

function recordOf(type: JournalRecord['type'], value: Mapping): Entry {
  const wrong = invalidField(value, { ...RECORDS[type], sealed: optional(text) });
  if (wrong !== undefined) return { type: 'broken', problem: `"${wrong}" of ${type} makes no sense` };
  const { sealed, ...shown } = value;
  return { type: 'record', record: { type, shown, sealed: typeof sealed === 'string' ? sealed : undefined } };
}

function eventOf(type: Event['type'], value: Mapping): Entry {
  const wrong = invalidField(value, { time: text, run: text, ...EVENTS[type] });
  if (wrong !== undefined) return { type: 'broken', problem: `"${wrong}" of ${type} makes no sense` };
  // The used fields are validated; the others are passed on as stored.
  return { type: 'event', event: value as unknown as Event };
}
