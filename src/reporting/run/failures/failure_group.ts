import type { TaskFinished } from '../../../core/model/run/event.js';
import { changeObject } from '../../../core/model/run/result.js';
import type { Source } from '../../../core/model/source/diagnostic.js';
import { EqualTexts, type EqualText } from '../../text/equal_texts.js';
import { causeFirst, generalMessage } from '../../text/messages.js';
import { sortNames, nameSome } from '../../text/words.js';

/** Controllers that failed at the same task for the same cause. */
export interface FailureGroup {
  readonly status: 'failed' | 'unreachable';
  readonly task: string;
  readonly module: string;
  readonly source: Source;
  readonly message: string;
  /** Of loops. */
  readonly items: Set<string>;
  readonly hint: string | undefined;
  /** The route that is down, for all of these controllers. */
  readonly route: string | undefined;
  readonly cause: Source | undefined;
  /** The gate, if the task was one of its checks. */
  readonly gate: { readonly batch: number; readonly round: number } | undefined;
  /** Each once, with the objects that it had written before. */
  readonly controllers: Map<string, readonly string[]>;
  /** The controllers that these delegated the task to: they may be what is wrong. */
  readonly delegates: Set<string>;
  /** The routes of the controllers that have one, with the number of controllers each. */
  readonly routes: Map<string, number>;
  /** Objects whose last write has an unknown outcome. */
  readonly unconfirmed: EqualTexts;
  /** Fewest and most tasks of the play that did not run after it, where they can be counted. */
  readonly left: { least: number; most: number };
}

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
  const { task, module, source, hint, route, cause } = event;
  return {
    status: event.status === 'unreachable' ? 'unreachable' : 'failed',
    task,
    module,
    source,
    message: causeFirst(event.message ?? 'failed without a message'),
    items: new Set(),
    hint,
    route,
    cause,
    gate: batch === undefined ? undefined : { batch, round: event.round ?? 1 },
    controllers: new Map(),
    delegates: new Set(),
    routes: new Map(),
    unconfirmed: new EqualTexts(),
    left: { least: Infinity, most: 0 },
  };
}

/** In place of its name. */
export const MASKED_OBJECT = 'an object that no_log masks';

export function writtenObject({ change }: Pick<TaskFinished, 'change'>): string {
  return change === undefined ? MASKED_OBJECT : changeObject(change);
}

/** `pool "a" on lb9` if the task was delegated. */
export function objectPlace(object: string, { delegatedTo }: Pick<TaskFinished, 'delegatedTo'>): string {
  return delegatedTo === undefined ? object : `${object} on ${delegatedTo}`;
}

export function addUnconfirmed(writes: EqualTexts, event: TaskFinished): void {
  writes.add(writtenObject(event), event.controller, event.delegatedTo);
}

/** Objects written before the failure. */
export function earlierWrites({ controllers }: FailureGroup): readonly EqualText[] {
  const writes = new EqualTexts();
  for (const [controller, objects] of controllers) for (const object of objects) writes.add(object, controller);
  return writes.joined;
}
