import { isMapping, type Value } from '../../model/value.js';
import { kindOf, type Cursor } from '../cursor.js';
import { checkKeyword, isKeyword, isWord, type Vocabulary } from './keywords.js';
import { plainName, type Modules } from './modules.js';
import { text } from '../texts.js';

/** Which module a task calls, and with what. */
export interface Call {
  readonly module: string;
  /** As written, `k=v` text not yet split. */
  readonly args: Value;
  /** What holds the arguments: the module's key, or `action`. */
  readonly cursor: Cursor;
}

/** The call of a task; complains about every key that neither names a module nor is a keyword. */
export function callOf(task: Cursor, vocabulary: Vocabulary, modules: Modules): Call | undefined {
  const found: Cursor[] = [];
  const strange: Cursor[] = [];
  let broken = false;
  for (const item of task.entries()) {
    if (isKeyword(item.name, vocabulary)) checkKeyword(item, vocabulary);
    else if (modules.has(item.name)) found.push(item);
    else if (isWord(plainName(item.name))) {
      checkKeyword(item, vocabulary);
      broken = true;
    } else strange.push(item);
  }
  const action = task.get('action');
  const [first, second] = action === undefined ? found : [action, ...found];
  if (second !== undefined) second.errorAtKey(`a task has one module; this one has "${first?.name ?? ''}" already`);
  for (const item of strange) unknown(item, first !== undefined, vocabulary, modules);
  if (first === undefined) {
    if (strange.length === 0 && !broken) task.error(`${vocabulary.owner} needs a module, such as "debug"`);
    return undefined;
  }
  return action === undefined ? byKey(first) : byAction(action, modules);
}

function byKey(cursor: Cursor): Call {
  return { module: plainName(cursor.name), args: cursor.value, cursor };
}

/** `action: module k=v` and `action: {module: name, …}`. */
function byAction(action: Cursor, modules: Modules): Call | undefined {
  if (isMapping(action.value)) {
    const args = Object.fromEntries(Object.entries(action.value).filter(([key]) => key !== 'module'));
    const name = action.get('module');
    if (name === undefined) action.error('"action" needs "module": the name of a module');
    return name === undefined ? undefined : named(name, text(name), args, action, modules);
  }
  const words = typeof action.value === 'string' ? /^\s*(\S+)\s*(.*)$/s.exec(action.value) : null;
  if (words !== null) return named(action, words[1], words[2] ?? '', action, modules);
  action.error(`"action" must name a module and its arguments, not ${kindOf(action.value)}`);
  return undefined;
}

function named(at: Cursor, name: string | undefined, args: Value, action: Cursor, modules: Modules): Call | undefined {
  if (name === undefined) return undefined;
  if (modules.has(name)) return { module: plainName(name), args, cursor: action };
  at.error(`there is no module "${name}"`, modules.hintFor(name));
  return undefined;
}

/** A key that nothing is known by: a slip of a keyword, or of a module. */
function unknown(item: Cursor, hasModule: boolean, vocabulary: Vocabulary, modules: Modules): void {
  if (hasModule) {
    checkKeyword(item, vocabulary);
    return;
  }
  const nearest = modules.nearest(item.name, vocabulary.known);
  if (nearest !== undefined && vocabulary.known.includes(nearest)) checkKeyword(item, vocabulary);
  else item.errorAtKey(`there is no module "${item.name}"`, modules.hintFor(item.name));
}
