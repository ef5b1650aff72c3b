import type { Handler } from '../model/playbook.js';

/** The handlers of a play in the order of definition, and who answers to which name. Included roles add theirs. */
export class Handlers {
  readonly #list: Handler[] = [];
  readonly #known = new Set<Handler>();
  readonly #topics = new Map<string, Handler[]>();

  constructor(handlers: readonly Handler[]) {
    this.add(handlers);
  }

  /** Those that are there already, as the same object, stay where they are. */
  add(handlers: readonly Handler[]): void {
    for (const handler of handlers) {
      if (this.#known.has(handler)) continue;
      this.#known.add(handler);
      this.#list.push(handler);
      for (const topic of handler.listen) this.#topics.set(topic, [...(this.#topics.get(topic) ?? []), handler]);
    }
  }

  get list(): readonly Handler[] {
    return this.#list;
  }

  /**
   * The handlers that a notification means: the one of that name (the last, if several have it, as in Ansible) and all
   * that listen to it. `nameOf` gives a handler's name as this controller sees it.
   */
  find(notification: string, nameOf: (handler: Handler) => string | undefined): readonly Handler[] {
    const named = this.#list.findLast((handler) => isCalled(notification, handler, nameOf(handler)));
    const listening = this.#topics.get(notification) ?? [];
    return named === undefined ? listening : [...new Set([named, ...listening])];
  }
}

/** By its own name, or with that of its role before it. */
function isCalled(notification: string, { role }: Handler, name: string | undefined): boolean {
  if (name === undefined) return false;
  return name === notification || (role !== undefined && `${role} : ${name}` === notification);
}
