import { getOrAdd, groupBy } from '../../core/model/values/groups.js';
import { withoutAddresses, withoutName, withoutNumbers } from './messages.js';

export interface EqualText {
  /** With `<controller>` in place of the names of its controllers if they differ. */
  text: string;
  readonly controllers: Set<string>;
}

/** Texts about controllers, such as the names of their objects: equal ones once. */
export class EqualTexts {
  readonly #texts = new Map<string, EqualText>();

  /**
   * @param controller absent: it is about none
   * @param about the one to which the controller delegated the task
   */
  add(text: string, controller?: string, about = controller): void {
    const general = controller === undefined ? text : withoutNumbers(withoutName(text, controller));
    const known = getOrAdd(this.#texts, general, () => ({ text, controllers: new Set<string>() }));
    if (known.text !== text) known.text = general;
    if (about !== undefined) known.controllers.add(about);
  }

  /** Those that differ only in addresses and uuids are one if each is about one controller, but they are not all about the same. */
  get joined(): readonly EqualText[] {
    const alike = groupBy(this.#texts, ([general, { controllers }]) =>
      controllers.size === 1 ? withoutAddresses(general) : general,
    );
    return [...alike].flatMap(([text, ones]) => {
      const controllers = new Set(ones.flatMap(([, one]) => [...one.controllers]));
      return controllers.size > 1 && ones.length > 1 ? [{ text, controllers }] : ones.map(([, one]) => one);
    });
  }
}
