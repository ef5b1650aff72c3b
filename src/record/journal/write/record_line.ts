import type { JournalRecord, WriteIntended, WriteVerified } from '../../../core/model/run/journal.js';
import type { Change } from '../../../core/model/run/result.js';
import { entriesUnread, isLarge, StoredValue } from '../../../core/model/values/stored.js';
import { isEqual, isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import { encode } from '../../../core/model/values/value_codec.js';
import { maskChange, maskFile } from '../../../core/secrets/mask_event.js';
import { maskText, maskTitle } from '../../../core/secrets/mask_text.js';
import { isClear, maskedTexts, maskValue } from '../../../core/secrets/mask_value.js';
import type { Secrets } from '../../../core/secrets/secrets.js';
import type { LineFields, LineTexts } from '../format/line_texts.js';
import type { Sealer } from '../format/project_key.js';

/** The readable part of a record, and the fields that are sealed because they must be restored completely. */
interface Parts {
  /** As it is. */
  readonly open: object;
  /** Without secrets. */
  readonly shown?: object;
  /** Shown as well. */
  readonly change?: Change | undefined;
  readonly whole: object;
}

/** What is needed to write records. */
export interface LineWriter {
  readonly secrets: Secrets;
  readonly sealer: Sealer;
  readonly lines: LineTexts;
}

/** Puts a large value into a file. */
type MoveToFile = (value: unknown) => StoredValue;

/** A record as a line of the journal, without its end. The files of its large values must be on disk before it is. */
export function recordLine(record: JournalRecord, time: string, writing: LineWriter, moveToFile: MoveToFile): string {
  const parts = splitRecord(record, writing.secrets);
  const light = (): string =>
    writing.lines.write(lineFields(record, time, withoutLargeValues(parts, moveToFile), writing));
  // The text of a large object needs several times its memory. Other records are small before they are masked and
  // sealed.
  const isWrite = record.type === 'write-intended' || record.type === 'write-verified';
  if (isWrite && (isLarge(parts.change) || isLarge(parts.shown))) return light();
  return writing.lines.writeUnlessLarge(lineFields(record, time, parts, writing)) ?? light();
}

function lineFields({ type }: JournalRecord, time: string, parts: Parts, { sealer }: LineWriter): LineFields {
  const { open, shown, change, whole } = parts;
  const isOpen = Object.values(whole).every((value) => value === undefined);
  const sealed = isOpen ? {} : { sealed: sealer.seal(encode(whole)) };
  return { type, time, ...open, ...shown, ...sealed, change };
}

/** The depth at which some fields contain large values. Records are read without these values. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['change', 1],
  ['answer', 1],
  ['left', 2],
]);

/** Seals large parts in files, and keeps the texts in them that would have been masked. */
function withoutLargeValues({ open, shown, change, whole }: Parts, moveToFile: MoveToFile): Parts {
  const isAside = change !== undefined && isLarge(change);
  const readable = Object.entries<unknown>({ ...shown, ...(isAside && { change }) });
  const large = readable.filter(([, value]) => isLarge(value));
  const sealed = new Map<string, unknown>([...large, ...Object.entries(whole)]);
  const masked = large.flatMap(([name, value]) => maskedTexts(sealed.get(name), value));
  if (masked.length > 0) sealed.set('masked', masked);
  const light = [...sealed].map(
    ([name, value]) => [name, lightValue(value, DEPTHS.get(name) ?? 0, moveToFile)] as const,
  );
  return {
    open,
    shown: Object.fromEntries(readable.filter(([, value]) => !isLarge(value))),
    change: isAside ? undefined : change,
    whole: Object.fromEntries(light),
  };
}

function lightValue(value: unknown, depth: number, moveToFile: MoveToFile): unknown {
  if (value instanceof StoredValue || !isLarge(value)) return value;
  if (depth === 0 || !isMapping(value)) return moveToFile(value);
  const entries = entriesUnread(value).map(([name, item]) => [name, lightValue(item, depth - 1, moveToFile)] as const);
  return Object.fromEntries(entries);
}

function splitRecord(record: JournalRecord, secrets: Secrets): Parts {
  switch (record.type) {
    case 'step-settled': {
      const { left, title, ...open } = record;
      const { shown, whole } = split([['title', title, maskTitle(title, secrets)]]);
      return { open, shown, whole: { left, ...whole } };
    }
    case 'batch-ended': {
      const { reason, ...open } = record;
      return { open, ...split([['reason', reason, reason && maskText(reason, secrets)]]) };
    }
    case 'write-finished': {
      const { answer, ...open } = record;
      return { open, whole: { answer } };
    }
    case 'write-intended':
      return intended(record, secrets);
    case 'write-verified':
      return verified(record, secrets);
    case 'controller-reached': {
      const { url, ...open } = record;
      return { open, ...split([['url', url, maskText(url, secrets)]]) };
    }
    case 'steps-forgotten':
    case 'step-declined':
      return { open: record, whole: {} };
  }
}

function intended(
  { object, tenant, path, name, change, body, connection, reached, source, ...rest }: WriteIntended,
  secrets: Secrets,
): Parts {
  const [play, task] = [maskTitle(rest.play, secrets), maskTitle(rest.task, secrets)];
  const open = { ...rest, play, task, source: maskFile(source, secrets) };
  // Most bodies are what the object shall be: once is enough.
  const isAfter = change.kind !== 'none' && isEqual(change.after, body);
  const url = maskText(reached.url, secrets);
  const to: Mapping = { ...reached };
  const where = ['reached', to, url === reached.url ? to : { ...to, url }] as const;
  if (rest.hidden === true) {
    const { shown, whole } = split([where]);
    return {
      open,
      shown,
      whole: { object, tenant, path, name, change, connection, ...whole, ...(isAfter ? {} : { body }) },
    };
  }
  const { shown, whole } = split([
    where,
    ['object', object, maskText(object, secrets)],
    ['tenant', tenant, tenant && maskText(tenant, secrets)],
    ['path', path, maskText(path, secrets)],
    ['name', name, name && maskText(name, secrets)],
    ...(isAfter ? [] : [['body', body, shownValue(body, secrets)] as const]),
  ]);
  const shownChange = maskChange(change, secrets);
  const kept = connection === undefined ? whole : { connection, ...whole };
  return { open, shown, change: shownChange, whole: shownChange === change ? kept : { change, ...kept } };
}

function verified({ seen, ...open }: WriteVerified, secrets: Secrets): Parts {
  if (open.hidden === true) return { open, whole: { seen } };
  return { open, ...split([['seen', seen, shownValue(seen, secrets)]]) };
}

/** The value itself if it contains no secrets. */
function shownValue(value: Value, secrets: Secrets): Value {
  return isClear(value, secrets) ? value : maskValue(value, secrets);
}

type RecordField = readonly [name: string, value: Value | undefined, shown: Value | undefined];

/** A record without secrets is stored readable; of other records, the readable part has the secrets masked. */
function split(fields: readonly RecordField[]): { readonly shown: object; readonly whole: object } {
  const [shown, whole]: [Record<string, Value>, Record<string, Value>] = [{}, {}];
  for (const [name, value, left] of fields) {
    if (value === undefined) continue;
    if (left !== undefined) shown[name] = left;
    if (left !== value) whole[name] = value;
  }
  return { shown, whole };
}
