import type { SeenObject } from '../../core/model/run/plan.js';
import type { ReferenceLookup, Scope } from '../../core/model/run/reference.js';
import type { Change } from '../../core/model/run/result.js';
import type { ControllerSession, FindOptions } from '../../core/model/run/session.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { entry, isEqual, type Mapping, type Value } from '../../core/model/values/value.js';
import { comparable } from '../../module/comparison/comparison.js';
import type { Reader, Singleton } from '../../module/contract.js';
import type { ExpectedObject, ExpectedObjects } from '../controllers/expected_objects.js';

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
  /** In a check: what earlier tasks would leave in its place. */
  expected?: ExpectedObject | undefined;
}

/** Without references, clouds are compared as they are written. */
type LookingReader = Reader & Partial<Pick<ControllerSession, 'references'>>;

/** The result of a look at an object, with other ways to find it. */
export interface IdentifiedObject extends SeenObject {
  readonly scope?: string | undefined;
  /** The uuid of a member that was found, and its name. */
  readonly aliases: readonly string[];
  readonly object?: Mapping | undefined;
}

/**
 * The objects that a module reads, as the controller showed them. A module may return anything from `read`, so `register`, the
 * journal and rollback use these objects.
 */
export class Observation implements Reader {
  /** In the order of the reads. */
  readonly #looks: RecordedLook[] = [];

  constructor(
    private readonly reader: LookingReader,
    private readonly expected?: ExpectedObjects,
  ) {}

  async find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined> {
    const look: RecordedLook = { path: collection, name, scope: scope?.key };
    this.#looks.push(look);
    look.object = await this.reader.find(collection, name, scope && this.#seen(scope), options);
    look.expected = await this.expected?.find(look, this.reader, scope, options?.by);
    return shown(look);
  }

  async single(path: string): Promise<Singleton> {
    const look: RecordedLook = { path };
    this.#looks.push(look);
    const found = await this.reader.single(path);
    if (found.status === 'found') look.object = found.object;
    look.expected = this.expected?.at(look);
    const { after } = look.expected ?? {};
    if (after == null) return found;
    return found.status === 'found' ? { ...found, object: after } : { ...found, written: after };
  }

  /** Later tasks of the check see what the change would leave, if the module read the object that it changes. */
  expect(change: Change): void {
    if (change.kind === 'none' || change.kind === 'invoke') return;
    const { before, after } = change;
    const changed = before === null ? this.#looks.at(-1) : this.#lookAt(before);
    if (changed === undefined) return;
    const { object, expected } = changed;
    if (change.kind !== 'create' && expected !== undefined) expected.after = after;
    else
      this.expected?.add(changed, {
        uuid: before === null ? undefined : object && entry(object, 'uuid'),
        base: before === null ? undefined : object,
        after,
      });
  }

  /** A module may return a copy of what it read. */
  #lookAt(before: Mapping): RecordedLook | undefined {
    const uuid = entry(before, 'uuid');
    const isCopied = (object: Mapping | undefined): boolean =>
      object !== undefined && (uuid === undefined ? isEqual(object, before) : entry(object, 'uuid') === uuid);
    return (
      this.#looks.findLast((look) => shown(look) === before) ?? this.#looks.findLast((look) => isCopied(shown(look)))
    );
  }

  /** In a check, references lead to objects as earlier tasks would leave them. */
  #seen(scope: Scope): Scope {
    if (this.expected === undefined) return scope;
    const lookup = (): Promise<ReferenceLookup | undefined> =>
      this.reader.references?.({ asExpected: true }) ?? Promise.resolve(undefined);
    return { ...scope, select: (objects) => scope.select(objects, lookup) };
  }

  /** The object that the module read last, or that a check expects in its place; null if there is none, or the controller does not show it. */
  get last(): Mapping | null {
    const look = this.#looks.at(-1);
    return (look && shown(look)) ?? null;
  }

  /** Whether an earlier task of the check would create that object, so that its other fields are not known. */
  get isFuture(): boolean {
    const { name, expected } = this.#looks.at(-1) ?? {};
    return name !== undefined && expected?.after != null && expected.uuid === undefined;
  }

  /** The path that the module read last: of a member, its collection; empty if it read nothing. */
  get path(): string {
    return this.#looks.at(-1)?.path ?? '';
  }

  /** The object that a write changes; undefined if the module did not read it. */
  objectAt(written: WrittenAt): Mapping | undefined {
    return this.#looks.findLast((look) => isAt(look, written))?.object;
  }

  /** Every object that was read, as a digest of what the controller showed. */
  seen(digest: (value: Value) => string): readonly SeenObject[] {
    return this.#looks.map((look) => toSeen(look, digest));
  }

  found(digest: (value: Value) => string): readonly IdentifiedObject[] {
    return this.#looks.map((look) => {
      const { scope, object } = look;
      return { ...toSeen(look, digest), scope, aliases: findAliases(look), object };
    });
  }
}

function shown({ object, expected }: RecordedLook): Mapping | undefined {
  return expected === undefined ? object : (expected.after ?? undefined);
}

function toSeen({ path, name, object }: RecordedLook, digest: (value: Value) => string): SeenObject {
  const state = object === undefined ? null : digest(comparable(object));
  return { path, ...(name !== undefined && { name }), digest: state };
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
