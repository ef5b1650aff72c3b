import type { Mapping } from '../../core/model/values/value.js';

/**
 * An object in a form that can be compared with other controllers and declared on them: nothing in it is specific to
 * one controller.
 */
export interface FleetObject {
  readonly kind: string;
  /** Undefined: each controller has one object of the kind. */
  readonly name: string | undefined;
  /** Name of its cloud; undefined if it shows none. */
  readonly cloud: string | undefined;
  /** Undefined: of the tenant of the connection, or controllers have none. */
  readonly tenant?: string | undefined;
  /** Sorted by name, at any depth. */
  readonly fields: Mapping;
  /** The keys of the objects that it refers to, from `referenceKey`. */
  readonly refers: readonly string[];
  /** Controllers of this family have it from the start. */
  readonly builtIn: boolean;
}

export interface ReadController {
  readonly name: string;
  /** The kinds that could be read. */
  readonly kinds: ReadonlySet<string>;
  readonly objects: readonly FleetObject[];
}

/** A controller with the connection variables that say where on it the objects are; null: not set. */
export interface PlacedController extends ReadController {
  /** The tenant that was asked for; undefined: that of the connection. */
  readonly tenant?: string | undefined;
  readonly place: Mapping;
}

/** What identifies an object; objects are sorted by these. */
export const IDENTITY = ['kind', 'name', 'cloud', 'tenant'] as const;
export type ObjectIdentity = Pick<FleetObject, (typeof IDENTITY)[number]>;

/** Equal for the same object on several controllers. */
export function fleetObjectKey({ kind, name, cloud, tenant }: ObjectIdentity): string {
  return JSON.stringify([kind, name, cloud, tenant]);
}

/** A reference contains the name of its object, but not always the cloud. */
export function referenceKey({ kind, name }: Pick<FleetObject, 'kind' | 'name'>): string {
  return JSON.stringify([kind, name]);
}

/** For people: `pool "web"`, `pool "web" of the cloud "edge"`, `systemconfiguration`. */
export function objectTitle({ kind, name, cloud, tenant }: ObjectIdentity): string {
  if (name === undefined) return kind;
  const where = cloud === undefined || kind === 'cloud' ? '' : ` in ${cloud}`;
  return `${kind} "${name}"${where}${tenant === undefined ? '' : ` in tenant "${tenant}"`}`;
}
