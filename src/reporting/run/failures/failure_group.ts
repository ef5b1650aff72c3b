import type { TaskFinished } from '../../../core/model/run/event.js';
import { changeObject } from '../../../core/model/run/result.js';
import type { Source } from '../../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import { causeFirst, generalMessage, generalText } from '../../text/messages.js';
import { sortNames, nameSome } from '../../text/words.js';

/** Controllers that failed at the same task for the same cause. */
export interface FailureGroup {
  readonly status: 'failed' | 'unreachable';
  readonly task: string;
  readonly module: string;
  readonly source: Source;
  readonly message: string;
  readonly item: string | undefined;
  readonly hint: string | undefined;
  /** The route that is down, for all of these controllers. */
  readonly route: string | undefined;
  readonly cause: Source | undefined;
  /** The gate, if the task was one of its checks. */
  readonly gate: { readonly batch: number; readonly round: number } | undefined;
  /** Each once, with the number of its objects that `written` has. */
  readonly controllers: Map<string, number>;
  /** The controllers that these delegated the task to: they may be what is wrong. */
  readonly delegates: Set<string>;
  /** The routes of the controllers that have one, with the number of controllers each. */
  readonly routes: Map<string, number>;
  /** Objects written before the failure, keyed without the names of their controllers. */
  readonly written: Map<string, EarlierWrite>;
  /** Writes with an unknown outcome. */
  readonly unconfirmed: UnconfirmedWrites;
  /** Fewest and most tasks of the play that did not run after it, where they can be counted. */
  readonly left: { least: number; most: number };
}

/** An object that some controllers have, with `<controller>` in place of their names if they differ. */
export interface EarlierWrite {
  object: string;
  controllers: number;
}

/** Objects whose last write has an unknown outcome. Objects that differ only in the name of their controller are one entry. */
export interface UnconfirmedWrite {
  /** The object, with `<controller>` in place of the controller's name if it differs. */
  object: string;
  /** Those that may have it. */
  readonly controllers: Set<string>;
}

export type UnconfirmedWrites = Map<string, UnconfirmedWrite>;

const MOST_DELEGATES = 10;

/** `lb2, lb3`; `lb2, lb3, delegated to lb1` if it may be lb1 that is wrong. */
export function failedNames({ controllers, delegates }: FailureGroup, most: number): string {
  const names = nameSome(sortNames(controllers.keys()), most);
  return delegates.size === 0 ? names : `${names}, delegated to ${nameSome(sortNames(delegates), MOST_DELEGATES)}`;
}

/** Equal for failures with the same cause. An unreachable controller fails at its first task, so the task says nothing about the cause. */
export function causeKey(event: TaskFinished): string {
  const cause = generalMessage(event.message ?? '', event.controller);
  if (event.status === 'unreachable' && event.round === undefined) return JSON.stringify(['unreachable', cause]);
  return JSON.stringify([event.source, event.cause ?? null, cause]);
}

export function newGroup(event: TaskFinished, batch: number | undefined): FailureGroup {
  const { task, module, source, item, hint, route, cause } = event;
  return {
    status: event.status === 'unreachable' ? 'unreachable' : 'failed',
    task,
    module,
    source,
    message: causeFirst(event.message ?? 'failed without a message'),
    item,
    hint,
    route,
    cause,
    gate: batch === undefined ? undefined : { batch, round: event.round ?? 1 },
    controllers: new Map(),
    delegates: new Set(),
    routes: new Map(),
    written: new Map(),
    unconfirmed: new Map(),
    left: { least: Infinity, most: 0 },
  };
}

/** In place of its name. */
export const MASKED_OBJECT = 'an object that no_log masks';

export function writtenObject({ change }: Pick<TaskFinished, 'change'>): string {
  return change === undefined ? MASKED_OBJECT : changeObject(change);
}

export function addUnconfirmed(writes: UnconfirmedWrites, event: TaskFinished): void {
  const { controller, delegatedTo } = event;
  const object = writtenObject(event);
  const general = generalText(object, controller);
  const known = getOrAdd(writes, general, () => ({ object, controllers: new Set<string>() }));
  if (known.object !== object) known.object = general;
  known.controllers.add(delegatedTo ?? controller);
}

export function addWritten(written: Map<string, EarlierWrite>, object: string, controller: string): void {
  const general = generalText(object, controller);
  const known = getOrAdd(written, general, () => ({ object, controllers: 0 }));
  if (known.object !== object) known.object = general;
  known.controllers++;
}
