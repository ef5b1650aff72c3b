import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { RememberedAnswers, type Question } from '../../../src/launch/load/answers.js';
import { loadRun, type LoadedRun } from '../../../src/launch/load/load_run.js';
import { describeInvocation } from '../../../src/launch/prepare/prepare_run.js';
import { readFingerprint, readInvocation, toRunRequest } from '../../../src/launch/request/invocation.js';
import type { RunOptions } from '../../../src/launch/request/run_request.js';
import { inFolder } from '../../rig/folder.js';

const FILES = {
  'site.yml': '- hosts: all\n  tasks: [debug: ]\n',
  'inventory.yml': 'all: { hosts: { lb1: , lb2: , lb3: } }\n',
  'evenkeel.yml': `forks: 7
strategy: linear
environments: { staging: { inventory: inventory.yml, limit: '!lb3' } }
`,
};

async function loaded(cwd: string, options: RunOptions): Promise<LoadedRun> {
  const diagnostics = new Diagnostics();
  const run = await loadRun({ type: 'files', files: ['site.yml'] }, options, { cwd, env: {} }, diagnostics);
  if (run === undefined || diagnostics.failed()) throw new Error(JSON.stringify(diagnostics.list));
  return run;
}

describe('the kept request of a run', () => {
  it('includes the settings of the project and its environment, but no passwords', async () => {
    await inFolder(FILES, async (cwd) => {
      const options: RunOptions = {
        env: 'staging',
        limit: 'lb2:lb3',
        extraVars: ['a=1'],
        tags: ['x'],
        check: true,
        askPass: true,
        verbosity: 3,
      };
      const command = { type: 'run', playbooks: ['site.yml'] } as const;
      const answers = [{ name: 'pin', question: 'PIN: ', answer: '1234' }];
      const invocation = describeInvocation({ ...options, command }, await loaded(cwd, options), answers, cwd);
      const { fingerprintKey, ...others } = invocation;
      expect(fingerprintKey).to.match(/^[\w-]{43}$/);
      expect(others).to.deep.equal({
        cwd,
        command,
        inventory: ['inventory.yml'],
        env: 'staging',
        limit: 'lb2:lb3',
        limitedTo: ['lb2'],
        maxRegistered: 16 * 2 ** 20,
        extraVars: ['a=1'],
        modulePath: [],
        tags: ['x'],
        forks: 7,
        strategy: 'linear',
        check: true,
        askPass: true,
        answers,
      });
      expect(readInvocation(invocation)).to.deep.equal(invocation);
      const again = await loaded(cwd, toRunRequest(invocation));
      expect([...(again.target.limit ?? [])]).to.deep.equal(['lb2']);
      expect(again.target.limitPattern).to.equal('lb2:lb3');
    });
  });

  it('has the inventory of the command, else that of its environment, else that of the project', () =>
    inFolder({ ...FILES, 'evenkeel.yml': `${FILES['evenkeel.yml']}inventory: project.yml\n` }, async (cwd) => {
      for (const name of ['own', 'project'])
        await writeFile(path.join(cwd, `${name}.yml`), 'all: { hosts: { lb1: , lb3: } }\n');
      const command = { type: 'run', playbooks: ['site.yml'] } as const;
      const inventory = async (options: RunOptions) =>
        describeInvocation({ ...options, command }, await loaded(cwd, options), [], cwd).inventory;
      expect(await inventory({ inventory: ['own.yml'], env: 'staging', limit: 'lb1' })).to.deep.equal(['own.yml']);
      expect(await inventory({ env: 'staging' })).to.deep.equal(['inventory.yml']);
      expect(await inventory({})).to.deep.equal(['project.yml']);
    }));

  it('has a fingerprint, unless it is in another format', () => {
    const fingerprint = { version: '1', files: { a: 'x' }, programs: {}, controllers: ['lb1'], plays: ['p'] };
    expect(readFingerprint(fingerprint)).to.deep.equal(fingerprint);
    expect(readFingerprint({ ...fingerprint, controllers: 'lb1' })).to.equal(undefined);
  });

  it('is not accepted in another format', () => {
    expect(readInvocation({ cwd: '/' })).to.equal(undefined);
    expect(readInvocation({})).to.equal(undefined);
  });
});

describe('answers of an earlier run', () => {
  const question = (name: string, text = `${name}: `): Question => ({ name, text, private: false, confirm: false });

  it('are used for the same questions; other questions are asked', async () => {
    const asked: string[] = [];
    const remembered = new RememberedAnswers([{ name: 'a', question: 'a: ', answer: 'old' }], ({ text }) => {
      asked.push(text);
      return Promise.resolve(text === 'c: ' ? { type: 'unanswered' } : { type: 'answered', answer: 'new' });
    });
    expect(await remembered.respond(question('a'))).to.deep.equal({ type: 'answered', answer: 'old' });
    expect(await remembered.respond(question('a', 'which a: '))).to.deep.equal({ type: 'answered', answer: 'new' });
    expect(await remembered.respond(question('c'))).to.deep.equal({ type: 'unanswered' });
    expect(asked).to.deep.equal(['which a: ', 'c: ']);
    expect(remembered.given).to.deep.equal([
      { name: 'a', question: 'a: ', answer: 'old' },
      { name: 'a', question: 'which a: ', answer: 'new' },
    ]);
  });
});
