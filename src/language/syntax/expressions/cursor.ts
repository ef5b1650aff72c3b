import type { CallableTable } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import type { Expression } from './nodes.js';
import { type Escapes, tokenize, type ExpressionToken } from './tokens.js';

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
    return new TemplateError(`cannot read ${this.title ?? `the expression "${shorten(this.text)}"`}: ${message}`, {
      hint,
    });
  }

  /** The token as it was written. */
  raw(token: ExpressionToken): string {
    const next = this.#tokens[this.#tokens.indexOf(token) + 1];
    return this.text.slice(token.start, next?.start).trim();
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
