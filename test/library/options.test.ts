import { expect } from 'chai';
import { InvalidInputError, loadInventory, resume, rollback, runPlaybook, runTask } from '../../src/index.js';

type Call = (options?: unknown) => Promise<unknown>;

const FUNCTIONS = { runPlaybook, runTask, resume, rollback, loadInventory } as unknown as Record<string, Call>;
const WHOLE: Readonly<Record<string, object>> = {
  runPlaybook: { playbooks: ['p.yml'] },
  runTask: { pattern: 'all', module: 'debug' },
  resume: { run: 'last' },
  rollback: { run: 'last' },
  loadInventory: {},
};
const START = { check: 1, modules: [null], modulePath: 'x', state: 'no', shard: 3 };
const TARGET = { inventory: [3], environment: 3, limit: ['a'], extraVars: 'a=b', vaultIds: [3] };
const PROGRAM = { cwd: 3, env: 'x' };
const CONDUCT = {
  forks: 0,
  maxRegistered: '1MB',
  simulate: 'yes',
  apiVersions: ['22'],
  verbosity: -1,
  wait: 1,
  reason: 3,
  ticket: 3,
  onEvent: 'x',
  signal: {},
};
/** A wrong value for each option of each function. */
const WRONG: Readonly<Record<string, object>> = {
  runPlaybook: {
    ...PROGRAM,
    ...TARGET,
    ...CONDUCT,
    ...START,
    playbooks: 'p.yml',
    answers: ['a'],
    tags: 'x',
    skipTags: [1],
    strategy: 'x',
    startAtTask: 3,
    forceHandlers: 1,
  },
  runTask: { ...PROGRAM, ...TARGET, ...CONDUCT, ...START, pattern: 3, module: {}, args: 'msg=hi' },
  resume: { ...PROGRAM, ...CONDUCT, run: 3, force: 1, vaultIds: 'x', modules: {} },
  rollback: { ...PROGRAM, ...TARGET, ...CONDUCT, run: null, check: 1, allowLockout: 1, force: 1 },
  loadInventory: { ...PROGRAM, ...TARGET },
};

async function messageOf(name: string, options?: unknown): Promise<string> {
  const error: unknown = await FUNCTIONS[name]?.(options).catch((thrown: unknown) => thrown);
  expect(error, name).to.be.instanceOf(InvalidInputError);
  return (error as InvalidInputError).message;
}

describe('options of the library', () => {
  it('are named in one sentence if they are missing', async () => {
    expect(await messageOf('runPlaybook')).to.equal('playbooks is missing');
    expect(await messageOf('runPlaybook', {})).to.equal('playbooks is missing');
    expect(await messageOf('runTask', {})).to.equal('pattern is missing\nmodule is missing');
    expect(await messageOf('resume', {})).to.equal('run is missing');
    expect(await messageOf('rollback', { run: undefined })).to.equal('run is missing');
    expect(await messageOf('runPlaybook', 'p.yml')).to.equal('runPlaybook takes an object of options, not this text');
    expect(await messageOf('loadInventory', null)).to.equal('loadInventory takes an object of options, not null');
  });

  for (const [name, wrong] of Object.entries(WRONG))
    it(`are named in one sentence if they are wrong: ${name}`, async () => {
      for (const [option, value] of Object.entries(wrong)) {
        const message = await messageOf(name, { ...WHOLE[name], [option]: value as unknown });
        expect(message).to.match(new RegExp(`^${option} must be .*, not .*$`));
      }
    });

  it('say what they take, and show no value that may be a secret', async () => {
    const { runPlaybook: whole } = WHOLE;
    expect(await messageOf('runPlaybook', { ...whole, forks: 0 })).to.equal(
      'forks must be a whole number from 1, or "auto", not 0',
    );
    expect(await messageOf('runPlaybook', { playbooks: [] })).to.equal(
      'playbooks must be a list of at least one text, not an empty list',
    );
    expect(await messageOf('runPlaybook', { ...whole, tags: [] })).to.equal(
      'tags must be a list of at least one text, not an empty list',
    );
    for (const one of ['runPlaybook', 'runTask', 'loadInventory'])
      expect(await messageOf(one, { ...WHOLE[one], inventory: [] })).to.match(
        /^inventory must be .*, not an empty list$/,
      );
    for (const shard of ['x', '3/2', '0/2'])
      expect(await messageOf('runPlaybook', { ...whole, shard })).to.equal(
        "shard must be I/N with I from 1 to N, such as '2/4', or auto/N, not this text",
      );
    expect(await messageOf('runPlaybook', { ...whole, extraVars: 'token=hunter2' })).to.equal(
      'extraVars must be an object of values by name, not this text',
    );
  });
});
