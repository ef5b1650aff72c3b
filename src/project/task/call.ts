import type { Diagnostics, Source } from '../../core/model/source/diagnostic.js';
import { isMapping, type Value } from '../../core/model/values/value.js';
import { knownFieldSchemas } from '../../module/arguments/advice.js';
import { property } from '../../module/schema.js';
import { describeKind, type Cursor } from '../document/cursor.js';
import { ansibleOnlyModule } from '../keywords/ansible_only.js';
import { checkKeyword, isKeyword, isWord, type Vocabulary } from '../keywords/keywords.js';
import { plainName, type Modules } from '../keywords/modules.js';

/** The module of a task, and its arguments. */
export interface ModuleCall {
  readonly module: string;
  /** As written, `k=v` text not yet split. */
  readonly args: Value;
  /** The value with the arguments: at the module's key, or at `action`. */
  readonly cursor: Cursor;
}

/** Reads which module a task calls. Reports each key that is neither a module nor a keyword. */
export async function readCall(
  task: Cursor,
  vocabulary: Vocabulary,
  modules: Modules,
): Promise<ModuleCall | undefined> {
  const found: Cursor[] = [];
  const strange: Cursor[] = [];
  let broken = false;
  for (const item of task.entries()) {
    if (isKeyword(item.name, vocabulary, item.library?.table.plugins)) checkKeyword(item, vocabulary);
    else if (modules.has(item.name)) found.push(item);
    else if (isWord(plainName(item.name)) && ansibleOnlyModule(plainName(item.name)) === undefined) {
      checkKeyword(item, vocabulary);
      broken = true;
    } else strange.push(item);
  }
  const actions = [task.get('action'), task.get('local_action')].filter((one) => one !== undefined);
  const [first, second] = [...actions, ...found];
  if (second !== undefined) second.errorAtKey(`a task has one module; this one has "${first?.name ?? ''}" already`);
  for (const item of strange) await unknown(item, first, vocabulary, modules);
  if (first === undefined) {
    if (strange.length === 0 && !broken) task.error(`${vocabulary.owner} needs a module, such as "debug"`);
    return undefined;
  }
  return actions.includes(first)
    ? byAction(first, modules)
    : { module: modules.plain(first.name), args: first.value, cursor: first };
}

/** `action: module k=v` and `action: {module: name, …}`; `local_action` is the same. */
function byAction(action: Cursor, modules: Modules): ModuleCall | undefined {
  const call = inAction(action);
  if (call !== undefined) return named(call, modules);
  const { name, value } = action;
  if (isMapping(value)) action.error(`"${name}" needs "module": the name of a module`);
  else action.error(`"${name}" must name a module and its arguments, not ${describeKind(value)}`);
  return undefined;
}

function named({ module, args, cursor }: ModuleCall, modules: Modules): ModuleCall | undefined {
  if (modules.has(module)) return { module: modules.plain(module), args, cursor };
  reportMissing(module, (cursor.get('module') ?? cursor).source, modules, cursor.diagnostics);
  return undefined;
}

/**
 * The module of an `action` or `local_action`, even if it does not exist: `debug msg=x`, `{module: debug, msg: x}` or
 * `{module: debug, args: {msg: x}}`.
 */
export function inAction(cursor: Cursor): ModuleCall | undefined {
  const { value } = cursor;
  if (typeof value === 'string') {
    const words = /^\s*(\S+)\s*(.*)$/s.exec(value);
    return words === null ? undefined : { module: words[1] ?? '', args: words[2] ?? '', cursor };
  }
  if (!isMapping(value)) return undefined;
  const { module, args, ...own }: Record<string, Value> = value;
  if (typeof module !== 'string') return undefined;
  if (args === undefined) return { module, args: own, cursor };
  return { module, args: { ...own, ...(isMapping(args) ? args : { args }) }, cursor };
}

/** Reports an unknown key: a misspelled keyword or module. */
async function unknown(
  item: Cursor,
  module: Cursor | undefined,
  vocabulary: Vocabulary,
  modules: Modules,
): Promise<void> {
  if (module !== undefined) {
    const called = await modules.load(modules.plain(module.name)).catch(() => undefined);
    const schemas = called === undefined ? [] : [called.args, ...knownFieldSchemas(called, {})];
    const isArgument = schemas.some((one) => property(one, item.name) !== undefined);
    const how = typeof module.value === 'string' ? 'write all its arguments by name' : 'indent it further';
    const hint = isArgument ? `it is an argument of "${module.name}": ${how}, below the module` : undefined;
    return checkKeyword(item, vocabulary, hint);
  }
  const nearest = ansibleOnlyModule(item.name) === undefined ? modules.nearest(item.name, vocabulary.known) : undefined;
  if (nearest !== undefined && vocabulary.known.includes(nearest)) checkKeyword(item, vocabulary);
  else reportMissing(item.name, item.keySource, modules, item.diagnostics);
}

/** Reports a module that does not exist, which may be one of Ansible's. */
export function reportMissing(
  name: string,
  source: Source | undefined,
  modules: Modules,
  diagnostics: Diagnostics,
): void {
  const foreign = ansibleOnlyModule(name);
  if (foreign !== undefined) diagnostics.add([{ severity: 'error', source, ...foreign }]);
  else diagnostics.error(`there is no module "${name}"`, source, modules.hintFor(name));
}
