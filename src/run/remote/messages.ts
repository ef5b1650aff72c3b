import type { Position } from '../../model/playbook/step_place.js';
import type { EventBody } from '../../model/run/event.js';
import type { JournalRecord, WriteIntended } from '../../model/run/journal.js';
import type { WrittenBefore, WrittenPath } from '../../model/run/past.js';
import type { PlannedStep, PlanProgress } from '../../model/run/plan.js';
import type { SentRequest } from '../../model/run/meter.js';
import type { ComparedSecrets, HiddenField } from '../../model/run/written_secrets.js';
import type { Source } from '../../model/source/source.js';
import { decode, encode } from '../../model/values/value_codec.js';
import { entriesUnread } from '../../model/values/stored.js';
import { isList, isMapping, type Mapping, type Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { KeptVariables } from '../controllers/kept_variables.js';
import type { InventoryChange } from '../controllers/live_inventory.js';
import type { BatchEnding, OnceResult } from '../batch/batch_state.js';
import type { LockMode } from '../control/controller_locks.js';
import type { CountedTask } from '../context/run_context.js';
import type { OnResult } from '../input/run_input.js';
import type { BatchFacts, ChangeByOther, News, WalkEnd, WalkOrder } from './walk_order.js';

/**
 * Messages between the coordinator of a run and the workers that carry out its walks. Both have the same version of
 * Evenkeel, and the transport authenticates messages, so the shape of decoded texts is not checked.
 */

/** Messages of the worker without an answer. */
export type WorkerNotice =
  | { readonly type: 'secrets'; readonly texts: readonly string[] }
  | {
      readonly type: 'event';
      readonly event: EventBody;
      /** ISO 8601, by the clock of the worker. */ readonly time: string;
    }
  | { readonly type: 'count'; readonly task: CountedTask }
  | { readonly type: 'result'; readonly found: Parameters<OnResult>[0] }
  | { readonly type: 'record'; readonly record: Exclude<JournalRecord, WriteIntended> }
  | { readonly type: 'sent'; readonly request: SentRequest }
  | { readonly type: 'begin' | 'arrive'; readonly position: Position }
  | {
      readonly type: 'finish step' | 'end step' | 'wait for others' | 'give fork back' | 'credentials refused';
    }
  /** Loaded by `include_vars`, lowest precedence first. Sent because other controllers may read them. */
  | { readonly type: 'variables included'; readonly included: readonly VariableLayer[] }
  /** `delegate_facts` */
  | { readonly type: 'give'; readonly to: string; readonly kept: KeptVariables }
  | { readonly type: 'once done'; readonly step: string; readonly position: Position; readonly result: OnceResult }
  | { readonly type: 'halt'; readonly reason: string; readonly round: number | undefined }
  | { readonly type: 'lose'; readonly round: number | undefined }
  | { readonly type: 'end batch'; readonly what: 'batch' | 'play' }
  | { readonly type: 'unlock'; readonly place: string }
  | { readonly type: 'leave throttle'; readonly task: string }
  | PlanNotice
  | { readonly type: 'ended'; readonly end: WalkEnd };

/** What a walk adds to the plan that the run makes, or its progress with the plan that the run applies. */
export type PlanNotice =
  | { readonly type: 'planned'; readonly step: PlannedStep }
  /** The walk read this during the run: a file of variables, or an include with these arguments. */
  | { readonly type: 'variables read'; readonly file: string }
  | { readonly type: 'included'; readonly include: Source; readonly args: Mapping }
  /** Messages about the task at this place need the positions of its arguments. */
  | { readonly type: 'positions needed'; readonly task: Source }
  | { readonly type: 'plan progress'; readonly progress: PlanProgress };

/** Messages of the worker that the coordinator answers. */
export type Call =
  | { readonly type: 'batch' }
  /**
   * All controllers of the play. Requested once for each play, because a play may have as many batches as controllers.
   */
  | { readonly type: 'targets' }
  /** Posted durably. The answer is the number of the write, once the journal has it. */
  | { readonly type: 'intend'; readonly intent: Omit<WriteIntended, 'write'> }
  | { readonly type: 'begin step'; readonly position: Position }
  | { readonly type: 'start new' | 'take fork' }
  /** `clear_host_errors` or `clear_facts`; takes effect once for each position. */
  | { readonly type: 'clear'; readonly what: 'errors' | 'facts'; readonly position: Position }
  | { readonly type: 'turn'; readonly step: string; readonly position: Position }
  | { readonly type: 'register includes'; readonly position: Position; readonly keys: readonly string[] }
  | { readonly type: 'order of includes'; readonly position: Position }
  | { readonly type: 'lock'; readonly place: string; readonly mode: LockMode }
  | { readonly type: 'throttle'; readonly task: string; readonly limit: number }
  | { readonly type: 'file owner'; readonly file: string }
  | { readonly type: 'change inventory'; readonly change: InventoryChange }
  | { readonly type: 'ask'; readonly question: string; readonly hidden: boolean }
  | { readonly type: 'confirm'; readonly step: string; readonly position: Position; readonly title: string }
  | { readonly type: 'lock controller'; readonly url: string }
  /** For an applied plan: the writes of the run to a controller before it was interrupted. */
  | { readonly type: 'writes before'; readonly target: string }
  /** The last write of the run to a path that its controller cannot show. */
  | { readonly type: 'last written'; readonly at: WrittenPath }
  /** The first write of an applied plan. */
  | { readonly type: 'begin plan' }
  | {
      readonly type: 'compare secrets';
      readonly place: string;
      readonly object: string;
      readonly fields: readonly HiddenField[];
    }
  | {
      readonly type: 'keep secrets';
      readonly place: string;
      readonly object: string;
      readonly fields: readonly HiddenField[];
    }
  | {
      readonly type: 'note secrets';
      readonly place: string;
      readonly object: string;
      readonly fields: readonly string[];
    };

/** The coordinator's answer to each call. */
export interface Answers {
  readonly batch: BatchFacts;
  readonly targets: readonly string[];
  readonly intend: number;
  readonly 'begin step': { readonly round: number | undefined };
  readonly 'start new': null;
  readonly 'take fork': null;
  readonly clear: null;
  readonly turn: { readonly type: 'perform' } | { readonly type: 'share'; readonly result: OnceResult };
  readonly 'register includes': null;
  readonly 'order of includes': readonly number[];
  readonly lock: null;
  readonly throttle: null;
  readonly 'file owner': string;
  readonly 'change inventory': boolean;
  readonly ask: string | null;
  /** `stopped`: the user interrupted the run instead of answering. */
  readonly confirm: 'run' | 'skip' | 'stopped';
  readonly 'lock controller': string | null;
  readonly 'writes before': readonly WrittenBefore[];
  readonly 'last written': Mapping | null;
  /** The earlier run that applied the plan to the controller. Null: none. */
  readonly 'begin plan': string | null;
  readonly 'compare secrets': ComparedSecrets;
  readonly 'keep secrets': null;
  readonly 'note secrets': boolean;
}

export type FromWorker = WorkerNotice | { readonly type: 'call'; readonly id: number; readonly call: Call };

export type ToWorker =
  | { readonly type: 'answer'; readonly id: number; readonly value: Answers[Call['type']]; readonly news: News }
  | {
      readonly type: 'refused';
      readonly id: number;
      readonly message: string;
      /** From a `TaskProblem`, whose message is shown to the user unchanged. */
      readonly problem?: { readonly source?: Source | undefined; readonly hint?: string | undefined } | undefined;
    }
  | { readonly type: 'batch end'; readonly end: BatchEnding }
  | ChangeByOtherNotice;

export interface ChangeByOtherNotice {
  readonly type: 'changed by other';
  readonly change: ChangeByOther;
  /** Number of the change since the walk began, from 0. */
  readonly number: number;
  /** The controller whose step made the change in the same process, where it took effect at once. */
  readonly here?: string | undefined;
}

/** A message to all workers of the run. */
export interface Broadcast {
  readonly type: 'stop';
  readonly why: StopReason;
}

export type StopReason = 'interrupted' | 'given up' | 'credentials refused' | 'journal broken';

/** Encodes a message. Leaves out values that have no text form, such as the position of a variable in its file. */
export function toText(message: WalkOrder | readonly FromWorker[] | ToWorker | Broadcast): string {
  return encode(isList(message) ? message : wholeOf(message));
}

/* oxlint-disable typescript/no-unsafe-type-assertion -- the sender is the same version of Evenkeel */
/** Decodes texts that the other process made with `toText`. */
export const fromText = {
  order: (text: string): WalkOrder => decode(text) as unknown as WalkOrder,
  worker: (text: string): readonly FromWorker[] => decode(text) as unknown as readonly FromWorker[],
  coordinator: (text: string): ToWorker => decode(text) as unknown as ToWorker,
  broadcast: (text: string): Broadcast => decode(text) as unknown as Broadcast,
};
/* oxlint-enable typescript/no-unsafe-type-assertion */

/** Reads large values that are kept in a file, which the other process cannot open. */
function wholeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(wholeOf);
  if (!isMapping(value)) return value;
  const entries = entriesUnread(value);
  return Object.fromEntries(entries.map(([name]) => [name, wholeOf((value as Readonly<Record<string, Value>>)[name])]));
}
