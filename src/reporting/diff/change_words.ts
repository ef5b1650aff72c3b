import type { Change } from '../../core/model/run/change.js';
import type { TaskFinished } from '../../core/model/run/event.js';
import type { Resumption } from '../../core/model/run/result.js';
import { pathText, type FieldPath } from '../../core/model/source/source.js';
import { nameSome } from '../text/words.js';
import { differences } from './differences.js';

type Changing = Pick<TaskFinished, 'change' | 'check' | 'unconfirmed'>;

const MOST_FIELDS = 2;
const MOST_NAMES = 4;

/**
 * The change of a task in a few words: `created cloud "edge-1"`, `updated cloud "edge-1": mtu`; `would` in check mode, and `may have` if
 * the outcome of the write is unknown. Empty: nothing changes.
 */
export function changeWords({ change, check, unconfirmed }: Changing): string {
  const word = (done: string, planned: string): string =>
    unconfirmed === true ? `may have ${done}` : check === true ? `would ${planned}` : done;
  if (change === undefined) return '';
  switch (change.kind) {
    case 'none':
      return '';
    case 'create':
      return `${word('created', 'create')} ${change.object}`;
    case 'update':
      return `${word('updated', 'update')} ${change.object}${paths(change)}`;
    case 'delete':
      return `${word('deleted', 'delete')} ${change.object}`;
    case 'invoke':
      return `${word('sent', 'send')} ${change.object}`;
  }
}

/** The changed fields. A list is one field, and many fields are summarised by the object that contains them. */
function paths(change: Change): string {
  if (change.kind === 'update' && change.before === null) return '';
  const changed = differences(change).map(({ path }) => upToList(path));
  const fields = new Set(changed.map(pathText));
  const names = fields.size > MOST_FIELDS ? new Set(changed.map((path) => pathText(path.slice(0, 1)))) : fields;
  return names.size === 0 ? '' : `: ${nameSome([...names], MOST_NAMES)}`;
}

/** The path of the field; for an element of a list, the path of the list. */
export function upToList(path: FieldPath): FieldPath {
  const index = path.findIndex((part) => typeof part === 'number');
  return index === -1 ? path : path.slice(0, index);
}

/** How a resume resolved an interrupted write; empty if there was none. */
export function resumptionWords(resumed: Resumption | undefined): string {
  switch (resumed) {
    case undefined:
      return '';
    case 'found':
      return 'the interrupted write had taken effect';
    case 'repeated':
      return 'repeated: the interrupted write had no effect';
  }
}

/** The object of a change, or empty text if nothing changes. */
export function changeObject(change: Change): string {
  return change.kind === 'none' ? '' : change.object;
}
