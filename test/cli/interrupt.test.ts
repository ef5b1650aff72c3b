import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, evenkeel, ownHome, type Project, STARTED } from '../rig/command.js';
import { eventsOf, finishedOf } from '../rig/events_of.js';
import { writeBegins } from '../rig/write_begins.js';

const FILES = {
  'inv.yml': `all:
  vars:
    controller_url: https://{{inventory_hostname}}
    controller_api_version: 22.1.3
    controller_simulation: { faults: [{ type: latency, when: { method: POST }, milliseconds: 700 }] }
  hosts: { lb1: }
`,
  'p.yml': `- hosts: all
  tasks:
    - cloud_present: { name: edge }
    - cloud_present: { name: second }
`,
};

/** A lookup that does not end before the file `go` exists. */
const WAITING = "lookup('pipe', 'sh wait.sh')";

describe('an interrupt', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject(FILES);
  });
  afterEach(() => project.remove());

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`lets the running write finish and starts nothing new (${signal})`, async () => {
      const child = spawn(
        process.execPath,
        [...STARTED, 'run', 'p.yml', '-i', 'inv.yml', '--simulate', '-o', 'json', '-vvv'],
        {
          cwd: project.directory,
          env: { ...ownHome(project.directory) },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let stdout = '';
      const ended = new Promise((resolve) => child.on('close', resolve));
      await new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          stdout += chunk.toString();
          if (stdout.includes('"request-finished"')) resolve();
        });
      });
      // The GET is answered, and the answer to the POST is slow.
      await writeBegins(project.directory);
      child.kill(signal);
      expect(await ended).to.equal(code);
      const methods = eventsOf(stdout).flatMap((event) => (event.type === 'request-finished' ? [event.method] : []));
      expect(methods.filter((method) => method === 'POST')).to.have.lengthOf(1);
      const finished = finishedOf(stdout);
      expect(finished).to.include({ status: 'interrupted', exitCode: 130 });
      expect(finished.stats['lb1']).to.include({ ok: 1, changed: 1 });
    });
  }

  it('names what the second Ctrl-C aborted, also in its events', async () => {
    await project.write('inv.yml', FILES['inv.yml'].replace('700', '60000'));
    const args = ['run', 'p.yml', '-i', 'inv.yml', '--simulate', '-o', 'lines', '--report', 'json=events.json'];
    const child = spawn(process.execPath, [...STARTED, ...args, '-vvv'], {
      cwd: project.directory,
      env: { ...ownHome(project.directory) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    let sent = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (sent === 0 && stdout.includes('GET ') && child.kill('SIGINT')) sent = 1;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      if (sent === 1 && stderr.includes('interrupted: finishing') && child.kill('SIGINT')) sent = 2;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).to.equal(130);
    expect(stderr).to.include('warning: aborted: cloud_present on lb1\n');
    expect(stdout).to.include('  = sent, but not confirmed: cloud "edge"\n');
    const events = eventsOf(await readFile(path.join(project.directory, 'events.json'), 'utf8'));
    const finished = events.find(({ type }) => type === 'task-finished');
    expect(finished).to.deep.include({ status: 'unreachable', unconfirmed: true });
    expect(finished).to.have.nested.property('change.object', 'cloud "edge"');
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends a run whose regular expressions never would (${signal})`, async () => {
      await project.write('slow.yml', SLOW);
      const args = [...STARTED, 'run', 'slow.yml', '-i', 'inv.yml', '--simulate', '-o', 'json'];
      const child = spawn(process.execPath, args, {
        cwd: project.directory,
        env: { ...ownHome(project.directory) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
        if (!child.killed && stdout.includes('"task-started"')) child.kill(signal);
      });
      expect(await new Promise((resolve) => child.on('close', resolve))).to.equal(code);
      expect(finishedOf(stdout)).to.include({ status: 'interrupted' });
    });
  }

  for (const [signal, ended] of [
    ['SIGINT', { code: 130, by: null }],
    ['SIGTERM', { code: null, by: 'SIGTERM' }],
  ] as const) {
    it(`ends a run that waits for the command of a pipe lookup, and the command (${signal})`, async () => {
      await project.write('pipe.yml', PIPE);
      const folder = watch(project.directory);
      const args = [...STARTED, 'run', 'pipe.yml', '-i', 'inv.yml', '--simulate', '-o', 'json'];
      const child = spawn(process.execPath, args, {
        cwd: project.directory,
        env: { ...ownHome(project.directory) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      folder.on('change', (_, name) => {
        if (name === 'started') child.kill(signal);
      });
      const found = await new Promise((resolve) =>
        child.on('close', (code, by) => {
          resolve({ code, by });
        }),
      );
      folder.close();
      expect(found).to.deep.equal(ended);
      const tasks = stdout.split('\n').filter((line) => line.includes('"task-finished"'));
      if (signal === 'SIGINT') expect(tasks.join()).to.include('"status":"interrupted"').and.to.include('echo $$');
      const command = Number(await readFile(path.join(project.directory, 'started'), 'utf8'));
      // It fails when the process no longer exists.
      while (isAlive(command)) await new Promise((resolve) => setImmediate(resolve));
      await rm(path.join(project.directory, 'started'));
    });
  }
  for (const [what, steps] of Object.entries({
    'the loop of a block': `  tasks: [{ block: [debug: ], loop: "{{ ${WAITING} | from_json }}" }]\n`,
    'the break_when of a block': `  tasks: [{ block: [debug: ], loop: [1], loop_control: { break_when: "${WAITING} == '[1]'" } }]\n`,
    'the condition of a meta step': `  tasks: [{ meta: noop, when: "${WAITING} == '[1]'" }]\n`,
    'the name of a file of vars_files': `  vars_files: ["{{ inventory_hostname }}{{ ${WAITING} | length }}.yml"]\n  tasks: []\n`,
  }))
    it(`fails nothing while ${what} is evaluated, and a resume goes on`, async () => {
      await project.write('inv.yml', 'all: { hosts: { lb1: } }\n');
      await project.write('lb13.yml', 'a: 1\n');
      await project.write('wait.sh', "test -e go && echo '[1]' || { echo $$ > pid; mv pid started; exec sleep 60; }\n");
      const play = `- hosts: all\n  any_errors_fatal: true\n  pre_tasks: [{ name: first, debug: }]\n${steps}`;
      await project.write('p.yml', `${play}  post_tasks: [{ name: last, debug: }]\n`);
      const folder = watch(project.directory);
      const child = spawn(process.execPath, [...STARTED, 'run', 'p.yml', '-i', 'inv.yml', '-o', 'json'], {
        cwd: project.directory,
        env: { ...ownHome(project.directory) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      folder.on('change', (_, name) => {
        if (name === 'started') child.kill('SIGINT');
      });
      expect(await new Promise((resolve) => child.on('close', resolve))).to.equal(130);
      folder.close();
      expect(stdout).to.not.include('"status":"failed"');
      expect(finishedOf(stdout)).to.include({ status: 'interrupted' });
      await project.write('go', '');
      const resumed = await evenkeel(['resume', 'last'], { cwd: project.directory });
      expect(resumed.code, resumed.stdout + resumed.stderr).to.equal(0);
      expect(resumed.stdout).to.include('last');
    });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const PIPE = `- hosts: all
  tasks:
    - debug: { msg: "{{ lookup('pipe', 'echo $$ > pid; mv pid started; exec sleep 60', errors='ignore') }}" }
`;

/** Each item uses V8's whole time limit. */
const SLOW = `- hosts: all
  tasks:
    - debug: { msg: "{{ ('a' * 40 ~ 'b') | regex_search('^(a+)+\\\\1$') }}" }
      loop: "{{ range(300) | list }}"
      ignore_errors: true
`;
