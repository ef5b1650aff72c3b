import { parse, type Program } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import type { CallableTable } from '../runtime/callable.js';
import { TemplateError } from '../runtime/errors.js';
import { JINJA_DELIMITERS, withStandardDelimiters } from './delimiters.js';
import type { Expression } from './expressions/nodes.js';
import { parseExpression } from './expressions/parser.js';
import type { Escapes } from './expressions/tokens.js';
import { TextLines } from './lines.js';
import { outline, type Outline } from './outline.js';
import { buildParts, withNameScope, type Placeholders, type TemplatePart } from './parts.js';
import { joinersIn, namesBound, parseStatement, statementExpressions } from './statements.js';
import { ANSIBLE, OVERRIDES, readOverrides, type Syntax } from './syntax.js';

export interface ParsedTemplate {
  readonly parts: readonly TemplatePart[];
  /** Every expression in it, and where it begins. */
  readonly expressions: readonly { readonly node: Expression; readonly at: number }[];
  /** The names that its statements assign. */
  readonly names: ReadonlySet<string>;
  /**
   * The line breaks at the end of the text. Jinja drops the last one, and Ansible adds the missing ones to the result. 0 if
   * Handlebars' blocks control white space.
   */
  readonly lineBreaks: number;
  /** Finds the places of its parts. */
  readonly lines: TextLines;
}

/** Whether the text needs rendering. A cheap test, because most texts do not. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{') || hasJinja(text);
}

/** A statement's word; a few characters such as `{%` and a digit are text. */
const STATEMENT = /\{%[-+]?\s*([a-z_]\w*)/i;

/** Whether a text has statements or comments of Jinja. An unclosed `{#` is not a comment. */
export function hasJinja(text: string): boolean {
  return (text.includes('{%') && STATEMENT.test(text)) || (text.includes('{#') && hasComment(text));
}

function hasComment(text: string): boolean {
  const start = text.search(/(?<!\{)\{#/);
  return start >= 0 && text.includes('#}', start + 2);
}

/**
 * Parses a text as a template. Throws a TemplateError, and nothing else, if it cannot be parsed.
 *
 * @param escapes the meaning of a backslash between `{{` and `}}`; files use `python`
 * @param given the syntax, unless the first line changes it
 */
export function parseTemplate(
  text: string,
  table: CallableTable,
  escapes: Escapes = 'kept',
  given: Syntax = ANSIBLE,
): ParsedTemplate {
  if (given === ANSIBLE && !hasJinja(text) && !text.startsWith(OVERRIDES)) return parsePlain(text, table, escapes);
  const { rest, syntax } = readOverrides(text, given);
  const lines = standardLines(rest.replace(/\r?\n$/, ''), rest === text ? 1 : 2, syntax);
  const found = outline(lines, syntax.spacing);
  const known = table.withJoiners(joinersIn(found.statements));
  const outputs = parseOutputs(found, lines, known, escapes);
  const statements = found.statements.map((one) => ({
    node: lines.locating(one.at, () => parseStatement(one, known)),
    at: one.at,
  }));
  const parts = withNameScope(buildParts(parseHandlebars(found.text), { expressions: outputs, statements }));
  return {
    parts,
    expressions: [
      ...outputs,
      ...statements.flatMap(({ node, at }) => statementExpressions(node).map((inner) => ({ node: inner, at }))),
    ],
    names: new Set(statements.flatMap(({ node }) => namesBound(node))),
    lineBreaks: trailingLineBreaks(rest),
    lines,
  };
}

function standardLines(text: string, line: number, { delimiters }: Syntax): TextLines {
  const lines = new TextLines(text, { line, columns: true });
  const isStandard = Object.values(JINJA_DELIMITERS).flat().join() === Object.values(delimiters).flat().join();
  return isStandard ? lines : new TextLines(withStandardDelimiters(lines, delimiters), { line, columns: false });
}

/** A block of Handlebars, or its white space control. */
const HANDLEBARS = /\{\{[~#^{]|~\}\}/;

const NO_NAMES: ReadonlySet<string> = new Set();

function parsePlain(text: string, table: CallableTable, escapes: Escapes): ParsedTemplate {
  const lineBreaks = text.endsWith('\n') && !HANDLEBARS.test(text) ? trailingLineBreaks(text) : 0;
  const lines = new TextLines(lineBreaks > 0 ? text.slice(0, -1) : text);
  const found = outline(lines, undefined);
  const outputs = parseOutputs(found, lines, table, escapes);
  const parts = buildParts(parseHandlebars(found.text), { expressions: outputs, statements: [] });
  return { parts, expressions: outputs, names: NO_NAMES, lineBreaks, lines };
}

function parseOutputs(
  { expressions }: Outline,
  lines: TextLines,
  table: CallableTable,
  escapes: Escapes,
): Placeholders['expressions'] {
  return expressions.map(({ text, at }) => ({
    node: lines.locating(at, () => parseExpression(text, table, escapes)),
    at,
    written: text,
  }));
}

export function trailingLineBreaks(text: string): number {
  let count = 0;
  while (text[text.length - 1 - count] === '\n') count += 1;
  return count;
}

function parseHandlebars(text: string): Program {
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : '';
    throw new TemplateError(`the template cannot be read: ${reason}`, { cause: error });
  }
}
