import { likelyTypo } from '../../../core/model/source/suggestion.js';
import { parseWholeNumber } from '../../../core/model/values/json.js';
import type { CallableTable } from '../../runtime/callable.js';
import { call, type Expression, type MappingPair, type PathExpression, pathNode, variable } from './nodes.js';
import { belongs, parsePostfix, type PostfixForm } from './postfix.js';
import {
  type CallArguments,
  callNode,
  type Parse,
  parseArguments,
  parseList,
  parseMapping,
  parseParentheses,
  skipKey,
} from './sequences.js';
import { type ExpressionToken, isSymbol, JOINING, type TokenCursor } from './tokens.js';

/** The joining words that call a filter where an operand is expected: `and a b`. */
const PREFIX_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'in']);

/** An operand with its filters and tests: `-x | abs`, `r is changed`. They bind tighter than any operator, as in Jinja. */
export function parseFiltered(cursor: TokenCursor, parse: Parse): Expression {
  return parseFilters(cursor, parse, parseSigned(cursor, parse));
}

/** The filters and tests after a value. */
export function parseFilters(cursor: TokenCursor, parse: Parse, start: Expression): Expression {
  let value = start;
  for (;;) {
    if (cursor.skip('|')) value = parseFilter(cursor, parse, value);
    else if (cursor.skip('is')) value = parseTest(cursor, parse, value);
    else return value;
  }
}

function parseFilter(cursor: TokenCursor, parse: Parse, value: Expression): Expression {
  const name = parseName(cursor, 'the name of a filter');
  const { params, hash } = cursor.at('(') ? parseArguments(cursor, parse) : { params: [], hash: [] };
  return callNode(cursor, name, { params: [value, ...params], hash });
}

/** `is changed`, `is not defined`, `is divisibleby 3`, `is version("2.0", ">=")` */
function parseTest(cursor: TokenCursor, parse: Parse, value: Expression): Expression {
  const negated = cursor.skip('not');
  const test = callNode(cursor, parseName(cursor, 'the name of a test'), testArguments(cursor, parse, value), true);
  return negated ? cursor.built(call('not', test), test) : test;
}

function testArguments(cursor: TokenCursor, parse: Parse, value: Expression): CallArguments {
  if (cursor.at('(')) {
    const { params, hash } = parseArguments(cursor, parse);
    return { params: [value, ...params], hash };
  }
  const argument = beginsOperand(cursor.current) || cursor.at('[');
  return { params: argument ? [value, parseAtom(cursor, parse, 'jinja')] : [value], hash: [] };
}

/** A filter's or test's name; its collection (`ansible.utils.ipaddr`) is ignored. */
function parseName(cursor: TokenCursor, wanted: string): string {
  if (cursor.current.type !== 'name') throw cursor.unexpected(wanted);
  let name = cursor.advance().text;
  while (cursor.at('.') && cursor.peek(1).type === 'name') {
    cursor.advance();
    name += `.${cursor.advance().text}`;
  }
  return cursor.table.plain(name);
}

function parseSigned(cursor: TokenCursor, parse: Parse): Expression {
  return cursor.nested(() => {
    if (cursor.skip('+')) return parseSigned(cursor, parse);
    if (!cursor.skip('-')) return parseOperand(cursor, parse);
    return negate(cursor, parseSigned(cursor, parse));
  });
}

function negate(cursor: TokenCursor, value: Expression): Expression {
  if (value.type === 'NumberLiteral') return { ...value, value: -value.value };
  return cursor.built(call('negate', value), value);
}

function parseOperand(cursor: TokenCursor, parse: Parse): Expression {
  if (beginsPrefixCall(cursor)) return parsePrefixCall(cursor, parse);
  return cursor.current.type === 'string' ? parseTexts(cursor, parse) : parseAtom(cursor, parse, 'jinja');
}

/** Joins adjacent texts, as in Python. In the prefix form, they are separate arguments. */
function parseTexts(cursor: TokenCursor, parse: Parse): Expression {
  let value = '';
  while (cursor.current.type === 'string') value += cursor.advance().text;
  return parsePostfix(cursor, parse, { type: 'StringLiteral', value }, 'jinja');
}

/**
 * A name with an operand right after it: `eq env "prod"`. What Jinja can read is not a call of the prefix form: `d ['k']` is an
 * index, `count -1` a subtraction, whatever filters there are.
 */
function beginsPrefixCall(cursor: TokenCursor): boolean {
  const { type, text } = cursor.current;
  if (type !== 'name') return false;
  const next = cursor.peek(1);
  if (!next.spaced) return false;
  if (PREFIX_WORDS.has(text)) return beginsArgument(next);
  if (JOINING.has(text)) return false;
  // `max -1 n`
  const isFollowed = beginsOperand(next) || isSymbol(next, '(') || (isSign(next) && beginsOperand(cursor.peek(3)));
  return isFollowed && isCallable(text, cursor.table);
}

/** `a b` calls nothing: an operator is missing. `uper b` is a mistyped call. */
function isCallable(name: string, table: CallableTable): boolean {
  return table.called({ name }) !== undefined || likelyTypo(name, table.filterNames()) !== undefined;
}

/** Whether an operand begins that cannot continue an expression before it. */
function beginsOperand(token: ExpressionToken): boolean {
  if (token.type === 'name') return !JOINING.has(token.text);
  if (token.type === 'operator') return token.text === '{';
  return token.type !== 'end' && token.type !== 'segment';
}

/** Whether a further argument of the prefix form begins. */
function beginsArgument(token: ExpressionToken): boolean {
  return beginsOperand(token) || (token.spaced && (isSymbol(token, '(') || isSymbol(token, '[') || isSign(token)));
}

function isSign(token: ExpressionToken): boolean {
  return isSymbol(token, '-') && !token.spacedAfter;
}

function parsePrefixCall(cursor: TokenCursor, parse: Parse): Expression {
  const name = cursor.advance().text;
  const params: Expression[] = [];
  const hash: MappingPair[] = [];
  if (cursor.at('(')) {
    // `f (a, b)` is a call; `f (a) (b)` and `f (a) b` have two arguments in the prefix form.
    const first = parseArguments(cursor, parse);
    const isOne = first.params.length === 1 && first.hash.length === 0;
    const isIndexed = cursor.at('[') && !PREFIX_WORDS.has(name);
    if (!isOne || isIndexed || !beginsArgument(cursor.current))
      return parsePostfix(cursor, parse, namedCall(cursor, name, first), 'jinja');
    params.push(...first.params);
  }
  while (beginsArgument(cursor.current)) {
    const key = skipKey(cursor);
    if (key !== undefined) hash.push({ key, value: parseAtom(cursor, parse, 'prefix') });
    else params.push(parseAtom(cursor, parse, 'prefix'));
  }
  return callNode(cursor, name, { params, hash });
}

/** One value, with lookups inside it. In the prefix form, an argument ends at a blank: `f a (b)`. */
function parseAtom(cursor: TokenCursor, parse: Parse, form: PostfixForm): Expression {
  return cursor.nested(() => {
    if (cursor.skip('-')) return negate(cursor, parseAtom(cursor, parse, form));
    return parsePostfix(cursor, parse, parsePrimary(cursor, parse, form), form);
  });
}

function parseNumber(cursor: TokenCursor): Expression {
  const digits = cursor.advance().text.replaceAll('_', '');
  const value = /^(?:\d+|0[xob].*)$/i.test(digits) ? parseWholeNumber(digits) : Number(digits);
  return { type: 'NumberLiteral', value };
}

function parsePrimary(cursor: TokenCursor, parse: Parse, form: PostfixForm): Expression {
  const { type, text } = cursor.current;
  if (type === 'string') return { type: 'StringLiteral', value: cursor.advance().text };
  if (type === 'number') return parseNumber(cursor);
  if (cursor.at('(')) return parseParentheses(cursor, parse);
  if (cursor.at('[')) return parseList(cursor, parse);
  if (cursor.at('{')) return parseMapping(cursor, parse);
  const joins = type === 'name' && JOINING.has(text);
  if (type === 'name' && belongs(cursor.peek(1), '(', joins ? 'prefix' : form))
    return namedCall(cursor, cursor.advance().text, parseArguments(cursor, parse));
  const path = joins ? undefined : parsePathStart(cursor);
  if (path === undefined) throw cursor.unexpected('a value');
  return path;
}

/** The call of a filter, or of a variable that `joiner()` made. */
function namedCall(cursor: TokenCursor, name: string, given: CallArguments): Expression {
  if (!cursor.table.joiners.has(name)) return callNode(cursor, name, given);
  return callNode(cursor, 'next', { ...given, params: [variable(name), ...given.params] });
}

const CONSTANTS: ReadonlyMap<string, Expression> = new Map<string, Expression>([
  ['true', { type: 'BooleanLiteral', value: true }],
  ['True', { type: 'BooleanLiteral', value: true }],
  ['false', { type: 'BooleanLiteral', value: false }],
  ['False', { type: 'BooleanLiteral', value: false }],
  ['null', { type: 'NullLiteral' }],
  ['none', { type: 'NullLiteral' }],
  ['None', { type: 'NullLiteral' }],
  ['undefined', { type: 'UndefinedLiteral' }],
]);

/** The first piece of a path, or a constant: `name`, `true`, `this`, `@index`, `../name`. */
function parsePathStart(cursor: TokenCursor): Expression | undefined {
  const { type, text } = cursor.current;
  if (type === 'data') return dataPath(cursor.advance().text);
  if (type === 'up' || type === 'here') return relativePath(cursor);
  if (type !== 'name') return undefined;
  cursor.advance();
  if (text === 'this') return pathNode({ own: true, original: 'this' });
  return CONSTANTS.get(text) ?? variable(text);
}

function dataPath(text: string): PathExpression {
  const depth = text.split('../').length - 1;
  return pathNode({ data: true, depth, parts: [text.slice(3 * depth)], original: `@${text}` });
}

function relativePath(cursor: TokenCursor): Expression {
  let depth = 0;
  let written = '';
  for (; cursor.current.type === 'up'; depth += 1) written += cursor.advance().text;
  if (cursor.current.type === 'here') written += cursor.advance().text;
  const name = cursor.current;
  const continues = name.type === 'name' && !name.spaced && written.endsWith('/');
  if (!continues) return pathNode({ depth, own: true, original: written.replace(/(?<=\.\.)\/$/, '') });
  cursor.advance();
  const parts = name.text === 'this' ? [] : [name.text];
  return pathNode({ depth, own: true, parts, original: `${written}${name.text}` });
}
