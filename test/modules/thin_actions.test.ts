import path from 'node:path';
import { expect } from 'chai';
import includeRole from '../../modules/include_role.js';
import includeTasks from '../../modules/include_tasks.js';
import includeVars from '../../modules/include_vars.js';
import { filesIn } from '../../modules/include_vars/folder.js';
import { apiFileservice } from '../../modules/kinds/vendor_modules.js';
import ping from '../../modules/ping.js';
import waitFor from '../../modules/wait_for.js';
import waitUntil from '../../modules/wait_until.js';
import { ControllerError } from '../../src/controller/exchange/call.js';
import type { Ping } from '../../src/core/model/run/ping.js';
import { act } from '../rig/action_context.js';
import { inFolder } from '../rig/folder.js';

describe('ping', () => {
  const found: Ping = {
    url: 'https://lb1',
    address: '10.0.0.1',
    route: null,
    tls: { protocol: 'TLSv1.3', issuer: 'CA', expires: '2027-01-01T00:00:00.000Z', days_left: 30 },
    username: 'ann',
    sign_in: 'basic',
    api_version: '22.1.3',
    version: null,
    tenant: null,
    milliseconds: 1.5,
    failure: null,
  };
  const asking = (answer: Ping, asked: unknown[] = []) => ({
    parts: {
      ping: (...given: readonly unknown[]) => {
        asked.push(given);
        return Promise.resolve(answer);
      },
    },
  });

  it('registers what it has found, and its text', async () => {
    const asked: unknown[] = [];
    const { failure: _failure, ...values } = found;
    expect(await act(ping, {}, asking(found, asked))).to.deep.equal({
      status: 'ok',
      values: { ping: 'pong', ...values },
    });
    expect(await act(ping, { data: 'hi' }, asking({ ...found, tls: null }))).to.deep.equal({
      status: 'ok',
      values: { ping: 'hi', ...values, tls: null },
    });
    expect(asked).to.deep.equal([[true]]);
  });

  it('fails as the tasks of other modules do', async () => {
    const error = new ControllerError({ method: 'GET', path: '/api/cloud/' }, 'no');
    const failure = { step: 'TCP', message: 'no', hint: null, status: 'unreachable', error } as const;
    const [result] = await Promise.allSettled([act(ping, {}, asking({ ...found, failure }))]);
    expect(result).to.deep.equal({ status: 'rejected', reason: error });
  });
});

describe('includes', () => {
  it('register what they include, which the run reads', async () => {
    const args = { name: 'web', tasks_from: 'other' };
    expect(await act(includeRole, args)).to.deep.equal({
      status: 'ok',
      values: { include_args: { ...args, allow_duplicates: true, rolespec_validate: true, public: false } },
      effect: { type: 'include' },
    });
    expect(await act(includeTasks, { file: 'a.yml' })).to.deep.equal({
      status: 'ok',
      values: { include: 'a.yml' },
      effect: { type: 'include' },
    });
  });

  it('of variables can leave out several ends of names, and read folders by their paths', () =>
    inFolder(
      { 'a/x.yml': '', 'a/b/y.yml': '', 'a-b/z.yml': '', 'skip.me': '', 'skip.too': '', 'r.yml': '' },
      async (dir) => {
        const parts = { readVariables: () => Promise.resolve(undefined), searchPath: () => [] };
        const { values } = await act(includeVars, { dir, ignore_files: '.me  \n.too' }, { parts });
        const read = ['r.yml', 'a/x.yml', 'a-b/z.yml', 'a/b/y.yml'].map((name) => path.join(dir, name));
        expect(values?.['ansible_included_var_files']).to.deep.equal(read);
        expect(await act(includeVars, { dir: 'none' }, { parts })).to.deep.equal({
          status: 'failed',
          message: `there is no folder ${path.resolve('none')}`,
          hint: undefined,
        });
        const choice = {
          depth: 2,
          matching: undefined,
          ignored: ['me', 'too'],
          extensions: ['yml'],
          otherExtensions: 'refuse',
        } as const;
        expect(await filesIn(dir, choice)).to.deep.equal(read.slice(0, 3));
      },
    ));
});

describe('a file of the file service', () => {
  it('is below it', async () => {
    for (const name of ['../x', 'a/../x', 'a b', 'ü', '?x=1'])
      for (const upload of [true, false])
        expect(await act(apiFileservice, { upload, path: name, file_path: 'f' }), name).to.deep.equal({
          status: 'failed',
          message: `"${name}" is not a path below /api/fileservice`,
        });
  });
});

describe('a wait', () => {
  const signal = AbortSignal.abort();

  it('for a time or a port is interrupted', async () => {
    const slept: number[] = [];
    const shown = { elapsed: 0, state: 'started', search_regex: null, match_groups: [], match_groupdict: {} };
    const message = 'interrupted while waiting';
    expect(await act(waitFor, { timeout: 5, delay: 2 }, { parts: { signal }, slept })).to.deep.equal({
      status: 'interrupted',
      message,
      values: { ...shown, port: null },
    });
    expect(await act(waitFor, { port: 443, delay: 1 }, { parts: { signal }, slept })).to.deep.equal({
      status: 'interrupted',
      message,
      values: { ...shown, port: 443 },
    });
    expect(slept).to.deep.equal([7, 1]);
  });

  it('for an object is interrupted after a look at it', async () => {
    const waited: string[] = [];
    const answer = () => ({ status: 200, body: { state: 'DOWN' } });
    const args = { path: '/api/x', field: 'state', value: 'UP' };
    expect(await act(waitUntil, args, { answer, waited, parts: { signal } })).to.deep.equal({
      status: 'interrupted',
      message: 'interrupted while waiting: state is DOWN, not UP',
      values: { object: { state: 'DOWN' }, value: 'DOWN', attempts: 1, elapsed: 0 },
    });
    expect(waited).to.deep.equal(['state is DOWN, not UP']);
  });
});
