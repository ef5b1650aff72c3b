import type { JournalRecord, WriteIntended, WriteVerified } from '../model/journal.js';
import type { Secrets } from '../model/secrets.js';
import { isList, isMapping, type Value } from '../model/value.js';
import { isClear } from '../redaction/is_clear.js';
import { redactChange } from '../redaction/redact_change.js';
import { redactText } from '../redaction/redact_text.js';
import { redactMapping, redactValue } from '../redaction/redact_value.js';
import type { Sealer } from './sealer.js';
import { encode } from './value_codec.js';

/** What of a record may be read by anybody, and the fields that must come back whole and are sealed. */
interface Parts {
  readonly shown: object;
  readonly whole: object;
}

/** A record as a line of the journal, without its end. */
export function recordLine(record: JournalRecord, time: string, secrets: Secrets, sealer: Sealer): string {
  const { shown, whole } = partsOf(record, secrets);
  const isOpen = Object.values(whole).every((value) => value === undefined);
  return JSON.stringify({
    type: record.type,
    time,
    ...shown,
    ...(isOpen ? {} : { sealed: sealer.seal(encode(whole)) }),
  });
}

function partsOf(record: JournalRecord, secrets: Secrets): Parts {
  switch (record.type) {
    case 'step-settled': {
      const { left, title, ...rest } = record;
      const { shown, whole } = split([['title', title, () => redactText(title, secrets)]], secrets);
      return { shown: { ...rest, ...shown }, whole: { ...whole, left } };
    }
    case 'batch-ended': {
      const { reason, ...rest } = record;
      const { shown, whole } = split([['reason', reason, () => reason && redactText(reason, secrets)]], secrets);
      return { shown: { ...rest, ...shown }, whole };
    }
    case 'write-finished': {
      const { answer, ...rest } = record;
      return { shown: rest, whole: { answer } };
    }
    case 'write-intended':
      return intended(record, secrets);
    case 'write-verified':
      return verified(record, secrets);
    case 'steps-forgotten':
    case 'step-declined':
    case 'controller-reached':
      return { shown: record, whole: {} };
  }
}

function intended({ object, path, name, change, body, ...rest }: WriteIntended, secrets: Secrets): Parts {
  const always = { ...rest, play: redactText(rest.play, secrets), task: redactText(rest.task, secrets) };
  // Most bodies are what the object shall be: once is enough.
  const isAfter = change.kind !== 'none' && isSame(change.after, body);
  if (rest.hidden === true)
    return { shown: always, whole: { object, path, name, change, ...(isAfter ? {} : { body }) } };
  const { shown, whole } = split(
    [
      ['object', object, () => redactText(object, secrets)],
      ['path', path, () => redactText(path, secrets)],
      ['name', name, () => name && redactText(name, secrets)],
      ['change', change, () => redactChange(change, secrets)],
      ...(isAfter ? [] : [['body', body, () => redactValue(body, secrets)] as const]),
    ],
    secrets,
  );
  return { shown: { ...always, ...shown }, whole };
}

function verified({ seen, ...rest }: WriteVerified, secrets: Secrets): Parts {
  if (rest.hidden === true) return { shown: rest, whole: { seen } };
  const { shown, whole } = split([['seen', seen, () => redactMapping(seen, secrets)]], secrets);
  return { shown: { ...rest, ...shown }, whole };
}

type Field = readonly [name: string, value: Value | undefined, redacted: () => unknown];

/** What is clear stands readable; of the rest a reader sees what is left without secrets. */
function split(fields: readonly Field[], secrets: Secrets): Parts {
  const [shown, whole]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [name, value, redacted] of fields) {
    if (value === undefined) continue;
    if (isClear(value, secrets)) shown[name] = value;
    else [shown[name], whole[name]] = [redacted(), value];
  }
  return { shown, whole };
}

function isSame(a: Value, b: Value): boolean {
  if (isList(a)) return isList(b) && a.length === b.length && a.every((one, index) => isSame(one, b[index] ?? null));
  if (!isMapping(a)) return Object.is(a, b);
  if (!isMapping(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name] ?? null, b[name] ?? null))
  );
}
