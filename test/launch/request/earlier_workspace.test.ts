import { homedir } from 'node:os';
import { expect } from 'chai';
import { earlierWorkspace, toRunRequest, type Invocation } from '../../../src/launch/request/invocation.js';
import { keptRequest, picked, refusal, runRequest } from '../../../src/launch/request/run_request.js';

const COMMAND = { type: 'run', playbooks: ['site.yml'] } as const;
const INVOCATION: Invocation = { command: COMMAND, cwd: '/then', fingerprintKey: 'key', answers: [] };

describe('the workspace of an earlier run', () => {
  const now = (env: Readonly<Record<string, string>>) => ({ cwd: '/now', env: { A: '1', ...env } });

  for (const [what, kept, env, expected] of [
    ['is its folder', {}, {}, { EVENKEEL_CONFIG: undefined }],
    ['has its project file', { config: '/then/a.yml' }, {}, { EVENKEEL_CONFIG: '/then/a.yml' }],
    [
      'has the project file that is named now, in the folder of now',
      { config: '/then/a.yml' },
      { EVENKEEL_CONFIG: 'b.yml' },
      { EVENKEEL_CONFIG: '/now/b.yml' },
    ],
    [
      'has its project file if an empty one is named',
      { config: '/then/a.yml' },
      { EVENKEEL_CONFIG: '' },
      { EVENKEEL_CONFIG: '/then/a.yml' },
    ],
    [
      'has the state folder that is named now',
      {},
      { EVENKEEL_STATE_DIR: 'state' },
      { EVENKEEL_CONFIG: undefined, EVENKEEL_STATE_DIR: '/now/state' },
    ],
    [
      'has those that are named in the home folder',
      {},
      { EVENKEEL_CONFIG: '~/a.yml', EVENKEEL_STATE_DIR: '~/state' },
      { EVENKEEL_CONFIG: `${homedir()}/a.yml`, EVENKEEL_STATE_DIR: `${homedir()}/state` },
    ],
    [
      'has no state folder of an empty name',
      {},
      { EVENKEEL_STATE_DIR: '' },
      { EVENKEEL_CONFIG: undefined, EVENKEEL_STATE_DIR: '' },
    ],
    [
      'starts no programs if the run did not',
      { noExec: true },
      {},
      { EVENKEEL_CONFIG: undefined, EVENKEEL_NO_EXEC: '1' },
    ],
    ['may start programs otherwise', { noExec: false }, {}, { EVENKEEL_CONFIG: undefined }],
    [
      'starts no programs if this command does not',
      {},
      { EVENKEEL_NO_EXEC: '1' },
      { EVENKEEL_CONFIG: undefined, EVENKEEL_NO_EXEC: '1' },
    ],
  ] as const)
    it(what, () => {
      expect(earlierWorkspace({ cwd: '/then', ...kept }, now(env))).to.deep.equal({
        cwd: '/then',
        env: { A: '1', ...expected },
      });
    });
});

describe('the request of an earlier run', () => {
  it('is for the controllers that it had, whatever its limit selects now', () => {
    expect(toRunRequest(INVOCATION)).to.deep.equal({ command: COMMAND, limit: undefined, within: undefined });
    const given = { ...INVOCATION, tags: ['a'], check: true, limitedTo: ['lb1', 'lb2'] };
    expect(toRunRequest(given)).to.deep.equal({
      command: COMMAND,
      tags: ['a'],
      check: true,
      limit: undefined,
      within: { controllers: ['lb1', 'lb2'] },
    });
    expect(toRunRequest({ ...given, limit: 'emea' }).within).to.deep.equal({
      controllers: ['lb1', 'lb2'],
      pattern: 'emea',
    });
    expect(toRunRequest({ ...INVOCATION, limit: 'emea' }).within).to.equal(undefined);
  });
});

describe('a request', () => {
  const options = { tags: ['a'], check: false, limit: undefined, reason: 'why', yes: true, output: 'json' };

  it('has the options of a run that are set, and no others', () => {
    expect(runRequest(COMMAND, options)).to.deep.equal({
      command: COMMAND,
      tags: ['a'],
      check: false,
      reason: 'why',
      yes: true,
    });
    expect(keptRequest(runRequest(COMMAND, options))).to.deep.equal({ command: COMMAND, tags: ['a'], check: false });
    expect(picked({ a: 0, b: undefined, c: '', toString: 1 }, { a: 1, b: 1, c: 1 })).to.deep.equal({ a: 0, c: '' });
  });

  it('is refused with a hint if there is one', () => {
    expect(refusal({ message: 'no' })).to.deep.equal({
      status: 'refused',
      diagnostics: [{ severity: 'error', message: 'no' }],
    });
    expect(refusal({ message: 'no', hint: 'yes' }).diagnostics).to.deep.equal([
      { severity: 'error', message: 'no', hint: 'yes' },
    ]);
  });
});
