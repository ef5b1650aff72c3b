import { parseAddress } from './address.js';

const OPENING = '[({';
const CLOSING = '])}';
const IPV6_START = /^(?:(?:[0-9a-f]{1,4}:){1,6}:|::|(?:[0-9a-f]{1,4}:){7}[0-9a-f])/i;

/**
 * The terms of a pattern, or of several patterns, one per line. Commas separate terms. Without commas, colons and
 * blanks separate them (as in Ansible), unless the text is an address or a range: `eu:&prod`, but not `fe80::1`,
 * `lb[1:3]` or `~lb(?:1|2)`. Ignores blanks around terms, and empty terms.
 */
export function splitTerms(patterns: string): readonly string[] {
  return patterns.split('\n').flatMap(termsOf);
}

/** The patterns of a list as one text. */
export function joinPatterns(patterns: readonly string[]): string {
  return patterns.map((pattern) => pattern.trim()).join('\n');
}

function termsOf(pattern: string): readonly string[] {
  const pieces = splitOutside(pattern, /,/).map((piece) => piece.trim());
  const [first = ''] = pieces;
  const terms = pieces.length > 1 || isAddress(first) ? pieces : splitOutside(first, /[:\s]/);
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
