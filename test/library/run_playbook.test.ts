import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { InvalidInputError, loadInventory, runPlaybook, type Event } from '../../src/index.js';
import { exampleProject, ROOT, type Project } from '../rig/command.js';

/** What `import { runPlaybook } from 'evenkeel'` imports; the package smoke test does the same with the packed package. */
describe('runPlaybook', () => {
  let project: Project;
  before(async () => {
    project = await exampleProject();
  });
  after(() => project.remove());

  const rollout = { playbooks: ['playbooks/rollout.yml'], simulate: true, env: {} };

  it('runs, passes on each event, and returns the result', async () => {
    const events: Event[] = [];
    const { directory: cwd } = project;
    const options = { ...rollout, cwd, environment: 'staging', extraVars: { domain: 'elsewhere.example' } };
    const result = await runPlaybook({ ...options, onEvent: (event) => events.push(event) });
    expect(result).to.include({ status: 'ok', exitCode: 0 });
    expect(Object.keys(result.stats)).to.have.lengthOf(4);
    expect(events[0]).to.include({ type: 'run-started', environment: 'staging', simulated: true });
    expect({ ...events.at(-1), warnings: [] }).to.deep.equal(result);
    expect(JSON.stringify(events)).to.include('elsewhere.example');
    const again = await runPlaybook(options);
    expect(Object.values(again.stats).map(({ changed }) => changed)).to.deep.equal([0, 0, 0, 0]);
  });

  it('throws all errors at once, and contacts nothing', async () => {
    const [result] = await Promise.allSettled([
      runPlaybook({ ...rollout, cwd: project.directory, playbooks: ['none.yml'], limit: 'nobody' }),
    ]);
    expect(result.status).to.equal('rejected');
    if (result.status !== 'rejected') return;
    expect(result.reason).to.be.instanceOf(InvalidInputError);
    expect((result.reason as InvalidInputError).message)
      .to.include('none.yml')
      .and.to.include('nobody');
  });

  it('throws from the line of the caller, which Node shows if nothing catches it', async () => {
    const calls = [
      () => runPlaybook({ playbooks: [] }),
      () => loadInventory({ inventory: 'none', cwd: project.directory }),
    ];
    for (const call of calls) {
      const stack = await (async () => {
        try {
          return JSON.stringify(await call());
        } catch (error) {
          return error instanceof InvalidInputError ? error.stack : undefined;
        }
      })();
      expect(stack?.split('\n').find((line) => /^ {4}at /.test(line))).to.include('run_playbook.test.');
    }
  });

  it('takes answers to vars_prompt, and refuses to run without', async () => {
    await project.write(
      'playbooks/ask.yml',
      `- hosts: all[0]
  vars_prompt: [{ name: token }, { name: version, private: false }, { name: stage, default: test }]
  tasks: [{ debug: { msg: '{{version}} on {{stage}} with {{token}}' } }]
`,
    );
    const messages: unknown[] = [];
    const ask = { playbooks: ['playbooks/ask.yml'], cwd: project.directory, env: {} };
    const onEvent = (event: Event): void => {
      if (event.type === 'task-finished') messages.push(event.message);
    };
    await runPlaybook({ ...ask, answers: { version: '1.2.3', token: 'abc-123' }, onEvent });
    expect(messages).to.deep.equal(['1.2.3 on test with ********']);
    const [none, misspelt] = await Promise.all(
      [{}, { version: '1', token: 'abc-123', stagee: 'live' }].map(async (answers) => {
        const [result] = await Promise.allSettled([runPlaybook({ ...ask, answers, onEvent })]);
        return result.status === 'rejected' ? String(result.reason) : result.status;
      }),
    );
    expect(none)
      .to.include('vars_prompt asks for "token", but "answers" has no value for it')
      .and.to.include('vars_prompt asks for "version"');
    expect(misspelt).to.include('answers has "stagee", but no vars_prompt asks for it (did you mean "stage"?)');
    expect(messages).to.have.lengthOf(1);
  });

  it('reports the warnings of loading, after the run has started', async () => {
    const events: Event[] = [];
    await project.write('playbooks/warned.yml', '- hosts: all,nobody\n  tasks: []\n');
    const warned = { ...rollout, cwd: project.directory, playbooks: ['playbooks/warned.yml'] };
    const { warnings } = await runPlaybook({ ...warned, onEvent: (event) => events.push(event) });
    expect(warnings.map(({ message }) => message).join()).to.include('"nobody" matches no controller');
    expect(events.slice(0, 2).map(({ type }) => type)).to.deep.equal(['run-started', 'warning']);
    expect(events[1]).to.have.property('message').that.includes('"nobody" matches no controller');
  });

  it('has recorded everything it reported when the process exits', async () => {
    const cwd = project.directory;
    const library = path.join(ROOT, 'src/index.ts');
    const program = `
      import { runPlaybook } from ${JSON.stringify(library)};
      void runPlaybook({ playbooks: ['playbooks/rollout.yml'], simulate: true, env: {}, cwd: ${JSON.stringify(cwd)},
        onEvent: (event) => {
          if (event.type !== 'task-finished') return;
          process.stdout.write(event.run);
          process.exit(7);
        } });
    `;
    await project.write('program.mts', program);
    const args = ['--import', 'tsx', path.join(cwd, 'program.mts')];
    const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: ROOT }, (error, out) => {
        resolve({ code: error?.code, stdout: out });
      });
    });
    expect(code).to.equal(7);
    const journal = await readFile(path.join(cwd, '.evenkeel/runs', stdout, 'journal.jsonl'), 'utf8');
    expect(journal).to.include('"type":"task-finished"');
  });

  it('lets writes finish and starts nothing new when its signal is aborted', async () => {
    const stop = new AbortController();
    const result = await runPlaybook({
      ...rollout,
      cwd: project.directory,
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === 'task-finished') stop.abort();
      },
    });
    expect(result).to.include({ status: 'interrupted', exitCode: 130 });
    expect(result.unstarted).to.not.be.empty;
  });
});
