import type { Handler, Inheritable, Task } from '../model/playbook.js';
import { isMapping } from '../model/value.js';
import type { Module } from '../module/contract.js';
import { argumentsOf } from './arguments.js';
import { callOf, type Call } from './call.js';
import { conditions } from './conditions.js';
import { kindOf, type Cursor } from './cursor.js';
import { HANDLER, TASK, type Vocabulary } from './keywords.js';
import { loopOf } from './loop.js';
import type { Modules } from './modules.js';
import { untilOf } from './retry.js';
import { flag, quantity, template } from './templated.js';
import { names, texts, variableName } from './texts.js';
import { varsOf } from './vars.js';

/** What tasks take over from the play, the blocks, the roles and the imports around them. */
export type Inherited = Inheritable;

export const NOTHING_INHERITED: Inherited = {
  when: [],
  tags: [],
  layers: [],
  notify: [],
  ignoreErrors: undefined,
  ignoreUnreachable: undefined,
  noLog: undefined,
  checkMode: undefined,
  diff: undefined,
  anyErrorsFatal: undefined,
  runOnce: undefined,
  delegateTo: undefined,
  delegateFacts: undefined,
  throttle: undefined,
  timeout: undefined,
};

/** What a play, or a task, hands inward: its own words before those around it; tags, conditions and variables add up. */
export function inheritedFrom(cursor: Cursor, outer: Inherited): Inherited {
  return {
    when: [...outer.when, ...(conditions(cursor.get('when')) ?? [])],
    tags: [...new Set([...outer.tags, ...names(cursor.get('tags'))])],
    layers: outer.layers,
    notify: orElse(texts(cursor.get('notify')), outer.notify),
    ignoreErrors: flag(cursor.get('ignore_errors')) ?? outer.ignoreErrors,
    ignoreUnreachable: flag(cursor.get('ignore_unreachable')) ?? outer.ignoreUnreachable,
    noLog: flag(cursor.get('no_log')) ?? outer.noLog,
    checkMode: flag(cursor.get('check_mode')) ?? outer.checkMode,
    diff: flag(cursor.get('diff')) ?? outer.diff,
    anyErrorsFatal: flag(cursor.get('any_errors_fatal')) ?? outer.anyErrorsFatal,
    runOnce: flag(cursor.get('run_once')) ?? outer.runOnce,
    delegateTo: template(cursor.get('delegate_to')) ?? outer.delegateTo,
    delegateFacts: flag(cursor.get('delegate_facts')) ?? outer.delegateFacts,
    throttle: quantity(cursor.get('throttle'), { least: 0, whole: true }) ?? outer.throttle,
    timeout: quantity(cursor.get('timeout'), { least: 0 }) ?? outer.timeout,
  };
}

function orElse<T>(own: readonly T[], outer: readonly T[]): readonly T[] {
  return own.length > 0 ? own : outer;
}

/** One task; undefined if it cannot be understood. */
export function loadTask(cursor: Cursor, outer: Inherited, modules: Modules): Promise<Task | undefined> {
  return readTask(cursor, outer, modules, TASK);
}

/** One handler: a task that may listen to topics. */
export async function loadHandler(cursor: Cursor, outer: Inherited, modules: Modules): Promise<Handler | undefined> {
  const task = await readTask(cursor, outer, modules, HANDLER);
  const listen = texts(cursor.get('listen')).map(({ value }) => value);
  return task === undefined ? undefined : { ...task, listen };
}

async function readTask(
  cursor: Cursor,
  outer: Inherited,
  modules: Modules,
  vocabulary: Vocabulary,
): Promise<Task | undefined> {
  if (!isMapping(cursor.value)) {
    cursor.error(`${vocabulary.owner} must be a mapping, not ${kindOf(cursor.value)}`);
    return undefined;
  }
  const keywords = keywordsOf(cursor, outer);
  const call = callOf(cursor, vocabulary, modules);
  const module = call === undefined ? undefined : await moduleOf(call, modules);
  if (call === undefined || module === undefined) return undefined;
  return {
    type: 'task',
    module: call.module,
    args: argumentsOf(cursor, call, module),
    argsPath: [call.cursor.name],
    ...keywords,
  };
}

function keywordsOf(cursor: Cursor, outer: Inherited): Omit<Task, 'type' | 'module' | 'args' | 'argsPath'> {
  const name = template(cursor.get('name'));
  const own = varsOf(cursor.get('vars'), 'task vars', name === undefined ? 'task vars' : `vars of "${name.value}"`);
  return {
    ...inheritedFrom(cursor, outer),
    name,
    role: undefined,
    source: cursor.source,
    locate: cursor.locate,
    layers: [...outer.layers, ...own],
    loop: loopOf(cursor),
    until: untilOf(cursor),
    register: variableName(cursor.get('register')),
    changedWhen: conditions(cursor.get('changed_when')),
    failedWhen: conditions(cursor.get('failed_when')),
  };
}

async function moduleOf({ module, cursor }: Call, modules: Modules): Promise<Module | undefined> {
  try {
    return await modules.load(module);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    cursor.errorAtKey(`the module "${module}" cannot be loaded: ${why}`);
    return undefined;
  }
}
