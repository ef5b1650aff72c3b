import { parseAddress } from './address.js';

const OPENING = '[({';
const CLOSING = '])}';

/**
 * The terms of a pattern. A comma separates them, and so does a colon where the text is not an address or a range
 * (`eu:&prod`, but not `fe80::1`, `lb[1:3]` or `~lb(?:1|2)`). Blanks around terms and empty terms mean nothing.
 */
export function splitTerms(pattern: string): readonly string[] {
  const pieces = splitOutside(pattern, /,/).map((piece) => piece.trim());
  const alone = pieces.length === 1;
  return pieces
    .flatMap((piece) => ((isRegex(piece) && !alone) || isAddress(piece) ? [piece] : splitOutside(piece, /[:\s]/)))
    .filter((term) => term !== '');
}

/** A term may carry `&` or `!` before what it names. */
function isRegex(term: string): boolean {
  return /^[&!]?~/.test(term);
}

function isAddress(term: string): boolean {
  return term.includes(':') && parseAddress(term) !== undefined;
}

/** Cuts at separators that stand outside of brackets: square ones anywhere, round and curly ones in regular expressions. */
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
