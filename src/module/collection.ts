import { encodedPart } from '../core/model/values/uri.js';
import type { Mapping } from '../core/model/values/value.js';
import type { DesiredMember, MemberIdentity } from './comparison/desired.js';
import { declaredScope } from './comparison/scope.js';
import type { Plan, Reader, Writer } from './contract.js';
import { planCreate, planUpdate } from './planning.js';

/** The result of looking a name up in a collection. */
export type CollectionMember = Mapping | undefined;

/**
 * The resource half of a module for named objects of a collection (`/api/cloud/`): found by name, created with POST,
 * updated with PUT under the uuid that the controller gave it (API document, section 4).
 */
export function collectionMember<Args>(desired: (args: Args) => DesiredMember) {
  return {
    object: (args: Args): string => desired(args).object,
    read: (args: Args, reader: Reader): Promise<CollectionMember> => {
      const { path, name, ...declared } = desired(args);
      return reader.find(path, name, declaredScope(path, declared));
    },
    plan: (args: Args, observed: CollectionMember): Plan =>
      observed === undefined ? planCreate(desired(args)) : planUpdate(desired(args), observed),
    apply: (args: Args, plan: Plan, observed: CollectionMember, writer: Writer): Promise<void> =>
      write(desired(args), plan, observed, writer),
  };
}

/**
 * The resource half of a module that makes sure that a collection has no object of a name. Deletes only the object that was read,
 * by its uuid.
 */
export function absentMember<Args>(identity: (args: Args) => MemberIdentity & { readonly fields?: Mapping }) {
  return {
    object: (args: Args): string => identity(args).object,
    read: (args: Args, reader: Reader): Promise<CollectionMember> => {
      const { path, name, fields = {}, match } = identity(args);
      return reader.find(path, name, declaredScope(path, { fields, match }), { names: true });
    },
    plan: (args: Args, observed: CollectionMember): Plan => {
      if (observed === undefined) return { change: { kind: 'none' } };
      return { change: { kind: 'delete', object: identity(args).object, before: observed, after: null } };
    },
    apply: async (args: Args, { change }: Plan, observed: CollectionMember, writer: Writer): Promise<void> => {
      if (change.kind === 'delete' && observed !== undefined) await writer.remove(memberPath(identity(args), observed));
    },
  };
}

async function write(desired: DesiredMember, plan: Plan, observed: CollectionMember, writer: Writer): Promise<void> {
  const body = plan.change.kind === 'create' || plan.change.kind === 'update' ? plan.change.after : undefined;
  if (body === undefined) return;
  const { path, name } = desired;
  if (observed === undefined) await writer.create(path, name, body, declaredScope(path, desired));
  else await writer.replace(memberPath(desired, observed), body);
}

function memberPath({ object, path }: MemberIdentity, observed: Mapping): string {
  const uuid = observed['uuid'];
  if (typeof uuid === 'string' && uuid !== '') return `${path}${encodedPart(uuid)}`;
  throw new Error(`the controller's answer for ${object} has no "uuid", so it cannot be written`);
}
