import type { Change } from '../model/change.js';
import { differences, type Path } from './diff.js';
import { pathText } from './diff_text.js';
import { someOf } from './words.js';

const MOST_PATHS = 4;

/** What a change does, in a few words: `created cloud "edge-1"`, `updated cloud "edge-1": mtu`; `would` in check mode. */
export function changeWords(change: Change, check: boolean): string {
  switch (change.kind) {
    case 'none':
      return '';
    case 'create':
      return `${check ? 'would create' : 'created'} ${change.object}`;
    case 'update':
      return `${check ? 'would update' : 'updated'} ${change.object}${paths(change)}`;
    case 'invoke':
      return `${check ? 'would send' : 'sent'} ${change.object}`;
  }
}

/** Of a list's elements only the list. */
function paths(change: Change): string {
  if (change.kind === 'update' && change.before === null) return '';
  const changed = new Set(differences(change).map(({ path }) => pathText(upToList(path))));
  return changed.size === 0 ? '' : `: ${someOf([...changed], MOST_PATHS)}`;
}

function upToList(path: Path): Path {
  const index = path.findIndex((part) => typeof part === 'number');
  return index === -1 ? path : path.slice(0, index);
}

/** What a change is about, or an empty text if it changes nothing. */
export function changeObject(change: Change): string {
  return change.kind === 'none' ? '' : change.object;
}
