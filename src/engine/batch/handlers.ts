import { withRole } from '../../core/model/playbook/playbook.js';
import type { Handler } from '../../core/model/playbook/step.js';
import { placeText } from '../../core/model/source/diagnostic.js';

/** The handlers of a play in the order of definition, with their names and topics. Included roles add handlers. */
export class Handlers {
  /** Each handler at its first place. */
  readonly #list: Handler[] = [];
  /** Each handler at its last place: a role that is used twice adds the same handlers again. */
  readonly #latest = new Set<Handler>();
  readonly #topics = new Map<string, Handler[]>();
  #places: ReadonlySet<string> | undefined;
  #hasOthers = false;

  /**
   * @param all handlers of the play, from any controller
   * @param lockstep whether all controllers go through that list together. If not, it is used only if the controller has no handler for a
   * notification, because the result depends on timing.
   */
  constructor(
    handlers: readonly Handler[],
    private readonly all?: Handlers,
    private readonly lockstep = false,
  ) {
    this.#add(handlers);
  }

  /** @param forOthers the same without items of a loop, for controllers that do not add them; without lockstep, timing would decide whether they are there */
  add(handlers: readonly Handler[], forOthers: readonly Handler[] = []): void {
    if (this.lockstep) this.all?.add(forOthers);
    this.all?.add(handlers);
    this.#add(handlers);
  }

  #add(handlers: readonly Handler[]): void {
    if (handlers.length > 0) this.#places = undefined;
    for (const handler of handlers) {
      if (!this.#latest.delete(handler)) this.#addNew(handler);
      this.#latest.add(handler);
    }
  }

  get list(): readonly Handler[] {
    const { all } = this;
    if (this.lockstep && all !== undefined) return all.list;
    return this.#hasOthers && all !== undefined ? all.list.filter((one) => this.#latest.has(one)) : this.#list;
  }

  /** In lockstep: the number of a handler that the controller found, which does not depend on what others included before it. */
  ownNumber(handler: Handler): number {
    return this.#list.indexOf(handler);
  }

  /**
   * The handlers of a notification: the one with that name and all that listen to it. If several have the name,
   * handlers of the play win over those of its roles, and a later role's over an earlier one's. Within one list, the
   * first wins, as in Ansible. `nameOf` returns a handler's name for this controller. A handler with the variables of another
   * controller's include does not count, because this one must not write what is meant for that one.
   */
  find(notification: string, nameOf: (handler: Handler) => string | undefined): readonly Handler[] {
    const own = this.lockstep ? [] : this.#find(notification, nameOf);
    if (own.length > 0 || this.all === undefined) return own;
    const others = this.all.#find(notification, nameOf, this);
    if (this.lockstep) {
      this.#list.push(...others.filter((handler) => !this.#list.includes(handler)));
      return others;
    }
    this.#add(others);
    this.#hasOthers ||= others.length > 0;
    return others;
  }

  #find(notified: string, nameOf: (handler: Handler) => string | undefined, own: Handlers = this): readonly Handler[] {
    const named = this.#named((one) => {
      const name = nameOf(one);
      return name !== undefined && withRole(one.role, name).includes(notified) && !own.#isForeign(one);
    });
    const listeners = (this.#topics.get(notified) ?? []).filter((one) => !own.#isForeign(one));
    const listening = latest(listeners, nameOf);
    return named === undefined ? listening : [...new Set([named, ...listening])];
  }

  /** Whether it has items of another controller's loop, or this one has the handler with variables of its own. */
  #isForeign(handler: Handler): boolean {
    if (this.#latest.has(handler)) return false;
    if (handler.layers.some(({ origin }) => origin === 'loop')) return true;
    this.#places ??= new Set([...this.#latest].map(({ source }) => placeText(source)));
    return this.#places.has(placeText(handler.source));
  }

  #named(matches: (handler: Handler) => boolean): Handler | undefined {
    const before = [...this.#latest].slice(0, 1 + [...this.#latest].findLastIndex(matches));
    const start = before.findLastIndex((handler, index) => !isOneList(before[index - 1], handler));
    return before.slice(Math.max(0, start)).find(matches);
  }

  #addNew(handler: Handler): void {
    this.#list.push(handler);
    for (const topic of handler.listen.flatMap((one) => withRole(handler.role, one)))
      this.#topics.set(topic, [...(this.#topics.get(topic) ?? []), handler]);
  }
}

/** A role that is used twice adds its list twice, so the order of lists is not the order of handlers. */
function isOneList(one: Handler | undefined, next: Handler): boolean {
  if (one === undefined) return false;
  const [{ file, line, column }, then] = [one.source, next.source];
  const isBefore = line < then.line || (line === then.line && column < then.column);
  return one.role === next.role && file === then.file && isBefore;
}

/** Of a role that is used again, only the latest handler of a name runs, as in ansible-core since 2.16. Looks at each once: there may be many. */
function latest(all: readonly Handler[], nameOf: (handler: Handler) => string | undefined): readonly Handler[] {
  if (all.length < 2) return all;
  const byName = new Map(all.map((one) => [`${placeText(one.source)} ${nameOf(one) ?? ''}`, one]));
  const kept = new Set(byName.values());
  return all.filter((one) => one.name === undefined || kept.has(one));
}
