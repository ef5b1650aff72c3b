import { expect } from 'chai';
import waitUntil from '../../modules/wait_until.js';
import type { TaskFinished } from '../../src/core/model/run/event.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { RawAnswer, Value } from '../../src/module/contract.js';
import { act } from '../rig/action_context.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
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

  it('accepts several values, inner fields, and any value', async () => {
    const several = { ...ready, field: 'nested.0.deep', value: ['UP', 'READY'] };
    expect(await act(waitUntil, several, { answer: answering(state('UP')) })).to.have.property('status', 'ok');
    const any = { path: '/api/x', field: 'state', interval: 1 };
    const result = await act(waitUntil, any, { answer: answering(state(''), state(null), state('x')) });
    expect(result.values).to.include({ value: 'x', attempts: 3 });
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
      const gone = await wait({ match: { cloud_ref: 'nowhere' } });
      expect(gone?.message).to.equal(
        'gave up after 0 s: there is no object named "global" with {"cloud_ref":"nowhere"}',
      );
    });
  });
});
