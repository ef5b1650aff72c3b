import { expect } from 'chai';
import type { TaskFinished } from '../../src/core/model/run/event.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { keptRun } from '../rig/cut_run.js';
import { startFleet, TESTED_DIALECTS, type Fleet } from '../rig/simulated.js';
import { runTasks } from '../rig/task_run.js';

const TEXT = 'Tenant license limit exceeded';
/** Not of the sign-in. */
const DENIAL = { type: 'answer', status: 200, body: { error: TEXT }, when: { path: '/api/*' } } as const;
const WITH_ERROR = ` with an error: ${TEXT}`;

for (const dialect of TESTED_DIALECTS)
  describe(`an error in a successful answer of a controller of the dialect ${dialect}`, () => {
    let fleet: Fleet;
    beforeEach(async () => {
      fleet = await startFleet({ dialect });
    });
    afterEach(() => fleet.dispose());

    /** Runs a task; requests of the method get the error. */
    async function run(
      task: Mapping,
      method: string,
      body: unknown = { error: TEXT },
    ): Promise<readonly TaskFinished[]> {
      const controller = fleet.controller('lb1');
      controller.clearRequests();
      controller.behaviour = {
        faults: [{ type: 'answer', status: method === 'POST' ? 201 : 200, body, when: { method, path: '/api/*' } }],
      };
      try {
        return (await runTasks(fleet, [task])).results;
      } finally {
        controller.behaviour = {};
      }
    }
    const pool = (fields: Mapping = {}): Mapping => ({ pool_present: { name: 'web', ...fields } });
    const paths = (): readonly string[] =>
      fleet
        .controller('lb1')
        .requests.filter(({ path }) => path.startsWith('/api/pool'))
        .map(({ method }) => method);

    it('fails a create at once, with its text', async () => {
      for (const body of [{ error: TEXT }, { error: { message: TEXT } }]) {
        const [result] = await run(pool(), 'POST', body);
        expect(result?.message).to.include(`the controller answered 201${WITH_ERROR}`);
        expect(paths()).to.deep.equal(['GET', 'POST']);
      }
    });

    it('fails an update, a deletion and a read at once, with its text', async () => {
      await runTasks(fleet, [pool()]);
      const [update] = await run(pool({ description: 'new' }), 'PUT');
      expect([update?.status, update?.message]).to.satisfy(isRefused);
      expect(paths()).to.deep.equal(['GET', 'PUT']);
      const [deletion] = await run({ pool_absent: { name: 'web' } }, 'DELETE');
      expect([deletion?.status, deletion?.message]).to.satisfy(isRefused);
      expect(paths()).to.deep.equal(['GET', 'DELETE']);
      for (const body of [{ error: TEXT }, { error: TEXT, count: 0, results: [] }])
        expect((await run(pool(), 'GET', body)).map(({ status, message }) => [status, message])[0]).to.satisfy(
          isRefused,
        );
      expect(paths()).to.deep.equal(['GET']);
    });

    it('is not what cannot be read: a deletion looks whether the object is gone', async () => {
      for (const body of ['{"error": "cut', '<html>', ['error'], { error: null }, { name: 'error', error: TEXT }]) {
        await runTasks(fleet, [pool()]);
        const [deletion] = await run({ pool_absent: { name: 'web' } }, 'DELETE', body);
        expect(deletion?.message, JSON.stringify(body)).not.to.include(WITH_ERROR);
        expect(paths(), JSON.stringify(body)).to.include.members(['DELETE', 'GET']);
        expect(paths().slice(-1), JSON.stringify(body)).to.deep.equal(['GET']);
      }
    }).timeout(90_000);

    it('is never taken for an object that exists once', async () => {
      const task = { system_config: { dns_configuration: { search_domain: 'example.com' } } };
      const [result] = await run(task, 'GET');
      expect([result?.status, result?.message]).to.satisfy(isRefused);
    });

    it('fails a raw write and a raw read, with its text', async () => {
      for (const [body, text] of [
        [{ error: TEXT }, TEXT],
        [{ error: { code: 7, detail: TEXT } }, TEXT],
        [{ error: ['limit A', 'limit B'] }, '["limit A","limit B"]'],
        [{ errors: ['limit A', 'limit B'] }, '["limit A","limit B"]'],
      ] as const)
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
          for (const task of [
            { api_request: { method, path: '/api/poolgroup', ...(method !== 'GET' && { body: { x: 1 } }) } },
            { avi_api_session: { http_method: method.toLowerCase(), path: 'systemconfiguration', data: { x: 1 } } },
          ]) {
            const [result] = await run(task, method, body);
            expect([method, result?.status]).to.deep.equal([method, 'failed']);
            expect(result?.message).to.include(text);
          }
    }).timeout(60_000);

    it('is no error beside a name, a uuid or results', async () => {
      for (const beside of [{ name: 'x' }, { uuid: 'x-1' }, { results: [] }])
        for (const method of ['GET', 'POST']) {
          const body = { error: TEXT, ...beside };
          const [result] = await run({ api_request: { method, path: '/api/poolgroup' } }, method, body);
          expect(result?.status).to.equal(method === 'GET' ? 'ok' : 'changed');
        }
      for (const body of [{ error: null }, { error: '' }, { errors: [] }, { errors: {} }])
        expect((await run({ api_request: { path: '/api/poolgroup' } }, 'GET', body))[0]?.status).to.equal('ok');
    });

    it('of a raw request stays in the result, and failed_when decides', async () => {
      fleet.controller('lb1').behaviour = { faults: [DENIAL] };
      const request = { method: 'POST', path: '/api/poolgroup' };
      const { results } = await runTasks(fleet, [
        { api_request: request, register: 'answer', failed_when: false },
        { debug: { msg: '{{ answer.json.error }}' } },
      ]);
      expect(results.map(({ status }) => status)).to.deep.equal(['ok', 'ok']);
      expect(results[1]?.message).to.include(TEXT);
    });

    it('of a raw write is not applied in the journal', async () => {
      fleet.controller('lb1').behaviour = { faults: [DENIAL] };
      const tasks = [{ api_request: { method: 'POST', path: '/api/poolgroup' } }];
      const { journal } = await keptRun(
        JSON.stringify([{ hosts: 'all', tasks }]),
        { inventory: fleet.inventory },
        fleet,
      );
      const ends = journal.entries.flatMap((entry) => (entry.type === 'write-finished' ? [entry.outcome] : []));
      expect(ends).to.deep.equal(['unknown']);
    });

    function isRefused([status, message]: readonly (string | undefined)[]): boolean {
      return status === 'failed' && message?.includes(`the controller answered 200${WITH_ERROR}`) === true;
    }
  });
