import { isBelow, isCleanupPlace } from '../../../core/model/playbook/step_place.js';
import type { ReachedController, StepRef, WriteFinished } from '../../../core/model/run/journal.js';
import type { Change } from '../../../core/model/run/result.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { appendTo } from '../../../core/model/values/groups.js';
import { entry, isMapping, type Mapping } from '../../../core/model/values/value.js';
import { MASK } from '../../../core/secrets/secrets.js';
import { recordText, shownText, type KeptRecord } from './entry.js';
import type { WholeRecords } from './whole_record.js';

/** One write and what became of it. */
export interface KeptWrite {
  readonly intent: KeptRecord;
  outcome: WriteFinished['outcome'];
  finished: KeptRecord | undefined;
  verified: KeptRecord | undefined;
}

/** The writes of a run by number, in the order of their intents. */
export class PastWrites {
  readonly #all = new Map<number, KeptWrite>();
  /** Writes of steps that may have to run again. */
  readonly #ofSteps = new Map<string, KeptWrite[]>();
  /** Objects that the controller does not show, by controller. */
  readonly #uncomparable = new Map<string, KeptWrite[]>();

  /** Writes of an `always` that ran because of an interrupt, by controller. */
  readonly #cleanups = new Map<string, KeptWrite[]>();

  /** The places whose steps no longer count, each with the last write before that, by controller. */
  readonly #forgotten = new Map<string, { readonly place: string; readonly after: number }[]>();

  /** The number of the last write; 0 if there is none. */
  last = 0;

  /** Built on first use. */
  #byController: Map<string, KeptWrite[]> | undefined;

  record(record: KeptRecord): void {
    this.#byController = undefined;
    if (record.type === 'steps-forgotten') {
      const forgotten = { place: recordText(record, 'place'), after: this.last };
      appendTo(this.#forgotten, recordText(record, 'controller'), forgotten);
    }
    const write = record.shown['write'];
    if (typeof write !== 'number') return;
    if (record.type === 'write-intended') this.#intend(write, record);
    const own = this.#all.get(write);
    if (own === undefined) return;
    if (record.type === 'write-finished') this.#finish(own, record);
    if (record.type === 'write-verified') own.verified = record;
  }

  get all(): readonly KeptWrite[] {
    return [...this.#all.values()];
  }

  atStep(ref: StepRef): readonly KeptWrite[] {
    return this.by(ref.controller).filter(({ intent: { shown } }) => {
      const { place, item, key } = shown;
      return key === undefined || ref.key === undefined ? place === ref.place && item === ref.item : key === ref.key;
    });
  }

  /** All writes to a controller, whichever host's tasks they were, and those that rolled a batch back. */
  to(controller: string): readonly KeptWrite[] {
    if (this.#byController === undefined) {
      this.#byController = new Map();
      for (const write of this.#all.values())
        appendTo(this.#byController, reachedIn(write.intent, 'controller'), write);
    }
    return this.#byController.get(controller) ?? [];
  }

  /** The writes of a step and of the items of its loop. */
  within(ref: StepRef): readonly KeptWrite[] {
    const { key } = ref;
    if (key === undefined) return this.atStep(ref);
    return this.by(ref.controller).filter(({ intent }) => {
      const other = recordText(intent, 'key');
      return other === key || other.startsWith(`${key}#`);
    });
  }

  /** The number of the last write before the step of this one was forgotten; undefined if it was not. */
  forgottenAfter({ intent }: KeptWrite): number | undefined {
    const number = Number(intent.shown['write']);
    const isGone = ({ place, after }: { readonly place: string; readonly after: number }): boolean =>
      number <= after && isBelow(recordText(intent, 'place'), place);
    return this.#forgotten.get(recordText(intent, 'controller'))?.find(isGone)?.after;
  }

  /** Of a host, as far as its steps may have to run again. */
  by(host: string): readonly KeptWrite[] {
    return this.#ofSteps.get(host) ?? [];
  }

  get hasCleanups(): boolean {
    return this.#cleanups.size > 0;
  }

  /** @param controller as in `ReachedController` */
  cleanups(controller: string): readonly KeptWrite[] {
    return this.#cleanups.get(controller) ?? [];
  }

  /** @param controller as in `ReachedController` */
  uncomparable(controller: string): readonly KeptWrite[] {
    return this.#uncomparable.get(controller) ?? [];
  }

  /** Writes with an unknown outcome are kept, because repeating them could apply them twice. */
  forget(host: string, isForgotten: (intent: KeptRecord) => boolean): void {
    const isLeft = ({ intent, outcome }: KeptWrite): boolean =>
      outcome === 'unknown' || recordText(intent, 'controller') !== host || !isForgotten(intent);
    this.#ofSteps.set(host, this.by(host).filter(isLeft));
    for (const [controller, writes] of this.#cleanups) this.#cleanups.set(controller, writes.filter(isLeft));
  }

  #intend(write: number, intent: KeptRecord): void {
    const kept: KeptWrite = { intent, outcome: 'unknown', finished: undefined, verified: undefined };
    this.#all.set(write, kept);
    this.last = Math.max(this.last, write);
    appendTo(this.#ofSteps, recordText(intent, 'controller'), kept);
    if (isCleanupPlace(recordText(intent, 'place'))) appendTo(this.#cleanups, reachedIn(intent, 'controller'), kept);
    if (intent.shown['uncomparable'] === true) appendTo(this.#uncomparable, reachedIn(intent, 'controller'), kept);
  }

  #finish(write: KeptWrite, record: KeptRecord): void {
    const { outcome } = record.shown;
    if (outcome !== 'applied' && outcome !== 'refused' && outcome !== 'unknown') return;
    write.outcome = outcome;
    write.finished = record;
  }
}

/** What the intent says of the controller that it is to. The URL may be masked. */
export function reachedIn({ shown: { reached } }: KeptRecord, what: keyof ReachedController): string {
  const value = isMapping(reached) ? reached[what] : undefined;
  return typeof value === 'string' ? value : '';
}

/** An object on a controller, as messages call it: `cloud "edge"`. */
export interface ObjectName {
  /** The URL of the controller and its route. */
  readonly address: string;
  /** The host that reaches it there. */
  readonly target: string;
  readonly tenant: string | undefined;
  readonly object: string;
}

/** The last write of a run to an object that may have taken effect. */
export interface ObjectWrite {
  readonly kind: Change['kind'] | undefined;
  readonly outcome: Exclude<WriteFinished['outcome'], 'refused'>;
  /** The object as the controller showed it after the write. Undefined: it was not read, or the key is lost. */
  readonly seen: Mapping | undefined;
}

/** Equal for all hosts that reach the controller; but what a mask hides can be the only difference between addresses. */
export function objectNameKey({ address, target, tenant, object }: ObjectName): string {
  return JSON.stringify([address, address.includes(MASK) ? target : null, tenant ?? null, object]);
}

export function objectWrites(
  writes: PastWrites,
  whole: WholeRecords,
  isWanted: (key: string) => boolean,
): ReadonlyMap<string, ObjectWrite> {
  const last = writes.all.filter(({ outcome }) => outcome !== 'refused');
  const byKey = new Map(last.map((write) => [intentKey(write.intent), write]));
  return new Map([...byKey].flatMap(([key, write]) => (isWanted(key) ? [[key, objectWrite(write, whole)]] : [])));
}

/** Objects of `no_log` tasks have no readable name. */
function intentKey(intent: KeptRecord): string {
  return objectNameKey({
    address: reachedIn(intent, 'url'),
    target: recordText(intent, 'target'),
    tenant: shownText(intent, 'tenant'),
    object: recordText(intent, 'object'),
  });
}

function objectWrite({ intent, outcome, verified }: KeptWrite, whole: WholeRecords): ObjectWrite {
  const { change } = intent.shown;
  const kind = isMapping(change) ? entry(change, 'kind') : undefined;
  return {
    kind: KINDS.find((one) => one === kind),
    outcome: outcome === 'applied' ? 'applied' : 'unknown',
    seen: verified && orElse(undefined, () => whole.verified(verified).seen),
  };
}

const KINDS: readonly Change['kind'][] = ['create', 'update', 'delete', 'invoke', 'none'];
