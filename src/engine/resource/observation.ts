import type { SeenObject } from '../../core/model/run/plan.js';
import { withoutNames, withoutOrigins, type Scope } from '../../core/model/run/reference.js';
import type { Change } from '../../core/model/run/result.js';
import type { ControllerSession, FindOptions } from '../../core/model/run/session.js';
import { appendTo } from '../../core/model/values/groups.js';
import { encodedPart } from '../../core/model/values/uri.js';
import { entry, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Reader, Singleton } from '../../module/contract.js';
import { TaskProblem } from '../keywords/failed_result.js';

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

/** An object as tasks of a check would leave it. */
interface ExpectedObject {
  /** Undefined: it would be created, so that its uuid is not known, or it exists once. */
  readonly uuid: Value | undefined;
  /** Null: there would be none. */
  after: Mapping | null;
}

const AMBIGUOUS = 'declare what only one of them has: its cloud_ref, or fields under "match"';

/** What the earlier tasks of one controller would leave at one connection, in a run that is a check. */
export class ExpectedObjects {
  /** By the path of the collection, or of the object that exists once. */
  readonly #objects = new Map<string, ExpectedObject[]>();

  /** Undefined: the object, or that there is none, is as the controller shows it. */
  async find(
    { path, name, object }: RecordedLook,
    reader: LookingReader,
    scope: Scope | undefined,
    by: FindOptions['by'],
  ): Promise<ExpectedObject | undefined> {
    const all = this.#objects.get(path) ?? [];
    const own = object && all.find(({ uuid }) => uuid !== undefined && uuid === entry(object, 'uuid'));
    const meant = all.filter(({ uuid, after }) => after && (by === 'uuid' ? uuid : entry(after, 'name')) === name);
    const lookup = meant.length > 0 ? await reader.references?.() : undefined;
    const cloud = lookup?.defaultCloud && (await lookup.resolve(lookup.defaultCloud));
    const usual = cloud?.type === 'found' ? { cloud_ref: cloud.path } : {};
    const scoped = new Map(meant.map((one): [Mapping, ExpectedObject] => [{ ...usual, ...one.after }, one]));
    const found = scope ? await scope.select([...scoped.keys()], () => Promise.resolve(lookup)) : [...scoped.keys()];
    const [first] = found;
    // Another tenant's object of that name is not meant.
    const others = object === undefined || own !== undefined || lookup?.tenant !== undefined ? 0 : 1;
    if (first !== undefined && found.length + others > 1)
      throw new TaskProblem(`${found.length + others} objects would be named "${name}"`, undefined, AMBIGUOUS);
    return (first && scoped.get(first)) ?? (own && { uuid: undefined, after: null });
  }

  at(path: string): ExpectedObject | undefined {
    return this.#objects.get(path)?.at(-1);
  }

  add(path: string, object: ExpectedObject): void {
    appendTo(this.#objects, path, object);
  }
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

  constructor(
    private readonly reader: LookingReader,
    private readonly expected?: ExpectedObjects,
  ) {}

  async find(collection: string, name: string, scope?: Scope, options?: FindOptions): Promise<Mapping | undefined> {
    const look = this.#begin({ path: collection, name, scope: scope?.key });
    look.object = await this.reader.find(collection, name, scope, options);
    look.expected = await this.expected?.find(look, this.reader, scope, options?.by);
    return shown(look);
  }

  async single(path: string): Promise<Singleton> {
    const look = this.#begin({ path });
    const found = await this.reader.single(path);
    if (found.status === 'found') look.object = found.object;
    look.expected = this.expected?.at(path);
    const { after } = look.expected ?? {};
    if (after == null) return found;
    return found.status === 'found' ? { ...found, object: after } : { ...found, written: after };
  }

  /** Later tasks of the check see what the change would leave, if the module read the object that it changes. */
  expect(change: Change): void {
    if (change.kind === 'none' || change.kind === 'invoke') return;
    const { before, after } = change;
    const last = this.#looks.at(-1);
    const changed = before === null ? last : this.#looks.findLast((look) => shown(look) === before);
    if (changed === undefined) return;
    const { path, expected } = changed;
    if (change.kind !== 'create' && expected !== undefined) expected.after = after;
    else this.expected?.add(path, { uuid: before === null ? undefined : entry(before, 'uuid'), after });
  }

  /** The object that the module read last, or that a check expects in its place; null if there is none, or the controller does not show it. */
  get last(): Mapping | null {
    const look = this.#looks.at(-1);
    return (look && shown(look)) ?? null;
  }

  /** Whether an earlier task of the check would create that object, so that its other fields are not known. */
  get isFuture(): boolean {
    const { name, object, expected } = this.#looks.at(-1) ?? {};
    return name !== undefined && object === undefined && expected !== undefined && expected.uuid === undefined;
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
    return this.#looks.map((look) => ({ ...toSeen(look, digest), scope: look.scope, aliases: findAliases(look) }));
  }

  #begin(look: RecordedLook): RecordedLook {
    this.#looks.push(look);
    return look;
  }
}

function shown({ object, expected }: RecordedLook): Mapping | undefined {
  return expected === undefined ? object : (expected.after ?? undefined);
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
