import { isList, isMapping, leavesIn, type Value } from '../../core/model/values/value.js';
import { isNumeric } from '../../core/model/values/whole_number.js';
import { coverFor, isNoSecret, type Cover } from '../../core/secrets/names.js';
import type { Module } from '../contract.js';
import { property, type Schema } from '../schema.js';
import { argumentHints } from './advice.js';

/**
 * The secret texts in a task's arguments, at any depth: those declared `secret: true`, and those with names such as
 * `password` or `token`, unless they are declared `secret: false`. Pass them to `Secrets.add` before anything is sent
 * or shown.
 */
export function secretArguments(module: Module, args: Value): readonly string[] {
  return secretsIn(args, [module.args, ...(isMapping(args) ? argumentHints(module, args) : [])]);
}

/** The arguments declared `secret: false`: not secret, even if their names suggest it. */
export function publicArguments(module: Module): readonly string[] {
  const schema: Schema = module.args;
  return Object.keys(schema.properties ?? {}).filter((name) => property(schema, name)?.secret === false);
}

/** @param cover what the names above the value make of it */
function secretsIn(value: Value, schemas: readonly Schema[], cover: Cover = 'open'): readonly string[] {
  if (isList(value)) {
    const items = schemas.flatMap((schema) => schema.items ?? []);
    return value.flatMap((item) => secretsIn(item, items, cover));
  }
  if (!isMapping(value)) return cover === 'open' ? [] : textsIn(value).filter((text) => !isNoSecret(text));
  return Object.entries(value).flatMap(([name, item]) => {
    const inner = schemas.flatMap((schema) => property(schema, name) ?? []);
    const declared = inner.flatMap(({ secret }) => secret ?? []);
    if (declared.includes(true)) return textsIn(item);
    return secretsIn(item, inner, declared.length === 0 ? coverFor(name, value, cover) : cover);
  });
}

/** Every text and number in a value, as text. */
export function textsIn(value: Value): readonly string[] {
  return [...leavesIn(value)].flatMap(([leaf]) => (typeof leaf === 'string' || isNumeric(leaf) ? [String(leaf)] : []));
}
