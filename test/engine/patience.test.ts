import { expect } from 'chai';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { runText, type Ran } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

/** A request that is waited for is sent this often in all, as the rig is impatient. */
const PATIENT = 4;

const LOST: Fault = { type: 'drop', applied: true, when: { path: '/api/*', first: 1 } };
const STARTING: Fault = { type: 'answer', status: 503, body: 'the controller is starting', when: { method: 'POST' } };
const FAILING: Fault = { type: 'answer', status: 500, when: { method: 'POST' } };
const GATEWAY: Fault = { type: 'answer', status: 502, when: { method: 'POST' } };
const BUSY: Fault = { type: 'answer', status: 503, when: { method: 'POST' } };

describe('tasks that are repeated use the patience for their last attempt only', () => {
  let fleet: Fleet;
  before(async () => {
    fleet = await startFleet({ controllers: 2 });
  });
  beforeEach(() => {
    for (const name of fleet.names) {
      fleet.controller(name).behaviour = { faults: [{ type: 'drop' }] };
      fleet.controller(name).clearRequests();
    }
  });
  after(() => fleet.dispose());

  const run = (play: string): Promise<Ran> =>
    runText(`- hosts: fleet\n${play.trim().replace(/^/gm, '  ')}\n`, { inventory: fleet.inventory });
  const requests = (): readonly number[] => fleet.names.map((name) => fleet.controller(name).requests.length);
  const each = (count: number): readonly number[] => fleet.names.map(() => count);

  const READ = 'api_request: { path: /api/cloud/ }';

  it('a task alone', async () => {
    await run(`tasks: [{ ${READ} }]`);
    expect(requests()).to.deep.equal(each(PATIENT));
  });

  it('a task that sets its own', async () => {
    await run(`tasks: [{ ${READ}, vars: { controller_patience: 0 } }]`);
    expect(requests()).to.deep.equal(each(1));
  });

  it('a write whose answer is lost: with patience, it is looked for, and without, it is not', async () => {
    const written = async (patience: string): Promise<readonly unknown[]> => {
      for (const name of fleet.names) {
        const controller = fleet.controller(name);
        controller.behaviour = { faults: [{ type: 'drop', applied: true, when: { method: 'POST', nth: 1 } }] };
        controller.clearRequests();
      }
      const body = `{ name: 'edge-${patience}' }`;
      const { lines } = await run(
        `tasks: [{ name: t, api_request: { method: POST, path: /api/cloud/, body: ${body} }, vars: { controller_patience: ${patience} } }]`,
      );
      const methods = fleet.names.map((name) =>
        fleet
          .controller(name)
          .requests.map(({ method }) => method)
          .join(' '),
      );
      return [lines.toSorted(), methods];
    };
    expect(await written('0')).to.deep.equal([
      ['lb1 t: unreachable', 'lb2 t: unreachable'],
      ['POST', 'POST'],
    ]);
    expect(await written('5')).to.deep.equal([
      ['lb1 t: changed', 'lb2 t: changed'],
      ['POST GET GET', 'POST GET GET'],
    ]);
  });

  for (const [what, request, expected, fault] of [
    ['a create', 'method: POST, path: /api/cloud/, body: { name: late }', ['changed', 'POST GET GET', 0], LOST],
    ['another POST', 'method: POST, path: /api/run, body: {}', ['failed', 'POST', 0], LOST],
    ['a PUT', 'method: PUT, path: /api/run, body: {}', ['changed', 'PUT PUT', 1], LOST],
    ['a controller that starts', 'method: POST, path: /api/run, body: {}', ['failed', 'POST.*', 2], STARTING],
    ['an error', 'method: POST, path: /api/run, body: {}', ['failed', 'POST POST POST', 2], FAILING],
    ['a gateway', 'method: POST, path: /api/run, body: {}', ['failed', 'POST', 0], GATEWAY],
    ['a busy controller', 'method: POST, path: /api/run, body: {}', ['failed', 'POST', 0], BUSY],
    [
      'a busy controller that cannot show whether there is one',
      'method: POST, path: /api/cloud/, body: { name: later }',
      ['failed', 'POST GET.*', 0],
      { ...BUSY, when: { path: '/api/cloud/' } },
    ],
  ] as const)
    it(`until, after a write without an answer: ${what}`, async () => {
      const controller = fleet.controller('lb1');
      controller.behaviour = { faults: [fault] };
      const { tasks, events } = await run(
        `tasks: [{ name: t, api_request: { ${request} }, register: r, until: r is not failed, retries: 2, delay: 0, when: inventory_hostname == 'lb1' }]`,
      );
      const [end, wire, retries] = expected;
      expect(tasks.find((one) => one.controller === 'lb1')?.status).to.equal(end);
      expect(controller.requests.map(({ method }) => method).join(' ')).to.match(new RegExp(`^${wire}$`));
      expect(events.filter(({ type }) => type === 'task-retried')).to.have.length(retries);
    });

  it('until', async () => {
    const { lines } = await run(
      `tasks: [{ name: t, ${READ}, register: r, until: r is not failed, retries: 3, delay: 0 }]`,
    );
    expect(requests()).to.deep.equal(each(3 + PATIENT));
    expect(lines).to.have.members(['lb1 t: failed', 'lb2 t: failed']);
  });

  it('wait_until', async () => {
    const wait = (unavailable: string) =>
      run(`tasks: [wait_until: { path: /api/cloud/, unavailable: ${unavailable}, interval: 0.5, timeout: 1.5 }]`);
    await wait('fail');
    expect(requests()).to.deep.equal(each(PATIENT));
    for (const name of fleet.names) fleet.controller(name).clearRequests();
    await wait('wait');
    // Four attempts, or three if each takes a little longer.
    for (const count of requests()) expect(count).to.be.within(2 + PATIENT, 3 + PATIENT);
  });

  it('a gate', async () => {
    await run(`
serial: 1
gate: { failures: 3, interval: 0, checks: [{ ${READ} }] }
tasks: [debug: ]
`);
    expect(requests()).to.deep.equal([2 + PATIENT, 0]);
  });
});

describe('tasks that are repeated wait for a controller that restarts', () => {
  let fleet: Fleet;
  before(async () => (fleet = await startFleet({ dialect: 'avi' })));
  after(() => fleet.dispose());

  const path = '/api/cluster/runtime';
  const disallowed = { error: 'Configuration is disallowed during upgrade' };
  const RESTARTS: Readonly<Record<string, Fault>> = {
    'loses its sessions': { type: 'expire', when: { path, first: 20 } },
    'answers 202': { type: 'answer', status: 202, body: {}, when: { path, first: 4 } },
    'is being upgraded': { type: 'answer', status: 403, body: disallowed, when: { path, first: 4 } },
  };
  const READ = `api_request: { path: ${path} }, register: r`;
  const PLAYS: Readonly<Record<string, string>> = {
    wait_until: `
tasks: [{ name: t, wait_until: { path: ${path}, field: cluster_state.state, unavailable: wait, interval: 0.1 } }]`,
    until: `
tasks: [{ name: t, ${READ}, until: r is not failed and r.json.cluster_state is defined, retries: 30, delay: 0 }]`,
    'a gate': `
gate: { failures: 30, interval: 0, checks: [{ ${READ} }, { assert: { that: r.json.cluster_state is defined } }] }
tasks: [{ name: t, debug: }]`,
  };
  for (const [what, fault] of Object.entries(RESTARTS)) {
    for (const [who, play] of Object.entries(PLAYS)) {
      it(`${who}, while it ${what}`, async () => {
        fleet.controller('lb1').behaviour = { faults: [fault] };
        const text = `- hosts: fleet\n${play.trim().replace(/^/gm, '  ')}\n`;
        const { lines, finished } = await runText(text, { inventory: fleet.inventory });
        expect([lines.find((line) => line.startsWith('lb1 t')), finished.exitCode]).to.deep.equal(['lb1 t: ok', 0]);
      });
    }
  }
});
