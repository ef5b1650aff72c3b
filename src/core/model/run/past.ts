import { encodedPart } from '../values/uri.js';
import { entry, isMapping, type Mapping, type Value } from '../values/value.js';
import type { BatchEnded, StepRef, StepSettled, WriteAnswer, WriteFinished, WriteIntended } from './journal.js';

/** A write of a run that ended before it knew the outcome: the controller may still carry it out. */
export interface UnsettledWrite {
  /** Identifies the controller. */
  readonly place: string;
  /** For messages: `cloud "edge-1"`. Absent: unknown, because the journal of the run cannot be read or masks it. */
  readonly object?: string | undefined;
  /** When its request was sent for the last time at the latest, in milliseconds since the epoch. */
  readonly time: number;
}

/** What a run had done before it was interrupted, from its journal. */
export interface Past {
  /** Found by its key, or by its place if it has none. */
  finishedStep(ref: StepRef): StepSettled | undefined;
  /**
   * Whether an `always` that ran because of an interrupt wrote to an object after the step did, so that the object may
   * differ from what the step left.
   */
  isCleanedUp(ref: StepRef): boolean;
  /** Whether the step wrote something as part of an `always` that ran because of an interrupt, and that a resume runs again. */
  hasCleanedUp(ref: StepRef): boolean;
  /** The record of a step, or of any item of it, with that key: as the step was written then. */
  known(ref: StepRef): Pick<StepRef, 'alike' | 'list'> | undefined;
  /** What others of these controllers have begun at a step that is written like this one, at any of their visits. */
  begunAlike(ref: StepRef, controllers: readonly string[]): readonly StepRef[];
  /** Whether the user declined it (`--step`). */
  isDeclined(ref: StepRef): boolean;
  /** Like the journal's. */
  digest(value: Value): string;
  /** The last place of an area (`2:`) at which the controller finished a step, by position. Items of loops do not count. */
  reached(controller: string, area: string): string | undefined;
  /** How a batch (from 1) ended early, in order; empty if it did not. */
  ended(play: number, batch: number): readonly BatchEnded[];
  /** Writes of a step (or item) that started but did not finish, in order. */
  writes(ref: StepRef): readonly PastWrite[];
  /**
   * For the checks of a gate, which starts again: only the raw writes that may have taken effect, because what is declared is read and
   * compared first. Of those before the latest end of a gate, the user knows.
   */
  ofInterruptedGate(): Past;
  /** The last content written to a path that its controller cannot show: the next write must not lose it. */
  written(at: Pick<WriteIntended, 'path' | 'tenant' | 'reached'>): Mapping | undefined;
  /**
   * All writes to a controller, in order, whichever host's tasks they were, and those that rolled a batch back.
   *
   * @param controller as in `ReachedController`
   * @param digest of an object as the controller showed it
   */
  writtenTo(controller: string, digest: (seen: Mapping) => string): readonly WrittenBefore[];
  /** The controllers that a batch had, also those that are gone. */
  membersBefore(play: number, batch: number): readonly string[];
  /** By number, from 1; undefined if the play had not started. */
  startedBatches(play: number, isAlive: (controller: string) => boolean): ReadonlyMap<number, StartedBatch> | undefined;
  /** Whether each of these controllers has passed the gate of the play, and did nothing in the play since. */
  hasPassed(play: number, controllers: readonly string[]): boolean;
}

/** A batch of a play that had started before the interrupt. */
export interface StartedBatch {
  /** In their order. */
  readonly controllers: readonly string[];
  /** The play had no batch after it, and nothing ended it early. */
  readonly mayGetOthers: boolean;
}

/** A write of an interrupted step. */
export interface PastWrite {
  readonly intent: WriteIntended;
  readonly outcome: WriteFinished['outcome'];
  readonly answer?: WriteAnswer | undefined;
}

/** A write before the interrupt, without the written content. `controller` is the host whose task it was. */
export interface WrittenBefore extends Pick<WriteIntended, 'controller' | 'path' | 'tenant'> {
  /** The path is its collection. Absent: the object exists once. */
  readonly member?: WrittenMember | undefined;
  /** Of a request whose meaning is unknown: the object that it may have created in the collection at the path. */
  readonly name?: string | undefined;
  /** A keyed digest of the controller and the user. */
  readonly account: string;
  readonly outcome: WriteFinished['outcome'];
  /** The digest of the object as the controller showed it afterwards; null: it was deleted. Absent: the object was not read. */
  readonly seen?: string | null | undefined;
  /** With an unknown outcome: the object as it was to be. */
  readonly intended?: Mapping | undefined;
}

interface WrittenMember {
  /** Undefined: it was created, and not read. */
  readonly uuid: string | undefined;
  /** Its name before the write; of a created one, the name that it was to get. */
  readonly before: string;
  /** Its name after the write; undefined if it was deleted. */
  readonly after: string | undefined;
}

/** A secret that a controller does not show, and its declared value. */
export type HiddenField = readonly [path: string, value: Value];

/** Remembers the secrets that the project last wrote to one controller. It can compare values, but not reveal them. */
export interface WrittenSecrets {
  /**
   * The fields whose declared value differs from the last written one, and the fields without a record.
   * @param object its path on the controller
   */
  compare(object: string, fields: readonly HiddenField[]): Promise<ComparedSecrets>;
  /**
   * Before a write: until `keep`, the written fields count as changed, whatever is declared. Returns what takes that back, for a
   * write that changed nothing, and never rejects.
   * @throws if that cannot be recorded
   */
  unsettle(object: string, fields: readonly HiddenField[]): Promise<() => Promise<void>>;
  /** Records written fields. Never rejects: a value that cannot be recorded is unknown later. */
  keep(object: string, fields: readonly HiddenField[]): Promise<void>;
  /**
   * Records that the user was warned about unknown fields: another value of them is a change. Returns whether the warning is new. Never
   * rejects.
   * @param check for this run only: a check has no lock, and must not replace what another run records
   */
  note(object: string, fields: readonly HiddenField[], check: boolean): Promise<boolean>;
}

export interface ComparedSecrets {
  readonly changed: readonly string[];
  readonly unknown: readonly HiddenField[];
}

/** Opens the record of a controller, by its address and tenant. */
export type OpenWrittenSecrets = (place: string) => Promise<WrittenSecrets>;

/** The object of a write. */
export type AddressedObject =
  | { readonly type: 'member'; readonly collection: string; readonly name: string; readonly uuid: string | undefined }
  | { readonly type: 'single'; readonly path: string };

/**
 * Identifies a member of a collection by its uuid or, in a create, by its name: both mean the same object. An object
 * without a name cannot be found again, and counts as single.
 */
export function addressedObject({ change, path, name }: WriteIntended): AddressedObject {
  if (change.kind === 'create')
    return name === undefined ? { type: 'single', path } : { type: 'member', collection: path, name, uuid: undefined };
  const before = change.kind === 'update' || change.kind === 'delete' ? (change.before ?? {}) : {};
  const [uuid, ownName] = [entry(before, 'uuid'), entry(before, 'name')];
  const end = typeof uuid === 'string' && uuid !== '' ? encodedPart(uuid) : undefined;
  if (end === undefined || typeof uuid !== 'string' || typeof ownName !== 'string' || !path.endsWith(`/${end}`))
    return { type: 'single', path };
  return { type: 'member', collection: path.slice(0, -end.length), name: ownName, uuid };
}

/** Equal for all writes to one object. */
export function objectKey(object: AddressedObject): string {
  return object.type === 'single' ? object.path : `${object.collection} ${object.name}`;
}

/** What a write was to, and by which names it was found. @param object as the controller showed it after the write */
export function findWritten(intent: WriteIntended, object?: Mapping): Pick<WrittenBefore, 'path' | 'member' | 'name'> {
  const { change, body } = intent;
  const written = addressedObject(intent);
  if (written.type === 'single')
    return { path: written.path, ...(change.kind === 'invoke' && { name: textAt(body, 'name') }) };
  const { collection: path, name: before } = written;
  const now = change.kind === 'update' || change.kind === 'create' ? (object ?? change.after) : undefined;
  const uuid = written.uuid ?? textAt(now, 'uuid');
  return { path, member: { uuid, before, after: now && (textAt(now, 'name') ?? before) } };
}

function textAt(object: Value | undefined, name: string): string | undefined {
  const text = isMapping(object) ? entry(object, name) : undefined;
  return typeof text === 'string' ? text : undefined;
}
