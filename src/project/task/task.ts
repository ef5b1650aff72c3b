import type { Handler, Task, Until } from '../../core/model/playbook/step.js';
import { errorMessage, NO_EXEC, type Locate } from '../../core/model/source/diagnostic.js';
import { publicArguments } from '../../module/arguments/validation.js';
import type { Module } from '../../module/contract.js';
import { type Cursor, texts, variableName, wantMapping } from '../document/cursor.js';
import { quantity, template } from '../document/templated.js';
import { keywordsAt, type Vocabulary } from '../keywords/keywords.js';
import { type Modules, readModuleDefaults } from '../keywords/modules.js';
import { conditions, inheritedFrom, readLoop } from '../keywords/step_keywords.js';
import { readVars } from '../variables/written_variables.js';
import { argumentPlaces, readArguments } from './arguments.js';
import { type ModuleCall, readCall } from './call.js';
import { searchPathLayer, type InnerContext } from './read_context.js';

/** One task; undefined if it cannot be understood. */
export function loadTask(cursor: Cursor, around: InnerContext): Promise<Task | undefined> {
  return loadCall(cursor, around, keywordsAt('task'));
}

/** One handler: a task that may listen to topics. */
export async function loadHandler(cursor: Cursor, around: InnerContext): Promise<Handler | undefined> {
  const task = await loadCall(cursor, around, keywordsAt('handler'));
  return task === undefined ? undefined : { ...task, listen: readTopics(cursor) };
}

export function readTopics(cursor: Cursor): readonly string[] {
  return texts(cursor.get('listen')).map(({ value }) => value);
}

/** A task, a handler or an include: a call of a module, with the keywords of the vocabulary. */
export async function loadCall(
  cursor: Cursor,
  around: InnerContext,
  vocabulary: Vocabulary,
): Promise<Task | undefined> {
  const { value } = cursor;
  const { context } = around;
  const hint = typeof value === 'string' && context.reader.modules.has(value) ? `write "${value}:"` : undefined;
  if (!wantMapping(cursor, '', vocabulary.owner, hint)) return undefined;
  const keywords = readKeywords(cursor, around);
  context.parts.notified.push(...keywords.notify);
  const moduleDefaults = readModuleDefaults(cursor, context.moduleDefaults, context.reader.modules);
  const call = await readCall(cursor, vocabulary, context.reader.modules);
  const module = call === undefined ? undefined : await loadCalledModule(call, context.reader.modules);
  if (call === undefined || module === undefined) return undefined;
  if (context.reader.modules.isWithheld(call.module)) noteWithheld(call);
  const defaults = moduleDefaults.get(call.module);
  const key = call.cursor.name;
  return {
    type: 'task',
    module: call.module,
    args: readArguments(cursor, call, module, defaults),
    argsPath: [key],
    publicArgs: publicArguments(module),
    ...keywords,
    locate: locateIn(cursor, key, argumentPlaces(cursor, call, defaults)),
  };
}

/** Locates arguments under the module's key, even if they were written elsewhere. */
function locateIn(cursor: Cursor, key: string, args: Locate): Locate {
  return (path) => (path.length > 1 && path[0] === key ? args(path.slice(1)) : cursor.locate(path));
}

function readKeywords(
  cursor: Cursor,
  { context, inherited: outer }: InnerContext,
): Omit<Task, 'type' | 'module' | 'args' | 'argsPath' | 'publicArgs' | 'locate'> {
  const name = template(cursor.get('name'));
  const own = readVars(cursor.get('vars'), 'task vars', name === undefined ? 'task vars' : `vars of "${name.value}"`);
  return {
    ...inheritedFrom(cursor, outer),
    name,
    role: context.role?.name,
    source: cursor.source,
    layers: [...outer.layers, ...own, searchPathLayer(context)],
    loop: readLoop(cursor),
    until: readUntil(cursor),
    register: variableName(cursor.get('register')),
    changedWhen: conditions(cursor.get('changed_when')),
    failedWhen: conditions(cursor.get('failed_when')),
  };
}

function noteWithheld({ module, cursor }: ModuleCall): void {
  const message = `the module "${module}" is code that --no-exec does not load: its arguments are not checked`;
  cursor.diagnostics.add([{ severity: 'warning', rule: NO_EXEC, message, source: cursor.locateKey([]) }]);
}

async function loadCalledModule({ module, cursor }: ModuleCall, modules: Modules): Promise<Module | undefined> {
  try {
    return await modules.load(module);
  } catch (error) {
    return cursor.errorAtKey(`the module "${module}" cannot be loaded: ${errorMessage(error)}`);
  }
}

/** How a task is repeated; undefined if it runs once. */
function readUntil(task: Cursor): Until | undefined {
  const until = conditions(task.get('until'));
  const retries = quantity(task.get('retries'), { least: 0, whole: true });
  const delay = quantity(task.get('delay'), { least: 0 });
  const backoff = quantity(task.get('backoff'), { least: 1 });
  if (until !== undefined || task.get('retries') !== undefined) return { until, retries, delay, backoff };
  for (const idle of [task.get('delay'), task.get('backoff')]) {
    if (idle !== undefined)
      task.diagnostics.warn(`"${idle.name}" does nothing without "until" or "retries"`, idle.keySource);
  }
  return undefined;
}
