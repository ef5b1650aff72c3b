import type { Warning } from '../../core/model/run/event.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { wholeGeneralMessage } from './messages.js';
import { warningKey } from './warnings.js';
import { nameControllers, NAMES_IN_LINE, sortNames } from './words.js';

interface Alike {
  readonly first: Warning;
  readonly named: Set<string>;
  isSame: boolean;
}

/** Collects warnings, and shows equal ones of several controllers together. */
export class EqualWarnings {
  readonly #alike = new Map<string, Alike>();
  #joined: readonly Warning[] | undefined;

  /** @param most further ones are dropped */
  constructor(private readonly most = Infinity) {}

  add(event: Warning): void {
    const key = warningKey(event);
    if (this.#alike.size >= this.most && !this.#alike.has(key)) return;
    const alike = getOrAdd(this.#alike, key, (): Alike => ({ first: event, named: new Set(), isSame: true }));
    alike.isSame &&= event.message === alike.first.message;
    if (event.controller !== undefined) alike.named.add(event.controller);
    this.#joined = undefined;
  }

  get joined(): readonly Warning[] {
    return (this.#joined ??= [...this.#alike.values()].map(joined));
  }
}

/** One warning for all of these. It names nothing that is specific to one controller. */
function joined({ first, named, isSame }: Alike): Warning {
  if (named.size === 0) return first;
  const message = isSame ? first.message : wholeGeneralMessage(first.message, first.controller ?? '');
  return { ...first, message, controller: nameControllers(sortNames(named), Infinity, NAMES_IN_LINE) };
}
