import { isMapping, type Mapping } from '../../core/model/values/value.js';
import { kindOf, type Cursor } from '../document/cursor.js';
import { parseKeyValues } from '../document/key_values.js';
import { checkKeyword, type Vocabulary } from '../keywords/keywords.js';
import { plainName, type Modules } from '../keywords/modules.js';
import { inAction, type Call } from './call.js';

/** The step's call of one of these modules: as a key, or in `action`. */
export function stepCall(step: Cursor, names: readonly string[]): Call | undefined {
  for (const cursor of step.entries()) {
    const module = plainName(cursor.name);
    if (names.includes(module)) return { module, args: cursor.value, cursor };
  }
  const action = step.get('action') ?? step.get('local_action');
  const call = action === undefined ? undefined : inAction(action);
  const module = plainName(call?.module ?? '');
  return call !== undefined && names.includes(module) ? { ...call, module } : undefined;
}

/** Reports keys that are not allowed on a step other than a task, and additional modules. */
export function checkStepKeys(step: Cursor, call: Call, vocabulary: Vocabulary, modules: Modules): void {
  for (const item of step.entries()) {
    const own = item.name === call.cursor.name;
    if (own && item.name !== 'local_action') continue;
    if (!vocabulary.known.includes(item.name) && modules.has(item.name)) {
      item.errorAtKey(`a task has one module; this one has "${call.module}" already`);
    } else checkKeyword(item, vocabulary);
  }
}

/** A name in the playbook, and its place. */
interface Named {
  readonly name: string;
  readonly at: Cursor;
}

/** The file that an import names: free-form, as `file=…`, as a mapping, or in `args`. Reports anything else. */
export function fileNamed(step: Cursor, call: Call): Named | undefined {
  const { module, cursor } = call;
  const given = givenTo(step, call);
  if (given === undefined) return undefined;
  const strange = Object.keys(given).find((key) => key !== 'file');
  if (strange !== undefined) {
    cursor.error(`"${strange}" is not an argument of ${module}`, 'write variables under "vars"');
    return undefined;
  }
  const at = (isMapping(call.args) ? cursor.get('file') : undefined) ?? step.get('args')?.get('file') ?? cursor;
  const { file } = given;
  if (typeof file === 'string' && file.trim() !== '') return { name: file.trim(), at };
  cursor.errorAtKey(`${module} needs the name of a file`, `write "${module}: FILE"`);
  return undefined;
}

/** The arguments of an import or include, merged over those in `args`. A free-form argument becomes `file`. */
export function givenTo(step: Cursor, { module, args, cursor }: Call): Mapping | undefined {
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
