import { parse, type Program } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import { TemplateError } from './errors.js';
import type { Escapes } from './escapes.js';
import { parseExpression } from './expression_parser.js';
import { hasJinja, type Spacing } from './jinja.js';
import { Lines } from './lines.js';
import type { HelperTable } from './library/table.js';
import { outline, type Outline } from './mustaches.js';
import type { Expression } from './nodes.js';
import { hasOverrides, readOverrides } from './overrides.js';
import { expressionsOf, namesBound, parseStatement } from './statements.js';
import { buildParts, withNames, type Part } from './tree.js';

/** A text's template. */
export interface Template {
  readonly parts: readonly Part[];
  /** Every expression in it. */
  readonly expressions: readonly Expression[];
  /** The names that its statements give values. */
  readonly names: ReadonlySet<string>;
  /** Jinja drops the last line break, and Ansible puts back as many as the result lacks; 0 where Handlebars' blocks rule white space. */
  readonly lineBreaks: number;
}

/** Whether the text is to be rendered at all. Cheap: most texts are not. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{') || hasJinja(text);
}

/**
 * Reads a text as a template. Throws a TemplateError, and nothing else, if it cannot be read.
 *
 * @param escapes what a backslash means between `{{` and `}}`: in files, what it means in Python
 */
export function parseTemplate(text: string, table: HelperTable, escapes: Escapes = 'kept'): Template {
  if (!hasJinja(text) && !hasOverrides(text)) return parsePlain(text, table, escapes);
  const { rest, spacing } = readOverrides(text, ANSIBLE);
  const found = outline(rest.replace(/\r?\n$/, ''), spacing);
  const lines = new Lines(rest);
  const outputs = parseOutputs(found, lines, table, escapes);
  const statements = found.statements.map((one) => lines.within(one.at, () => parseStatement(one, table)));
  const parts = withNames(buildParts(parseHandlebars(found.text), { expressions: outputs, statements }));
  const expressions = [...outputs, ...statements.flatMap(expressionsOf)];
  return { parts, expressions, names: namesBound(statements), lineBreaks: trailingLineBreaks(rest) };
}

/** A block of Handlebars, or its white space control. */
const HANDLEBARS = /\{\{[~#^{]|~\}\}/;

const NO_NAMES: ReadonlySet<string> = new Set();

function parsePlain(text: string, table: HelperTable, escapes: Escapes): Template {
  const lineBreaks = text.endsWith('\n') && !HANDLEBARS.test(text) ? trailingLineBreaks(text) : 0;
  const found = outline(lineBreaks > 0 ? text.slice(0, -1) : text, undefined);
  const expressions = parseOutputs(found, new Lines(text), table, escapes);
  const parts = buildParts(parseHandlebars(found.text), { expressions, statements: [] });
  return { parts, expressions, names: NO_NAMES, lineBreaks };
}

function parseOutputs(
  { expressions }: Outline,
  lines: Lines,
  table: HelperTable,
  escapes: Escapes,
): readonly Expression[] {
  return expressions.map(({ text, at }) => lines.within(at, () => parseExpression(text, table, escapes)));
}

export function trailingLineBreaks(text: string): number {
  let count = 0;
  while (text[text.length - 1 - count] === '\n') count += 1;
  return count;
}

/** Ansible's settings of Jinja. */
const ANSIBLE: Spacing = { trim: true, lstrip: false };

function parseHandlebars(text: string): Program {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : '';
    throw new TemplateError(`the template cannot be read: ${reason}`, { cause: error });
  }
}
