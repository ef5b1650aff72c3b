import { directReference, type DirectReference } from '../../core/model/run/reference.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { entry, leavesIn, type Mapping } from '../../core/model/values/value.js';
import type { Kind, KindTable, Structure } from '../../kinds/kind_table.js';

/** The objects of one kind, as a controller showed them. */
export interface KindObjects {
  readonly kind: Pick<Kind, 'name' | 'path' | 'single'> & { readonly structure: Structure | undefined };
  readonly objects: readonly Mapping[];
}

/** An object that references may point to. */
export interface ReferenceTarget {
  readonly name: string;
  /** As a reference. */
  readonly cloud: string | undefined;
}

/** By collection and uuid. */
export type ReferenceTargets = ReadonlyMap<string, ReferenceTarget>;

export function targetsIn(found: readonly KindObjects[]): ReferenceTargets {
  return new Map(
    found.flatMap(({ kind, objects }) =>
      objects.flatMap((object) => {
        const [uuid, name] = [textAt(object, 'uuid'), textAt(object, 'name')];
        if (uuid === undefined || name === undefined) return [];
        return [[kind.path + uuid, { name, cloud: textAt(object, 'cloud_ref') }] as const];
      }),
    ),
  );
}

/**
 * The references of objects without a cloud to objects in one that were not read. By name, they would mean an object of
 * the default cloud.
 */
export function referencesIntoClouds(found: readonly KindObjects[], table: KindTable): readonly string[] {
  const targets = targetsIn(found);
  const outside = found.flatMap(({ objects }) => objects.filter((object) => entry(object, 'cloud_ref') === undefined));
  const paths = outside.flatMap((object) =>
    [...leavesIn(object)].flatMap(([leaf]) => {
      const direct = typeof leaf === 'string' ? directReference(leaf) : undefined;
      if (direct === undefined || targets.has(direct.collection + direct.uuid)) return [];
      return isInCloud(direct, table) ? [direct.collection + encodedPart(direct.uuid)] : [];
    }),
  );
  return [...new Set(paths)];
}

export function isInCloud({ collection }: DirectReference, table: KindTable): boolean {
  return table.kindAt(collection)?.scope === 'cloud';
}

export function textAt(object: Mapping, name: string): string | undefined {
  const value = entry(object, name);
  return typeof value === 'string' ? value : undefined;
}
