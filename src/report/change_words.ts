import type { Change } from '../model/change.js';
import { changedPaths } from './diff_text.js';
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

function paths(change: Change): string {
  if (change.kind === 'update' && change.before === null) return '';
  const changed = changedPaths(change);
  return changed.length === 0 ? '' : `: ${someOf(changed, MOST_PATHS)}`;
}

/** What a change is about, or an empty text if it changes nothing. */
export function changeObject(change: Change): string {
  return change.kind === 'none' ? '' : change.object;
}
