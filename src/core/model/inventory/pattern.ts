import { TooSlow } from '../regular_expression/regular_expression.js';
import { didYouMean } from '../source/suggestion.js';
import { findMembers, type Inventory, LOCALHOST_NAMES, localName } from './inventory.js';
import { looksBeyondGroups, nameMatcher, splitTerms } from './pattern_terms.js';

export interface Selection {
  /**
   * Selected controllers without duplicates: in the order of the terms and, within a group, of the inventory, so that
   * `canary,all` begins with the canaries. May contain a name of the implicit localhost (`findController`).
   */
  readonly names: readonly string[];
  /** Terms that matched no group and no controller, without `&` or `!`. */
  readonly unmatched: readonly string[];
  /** Why the pattern is invalid; it then selects nothing. */
  readonly error?: string | undefined;
}

/**
 * The controllers that a pattern selects, by Ansible's rules. Commas or colons separate terms. The result is the union
 * of plain terms, restricted to the terms with `&`, without the terms with `!`. A term is a group, a controller, a
 * glob, a `~regex`, or a part of a group (`eu[0]`, `eu[-1]`, `eu[0:3]` including both ends, `eu[2:]`). Several lines
 * form a union.
 */
export function selectControllers(inventory: Inventory, pattern: string): Selection {
  const terms = splitTerms(pattern);
  if (terms.length === 0) return failed(EMPTY);
  const names = new Set<string>();
  const unmatched: string[] = [];
  for (const term of inOrder(terms)) {
    const found = find(inventory, term);
    if (found.type === 'error') return failed(found.message);
    if (found.type === 'nothing') unmatched.push(term.name);
    combine(names, term.operator, found.type === 'names' ? found.names : []);
  }
  return { names: [...names], unmatched };
}

/** Where no name is near. */
export const GROUPS_HINT = 'evenkeel inventory --graph shows its groups and controllers';

/** `did you mean "emea"?` for a term that matched nothing. */
export function nearestTarget(inventory: Inventory, term: string): string | undefined {
  if (term.includes(':') && splitTerms(term).length > 1)
    return 'where there is a comma, a colon separates nothing: write commas only';
  if (term.startsWith('@')) return 'only --limit can name a file, and "!" and "&" belong in it, before each name';
  const names = [...inventory.groups.keys(), ...inventory.controllers.keys()];
  const whole = names.find((name) => name.startsWith(`${term}.`));
  return whole === undefined ? didYouMean(term, names) : `did you mean "${whole}"?`;
}

const EMPTY = 'the pattern is empty';

/** A term of a pattern that selects nothing. */
export interface WrongTerm {
  /** Without `&` or `!`. */
  readonly name: string;
  /** Why the term is invalid. Absent: it matches no group and no controller. */
  readonly why?: string;
}

/** Every wrong term of a pattern; `selectControllers` stops at the first invalid one. */
export function wrongTerms(inventory: Inventory, pattern: string): readonly WrongTerm[] {
  const terms = splitTerms(pattern);
  if (terms.length === 0) return [{ name: pattern, why: EMPTY }];
  return terms.flatMap((text): readonly WrongTerm[] => {
    const term = parseTerm(text);
    const found = find(inventory, term);
    if (found.type === 'names') return [];
    return [{ name: term.name, ...(found.type !== 'nothing' && { why: found.message }) }];
  });
}

type Operator = 'unite' | 'intersect' | 'exclude';

interface PatternTerm {
  readonly operator: Operator;
  readonly name: string;
}

type MatchedTerm =
  | { readonly type: 'names'; readonly names: readonly string[] }
  | { readonly type: 'nothing' }
  | { readonly type: 'error'; readonly message: string };

function failed(error: string): Selection {
  return { names: [], unmatched: [], error };
}

/** Without a plain term, `&` and `!` apply to all controllers. */
function inOrder(texts: readonly string[]): readonly PatternTerm[] {
  const terms = texts.map(parseTerm);
  const those = (operator: Operator): readonly PatternTerm[] => terms.filter((term) => term.operator === operator);
  const plain = those('unite');
  const all: PatternTerm = { operator: 'unite', name: 'all' };
  return [...(plain.length === 0 ? [all] : plain), ...those('intersect'), ...those('exclude')];
}

function parseTerm(text: string): PatternTerm {
  if (text.startsWith('!')) return { operator: 'exclude', name: text.slice(1) };
  if (text.startsWith('&')) return { operator: 'intersect', name: text.slice(1) };
  return { operator: 'unite', name: text };
}

function combine(names: Set<string>, operator: Operator, found: readonly string[]): void {
  if (operator === 'unite') for (const name of found) names.add(name);
  else if (operator === 'exclude') for (const name of found) names.delete(name);
  else {
    operator satisfies 'intersect';
    const kept = new Set(found);
    for (const name of names) if (!kept.has(name)) names.delete(name);
  }
}

/** A plain name means a controller before a group; after `&` and `!` it means a group first (as in Ansible). */
function find(inventory: Inventory, { operator, name: term }: PatternTerm): MatchedTerm {
  if (!/^\S/.test(term)) return { type: 'error', message: '"&" and "!" must be followed by a name' };
  if (term === '~') return { type: 'error', message: '"~" must be followed by a regular expression' };
  const isController = inventory.controllers.has(term) && (operator === 'unite' || !inventory.groups.has(term));
  if (isController) return { type: 'names', names: [term] };
  const { name, part } = splitSubscript(term);
  const found = matchesInTime(inventory, name);
  return found.type === 'names' && part !== undefined ? selectPart(found.names, part, term) : found;
}

function matchesInTime(inventory: Inventory, pattern: string): MatchedTerm {
  try {
    return matches(inventory, pattern);
  } catch (error) {
    if (error instanceof TooSlow) return { type: 'error', message: error.message };
    throw error;
  }
}

/**
 * Matches both groups and controllers; a plain name of a group matches no controllers. A controller in several matching
 * groups occurs several times, because Ansible counts the positions of `glob[N]` this way.
 */
function matches(inventory: Inventory, pattern: string): MatchedTerm {
  const matcher = nameMatcher(pattern);
  if (matcher === undefined) return { type: 'error', message: `"${pattern}" is not a valid regular expression` };
  const groups = [...inventory.groups.keys()].filter(matcher);
  const names = groups.flatMap((group) => findMembers(inventory, group));
  if (groups.length === 0 || pattern.startsWith('~') || looksBeyondGroups(pattern))
    for (const name of inventory.controllers.keys()) if (matcher(name)) names.push(name);
  if (names.length === 0 && LOCALHOST_NAMES.includes(pattern)) names.push(localName(inventory, pattern));
  return names.length === 0 && groups.length === 0 ? { type: 'nothing' } : { type: 'names', names };
}

/** Positions in a group, both inclusive; negative numbers count from the end. */
interface Subscript {
  readonly from: number;
  readonly to: number;
}

const SUBSCRIPT = /^(.+)\[(?:(-?[0-9]+)|([0-9]+)[:-]([0-9]*))\]$/;

function splitSubscript(term: string): { name: string; part: Subscript | undefined } {
  const match = term.startsWith('~') ? null : SUBSCRIPT.exec(term);
  const [, name = term, index, from, to] = match ?? [];
  if (match === null) return { name, part: undefined };
  if (index !== undefined) return { name, part: { from: Number(index), to: Number(index) } };
  return { name, part: { from: Number(from), to: to === undefined || to === '' ? -1 : Number(to) } };
}

function selectPart(names: readonly string[], part: Subscript, term: string): MatchedTerm {
  const from = part.from < 0 ? part.from + names.length : part.from;
  const to = part.to < 0 ? part.to + names.length : part.to;
  const chosen = names.slice(Math.max(0, from), to + 1);
  if (chosen.length > 0 || names.length === 0) return { type: 'names', names: chosen };
  const { size } = new Set(names);
  const count = size === 1 ? 'there is 1 controller' : `there are ${size} controllers`;
  return { type: 'error', message: `"${term}" is out of range: ${count}` };
}
