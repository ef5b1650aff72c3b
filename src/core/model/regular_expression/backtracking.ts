import { BoundedMap, getOrAdd } from '../values/groups.js';

/** The number of steps of a match on V8's engine that needs no time limit: some milliseconds. As a power of two. */
const STEPS = 20;

/**
 * The longest text on which V8's engine is certain to finish soon. The engine tries every way in which an expression
 * may match. Their number is polynomial in the length for consecutive repetitions, and exponential for nested ones.
 * Below 0 if no length is safe.
 */
export function safeLength(source: string, flags: string): number {
  if (!/[*+?{]/.test(source)) return 2 ** STEPS;
  const branches = new TokenReader(source, flags).read();
  const { constant, steps } = matchCost({ type: 'group', branches }, 0n);
  const starts = !flags.includes('m') && branches.every(([first]) => first?.atom.type === 'start') ? 0 : 1;
  return Math.floor(2 ** ((STEPS - constant) / Math.max(1, steps + starts))) - 1;
}

const TOKEN =
  /\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<\w+>|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:<[=!]|<\w+>|[:=!])|\{\d+(?:,\d*)?\}|[^]/g;

/** The parts of an expression in JavaScript's notation: escapes, classes, openings of groups, quantifiers, characters. */
export function patternTokens(source: string): readonly string[] {
  return source.match(TOKEN) ?? [];
}

/** A bit set over SAMPLES. */
type Characters = bigint;

/**
 * One sample of each class that expressions can distinguish: ASCII characters, a white space, a line separator, and any
 * other character.
 */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), '\u00a0', '\u2028', 'é'];
const ALL: Characters = (1n << BigInt(SAMPLES.length)) - 1n;

type Branches = readonly (readonly Repeated[])[];

type Atom =
  | { readonly type: 'character'; readonly characters: Characters }
  | { readonly type: 'group'; readonly branches: Branches }
  | { readonly type: 'start' | 'end' | 'other' };

interface Repeated {
  readonly atom: Atom;
  readonly least: number;
  readonly most: number;
}

class TokenReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(
    source: string,
    private readonly flags: string,
  ) {
    this.#tokens = patternTokens(source);
  }

  read(): Branches {
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    return branches;
  }

  #sequence(): readonly Repeated[] {
    const parts: Repeated[] = [];
    for (
      let token = this.#tokens[this.#at];
      token !== undefined && !/^[|)]$/.test(token);
      token = this.#tokens[this.#at]
    )
      parts.push(this.#repeated(token));
    return parts;
  }

  #repeated(token: string): Repeated {
    this.#at += 1;
    const atom = this.#atom(token);
    const [least, most] = this.#quantifier();
    return { atom, least, most };
  }

  #atom(token: string): Atom {
    if (token.startsWith('(')) {
      const branches = this.read();
      this.#take(')');
      // The empty branch means that the text after a lookaround may start with any character.
      return { type: 'group', branches: /^\(\?<?[=!]$/.test(token) ? [...branches, []] : branches };
    }
    if (token === '^') return { type: 'start' };
    if (token === '$') return { type: this.flags.includes('m') ? 'other' : 'end' };
    if (/^\\(?:[bB1-9]|k<)/.test(token)) return { type: 'other' };
    return { type: 'character', characters: parseCharacters(token, this.flags) };
  }

  #quantifier(): readonly [least: number, most: number] {
    const token = this.#tokens[this.#at] ?? '';
    const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
    const range = QUANTIFIERS.get(token) ?? (least === '' ? undefined : repeatRange(least, comma, most));
    if (range === undefined) return [1, 1];
    this.#at += 1;
    this.#take('?');
    return range;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}

const QUANTIFIERS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['*', [0, Infinity]],
  ['+', [1, Infinity]],
  ['?', [0, 1]],
]);

function repeatRange(least: string, comma: string | undefined, most: string): readonly [number, number] {
  return [Number(least), comma === '' ? Number(least) : most === '' ? Infinity : Number(most)];
}

/**
 * For a text of length n: the expression may match in 2^constant × n^ways ways, and finding them all takes 2^constant ×
 * n^steps steps.
 */
interface MatchCost {
  readonly constant: number;
  readonly ways: number;
  readonly steps: number;
}

const NO_COST: MatchCost = { constant: 0, ways: 0, steps: 0 };

/** `next`: the characters that may follow; undefined if unknown. */
function matchCost(atom: Atom, next: Characters | undefined): MatchCost {
  if (atom.type !== 'group') return atom.type === 'other' ? { ...NO_COST, steps: 1 } : NO_COST;
  const branches = atom.branches.map((branch) => sequenceCost(branch, next));
  const isOne = areApart(atom.branches.map(([first]) => firstCharacters(first)));
  return {
    constant: largest(branches.map(({ constant }) => constant)) + (isOne ? 0 : Math.log2(branches.length)),
    ways: largest(branches.map(({ ways }) => ways)),
    steps: largest(branches.map(({ steps }) => steps)),
  };
}

/** `Math.max(...)` overflows the stack with 200,000 arguments. */
function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => Math.max(most, one), 0);
}

/** The engine tries the rest again for each way in which the part before it matches. */
function sequenceCost(parts: readonly Repeated[], next: Characters | undefined): MatchCost {
  let whole = NO_COST;
  for (const [index, part] of parts.entries()) {
    const after = index + 1 < parts.length ? firstCharacters(parts[index + 1]) : next;
    const { constant, ways, steps } = repeatedCost(part, after);
    whole = {
      constant: whole.constant + constant,
      ways: whole.ways + ways,
      steps: Math.max(whole.steps, whole.ways + steps),
    };
  }
  return whole;
}

/** A repetition has a unique end only if the next part cannot start with a repeated character. */
function repeatedCost({ atom, least, most }: Repeated, next: Characters | undefined): MatchCost {
  if (most <= 1 && least === most) return matchCost(atom, next);
  const { constant, ways, steps } = matchCost(atom, undefined);
  const isOneWay = constant === 0 && ways === 0;
  const ends = least === most || areApart([firstCharacters({ atom, least: 1, most: 1 }), next]);
  if (most === Infinity) return { constant: isOneWay ? 0 : Infinity, ways: isOneWay && ends ? 0 : 1, steps: steps + 1 };
  return {
    constant: (ends ? 0 : Math.log2(most - least + 1)) + Math.log2(Math.max(1, most)) + constant * most,
    ways: ways * most,
    steps: ways * most + steps,
  };
}

/** The characters that the part may start with; undefined if it may be empty, or if they are unknown. */
function firstCharacters(part: Repeated | undefined): Characters | undefined {
  if (part === undefined || part.least === 0) return undefined;
  const { atom } = part;
  if (atom.type === 'character') return atom.characters;
  if (atom.type !== 'group') return atom.type === 'end' ? 0n : undefined;
  return union(atom.branches.map(([first]) => firstCharacters(first)));
}

function areApart(all: readonly (Characters | undefined)[]): boolean {
  let seen: Characters = 0n;
  for (const one of all) {
    if (one === undefined || (one & seen) !== 0n) return all.length === 1;
    seen |= one;
  }
  return true;
}

function union(all: readonly (Characters | undefined)[]): Characters | undefined {
  let seen: Characters = 0n;
  for (const one of all) {
    if (one === undefined) return undefined;
    seen |= one;
  }
  return seen;
}

const KNOWN = new BoundedMap<string, Characters>(1000);

/** The characters of a class, an escape or a literal. Classes beyond ASCII may match any character. */
function parseCharacters(token: string, flags: string): Characters {
  const isAscii = !/[^\0-\x7f]|\\[cpPux0]/.test(token) && !flags.includes('u');
  if (!isAscii) return ALL;
  return getOrAdd(KNOWN, `${flags}/${token}`, () => sampled(new RegExp(token, flags.replaceAll(/[gy]/g, ''))));
}

function sampled(expression: RegExp): Characters {
  let found: Characters = 0n;
  for (const [index, sample] of SAMPLES.entries()) if (expression.test(sample)) found |= 1n << BigInt(index);
  return found;
}
