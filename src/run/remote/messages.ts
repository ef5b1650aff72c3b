import type { Position } from '../../model/playbook/position.js';
import type { EventBody } from '../../model/run/event.js';
import type { JournalRecord, WriteIntended } from '../../model/run/journal.js';
import type { WrittenBefore, WrittenPath } from '../../model/run/past.js';
import type { PlannedStep, PlanProgress, PlanState } from '../../model/run/plan.js';
import type { SentRequest } from '../../model/run/meter.js';
import type { ComparedSecrets, HiddenField } from '../../model/run/written_secrets.js';
import type { Source } from '../../model/source/source.js';
import { decode, encode } from '../../model/values/value_codec.js';
import { entriesUnread } from '../../model/values/stored.js';
import { isList, isMapping, type Mapping, type Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { KeptVariables, OutsideChange } from '../controllers/kept_variables.js';
import type { InventoryChange } from '../controllers/live_inventory.js';
import type { OnceResult, StepEnd } from '../batch/batch_state.js';
import type { LockMode } from '../control/controller_locks.js';
import type { CountedTask } from '../context/run_context.js';
import type { OnResult } from '../input/run_input.js';
import type { KnownOfController } from './known.js';

/**
 * What the coordinator of a run and the workers that carry out its walks say to each other. Both are the same version of Evenkeel, and the
 * transport authenticates what it carries, so texts are decoded without checks of their shape.
 */

/** One controller's walk through a play, or through the checks of a gate. */
export interface WalkOrder {
  /** The number of the play, from 0. */
  readonly play: number;
  readonly part: 'play' | 'gate';
  /** The play was made for the run: what the worker makes it of, and its part of the journal. Absent: the worker has loaded it. */
  readonly made?: { readonly of: unknown; readonly area: string } | undefined;
  /** Identifies the batch in the run: its controllers are asked for once. */
  readonly batch: string;
  readonly controller: string;
  /** The controllers of the batch wait for each other. */
  readonly lockstep: boolean;
  /** The user says of each task whether it shall run (`--step`). */
  readonly confirms: boolean;
  /** The coordinator wants what tasks returned. */
  readonly wantsResults: boolean;
  /** Whether the controller's session is used again later in the run. */
  readonly neededLater: boolean;
  /** Tasks of others may look at the controller's variables. */
  readonly shares: boolean;
  /** What the controller did before: records of an interrupted run, or of an attempt that was lost. */
  readonly past: readonly JournalRecord[];
  /** What it knew before the walk. */
  readonly known: KnownOfController;
  /** What it knows now, if attempts before this one have come further, and others may look at it. */
  readonly now?: KnownOfController | undefined;
  /** What others did to its variables since the walk began, and how far the attempts before this one have come. */
  readonly happened: readonly Happened[];
  readonly reached?: Position | undefined;
  /** What the plan that the run applies says about it. Absent: the run applies none. */
  readonly planned?: { readonly steps: readonly PlannedStep[]; readonly state: PlanState } | undefined;
  /** Up to there, it may go on although its batch has ended. */
  readonly mayReach?: Position | undefined;
  readonly batchEnd: BatchEnd;
  readonly news: News;
}

/** What others did to the variables of a walk's controller. */
export interface Happened {
  readonly change: OutsideChange;
  /** Where the walk was: an attempt that repeats it sees the change in the steps after that one. Absent: before all steps. */
  readonly position?: Position | undefined;
}

/** How the batch ended, if it has. */
export interface BatchEnd {
  readonly ended?: 'batch' | 'play' | undefined;
  readonly halted?: { readonly reason: string; readonly round?: number | undefined } | undefined;
  readonly pardons: number;
}

export interface BatchFacts {
  readonly controllers: readonly string[];
  /** Tasks may lead to controllers of other walks (`delegate_to`, connection variables, includes): they take turns there. */
  readonly visits: boolean;
}

/** What happened in the run since the worker last heard of it. */
export interface News {
  /** Controllers and whether they are in the run. */
  readonly statuses?:
    readonly (readonly [name: string, status: 'alive' | 'failed' | 'unreachable' | 'stale'])[] | undefined;
  readonly effects?: readonly InventoryChange[] | undefined;
  /** What others have found and done of the plan that the run applies. */
  readonly planProgress?: readonly PlanProgress[] | undefined;
  /** Variables of controllers, if tasks of others may look at them. */
  readonly variables?: readonly (readonly [name: string, known: KnownOfController])[] | undefined;
}

/** From the worker, without an answer. */
export type Tell =
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
      readonly type: 'settle' | 'exit' | 'wait for others' | 'give fork back' | 'credentials refused';
    }
  /** Of `include_vars`, weaker first, because others may look at them. */
  | { readonly type: 'variables included'; readonly included: readonly VariableLayer[] }
  /** `delegate_facts` */
  | { readonly type: 'give'; readonly to: string; readonly kept: KeptVariables }
  | { readonly type: 'once done'; readonly step: string; readonly position: Position; readonly result: OnceResult }
  | { readonly type: 'halt'; readonly reason: string; readonly round: number | undefined }
  | { readonly type: 'lose'; readonly round: number | undefined }
  | { readonly type: 'end batch'; readonly what: 'batch' | 'play' }
  | { readonly type: 'unlock'; readonly place: string }
  | { readonly type: 'leave throttle'; readonly task: string }
  | ToldOfPlan
  | { readonly type: 'ended'; readonly end: WalkEnd };

/** What a walk adds to the plan that the run makes, or does of the one that it applies. */
export type ToldOfPlan =
  | { readonly type: 'planned'; readonly step: PlannedStep }
  /** It read this during the run: files of variables, and what an include brings with these arguments. */
  | { readonly type: 'variables read'; readonly file: string }
  | { readonly type: 'included'; readonly include: Source; readonly args: Mapping }
  /** Messages about the task at this place will need the positions of its arguments. */
  | { readonly type: 'positions needed'; readonly task: Source }
  | { readonly type: 'plan progress'; readonly progress: PlanProgress };

/** From the worker; the coordinator answers. */
export type Call =
  | { readonly type: 'batch' }
  /** All controllers of the play: asked for once, because a play may have as many batches as controllers. */
  | { readonly type: 'targets' }
  /** Posted durably; answered with its number when the journal has it. */
  | { readonly type: 'intend'; readonly intent: Omit<WriteIntended, 'write'> }
  | { readonly type: 'enter'; readonly position: Position }
  | { readonly type: 'start new' | 'take fork' }
  /** `clear_host_errors` or `clear_facts`; once at each position. */
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
  /** Of a plan that is applied: what the run wrote to a controller before it was cut off. */
  | { readonly type: 'writes before'; readonly target: string }
  /** What the run last put at a path that its controller cannot show. */
  | { readonly type: 'last written'; readonly at: WrittenPath }
  /** The first write of a plan that is applied. */
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

/** What the coordinator answers to each call. */
export interface Answers {
  readonly batch: BatchFacts;
  readonly targets: readonly string[];
  readonly intend: number;
  readonly enter: { readonly round: number | undefined };
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
  /** `stopped`: the user interrupted the run in place of an answer. */
  readonly confirm: 'run' | 'skip' | 'stopped';
  readonly 'lock controller': string | null;
  readonly 'writes before': readonly WrittenBefore[];
  readonly 'last written': Mapping | null;
  /** The run that has applied the plan to the controller before. */
  readonly 'begin plan': string | null;
  readonly 'compare secrets': ComparedSecrets;
  readonly 'keep secrets': null;
  readonly 'note secrets': boolean;
}

export type FromWorker = Tell | { readonly type: 'call'; readonly id: number; readonly call: Call };

export type ToWorker =
  | { readonly type: 'answer'; readonly id: number; readonly value: Answers[Call['type']]; readonly news: News }
  | {
      readonly type: 'refused';
      readonly id: number;
      readonly message: string;
      /** Of a `TaskProblem`, whose message is for the user as it is. */
      readonly problem?: { readonly source?: Source | undefined; readonly hint?: string | undefined } | undefined;
    }
  | { readonly type: 'batch end'; readonly end: BatchEnd }
  | ToldOfOthers;

export interface ToldOfOthers {
  readonly type: 'happened';
  readonly happened: Happened;
  /** Counts what happened since the walk began, from 0. */
  readonly number: number;
  /** It was a step of this controller, in the same process, where its effect was immediate. */
  readonly here?: string | undefined;
}

/** To all workers of the run. */
export interface Broadcast {
  readonly type: 'stop';
  readonly why: StopReason;
}

export type StopReason = 'interrupted' | 'given up' | 'credentials refused' | 'journal broken';

/** How the walk ended, and what only its end tells. */
export interface WalkEnd {
  readonly end: StepEnd;
  readonly started: boolean;
  /** What is known of the controller now; absent: the same as before. */
  readonly known?: KnownOfController | undefined;
  /** How much of what others did to its variables that contains. */
  readonly heard: number;
}

/** What has no text (the place of a variable in its file) is left out. */
export function toText(message: WalkOrder | readonly FromWorker[] | ToWorker | Broadcast): string {
  return encode(isList(message) ? message : wholeOf(message));
}

/** Texts as they were made by `toText`, in the other process. */
export const fromText = {
  order: (text: string): WalkOrder => decode(text) as unknown as WalkOrder,
  worker: (text: string): readonly FromWorker[] => decode(text) as unknown as readonly FromWorker[],
  coordinator: (text: string): ToWorker => decode(text) as unknown as ToWorker,
  broadcast: (text: string): Broadcast => decode(text) as unknown as Broadcast,
};

/** Large values that are kept in a file are read: the other process cannot open it. */
function wholeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(wholeOf);
  if (!isMapping(value)) return value;
  const entries = entriesUnread(value);
  return Object.fromEntries(entries.map(([name]) => [name, wholeOf((value as Readonly<Record<string, Value>>)[name])]));
}
