import type { Static } from 'typebox';
import type { Kind } from '../../src/kinds/kind_table.js';
import { completeCreate, structureSchema } from '../../src/module/arguments/kind_schema.js';
import { absentMember, collectionMember, singleton, unmatchable } from '../../src/module/collection.js';
import type { DesiredMember } from '../../src/module/comparison/desired.js';
import { emptyPatterns } from '../../src/module/comparison/list_keys.js';
import {
  defineResource,
  isList,
  isMapping,
  type Mapping,
  type Module,
  type Plan,
  type Singleton,
  type Value,
} from '../../src/module/contract.js';
import { guardAccess } from '../../src/module/lockout.js';
import { schemaAt, type Schema } from '../../src/module/schema.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { asVendorMeans, onlyArguments, onlyFields } from './vendor_arguments.js';
import { isIndex, patchedField, patchedFields, patchPath, planPatched, takesAway } from './vendor_patch.js';
import { vendorConnection, vendorResults } from './vendor_requests.js';

type Args = Static<typeof KIND_ARGUMENTS.vendor>;

/** Fields that have the name of an argument are declared under another one. */
const RENAMED: Readonly<Record<string, string>> = {
  obj_username: 'username',
  obj_password: 'password',
  obj_state: 'state',
};

/** `avi_pool`, …: the module of the vendor's Ansible collection for a kind. */
export function vendorModule(kind: Kind, name = `avi_${kind.name}`): Module {
  const instead = kind.name === 'systemconfiguration' ? 'system_config' : `${kind.name}_present`;
  const about = {
    name,
    description: `For playbooks of the collection \`vmware.alb\`: means \`${instead}\`${kind.single ? '' : ` or \`${kind.name}_absent\``}. Undeclared fields keep their values, also with \`avi_api_update_method: put\`. A field that is null is not declared; \`{state: absent}\` removes it.`,
    kind: kind.name,
    results: vendorResults,
    args: KIND_ARGUMENTS.vendor,
    knownFields: vendorFields(kind),
    knownFieldsFor: (given: Mapping) => patchValueFields(kind, given),
    normalized: asVendorMeans,
    connection: (args: Mapping) => vendorConnection(onlyArguments(args)),
    examples: [
      `\n- name: ${kind.single ? `The ${kind.name} is unchanged` : `A ${kind.name} is gone`}\n  ${name}:\n    avi_credentials: { controller: lb1.example.com, username: admin, password: '{{vault_password}}' }\n    ${kind.single ? 'state: present' : 'name: web\n    state: absent'}\n`,
    ],
  };
  return kind.single
    ? defineResource({
        ...about,
        summary: `sets the ${kind.name}, as the vendor's collection does`,
        ...single(kind),
      })
    : defineResource({
        ...about,
        summary: `declares or deletes a ${kind.name}, as the vendor's collection does`,
        ...member(kind),
      });
}

/** The fields of the kind. A name that is both a field and an argument is an argument. */
function vendorFields({ structure }: Kind): Schema {
  const schema = structureSchema(structure);
  const properties = schema.properties ?? {};
  const renamed = Object.entries(RENAMED).flatMap(([argument, field]) => {
    const known = properties[field];
    return known === undefined ? [] : [[argument, known] as const];
  });
  const free = Object.keys(KIND_ARGUMENTS.vendor.properties).map((name): readonly [string, Schema] => [name, {}]);
  return { ...schema, required: [], properties: { ...properties, ...Object.fromEntries([...renamed, ...free]) } };
}

/** What the table knows about the field in which a patch puts its value. */
function patchValueFields({ structure }: Kind, given: Mapping): readonly Schema[] {
  const path = patchPath(given);
  const place = path?.map((step) => (isIndex(step) ? 0 : step)) ?? [];
  const known = path === undefined ? undefined : schemaAt(structureSchema(structure), place);
  if (path === undefined || known === undefined) return [];
  const value = { properties: { [patchedField(path)]: known }, ...(known.secret === true && { secret: true }) };
  return [{ type: 'object', properties: { avi_patch_value: value } }];
}

function member(kind: Kind) {
  const desired = (given: Args): DesiredMember => {
    const fields = givenFields(given, kind);
    const name = typeof fields['name'] === 'string' ? fields['name'] : (givenUuid(given) ?? '');
    return {
      object: `${kind.name} "${name}"`,
      path: kind.path,
      name,
      fields,
      structure: () => kind.structure,
      replace: false,
      secrets: given.secrets,
    };
  };
  const present = collectionMember(desired);
  const absent = absentMember(desired);
  return {
    ...present,
    // The vendor's module looks for the uuid alone if there is one, so the name can be a new one.
    read: (given: Args, reader: Parameters<typeof present.read>[1]) => {
      const uuid = givenUuid(given);
      if (uuid !== undefined) return reader.find(kind.path, uuid, undefined, { by: 'uuid' });
      return (given.state === 'absent' ? absent : present).read(given, reader);
    },
    plan: (given: Args, observed: Mapping | undefined): Plan => {
      const refusal = findRefusal(given, kind);
      if (refusal !== undefined) return { change: { kind: 'none' }, refusal };
      // Found by its uuid, it may have another name than the given one.
      if (given.state === 'absent') return absent.plan({ ...given, ...nameIn(observed) }, observed);
      if (observed !== undefined) return planPatched(desired(given), given, observed);
      if (takesAway(given)) return { change: { kind: 'none' } };
      if (given.name === undefined)
        return { change: { kind: 'none' }, refusal: `there is no ${desired(given).object}: give "name" to create one` };
      const uuid = givenUuid(given);
      if (uuid !== undefined && unmatchable({ match: { uuid } }, { fields: {} }) !== undefined)
        return {
          change: { kind: 'none' },
          refusal: `there is no ${kind.name} with the uuid "${uuid}", and a new one gets its own: leave the uuid out to use or create "${given.name}"`,
        };
      return completeCreate(kind, present.plan(given, observed));
    },
    apply: (...[given, plan, observed, writer]: Parameters<typeof present.apply>): Promise<void> =>
      (plan.change.kind === 'delete' ? absent : present).apply(given, plan, observed, writer),
  };
}

function nameIn(observed: Mapping | undefined): Pick<Args, 'name'> {
  const name = observed?.['name'];
  return typeof name === 'string' ? { name } : {};
}

function single(kind: Kind) {
  const desired = (given: Args) => ({
    object: kind.name,
    path: kind.path,
    fields: givenFields(given, kind),
    structure: () => kind.structure,
    replace: false,
    secrets: given.secrets,
  });
  const resource = singleton(desired);
  return {
    ...resource,
    plan: (given: Args, observed: Singleton): Plan => {
      const refusal =
        given.state === 'absent'
          ? `the ${kind.name} cannot be deleted`
          : observed.status !== 'found' && given.avi_api_update_method === 'patch'
            ? UNPATCHABLE
            : findRefusal(given, kind);
      if (refusal !== undefined) return { change: { kind: 'none' }, refusal };
      const plan =
        observed.status === 'found'
          ? planPatched(desired(given), given, observed.object)
          : resource.plan(given, observed);
      if (kind.name !== 'systemconfiguration' || plan.change.kind !== 'update' || plan.refusal !== undefined)
        return plan;
      const consent = 'Use system_config with allow_lockout: true';
      return {
        ...plan,
        ...guardAccess({ allow_lockout: false }, plan.change.before, plan.change.after, observed, consent),
      };
    },
  };
}

const UNPATCHABLE =
  'the controller does not show the object, so it cannot be patched: declare all of it, without "avi_api_update_method: patch"';

function findRefusal(given: Args, kind: Kind): string | undefined {
  if (given.name === undefined && givenUuid(given) === undefined && !kind.single)
    return `avi_${kind.name} finds objects by name or uuid: give one of them`;
  if (given.state === 'absent' || !takesAway(given) || patchPath(given) !== undefined) return undefined;
  const fields = patchedFields(givenFields(given, kind));
  const [empty] = emptyPatterns(Object.fromEntries(fields));
  if (empty !== undefined) return `avi_api_patch_op: delete: ${empty.message}`;
  const other = fields.find(([path, value]) => !IDENTITY.has(path) && !isList(value));
  return other && `avi_api_patch_op: delete takes elements from lists, and "${other[0]}" is not a list`;
}

function givenUuid({ uuid }: Args): string | undefined {
  return uuid === '' ? undefined : uuid;
}

/** Fields that identify the object. */
const IDENTITY: ReadonlySet<string> = new Set(['name', 'full_name', 'username', 'cloud_ref', 'tenant_ref']);

/** The declared fields. A user is found by the sign-in name, which the vendor's module separates from the full name. */
function givenFields(given: Args, { name: kind }: Kind): Mapping {
  const fields = Object.entries(onlyFields(isMapping(given) ? given : {}));
  const all: Record<string, Value> = Object.fromEntries(fields.map(([name, value]) => [RENAMED[name] ?? name, value]));
  if (given.name === undefined) return all;
  const username = all['username'];
  if (kind !== 'user' || username === undefined) return { name: given.name, ...all };
  return { full_name: given.name, ...all, name: username };
}
