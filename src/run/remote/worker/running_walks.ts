import type { Event } from '../../../model/run/event.js';
import type { JournalRecord } from '../../../model/run/journal.js';
import type { SentRequest } from '../../../model/run/meter.js';
import type { Fleet } from '../../controllers/fleet.js';
import type { ChangesByOthers } from './changes_by_others.js';
import type { Link } from './link.js';

/** A running walk. */
interface Walking {
  readonly link: Link;
  readonly changesByOthers: ChangesByOthers;
}

/** The running walks of this process, by controller. What does not belong to a task is sent through their links. */
export class RunningWalks {
  readonly #walking = new Map<string, Walking>();

  begin(controller: string, walking: Walking): void {
    this.#walking.set(controller, walking);
  }

  end(controller: string): void {
    this.#walking.delete(controller);
  }

  /** A revoked walk has no new data. */
  isWalking(controller: string): boolean {
    return this.#walking.get(controller)?.link.isOver === false;
  }

  get links(): readonly Link[] {
    return [...this.#walking.values()].map(({ link }) => link);
  }

  /** Undefined if the walk of this controller is over. */
  find(controller: string): Link | undefined {
    return this.#walking.get(controller)?.link;
  }

  /** @throws Error if the walk of this controller is over */
  linkTo(controller: string): Link {
    const link = this.find(controller);
    if (link === undefined) throw new Error('the walk of this controller is over');
    return link;
  }

  /** Notes changes that steps in this process make to the variables of other controllers. */
  watch(fleet: Fleet): void {
    fleet.replaysForOthers = false;
    fleet.watch(({ names, change, by = '' }) => {
      for (const name of names) if (name !== by) this.#walking.get(name)?.changesByOthers.changedHere(by);
      if (change.type !== 'given') return;
      for (const to of names) this.find(by)?.tell({ type: 'give', to, kept: change.kept });
    });
  }

  /** Reports an event of a connection to the walk that uses it. */
  report(event: Event): void {
    const { time, ...body } = event;
    this.#linkOf('controller' in event ? event.controller : undefined)?.tell({ type: 'event', event: body, time });
  }

  /** Reports a request with its duration, if the coordinator measures requests. */
  measured(request: SentRequest): void {
    this.#linkOf(request.controller)?.tell({ type: 'sent', request });
  }

  /** Sends a record that does not belong to a task. */
  record(record: Extract<JournalRecord, { type: 'controller-reached' }>): void {
    this.#linkOf(record.controller)?.tell({ type: 'record', record });
  }

  /** Resolves to why the controller at that address may not be contacted; null: it may. */
  async lockController(controller: string, url: string): Promise<string | null> {
    for (let link = this.#linkOf(controller); link !== undefined; link = this.#linkOf(controller)) {
      try {
        return await link.call({ type: 'lock controller', url });
      } catch (error) {
        // The walk whose link was used has ended, but another walk may need the answer.
        if (!link.isOver) throw error;
      }
    }
    return 'another worker has its walk now';
  }

  /**
   * The walk of the controller, or any other: a task may be delegated to a controller without a walk in this process.
   */
  #linkOf(controller: string | undefined): Link | undefined {
    const own = this.find(controller ?? '');
    return own?.isOver === false ? own : this.links.find(({ isOver }) => !isOver);
  }
}
