import { SERVER_FIELDS } from '../core/model/run/result.js';
import { HIDDEN, entry, isList, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import {
  hiddenFields,
  hiddenIn,
  matches,
  withKeptHidden,
  withNullsAsShown,
  withoutDeclaredNulls,
  withoutHidden,
} from './comparison/comparison.js';
import type { Desired } from './comparison/desired.js';
import { unmergeable, withoutUnadded, withWholeLists } from './comparison/list_keys.js';
import { overlay } from './comparison/overlay.js';
import type { Plan } from './contract.js';

/** The object is not there: create it with the declared fields. */
export function planCreate(desired: Desired): Plan {
  const declared = withoutUnadded(withoutServerFields(desired.fields), desired);
  const after = withoutDeclaredNulls(declared, declared, desired.structure);
  return { change: { kind: 'create', object: desired.object, before: null, after }, ...refusal(after) };
}

/**
 * The object cannot be read: write the declared fields unconditionally.
 *
 * @param written the fields that this run has already written: a PUT without them would revert them.
 */
export function planUnreadable(desired: Desired, written: Mapping = {}): Plan {
  const declared = withoutServerFields(desired.fields);
  const whole = desired.replace ? declared : added(declared, written);
  const after = withoutDeclaredNulls(whole, declared, desired.structure);
  const change = { kind: 'update', object: desired.object, before: null, after } as const;
  const isMerge = Object.keys({ ...desired.merge, ...desired.without }).length > 0;
  return { change, uncomparable: true, ...(isMerge ? { refusal: UNMERGEABLE } : refusal(declared)) };
}

const UNMERGEABLE =
  'the controller does not show the object, so its lists cannot be merged: leave out "merge" and "without"';

/**
 * The object was read: change what differs from the declaration, and keep everything else unless `replace` is set.
 *
 * @param own what the task itself declares; other fields of `desired` are parts of the object
 */
export function planUpdate(desired: Desired, before: Mapping, own = desired.fields): Plan {
  const written = withoutServerFields(desired.fields);
  const doubled = unmergeable(written, before, desired);
  const whole = doubled === undefined ? withWholeLists(written, before, desired) : written;
  const declared = withNullsAsShown(whole, before, desired.structure);
  const same = matches(declared, before);
  const hidden = hiddenFields(declared, before).filter(([, secret]) => secret !== HIDDEN);
  const resend = desired.secrets === 'always' && hidden.length > 0;
  const refused = doubled === undefined ? refusal(withoutServerFields(own)) : { refusal: doubled };
  const about = { ...refused, ...(hidden.length > 0 && { hidden }) };
  const nothing: Plan = { change: { kind: 'none' }, ...about };
  if (same && !resend && !desired.replace) return nothing;
  const laid = desired.replace ? replacement(declared, before) : overlay(declared, before);
  const merged = withoutDeclaredNulls(laid, declared, desired.structure);
  const after = withoutHidden(merged);
  if (same && !resend && !drops(before, after)) return nothing;
  const change = { kind: 'update', object: desired.object, before, after } as const;
  const plan = { change, ...about, ...(desired.replace ? {} : lostSecrets(desired, merged, before)) };
  return same ? { ...plan, satisfied: true } : plan;
}

/** All declared fields, including empty values: the controller's present values are unknown. */
function added(declared: Mapping, written: Mapping): Mapping {
  const both = Object.entries(declared).map(([name, item]) => {
    const before = entry(written, name);
    return [name, isMapping(item) && isMapping(before) ? added(item, before) : item] as const;
  });
  return Object.fromEntries([...Object.entries(written), ...both]);
}

/** @param kept server fields that stay */
export function withoutServerFields(fields: Mapping, kept: readonly string[] = []): Mapping {
  const isKept = (name: string): boolean => kept.includes(name) || !SERVER_FIELDS.includes(name);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
}

/** Keeps the fields that identify the object and its version. */
function replacement(declared: Mapping, before: Mapping): Mapping {
  const kept = SERVER_FIELDS.flatMap((name) => {
    const value = entry(before, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), ...declared };
}

/** Whether `after` lacks a part of `before`. */
function drops(before: Value, after: Value | undefined): boolean {
  if (after === undefined) return true;
  if (isMapping(before) && isMapping(after))
    return Object.entries(before).some(([key, item]) => drops(item, entry(after, key)));
  return isList(before) && isList(after) && before.some((item, at) => drops(item, after[at]));
}

function refusal(declared: Mapping): Pick<Plan, 'refusal'> {
  const [first] = hiddenIn(declared);
  if (first === undefined) return {};
  return {
    refusal: `"${first}" is declared as "<sensitive>", which a controller shows in place of a secret: set the secret, or leave the field out`,
  };
}

function lostSecrets(desired: Desired, merged: Mapping, before: Mapping): Pick<Plan, 'warnings' | 'keeping'> {
  const lost = hiddenIn(merged);
  if (lost.length === 0) return {};
  const after = withKeptHidden(merged, before);
  const kept = hiddenIn(after);
  const warnings = [unsent(desired, lost)];
  const left = lost.filter((path) => !kept.includes(path));
  return {
    warnings,
    ...(kept.length > 0 && {
      keeping: { after, warnings: left.length === 0 ? [] : [unsent(desired, left)], unfounded: warnings },
    }),
  };
}

function unsent({ object }: Desired, paths: readonly string[]): string {
  const what = paths.map((path) => `"${path}"`).join(', ');
  return `${object}: ${what} cannot be read and is not declared, so it is not sent; declare it if the controller must keep it`;
}
