import { setTimeout as sleep } from 'node:timers/promises';
import { ControllerError } from '../../controller/controller_error.js';
import { Pace } from '../../controller/pace.js';
import { addSecrets } from '../../controller/setting_secrets.js';
import { parseSettings } from '../../controller/settings.js';
import type { ConnectionSettings } from '../../model/connection.js';
import type { Controller } from '../../model/inventory.js';
import { isMapping, type Value } from '../../model/value.js';
import type { RunInput, Session } from '../input.js';
import { TaskProblem } from '../task/task_problem.js';

/** A session that another task may speak through as well. */
export interface Borrowed {
  open(): Promise<Session>;
  giveBack(): Promise<void>;
}

/** The controller's variables, those of tasks left out: a connection outlives its task. */
type Lookup = (name: string) => Value | undefined;

/**
 * A TLS handshake is two milliseconds of work. Fifty begun at once come back at once, and hold the event loop for all of them
 * together; begun at the speed at which they can be dealt with, they leave it room, and the run takes no longer.
 */
const OPENED_PER_SECOND = 500;

/** The sessions of a run: each opened by the first task that speaks to its controller, and kept until that is done. */
export class SessionPool {
  readonly #open = new Map<string, Promise<Session>>();
  /** Controllers on their way through a play: they keep their session until they are at its end. */
  readonly #walking = new Set<string>();
  /** How many delegated tasks are speaking to a controller. */
  readonly #borrowed = new Map<string, number>();
  readonly #pace = new Pace(OPENED_PER_SECOND);

  constructor(
    private readonly input: Pick<
      RunInput,
      'connect' | 'credentials' | 'secrets' | 'readCa' | 'unlock' | 'forks' | 'past'
    >,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  /** The controller's own. Throws a `TaskProblem` if the variables do not say how to reach it. */
  open(controller: Controller, lookup: Lookup): Promise<Session> {
    this.#walking.add(controller.name);
    return this.#session(controller, lookup);
  }

  /** For a task that was delegated to the controller; nobody closes the session before it is given back. */
  borrow(controller: Controller, lookup: Lookup): Borrowed {
    const { name } = controller;
    this.#borrowed.set(name, (this.#borrowed.get(name) ?? 0) + 1);
    return { open: () => this.#session(controller, lookup), giveBack: () => this.#takeBack(name) };
  }

  /** The controller is done with it. */
  async close(name: string): Promise<void> {
    this.#walking.delete(name);
    if (!this.#borrowed.has(name)) await this.#close(name);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((name) => this.#close(name)));
  }

  /** It may be borrowed again soon; but no more of them stay open than there may be controllers at work. */
  async #takeBack(name: string): Promise<void> {
    const others = (this.#borrowed.get(name) ?? 1) - 1;
    if (others > 0) this.#borrowed.set(name, others);
    else this.#borrowed.delete(name);
    if (others === 0 && !this.#walking.has(name) && this.size > this.input.forks) await this.#close(name);
  }

  #session(controller: Controller, lookup: Lookup): Promise<Session> {
    const known = this.#open.get(controller.name);
    if (known !== undefined) return known;
    const opening = this.#connect(controller, lookup);
    this.#open.set(controller.name, opening);
    opening.catch(() => this.#open.delete(controller.name));
    return opening;
  }

  async #close(name: string): Promise<void> {
    const opening = this.#open.get(name);
    this.#open.delete(name);
    const session = await opening?.catch(() => undefined);
    await session?.close();
  }

  async #connect(controller: Controller, lookup: Lookup): Promise<Session> {
    await this.input.unlock?.(controller.layers);
    const settings = this.#settings(controller, lookup);
    addSecrets(settings, this.input.secrets);
    const wait = this.#pace.take(performance.now());
    if (wait > 0) await sleep(wait);
    try {
      const session = await this.input.connect(settings, { get: lookup });
      for (const { intent } of this.input.past?.written(controller.name) ?? [])
        if (isMapping(intent.body)) session.recall(intent.path, intent.body);
      return session;
    } catch (error) {
      throw error instanceof ControllerError
        ? error
        : new TaskProblem(error instanceof Error ? error.message : String(error));
    }
  }

  #settings(controller: Controller, lookup: Lookup): ConnectionSettings {
    if (controller.implicit === true) {
      const hint =
        'only actions such as debug and set_fact run on it; write it into the inventory to speak to a controller there';
      throw new TaskProblem(`${controller.name} is this machine, not a controller`, undefined, hint);
    }
    const parsed = parseSettings(this.#withFallback(lookup), controller.name, this.input.readCa);
    if ('settings' in parsed) return parsed.settings;
    const message = parsed.problems.map((problem) => problem.message).join('; ');
    const hints = new Set(parsed.problems.flatMap(({ hint }) => (hint === undefined ? [] : [hint])));
    throw new TaskProblem(message, undefined, hints.size === 0 ? undefined : [...hints].join('; '));
  }

  /** `-u` and `-k` serve where no variable does: the last names that are asked for. */
  #withFallback(lookup: Lookup): Lookup {
    const { username, password } = this.input.credentials ?? {};
    const last = new Map([
      ['ansible_user', username],
      ['ansible_httpapi_password', password],
    ]);
    return (name) => lookup(name) ?? last.get(name);
  }
}
