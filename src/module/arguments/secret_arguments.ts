import { holdsSecret } from '../../secrets/names.js';
import { isList, isMapping, type Value } from '../../model/values/value.js';
import { hintsOf } from './advice.js';
import type { Module } from '../contract.js';
import { property, type Schema } from '../schema.js';
import { isNumeric } from '../../model/values/whole_number.js';

/**
 * The secret texts in a task's arguments, at any depth: those declared `secret: true`, and those with names such as
 * `password` or `token`, unless they are declared `secret: false`. Pass them to `Secrets.add` before anything is sent
 * or shown.
 */
export function secretArguments(module: Module, args: Value): readonly string[] {
  return secretsIn(args, [module.args, ...(isMapping(args) ? hintsOf(module, args) : [])]);
}

/** The arguments declared `secret: false`: not secret, even if their names suggest it. */
export function publicArguments(module: Module): readonly string[] {
  const schema: Schema = module.args;
  return Object.keys(schema.properties ?? {}).filter((name) => property(schema, name)?.secret === false);
}

function secretsIn(value: Value, schemas: readonly Schema[]): readonly string[] {
  if (isList(value))
    return value.flatMap((item) =>
      secretsIn(
        item,
        schemas.flatMap((schema) => schema.items ?? []),
      ),
    );
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = schemas.flatMap((schema) => property(schema, name) ?? []);
    const declared = inner.flatMap(({ secret }) => secret ?? []);
    const hidden = declared.length === 0 ? holdsSecret(name, item, value) : declared.includes(true);
    return hidden ? textsIn(item) : secretsIn(item, inner);
  });
}

/** Every text and number in a value, as text. */
export function textsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isNumeric(value)) return [String(value)];
  if (isList(value)) return value.flatMap(textsIn);
  return isMapping(value) ? Object.values(value).flatMap(textsIn) : [];
}
