import type { CallableTable } from '../runtime/callable.js';
import { call, type Expression, variable } from './expressions/nodes.js';
import { parseFilters } from './expressions/operands.js';
import { leftOver, parseOr, parseTernary } from './expressions/parser.js';
import { TokenCursor } from './expressions/tokens.js';
import { shortStatement } from './lines.js';

/** The names that a statement assigns: one, or several that unpack a value (`key, (a, b)`). */
export type AssignmentTarget = string | readonly AssignmentTarget[];

export interface ForLoop {
  readonly type: 'for';
  readonly target: AssignmentTarget;
  readonly items: Expression;
  /** `for x in list if condition` */
  readonly condition: Expression | undefined;
  readonly recursive: boolean;
}

export interface Binding {
  readonly target: AssignmentTarget;
  readonly value: Expression;
}

/** `{% set ns.entry = 1 %}` */
export interface Store {
  readonly type: 'store';
  readonly namespace: Expression;
  /** The name of the namespace, as written. */
  readonly name: string;
  readonly entry: string;
  readonly value: Expression;
}

/** `{% set x | upper %}…{% endset %}`: in `value`, the name is the text. */
export interface CaptureStatement {
  readonly type: 'capture';
  readonly name: string;
  readonly value: Expression;
}

/** A parsed statement of Jinja. */
export type StatementNode =
  | { readonly type: 'if' | 'elif'; readonly condition: Expression }
  | { readonly type: 'else' | 'end' | 'comment' }
  | ForLoop
  | ({ readonly type: 'set' } & Binding)
  | Store
  | CaptureStatement
  | { readonly type: 'bind'; readonly bindings: readonly Binding[] }
  | { readonly type: 'text'; readonly text: string };

/** A statement before parsing: in `{% if x %}`, `word` is `if` and `rest` is `x`. */
export interface WrittenStatement {
  readonly word: string;
  readonly rest: string;
  readonly at: number;
}

/** Throws a TemplateError if the text after the word cannot be parsed. */
export function parseStatement({ word, rest }: WrittenStatement, table: CallableTable): StatementNode {
  if (word === 'comment') return { type: 'comment' };
  if (word === 'raw') return { type: 'text', text: rest };
  if (word === 'if' || word === 'elif') return { type: word, condition: read(word, rest, table, parseTernary) };
  if (word === 'for') return parseFor(rest, table);
  if (word === 'set') return read(word, rest, table, parseSet);
  if (word === 'with') return { type: 'bind', bindings: read(word, rest, table, parseBindings) };
  return read(word, rest, table, () => ({ type: word === 'else' ? 'else' : 'end' }));
}

/** The names to which statements assign the result of `joiner()`. */
export function joinersIn(statements: readonly WrittenStatement[]): readonly string[] {
  return statements.flatMap(({ word, rest }) =>
    word === 'set' || word === 'with'
      ? [...rest.matchAll(/(?:^|,)\s*(\w+)\s*=\s*joiner\s*\(/g)].map(([, name = '']) => name)
      : [],
  );
}

/** In statements, backslashes escape as in Python: Ansible leaves them alone only between `{{` and `}}`. */
function read<T>(word: string, rest: string, table: CallableTable, parse: (cursor: TokenCursor) => T): T {
  const text = `${word} ${rest}`;
  const cursor = new TokenCursor(text, table, 'python', shortStatement(`{% ${text.trim()} %}`));
  cursor.advance();
  const found = parse(cursor);
  if (!cursor.ended()) throw leftOver(cursor);
  return found;
}

const RECURSIVE = /\srecursive\s*$/;

function parseFor(rest: string, table: CallableTable): ForLoop {
  const recursive = RECURSIVE.test(rest);
  return read('for', rest.replace(RECURSIVE, ''), table, (cursor) => {
    const target = parseTarget(cursor);
    cursor.expect('in');
    const items = parseTuple(cursor, parseOr);
    return { type: 'for', target, items, condition: cursor.skip('if') ? parseTernary(cursor) : undefined, recursive };
  });
}

function parseSet(cursor: TokenCursor): StatementNode {
  const target = parseTarget(cursor);
  if (typeof target === 'string' && cursor.skip('.')) {
    const entry = parseName(cursor);
    cursor.expect('=');
    return { type: 'store', namespace: variable(target), name: target, entry, value: parseTuple(cursor, parseTernary) };
  }
  if (cursor.skip('=')) return { type: 'set', target, value: parseTuple(cursor, parseTernary) };
  if (typeof target !== 'string') throw cursor.unexpected('"="');
  return { type: 'capture', name: target, value: parseFilters(cursor, parseTernary, variable(target)) };
}

function parseBindings(cursor: TokenCursor): readonly Binding[] {
  const bindings: Binding[] = [];
  while (!cursor.ended()) {
    const target = parseTarget(cursor, false);
    cursor.expect('=');
    bindings.push({ target, value: parseTernary(cursor) });
    if (!cursor.skip(',')) break;
  }
  return bindings;
}

/** `a`, `a, b`, `(a, b), c` */
function parseTarget(cursor: TokenCursor, several = true): AssignmentTarget {
  const first = parseOneTarget(cursor);
  if (!several || !cursor.at(',')) return first;
  const targets = [first];
  while (cursor.skip(',') && !cursor.at('in') && !cursor.at('=') && !cursor.at(')'))
    targets.push(parseOneTarget(cursor));
  return targets;
}

function parseOneTarget(cursor: TokenCursor): AssignmentTarget {
  if (!cursor.skip('(')) return parseName(cursor);
  const target = cursor.nested(() => parseTarget(cursor));
  cursor.expect(')');
  return target;
}

const RESERVED: ReadonlySet<string> = new Set('true false none True False None not and or in is if else'.split(' '));

function parseName(cursor: TokenCursor): string {
  const { type, text } = cursor.current;
  if (type !== 'name' || RESERVED.has(text)) throw cursor.unexpected('a name');
  return cursor.advance().text;
}

/** `a, b` is a list, as Jinja's tuples are. */
function parseTuple(cursor: TokenCursor, parse: (cursor: TokenCursor) => Expression): Expression {
  const first = parse(cursor);
  if (!cursor.at(',')) return first;
  const items = [first];
  while (cursor.skip(',') && !cursor.ended() && !cursor.at('if')) items.push(parse(cursor));
  return cursor.built(call('array', ...items), ...items);
}

/** The names that a statement assigns, including `loop`. */
export function namesBound(statement: StatementNode): readonly string[] {
  if (statement.type === 'for') return ['loop', ...targetNames(statement.target)];
  if (statement.type === 'set') return targetNames(statement.target);
  if (statement.type === 'bind') return statement.bindings.flatMap(({ target }) => targetNames(target));
  return statement.type === 'capture' ? [statement.name] : [];
}

export function targetNames(target: AssignmentTarget): readonly string[] {
  return typeof target === 'string' ? [target] : target.flatMap(targetNames);
}

export function statementExpressions(statement: StatementNode): readonly Expression[] {
  if (statement.type === 'if' || statement.type === 'elif') return [statement.condition];
  if (statement.type === 'for')
    return statement.condition === undefined ? [statement.items] : [statement.items, statement.condition];
  if (statement.type === 'set' || statement.type === 'capture') return [statement.value];
  if (statement.type === 'store') return [statement.namespace, statement.value];
  if (statement.type === 'bind') return statement.bindings.map(({ value }) => value);
  statement.type satisfies 'else' | 'end' | 'comment' | 'text';
  return [];
}
