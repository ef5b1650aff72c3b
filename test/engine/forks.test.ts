import { createServer } from 'node:http';
import { expect } from 'chai';
import { Connections } from '../../src/controller/connections.js';
import type { ForkCount } from '../../src/core/model/run/choices.js';
import type { Event } from '../../src/core/model/run/event.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import { ProxyServer } from '../rig/proxy_server.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const STRATEGIES = ['host_pinned', 'linear'] as const;
const FORKS = 3;
/** As many as there are forks; they come first. */
const SLOW = ['lb1', 'lb2', 'lb3'];
const OTHERS = ['lb4', 'lb5', 'lb6', 'lb7', 'lb8'];

const play = (task: string): string => `
- hosts: all
  vars: { slow: '{{ inventory_hostname in ${JSON.stringify(SLOW)} }}' }
  tasks:
    - name: work
      ${task}
`;

/** Interrupts the run as soon as the other controllers have done their task: those that wait for a minute never end otherwise. */
async function runUntilOthersAreDone(playbook: string, options: (interrupt: AbortSignal) => TextOptions): Promise<Ran> {
  const interrupt = new AbortController();
  const left = new Set(OTHERS);
  const watch = (event: Event): void => {
    if (event.type !== 'task-finished' || event.item !== undefined || !left.delete(event.controller)) return;
    if (left.size === 0) interrupt.abort();
  };
  return runText(playbook, { forks: FORKS, drain: interrupt.signal, watch, ...options(interrupt.signal) });
}

function expectOthersDone({ tasks }: Ran): void {
  const ends = tasks.filter(({ item }) => item === undefined);
  expect(ends.filter(({ status }) => status === 'ok').map(({ controller }) => controller)).to.have.members(OTHERS);
  const slow = ends.filter(({ status }) => status !== 'ok');
  expect(slow.map(({ controller }) => controller)).to.have.members(SLOW);
}

describe('controllers that wait for a minute in all forks do not delay others', () => {
  const waits = {
    until: 'debug:\n      until: not slow\n      delay: 60',
    'a pause': "wait_for: { timeout: '{{ 60 if slow else 0 }}' }",
    'a pause within a time limit': "wait_for: { timeout: '{{ 60 if slow else 0 }}' }\n      timeout: 120",
    'the pause of a loop': "debug:\n      loop: '{{ [1, 2] if slow else [1] }}'\n      loop_control: { pause: 60 }",
    'pauses of parallel items':
      "wait_for: { timeout: '{{ item }}' }\n      loop: '{{ [60, 61] if slow else [0] }}'\n      loop_control: { parallel: 2 }",
  };
  for (const [name, task] of Object.entries(waits))
    for (const strategy of STRATEGIES)
      it(`in ${name} (${strategy})`, async () => {
        const inventory = 'all: { hosts: { "lb[1:8]": } }';
        expectOthersDone(await runUntilOthersAreDone(play(task), () => ({ strategy, inventory })));
      });
});

describe('controllers that are silent for a minute in all forks do not delay others', () => {
  let fleet: Fleet;
  afterEach(() => fleet.dispose());

  const READ = 'api_request: { path: /api/systemconfiguration }';
  const asks: Readonly<Record<string, { readonly task: string; readonly faults?: Behaviour['faults'] }>> = {
    'before a retry': { task: READ, faults: [{ type: 'drop' }] },
    'after Retry-After': {
      task: READ,
      faults: [{ type: 'answer', status: 503, headers: { 'retry-after': '60' } }],
    },
    'in wait_until': {
      task: `wait_until: { path: /api/systemconfiguration, status: '{{ 418 if slow else 200 }}', interval: 60 }`,
    },
  };
  for (const [name, { task, faults }] of Object.entries(asks))
    for (const strategy of STRATEGIES)
      it(`${name} (${strategy})`, async () => {
        fleet = await startFleet({ controllers: 8 });
        if (faults !== undefined) for (const slow of SLOW) fleet.controller(slow).behaviour = { faults };
        const { inventory } = fleet;
        const retry = { attempts: 3, baseMs: 60_000, capMs: 60_000, deadlineSeconds: 600 };
        const options = (interrupt: AbortSignal): TextOptions => {
          const connections = new Connections({ abort: new AbortController().signal, drain: interrupt, retry });
          return { strategy, inventory, connect: (settings) => connections.open(settings) };
        };
        expectOthersDone(await runUntilOthersAreDone(play(task), options));
      });
});

describe('a controller that waits for others gives up its fork', () => {
  const three = 'all: { hosts: { lb1: , lb2: , lb3: } }';
  const all = (ran: Ran): unknown => Object.values(ran.finished.stats).map(({ ok }) => ok);

  for (const strategy of STRATEGIES) {
    it(`while it waits for the result of run_once (${strategy})`, async () => {
      const ran = await runText(
        `
- hosts: all
  tasks:
    - { wait_for: { timeout: 0.05 }, when: inventory_hostname == 'lb1' }
    - { wait_for: { timeout: 0.05 }, run_once: true, register: r }
    - { debug: { msg: '{{ r.elapsed }}' } }
`,
        { inventory: three, forks: 1, strategy },
      );
      expect(ran.said).to.deep.equal(['0', '0', '0']);
    });

    it(`while it waits for a throttled task, whose place a resting controller keeps (${strategy})`, async () => {
      let now = 0;
      let most = 0;
      const watch = ({ type }: Event): void => {
        if (type === 'task-started') most = Math.max(most, ++now);
        if (type === 'task-finished') now--;
      };
      const playbook = '- hosts: all\n  tasks: [{ wait_for: { timeout: 0.05 }, throttle: 1 }]\n';
      const ran = await runText(playbook, { inventory: three, forks: 1, strategy, watch });
      expect([all(ran), most]).to.deep.equal([[1, 1, 1], 1]);
    });
  }

  it('while a resting controller has the lock of the delegate of both', async () => {
    const fleet = await startFleet({ controllers: 3, behaviour: { lag: 2 } });
    try {
      const playbook = `
- hosts: all
  tasks: [{ cloud_present: { name: '{{ inventory_hostname }}' }, delegate_to: lb3 }]
`;
      const ran = await runText(playbook, { inventory: fleet.inventory, forks: 1 });
      expect(ran.tasks.map(({ status }) => status)).to.deep.equal(['changed', 'changed', 'changed']);
    } finally {
      await fleet.dispose();
    }
  });

  it('while a resting controller has the only request to the delegate of both', async () => {
    const faults: Behaviour['faults'] = [
      { type: 'answer', status: 503, headers: { 'retry-after': '1' }, when: { first: 1 } },
    ];
    const fleet = await startFleet({ controllers: 3 });
    fleet.controller('lb3').behaviour = { faults };
    try {
      const playbook = `
- hosts: all
  tasks: [{ api_request: { path: /api/systemconfiguration }, delegate_to: lb3 }]
`;
      const ran = await runText(playbook, { inventory: fleet.inventory, forks: 1 });
      expect(all(ran)).to.deep.equal([1, 1, 1]);
    } finally {
      await fleet.dispose();
    }
  });
});

describe('an interrupt while controllers rest', () => {
  it('starts no other controller', async () => {
    const interrupt = new AbortController();
    const watch = (event: Event): void => {
      if (event.type === 'task-started' && event.controller === 'lb2') interrupt.abort();
    };
    const ran = await runText('- hosts: all\n  tasks: [{ wait_for: { timeout: 60 } }, { debug: }]\n', {
      inventory: 'all: { hosts: { "lb[1:9]": } }',
      forks: 1,
      drain: interrupt.signal,
      watch,
    });
    expect(ran.lines).to.have.members(['lb1 wait_for: interrupted', 'lb2 wait_for: interrupted']);
    expect(ran.finished.cutOff).to.deep.equal(['lb1', 'lb2']);
  });
});

describe('automatic forks', () => {
  const CONTROLLERS = 80;
  const reads = `
- hosts: all
  tasks:
    - { api_request: { path: /api/systemconfiguration }, loop: [1, 2, 3] }
`;
  let [held, mostHeld] = [0, 0];
  /** Holds each answer, as a distant controller does. Without TLS, this process has little else to do. */
  const server = createServer((_, response) => {
    mostHeld = Math.max(mostHeld, ++held);
    setTimeout(() => {
      held--;
      response.setHeader('content-type', 'application/json').end('{}');
    }, 150);
  });
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => server.close());

  /** Returns the most requests that were held at the same time. */
  async function mostAtOnce(forks: ForkCount, proxy = ''): Promise<number> {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen');
    const url = `http://127.0.0.1:${address.port}/{{ inventory_hostname }}`;
    const inventory = `all: { hosts: { "lb[1:${CONTROLLERS}]": { controller_url: "${url}" } } }`;
    const access = { controller_allow_http: true, controller_username: 'admin', controller_password: 'of-the-test' };
    mostHeld = 0;
    const { finished } = await runText(reads, {
      inventory,
      forks,
      extraVars: { ...access, controller_proxy: proxy, controller_api_version: '22.1.3' },
    });
    expect(finished.status).to.equal('ok');
    return mostHeld;
  }

  it('become more while controllers answer as fast as before', async () => {
    expect(await mostAtOnce('auto')).to.be.above(30);
    expect(await mostAtOnce(7)).to.equal(7);
  });

  it('do not overrun a proxy that admits 20 connections', async () => {
    const proxy = await ProxyServer.start();
    proxy.admits = 20;
    try {
      expect(await mostAtOnce('auto', `http://${proxy.address}`)).to.be.at.most(20);
      // More while this machine is busy, but never the rest of the fleet.
      expect(proxy.mostWaiting).to.be.within(1, (CONTROLLERS - proxy.admits) * 0.75);
    } finally {
      await proxy.close();
    }
  });
});
