import type { SeenObject } from '../../core/model/run/plan.js';
import { withoutNames, withoutOrigins, type Scope } from '../../core/model/run/reference.js';
import type { FindOptions } from '../../core/model/run/session.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { entry, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Reader, Singleton } from '../../module/contract.js';

/** Identifies an object by how it is written: a created one by its collection and name, any other by its path. */
interface WrittenAt {
  readonly path: string;
  readonly name?: string | undefined;
}

interface RecordedLook {
  readonly path: string;
  /** The name of a member, which was searched for in the collection at `path`. */
  readonly name?: string;
  /** The key of the scope in which it was searched for. */
  readonly scope?: string | undefined;
  /** Absent: there is none, or the controller does not show it. */
  object?: Mapping | undefined;
}

/** The result of a look at an object, with other ways to find it. */
export interface IdentifiedObject extends SeenObject {
  readonly scope?: string | undefined;
  /** The uuid of a member that was found, and its name. */
  readonly aliases: readonly string[];
}

/**
 * The objects that a module reads, as the controller showed them. A module may return anything from `read`, so `register`, the
 * journal and rollback use these objects.
 */
export class Observation implements Reader {
  /** In the order of the reads. */
  readonly #looks: RecordedLook[] = [];

  constructor(private readonly reader: Reader) {}

  async find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined> {
    const look = this.#begin({ path: collection, name, scope: scope?.key });
    look.object = await this.reader.find(collection, name, scope, options);
    return look.object;
  }

  async single(path: string): Promise<Singleton> {
    const look = this.#begin({ path });
    const found = await this.reader.single(path);
    if (found.status === 'found') look.object = found.object;
    return found;
  }

  /** The object that the module read last; null if there is none, or the controller does not show it. */
  get last(): Mapping | null {
    return this.#looks.at(-1)?.object ?? null;
  }

  /** The path that the module read last: of a member, its collection; empty if it read nothing. */
  get path(): string {
    return this.#looks.at(-1)?.path ?? '';
  }

  /** The object that a write changes; undefined if the module did not read it. */
  objectAt(written: WrittenAt): Mapping | undefined {
    return this.#looks.findLast((look) => isAt(look, written))?.object;
  }

  /** Where objects were looked for. */
  get looks(): readonly Pick<SeenObject, 'path' | 'name'>[] {
    return this.#looks;
  }

  /** Every object that was read, as a digest of what the controller showed. */
  seen(digest: (value: Value) => string): readonly SeenObject[] {
    return this.#looks.map((look) => toSeen(look, digest));
  }

  found(digest: (value: Value) => string): readonly IdentifiedObject[] {
    return this.#looks.map((look) => ({ ...toSeen(look, digest), scope: look.scope, aliases: findAliases(look) }));
  }

  #begin(look: RecordedLook): RecordedLook {
    this.#looks.push(look);
    return look;
  }
}

/**
 * Without `_last_modified` and similar fields, which every write changes. References without the address of the controller, which
 * shows it as it was reached: a simulated one has another port at each start. And without names, which only some reads show.
 */
export function comparable(object: Mapping): Mapping {
  const fields = Object.entries(object).filter(([name]) => !name.startsWith('_'));
  return withoutNames(withoutOrigins(Object.fromEntries(fields)));
}

function toSeen({ path, name, object }: RecordedLook, digest: (value: Value) => string): SeenObject {
  return {
    path,
    ...(name !== undefined && { name }),
    digest: object === undefined ? null : digest(comparable(object)),
  };
}

function findAliases({ name: searched, object }: RecordedLook): readonly string[] {
  if (searched === undefined || object === undefined) return [];
  const [uuid, name] = [entry(object, 'uuid'), entry(object, 'name')];
  if (typeof uuid !== 'string') return [];
  return typeof name === 'string' ? [uuid, name] : [uuid];
}

function isAt({ path, name, object }: RecordedLook, written: WrittenAt): boolean {
  if (written.name !== undefined) return path === written.path && name === written.name;
  if (name === undefined) return path === written.path;
  const uuid = object && entry(object, 'uuid');
  return typeof uuid === 'string' && `${path}${encodedPart(uuid)}` === written.path;
}
