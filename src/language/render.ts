import type { Locate, Source } from '../core/model/source/diagnostic.js';
import {
  isList,
  isMapping,
  readBoolean,
  Unsafe,
  Vaulted,
  type Mapping,
  type Value,
} from '../core/model/values/value.js';
import { BUILT_IN_LIBRARY } from './library.js';
import { NotKnownYet, TemplateError } from './runtime/errors.js';
import type { Compiled, EvaluationScope } from './runtime/frame.js';
import { asText, OMIT, requireDefined, withoutOmitted } from './runtime/result.js';
import { hasTemplate } from './syntax/template.js';

export { isTrue } from './runtime/comparison.js';

/** Cached by value: values are immutable, so a result stays valid. */
const renderingNeeded = new WeakMap<object, boolean>();

/** Whether a value contains a template, or text marked as data; computed once per list and mapping. */
export function needsRendering(value: Value): boolean {
  if (typeof value === 'string') return hasTemplate(value);
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Unsafe) return true;
  const answer = renderingNeeded.get(value);
  if (answer !== undefined) return answer;
  const found = search(value);
  renderingNeeded.set(value, found);
  return found;
}

function search(value: Value): boolean {
  if (isList(value)) return value.some(needsRendering);
  return isMapping(value) && Object.entries(value).some(([key, one]) => hasTemplate(key) || needsRendering(one));
}

/**
 * The value with all its templates rendered, including keys; keys and items that evaluate to `omit` are left out. A value without
 * templates is returned itself, not copied. Throws a TemplateError with the place of the faulty text.
 */
export function renderValue(value: Value, scope: EvaluationScope, locate?: Locate): Value {
  return needsRendering(value) ? renderDeep(value, scope, locate, []) : value;
}

/**
 * Renders a text. A text that is exactly one `{{expression}}` has the value of the expression; any other result is a text.
 * Throws a TemplateError with the given source, or with that of the faulty variable. `source` may be a function, because
 * only messages need it.
 */
export function renderText(text: string, scope: EvaluationScope, source?: Source | (() => Source)): Value {
  if (!hasTemplate(text)) return text;
  try {
    const before = OMIT.uses;
    const value = requireDefined(libraryFor(scope).template(text)({ scope, block: undefined }));
    return OMIT.uses === before ? value : withoutOmitted(value);
  } catch (error) {
    throw located(error, source);
  }
}

function libraryFor({ library }: EvaluationScope): Compiled {
  return library ?? BUILT_IN_LIBRARY;
}

/** The error as a TemplateError with a place. */
export function located(error: unknown, source: Source | (() => Source | undefined) | undefined): unknown {
  if (error instanceof RangeError)
    return located(new TemplateError('it is nested too deeply', { cause: error }), source);
  return error instanceof TemplateError ? error.locate(source) : error;
}

type Path = (string | number)[];

function renderDeep(value: Value, scope: EvaluationScope, locate: Locate | undefined, path: Path): Value {
  if (typeof value === 'string') return renderText(value, scope, locate && (() => locate(path)));
  if (value instanceof Vaulted && scope.library?.preview !== undefined) throw new NotKnownYet('an encrypted value');
  if (value instanceof Unsafe) return value.text;
  if (!needsRendering(value)) return value;
  if (isList(value)) return renderList(value, scope, locate, path);
  if (isMapping(value)) return renderMapping(value, scope, locate, path);
  return value;
}

function renderList(list: readonly Value[], scope: EvaluationScope, locate: Locate | undefined, path: Path): Value {
  const gaps = scope.library?.gaps;
  const before = gaps?.count;
  const rendered: Value[] = [];
  for (const [index, item] of list.entries()) {
    path.push(index);
    const one = renderDeep(item, scope, locate, path);
    path.pop();
    if (one !== OMIT) rendered.push(one);
  }
  if (gaps?.count !== before && rendered.length === list.length) gaps?.keep(rendered, list);
  return rendered;
}

function renderMapping(mapping: Mapping, scope: EvaluationScope, locate: Locate | undefined, path: Path): Value {
  const gaps = scope.library?.gaps;
  const before = gaps?.count;
  const rendered: [string, Value][] = [];
  for (const [key, item] of Object.entries(mapping)) {
    path.push(key);
    const name = hasTemplate(key) ? asText(renderText(key, scope, locate && (() => locate(path)))) : key;
    const one = renderDeep(item, scope, locate, path);
    path.pop();
    if (one !== OMIT) rendered.push([name, one]);
  }
  // Not assignment: it would set the prototype for a key `__proto__`.
  const result = Object.fromEntries(rendered);
  if (gaps?.count !== before) gaps?.keep(result, mapping);
  return result;
}

/**
 * The value of a bare expression (`when: env == "prod"`). Values other than text are returned unchanged; null and empty text count as true,
 * as in Ansible. Throws a TemplateError with the given position, or that of the faulty variable.
 */
export function evaluate(expression: Value, scope: EvaluationScope, source?: Source): Value {
  if (expression === null || expression === '') return true;
  if (expression instanceof Unsafe) return evaluate(expression.text, scope, source);
  if (typeof expression !== 'string') return expression;
  if (hasTemplate(expression)) return evaluateBraced(expression, scope, source);
  try {
    return requireDefined(libraryFor(scope).expression(expression)({ scope, block: undefined }));
  } catch (error) {
    throw located(error, source);
  }
}

/**
 * Ansible takes `when: "{{ x }}"`, `when: "{{ x }} == 1"` and `when: "{% if x %}y{% endif %}"` too, with a warning. If the braces render to
 * text, the text is evaluated as an expression; any other value is the condition.
 */
function evaluateBraced(expression: string, scope: EvaluationScope, source: Source | undefined): Value {
  return evaluateData(renderText(expression.trim(), scope, source && (() => source)), scope, source);
}

/** As `evaluate`, of what a template gave: it calls nothing that reads files, sends requests or runs programs. */
export function evaluateData(data: Value, scope: EvaluationScope, source?: Source): Value {
  const rendered = readBoolean(data);
  if (typeof rendered !== 'string' || rendered === '') return rendered;
  try {
    return requireDefined(libraryFor(scope).untrustedExpression(rendered)({ scope, block: undefined }));
  } catch (error) {
    throw located(error, source);
  }
}

/** Whether the text is exactly one `{{expression}}`. */
export function isBraced(expression: string): boolean {
  const text = expression.trim();
  return text.startsWith('{{') && text.endsWith('}}') && !text.includes('{{', 2);
}

/** The expression without its braces, for hints. In the braces of a condition, the text `false` is false; without them, it is true. */
export function withoutBracesHint(expression: string, isCondition: boolean): string {
  if (!expression.includes('{{') || expression.includes('{%'))
    return 'write the expression alone; a if b else c chooses one of two';
  const bare = expression
    .trim()
    .replaceAll(/(['"])\{\{\s*([^{}]*?)\s*\}\}\1/g, '$2')
    .replaceAll(/\{\{\s*|\s*\}\}/g, '');
  const orBool = isCondition && isBraced(expression) && /^(?!(?:true|false)$)[\p{L}_][\p{L}\p{N}_.]*$/iu.test(bare);
  return `remove the braces: ${bare}${orBool ? `, or ${bare} | bool if it may be a text such as "false"` : ''}`;
}
