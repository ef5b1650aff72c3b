import type { Handler } from '../model/playbook.js';

/** The handlers of a play in the order of definition, and who answers to which name. Included roles add theirs. */
export class Handlers {
  /** Each once, where it first came. */
  readonly #list: Handler[] = [];
  /** Each where it last came: a role that stands twice brings the same handlers again. */
  readonly #latest = new Set<Handler>();
  readonly #topics = new Map<string, Handler[]>();

  constructor(handlers: readonly Handler[]) {
    this.add(handlers);
  }

  add(handlers: readonly Handler[]): void {
    for (const handler of handlers) {
      if (!this.#latest.delete(handler)) this.#addNew(handler);
      this.#latest.add(handler);
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
    const named = [...this.#latest].findLast((handler) => isCalled(notification, handler, nameOf(handler)));
    const listening = this.#topics.get(notification) ?? [];
    return named === undefined ? listening : [...new Set([named, ...listening])];
  }

  #addNew(handler: Handler): void {
    this.#list.push(handler);
    for (const topic of handler.listen) this.#topics.set(topic, [...(this.#topics.get(topic) ?? []), handler]);
  }
}

/** By its own name, or with that of its role before it. */
function isCalled(notification: string, { role }: Handler, name: string | undefined): boolean {
  if (name === undefined) return false;
  return name === notification || (role !== undefined && `${role} : ${name}` === notification);
}
