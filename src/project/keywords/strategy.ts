import type { StrategyName } from '../../core/model/playbook/playbook.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { Cursor } from '../document/cursor.js';
import { text } from '../document/texts.js';
import { plainName } from './modules.js';

/** `free` is Ansible's word for what `host_pinned` does here. */
const STRATEGIES: ReadonlyMap<string, StrategyName> = new Map([
  ['host_pinned', 'host_pinned'],
  ['free', 'host_pinned'],
  ['linear', 'linear'],
]);

/** @param known renders the templates of the name; returns undefined if it cannot */
export function readStrategy(
  cursor: Cursor | undefined,
  known: (name: string) => string | undefined = (name) => name,
): StrategyName | undefined {
  const written = text(cursor);
  const name = written === undefined ? undefined : known(written);
  if (cursor === undefined || name === undefined) return undefined;
  const strategy = STRATEGIES.get(plainName(name));
  if (strategy === undefined) {
    const nearest = didYouMean(name, [...STRATEGIES.keys()]);
    cursor.error(`there is no strategy "${name}"`, nearest ?? 'it is "host_pinned" (or "free") or "linear"');
  }
  return strategy;
}
