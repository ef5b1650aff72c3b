import { directReference, isReferenceName, shownName, type DirectReference } from '../../core/model/run/reference.js';
import { SERVER_FIELDS } from '../../core/model/run/result.js';
import { isNumeric } from '../../core/model/values/json.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { HIDDEN, isList, isMapping, mapLeaves, type Mapping, type Value } from '../../core/model/values/value.js';
import { holdsSecret } from '../../core/secrets/names.js';
import type { Field, KindTable, Structure } from '../../kinds/kind_table.js';
import { comesWithControllers } from './defaults.js';
import { fleetObjectKey, objectTitle, referenceKey, type FleetObject } from './fleet_object.js';
import {
  isInCloud,
  targetsIn,
  textAt,
  type KindObjects,
  type ReferenceTarget,
  type ReferenceTargets,
} from './reference_targets.js';

/** Properties of a controller's dialect that concern objects. */
export interface Traits {
  /** Whether a task can declare a reference by the name of its object. */
  readonly referencesByName: boolean;
  /** The tenant that was read; undefined if controllers have none. */
  readonly tenant: string | undefined;
  /** Whether several tenants are read, so that objects name theirs. */
  readonly isNamed?: boolean | undefined;
  /** False: objects that belong to no tenant are left to another tenant that is read. */
  readonly hasCommon?: boolean | undefined;
  /**
   * Whether objects declare their tenant: then a task creates its own object even if another tenant shares one of that
   * name.
   */
  readonly declaresTenant: boolean;
}

export interface PortableOptions {
  readonly table: KindTable;
  /** Whether tasks will declare the objects. */
  readonly declarable: boolean;
  /** Whether to keep the fields that the controller sets. */
  readonly all: boolean;
  /** Replaces a secret that the controller shows in plain text. */
  readonly hide: (secret: string) => string;
  /** Whether a text or a number contains a secret, even in a field with a harmless name. */
  readonly isSecret: (value: Value) => boolean;
}

export interface PortableObjects {
  readonly objects: readonly FleetObject[];
  /** Why objects were left out, by kind. */
  readonly problems: readonly { readonly kind: string; readonly message: string }[];
}

/** Set by the controller, besides `SERVER_FIELDS`. */
const MADE_BY_SERVER: ReadonlySet<string> = new Set([
  ...SERVER_FIELDS,
  'configpb_attributes',
  'obj_uuid',
  'cloud_config_cksum',
]);

/** What is read of one controller. */
interface ReadObjects {
  readonly found: readonly KindObjects[];
  /** Only referred to. */
  readonly referred?: readonly KindObjects[];
}

/** The objects of one controller without what is specific to it: uuids, addresses, times, its tenant, and secrets. */
export function portableObjects(
  { found, referred = [] }: ReadObjects,
  traits: Traits,
  options: PortableOptions,
): PortableObjects {
  const targets = targetsIn([...found, ...referred]);
  const objects = new Map<string, FleetObject>();
  const ambiguous = new Set<string>();
  const problems: PortableObjects['problems'][number][] = [];
  for (const { kind, objects: shown } of found) {
    for (const object of shown) {
      if (isOfOtherTenant(object, traits, targets)) continue;
      const portable = new Translation(kind, object, { targets, traits, options }).portable();
      const key = fleetObjectKey(portable);
      const problem =
        portable.name === undefined && !kind.single
          ? `an object of the kind ${kind.name} has no name, so no task can identify it`
          : objects.has(key)
            ? `there are several objects ${objectTitle(portable)}, so no task can identify one of them`
            : undefined;
      if (problem === undefined) objects.set(key, portable);
      else problems.push({ kind: kind.name, message: problem });
      if (problem !== undefined && options.declarable) ambiguous.add(key);
    }
  }
  // A task that declares one of several would fail.
  for (const key of ambiguous) objects.delete(key);
  return { objects: [...objects.values()], problems };
}

/** Objects of `admin` are shown to other tenants, too. */
function isOfOtherTenant(object: Mapping, { tenant, hasCommon }: Traits, targets: ReferenceTargets): boolean {
  const reference = textAt(object, 'tenant_ref');
  if (reference === undefined) return hasCommon === false;
  const direct = directReference(reference);
  const owner = shownName(reference) ?? (direct && targets.get(direct.collection + direct.uuid)?.name);
  return tenant !== undefined && owner !== undefined && owner !== tenant;
}

interface PortableContext {
  readonly targets: ReferenceTargets;
  readonly traits: Traits;
  readonly options: PortableOptions;
}

/** Makes one object portable. */
class Translation {
  readonly #refers = new Set<string>();

  constructor(
    private readonly kind: KindObjects['kind'],
    private readonly object: Mapping,
    private readonly around: PortableContext,
  ) {}

  portable(): FleetObject {
    const { name: kind, single, structure } = this.kind;
    const { traits, options } = this.around;
    const dropped = (name: string): boolean =>
      !options.all &&
      (MADE_BY_SERVER.has(name) || (name === 'tenant_ref' && traits.tenant !== undefined && !traits.declaresTenant));
    const kept = Object.fromEntries(Object.entries(this.object).filter(([name]) => !dropped(name)));
    const fields = this.#mapping(kept, structure);
    const name = single ? undefined : textAt(this.object, 'name');
    const cloud = textAt(this.object, 'cloud_ref');
    const builtIn = traits.tenant !== undefined && name !== undefined && comesWithControllers(kind, name);
    return {
      kind,
      name,
      cloud: cloud === undefined ? undefined : (this.#target(cloud)?.name ?? cloud),
      tenant: traits.isNamed === true ? traits.tenant : undefined,
      // Names identify objects, so they are never secrets.
      fields: name === undefined ? fields : { ...fields, name },
      refers: [...this.#refers],
      builtIn,
    };
  }

  #mapping(mapping: Mapping, structure: Structure | undefined): Mapping {
    const { all } = this.around.options;
    // What identifies the elements of a list stays, even where only controllers set it.
    const isKey = (name: string): boolean => structure?.key.some((path) => path.split('.')[0] === name) === true;
    const isKept = (name: string): boolean => all || structure?.fields.get(name)?.readOnly !== true || isKey(name);
    const names = Object.keys(mapping).filter(isKept).sort();
    return Object.fromEntries(
      names.map((name) => [name, this.#field(name, mapping[name] ?? null, mapping, structure?.fields.get(name))]),
    );
  }

  #field(name: string, value: Value, among: Mapping, field: Field | undefined): Value {
    const structure = field?.structure;
    const secret = field?.secret ?? (structure === undefined && holdsSecret(name, value, among));
    if (secret) return this.#hidden(value);
    return isReferenceName(name) ? this.#references(name, value, structure) : this.#value(value, structure);
  }

  #value(value: Value, structure: Structure | undefined): Value {
    if (isList(value)) return value.map((item) => this.#value(item, structure));
    if (isMapping(value)) return this.#mapping(value, structure);
    return this.around.options.isSecret(value) ? this.#hidden(value) : value;
  }

  #hidden(value: Value): Value {
    return mapLeaves(value, (leaf) => {
      const isShown = isNumeric(leaf) || (typeof leaf === 'string' && leaf !== '' && leaf !== HIDDEN);
      return isShown ? this.around.options.hide(String(leaf)) : leaf;
    });
  }

  #references(field: string, value: Value, structure: Structure | undefined): Value {
    if (isList(value)) return value.map((item) => this.#references(field, item, structure));
    return typeof value === 'string' ? this.#reference(field, value) : this.#value(value, structure);
  }

  /** A task that names the object would mean the one of the default cloud. */
  #mayBeInAnyCloud(direct: DirectReference): boolean {
    const { options, targets } = this.around;
    const known = targets.get(direct.collection + direct.uuid);
    return options.declarable && isInCloud(direct, options.table) && (known === undefined || known.cloud !== undefined);
  }

  #target(reference: string): ReferenceTarget | undefined {
    const direct = directReference(reference);
    const known = direct && this.around.targets.get(direct.collection + direct.uuid);
    const name = shownName(reference);
    return known ?? (name === undefined ? undefined : { name, cloud: undefined });
  }

  /** By name, so that it refers to the object of that name on every controller. */
  #reference(field: string, text: string): string {
    const direct = directReference(text);
    if (direct === undefined) return text;
    const target = this.#target(text);
    const kind = direct.collection.split('/').at(-2) ?? '';
    if (target !== undefined) this.#refers.add(referenceKey({ kind, name: target.name }));
    const path = direct.collection + encodedPart(direct.uuid);
    if (!this.around.traits.referencesByName) {
      // The controller resolves it; Evenkeel compares the name that the controller shows.
      const shown = shownName(text);
      return shown === undefined ? path : `${direct.collection}?name=${encodedPart(shown)}`;
    }
    if (target === undefined) return path;
    const { name, cloud } = target;
    const isOutside = textAt(this.object, 'cloud_ref') === undefined;
    const cloudName = isOutside ? this.#target(cloud ?? '')?.name : undefined;
    if (isOutside && cloudName === undefined && this.#mayBeInAnyCloud(direct)) return path;
    if (cloudName !== undefined) return `/api/${kind}?name=${encodedPart(name)}&cloud=${encodedPart(cloudName)}`;
    // The collection that a bare name refers to when a task declares it.
    const collection = this.around.options.table.referredCollection(field, this.kind.path);
    return collection === direct.collection && isBareName(name) ? name : `/api/${kind}?name=${encodedPart(name)}`;
  }
}

/** Not an address or a template. */
function isBareName(name: string): boolean {
  return name !== '' && !/[/?#{}]/.test(name);
}
