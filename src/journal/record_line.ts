import type { JournalRecord, WriteIntended, WriteVerified } from '../model/journal.js';
import type { Secrets } from '../model/secrets.js';
import { isList, isMapping } from '../model/value.js';
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
      const { left, ...rest } = record;
      const { shown, whole } = split({ title: rest.title }, { title: redactText(rest.title, secrets) });
      return { shown: { ...rest, ...shown }, whole: { ...whole, left } };
    }
    case 'batch-ended': {
      const { reason, ...rest } = record;
      const { shown, whole } = split({ reason }, { reason: reason && redactText(reason, secrets) });
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
  const fields = { object, path, name, change, ...(isAfter ? {} : { body }) };
  if (rest.hidden === true) return { shown: always, whole: fields };
  const { shown, whole } = split(fields, {
    object: redactText(object, secrets),
    path: redactText(path, secrets),
    name: name && redactText(name, secrets),
    change: redactChange(change, secrets),
    ...(isAfter ? {} : { body: redactValue(body, secrets) }),
  });
  return { shown: { ...always, ...shown }, whole };
}

function verified({ seen, ...rest }: WriteVerified, secrets: Secrets): Parts {
  if (rest.hidden === true) return { shown: rest, whole: { seen } };
  const { shown, whole } = split({ seen }, { seen: redactMapping(seen, secrets) });
  return { shown: { ...rest, ...shown }, whole };
}

/** What is the same without secrets stands readable; of the rest a reader sees what is left without them. */
function split<T extends object>(fields: T, redacted: { [K in keyof T]: unknown }): Parts {
  const changed = Object.entries(fields).filter(([key, value]) => !isSame(Reflect.get(redacted, key), value));
  return { shown: redacted, whole: Object.fromEntries(changed) };
}

/** Whether JSON brings exactly that value back from what is shown. */
function isSame(shown: unknown, value: unknown): boolean {
  if (typeof value === 'number') return shown === value && Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return shown === value;
  if (isList(value)) {
    return isList(shown) && shown.length === value.length && value.every((one, index) => isSame(shown[index], one));
  }
  if (!isMapping(value) || !isMapping(shown)) return false;
  const keys = Object.keys(value);
  return (
    keys.length === Object.keys(shown).length &&
    keys.every((key) => Object.hasOwn(shown, key) && isSame(shown[key], value[key]))
  );
}
