import { keepsDigits } from '../../../python/representation.js';
import { type Cursor } from './cursor.js';
import { call, type Expression, type Pair } from './nodes.js';
import { parsePathStart, variable } from './paths.js';
import { parsePostfix } from './postfix.js';
import {
  helperCall,
  parseArguments,
  parseList,
  parseMapping,
  parseParentheses,
  skipKey,
  type Parse,
} from './sequences.js';
import type { Token } from './tokens.js';
import { withoutCollection } from '../../runtime/helper_table.js';

/** Words that join operands: they are never variables, and never begin an operand. */
const JOINING: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'as']);

/** The joining words that call a helper where an operand is expected: `and a b`. */
const PREFIX_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'in']);

/** An operand with its filters and tests: `-x | abs`, `r is changed`. They bind tighter than any operator, as in Jinja. */
export function parseFiltered(cursor: Cursor, parse: Parse): Expression {
  return parseFilters(cursor, parse, parseSigned(cursor, parse));
}

/** The filters and tests after a value. */
export function parseFilters(cursor: Cursor, parse: Parse, start: Expression): Expression {
  let value = start;
  for (;;) {
    if (cursor.skip('|')) value = parseFilter(cursor, parse, value);
    else if (cursor.skip('is')) value = parseTest(cursor, parse, value);
    else return value;
  }
}

function parseFilter(cursor: Cursor, parse: Parse, value: Expression): Expression {
  const name = parseName(cursor, 'the name of a filter');
  const { params, hash } = cursor.at('(') ? parseArguments(cursor, parse) : { params: [], hash: [] };
  return helperCall(cursor, name, { params: [value, ...params], hash });
}

/** `is changed`, `is not defined`, `is divisibleby 3`, `is version("2.0", ">=")` */
function parseTest(cursor: Cursor, parse: Parse, value: Expression): Expression {
  const negated = cursor.skip('not');
  const name = parseName(cursor, 'the name of a test');
  const test = helperCall(cursor, name, testArguments(cursor, parse, value), true);
  return negated ? cursor.built(call('not', test), test) : test;
}

function testArguments(
  cursor: Cursor,
  parse: Parse,
  value: Expression,
): { params: Expression[]; hash: readonly Pair[] } {
  if (cursor.at('(')) {
    const { params, hash } = parseArguments(cursor, parse);
    return { params: [value, ...params], hash };
  }
  const argument = startsOperand(cursor.current, false) || cursor.at('[');
  return { params: argument ? [value, parseAtom(cursor, parse)] : [value], hash: [] };
}

/** A filter's or test's name; its collection (`ansible.utils.ipaddr`) is ignored. */
function parseName(cursor: Cursor, wanted: string): string {
  if (cursor.current.type !== 'name') throw cursor.unexpected(wanted);
  let name = cursor.advance().text;
  while (cursor.at('.') && cursor.peek(1).type === 'name') {
    cursor.advance();
    name += `.${cursor.advance().text}`;
  }
  return withoutCollection(name);
}

function parseSigned(cursor: Cursor, parse: Parse): Expression {
  return cursor.nested(() => {
    if (cursor.skip('+')) return parseSigned(cursor, parse);
    if (!cursor.skip('-')) return parseOperand(cursor, parse);
    return negate(cursor, parseSigned(cursor, parse));
  });
}

function negate(cursor: Cursor, value: Expression): Expression {
  if (value.type === 'NumberLiteral') return { ...value, value: -value.value };
  return cursor.built(call('negate', value), value);
}

function parseOperand(cursor: Cursor, parse: Parse): Expression {
  if (beginsPrefixCall(cursor)) return parsePrefixCall(cursor, parse);
  return cursor.current.type === 'string' ? parseTexts(cursor, parse) : parseAtom(cursor, parse);
}

/** Joins adjacent texts, as in Python. In the prefix form, they are separate arguments. */
function parseTexts(cursor: Cursor, parse: Parse): Expression {
  let value = '';
  while (cursor.current.type === 'string') value += cursor.advance().text;
  return parsePostfix(cursor, parse, { type: 'StringLiteral', value });
}

/** A name with an operand right after it: `eq env "prod"`. A spaced bracket or sign is an argument only to a helper. */
function beginsPrefixCall(cursor: Cursor): boolean {
  const { type, text } = cursor.current;
  if (type !== 'name' || (JOINING.has(text) && !PREFIX_WORDS.has(text))) return false;
  const next = cursor.peek(1);
  return next.spaced && startsOperand(next, cursor.table.has(text));
}

function startsOperand(token: Token, afterHelper: boolean): boolean {
  if (token.type === 'name') return !JOINING.has(token.text);
  if (token.type !== 'operator') return token.type !== 'end' && token.type !== 'segment';
  if (token.text === '{') return true;
  if (!afterHelper || !token.spaced) return false;
  return token.text === '(' || token.text === '[' || (token.text === '-' && !token.spacedAfter);
}

function parsePrefixCall(cursor: Cursor, parse: Parse): Expression {
  const name = cursor.advance().text;
  const params: Expression[] = [];
  const hash: Pair[] = [];
  if (cursor.at('(')) {
    // `f (a, b)` is a call written with a space; `f (a) (b)` has two arguments in the prefix form.
    const first = parseArguments(cursor, parse);
    params.push(...first.params);
    hash.push(...first.hash);
    if (params.length !== 1 || hash.length > 0) return parsePostfix(cursor, parse, helperCall(cursor, name, first));
  }
  while (startsOperand(cursor.current, true)) {
    const key = skipKey(cursor);
    if (key !== undefined) hash.push({ key, value: parseAtom(cursor, parse) });
    else params.push(parseAtom(cursor, parse));
  }
  return helperCall(cursor, name, { params, hash });
}

/** An argument of the prefix form: one value, with lookups inside it. */
function parseAtom(cursor: Cursor, parse: Parse): Expression {
  return cursor.nested(() => {
    if (cursor.skip('-')) return negate(cursor, parseAtom(cursor, parse));
    return parsePostfix(cursor, parse, parsePrimary(cursor, parse));
  });
}

function parseNumber(cursor: Cursor): Expression {
  const digits = cursor.advance().text.replaceAll('_', '');
  const value = Number(digits);
  if (/^\d+$/.test(digits) && !keepsDigits(value, digits))
    throw cursor.error(`the number ${digits} has too many digits to be kept exactly`, `quote it: "${digits}"`);
  return { type: 'NumberLiteral', value };
}

function parsePrimary(cursor: Cursor, parse: Parse): Expression {
  const { type, text } = cursor.current;
  if (type === 'string') return { type: 'StringLiteral', value: cursor.advance().text };
  if (type === 'number') return parseNumber(cursor);
  if (cursor.at('(')) return parseParentheses(cursor, parse);
  if (cursor.at('[')) return parseList(cursor, parse);
  if (cursor.at('{')) return parseMapping(cursor, parse);
  if (type === 'name' && isCall(cursor)) return parseCall(cursor, parse);
  const path = type === 'name' && JOINING.has(text) ? undefined : parsePathStart(cursor);
  if (path === undefined) throw cursor.unexpected('a value');
  return path;
}

function parseCall(cursor: Cursor, parse: Parse): Expression {
  const name = cursor.advance().text;
  const given = parseArguments(cursor, parse);
  if (!cursor.table.joiners.has(name)) return helperCall(cursor, name, given);
  return helperCall(cursor, 'next', { ...given, params: [variable(name), ...given.params] });
}

function isCall(cursor: Cursor): boolean {
  const next = cursor.peek(1);
  return next.type === 'operator' && next.text === '(' && !next.spaced;
}
