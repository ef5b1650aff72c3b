import type { Expression, PathExpression } from './nodes.js';
import type { TokenCursor } from './tokens.js';

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
export function parsePathStart(cursor: TokenCursor): Expression | undefined {
  const { type, text } = cursor.current;
  if (type === 'data') return dataPath(cursor.advance().text);
  if (type === 'up' || type === 'here') return relativePath(cursor);
  if (type !== 'name') return undefined;
  cursor.advance();
  if (text === 'this') return path({ own: true, original: 'this' });
  return CONSTANTS.get(text) ?? path({ parts: [text], original: text });
}

/** Extends a path by one piece; for any other expression, the value is accessed when it is known. */
export function extend(from: Expression, part: string, written: string): PathExpression | undefined {
  if (from.type !== 'PathExpression') return undefined;
  return { ...from, parts: [...from.parts, part], original: `${from.original}${written}` };
}

/** The variable of that name. */
export function variable(name: string): PathExpression {
  return path({ parts: [name], original: name });
}

function path(fields: Partial<PathExpression> & { original: string }): PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, own: false, parts: [], ...fields };
}

function dataPath(text: string): PathExpression {
  const depth = text.split('../').length - 1;
  return path({ data: true, depth, parts: [text.slice(3 * depth)], original: `@${text}` });
}

function relativePath(cursor: TokenCursor): Expression {
  let depth = 0;
  let written = '';
  for (; cursor.current.type === 'up'; depth += 1) written += cursor.advance().text;
  if (cursor.current.type === 'here') written += cursor.advance().text;
  const name = cursor.current;
  const continues = name.type === 'name' && !name.spaced && written.endsWith('/');
  if (!continues) return path({ depth, own: true, original: written.replace(/(?<=\.\.)\/$/, '') });
  cursor.advance();
  const parts = name.text === 'this' ? [] : [name.text];
  return path({ depth, own: true, parts, original: `${written}${name.text}` });
}
