import type { Source } from '../core/model/source/diagnostic.js';
import { readBoolean, Unsafe, type Value } from '../core/model/values/value.js';
import { BUILT_IN_LIBRARY } from './library.js';
import { located, renderText } from './render.js';
import type { EvaluationScope } from './runtime/frame.js';
import { requireDefined } from './runtime/undefined.js';
import { hasTemplate } from './syntax/template.js';

export { isTrue } from './runtime/comparison.js';

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
    return requireDefined((scope.library ?? BUILT_IN_LIBRARY).expression(expression)({ scope, block: undefined }));
  } catch (error) {
    throw located(error, source);
  }
}

/**
 * Ansible takes `when: "{{ x }}"`, `when: "{{ x }} == 1"` and `when: "{% if x %}y{% endif %}"` too, with a warning. If the braces render to
 * text, the text is evaluated as an expression; any other value is the condition.
 */
function evaluateBraced(expression: string, scope: EvaluationScope, source: Source | undefined): Value {
  const rendered = readBoolean(renderText(expression.trim(), scope, source && (() => source)));
  if (typeof rendered !== 'string' || rendered === '') return rendered;
  try {
    return requireDefined((scope.library ?? BUILT_IN_LIBRARY).comparison(rendered)({ scope, block: undefined }));
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
export function bareHint(expression: string, isCondition: boolean): string {
  if (!expression.includes('{{') || expression.includes('{%'))
    return 'write the expression alone; a if b else c chooses one of two';
  const bare = expression
    .trim()
    .replaceAll(/(['"])\{\{\s*([^{}]*?)\s*\}\}\1/g, '$2')
    .replaceAll(/\{\{\s*|\s*\}\}/g, '');
  const orBool = isCondition && isBraced(expression) && /^(?!(?:true|false)$)[\p{L}_][\p{L}\p{N}_.]*$/iu.test(bare);
  return `remove the braces: ${bare}${orBool ? `, or ${bare} | bool if it may be a text such as "false"` : ''}`;
}
