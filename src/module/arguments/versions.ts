import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { compareVersions } from '../../core/model/version.js';
import type { Module } from '../contract.js';
import { property, type Schema } from '../schema.js';
import { argumentHints } from './advice.js';
import type { ArgumentProblem } from './violation.js';

/** Arguments of a module with the fields that not every version of the API has, each field once. */
type Versioned = ReadonlyMap<Schema, FieldPath>;

/** By arguments as written, which are the same for all controllers. */
const known = new WeakMap<Mapping, Versioned>();

/** Warnings about declared fields that a controller with this version of the API does not have. */
export function versionAdvice(module: Module, args: Mapping, version: string): readonly ArgumentProblem[] {
  const versioned = getOrAdd(known, args, () => versionedFields(module, args));
  return [...versioned].flatMap(([{ since, until }, path]) => {
    const why =
      since !== undefined && compareVersions(version, since) < 0
        ? `exists since version ${since}`
        : until !== undefined && compareVersions(version, until) >= 0
          ? `no longer exists since version ${until}`
          : undefined;
    if (why === undefined) return [];
    const message = `"${pathText(path)}" ${why} of the API, and the version here is ${version}`;
    return [{ path, message, hint: 'the controller may refuse or ignore it: leave it out, or change the version' }];
  });
}

function versionedFields(module: Module, args: Mapping): Versioned {
  const found = new Map<Schema, FieldPath>();
  for (const schema of argumentHints(module, args)) collect(schema, args, [], found);
  return found;
}

function collect(schema: Schema, value: Value, path: FieldPath, found: Map<Schema, FieldPath>): void {
  if (value === null) return;
  if ((schema.since ?? schema.until) !== undefined && !found.has(schema)) found.set(schema, path);
  if (isList(value)) {
    const { items } = schema;
    if (items !== undefined) for (const [at, item] of value.entries()) collect(items, item, [...path, at], found);
  } else if (isMapping(value) && schema.properties !== undefined) {
    for (const [name, inner] of Object.entries(value)) {
      const field = property(schema, name);
      if (field !== undefined) collect(field, inner, [...path, name], found);
    }
  }
}
