import { BoundedMap, getOrAdd } from '../values/groups.js';

/** The number of steps of a match on V8's engine that needs no time limit: some milliseconds. As a power of two. */
const STEPS = 20;

/**
 * For a text of length n: what was read so far may match in 2^bits × n^ways ways, and finding them all takes 2^bits ×
 * n^steps steps.
 */
interface MatchCost {
  readonly bits: number;
  readonly ways: number;
  readonly steps: number;
}

const ONCE: MatchCost = { bits: 0, ways: 0, steps: 0 };
const NEVER: MatchCost = { ...ONCE, bits: -Infinity };

/**
 * The longest text on which V8's engine is certain to finish soon. The engine tries every way in which an expression
 * may match. Their number is polynomial in the length for consecutive repetitions, and exponential for nested ones.
 * Below 0 if no length is safe.
 */
export function safeLength(source: string, flags: string): number {
  if (!/[*+?{]/.test(source)) return 2 ** STEPS;
  const tokens = patternTokens(source);
  const hasClearEnd = clearEnds(source, tokens, flags);
  /** What surrounds the open groups: before each, and its other branches. */
  const around: (readonly [before: MatchCost, branches: MatchCost])[] = [];
  let [before, branches, last] = [ONCE, NEVER, ONCE];
  let starts = source.startsWith('^') && !flags.includes('m') ? 0 : 1;
  for (const [at, token] of tokens.entries()) {
    const range = repeatRange(token);
    if (range !== undefined) {
      if (!isLazy(tokens, at)) last = repeated(last, range, hasClearEnd(at));
    } else if (token === ')') {
      last = either(branches, inSequence(before, last));
      [before, branches] = around.pop() ?? [ONCE, NEVER];
    } else {
      before = inSequence(before, last);
      last = /^\\[1-9k]/.test(token) ? { ...ONCE, steps: 1 } : ONCE;
      if (token === '|') {
        branches = either(branches, before);
        before = ONCE;
        if (around.length === 0) starts = 1;
      } else if (token.startsWith('(')) {
        around.push([before, branches]);
        [before, branches] = [ONCE, NEVER];
      }
    }
  }
  const { bits, steps } = either(branches, inSequence(before, last));
  return Math.floor(2 ** ((STEPS - bits) / Math.max(1, steps + starts))) - 1;
}

const TOKEN =
  /\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<\w+>|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?(?:<[=!]|<\w+>|[:=!])|\{\d+(?:,\d*)?\}|[^]/g;

/** The parts of an expression in JavaScript's notation: escapes, classes, openings of groups, quantifiers, characters. */
export function patternTokens(source: string): readonly string[] {
  return source.match(TOKEN) ?? [];
}

type Range = readonly [least: number, most: number];

const QUANTIFIERS: ReadonlyMap<string, Range> = new Map([
  ['*', [0, Infinity]],
  ['+', [1, Infinity]],
  ['?', [0, 1]],
]);

function repeatRange(token: string): Range | undefined {
  const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
  if (least === '') return QUANTIFIERS.get(token);
  return [Number(least), comma === '' ? Number(least) : most === '' ? Infinity : Number(most)];
}

function isLazy(tokens: readonly string[], at: number): boolean {
  return tokens[at] === '?' && repeatRange(tokens[at - 1] ?? '') !== undefined;
}

/** The engine tries the rest again for each way in which the part before it matches. */
function inSequence(first: MatchCost, second: MatchCost): MatchCost {
  return {
    bits: first.bits + second.bits,
    ways: first.ways + second.ways,
    steps: Math.max(first.steps, first.ways + second.steps),
  };
}

function either(one: MatchCost, other: MatchCost): MatchCost {
  return {
    bits: Math.log2(2 ** one.bits + 2 ** other.bits),
    ways: Math.max(one.ways, other.ways),
    steps: Math.max(one.steps, other.steps),
  };
}

function repeated({ bits, ways, steps }: MatchCost, [least, most]: Range, hasClearEnd: boolean): MatchCost {
  const isOneWay = bits === 0 && ways === 0;
  if (most === Infinity)
    return { bits: isOneWay ? 0 : Infinity, ways: isOneWay && hasClearEnd ? 0 : 1, steps: steps + 1 };
  const times = Math.max(1, most);
  const ends = hasClearEnd ? 0 : Math.log2(most - least + 1);
  return { bits: ends + Math.log2(times) + bits * times, ways: ways * times, steps: ways * times + steps };
}

/** ASCII, and one character of each other class that tokens of ASCII can distinguish. */
const SAMPLES = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), '\u00a0\u2028é'].join('');
const KNOWN = new BoundedMap<string, ReadonlySet<string>>(1000);

/** The samples that match an escape, a class or a character; all of them if that is not known. */
function sampled(token: string, flags: string): ReadonlySet<string> {
  const isUnknown = flags.includes('u') || /^(?:[()^$|]|\\[bBk1-9])|[^\0-\x7f]|\\[cpPux0]/.test(token);
  return getOrAdd(KNOWN, `${flags}/${token}`, () => {
    const expression = isUnknown ? /[^]/g : new RegExp(token, `${flags.replaceAll(/[gy]/g, '')}g`);
    return new Set(SAMPLES.match(expression));
  });
}

/** Whether a repeated character can end at one place only, because what follows cannot begin with it. */
function clearEnds(source: string, tokens: readonly string[], flags: string): (quantifier: number) => boolean {
  // A lookbehind matches from its end to its start.
  if (/\(\?<[=!]/.test(source)) return () => false;
  // A group begins with what follows its opening, if no group has branches or may be left out.
  const passed = /\||\)(?:[*?]|\{0)/.test(source) ? /^\)$/ : /^(?:\)|\((?:\?:|\?<\w+>)?)$/;
  const rangeAfter = (at: number): Range | undefined => repeatRange(tokens[at + 1] ?? '');
  return (quantifier) => {
    let next = quantifier + (isLazy(tokens, quantifier + 1) ? 2 : 1);
    while (passed.test(tokens[next] ?? '') && rangeAfter(next) === undefined) next++;
    const token = tokens[next];
    if (token === undefined || (token === '$' && !flags.includes('m'))) return true;
    const [own, following] = [sampled(tokens[quantifier - 1] ?? '', flags), sampled(token, flags)];
    return rangeAfter(next)?.[0] !== 0 && ![...following].some((one) => own.has(one));
  };
}
