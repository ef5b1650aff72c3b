import type { Static } from 'typebox';
import type { Field, Kind, Structure } from '../../src/kinds/kind_table.js';
import { completeCreate, knownMatchFields, structureSchema } from '../../src/module/arguments/kind_schema.js';
import { absentMember, collectionMember, singleton } from '../../src/module/collection.js';
import { declaration, type Desired } from '../../src/module/comparison/desired.js';
import { defineResource, type Module, type Plan } from '../../src/module/contract.js';
import { KIND_ARGUMENTS } from './arguments.js';

type MemberArgs = Static<typeof KIND_ARGUMENTS.member>;
type AbsentArgs = Static<typeof KIND_ARGUMENTS.absent>;

/** `pool_present`, `virtualservice_present`, …: the module that declares objects of a kind. */
export function presentModule(kind: Kind): Module {
  return kind.single ? singleModule(kind) : memberModule(kind);
}

function memberModule(kind: Kind): Module {
  const { name: kindName, path, structure } = kind;
  const member = collectionMember((given: MemberArgs) => ({
    object: `${kindName} "${given.name}"`,
    path,
    name: given.name,
    structure: () => structure,
    ...declaration(given),
  }));
  return defineResource({
    name: `${kindName}_present`,
    kind: kindName,
    summary: `makes sure that ${withArticle(kindName)} exists and has the declared fields`,
    description: `Looks the ${kindName} up by its exact name${WHERE[kind.scope]}. Creates it if it does not exist, updates it if a declared field differs, and keeps every other field. Fields are checked before the first request: a name or value that looks like a typo is an error; other unknown fields and values are passed on.`,
    args: KIND_ARGUMENTS.member,
    knownFields: structureSchema(structure),
    examples: [writeExample(kind, `${kindName}_present`)],
    ...member,
    plan: (given: MemberArgs, observed): Plan => completeCreate(kind, member.plan(given, observed)),
  });
}

const WHERE: Readonly<Record<Kind['scope'], string>> = {
  controller: '',
  tenant: ' in its tenant',
  cloud: ' in its tenant and cloud',
};

function singleModule(kind: Kind): Module {
  const { name: kindName, path, structure } = kind;
  return defineResource({
    name: `${kindName}_present`,
    kind: kindName,
    summary: `sets the declared fields of the ${kindName}, which every controller has once`,
    description: `Reads the ${kindName}, compares the declared fields, and writes the whole object back with the differing ones changed. Fields are checked before the first request: a name or value that looks like a typo is an error; other unknown fields and values are passed on.`,
    args: KIND_ARGUMENTS.single,
    knownFields: structureSchema(structure),
    examples: [writeExample(kind, `${kindName}_present`)],
    ...singleton((given: Static<typeof KIND_ARGUMENTS.single>): Desired => ({
      object: kindName,
      path,
      structure: () => structure,
      ...declaration(given),
    })),
  });
}

/** `pool_absent`, `virtualservice_absent`, …: the module that deletes objects of a kind. */
export function absentModule(kind: Kind): Module {
  const { name: kindName, path, scope } = kind;
  return defineResource({
    name: `${kindName}_absent`,
    kind: kindName,
    summary: `makes sure that ${withArticle(kindName)} does not exist`,
    description: `Looks the ${kindName} up by its exact name${WHERE[scope]} and deletes it. A controller rejects this while other objects refer to the object; the message names them. A rollback creates the object again, with another uuid.`,
    args: KIND_ARGUMENTS.absent,
    knownFieldsFor: (given) => knownMatchFields(given, () => kind),
    examples: [`\n- name: The old ${kindName} is gone\n  ${kindName}_absent:\n    name: web\n`],
    ...absentMember(({ name, match }: AbsentArgs) => ({ object: `${kindName} "${name}"`, path, name, match })),
  });
}

/** `a pool`, `an image`. */
function withArticle(kindName: string): string {
  return `${/^[aeio]/.test(kindName) ? 'an' : 'a'} ${kindName}`;
}

/** Fields that show the purpose of a kind, besides its required fields. YAML, indented like arguments. */
const PURPOSE_FIELDS: Readonly<Record<string, string>> = {
  pool: `
    default_server_port: 8080
    lb_algorithm: LB_ALGORITHM_ROUND_ROBIN
    health_monitor_refs: [/api/healthmonitor?name=System-HTTP]
    servers:
      - ip: { type: V4, addr: 10.0.0.11 }
      - ip: { type: V4, addr: 10.0.0.12 }`,
  virtualservice: `
    services:
      - port: 443
        enable_ssl: true
    vsvip_ref: /api/vsvip?name=web
    pool_ref: /api/pool?name=web
    ssl_key_and_certificate_refs: [/api/sslkeyandcertificate?name=web]`,
  vsvip: `
    vip:
      - vip_id: '1'
        ip_address: { type: V4, addr: 192.0.2.10 }
    dns_info:
      - fqdn: web.example.com`,
  poolgroup: `
    members:
      - pool_ref: /api/pool?name=blue
        ratio: 90
      - pool_ref: /api/pool?name=green
        ratio: 10`,
  sslkeyandcertificate: `
    type: SSL_CERTIFICATE_TYPE_VIRTUALSERVICE
    key: '{{vault_web_key}}'
    certificate:
      certificate: '{{web_certificate}}'`,
  network: `
    configured_subnets:
      - prefix: { ip_addr: { type: V4, addr: 192.0.2.0 }, mask: 24 }
        static_ip_ranges:
          - type: STATIC_IPS_FOR_VIP
            range: { begin: { type: V4, addr: 192.0.2.10 }, end: { type: V4, addr: 192.0.2.99 } }`,
  cluster: `
    nodes:
      - name: node1
        ip: { type: V4, addr: 10.0.0.1 }
      - name: node2
        ip: { type: V4, addr: 10.0.0.2 }
      - name: node3
        ip: { type: V4, addr: 10.0.0.3 }`,
};

/** A task with valid arguments. */
export function writeExample({ name: kindName, single, structure }: Kind, module: string): string {
  const name = single ? '' : '\n    name: web';
  const fields = PURPOSE_FIELDS[kindName] ?? requiredFields(structure);
  return `\n- name: ${single ? `The ${kindName} is configured` : `A ${kindName} exists`}\n  ${module}:${name}${fields}\n`;
}

function requiredFields({ required, fields }: Structure): string {
  const others = required.filter((one) => one !== 'name').map((one) => [one, sampleValue(fields.get(one))] as const);
  return others.map(([one, sample]) => `\n    ${one}: ${JSON.stringify(sample)}`).join('');
}

function sampleValue(field: Field | undefined): unknown {
  if (field === undefined) return 'text';
  const { list, type, structure, range, choices } = field;
  if (list) return [];
  if (structure !== undefined)
    return Object.fromEntries(structure.required.map((one) => [one, sampleValue(structure.fields.get(one))]));
  if (field.default !== undefined) return field.default;
  if (type === 'boolean') return true;
  return type === 'string' || type === 'any' ? (choices?.[0] ?? 'text') : type === 'mapping' ? {} : (range?.[0] ?? 1);
}
