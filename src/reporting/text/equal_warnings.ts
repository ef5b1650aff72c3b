import type { Warning } from '../../core/model/run/event.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { EqualTexts } from './equal_texts.js';
import { warningKey } from './warnings.js';
import { nameControllers, NAMES_IN_LINE, sortNames } from './words.js';

/** Collects warnings, and shows equal ones of several controllers together. */
export class EqualWarnings {
  readonly #alike = new Map<string, { readonly first: Warning; readonly texts: EqualTexts }>();
  #joined: readonly Warning[] | undefined;

  /** @param most further ones are dropped */
  constructor(private readonly most = Infinity) {}

  add(event: Warning): void {
    const key = warningKey(event);
    if (this.#alike.size >= this.most && !this.#alike.has(key)) return;
    const { texts } = getOrAdd(this.#alike, key, () => ({ first: event, texts: new EqualTexts() }));
    texts.add(event.message, event.controller);
    this.#joined = undefined;
  }

  get joined(): readonly Warning[] {
    return (this.#joined ??= [...this.#alike.values()]
      .flatMap(({ first, texts }) =>
        texts.joined.map(({ text, controllers }) => ({
          ...first,
          message: text,
          ...(controllers.size > 0 && { controller: nameControllers(sortNames(controllers), Infinity, NAMES_IN_LINE) }),
        })),
      )
      .slice(0, this.most));
  }
}
