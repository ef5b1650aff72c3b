import { distance } from 'fastest-levenshtein';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Cursor } from '../cursor.js';
import { ROLE } from '../steps/keywords.js';

/** Warns of parameters that the role does not know and that are nearly keywords: `whne` would run what must not run. */
export function warnOfSlips(params: readonly VariableLayer[], known: ReadonlySet<string>, at: Cursor): void {
  for (const { values, locate } of params) {
    for (const name of Object.keys(values)) {
      const word = known.has(name) ? undefined : ROLE.known.find((keyword) => isSlip(name, keyword));
      if (word === undefined) continue;
      const source = locate?.([name]) ?? at.source;
      at.diagnostics.warn(`"${name}" is a parameter of the role, not a keyword`, source, `did you mean "${word}"?`);
    }
  }
}

/** One letter too many, too few or wrong, or two that changed places. */
function isSlip(name: string, keyword: string): boolean {
  const edits = distance(name, keyword);
  return edits === 1 || (edits === 2 && letters(name) === letters(keyword));
}

function letters(name: string): string {
  return Array.from(name).sort().join('');
}
