import type { CallableTable } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import { call, type Expression } from './nodes.js';
import { parseFiltered } from './operands.js';
import { type Escapes, type ExpressionToken, isSymbol, TokenCursor } from './tokens.js';

/** Jinja's precedence, weakest first; `not` binds between `and` and the comparisons. */
const BINARY: readonly ReadonlyMap<string, string>[] = [
  new Map(Object.entries({ '+': 'add', '-': 'subtract' })),
  new Map([['~', 'concat']]),
  new Map(Object.entries({ '*': 'multiply', '/': 'divide', '//': 'floordiv', '%': 'modulo' })),
  new Map([['**', 'power']]),
];

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['==', 'eq'],
  ['!=', 'ne'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['>', 'gt'],
  ['>=', 'ge'],
  ['in', 'in'],
]);

/**
 * The tree of an expression in the prefix form (`eq env "prod"`, `and a (not b)`) or the infix form
 * (`env == "prod" and not canary`), or any mix of them. Throws a TemplateError, and nothing else, if it cannot be read.
 */
export function parseExpression(text: string, table: CallableTable, escapes: Escapes = 'python'): Expression {
  const cursor = new TokenCursor(text, table, escapes);
  if (cursor.ended()) throw new TemplateError('an expression is expected, but the text is empty');
  const expression = parseTernary(cursor);
  if (!cursor.ended()) throw leftOver(cursor);
  return expression;
}

/** The error for text after a complete expression. */
export function leftOver(cursor: TokenCursor): TemplateError {
  const before = cursor.text.slice(0, cursor.current.start).trim();
  const message = `"${cursor.raw(cursor.current)}" is not expected after "${before}"`;
  return cursor.error(message, operatorHint(cursor.current, before, cursor));
}

/** `a if b else c`; without `else` the result is undefined if `b` is false, and another `if` may follow. */
export function parseTernary(cursor: TokenCursor): Expression {
  return cursor.nested(() => {
    let whole = parseOr(cursor);
    while (cursor.skip('if')) {
      const condition = parseOr(cursor);
      const no: Expression = cursor.skip('else') ? parseTernary(cursor) : { type: 'UndefinedLiteral' };
      whole = build(cursor, 'ternary', condition, whole, no);
    }
    return whole;
  });
}

export function parseOr(cursor: TokenCursor): Expression {
  let left = parseAnd(cursor);
  while (cursor.skip('or')) left = build(cursor, 'or', left, parseAnd(cursor));
  return left;
}

function parseAnd(cursor: TokenCursor): Expression {
  let left = parseNot(cursor);
  while (cursor.skip('and')) left = build(cursor, 'and', left, parseNot(cursor));
  return left;
}

function parseNot(cursor: TokenCursor): Expression {
  if (!cursor.skip('not')) return parseComparison(cursor);
  return cursor.nested(() => build(cursor, 'not', parseNot(cursor)));
}

/** `a < b <= c` is `a < b and b <= c`. */
function parseComparison(cursor: TokenCursor): Expression {
  let left = parseBinary(cursor, 0);
  let whole: Expression | undefined;
  for (let operator = comparison(cursor); operator !== undefined; operator = comparison(cursor)) {
    const right = parseBinary(cursor, 0);
    const part =
      operator === 'not in'
        ? build(cursor, 'not', build(cursor, 'in', left, right))
        : build(cursor, operator, left, right);
    whole = whole ? build(cursor, 'and', whole, part) : part;
    left = right;
  }
  return whole ?? left;
}

/** Reads the comparison at the cursor. */
function comparison(cursor: TokenCursor): string | undefined {
  if (cursor.at('not') && cursor.peek(1).text === 'in') {
    cursor.advance();
    cursor.advance();
    return 'not in';
  }
  const operator = COMPARISONS.get(cursor.current.text);
  if (operator === undefined || !cursor.at(cursor.current.text)) return undefined;
  cursor.advance();
  return operator;
}

function parseBinary(cursor: TokenCursor, level: number): Expression {
  const operators = BINARY[level];
  // A sign, then the operand with its filters: `-x | abs` filters `-x`, as in Jinja.
  if (operators === undefined) return parseFiltered(cursor, parseTernary);
  let left = parseBinary(cursor, level + 1);
  for (;;) {
    const operator = cursor.current.type === 'operator' ? operators.get(cursor.current.text) : undefined;
    if (operator === undefined) return left;
    cursor.advance();
    const right = parseBinary(cursor, level + 1);
    left = build(cursor, operator, left, operator === 'modulo' ? onlyItem(cursor, right) : right);
  }
}

/** `"%s" % (x,)` is `"%s" % x`; the list in `"%s" % [x]` is one value. */
function onlyItem(cursor: TokenCursor, value: Expression): Expression {
  const isTuple = isSymbol(cursor.peek(-1), ')') && isSymbol(cursor.peek(-2), ',');
  if (!isTuple || value.type !== 'SubExpression' || value.name !== 'array') return value;
  const [item] = value.params;
  return item === undefined || value.params.length > 1 ? value : item;
}

function build(cursor: TokenCursor, operator: string, ...params: readonly Expression[]): Expression {
  return cursor.built(call(operator, ...params), ...params);
}

const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['=', 'write == to compare'],
  ['===', 'write =='],
  ['!==', 'write !='],
  ['&&', 'write "and"'],
  ['||', 'write "or"'],
  ['!', 'write "not"'],
  ['??', 'write "a | default(b)"'],
  ['?', 'write "a if b else c"'],
  ['&', 'write "and"'],
]);

/** What to write instead of an operator of another language, or when an operator is missing. */
function operatorHint(token: ExpressionToken, before: string, cursor: TokenCursor): string | undefined {
  if (token.type === 'operator') return FOREIGN.get(token.text);
  if (token.type === 'string') return `put an operator before ${cursor.raw(token)}, such as == or in`;
  if (token.type !== 'name') return undefined;
  if (cursor.table.has(token.text)) return `write | ${token.text} to call the filter`;
  return /^[a-z_][\w.]*$/i.test(before)
    ? `two values need an operator between them, and there is no filter "${before}"`
    : undefined;
}
