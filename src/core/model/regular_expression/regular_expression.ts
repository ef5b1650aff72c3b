import { createContext, Script, type Context } from 'node:vm';
import { RE2JS } from 're2js';
import { safeLength, patternTokens } from './backtracking.js';

/** As `RegExp.exec` returns it. */
export type Match = readonly (string | undefined)[] & {
  readonly index: number;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
};

/** The first match at or after a position. */
export type FindMatch = (text: string, from: number) => Match | undefined;

/**
 * The same expression on RE2's engine, whose time is linear in the length of the text. Undefined if RE2 does not
 * support the expression: backreferences, lookaround, more than 1,000 repetitions.
 */
export function linear(source: string, flags: string): FindMatch | undefined {
  const translated = patternTokens(source).map((token) => inRe2(token, flags.includes('s')));
  const letters = flags.replaceAll(/[^ims]/g, '');
  if (translated.includes(undefined)) return undefined;
  try {
    const expression = RE2JS.compile((letters === '' ? '' : `(?${letters})`) + translated.join(''));
    return (text, from) => {
      const matcher = expression.matcher(text);
      if (!matcher.find(from)) return undefined;
      const whole = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
      return Object.assign(whole, { index: matcher.start(), groups: named(matcher.getNamedGroups()) });
    };
  } catch {
    return undefined;
  }
}

const SPACE = String.raw`\s\v\x{feff}\x{2028}\x{2029}\p{Zs}`;

/** Undefined if RE2's notation has no equivalent. */
function inRe2(token: string, dotAll: boolean): string | undefined {
  if (token.length === 1) return token === '.' && !dotAll ? String.raw`[^\n\r\x{2028}\x{2029}]` : token;
  if (token.startsWith('[')) return inClass(token);
  if (!token.startsWith('\\')) return token;
  if (token === String.raw`\s`) return `[${SPACE}]`;
  if (token === String.raw`\S`) return `[^${SPACE}]`;
  return escaped(token);
}

function inClass(token: string): string | undefined {
  if (token === '[]') return undefined;
  if (token === '[^]') return String.raw`[\s\S]`;
  const start = token.startsWith('[^') ? '[^' : '[';
  const members = patternTokens(token.slice(start.length, -1)).map(inMember);
  return members.includes(undefined) ? undefined : `${start}${members.join('')}]`;
}

function inMember(member: string): string | undefined {
  if (member === '[') return String.raw`\[`;
  if (member === String.raw`\s`) return SPACE;
  if (member === String.raw`\b`) return String.raw`\x08`;
  return member === String.raw`\S` || member === String.raw`\B` ? undefined : escaped(member);
}

/** An escaped letter without a meaning in JavaScript is literal there, but may have a meaning in RE2. */
function escaped(token: string): string | undefined {
  if (/^\\[1-9kc]/.test(token)) return undefined;
  if (token.startsWith(String.raw`\u`)) return token.length === 6 ? `\\x{${token.slice(2)}}` : 'u';
  if (token === String.raw`\0`) return String.raw`\x00`;
  return /^\\[AC-EG-RT-VX-Zaceg-mo-qy-z]$|^\\[^\0-\x7f]$/.test(token) ? token.slice(1) : token;
}

function named(groups: Readonly<Record<string, string | null>>): Record<string, string | undefined> | undefined {
  const entries = Object.entries(groups);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, text]) => [name, text ?? undefined]));
}

/**
 * A regular expression in JavaScript's notation that comes from a user, or that runs on untrusted text. It cannot hang
 * the process. Expressions that are certain to finish soon run on V8's engine. Others run there for a quarter of a
 * second, then on a linear engine. Those that only V8 can run (backreferences, lookaround) fail after a second.
 */
export class RegularExpression {
  readonly #native: RegExp;
  readonly #safe: number;
  /** Was too slow once, so try the linear engine first. */
  #isSlow = false;
  #linear: FindMatch | undefined;

  /** Throws a SyntaxError if the expression is invalid. */
  constructor(
    readonly source: string,
    private readonly flags = '',
  ) {
    this.#native = new RegExp(source, `${flags}g`);
    this.#safe = safeLength(source, flags);
  }

  /** Like a RegExp. ajv treats expressions with equal text as the same one. */
  toString(): string {
    return `/${this.source}/${this.flags}`;
  }

  test(text: string): boolean {
    return this.first(text) !== undefined;
  }

  /** Throws a TooSlow error after a second. */
  first(text: string): Match | undefined {
    return this.#run(text, (find) => find(text, 0));
  }

  /** All matches, each after the one before. Throws as `first` does. */
  all(text: string): readonly Match[] {
    return this.#run(text, (find) => {
      const found: Match[] = [];
      for (let from = 0; from <= text.length;) {
        const match = find(text, from);
        if (match === undefined) break;
        found.push(match);
        const end = match.index + (match[0] ?? '').length;
        from = match[0] === '' ? end + 1 : end;
      }
      return found;
    });
  }

  #run<T>(text: string, work: (find: FindMatch) => T): T {
    if (text.length <= this.#safe) return work(this.#find);
    if (!this.#isSlow) {
      const done = within(mayBeLinear(this.source) ? FIRST_TRY : LIMIT, () => work(this.#find));
      if (done.type === 'done') return done.value;
      this.#isSlow = mayBeLinear(this.source);
    }
    const find = this.#isSlow ? (this.#linear ??= linear(this.source, this.flags)) : undefined;
    const done = find === undefined ? undefined : within(LIMIT, () => work(find));
    if (done?.type === 'done') return done.value;
    // The engine may have stopped at any point, so its state is unusable.
    this.#linear = undefined;
    throw new TooSlow(this.source, text.length);
  }

  readonly #find: FindMatch = (text, from) => {
    this.#native.lastIndex = from;
    return this.#native.exec(text) ?? undefined;
  };
}

/** A match exceeded its time limit. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';

  constructor(source: string, length: number) {
    super(
      `the regular expression "${source}" takes too long on a text of ${length} characters; avoid nested repetitions such as (a+)+`,
    );
  }
}

/** Milliseconds. */
const FIRST_TRY = 250;
const LIMIT = 1000;

function mayBeLinear(source: string): boolean {
  return !/\(\?<?[=!]|\\[1-9k]/.test(source);
}

type Done<T> = { readonly type: 'done'; readonly value: T } | { readonly type: 'late' };

const JOB: { run: () => void } = { run: () => undefined };
let clock: { readonly script: Script; readonly context: Context } | undefined;

/** Runs the function, and stops it after this many milliseconds. V8 checks the limit during a match, too. */
function within<T>(timeout: number, work: () => T): Done<T> {
  clock ??= { script: new Script('run()'), context: createContext(JOB) };
  let done: Done<T> = { type: 'late' };
  JOB.run = () => {
    done = { type: 'done', value: work() };
  };
  try {
    clock.script.runInContext(clock.context, { timeout });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
  return done;
}

/** The error comes from the stopped context, so `instanceof` does not recognise it. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
