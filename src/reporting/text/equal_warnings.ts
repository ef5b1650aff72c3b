import type { Warning } from '../../core/model/run/event.js';
import { appendTo, type NonEmpty } from '../../core/model/values/groups.js';
import { generalMessage } from './messages.js';
import { warningKey } from './warnings.js';
import { nameControllers, NAMES_IN_LINE, sortNames } from './words.js';

/** Collects warnings until the end, and shows equal ones of several controllers together. */
export class EqualWarnings {
  readonly #alike = new Map<string, NonEmpty<Warning>>();

  add(event: Warning): void {
    appendTo(this.#alike, warningKey(event), event);
  }

  get joined(): readonly Warning[] {
    return [...this.#alike.values()].map(joined);
  }
}

/** One warning for all of these. It names nothing that is specific to one controller. */
function joined(alike: NonEmpty<Warning>): Warning {
  const [first] = alike;
  const named = new Set(alike.flatMap(({ controller }) => controller ?? []));
  if (named.size === 0) return first;
  const isSame = alike.every(({ message }) => message === first.message);
  const message = isSame ? first.message : generalMessage(first.message, first.controller ?? '');
  return { ...first, message, controller: nameControllers(sortNames(named), Infinity, NAMES_IN_LINE) };
}
