import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';
import { PlainServer } from '../rig/plain_server.js';

/** The request takes effect, but the controller only says that it works on it. */
function accepted(method: 'POST' | 'PUT' | 'DELETE', body: JsonObject = {}): Fault {
  return { type: 'answer', status: 202, body, when: { method }, applied: true };
}

describe('a write that the controller accepts, and carries out later', () => {
  const lb1 = new OneController();
  const { behave, wire } = lb1;
  const edge = (): JsonObject | undefined => lb1.simulated.objects('/api/cloud/')[0];
  const read = async () => (await lb1.session.find('/api/cloud/', 'edge')) ?? {};

  beforeEach(() => {
    behave({});
    lb1.simulated.setObjects('/api/cloud/', [{ uuid: 'cloud-1', name: 'edge', _last_modified: '1' }]);
  });

  it('is waited for until a create is seen', async () => {
    lb1.simulated.setObjects('/api/cloud/', []);
    behave({ lag: 2, faults: [accepted('POST')] });
    await lb1.session.create('/api/cloud/', 'edge', { name: 'edge' });
    expect(edge()).to.include({ name: 'edge' });
    // Two reads see the old state.
    expect(wire()).to.deep.equal(['POST 202', 'GET 200', 'GET 200', 'GET 200']);
  });

  const TASKS: Readonly<Record<string, JsonObject>> = {
    task_ref: { task_ref: '/api/task-7' },
    task: { task: '/api/task-7', state: 'QUEUED' },
  };
  for (const [named, body] of Object.entries(TASKS)) {
    it(`is followed to the end of its task, by ${named}`, async () => {
      const state = (name: string, when: NonNullable<Fault['when']>): Fault => ({
        type: 'answer',
        status: 200,
        body: { state: name },
        when,
      });
      const faults = [
        accepted('PUT', body),
        state('RUNNING', { path: '/api/task-7', first: 2 }),
        state('COMPLETED', { path: '/api/task-7', after: 2 }),
      ];
      const object = await read();
      behave({ faults });
      await lb1.session.replace('/api/cloud/cloud-1', { ...object, mtu: 1400 });
      expect(wire().slice(1)).to.deep.equal(['PUT 202', 'GET 200', 'GET 200', 'GET 200']);
    });
  }

  it('is followed to a path with the prefix of the controller, and goes on while that cannot be shown', async () => {
    const server = await PlainServer.start();
    const asked: string[] = [];
    let shown = 200;
    server.answer = ({ method = '', url = '' }, response) => {
      asked.push(`${method} ${url}`);
      if (method === 'DELETE') response.writeHead(202, { location: '/lb/7/api/task-7' }).end();
      else response.writeHead(shown).end('{"state":"COMPLETED"}');
    };
    const all = connections();
    const session = all.open(settingsOf(`${server.url}/lb/7`, undefined, { patience: 0.01 }));
    const remove = () => session.request({ method: 'DELETE', path: '/api/x' });
    expect(await remove()).to.not.have.property('pending');
    expect(asked).to.deep.equal(['DELETE /lb/7/api/x', 'GET /lb/7/api/task-7']);
    for (shown of [503, 500]) expect(await remove(), `${shown}`).to.have.property('pending', '/api/task-7');
    await all.close();
    server.close();
  });

  it('fails if its task fails', async () => {
    const failed = { state: { state: 'TASK_FAILED' }, error: 'no space left' };
    behave({
      faults: [
        accepted('DELETE', { task_ref: '/api/task-7' }),
        { type: 'answer', status: 200, body: failed, when: { path: '/api/task-7' } },
      ],
    });
    const error = await errorOf(lb1.session.remove('/api/cloud/cloud-1'));
    expect(error.message).to.equal(
      'DELETE /api/cloud/cloud-1: the controller accepted the request (202), but its task failed: no space left',
    );
  });

  it('fails if the patience ends before it is carried out, and is not sent again', async () => {
    lb1.simulated.setObjects('/api/cloud/', []);
    const post = { type: 'answer', status: 202, body: { task_ref: '/api/task-7' }, when: { method: 'POST' } } as const;
    behave({
      faults: [post, { type: 'answer', status: 200, body: { state: 'RUNNING' }, when: { path: '/api/task-7' } }],
    });
    const error = await errorOf(lb1.session.create('/api/cloud/', 'edge', { name: 'edge' }));
    expect(error.message).to.match(
      /^POST \/api\/cloud\/: the controller accepted the request \(202\), and was still working on it at the end of controller_patience, [\d.]+ s$/,
    );
    expect(wire().filter((line) => line.startsWith('POST'))).to.deep.equal(['POST 202']);
  });

  it('is waited for until an object has a new version, or cannot be read', async () => {
    const object = await read();
    behave({ faults: [accepted('PUT'), accepted('DELETE')] });
    await lb1.session.replace('/api/cloud/cloud-1', { ...object, mtu: 1400 });
    expect(edge()).to.include({ mtu: 1400 });
    await lb1.session.remove('/api/cloud/cloud-1');
    expect(edge()).to.equal(undefined);
  });

  it('is waited for until the object that the controller shows has another version, if it has one', async () => {
    const server = await PlainServer.start();
    const all = connections();
    let shown: string[] = [];
    server.answer = ({ method }, response) => {
      if (method === 'PUT') response.writeHead(202).end('{}');
      else response.end(shown.shift());
    };
    const session = all.open(settingsOf(server.url, undefined));
    const version = (text: string): string => JSON.stringify({ uuid: 'cloud-1', _last_modified: text });
    const left = async (body: Mapping, ...texts: readonly string[]): Promise<number> => {
      shown = [...texts];
      await session.replace('/api/cloud/cloud-1', body);
      return shown.length;
    };
    expect(await left({ _last_modified: '1' }, version('1'), version('1'), version('2'), version('3'))).to.equal(1);
    expect(await left({ name: 'edge' }, '{"uuid":"cloud-1"}', '{"uuid":"cloud-1"}')).to.equal(1);
    expect(await left({ _last_modified: '1' }, '[]', version('1'))).to.equal(1);
    await all.close();
    server.close();
  });
});

describe('a read that is answered 202', () => {
  const lb1 = new OneController();
  const { behave, wire } = lb1;

  it('is repeated until there is an answer', async () => {
    behave({ faults: [{ type: 'answer', status: 202, body: {}, when: { first: 2 } }] });
    expect(await lb1.session.find('/api/cloud/', 'edge')).to.equal(undefined);
    expect(wire()).to.deep.equal(['GET 202', 'GET 202', 'GET 200']);
  });

  it('is the answer to a raw request', async () => {
    behave({ faults: [{ type: 'answer', status: 202, body: {} }] });
    expect(await lb1.session.request({ method: 'GET', path: '/api/cloud/' })).to.include({ status: 202 });
    expect(wire()).to.deep.equal(['GET 202']);
  });
});
