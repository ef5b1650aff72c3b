import * as Type from 'typebox';
import { builtInKinds, type Kind, type Kinds, type Structure } from '../src/kinds/kind_table.js';
import { structureSchema } from '../src/module/arguments/kind_schema.js';
import { collectionMember, type CollectionMember, singleton } from '../src/module/collection.js';
import { CONTROLS, type Desired, type DesiredMember } from '../src/module/comparison/desired.js';
import {
  collectionPath,
  knownKindFields,
  PATH_OR_KIND,
  OBJECT_ARGUMENTS,
  objectsPath,
} from '../src/module/comparison/object_arguments.js';
import {
  defineResource,
  type Module,
  type Plan,
  type Reader,
  type Singleton,
  type Writer,
} from '../src/module/contract.js';
import { ALLOW_LOCKOUT, guardAccess } from '../src/module/lockout.js';
import { nameText, type Schema } from '../src/module/schema.js';
import { CLOUD_FIELDS } from './fields/cloud.js';
import { SYSTEM_CONFIGURATION_FIELDS, SYSTEM_CONFIGURATION_MEMBERS } from './fields/system_configuration.js';

const args = Type.Object(
  {
    ...OBJECT_ARGUMENTS,
    name: Type.Optional(nameText('Name of the object in its collection; without a name, the object exists once.')),
    properties: Type.Object({}, { default: {}, description: 'The declared fields of the object.' }),
    ...CONTROLS,
    ...ALLOW_LOCKOUT,
  },
  { additionalProperties: false, ...PATH_OR_KIND },
);

type Args = Type.Static<typeof args>;
type ObservedObject =
  | { readonly type: 'member'; readonly member: CollectionMember }
  | { readonly type: 'singleton'; readonly singleton: Singleton };

const CLOUD = [Type.Object({ properties: CLOUD_FIELDS })];
const SYSTEM_CONFIGURATION = [SYSTEM_CONFIGURATION_FIELDS, Type.Object(SYSTEM_CONFIGURATION_MEMBERS)].map(
  (properties) => Type.Object({ properties }),
);

/** The module for a project's kinds. */
export function withKinds(kinds: Kinds): Module {
  const structureAt = (path: string) => (): Structure | undefined => kinds().kindAtPath(path)?.structure;
  const desired = (given: Args): Desired => {
    const path = objectsPath(given, kinds);
    return { ...desiredAt(path, given), structure: structureAt(path) };
  };
  const member = collectionMember((given: Args) => {
    const path = collectionPath(objectsPath(given, kinds));
    return { ...memberAt(path, given), structure: structureAt(path) };
  });
  const single = singleton(desired, (given, before, after, observed) =>
    isSystemConfiguration(desired(given).path) ? guardAccess(given, before, after, observed) : {},
  );
  return defineResource({
    name: 'resource_present',
    summary: 'makes sure that any object of a controller exists and has the declared fields',
    description:
      'For objects that have no module of their own. With `name`, the task finds the object in the collection at `path` or of the `kind`, creates it with POST, and updates it with PUT. Without `name`, it reads and replaces the single object at `path`. The API document does not describe such paths.',
    args,
    knownFieldsFor: ({ path, kind }) => {
      if (typeof kind === 'string') return [...knownKindFields({ kind }, kinds), ...kindFields(kinds().kind(kind))];
      if (typeof path !== 'string') return [];
      const known = kindFields(kinds().kindAtPath(path), 'lenient');
      if (isSystemConfiguration(path)) return [...SYSTEM_CONFIGURATION, ...known];
      return /^\/api\/cloud(\/|$)/i.test(path) ? [...CLOUD, ...known] : known;
    },
    examples: [
      `
- name: An object of a collection
  resource_present:
    path: /api/cloud/
    name: edge-1
    properties:
      mtu: 1500
`,
      `
- name: An object of a known kind
  resource_present:
    kind: pool
    name: web
    properties:
      default_server_port: 8080
`,
      `
- name: A single object
  resource_present:
    path: /api/systemconfiguration
    properties:
      dns_configuration:
        search_domain: example.com
`,
    ],
    object: (given: Args) => (given.name === undefined ? single.object(given) : member.object(given)),
    read: async (given: Args, reader: Reader): Promise<ObservedObject> =>
      given.name === undefined
        ? { type: 'singleton', singleton: await single.read(given, reader) }
        : { type: 'member', member: await member.read(given, reader) },
    plan: (given: Args, observed: ObservedObject): Plan =>
      observed.type === 'member' ? member.plan(given, observed.member) : single.plan(given, observed.singleton),
    apply: (given: Args, plan: Plan, observed: ObservedObject, writer: Writer): Promise<void> =>
      observed.type === 'member'
        ? member.apply(given, plan, observed.member, writer)
        : single.apply(given, plan, observed.singleton, writer),
  });
}

export default withKinds(builtInKinds);

/** With a path, a likely typo in a field is only a warning, because fields of other releases are declared this way. */
function kindFields(kind: Kind | undefined, rigour: 'strict' | 'lenient' = 'strict'): readonly Schema[] {
  if (kind === undefined) return [];
  const fields = structureSchema(kind.structure, rigour);
  return [{ type: 'object', properties: { properties: fields, match: fields, without: fields } }];
}

function desiredAt(path: string, { properties, replace, secrets, merge, without }: Args): Desired {
  return { object: path, path, fields: { ...properties }, replace, secrets, merge, without };
}

function memberAt(path: string, given: Args): DesiredMember {
  const { name = '', match, tenant, properties } = given;
  return {
    ...desiredAt(path, given),
    object: `${path} "${name}"`,
    name,
    match,
    tenant,
    fields: { ...properties, name },
  };
}

function isSystemConfiguration(path: string): boolean {
  return path.replace(/\/$/, '').toLowerCase() === '/api/systemconfiguration';
}
