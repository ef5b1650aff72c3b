import { parse, type Program } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import { TemplateError } from './errors.js';
import { parseExpression } from './expression_parser.js';
import { findJinja } from './jinja.js';
import { outline } from './mustaches.js';
import type { HelperTable } from './library/table.js';
import type { Expression } from './nodes.js';

/** A text's template: Handlebars' tree, in which the path `e0` stands for the first of the expressions. */
export interface Template {
  readonly program: Program;
  readonly expressions: readonly Expression[];
}

/** Whether the text is to be rendered at all. Cheap: most texts are not. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{') || ((text.includes('{%') || text.includes('{#')) && findJinja(text) !== undefined);
}

/** Reads a text as a Handlebars template. Throws a TemplateError, and nothing else, if it cannot be read. */
export function parseTemplate(text: string, table: HelperTable): Template {
  const jinja = findJinja(text);
  if (jinja) throw new TemplateError(jinja.message, { hint: jinja.hint });
  const { text: outlined, expressions } = outline(text);
  return {
    program: parseOutline(outlined),
    expressions: expressions.map((one) => parseExpression(one, table, 'kept')),
  };
}

function parseOutline(text: string): Program {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : '';
    throw new TemplateError(`the template cannot be read: ${reason}`, { cause: error });
  }
}
