import { isMapping, type Mapping, type Value } from '../../model/value.js';
import type { Call } from './call.js';
import { kindOf, type Cursor } from '../cursor.js';
import { parseKeyValues } from './key_values.js';
import { checkKeyword, type Vocabulary } from './keywords.js';
import { plainName, type Modules } from './modules.js';

/** The call among a step's keys whose name is one of these: as a key, or in `action`. */
export function stepCall(step: Cursor, names: readonly string[]): Call | undefined {
  for (const cursor of step.entries()) {
    const module = plainName(cursor.name);
    if (names.includes(module)) return { module, args: cursor.value, cursor };
  }
  const action = step.get('action');
  const call = action === undefined ? undefined : inAction(action);
  return call !== undefined && names.includes(call.module) ? call : undefined;
}

/** `action: module k=v` and `action: {module: name, …}`, whether there is such a module or not. */
function inAction(cursor: Cursor): Call | undefined {
  const { value } = cursor;
  if (typeof value === 'string') {
    const words = /^\s*(\S+)\s*(.*)$/s.exec(value);
    return words === null ? undefined : { module: plainName(words[1] ?? ''), args: words[2] ?? '', cursor };
  }
  if (!isMapping(value)) return undefined;
  const { module, ...args }: Record<string, Value> = value;
  return typeof module === 'string' ? { module: plainName(module), args, cursor } : undefined;
}

/** Complains about the keys of a step that is no task: what is no keyword of it, and modules beside it. */
export function checkStepKeys(step: Cursor, call: Call, vocabulary: Vocabulary, modules: Modules): void {
  for (const item of step.entries()) {
    const own = item.name === call.cursor.name;
    if (own) continue;
    if (!vocabulary.known.includes(item.name) && modules.has(item.name)) {
      item.errorAtKey(`a task has one module; this one has "${call.module}" already`);
    } else checkKeyword(item, vocabulary);
  }
}

/** A name in the playbook, and its place. */
export interface Named {
  readonly name: string;
  readonly at: Cursor;
}

/** The file that an import names: free-form, as `file=…`, as a mapping, or in `args`. Anything else is told. */
export function fileNamed(step: Cursor, call: Call): Named | undefined {
  const { module, cursor } = call;
  const given = givenTo(step, call);
  if (given === undefined) return undefined;
  const strange = Object.keys(given).find((key) => key !== 'file');
  if (strange !== undefined) {
    cursor.error(`"${strange}" is not an argument of ${module}`, 'variables belong into "vars"');
    return undefined;
  }
  const at = (isMapping(call.args) ? cursor.get('file') : undefined) ?? step.get('args')?.get('file') ?? cursor;
  const { file } = given;
  if (typeof file === 'string' && file.trim() !== '') return { name: file.trim(), at };
  cursor.errorAtKey(`${module} needs the name of a file`, `write "${module}: FILE"`);
  return undefined;
}

function givenTo(step: Cursor, { module, args, cursor }: Call): Mapping | undefined {
  const base = step.get('args')?.value;
  const beneath = isMapping(base) ? base : {};
  if (args === null) return beneath;
  if (isMapping(args)) return { ...beneath, ...args };
  if (typeof args !== 'string') {
    cursor.error(`${module} takes the name of a file, not ${kindOf(args)}`);
    return undefined;
  }
  const parsed = parseKeyValues(args);
  if (parsed.status === 'ok')
    return { ...beneath, ...parsed.values, ...(parsed.words !== '' && { file: parsed.words }) };
  cursor.error(parsed.message);
  return undefined;
}
