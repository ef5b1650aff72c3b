import { isList, isMapping, type Mapping, type Value } from '../model/value.js';
import { coerce } from '../module/coercion.js';
import type { Module } from '../module/contract.js';
import { property, schemaAt, type Schema } from '../module/schema.js';
import { validateArguments, type ArgumentProblem } from '../module/validation.js';
import { checkExpression, checkTemplates, hasTemplate } from '../template/check.js';
import type { Call } from './call.js';
import { kindOf, type Cursor } from './cursor.js';
import { parseKeyValues } from './key_values.js';

/** The arguments of a task, with those of its `args:` under them, checked as far as no template stands in the way. */
export function argumentsOf(task: Cursor, call: Call, module: Module): Value {
  const own = ownArguments(call, module);
  if (own === undefined) return {};
  const args = withBase(own, task.get('args'));
  const places = new Places(task, call);
  checkTexts(args, module, places);
  const checked = validateArguments(module, args, 'static');
  if ('problems' in checked) for (const one of checked.problems) places.report('error', one, module);
  else for (const one of checked.warnings) places.report('warning', one, module);
  return args;
}

/** Undefined if they cannot be understood at all. */
function ownArguments({ args, cursor }: Call, module: Module): Value | undefined {
  if (args === null) return {};
  if (typeof args === 'string') return fromText(args, cursor, module);
  if (isMapping(args)) return args;
  const freeForm = module.type === 'action' ? module.freeForm : undefined;
  if (freeForm !== undefined && !isList(args)) return { [freeForm]: args };
  cursor.error(`the arguments of ${module.name} must be a mapping of names to values, not ${kindOf(args)}`);
  return undefined;
}

/** A single template is left to the run: it may hold a mapping. Anything else is `k=v` text. */
function fromText(text: string, cursor: Cursor, module: Module): Value | undefined {
  if (/^\s*\{\{(?:(?!\}\}).)*\}\}\s*$/s.test(text)) return text;
  const parsed = parseKeyValues(text);
  if (parsed.status === 'unbalanced') {
    cursor.error(parsed.message);
    return undefined;
  }
  const freeForm = module.type === 'action' ? module.freeForm : undefined;
  if (parsed.words === '') return typed(parsed.values, module);
  if (freeForm !== undefined) return { ...parsed.values, [freeForm]: parsed.words };
  cursor.error(`${module.name} takes arguments by name; "${parsed.words.trim()}" has none`, 'write name=value');
  return undefined;
}

/** `k=v` gives nothing but text: fields that pass through get the type they are known to have (`mtu=1500`). */
function typed(values: Mapping, module: Module): Value {
  return module.type === 'resource' && module.hints !== undefined ? coerce(module.hints, values) : values;
}

function withBase(own: Value, base: Cursor | undefined): Value {
  if (base === undefined) return own;
  if (isMapping(base.value) && isMapping(own)) return { ...base.value, ...own };
  if (typeof base.value === 'string' && hasTemplate(base.value) && isMapping(own) && Object.keys(own).length === 0) {
    return base.value;
  }
  base.error(`"args" must be a mapping of names to values, not ${kindOf(base.value)}`);
  return own;
}

/** Where arguments stand: under the module, or in `args:`. */
class Places {
  readonly #task: Cursor;
  readonly #call: Call;

  constructor(task: Cursor, call: Call) {
    this.#task = task;
    this.#call = call;
  }

  locate(path: readonly (string | number)[]): ReturnType<Cursor['locate']> {
    return this.#holder(path).locate(path);
  }

  checkTemplates(args: Value): void {
    this.#task.diagnostics.add(checkTemplates(args, (path) => this.locate(path), this.#task.library));
  }

  checkExpression(expression: Value, path: readonly (string | number)[]): void {
    this.#task.diagnostics.add(checkExpression(expression, this.locate(path), this.#task.library));
  }

  /** A name that is not declared is wrong itself; else the value is. */
  report(severity: 'error' | 'warning', { path, message, hint }: ArgumentProblem, module: Module): void {
    const holder = this.#holder(path);
    const wrongName = path.length === 0 || schemaAt(module.args, path) === undefined;
    const source = wrongName ? holder.locateKey(path) : holder.locate(path);
    this.#task.diagnostics.add([{ severity, message, source, hint }]);
  }

  #holder([name]: readonly (string | number)[]): Cursor {
    const { args, cursor } = this.#call;
    const base = this.#task.get('args');
    if (base === undefined || (isMapping(args) && Object.hasOwn(args, String(name)))) return cursor;
    return isMapping(base.value) && Object.hasOwn(base.value, String(name)) ? base : cursor;
  }
}

/** Syntax of templates, and of the arguments that are bare expressions. */
function checkTexts(args: Value, module: Module, places: Places): void {
  if (!isMapping(args)) {
    places.checkTemplates(args);
    return;
  }
  const rest: Record<string, Value> = {};
  for (const [name, value] of Object.entries(args)) {
    if (isExpression(module, name)) checkExpressions(name, value, places);
    else rest[name] = value;
  }
  places.checkTemplates(rest satisfies Mapping);
}

function isExpression(module: Module, name: string): boolean {
  const schema: Schema = module.args;
  return property(schema, name)?.expression === true;
}

function checkExpressions(name: string, value: Value, places: Places): void {
  const each = isList(value)
    ? value.map((one, index) => ({ one, path: [name, index] }))
    : [{ one: value, path: [name] }];
  for (const { one, path } of each) places.checkExpression(one, path);
}
