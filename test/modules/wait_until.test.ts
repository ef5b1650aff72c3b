import { expect } from 'chai';
import waitUntil from '../../modules/wait_until.js';
import type { TaskFinished } from '../../src/core/model/run/event.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { jsonText, type RawAnswer, type RawRequest, type Value } from '../../src/module/contract.js';
import { act } from '../rig/action_context.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { withClock } from '../rig/clock.js';
import { runText } from '../rig/run_text.js';
import { SessionController } from '../rig/session_controller.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

/** Answers in order, and repeats the last one. */
function answering(...answers: readonly RawAnswer[]) {
  const left = [...answers];
  return (): RawAnswer => (left.length > 1 ? left.shift() : left[0]) ?? { status: 500, body: null };
}

const state = (value: Value): RawAnswer => ({ status: 200, body: { state: value, nested: [{ deep: value }] } });
const refused = (status: number, says: string): RawAnswer => ({ status, body: null, says });

describe('wait_until', () => {
  const ready = { path: '/api/cloud/x/status', field: 'state', value: 'READY', interval: 2, timeout: 20 };

  it('reads until the field has the value, and reports what it waits for', async () => {
    const [slept, waited]: [number[], string[]] = [[], []];
    const answer = answering(state('IN_PROGRESS'), state('IN_PROGRESS'), state('READY'));
    const result = await act(waitUntil, ready, { answer, slept, waited });
    expect(result).to.include({ status: 'ok', message: 'state is READY' });
    expect(result.values).to.deep.include({ value: 'READY', attempts: 3 });
    expect(slept).to.deep.equal([2, 2]);
    expect(waited).to.deep.equal(Array(2).fill('state is IN_PROGRESS, not READY'));
  });

  it('waits until the time is over, with a shorter pause before the last read', async () => {
    for (const [interval, timeout, pauses, rest] of [
      [15, 10, 0, 10],
      [10, 14, 1, 4],
      [5, 3, 0, 3],
      [4, 8, 2, undefined],
      [2, 0, 0, undefined],
    ] as const) {
      const slept: number[] = [];
      const args = { ...ready, interval, timeout };
      const result = await act(waitUntil, args, { answer: answering(state('IN_PROGRESS')), slept });
      expect(result.message).to.equal(`gave up after ${timeout} s: state is IN_PROGRESS, not READY`);
      const rounded = slept.map((seconds) => Math.round(seconds * 10) / 10);
      expect(rounded).to.deep.equal([...Array<number>(pauses).fill(interval), ...(rest === undefined ? [] : [rest])]);
    }
  });

  it('accepts several values, inner fields, and any value', async () => {
    const several = { ...ready, field: 'nested.0.deep', value: ['UP', 'READY'] };
    expect(await act(waitUntil, several, { answer: answering(state('UP')) })).to.have.property('status', 'ok');
    const any = { path: '/api/x', field: 'state', interval: 1 };
    const result = await act(waitUntil, any, { answer: answering(state(''), state(null), state('x')) });
    expect(result.values).to.include({ value: 'x', attempts: 3 });
  });

  const comparisons: readonly (readonly [wanted: Value, reached: readonly Value[], not: readonly Value[]])[] = [
    ['< 5', [4, -1, 4.9], [5, '4', null, 'x']],
    ['<= 5', [5, 5n], [6]],
    ['>5', [6, 9223372036854775807n], [5]],
    ['>= -1.5', [-1.5], [-2]],
    ['!= 0', [1, 'x', true], [0]],
    ['in [UP, "NOT SURE"]', ['UP', 'NOT SURE'], ['U', 'DOWN', 'in [UP, "NOT SURE"]x']],
    ['not in [DOWN, 3]', ['UP', 4], ['DOWN', 3]],
    [
      ['< 2', 'DONE'],
      [1, 'DONE'],
      [2, 'BUSY'],
    ],
    ['5', ['5'], [5]],
  ];
  for (const [wanted, reached, not] of comparisons) {
    it(`compares with ${JSON.stringify(wanted)}`, async () => {
      for (const value of [...reached, ...not]) {
        const args = { ...ready, value: wanted, timeout: 0 };
        const { status } = await act(waitUntil, args, { answer: answering(state(value)) });
        expect(status, jsonText(value)).to.equal(reached.includes(value) ? 'ok' : 'failed');
      }
    });
  }

  it('ends the wait when a comparison of fail_on is met', async () => {
    const args = { ...ready, value: 0, fail_on: '> 100' };
    const result = await act(waitUntil, args, { answer: answering(state(7), state(101)) });
    expect(result).to.include({ status: 'failed', message: 'state is 101' });
  });

  describe('over the elements of a list', () => {
    const pools = (...states: readonly Value[]): RawAnswer => ({
      status: 200,
      body: { count: states.length, results: states.map((one) => ({ runtime: { state: one } })) },
    });
    const each = { path: '/api/pool-inventory', field: 'runtime.state', value: 'UP', interval: 1, timeout: 5 };

    it('waits for all of them, and for the first of them to appear', async () => {
      const waited: string[] = [];
      const answer = answering(pools(), pools('DOWN', 'UP', 'UP'), pools('UP', 'UP', 'UP'));
      const result = await act(waitUntil, { ...each, all: 'results' }, { answer, waited });
      expect(result).to.include({ status: 'ok', message: 'runtime.state of results is UP' });
      expect(result.values).to.deep.include({ value: ['UP', 'UP', 'UP'] });
      expect(waited).to.deep.equal(['results is empty', 'runtime.state of results is DOWN (1), UP (2), not all UP']);
    });

    it('waits for any of them', async () => {
      const waited: string[] = [];
      const answer = answering(pools('DOWN', null), pools('DOWN', 'UP'));
      const result = await act(waitUntil, { ...each, any: 'results' }, { answer, waited });
      expect(result).to.include({ status: 'ok', message: 'runtime.state of results is DOWN (1), UP (1)' });
      expect(waited).to.deep.equal(['runtime.state of results is DOWN (1), null (1), not any UP']);
    });

    it('fails for one of them that has a value of fail_on', async () => {
      const args = { ...each, all: 'results', fail_on: 'BROKEN' };
      const result = await act(waitUntil, args, { answer: answering(pools('UP', 'BROKEN')) });
      expect(result.status).to.equal('failed');
    });

    it('compares the elements themselves without a field, and waits for the list', async () => {
      const args = { path: '/api/x', all: 'left', value: '< 1', interval: 1, timeout: 5 };
      const waited: string[] = [];
      const list = (left: Value): RawAnswer => ({ status: 200, body: { left } });
      const answer = answering(list(null), list([2, 0]), list([0, 0]));
      expect(await act(waitUntil, args, { answer, waited })).to.include({ status: 'ok', message: 'left is 0' });
      expect(waited).to.deep.equal(['the object has no list left', 'left is 2 (1), 0 (1), not all < 1']);
    });

    it('takes all or any', () => {
      expect(() => act(waitUntil, { ...each, all: 'results', any: 'results' })).to.throw('"all"');
    });
  });

  it('sends its query, beside the name', async () => {
    const sent: unknown[] = [];
    const answer = (request: RawRequest): RawAnswer => {
      sent.push(request.query);
      return state('READY');
    };
    await act(waitUntil, { ...ready, query: { limit: 1, metric: 'a.b' } }, { answer });
    await act(waitUntil, { ...ready, name: 'web', query: { limit: 1 } }, { answer });
    await act(waitUntil, ready, { answer });
    expect(sent.slice(0, 1)).to.deep.equal([{ limit: '1', metric: 'a.b' }]);
    expect(sent).to.deep.include({ name: 'web', limit: '1' });
    expect(sent.at(-1)).to.equal(undefined);
  });

  it('still shows the last value while the controller is unavailable', async () => {
    const waited: string[] = [];
    const answer = answering(state('IN_PROGRESS'), refused(503, 'restarting'), state('READY'));
    await act(waitUntil, { ...ready, unavailable: 'wait' }, { answer, waited });
    expect(waited).to.deep.equal([
      'state is IN_PROGRESS, not READY',
      'the controller answered 503, not 200: restarting; before: state is IN_PROGRESS, not READY',
    ]);
  });

  it('compares and shows whole numbers with all their digits', async () => {
    const waited: string[] = [];
    const answer = answering(state(9223372036854775806n), state(9223372036854775807n));
    const result = await act(waitUntil, { ...ready, value: 9223372036854775807n }, { answer, waited });
    expect(result).to.include({ status: 'ok', message: 'state is 9223372036854775807' });
    expect(waited).to.deep.equal(['state is 9223372036854775806, not 9223372036854775807']);
  });

  it('waits until an object of a name exists', async () => {
    const list = (...names: readonly string[]): RawAnswer => ({
      status: 200,
      body: { count: names.length, results: names.map((name) => ({ name, state: 'READY' })) },
    });
    const waited: string[] = [];
    const args = { kind: 'cloud', name: 'edge', field: 'state', value: 'READY' };
    const result = await act(waitUntil, args, { answer: answering(list('edge-2'), list('edge-2', 'edge')), waited });
    expect(result).to.have.property('status', 'ok');
    expect(waited).to.deep.equal(['there is no object named "edge"']);
  });

  it('looks for an object of a name on all pages', async () => {
    const edge = { name: 'edge', uuid: '1', state: 'READY' };
    const wait = (first: Mapping, ...all: readonly Mapping[]) => {
      const answer = answering({ status: 200, body: { results: [first], next: '/api/cloud?page=2' } });
      const parts = { attemptList: () => Promise.resolve({ objects: [first, ...all] }) };
      return act(waitUntil, { kind: 'cloud', name: 'edge', field: 'state', value: 'READY' }, { answer, parts });
    };
    expect(await wait({ name: 'edge-2' }, edge)).to.have.property('status', 'ok');
    expect((await wait(edge, { ...edge, uuid: '2' })).message).to.match(/^2 objects are named "edge": /);
  });

  it('needs a name if "match" is set', async () => {
    const result = await act(waitUntil, { kind: 'cloud', match: { vtype: 'x' } });
    expect(result).to.include({ status: 'failed', message: '"match" needs "name"' });
  });

  it('fails after its time limit, and at once for a value of fail_on', async () => {
    const answer = answering(state('IN_PROGRESS'));
    expect(await act(waitUntil, ready, { answer })).to.include({
      status: 'failed',
      message: 'gave up after 20 s: state is IN_PROGRESS, not READY',
    });
    const bad = { ...ready, fail_on: ['BROKEN', 'LOST'] };
    const result = await act(waitUntil, bad, { answer: answering(state('IN_PROGRESS'), state('LOST')) });
    expect(result).to.include({ status: 'failed', message: 'state is LOST' });
  });

  it('says of the last read that it is the last, and of each if it does not wait for the controller', async () => {
    const lasts = (given: Mapping, { checkMode = false, seconds = 0 } = {}) =>
      withClock(async (move) => {
        const seen: boolean[] = [];
        const attempt = (_: RawRequest, isLast: boolean): Promise<RawAnswer> => {
          seen.push(isLast);
          return Promise.resolve(state('NO'));
        };
        const sleep = (): Promise<void> => {
          move(1000 * seconds);
          return Promise.resolve();
        };
        const args = { ...ready, interval: 1, timeout: 4, ...given };
        const { values } = await act(waitUntil, args, { checkMode, sleep, parts: { attempt } });
        return [...seen, values?.['elapsed']];
      });
    expect(await lasts({})).to.deep.equal([true, true, true, true, true, 0]);
    expect(await lasts({ unavailable: 'wait' })).to.deep.equal([false, false, false, false, true, 0]);
    expect(await lasts({ unavailable: 'wait' }, { checkMode: true })).to.deep.equal([true, 0]);
    expect(await lasts({ unavailable: 'wait' }, { seconds: 2 })).to.deep.equal([false, false, true, 4]);
    expect(await lasts({ unavailable: 'wait' }, { seconds: 1.97 })).to.deep.equal([false, false, false, true, 5.9]);
  });

  it('fails or waits if the controller is unavailable, as configured', async () => {
    const during = [refused(403, 'Configuration is disallowed during upgrade'), refused(503, ''), state('READY')];
    expect(await act(waitUntil, ready, { answer: answering(...during) })).to.include({
      status: 'failed',
      message: 'the controller answered 403, not 200: Configuration is disallowed during upgrade',
    });
    const waiting = { ...ready, unavailable: 'wait' };
    expect(await act(waitUntil, waiting, { answer: answering(...during) })).to.have.property('status', 'ok');
    expect(await act(waitUntil, waiting, { answer: answering(refused(403, 'no permission')) })).to.include({
      status: 'failed',
      message: 'the controller answered 403, not 200: no permission',
    });
  });

  it('waits for a status, such as that of a deleted object', async () => {
    const answer = answering(state('x'), refused(404, 'not found'));
    const result = await act(waitUntil, { path: '/api/cloud/x', status: 404 }, { answer });
    expect(result).to.include({ status: 'ok', message: 'answered 404' });
  });

  it('reads once in check mode', async () => {
    const result = await act(waitUntil, ready, { answer: answering(state('IN_PROGRESS')), checkMode: true });
    expect(result).to.include({ status: 'ok', message: 'would wait: state is IN_PROGRESS, not READY' });
  });

  describe('with a controller', () => {
    let fleet: Fleet;
    beforeEach(async () => {
      fleet = await startFleet();
    });
    afterEach(() => fleet.dispose());

    it('waits while connections are refused, and reports it', async () => {
      fleet.controller('lb1').behaviour = { faults: [{ type: 'drop', when: { first: 5 } }] };
      const args = '{ path: /api/cloud/, interval: 0.1, timeout: 50, unavailable: wait }';
      const ran = await runText(`- hosts: all\n  tasks: [{ wait_until: ${args} }]\n`, { inventory: fleet.inventory });
      expect(ran.tasks[0]).to.include({ status: 'ok', message: 'answered 200' });
      const retried = ran.events.flatMap((event) => (event.type === 'task-retried' ? [event] : []));
      expect(retried).to.not.be.empty;
      expect(retried[0]?.message).to.include('GET /api/cloud/');
      expect(fleet.controller('lb1').requests.every(({ method }) => method === 'GET')).to.equal(true);
    });

    it('waits while sign-in is impossible', async () => {
      const controller = await SessionController.start();
      let refusals = 7;
      controller.before = ({ path }) => (path === '/login' && refusals-- > 0 ? { status: 503 } : undefined);
      const task = 'wait_until: { path: /api/cloud, interval: 0.1, timeout: 50, unavailable: wait }';
      const inventory = JSON.stringify({ all: { hosts: controller.variables() } });
      const ran = await runText(`- hosts: all\n  tasks: [{ ${task} }]\n`, { inventory });
      await controller.close();
      expect(ran.tasks[0]).to.include({ status: 'ok', message: 'answered 200' });
      expect(refusals).to.be.lessThan(0);
    });

    it('fails if connections are refused, unless it is configured to wait', async () => {
      fleet.controller('lb1').behaviour = { faults: [{ type: 'drop' }] };
      const ran = await runText('- hosts: all\n  tasks: [{ wait_until: { path: /api/cloud/ } }]\n', {
        inventory: fleet.inventory,
      });
      expect(ran.tasks[0]?.status).to.equal('failed');
    });
  });

  describe('among objects of one name', () => {
    let lb1: AviController;
    beforeEach(async () => {
      lb1 = await startAviController();
      for (const name of ['edge', 'core']) await lb1.client.object('POST', '/api/cloud', { name, vtype: 'CLOUD_NONE' });
    });
    afterEach(() => lb1.close());

    async function wait(args: Mapping): Promise<TaskFinished | undefined> {
      const vrf = { kind: 'vrfcontext', name: 'global', field: 'system_default', interval: 0.1, timeout: 0 };
      const { inventory, files } = lb1.textInventory();
      const playbook = JSON.stringify([{ hosts: 'all', tasks: [{ wait_until: { ...vrf, ...args } }] }]);
      return (await runText(playbook, { inventory, files })).tasks[0];
    }

    it('fails and names their clouds instead of choosing the first', async () => {
      const result = await wait({});
      expect(result?.status).to.equal('failed');
      expect(result?.message).to.match(
        /^3 objects are named "global": vrfcontext-\S+ in cloud "Default-Cloud", vrfcontext-\S+ in cloud "edge", vrfcontext-\S+ in cloud "core"; identify one of them with "match"$/,
      );
    });

    it('reads the one with the fields, and requests names once', async () => {
      for (const cloud_ref of ['edge', '/api/cloud?name=edge']) {
        lb1.take();
        const result = await wait({ match: { cloud_ref }, value: 'never', timeout: 0.3 });
        expect(result?.message).to.equal('gave up after 0.3 s: system_default is true, not never');
        expect(lb1.take().filter((request) => request.includes('include_name'))).to.have.length(1);
      }
      for (const answer of [{ status: 503 }, { status: 403, body: { error: 'disallowed during upgrade' } }]) {
        const fault = { type: 'answer', ...answer, when: { path: '/api/vrfcontext', first: 4 } } as const;
        lb1.controller.behaviour = { faults: [fault] };
        const failed = await wait({ match: { cloud_ref: 'edge' }, timeout: 10 });
        expect(failed).to.have.property('status', 'failed');
        expect(failed?.message).to.include(`answered ${answer.status}`);
        lb1.controller.behaviour = { faults: [fault] };
        const patient = await wait({ match: { cloud_ref: 'edge' }, timeout: 10, unavailable: 'wait' });
        expect(patient).to.include({ status: 'ok', message: 'system_default is true' });
      }
      const forGood = {
        status: 403,
        body: { error: 'the role may not upgrade' },
        when: { path: '/api/vrfcontext' },
      };
      lb1.controller.behaviour = { faults: [{ type: 'answer', ...forGood }] };
      const barred = await wait({ match: { cloud_ref: 'edge' }, timeout: 1, unavailable: 'wait' });
      expect(barred?.message).to.include('answered 403: the role may not upgrade');
      lb1.controller.behaviour = {};
      const gone = await wait({ match: { cloud_ref: 'nowhere' } });
      expect(gone?.message).to.equal(
        'gave up after 0 s: there is no object named "global" with {"cloud_ref":"nowhere"}',
      );
    });
  });
});
