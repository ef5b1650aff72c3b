import * as Type from 'typebox';
import { directReference, queriedReference } from '../../core/model/run/reference.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { isNumeric } from '../../core/model/values/json.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { jsonText, isList, isMapping, Unsafe, valueAt } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import type { Module } from '../contract.js';
import type { FindStructure } from './comparison.js';
import type { ListRules } from './list_keys.js';

/** The object of a controller that a task manages. */
interface Identity {
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  /** `/api/cloud/` for a member of a collection, the object's own path for a singleton. */
  readonly path: string;
}

/** An object of a collection. */
export interface MemberIdentity extends Identity {
  readonly name: string;
  /** Fields that identify it among objects of its name; they are not written. */
  readonly match?: Mapping | undefined;
  /** The tenant that the task itself names. */
  readonly tenant?: string | undefined;
}

/** The desired state of one object on a controller. */
export interface Desired extends Identity, ListRules {
  /** The declared fields; of a member of a collection, with its `name`. */
  readonly fields: Mapping;
  /** Whether undeclared fields are dropped. */
  readonly replace: boolean;
  readonly secrets: SecretPolicy;
  /** For fields that are declared as null: their defaults, and whether they are left out of a write. */
  readonly structure?: FindStructure | undefined;
}

export type DesiredMember = Desired & MemberIdentity;

/** `on_create`: a secret that reads back hidden is taken as correct. `always`: it is sent every time. */
type SecretPolicy = 'on_create' | 'always';

/** The argument that says in which tenant a task acts. */
export const TENANT = {
  tenant: Type.Optional(
    Type.String({
      minLength: 1,
      expects: 'a name',
      connection: 'controller_tenant',
      description: 'The tenant in which the task acts; default: `controller_tenant`. Only for dialects with tenants.',
    }),
  ),
};

/** The argument that identifies one of several objects with the same name. */
export const MATCH = {
  match: Type.Optional(
    Type.Unsafe<Mapping>({
      type: 'object',
      description:
        'Fields that identify the object among others of its name, such as `cloud_ref` or `uuid`. They are compared, not written; a new object gets their `cloud_ref` and `tenant_ref`. References can name their object.',
    }),
  ),
};

const KEYS = { type: 'array', items: { type: 'string' } };
const MERGE_RULE = {
  expects: 'a list of fields such as [ip.addr, port], or {by: [ip.addr, port], add: false}',
  anyOf: [
    KEYS,
    {
      type: 'object',
      properties: { by: KEYS, add: { type: 'boolean' } },
      required: ['by'],
      additionalProperties: false,
    },
  ],
};

/** The arguments of every resource that exists once, besides the fields of the object. */
export const SINGLE_CONTROLS = {
  ...TENANT,
  replace: Type.Boolean({
    default: false,
    description:
      'Write exactly the declared fields, and remove all others. If the controller adds removed fields again, the task is `changed` every time.',
  }),
  secrets: Type.Enum(['on_create', 'always'], {
    default: 'on_create',
    description:
      'When to write declared secrets. A controller shows them as `<sensitive>`, so they cannot be compared. `on_create`: with a new object, with another change, and if the project last wrote another value. `always`: every time, so the task is always `changed`.',
  }),
  merge: Type.Optional(
    Type.Unsafe<Mapping>({
      type: 'object',
      patternProperties: { '^.*$': MERGE_RULE },
      description:
        'Lists to merge, each with the fields that identify an element: `{servers: [ip.addr, port]}`. Declared elements are updated or added, others stay. `{servers: {by: [ip.addr, port], add: false}}` only updates elements that are there. `[]` compares whole elements, such as references. A list that is not merged replaces that of the controller.',
    }),
  ),
  without: Type.Optional(
    Type.Unsafe<Mapping>({
      type: 'object',
      patternProperties: { '^.*$': { type: 'array' } },
      description:
        'Elements to remove from lists: `{servers: [{ip: {addr: 10.0.0.9}}]}`. An element matches if it has these values; its other fields do not count.',
    }),
  ),
};

/** The arguments of every resource in a collection, besides the fields of the object. */
export const CONTROLS = { ...SINGLE_CONTROLS, ...MATCH };

type Controls = Pick<Desired, 'replace' | 'secrets'> & ListRules & Pick<MemberIdentity, 'match' | 'tenant'>;

const OWN: readonly string[] = Object.keys(CONTROLS);

/**
 * Splits the arguments: an argument that does not control the task is a field of the object.
 * @param controls names of arguments that control the task, beyond `CONTROLS`.
 */
export function declaration(args: Controls, controls: readonly string[] = []): Controls & Pick<Desired, 'fields'> {
  const { match, merge, without, tenant, ...others } = args;
  const { replace, secrets } = args;
  const isField = ([name]: readonly [string, Value]): boolean => !OWN.includes(name) && !controls.includes(name);
  const fields = Object.fromEntries(Object.entries<Value>(others).filter(isField));
  return { fields, replace, secrets, match, merge, without, tenant };
}

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
type NamedTenant = { readonly name: string } | { readonly uuid: string };

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
