import {
  directReference,
  isReferenceName,
  queriedReference,
  type NamedReference,
} from '../../core/model/run/reference.js';
import type { FieldPath } from '../../core/model/source/diagnostic.js';
import { isList, isMapping, leavesIn, mapLeaves, type Mapping, type Value } from '../../core/model/values/value.js';

/** A declared reference by name, without the uuid of its object. */
export interface DeclaredReference {
  /** From the root of the arguments. */
  readonly path: FieldPath;
  /** As declared. */
  readonly text: string;
  /** The field that contains it, directly or in a list. */
  readonly field: string;
  /** Undefined for a bare name, whose collection depends on the field. */
  readonly named: NamedReference | undefined;
}

/** Whether a value contains such a reference. Cheap, because every task that would write calls it. */
export function refersByName(value: Value, field = ''): boolean {
  if (isList(value)) return value.some((item) => refersByName(item, field));
  if (isMapping(value)) return Object.keys(value).some((name) => refersByName(value[name] ?? null, name));
  return typeof value === 'string' && isReferenceName(field) && isNamed(value);
}

function isNamed(text: string): boolean {
  if (text === '' || directReference(text) !== undefined) return false;
  // Other texts that look like an address are sent unchanged.
  return queriedReference(text) !== undefined || !/[/?]/.test(text);
}

/** The references in a task's arguments that name their objects, in their order. */
export function declaredReferences(args: Value): readonly DeclaredReference[] {
  return [...leavesIn(args)].flatMap(([text, path]) => {
    const field = path.findLast((part) => typeof part === 'string');
    if (typeof text !== 'string' || field === undefined || !isReferenceName(field) || !isNamed(text)) return [];
    return [{ path, text, field, named: queriedReference(text) }];
  });
}

/** The same arguments with these references, by the field and the text that declares them (`targetKey`). */
export function withReferencesIn(mapping: Mapping, targets: ReadonlyMap<string, string>): Mapping {
  return mapLeaves(mapping, (leaf, field) =>
    typeof leaf === 'string' ? (targets.get(targetKey(field, leaf)) ?? leaf) : leaf,
  );
}

export function targetKey(field: string, text: string): string {
  return `${field} ${text}`;
}

/** Returns the object with the name of each referenced object after a `#`, as controllers show references to people. */
export function withNames(object: Mapping, nameOf: (collection: string, uuid: string) => string | undefined): Mapping {
  return mapLeaves(object, (value, field) => {
    if (typeof value !== 'string' || value.includes('#') || !isReferenceName(field)) return value;
    const direct = directReference(value);
    const name = direct && nameOf(direct.collection, direct.uuid);
    return name === undefined ? value : `${value}#${name}`;
  });
}
