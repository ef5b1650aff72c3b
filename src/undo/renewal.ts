import { directReference, shownName, type DirectReference } from '../core/model/run/reference.js';
import { encodedPart } from '../core/model/values/uri.js';
import { entry, leavesIn, mapLeaves, type Mapping, type Value } from '../core/model/values/value.js';
import { matches } from '../module/comparison/comparison.js';
import { scopeOfObject } from '../module/comparison/scope.js';
import type { Reader } from '../module/contract.js';
import { createdFrom } from './plan_undo.js';
import type { Renewal, Undo } from './undo.js';

/** The renewed objects that an object refers to. */
export function renewedIn(object: Mapping, renewals: readonly Renewal[]): readonly Renewal[] {
  if (renewals.length === 0) return renewals;
  const uuids = new Set(uuidsIn(object));
  return renewals.filter(({ formerUuid }) => formerUuid !== object['uuid'] && uuids.has(formerUuid));
}

function uuidsIn(value: Value): readonly string[] {
  return [...leavesIn(value)].flatMap(([leaf]) =>
    typeof leaf === 'string' ? [directReference(leaf)?.uuid ?? leaf] : [],
  );
}

const CLOUD = 'cloud_ref';

interface NamedTarget extends DirectReference {
  readonly name: string;
}

/** References that were shown with the name of their object. */
function namedReferencesIn(value: Value): readonly NamedTarget[] {
  return [...leavesIn(value)].flatMap(([leaf]) => {
    const name = typeof leaf === 'string' ? shownName(leaf) : undefined;
    const direct = typeof leaf === 'string' ? directReference(leaf) : undefined;
    return direct === undefined || name === undefined ? [] : [{ ...direct, name }];
  });
}

/** The uuids that renewed objects have now. */
export class NewUuids {
  readonly #newUuids = new Map<Renewal, string>();
  /** Keyed by the cloud's new uuid and the former uuid of the object in it. */
  readonly #namesakes = new Map<string, string>();

  /** The undo with references to the current objects. References to objects that do not exist (yet) do not change. */
  async current(undo: Undo, reader: Reader): Promise<Undo> {
    const { renewals, before, left } = undo;
    const uuids = await this.#uuidsFor(before, renewals, reader);
    if (uuids.size === 0) return undo;
    const states = left.map(({ object, whole }) => ({ object: withUuids(object, uuids), whole }));
    return { ...undo, before: withUuids(before, uuids), left: states };
  }

  /** @param undo as it is now */
  note({ renewal, before }: Undo, found: Mapping | undefined): void {
    if (renewal !== undefined) this.#noteFound(renewal, before, found);
  }

  async #uuidsFor(object: Mapping, renewals: readonly Renewal[], reader: Reader): Promise<ReadonlyMap<string, string>> {
    const uuids = new Map<string, string>();
    for (const renewal of renewedIn(object, renewals)) {
      const { formerUuid } = renewal;
      const otherRenewals = renewals.filter((one) => one !== renewal);
      const newUuid =
        renewal.newUuid ?? this.#newUuids.get(renewal) ?? (await this.#find(renewal, otherRenewals, reader));
      if (newUuid !== undefined && newUuid !== formerUuid) uuids.set(formerUuid, newUuid);
    }
    const formerUuids = new Set([object['uuid'], ...renewals.map(({ formerUuid }) => formerUuid)]);
    const keptReferences = namedReferencesIn(object).filter(({ uuid }) => !formerUuids.has(uuid));
    await this.#addNamesakes(object, keptReferences, uuids, reader);
    return uuids;
  }

  /**
   * A cloud that is created again has new networks, service engine groups and routing contexts with the same names,
   * which the controller creates. @param references references to objects that the run did not delete
   */
  async #addNamesakes(
    object: Mapping,
    references: readonly NamedTarget[],
    uuids: Map<string, string>,
    reader: Reader,
  ): Promise<void> {
    const former = object[CLOUD];
    const uuid = typeof former === 'string' ? directReference(former)?.uuid : undefined;
    const cloud = uuid === undefined ? undefined : uuids.get(uuid);
    if (cloud === undefined) return;
    for (const { collection, uuid: known, name } of references) {
      const scope = scopeOfObject(collection, withUuids({ [CLOUD]: former ?? null }, uuids));
      const now = this.#namesakes.get(`${cloud} ${known}`) ?? (await reader.find(collection, name, scope))?.['uuid'];
      if (typeof now !== 'string') continue;
      this.#namesakes.set(`${cloud} ${known}`, now);
      if (now !== known) uuids.set(known, now);
    }
  }

  /**
   * A resumed rollback has restored objects before.
   * @param otherRenewals what it may refer to itself
   */
  async #find(renewal: Renewal, otherRenewals: readonly Renewal[], reader: Reader): Promise<string | undefined> {
    const { collection, name, before } = renewal;
    const current = withUuids(before, await this.#uuidsFor(before, otherRenewals, reader));
    this.#noteFound(renewal, current, await reader.find(collection, name, scopeOfObject(collection, current)));
    return this.#newUuids.get(renewal);
  }

  /** Another object of that name is not what is referred to. */
  #noteFound(renewal: Renewal, before: Mapping, found: Mapping | undefined): void {
    const uuid = found && entry(found, 'uuid');
    if (found === undefined || typeof uuid !== 'string') return;
    if (uuid === renewal.formerUuid || matches(createdFrom(before), found)) this.#newUuids.set(renewal, uuid);
  }
}

function withUuids(object: Mapping, uuids: ReadonlyMap<string, string>): Mapping {
  return mapLeaves(object, (leaf) => {
    if (typeof leaf !== 'string') return leaf;
    const own = uuids.get(leaf);
    if (own !== undefined) return own;
    const former = directReference(leaf)?.uuid;
    const now = former === undefined ? undefined : uuids.get(former);
    if (former === undefined || now === undefined) return leaf;
    return leaf.replace(`/${encodedPart(former)}`, () => `/${encodedPart(now)}`);
  });
}
