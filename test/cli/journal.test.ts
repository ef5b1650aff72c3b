import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { InvalidInputError, runPlaybook } from '../../src/index.js';
import type { RunHeader } from '../../src/record/journal/format/run_header.js';
import { command, emptyProject, ownHome, type Project, STARTED } from '../rig/command.js';
import { readKept } from '../rig/kept.js';

const SLOW = '{ faults: [{ type: latency, when: { method: POST }, milliseconds: 700 }] }';
const FILES = {
  'inv.yml': `all:
  vars:
    controller_url: https://{{inventory_hostname}}
    controller_api_version: 22.1.3
    controller_username: admin
    controller_password: hunter22
  hosts: { lb1: {}, lb2: { controller_simulation: ${SLOW} } }
`,
  'p.yml': '- hosts: all\n  tasks: [{ cloud_present: { name: edge } }]\n',
};

interface Kept {
  readonly header: RunHeader;
  readonly events: readonly Event[];
  readonly outcomes: readonly string[];
}

describe('the journal of a run', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject(FILES);
  });
  afterEach(() => project.remove());

  async function kept(): Promise<Kept> {
    const state = path.join(project.directory, '.evenkeel');
    const [id = '', ...others] = await readdir(path.join(state, 'runs'));
    expect(others).to.deep.equal([]);
    const events: Event[] = [];
    return readKept(
      state,
      id,
      ({ header, writes }) => ({ header, events, outcomes: writes().map(({ outcome }) => outcome) }),
      { onEvent: (event) => events.push(event) },
    );
  }

  const start = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [...STARTED, 'run', 'p.yml', '-i', 'inv.yml', '--simulate', '-o', 'json', ...args], {
      cwd: project.directory,
      env: { ...ownHome(project.directory) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });

  it('has the same events as --output json', async () => {
    const args = ['run', 'p.yml', '-i', 'inv.yml', '--simulate', '-o', 'json'];
    const { stdout } = await command(process.execPath, [...STARTED, ...args], { cwd: project.directory });
    const { events, outcomes, header } = await kept();
    expect(events).to.deep.equal(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Event),
    );
    expect(outcomes).to.deep.equal(['applied', 'applied']);
    expect(header).to.deep.include({ command: 'run', playbooks: ['p.yml'], argv: args, simulated: true, check: false });
    expect(header.end).to.deep.include({ status: 'ok', exitCode: 0, controllers: 2 });
  });

  it('is complete when the output is closed', async () => {
    const child = start();
    child.stdout?.once('data', () => child.stdout?.destroy());
    await once(child, 'close');
    const { events, outcomes } = await kept();
    expect(events.at(-1)).to.include({ type: 'run-finished', status: 'ok' });
    expect(outcomes).to.deep.equal(['applied', 'applied']);
  });

  it('is whole after Ctrl-C', async () => {
    const child = start();
    let sent = false;
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!sent && chunk.toString().includes('"task-started"')) sent = child.kill('SIGINT');
    });
    await once(child, 'close');
    const { events, header } = await kept();
    expect(events.at(-1)).to.include({ type: 'run-finished', status: 'interrupted' });
    expect(header.end).to.include({ status: 'interrupted', exitCode: 130 });
  });

  it('has all reported events after the third Ctrl-C ended the process at once', async () => {
    const child = start();
    let stdout = '';
    let over = false;
    const insist = (): void => {
      if (over) return;
      child.kill('SIGINT');
      setImmediate(insist);
    };
    child.once('exit', () => (over = true));
    child.stdout?.on('data', (chunk: Buffer) => {
      // lb1 has created its cloud, and the answer to lb2 is slow.
      const before = stdout.includes('"changed"');
      stdout += chunk.toString();
      if (!before && stdout.includes('"changed"')) insist();
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    // A signal during Node's own exit ends it at once; a shell shows 130 for both.
    expect(code ?? signal).to.be.oneOf([130, 'SIGINT']);
    const { events, outcomes, header } = await kept();
    expect(events.some((event) => event.type === 'task-finished' && event.status === 'changed')).to.be.true;
    expect(outcomes[0]).to.equal('applied');
    // On a busy machine, it may finish before the third.
    expect(header.end?.status ?? 'cut off').to.be.oneOf(['cut off', 'interrupted']);
  });

  it('is written for runs of the library', async () => {
    const emitted: Event[] = [];
    const options = { playbooks: ['p.yml'], inventory: ['inv.yml'], cwd: project.directory, env: {}, simulate: true };
    const finished = await runPlaybook({ ...options, onEvent: (event) => emitted.push(event) });
    const { events, header } = await kept();
    expect(events).to.deep.equal(JSON.parse(JSON.stringify(emitted)));
    expect(header).to.include({ id: finished.run, command: 'run' });
  });

  it('is closed when a listener throws', async () => {
    const options = { playbooks: ['p.yml'], inventory: ['inv.yml'], cwd: project.directory, env: {}, simulate: true };
    const broken = new Error('a listener');
    const [result] = await Promise.allSettled([
      runPlaybook({
        ...options,
        onEvent: ({ type }) => {
          if (type === 'run-finished') throw broken;
        },
      }),
    ]);
    expect(result).to.deep.equal({ status: 'rejected', reason: broken });
    expect((await kept()).events.at(-1)).to.include({ type: 'run-finished' });
  });

  it('refuses a run of the library that may write if the journal cannot', async () => {
    await project.write('.evenkeel', 'a file');
    const options = { playbooks: ['p.yml'], inventory: ['inv.yml'], cwd: project.directory, env: {} };
    const [result] = await Promise.allSettled([runPlaybook(options)]);
    expect(result.status === 'rejected' && result.reason).to.be.instanceOf(InvalidInputError);
    expect(String(result.status === 'rejected' && result.reason)).to.match(
      /cannot keep a journal of the run in .*: not a directory: nothing was contacted \(Evenkeel keeps every run that may write; /,
    );
  });

  it('has the texts of the tasks so far while the run goes on', async () => {
    const tasks = ['debug: ', 'pause: { seconds: 1.1 }', 'pause: { seconds: 0.8 }', 'debug: '];
    const lines = tasks.map((task, at) => `    - { name: Task ${at}, ${task} }\n`);
    await project.write('slow.yml', `- hosts: all\n  tasks:\n${lines.join('')}`);
    const runs = path.join(project.directory, '.evenkeel/runs');
    let seen = '';
    const onEvent = (event: Event): void => {
      if (event.type === 'task-finished' && event.task === 'Task 3')
        seen = readFileSync(path.join(runs, event.run, 'tasks.json'), 'utf8');
    };
    const { directory: cwd } = project;
    await runPlaybook({ playbooks: ['slow.yml'], inventory: 'lb1,', cwd, env: {}, onEvent });
    expect(seen).to.include('Task 0').and.not.include('Task 3');
  });
});
