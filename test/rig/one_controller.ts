import type { Connections } from '../../src/controller/connections.js';
import type { Session } from '../../src/controller/session.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import { connections, settingsOf } from './controllers.js';
import { startFleet, type Fleet } from './simulated.js';

/** A simulated controller for a suite, and a session with it that is new in each test. */
export class OneController {
  #fleet: Fleet | undefined;
  #connections: Connections | undefined;
  #session: Session | undefined;

  /** Call it in `describe`. */
  constructor(private readonly defaults: Partial<ConnectionSettings> = {}) {
    before(async () => {
      this.#fleet = await startFleet();
    });
    beforeEach(() => {
      this.#connections = connections();
      this.#session = this.#connections.open(this.settings());
      this.behave({});
      this.simulated.clearRequests();
    });
    afterEach(() => this.#connections?.close());
    after(() => this.#fleet?.dispose());
  }

  get simulated(): SimulatedController {
    return this.#started.controller('lb1');
  }

  get url(): string {
    return this.#started.url('lb1');
  }

  get session(): Session {
    return this.#session ?? outsideOfTests();
  }

  settings(overrides: Partial<ConnectionSettings> = {}): ConnectionSettings {
    const { ca, password } = this.#started;
    return settingsOf(this.url, ca, { password, ...this.defaults, ...overrides });
  }

  /** Another session that shares the connections of the first. */
  open(settings: ConnectionSettings): Session {
    return (this.#connections ?? outsideOfTests()).open(settings);
  }

  readonly behave = (behaviour: Behaviour): void => {
    this.simulated.behaviour = behaviour;
  };

  /** The requests that came, as `METHOD status`. */
  readonly wire = (): readonly string[] =>
    this.simulated.requests.map(({ method, status }) => `${method} ${status ?? 'lost'}`);

  get #started(): Fleet {
    return this.#fleet ?? outsideOfTests();
  }
}

function outsideOfTests(): never {
  throw new Error('the controller is there in tests only');
}
