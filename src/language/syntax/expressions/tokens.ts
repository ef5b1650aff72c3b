import { readEscape } from '../../python/string.js';
import type { CallableTable } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import type { Expression } from './nodes.js';

export interface ExpressionToken {
  /** `segment`: `.[any text]`; `data`: `@name`; `up`: `../`; `here`: `./` or `.`. */
  readonly type: 'name' | 'number' | 'string' | 'operator' | 'segment' | 'data' | 'up' | 'here' | 'end';
  /** The significant characters: a string's content, a segment's text. */
  readonly text: string;
  readonly start: number;
  /** Whether white space precedes it. It means something only where an expression has arguments of the prefix form: `f a (b)`. */
  readonly spaced: boolean;
  /** Whether white space (or the end) follows. */
  readonly spacedAfter: boolean;
}

/** Words that join operands: they are never variables, and never begin or end an operand. */
export const JOINING: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'as']);

const SPACE = /\s/;

/** The tokens of an expression, an `end` token last. Throws a TemplateError at a character that has no meaning. */
export function tokenize(text: string, escapes: Escapes): readonly ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const [token, end] = memberDot(text, position, tokens.at(-1)) ?? readToken(text, position, escapes);
    tokens.push(token);
    position = skipSpace(text, end);
  }
  tokens.push({ type: 'end', text: '', start: text.length, spaced: true, spacedAfter: true });
  return tokens;
}

function skipSpace(text: string, position: number): number {
  while (position < text.length && SPACE.test(text.charAt(position))) position += 1;
  return position;
}

type Shapes = readonly (readonly [ExpressionToken['type'], RegExp])[];

let shapes: Shapes | undefined;

/**
 * Patterns of the types of token. They are sticky, so that each matches only at the current position. Names of ASCII and the dots before them
 * come first: patterns with all letters of Unicode take tens of milliseconds to compile.
 */
function allShapes(): Shapes {
  return [
    ['name', /[A-Za-z_$][\w$]*(?![\w$]|[^\0-\x7f])/y],
    ['operator', /\.(?=[\w$])/y],
    ['number', /0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
    ['up', /\.\.(?:\/|(?![.\w]))/y],
    ['here', /\.(?:\/(?=[\p{L}_$[])|(?![\p{L}\p{N}_$[]))/uy],
    ['segment', /\.\[([^\]]*)\]/y],
    ['operator', /===|!==|\?\?|&&|\|\||=>|==|!=|<=|>=|\/\/|\*\*|[-+*/%~<>()[\]{}.,:|=!?&]/y],
    ['data', /@((?:\.\.\/)*[\p{L}_$][\p{L}\p{N}_$]*)/uy],
    ['name', /[\p{L}_$][\p{L}\p{N}_$]*/uy],
  ];
}

function readToken(text: string, start: number, escapes: Escapes): readonly [ExpressionToken, number] {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return readString(text, start, escapes);
  for (const [type, shape] of (shapes ??= allShapes())) {
    shape.lastIndex = start;
    const match = shape.exec(text);
    if (match) return [token(type, match[1] ?? match[0], text, start, shape.lastIndex), shape.lastIndex];
  }
  const place = `character ${start + 1} of the expression "${text.trim()}"`;
  throw new TemplateError(`unexpected character "${first}" at ${place}`);
}

/** The dot of `a . b` between a value and a name or number, which is `a.b`, as in Jinja. Elsewhere, a dot alone is the value of the block (`here`). */
function memberDot(
  text: string,
  start: number,
  previous: ExpressionToken | undefined,
): readonly [ExpressionToken, number] | undefined {
  if (text.charAt(start) !== '.' || !SPACE.test(text.charAt(start + 1))) return undefined;
  if (previous === undefined || !endsOperand(previous)) return undefined;
  if (!/^\.\s+[\p{L}\p{N}_$]/u.test(text.slice(start))) return undefined;
  return [token('operator', '.', text, start, start + 1), start + 1];
}

function endsOperand({ type, text }: ExpressionToken): boolean {
  if (type === 'name') return !JOINING.has(text);
  if (type === 'operator') return text === ')' || text === ']' || text === '}';
  return type === 'string' || type === 'number' || type === 'segment' || type === 'data';
}

function token(
  type: ExpressionToken['type'],
  content: string,
  text: string,
  start: number,
  end: number,
): ExpressionToken {
  const spaced = start === 0 || SPACE.test(text.charAt(start - 1));
  const spacedAfter = end >= text.length || SPACE.test(text.charAt(end));
  return { type, text: content, start, spaced, spacedAfter };
}

function readString(text: string, start: number, escapes: Escapes): readonly [ExpressionToken, number] {
  const quote = text.charAt(start);
  const end = stringEnd(text, start);
  if (end === start)
    throw new TemplateError(`the text that begins with ${text.slice(start, start + 20)} has no closing ${quote}`);
  const content = unescape(text.slice(start + 1, end), quote, escapes);
  return [token('string', content, text, start, end + 1), end + 1];
}

/** The end of the text that begins with the quote at `start`; an unclosed quote ends nowhere. */
export function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return start;
}

/**
 * The meaning of a backslash in a text of an expression, as in Ansible. Between `{{` and `}}`, it is an ordinary character
 * (`'\d+'`, `'\1'`). In a bare expression (`when`), it begins an escape as in Python; unknown escapes stay (`'\d+'`).
 */
export type Escapes = 'kept' | 'python';

const PYTHON = /\\(?:[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])/g;

/** The text between two `quote`s, without escapes. */
function unescape(written: string, quote: string, escapes: Escapes): string {
  if (!written.includes('\\')) return written;
  if (escapes === 'kept') return written.replaceAll(/\\([^])/g, (all, next) => (next === quote ? quote : all));
  return written.replaceAll(PYTHON, (escape) => readEscape(escape, 1)?.text ?? escape);
}

/** People do not nest expressions deeper. The limit keeps parsing and evaluation from overflowing the stack. */
const MOST_EXPRESSION_LEVELS = 200;

/** The reading position in an expression's tokens. */
export class TokenCursor {
  readonly #tokens: readonly ExpressionToken[];
  readonly #depths = new Map<Expression, number>();
  #position = 0;
  #level = 0;

  constructor(
    readonly text: string,
    /** Distinguishes names of filters from names of variables. */
    readonly table: CallableTable,
    escapes: Escapes,
    /** Names the text in messages if it is not an expression. */
    private readonly title?: string,
  ) {
    this.#tokens = tokenize(text, escapes);
  }

  get current(): ExpressionToken {
    return this.peek(0);
  }

  ended(): boolean {
    return this.current.type === 'end';
  }

  peek(ahead: number): ExpressionToken {
    const token = this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new Error('an expression has an end token');
    return token;
  }

  advance(): ExpressionToken {
    const token = this.current;
    this.#position += 1;
    return token;
  }

  /** Whether the current token is this operator or word. */
  at(text: string): boolean {
    return isSymbol(this.current, text);
  }

  /** Skips the operator or word if it is next. */
  skip(text: string): boolean {
    if (!this.at(text)) return false;
    this.advance();
    return true;
  }

  expect(text: string): void {
    if (!this.skip(text)) throw this.unexpected(`"${text}"`);
  }

  /** Parses one level deeper. Too many levels are an error, before the stack overflows. */
  nested<T>(parse: () => T): T {
    if (this.#level >= MOST_EXPRESSION_LEVELS) throw this.error('it is nested too deeply');
    this.#level += 1;
    const result = parse();
    this.#level -= 1;
    return result;
  }

  /** Accepts a node built from others, unless evaluating it would go too deep (`1+1+1+…` nests to the left without nested reading). */
  built<T extends Expression>(node: T, ...inner: readonly Expression[]): T {
    const depth = 1 + Math.max(0, ...inner.map((one) => this.#depths.get(one) ?? 0));
    if (depth > MOST_EXPRESSION_LEVELS) throw this.error('it is nested too deeply');
    this.#depths.set(node, depth);
    return node;
  }

  unexpected(wanted: string): TemplateError {
    const { current } = this;
    if (current.type === 'end') return this.error(`it ends where ${wanted} is expected`);
    return this.error(`"${this.raw(current)}" found where ${wanted} is expected (character ${current.start + 1})`);
  }

  error(message: string, hint?: string): TemplateError {
    const title = this.title ?? `the expression "${shorten(this.text)}"`;
    return new TemplateError(`cannot read ${title}: ${message}`, { hint });
  }

  /** The token as it was written. */
  raw(token: ExpressionToken): string {
    return this.text.slice(token.start, this.#tokens[this.#tokens.indexOf(token) + 1]?.start).trim();
  }
}

/** Whether the token is this operator or word. */
export function isSymbol(token: ExpressionToken, text: string): boolean {
  return (token.type === 'operator' || token.type === 'name') && token.text === text;
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
