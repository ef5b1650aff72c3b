import { RegularExpression } from '../regular_expression/regular_expression.js';
import { parseAddress } from './address.js';

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** Whether a text contains one of the characters that make Ansible match controllers as well as groups. */
export function looksBeyondGroups(text: string): boolean {
  return /[.?*[]/.test(text);
}

/**
 * The names that a glob (`*`, `?`, `[abc]`, `[!abc]`) matches as a whole, or that a regular expression (`~…`) matches
 * at their beginning. Undefined if the expression is not valid. The matcher throws a TooSlow error as expressions do.
 */
export function nameMatcher(pattern: string): ((name: string) => boolean) | undefined {
  if (!pattern.startsWith('~')) return /[?*[]/.test(pattern) ? globMatcher(pattern) : (name) => name === pattern;
  const { text, flags } = fromPython(pattern.slice(1));
  try {
    const regex = new RegularExpression(`^(?:${text})`, flags);
    return (name) => regex.test(name);
  } catch {
    return undefined;
  }
}

/** The names that a glob matches as a whole, as Python's `fnmatch` does. */
export function globMatcher(glob: string): (name: string) => boolean {
  const regex = new RegularExpression(`^${globText(glob)}$`, 'su');
  return (name) => regex.test(name);
}

/** Translates Python's syntax, which Ansible users write, where JavaScript's differs. */
function fromPython(text: string): { text: string; flags: string } {
  const [, flags = '', rest = text] = /^\(\?([ims]+)\)(.*)$/s.exec(text) ?? [];
  const spelled = rest.replaceAll('(?P<', '(?<').replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`);
  return { text: spelled.replaceAll(String.raw`\A`, '^').replaceAll(String.raw`\Z`, '$'), flags };
}

function globText(glob: string): string {
  let text = '';
  for (let at = 0; at < glob.length; at += 1) {
    const set = glob[at] === '[' ? /^\[(!|(?!!))([^][^\]]*)\]/.exec(glob.slice(at)) : null;
    text += set === null ? one(glob.charAt(at)) : charSet(set[1] === '!', set[2] ?? '');
    if (set !== null) at += set[0].length - 1;
  }
  return text;
}

function one(char: string): string {
  if (char === '*') return '.*';
  return char === '?' ? '.' : char.replaceAll(SPECIAL, String.raw`\$&`);
}

/** A reversed range matches nothing, as in Python. */
function charSet(negated: boolean, members: string): string {
  const point = (char: string): number => char.codePointAt(0) ?? 0;
  const kept = members.replaceAll(/(.)-(.)/gsu, (range, from: string, to: string) =>
    point(from) > point(to) ? '' : range,
  );
  return `[${negated ? '^' : ''}${kept.replaceAll(/[\\\]^[]/g, String.raw`\$&`)}]`;
}

const OPENING = '[({';
const CLOSING = '])}';
const IPV6_START = /^(?:(?:[0-9a-f]{1,4}:){1,6}:|::|(?:[0-9a-f]{1,4}:){7}[0-9a-f])/i;

/**
 * The terms of a pattern, or of several patterns, one per line. Commas separate terms. Without commas, colons and
 * blanks separate them (as in Ansible), unless the text is an address or a range: `eu:&prod`, but not `fe80::1`,
 * `lb[1:3]` or `~lb(?:1|2)`. Ignores blanks around terms, and empty terms.
 */
export function splitTerms(patterns: string): readonly string[] {
  return patterns.split('\n').flatMap(splitPattern);
}

/** The limit with its files (`@FILE`) renamed. */
export function renameFiles(limit: string, rename: (file: string) => string): string {
  const terms = splitTerms(limit);
  if (!terms.some((term) => term.startsWith('@'))) return limit;
  const renamed = terms.map((term) => (/^@./.test(term) ? `@${rename(term.slice(1))}` : term)).join(',');
  // After a comma, blanks and colons belong to the name.
  return terms.length === 1 && /[:\s]/.test(renamed) ? `${renamed},` : renamed;
}

/** The patterns of a list as one text. */
export function joinPatterns(patterns: readonly string[]): string {
  return patterns.map((pattern) => pattern.trim()).join('\n');
}

function splitPattern(pattern: string): readonly string[] {
  const pieces = splitOutside(pattern, /,/).map((piece) => piece.trim());
  const [first = ''] = pieces;
  const terms = pieces.length > 1 || isAddress(first.replace(/^[&!]/, '')) ? pieces : splitOutside(first, /[:\s]/);
  return terms.filter((term) => term !== '');
}

/** A term can start with `&` or `!`. */
function isRegex(term: string): boolean {
  return /^[&!]?~/.test(term);
}

/** The beginning of an IPv6 address can also start a glob: `2001:db8::*`. */
function isAddress(term: string): boolean {
  return term.includes(':') && (parseAddress(term) !== undefined || IPV6_START.test(term));
}

/** Splits at separators outside brackets: square brackets in all terms, round and curly ones in regular expressions. */
function splitOutside(text: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  for (const char of text) {
    if (depth === 0 && separator.test(char)) {
      parts.push(part);
      part = '';
      continue;
    }
    depth = Math.max(0, depth + nesting(char, isRegex(part)));
    part += char;
  }
  return [...parts, part];
}

function nesting(char: string, regex: boolean): number {
  const counted = regex ? 3 : 1;
  if (OPENING.slice(0, counted).includes(char)) return 1;
  return CLOSING.slice(0, counted).includes(char) ? -1 : 0;
}
