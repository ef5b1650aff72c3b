import type { Handler } from '../model/playbook.js';

/** The handlers of a play in the order of definition, and who answers to which name. */
export class HandlerIndex {
  readonly #topics = new Map<string, number[]>();

  constructor(readonly handlers: readonly Handler[]) {
    for (const [index, handler] of handlers.entries()) {
      for (const topic of handler.listen) this.#add(topic, index);
    }
  }

  get isEmpty(): boolean {
    return this.handlers.length === 0;
  }

  /**
   * The handlers that a notification means: the one of that name (the last, if several have it, as in Ansible) and all
   * that listen to it. `nameOf` gives a handler's name as this controller sees it.
   */
  find(notification: string, nameOf: (handler: Handler) => string | undefined): readonly number[] {
    const named = this.handlers.findLastIndex((handler) => nameOf(handler) === notification);
    const listening = this.#topics.get(notification) ?? [];
    return named < 0 ? listening : [...new Set([...listening, named])].sort((a, b) => a - b);
  }

  #add(topic: string, index: number): void {
    const listening = this.#topics.get(topic) ?? [];
    listening.push(index);
    this.#topics.set(topic, listening);
  }
}
