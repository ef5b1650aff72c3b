import {
  directReference,
  expectedReference,
  isReferenceName,
  queriedReference,
  type NamedReference,
  type ReferenceLookup,
  type Scope,
} from '../../core/model/run/reference.js';
import type { FieldPath } from '../../core/model/source/diagnostic.js';
import { jsonText, entry, isList, isMapping, leavesIn, mapLeaves } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { matches } from './comparison.js';
import type { DesiredMember } from './desired.js';

export { withoutNames } from '../../core/model/run/reference.js';

/** The fields that distinguish an object from others with the same name. */
interface ScopeFields {
  /** The declared `cloud_ref`. Used where names are unique per cloud, and wherever several objects have the name. */
  readonly cloud?: string | undefined;
  /** Fields that the object must have. */
  readonly match?: Mapping | undefined;
  /** Whether the task itself names its tenant (`tenant`, `tenant_ref`): objects of other tenants, which controllers also show, are not meant. */
  readonly isTenantDeclared?: boolean;
}

/** Undefined if the name alone must identify the object. */
function objectScope(
  collection: string,
  { cloud, match = {}, isTenantDeclared = false }: ScopeFields,
): Scope | undefined {
  const fields = Object.keys(match);
  const isPlain = cloud === undefined && fields.length === 0;
  if (isPlain && !isTenantDeclared) return undefined;
  return {
    key: jsonText([cloud ?? null, match]),
    ownOnly: isTenantDeclared,
    select: async (objects, openLookup) => {
      if (objects.length === 0 || isPlain) return objects;
      const lookup = await openLookup();
      const having = async (wanted: Mapping, among: readonly Mapping[]): Promise<readonly Mapping[]> => {
        const resolvedMatch = await resolvedFields(wanted, collection, lookup);
        return resolvedMatch === undefined ? [] : among.filter((object) => hasFields(object, resolvedMatch));
      };
      const left = fields.length === 0 ? objects : await having(match, objects);
      if (cloud === undefined || left.length === 0) return left;
      const counts =
        lookup?.defaultCloud !== undefined
          ? left.some((object) => entry(object, CLOUD) !== undefined)
          : left.length > 1;
      return counts ? having({ [CLOUD]: cloud }, left) : left;
    },
  };
}

const CLOUD = 'cloud_ref';
const TENANT = 'tenant_ref';

function hasFields(object: Mapping, wanted: Mapping): boolean {
  return Object.entries(wanted).every(([name, value]) => matches(value, entry(object, name), name));
}

/** The fields with resolved references; undefined if an object does not exist, so that nothing can match. */
async function resolvedFields(
  fields: Mapping,
  collection: string,
  lookup: ReferenceLookup | undefined,
): Promise<Mapping | undefined> {
  if (lookup === undefined) return fields;
  const targets = new Map<string, string>();
  for (const { field, text, named } of declaredReferences(fields)) {
    const reference = named ?? { collection: await lookup.findCollection(field, collection), name: text };
    const resolved = await lookup.resolve(reference);
    if (resolved.type !== 'found' && resolved.type !== 'expected') return undefined;
    targets.set(targetKey(field, text), resolved.type === 'found' ? resolved.path : expectedReference(reference));
  }
  return withReferencesIn(fields, targets);
}

/** The scope that finds an object again as it was read or sent. */
export function scopeOfObject(collection: string, object: Mapping): Scope | undefined {
  const cloud = entry(object, CLOUD);
  const isUsable = typeof cloud === 'string' && directReference(cloud) !== undefined;
  return objectScope(collection, { isTenantDeclared: isDeclared(object), ...(isUsable && { cloud }) });
}

/** The object that a raw POST to a collection creates, if its body names one. */
export function createdBy(
  method: string,
  path: string,
  body: Value | undefined,
  tenant: string | undefined,
): { readonly name: string; readonly scope: Scope | undefined } | undefined {
  const name = isMapping(body) ? entry(body, 'name') : undefined;
  if (method !== 'POST' || !isMapping(body) || typeof name !== 'string' || !/^\/api\/[^/?]+\/?$/.test(path))
    return undefined;
  return { name, scope: declaredScope(path.replace(/\/?$/, '/'), { fields: body, match: undefined, tenant }) };
}

export function declaredScope(
  collection: string,
  { fields, match, tenant }: Pick<DesiredMember, 'fields' | 'match' | 'tenant'>,
): Scope | undefined {
  const cloud = entry(fields, CLOUD);
  return objectScope(collection, {
    match,
    isTenantDeclared: tenant !== undefined || isDeclared(fields) || (match !== undefined && isDeclared(match)),
    ...(typeof cloud === 'string' && cloud !== '' && { cloud }),
  });
}

function isDeclared(fields: Mapping): boolean {
  const tenant = entry(fields, TENANT);
  return typeof tenant === 'string' && tenant !== '';
}

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
  if (typeof value === 'string') return isReferenceName(field) && isNamed(value);
  if (isList(value)) return value.some((item) => refersByName(item, field));
  return isMapping(value) && Object.keys(value).some((name) => refersByName(value[name] ?? null, name));
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
