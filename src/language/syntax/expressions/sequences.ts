import { call, type Expression, type MappingPair, type SubExpression } from './nodes.js';
import type { TokenCursor } from './tokens.js';

/** Reads a whole expression, of any form. */
export type Parse = (cursor: TokenCursor) => Expression;

export interface CallArguments {
  readonly params: readonly Expression[];
  readonly hash: readonly MappingPair[];
}

/** `(a)` is `a`; `(a, b)` and `()` are lists, as Jinja's tuples are. */
export function parseParentheses(cursor: TokenCursor, parse: Parse): Expression {
  cursor.expect('(');
  if (cursor.skip(')')) return call('array');
  const first = parse(cursor);
  if (cursor.skip(')')) return first;
  const items = [first];
  while (cursor.skip(',')) {
    if (cursor.at(')')) break;
    items.push(parse(cursor));
  }
  cursor.expect(')');
  return sequence(cursor, 'array', items);
}

/** `[a, b]` */
export function parseList(cursor: TokenCursor, parse: Parse): Expression {
  cursor.expect('[');
  const items: Expression[] = [];
  while (!cursor.at(']')) {
    items.push(parse(cursor));
    if (!cursor.skip(',')) break;
  }
  cursor.expect(']');
  return sequence(cursor, 'array', items);
}

/** `{"a": 1}`: the keys are expressions, as in Jinja. */
export function parseMapping(cursor: TokenCursor, parse: Parse): Expression {
  cursor.expect('{');
  if (cursor.at('{'))
    throw cursor.error('there are braces within braces', 'remove the inner braces: this is already an expression');
  const items: Expression[] = [];
  while (!cursor.at('}')) {
    items.push(parse(cursor));
    cursor.expect(':');
    items.push(parse(cursor));
    if (!cursor.skip(',')) break;
  }
  cursor.expect('}');
  return sequence(cursor, 'object', items);
}

/** `(a, b, name=c)`, from the parenthesis on. `*list` and `**mapping` become arguments named `*` and `**`. */
export function parseArguments(cursor: TokenCursor, parse: Parse): CallArguments {
  cursor.expect('(');
  const params: Expression[] = [];
  const hash: MappingPair[] = [];
  while (!cursor.at(')')) {
    const key = ['*', '**'].find((stars) => cursor.skip(stars)) ?? skipKey(cursor);
    if (key !== undefined) hash.push({ key, value: parse(cursor) });
    else if (hash.length > 0) throw cursor.unexpected('a named argument (name=value)');
    else params.push(parse(cursor));
    if (!cursor.skip(',')) break;
  }
  cursor.expect(')');
  return { params, hash };
}

/** Returns the name of a named argument, and moves past the name and its `=`. */
export function skipKey(cursor: TokenCursor): string | undefined {
  const { type, text } = cursor.current;
  const equals = cursor.peek(1);
  if (type !== 'name' || equals.type !== 'operator' || equals.text !== '=') return undefined;
  cursor.advance();
  cursor.advance();
  return text;
}

/** A filter's call with all its arguments. */
export function callNode(cursor: TokenCursor, name: string, given: CallArguments, test = false): SubExpression {
  const { params, hash } = given;
  const node: SubExpression = { type: 'SubExpression', name, test, params, hash };
  return cursor.built(node, ...params, ...hash.map((pair) => pair.value));
}

function sequence(cursor: TokenCursor, name: string, items: readonly Expression[]): Expression {
  return cursor.built(call(name, ...items), ...items);
}
