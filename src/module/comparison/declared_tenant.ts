import { directReference, queriedReference } from '../../core/model/run/reference.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { jsonText } from '../../core/model/values/json.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { isList, isMapping, Unsafe, valueAt, type Mapping, type Value } from '../../core/model/values/value.js';
import { isNumeric } from '../../core/model/values/whole_number.js';
import type { Module } from '../contract.js';

/** A `tenant_ref` of the object that a task declares: the task acts in that tenant. */
export interface DeclaredTenant {
  /** In the arguments. */
  readonly path: FieldPath;
  readonly text: string;
}

const FIELD = 'tenant_ref';

/** @param args as written, or rendered */
export function declaredTenants(module: Module, args: Value): readonly DeclaredTenant[] {
  const found: DeclaredTenant[] = [];
  for (const place of placesIn(module)) {
    const text = valueAt(args, [...place, FIELD]);
    if (typeof text === 'string' && text !== '') found.push({ path: [...place, FIELD], text });
  }
  for (const path of module.connection === undefined ? [] : BY_UUID) {
    const uuid = valueAt(args, path);
    if (typeof uuid === 'string' && uuid !== '') found.push({ path, text: `/api/tenant/${encodedPart(uuid)}` });
  }
  return found;
}

/** Where modules that bring their connection name the tenant by its uuid. */
const BY_UUID = [['tenant_uuid'], ['avi_credentials', 'tenant_uuid']];

interface WrongTenant {
  readonly path: FieldPath;
  readonly message: string;
}

/** A tenant that is no text, or an empty one, at its place in the arguments. Null equals a missing field. */
export function wrongTenants(module: Module, args: Mapping): readonly WrongTenant[] {
  return placesIn(module).flatMap((place) => {
    const value = valueAt(args, [...place, FIELD]) ?? null;
    if (value === null || value instanceof Unsafe || (typeof value === 'string' && value !== '')) return [];
    // A number becomes the text that it was written as.
    if (isNumeric(value)) return [];
    const path = [...place, FIELD];
    const given = isList(value) ? 'a list' : isMapping(value) ? 'a mapping' : jsonText(value);
    return [{ path, message: `"${pathText(path)}" must be the name of a tenant, not ${given}` }];
  });
}

/** Where the arguments have fields of the object. */
function placesIn(module: Module): readonly (readonly string[])[] {
  if (module.type === 'resource') return IN_RESOURCES;
  return module.fieldsIn === undefined ? [] : [[module.fieldsIn]];
}

const IN_RESOURCES = [[], ['properties'], ['match']];

/** What a reference to a tenant says about it; undefined if it is a reference to something else. */
export type NamedTenant = { readonly name: string } | { readonly uuid: string };

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param collection of tenants */
export function namedTenant(text: string, collection: string): NamedTenant | undefined {
  const queried = queriedReference(text);
  if (queried !== undefined) return queried.collection === collection ? { name: queried.name } : undefined;
  const direct = directReference(text);
  if (direct !== undefined) return direct.collection === collection ? { uuid: direct.uuid } : undefined;
  if (/[/?]/.test(text)) return undefined;
  return UUID.test(text) ? { uuid: text } : { name: text };
}
