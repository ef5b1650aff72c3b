import { RegularExpression, type Match } from '../../core/model/regular_expression/regular_expression.js';

/** Which part of a text must match: any, one at its start, or all of it. */
export type Extent = 'search' | 'match' | 'fullmatch';

const INLINE_FLAGS = /^\(\?([aimsux]+)\)/;
/** Escapes, classes (in which a first `]` is a character), openings of groups, `{,3}`, and characters. */
const TOKEN = /\\[^]|\[\^?(?:\\[^]|[^\\])(?:\\[^]|[^\]\\])*\]|\(\?P<|\(\?P=\w+\)|\{,\d+\}|[^]/g;

/** A regular expression in Python's notation. */
export class PythonExpression {
  readonly #usual: RegularExpression;
  readonly #tokens: readonly string[];
  readonly #flags: string;
  #exact: RegularExpression | undefined;

  /** Throws a SyntaxError if it cannot be read. */
  constructor(
    text: string,
    flags: string,
    private readonly extent: Extent,
  ) {
    const inline = INLINE_FLAGS.exec(text)?.[1] ?? '';
    const all = new Set(flags + inline);
    this.#flags = [...all].filter((flag) => 'ims'.includes(flag)).join('');
    const tokens = text.replace(INLINE_FLAGS, '').match(TOKEN) ?? [];
    this.#tokens = all.has('x') ? withoutLayout(tokens) : tokens;
    this.#usual = this.#translated(false);
  }

  test(text: string): boolean {
    return this.#for(text).test(text);
  }

  first(text: string): Match | undefined {
    return this.#for(text).first(text);
  }

  all(text: string): readonly Match[] {
    return this.#for(text).all(text);
  }

  /**
   * The exact form needs lookaround, which linear engines lack, so it is used only for texts on which it makes a
   * difference.
   */
  #for(text: string): RegularExpression {
    const isUsual = this.#flags.includes('m') ? !/[\r\u2028\u2029]/.test(text) : !text.endsWith('\n');
    return isUsual ? this.#usual : (this.#exact ??= this.#translated(true));
  }

  #translated(exact: boolean): RegularExpression {
    const anchors = chooseAnchors(this.#flags.includes('m'), exact);
    const body = this.#tokens.map((token) => inJavaScript(token, anchors, this.#flags.includes('s'))).join('');
    const source =
      this.extent === 'search' ? body : `${anchors.start}(?:${body})${this.extent === 'match' ? '' : anchors.end}`;
    return new RegularExpression(source, this.#flags);
  }
}

interface Anchors {
  /** In the whole text. */
  readonly start: string;
  readonly end: string;
  /** The meaning of `^` and `$`. */
  readonly from: string;
  readonly to: string;
}

const START = '(?<![^])';
const END = '(?![^])';

/** Python knows one line break, and its `$` matches before the last one of a text as well. */
function chooseAnchors(multiline: boolean, exact: boolean): Anchors {
  if (!multiline) return { start: '^', end: '$', from: '^', to: exact ? String.raw`(?=\n?$)` : '$' };
  const both = { start: START, end: END };
  return exact
    ? { ...both, from: String.raw`(?<=\n|${START})`, to: String.raw`(?=\n|${END})` }
    : { ...both, from: '^', to: '$' };
}

function inJavaScript(token: string, { start, end, from, to }: Anchors, dotAll: boolean): string {
  if (token === '^') return from;
  if (token === '$') return to;
  if (token === '.') return dotAll ? '.' : String.raw`[^\n]`;
  if (token === String.raw`\A`) return start;
  if (token === String.raw`\Z`) return end;
  if (token === '(?P<') return '(?<';
  return token
    .replace(/^(\[\^?)\]/, String.raw`$1\]`)
    .replace(/^\(\?P=(\w+)\)$/, String.raw`\k<$1>`)
    .replace(/^\{,/, '{0,');
}

/** With `(?x)`: without white space and comments. */
function withoutLayout(tokens: readonly string[]): readonly string[] {
  let isComment = false;
  return tokens.filter((token) => {
    if (token === '#') isComment = true;
    if (token === '\n') isComment = false;
    return !isComment && !/^\s$/.test(token);
  });
}
