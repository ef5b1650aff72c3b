import type { StrategyName } from '../../model/playbook.js';
import { didYouMean } from '../../model/suggestion.js';
import type { Cursor } from '../cursor.js';
import { text } from '../texts.js';

/** `free` is Ansible's word for what `host_pinned` does here. */
const STRATEGIES: ReadonlyMap<string, StrategyName> = new Map([
  ['host_pinned', 'host_pinned'],
  ['free', 'host_pinned'],
  ['linear', 'linear'],
]);

export function strategyOf(cursor: Cursor | undefined): StrategyName | undefined {
  const name = text(cursor);
  if (cursor === undefined || name === undefined) return undefined;
  const strategy = STRATEGIES.get(name);
  if (strategy === undefined) {
    const known = didYouMean(name, [...STRATEGIES.keys()]);
    cursor.error(`there is no strategy "${name}"`, known ?? 'it is "host_pinned" (or "free") or "linear"');
  }
  return strategy;
}
