import type { Static } from 'typebox';
import type { Kind } from '../../src/kinds/kind_table.js';
import { structureSchema } from '../../src/module/arguments/kind_schema.js';
import { collectionMember } from '../../src/module/collection.js';
import type { DesiredMember } from '../../src/module/comparison/desired.js';
import {
  defineResource,
  display,
  mappingsIn,
  type Mapping,
  type Module,
  type Plan,
  valueAt,
} from '../../src/module/contract.js';
import { planCreate, planUpdate } from '../../src/module/planning.js';
import type { Schema } from '../../src/module/schema.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { vendorConnection, vendorResults } from './vendor_requests.js';

type MemberArgs = Static<typeof KIND_ARGUMENTS.member_patch>;
type VnicArgs = Static<typeof KIND_ARGUMENTS.vnics>;

/** `avi_gslbservice_patch_member`: adds members to a group of a GSLB service, or takes them away. */
export function patchMember(kind: Kind): Module {
  const member = collectionMember((given: MemberArgs) => desired(kind, given.name, {}));
  return defineResource({
    ...member,
    name: 'avi_gslbservice_patch_member',
    summary: "adds members to a group of a GSLB service, or takes them away, as the vendor's collection does",
    description:
      'For playbooks of the collection `vmware.alb`. Creates what is missing: the service, the group, the members. A member with the same `fqdn` or address is changed; `absent` takes away members with the `fqdn`, or with the address and no `fqdn`. A group without members is removed.',
    args: KIND_ARGUMENTS.member_patch,
    knownFieldsFor: () => {
      const data = { type: 'object', properties: { group: elementFields(kind, 'groups') } };
      return [{ type: 'object', properties: { data } }];
    },
    results: vendorResults,
    connection: vendorConnection,
    examples: [
      '\n- avi_gslbservice_patch_member:\n    name: shop\n    data:\n      group:\n        name: emea\n        members:\n          - ip: { type: V4, addr: 192.0.2.10 }\n            ratio: 3\n',
    ],
    plan: (given: MemberArgs, observed): Plan => {
      const group: Mapping = { ...given.data.group };
      if (observed === undefined && given.state === 'absent') return { change: { kind: 'none' } };
      if (observed === undefined) return planCreate(desired(kind, given.name, { groups: [group] }));
      const groups = (given.state === 'absent' ? withoutMembers : withMembers)(mappingsIn(observed['groups']), group);
      return planUpdate(desired(kind, given.name, { groups }), observed);
    },
  });
}

/** The schema of an element of a list. */
function elementFields({ structure }: Kind, list: string): Schema {
  const element = structure.fields.get(list)?.structure;
  return element === undefined ? {} : structureSchema(element, 'lenient');
}

function withMembers(groups: readonly Mapping[], group: Mapping): readonly Mapping[] {
  if (groups.every(({ name }) => name !== group['name'])) return [...groups, group];
  return groups.map((one) => {
    if (one['name'] !== group['name']) return one;
    const { members: wanted, ...others } = group;
    const declared = mappingsIn(wanted);
    // Another declared member can have the same address.
    const isFree = (old: Mapping): boolean => !declared.some((given) => hasSameName(given, old));
    const [members, fresh]: [Mapping[], Mapping[]] = [[...mappingsIn(one['members'])], []];
    for (const given of declared) {
      const named = members.findIndex((old) => hasSameName(given, old));
      const at = named === -1 ? members.findIndex((old) => hasSameAddress(given, old) && isFree(old)) : named;
      if (at === -1) fresh.push(given);
      else members[at] = { ...members[at], ...given };
    }
    return { ...one, ...others, members: [...members, ...fresh] };
  });
}

function withoutMembers(groups: readonly Mapping[], group: Mapping): readonly Mapping[] {
  const gone = mappingsIn(group['members']);
  return groups.flatMap((one) => {
    if (one['name'] !== group['name'] || gone.length === 0) return [one];
    const isGone = (old: Mapping): boolean =>
      gone.some((given) => hasSameName(given, old) || (!hasName(given) && !hasName(old) && hasSameAddress(given, old)));
    const members = mappingsIn(one['members']).filter((old) => !isGone(old));
    return members.length === 0 ? [] : [{ ...one, members }];
  });
}

function hasName({ fqdn }: Mapping): boolean {
  return fqdn != null;
}

function hasSameName(given: Mapping, old: Mapping): boolean {
  return hasName(given) && given['fqdn'] === old['fqdn'];
}

function hasSameAddress(given: Mapping, old: Mapping): boolean {
  const [address, other] = [valueAt(given, 'ip.addr'), valueAt(old, 'ip.addr')];
  return address !== undefined && address === other;
}

/** `avi_update_se_data_vnics`: changes network interfaces of a service engine. */
export function updateVnics(kind: Kind): Module {
  const member = collectionMember((given: VnicArgs) => desired(kind, given.se_name, {}));
  return defineResource({
    ...member,
    name: 'avi_update_se_data_vnics',
    summary: "changes network interfaces of a service engine, as the vendor's collection does",
    description: 'For playbooks of the collection `vmware.alb`. Interfaces that the service engine lacks are an error.',
    args: KIND_ARGUMENTS.vnics,
    knownFieldsFor: () => {
      const list = { type: 'array', items: elementFields(kind, 'data_vnics') };
      return [{ type: 'object', properties: { data_vnics_config: list } }];
    },
    results: vendorResults,
    connection: vendorConnection,
    examples: [
      '\n- avi_update_se_data_vnics:\n    se_name: se-1\n    data_vnics_config:\n      - if_name: eth1\n        dhcp_enabled: true\n',
    ],
    plan: (given: VnicArgs, observed): Plan => {
      const wanted: readonly Mapping[] = given.data_vnics_config.map((one) => ({ ...one }));
      const present = mappingsIn(observed?.['data_vnics']);
      const missing = wanted.find((one) => !present.some((old) => old['if_name'] === one['if_name']));
      const refusal =
        observed === undefined
          ? `there is no serviceengine "${given.se_name}"`
          : missing && `serviceengine "${given.se_name}" has no interface "${display(missing['if_name'] ?? null)}"`;
      if (observed === undefined || refusal !== undefined) return { change: { kind: 'none' }, refusal: refusal ?? '' };
      const changed = present.map((old) => ({ ...old, ...wanted.find((one) => one['if_name'] === old['if_name']) }));
      return planUpdate(desired(kind, given.se_name, { data_vnics: changed }), observed);
    },
  });
}

function desired({ name: kindName, path, structure }: Kind, name: string, fields: Mapping): DesiredMember {
  const declared = { name, ...fields };
  const rest = { fields: declared, structure: () => structure, replace: false, secrets: 'on_create' } as const;
  return { object: `${kindName} "${name}"`, path, name, ...rest };
}
