import { RE2JS } from 're2js';
import { tokensOf } from './backtracking.js';

/** As `RegExp.exec` returns it. */
export type Match = readonly (string | undefined)[] & {
  readonly index: number;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
};

/** The first match at or after a position. */
export type Find = (text: string, from: number) => Match | undefined;

/**
 * The same expression on RE2's engine, whose time is linear in the length of the text. Undefined if RE2 does not
 * support the expression: backreferences, lookaround, more than 1,000 repetitions.
 */
export function linear(source: string, flags: string): Find | undefined {
  const translated = tokensOf(source).map((token) => inRe2(token, flags.includes('s')));
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
  const members = tokensOf(token.slice(start.length, -1)).map(inMember);
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
