import { didYouMean } from '../../../core/model/source/suggestion.js';
import { withoutCollection } from '../../runtime/callable.js';
import type { TemplateError } from '../../runtime/errors.js';
import { call, type Expression, extendPath } from './nodes.js';
import { callNode, type Parse, parseArguments } from './sequences.js';
import { type ExpressionToken, isSymbol, type TokenCursor } from './tokens.js';

const NOTHING: Expression = { type: 'NullLiteral' };

/** Where a value is: as an argument of the prefix form, it ends at a blank. */
export type PostfixForm = 'jinja' | 'prefix';

/** Whether the token is this bracket, and continues the value before it: in the prefix form, `a [b]` and `a (b)` are two arguments. */
export function belongs(token: ExpressionToken, bracket: '(' | '[', form: PostfixForm): boolean {
  return isSymbol(token, bracket) && (form === 'jinja' || !token.spaced);
}

/** Lookups inside a value: `.name`, `.[any text]`, `[0]`, `["name"]`, `[1:3]`, `.split(",")`. */
export function parsePostfix(cursor: TokenCursor, parse: Parse, start: Expression, form: PostfixForm): Expression {
  let value = start;
  for (;;) {
    if (cursor.current.type === 'segment')
      value = inside(cursor, value, cursor.current.text, `.[${cursor.advance().text}]`);
    else if (cursor.at('.')) value = parseMember(cursor, parse, value, form);
    else if (belongs(cursor.current, '[', form)) value = parseIndex(cursor, parse, value);
    else return value;
  }
}

function parseMember(cursor: TokenCursor, parse: Parse, value: Expression, form: PostfixForm): Expression {
  cursor.expect('.');
  const { type, text } = cursor.current;
  if (type === 'number') {
    cursor.advance();
    return text.split('.').reduce((outer, part) => inside(cursor, outer, part, `.${part}`), value);
  }
  if (type !== 'name') throw cursor.unexpected('a name');
  cursor.advance();
  if (belongs(cursor.current, '(', form)) return parseMethod(cursor, parse, value, text);
  return inside(cursor, value, text, `.${text}`);
}

/** A Python method that Ansible users write: `name.split(".")` is `split(name, ".")`. */
function parseMethod(cursor: TokenCursor, parse: Parse, value: Expression, method: string): Expression {
  const { params, hash } = parseArguments(cursor, parse);
  if (value.type === 'PathExpression') {
    const qualified = `${value.original}.${method}`;
    const name = withoutCollection(qualified);
    if (name !== qualified) return callNode(cursor, name, { params, hash });
  }
  if (CHANGES.has(method)) return callNode(cursor, 'change', { params: [...changed(value, method), ...params], hash });
  const filter = SAME_METHODS.has(method) ? method : OTHER_METHODS.get(method);
  if (filter === undefined) throw cursor.error(`there is no method "${method}"`, methodHint(method));
  // In Python, the text is the separator and the argument is the list.
  const ordered = method === 'join' ? [...params, value] : [value, ...params];
  return callNode(cursor, filter, { params: ordered, hash });
}

/** The first arguments of the filter `change`: the method, the name and keys at which the value is found, and the value. */
function changed(value: Expression, method: string): readonly Expression[] {
  const keys: Expression[] = [];
  let outer = value;
  while (outer.type === 'SubExpression' && outer.name === 'item') {
    const [within = NOTHING, key = NOTHING] = outer.params;
    keys.unshift(key);
    outer = within;
  }
  const [name, ...parts] = outer.type === 'PathExpression' && !outer.own && !outer.data ? outer.parts : [];
  const root = name === undefined ? NOTHING : text(name);
  return [text(method), root, call('array', ...parts.map(text), ...keys), value];
}

function text(value: string): Expression {
  return { type: 'StringLiteral', value };
}

function inside(cursor: TokenCursor, value: Expression, part: string, written: string): Expression {
  const path = extendPath(value, part, written);
  if (path) return path;
  return cursor.built(call('item', value, { type: 'StringLiteral', value: part }), value);
}

function parseIndex(cursor: TokenCursor, parse: Parse, value: Expression): Expression {
  cursor.expect('[');
  if (cursor.at(']')) throw notAnIndex(cursor);
  const first = cursor.at(':') ? NOTHING : parse(cursor);
  if (cursor.at(':')) return parseSlice(cursor, parse, value, first);
  if (cursor.at(',')) throw notAnIndex(cursor);
  cursor.expect(']');
  if (first.type === 'StringLiteral') return inside(cursor, value, first.value, `["${first.value}"]`);
  if (first.type === 'NumberLiteral') return inside(cursor, value, String(first.value), `[${first.value}]`);
  return cursor.built(call('item', value, first), value, first);
}

function notAnIndex(cursor: TokenCursor): TemplateError {
  return cursor.error('an index is one value', 'for a list that is an argument of a function, write function([a, b])');
}

/** `[from:to:step]`, from the first colon on; each may be left out. */
function parseSlice(cursor: TokenCursor, parse: Parse, value: Expression, from: Expression): Expression {
  const bounds = [from];
  while (bounds.length < 3 && cursor.skip(':')) bounds.push(cursor.at(':') || cursor.at(']') ? NOTHING : parse(cursor));
  cursor.expect(']');
  return cursor.built(call('cut', value, ...bounds), value, ...bounds);
}

/** Python's methods that many Ansible playbooks use, and whose filters have the same names. */
const SAME_METHODS: ReadonlySet<string> = new Set(
  (
    'center capitalize copy cycle endswith find get index isalnum isalpha isdigit islower isspace isupper items ' +
    'join keys ljust lower lstrip next partition replace reset rjust rpartition rsplit rstrip split splitlines ' +
    'startswith swapcase upper values casefold expandtabs isascii isidentifier istitle removeprefix ' +
    'removesuffix rfind rindex zfill'
  ).split(' '),
);

/** The others, with the equivalent filters. */
const OTHER_METHODS: ReadonlyMap<string, string> = new Map([
  ['changed', 'has_changed'],
  ['count', 'occurrences'],
  ['format', 'fill'],
  ['isdecimal', 'isdigit'],
  ['isnumeric', 'isdigit'],
  ['strftime', 'format_date'],
  ['strip', 'trim'],
  // The filter leaves the letter after an apostrophe, a dot or a digit as it is.
  ['title', 'titlecase'],
  ['total_seconds', 'float'],
]);

const HINTS: ReadonlyMap<string, string> = new Map([
  ['iteritems', 'write mapping.items()'],
  ['iterkeys', 'write mapping.keys()'],
  ['itervalues', 'write mapping.values()'],
  ['clear', 'write [] or {}'],
  ['popitem', 'write mapping | dict2items | last'],
  ['reverse', 'write list | reverse'],
  ['sort', 'write list | sort'],
]);

/** Methods that change the list or mapping that they belong to. */
const CHANGES: ReadonlySet<string> = new Set(['append', 'extend', 'insert', 'pop', 'remove', 'setdefault', 'update']);

function methodHint(method: string): string {
  const near = didYouMean(method, [...SAME_METHODS, ...OTHER_METHODS.keys(), ...CHANGES]);
  return HINTS.get(method) ?? near ?? `write value | ${method} if there is such a filter`;
}
