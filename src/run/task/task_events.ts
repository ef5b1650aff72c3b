import type { EventBody } from '../../model/event.js';
import type { TaskResult } from '../../model/result.js';
import type { Source } from '../../model/source.js';
import { MASK } from '../../model/secrets.js';
import { isList, isMapping, type Mapping, type Value } from '../../model/value.js';
import { ordinaryWordsIn } from '../fleet/secret_finder.js';
import type { Performed, TaskRun } from './task_run.js';

type FinishedBody = Extract<EventBody, { type: 'task-finished' }>;

/** What a task's event says beside the result. */
export interface Closing {
  /** The item's label, if this is one of a loop. */
  readonly item?: string | undefined;
  readonly ignored: boolean;
  /** `no_log`: only the status gets out. */
  readonly censored: boolean;
  readonly check: boolean;
  readonly diff: boolean;
  /** Whom the task spoke to, if that was not the controller itself. */
  readonly delegatedTo?: string | undefined;
  /** Files that an include brought. */
  readonly included?: number | undefined;
  readonly seconds: number;
}

const CENSORED = "the output has been hidden due to the fact that 'no_log: true' was specified for this result";

export function emitStarted(run: TaskRun, delegatedTo: string | undefined): void {
  const { context, title, task, state, handler } = run;
  context.run.emit({
    type: 'task-started',
    play: context.name,
    task: title,
    module: task.module,
    controller: state.name,
    ...(delegatedTo !== undefined && { delegatedTo }),
    handler,
  });
}

export function emitRetried(run: TaskRun, attempt: number, attempts: number): void {
  const { context, title, task, state } = run;
  context.run.emit({
    type: 'task-retried',
    play: context.name,
    task: title,
    controller: state.name,
    attempt,
    attempts,
    source: task.source,
  });
}

export function warn({ context, state, task }: TaskRun, message: string, source: Source = task.source): void {
  context.run.emit({ type: 'warning', message, controller: state.name, source });
}

type Counted = Pick<FinishedBody, 'status' | 'ignored' | 'rescued' | 'changed' | 'included'>;

/** What the recap counts of it. */
export function countedOf(run: TaskRun, performed: Performed, closing: Closing): Counted {
  const { ignored, included } = closing;
  return {
    status: performed.result.status,
    ...(ignored && { ignored: true }),
    ...(isRescued(run, performed, closing) && { rescued: true }),
    ...(ignored && hasChanged(performed.result) && { changed: true }),
    ...(included !== undefined && { included }),
  };
}

export function emitFinished(run: TaskRun, performed: Performed, closing: Closing, counted: Counted): void {
  const { context, title, task, state, handler } = run;
  const { status, ...others } = counted;
  context.run.emit({
    type: 'task-finished',
    play: context.name,
    task: title,
    module: task.module,
    controller: state.name,
    ...(closing.delegatedTo !== undefined && { delegatedTo: closing.delegatedTo }),
    handler,
    ...(closing.item !== undefined && { item: closing.item }),
    status,
    ...(closing.check && { check: true }),
    ...others,
    seconds: closing.seconds,
    ...(closing.censored ? { message: CENSORED } : withoutCensored(told(performed, context.run.input.verbosity), run)),
    diff: closing.diff,
    source: task.source,
  });
}

function hasChanged(result: TaskResult): boolean {
  return result.status === 'failed' && result.values['changed'] === true;
}

type Words = Pick<FinishedBody, 'change' | 'message' | 'hint' | 'cause' | 'values' | 'spoken'>;

function told({ result, spoken }: Performed, verbosity: number): Words {
  const change =
    'change' in result && result.change !== undefined && result.change.kind !== 'none' ? result.change : undefined;
  return {
    ...(change !== undefined && { change }),
    ...words(result),
    ...((spoken === true || verbosity > 0) && { values: result.values }),
    ...(spoken === true && { spoken }),
  };
}

function words(result: TaskResult): Pick<Words, 'message' | 'hint' | 'cause'> {
  if ('failure' in result) {
    const { message, hint, source } = result.failure;
    return { message, ...(hint !== undefined && { hint }), ...(source !== undefined && { cause: source }) };
  }
  return result.message === undefined ? {} : { message: result.message };
}

/** As written in arguments: a template, or what `debug` and `assert` take for one without braces. */
const EXPRESSION = /\{\{.*?\}\}|"(?:var|that)":.*/gs;

/** If a task names a variable set by a task with `no_log`, even its ordinary words are masked. */
function withoutCensored(words: Words, { state, task }: TaskRun): Words {
  const { censored } = state;
  if (censored === undefined || censored.size === 0) return words;
  const written = new Set(
    JSON.stringify(task.args)
      .match(EXPRESSION)
      ?.flatMap((text) => text.match(/\w+/g) ?? []),
  );
  const layers = state.layers.map(({ values }) => values);
  const used = [...censored].filter((name) => written.has(name));
  const hidden = ordinaryWordsIn(layers.flatMap((values) => used.map((name) => values[name] ?? null)));
  if (hidden.length === 0) return words;
  const hide = (text: string): string => hidden.reduce((shown, word) => shown.replaceAll(word, MASK), text);
  return {
    ...words,
    ...(words.message !== undefined && { message: hide(words.message) }),
    ...(words.values !== undefined && { values: hiddenMapping(words.values, hide) }),
  };
}

function hiddenMapping(mapping: Mapping, hide: (text: string) => string): Mapping {
  return Object.fromEntries(Object.entries(mapping).map(([name, value]) => [name, hiddenValue(value, hide)]));
}

function hiddenValue(value: Value, hide: (text: string) => string): Value {
  if (typeof value === 'string') return hide(value);
  if (isList(value)) return value.map((one) => hiddenValue(one, hide));
  return isMapping(value) ? hiddenMapping(value, hide) : value;
}

/** After an interrupt, no rescue runs any more. */
function isRescued({ rescuable, sheltered, context }: TaskRun, { result }: Performed, { ignored }: Closing): boolean {
  return rescuable && result.status === 'failed' && !ignored && !context.run.brake.stops(sheltered);
}
