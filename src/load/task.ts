import type { Handler, Located, Task } from '../model/playbook.js';
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
import { flag, template } from './templated.js';
import { names, texts, variableName } from './texts.js';
import { varsOf } from './vars.js';

/** What tasks take over from the play around them. */
export interface Inherited {
  readonly tags: readonly string[];
  readonly ignoreErrors: Located | undefined;
  readonly noLog: Located | undefined;
  readonly checkMode: Located | undefined;
  readonly diff: Located | undefined;
}

export const NOTHING_INHERITED: Inherited = {
  tags: [],
  ignoreErrors: undefined,
  noLog: undefined,
  checkMode: undefined,
  diff: undefined,
};

/** What a play, or a task, hands inward: its own words before those around it; tags add up. */
export function inheritedFrom(cursor: Cursor, outer: Inherited): Inherited {
  return {
    tags: [...new Set([...outer.tags, ...names(cursor.get('tags'))])],
    ignoreErrors: flag(cursor.get('ignore_errors')) ?? outer.ignoreErrors,
    noLog: flag(cursor.get('no_log')) ?? outer.noLog,
    checkMode: flag(cursor.get('check_mode')) ?? outer.checkMode,
    diff: flag(cursor.get('diff')) ?? outer.diff,
  };
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
  return {
    name,
    source: cursor.source,
    locate: cursor.locate,
    layers: varsOf(cursor.get('vars'), 'task vars', name === undefined ? 'task vars' : `vars of "${name.value}"`),
    when: conditions(cursor.get('when')) ?? [],
    loop: loopOf(cursor),
    until: untilOf(cursor),
    register: variableName(cursor.get('register')),
    changedWhen: conditions(cursor.get('changed_when')),
    failedWhen: conditions(cursor.get('failed_when')),
    notify: texts(cursor.get('notify')),
    ...inheritedFrom(cursor, outer),
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
