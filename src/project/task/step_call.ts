import { everyStep } from '../../core/model/playbook/playbook.js';
import type { Included, Loop } from '../../core/model/playbook/step.js';
import { Diagnostics, LoadError } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import { type Cursor, describeKind } from '../document/cursor.js';
import { parseKeyValues } from '../document/key_values.js';
import { checkKeyword, keywordsAt, type Vocabulary } from '../keywords/keywords.js';
import { type Modules, plainName } from '../keywords/modules.js';
import { knownText } from './arguments.js';
import { inAction, type ModuleCall } from './call.js';
import { inInclude, type InnerContext, openInnerContext, parentsIn, type ReadContext } from './read_context.js';

/** The step's call of one of these modules: as a key, or in `action`. */
export function stepCall(step: Cursor, names: readonly string[]): ModuleCall | undefined {
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
export function checkStepKeys(step: Cursor, call: ModuleCall, vocabulary: Vocabulary, modules: Modules): void {
  for (const item of step.entries()) {
    const own = item.name === call.cursor.name;
    if (own && item.name !== 'local_action') continue;
    if (!vocabulary.known.includes(item.name) && modules.has(item.name)) {
      item.errorAtKey(`a task has one module; this one has "${call.module}" already`);
    } else checkKeyword(item, vocabulary);
  }
}

/** The file that an import names, and its place: free-form, as `file=…`, as a mapping, or in `args`. Reports anything else. */
export function fileNamed(step: Cursor, call: ModuleCall) {
  const { module, cursor } = call;
  const given = givenTo(step, call);
  if (given === undefined) return undefined;
  const strange = Object.keys(given).find((key) => key !== 'file');
  if (strange !== undefined)
    return cursor.error(`"${strange}" is not an argument of ${module}`, 'write variables under "vars"');
  const at = (isMapping(call.args) ? cursor.get('file') : undefined) ?? step.get('args')?.get('file') ?? cursor;
  const { file } = given;
  if (typeof file === 'string' && file.trim() !== '') return { name: file.trim(), at };
  return cursor.errorAtKey(`${module} needs the name of a file`, `write "${module}: FILE"`);
}

/** The arguments of an import or include, merged over those in `args`. A free-form argument becomes `file`. */
export function givenTo(step: Cursor, { module, args, cursor }: ModuleCall): Mapping | undefined {
  const base = step.get('args')?.value;
  const beneath = isMapping(base) ? base : {};
  if (args === null) return beneath;
  if (isMapping(args)) return { ...beneath, ...args };
  if (typeof args !== 'string') return cursor.error(`${module} takes the name of a file, not ${describeKind(args)}`);
  const parsed = parseKeyValues(args);
  if (parsed.status === 'ok')
    return { ...beneath, ...parsed.values, ...(parsed.words !== '' && { file: parsed.words }) };
  return cursor.error(parsed.message);
}

/** Maximum depth of nested includes: deeper nesting is an endless recursion. */
const MOST_NESTED_INCLUDES = 100;

/** The keywords that the included steps inherit: those around the include, and its `apply`. */
export function applied(cursor: Cursor, word: 'include_tasks' | 'include_role', around: InnerContext): InnerContext {
  const apply = argument(cursor, word, 'apply');
  if (apply === undefined) return around;
  if (!isMapping(apply.value)) {
    if (typeof apply.value === 'string' && hasTemplate(apply.value))
      apply.error('"apply" must be a mapping of keywords, not a template');
    return around;
  }
  for (const item of apply.entries()) checkKeyword(item, keywordsAt('apply'));
  return openInnerContext(apply, around, 'apply');
}

/** The position of an argument: under the module, in `action` or in `args`. */
export function argument(cursor: Cursor, word: string, name: string): Cursor | undefined {
  const holders = [word, 'action', 'args'];
  for (const item of cursor.entries()) {
    const found = holders.includes(plainName(item.name)) ? item.get(name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The key that makes the step an include. */
export function wordIn(cursor: Cursor, word: string): Cursor {
  return cursor.entries().find(({ name }) => [word, 'action'].includes(plainName(name))) ?? cursor;
}

/** Reads what one include names, each file or role once. */
export class IncludeReader<Named> {
  readonly #known = new Map<string, Promise<Included>>();

  constructor(
    private readonly context: ReadContext,
    private readonly load: (named: Named, context: ReadContext) => Promise<Omit<Included, 'key'>>,
  ) {}

  /** Before the run. What includes itself is read during the run. */
  async readAhead(key: string, named: Named): Promise<void> {
    const { parts, reader } = this.context;
    if (reader.files.isSpent()) return;
    const inner = parts.ofInclude();
    const included = await this.#load(key, named, inner);
    this.#known.set(key, Promise.resolve(included));
    parts.expectFrom(inner, included.handlers);
  }

  /** During the run. Throws a `LoadError` that names the mistakes reported to `at`. */
  read(key: string, at: Cursor, find: () => Named | undefined): Promise<Included> {
    return getOrAdd(this.#known, key, async () => {
      beginReading(this.context, at);
      const named = find();
      const included = named && (await this.#load(key, named));
      if (included === undefined || at.diagnostics.failed()) throw loadError(at.diagnostics);
      return included;
    });
  }

  async #load(key: string, named: Named, parts = this.context.parts.ofInclude()): Promise<Included> {
    const included = await this.load(named, inInclude(this.context, parts));
    const { reader, file } = this.context;
    const roles = parentsIn(this.context).map((role) => role.path);
    // Variables may choose what is imported.
    const files = [...everyStep(included.steps)].map(({ source }) => source.file);
    // What includes itself is in more and more of the same folders.
    const places = new Set(['.', ...roles, ...file.includes, ...files]);
    return { ...included, key: jsonText([key, reader.folder.directory, ...places]) };
  }
}

/** Call this before reading during the run. Throws a `LoadError` if includes are nested too deeply. */
export function beginReading({ file, reader }: ReadContext, cursor: Cursor): void {
  reader.files.allow('include');
  if (file.chain.length < MOST_NESTED_INCLUDES) return;
  const message = `includes are nested more than ${MOST_NESTED_INCLUDES} deep`;
  throw new LoadError(message, cursor.source, 'a file that includes itself needs a condition that ends it');
}

/** The first error; its message names the others. */
export function loadError({ list }: Diagnostics): LoadError {
  const [first, ...others] = list.filter(({ severity }) => severity === 'error');
  const more = others.map(({ message }) => `; ${message}`).join('');
  return new LoadError(`${first?.message ?? ''}${more}`, first?.source, first?.hint);
}

/**
 * What an include names, before the run. An include in a loop without items looks for nothing; whether a loop over a template has
 * items is not known yet, so that something missing is only a warning.
 */
export function findAhead<T>(at: Cursor, loop: Loop | undefined, find: (at: Cursor) => T | undefined): T | undefined {
  const items = loop?.over.value;
  if (items === undefined || (isList(items) && items.length > 0)) return find(at);
  if (isList(items)) return undefined;
  const diagnostics = new Diagnostics();
  const found = find(at.reportingTo(diagnostics));
  at.diagnostics.add(diagnostics.list.map((one) => ({ ...one, severity: 'warning' })));
  return found;
}

/** A module, or templates that name one, and what follows. */
const CALL = /^(\s*(?:\{\{.*?\}\}|\S)+)(.*)$/s;

/**
 * The step with the templates filled in that must be known before the run: in the name of the module of `action`, and in the names
 * of loop variables. Undefined if one of them is not known, which is reported.
 */
export function withKnownWords(step: Cursor, around: InnerContext): Cursor | undefined {
  const unknown: string[] = [];
  const know: KnowText = (text, at) => {
    if (!hasTemplate(text)) return text;
    // The step's own variables count; their mistakes are reported when the step is read.
    const inside = openInnerContext(step.reportingTo(new Diagnostics()), around, 'task');
    const known = knownText(text, at, inside, 'it names a module or a variable, which must be known');
    if (known === undefined) unknown.push(text);
    return known ?? text;
  };
  const words = {
    action: knownAction(step.get('action'), know),
    local_action: knownAction(step.get('local_action'), know),
    loop_control: knownEntries(step.get('loop_control'), ['loop_var', 'index_var'], know),
  };
  if (unknown.length > 0) return undefined;
  const changed = Object.entries(words).flatMap(([name, word]) =>
    word === undefined || word === step.get(name)?.value ? [] : [[name, word] as const],
  );
  if (changed.length === 0 || !isMapping(step.value)) return step;
  return step.rewritten({ ...step.value, ...Object.fromEntries(changed) }, new Map());
}

type KnowText = (text: string, at: Cursor) => string;

function knownAction(action: Cursor | undefined, know: KnowText): Value | undefined {
  if (typeof action?.value !== 'string') return knownEntries(action, ['module'], know);
  const [, module = '', rest = action.value] = CALL.exec(action.value) ?? [];
  return `${know(module, action)}${rest}`;
}

function knownEntries(holder: Cursor | undefined, names: readonly string[], know: KnowText): Value | undefined {
  let value = holder?.value;
  for (const name of names) {
    const at = holder?.get(name);
    if (value === undefined || !isMapping(value) || typeof at?.value !== 'string') continue;
    const known = know(at.value, at);
    if (known !== at.value) value = { ...value, [name]: known };
  }
  return value;
}
