import type { FieldPath, Locate } from '../../core/model/source/diagnostic.js';
import { isNumeric } from '../../core/model/values/json.js';
import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { maskSourceLine } from '../../core/secrets/mask_source.js';
import { checkExpression, checkTemplates, hasTemplate } from '../../language/check.js';
import { isBraced, renderText } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { asText } from '../../language/runtime/result.js';
import { Variables } from '../../language/scope.js';
import { validateArguments } from '../../module/arguments/validation.js';
import { quoting, wrongSpelling, type ArgumentProblem } from '../../module/arguments/violation.js';
import type { Module } from '../../module/contract.js';
import { property, type Schema, schemaAt } from '../../module/schema.js';
import { type Cursor, describeKind, wantMapping } from '../document/cursor.js';
import { parseKeyValues } from '../document/key_values.js';
import type { ModuleCall } from './call.js';
import type { InnerContext, ReadContext } from './read_context.js';

/**
 * The arguments of a task, checked as far as templates allow. They override those in `args:`, which override
 * `module_defaults`.
 */
export function readArguments(task: Cursor, call: ModuleCall, module: Module, defaults?: Cursor): Value {
  const own = ownArguments(call, module);
  if (own === undefined) return {};
  const args = overDefaults(withBase(own, task.get('args')), defaults, call);
  const positions = new ArgumentPositions(task, call, defaults);
  checkTexts(args, module, positions);
  const checked = validateArguments(module, args, 'static');
  if ('problems' in checked) for (const one of checked.problems) positions.report('error', one, module);
  else {
    for (const one of checked.warnings) positions.report('warning', one, module);
    positions.reportSpelling(module, args, checked.args, []);
  }
  return args;
}

/** The position of any argument, in any of the three sources. */
export function argumentPlaces(task: Cursor, call: ModuleCall, defaults?: Cursor): Locate {
  const positions = new ArgumentPositions(task, call, defaults);
  return (path) => positions.locate(path);
}

/** Undefined if they are invalid. */
function ownArguments({ args, cursor }: ModuleCall, module: Module): Value | undefined {
  if (args === null) return {};
  if (typeof args === 'string') return fromText(args, cursor, module);
  if (isMapping(args)) return args;
  const freeForm = module.type === 'action' ? module.freeForm : undefined;
  if (freeForm !== undefined && !isList(args)) return { [freeForm]: args };
  const message = `the arguments of ${module.name} must be a mapping of names to values, not ${describeKind(args)}`;
  return cursor.error(message);
}

/**
 * Parses the text as `k=v`. A single template is rendered during the run instead, because it may return a mapping,
 * unless the module takes text.
 */
function fromText(text: string, cursor: Cursor, module: Module): Value | undefined {
  const freeForm = module.type === 'action' ? module.freeForm : undefined;
  if (isBraced(text)) return freeForm === undefined ? text : { [freeForm]: text.trim() };
  const parsed = parseKeyValues(text);
  if (parsed.status === 'unbalanced') return cursor.error(parsed.message);
  if (parsed.words === '') return parsed.values;
  if (freeForm !== undefined) return { ...parsed.values, [freeForm]: parsed.words };
  const words = parsed.words.trim();
  const whole = `${module.name}: ${text}`;
  const secret = maskSourceLine(whole) !== whole;
  const message = `${module.name} takes arguments by name; ${secret ? 'a word' : `"${words}"`} has none`;
  return cursor.error(message, `write ${secret ? 'name=value' : byName(words, module.args)}`);
}

/** A single word is probably the required argument. */
function byName(words: string, args: Schema): string {
  const required = (args.required ?? []).filter((one) => property(args, one)?.default === undefined);
  const name = required.length === 1 ? required[0] : property(args, 'name') && 'name';
  return name === undefined || /\s/.test(words) ? 'name=value' : `${name}=${words}`;
}

const BY_NAME = 'write the arguments by name';

function withBase(own: Value, base: Cursor | undefined): Value {
  if (base === undefined) return own;
  if (isMapping(base.value) && isMapping(own)) return { ...base.value, ...own };
  if (typeof base.value === 'string' && hasTemplate(base.value) && isMapping(own) && Object.keys(own).length === 0)
    return base.value;
  if (wantMapping(base, ' of names to values'))
    base.error('"args" cannot be added to arguments that are a single template', BY_NAME);
  return own;
}

function overDefaults(args: Value, defaults: Cursor | undefined, { module, cursor }: ModuleCall): Value {
  if (defaults === undefined || !isMapping(defaults.value)) return args;
  if (isMapping(args)) return { ...defaults.value, ...args };
  const message = `module_defaults of ${module} do not apply to arguments that are a single template`;
  cursor.diagnostics.warn(message, cursor.source, BY_NAME);
  return args;
}

/** Positions of arguments: under the module, in `args:`, or in `module_defaults`. */
class ArgumentPositions {
  constructor(
    private readonly task: Cursor,
    private readonly call: ModuleCall,
    private readonly defaults: Cursor | undefined,
  ) {}

  locate(path: readonly (string | number)[]): ReturnType<Cursor['locate']> {
    return this.#holder(path).locate(path);
  }

  checkTemplates(value: Value, at: readonly (string | number)[] = []): void {
    this.task.diagnostics.add(checkTemplates(value, (path) => this.locate([...at, ...path]), this.task.library));
  }

  checkExpression(expression: Value, path: readonly (string | number)[]): void {
    this.task.diagnostics.add(checkExpression(expression, this.locate(path), this.task.library));
  }

  /** An undeclared name is an error at its key; other errors are at the value. */
  report(severity: 'error' | 'warning', { path, message, hint }: ArgumentProblem, module: Module): void {
    const holder = this.#holder(path);
    const wrongName = path.length === 0 || schemaAt(module.args, path) === undefined;
    const source = wrongName ? holder.locateKey(path) : holder.locate(path);
    const rule = severity === 'warning' ? 'unknown-field' : undefined;
    const written = hint === undefined ? undefined : holder.spelling(path);
    const isNumber = written !== undefined && hint === quoting(Number(written));
    this.task.diagnostics.add([{ severity, message, source, hint: isNumber ? quoting(written) : hint, rule }]);
  }

  /** Reports numbers that would become other text than they are written as: `1.0`, `0x10`. */
  reportSpelling(module: Module, given: Value, converted: Value, path: FieldPath): void {
    if (given === converted) return;
    if (isNumeric(given) && converted === String(given)) {
      const written = this.#holder(path).spelling(path) ?? converted;
      if (written === converted) return;
      const { message, hint } = wrongSpelling(schemaAt(module.args, path), path, written);
      this.task.diagnostics.error(message, this.locate(path), hint);
    } else if (isList(given) && isList(converted)) {
      for (const [at, item] of given.entries()) this.reportSpelling(module, item, converted[at] ?? null, [...path, at]);
    } else if (isMapping(given) && isMapping(converted)) {
      for (const [name, item] of Object.entries(given))
        this.reportSpelling(module, item, converted[name] ?? null, [...path, name]);
    }
  }

  /** The source of the argument of that name; a missing one is reported under the module. */
  #holder([name]: readonly (string | number)[]): Cursor {
    const { cursor } = this.call;
    const holders = [cursor, this.task.get('args'), this.defaults].filter((one) => one !== undefined);
    if (name === undefined) return cursor;
    return holders.find(({ value }) => isMapping(value) && Object.hasOwn(value, String(name))) ?? cursor;
  }
}

/** Checks the syntax of templates, and of arguments that are bare expressions. */
function checkTexts(args: Value, module: Module, positions: ArgumentPositions): void {
  if (!isMapping(args)) return positions.checkTemplates(args);
  const rest: Record<string, Value> = {};
  for (const [name, value] of Object.entries(args)) {
    if (isExpression(module, name)) checkExpressions(name, value, positions);
    else rest[name] = value;
  }
  positions.checkTemplates(rest satisfies Mapping);
}

function isExpression(module: Module, name: string): boolean {
  const schema: Schema = module.args;
  return property(schema, name)?.expression === true;
}

function checkExpressions(name: string, value: Value, positions: ArgumentPositions): void {
  const each = isList(value)
    ? value.map((one, index) => ({ one, path: [name, index] }))
    : [{ one: value, path: [name] }];
  for (const { one, path } of each) {
    // A template may give the conditions. Without its braces, the list of them would be the condition, and true.
    if (name === 'that' && typeof one === 'string' && isBraced(one)) positions.checkTemplates(one, path);
    else positions.checkExpression(one, path);
  }
}

/**
 * Renders a text that is needed before the run. Its templates may use the variables of the play, of earlier roles and of `-e`.
 * Reports other variables, and returns undefined.
 *
 * @param advice what to do instead
 */
export function knownText(
  text: string,
  at: Cursor,
  { context, inherited }: InnerContext,
  advice: string,
): string | undefined {
  if (!hasTemplate(text)) return text;
  const layers = [...context.known, ...context.parts.layers, ...inherited.layers];
  const scope = new Variables(layers, undefined, undefined, context.reader.library);
  try {
    return asText(renderText(text, scope, at.source));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    if (error.undefinedName === undefined) at.diagnostics.error(error.message, error.source, error.hint);
    else at.error(`${error.message}; before the run only the variables of the play and of -e are known`, advice);
    return undefined;
  }
}

const PLACE_VARIABLES = /\{\{\s*(playbook_dir|role_path|role_name)\s*\}\}/g;

/**
 * Renders the variables that depend only on the step's place, as in `{{role_path}}/tasks/x.yml`, because they cannot
 * change later.
 */
export function withRolePaths(text: string, { reader, role }: ReadContext): string {
  return text.replace(PLACE_VARIABLES, (written, name: string) => {
    if (name === 'playbook_dir') return reader.folder.directory;
    return (name === 'role_path' ? role?.path : role?.name) ?? written;
  });
}
