import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project, STARTED } from '../rig/command.js';
import { Terminal } from '../rig/terminal.js';
import { writeBegins } from '../rig/write_begins.js';

const SIZE = { columns: 120, rows: 40 };
const FILES = {
  'evenkeel.yml': 'environments: { production: { inventory: inv.yml, confirm: true } }\n',
  'inv.yml': `all:
  vars:
    controller_url: https://{{inventory_hostname}}
    controller_api_version: 22.1.3
  hosts: { lb1: , lb2: }
`,
  // It counts as one that writes, and contacts nobody.
  'modules/announce.js': `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'announce',
  summary: 'Announces.',
  args: Type.Object({}),
  examples: [],
  check: false,
  run: () => Promise.resolve({ status: 'changed', message: 'done' }),
});
`,
  'slow.yml': `all:
  vars:
    controller_url: https://{{inventory_hostname}}
    controller_api_version: 22.1.3
    controller_simulation: { faults: [{ type: hang, when: { method: POST } }] }
  hosts: { lb1: }
`,
};

/** The built command in a real terminal. */
describe('in a terminal', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  beforeEach(async () => {
    project = await emptyProject(FILES);
  });
  afterEach(async () => {
    await terminal?.close();
    await project.remove();
  });

  function start(...args: readonly string[]): Terminal {
    terminal = new Terminal(process.execPath, [...STARTED, ...args], { ...SIZE, cwd: project.directory });
    return terminal;
  }

  /** In a shell with jobs, which continues it at once when it is stopped. */
  function startInShell(...args: readonly string[]): Terminal {
    const line = [process.execPath, ...STARTED, ...args].join(' ');
    terminal = new Terminal('bash', ['--norc', '-ic', `set -m; ${line}; fg`], { ...SIZE, cwd: project.directory });
    return terminal;
  }

  for (const args of [['compare'], ['capture', '--out', 'captured'], ['drift', 'p.yml']])
    it(`shows how far ${args[0] ?? ''} has read, and leaves only its result`, async () => {
      await project.write('p.yml', '- hosts: all\n  tasks: [{ cloud_present: { name: edge } }]\n');
      const open = start(...args, '-i', 'inv.yml', '--simulate');
      expect(await open.exited).to.equal(args[0] === 'drift' ? 3 : 0);
      expect(open.written).to.include('0 of 2 controllers read');
      expect(open.screen.text).to.not.match(/of 2 controllers read/);
    });

  it('prints no report on a terminal', async () => {
    const open = start('report', 'last');
    expect(await open.exited).to.equal(1);
    expect(open.screen.text).to.include('a report is an HTML file: pass its name with --out');
  });

  it('runs a task and ends with the recap', async () => {
    const { exited, screen } = start(
      'task',
      'all',
      '-m',
      'cloud_present',
      '-a',
      'name=edge',
      '-i',
      'inv.yml',
      '--simulate',
    );
    expect(await exited).to.equal(0);
    expect(screen.text)
      .to.match(/2 controllers, 2 changed/)
      .and.to.match(/2 controllers · 2 changed · [\d.]+ s$/);
    expect(screen.cursorShown).to.be.true;
  });

  it('asks for the name of an environment', async () => {
    const typed = start('task', 'all', '-m', 'announce', '--env', 'production');
    await typed.shows('Type "production" to continue:');
    expect(typed.screen.text).to.include('About to run announce on 2 controllers of production: lb1, lb2');
    typed.press('production\r');
    expect(await typed.exited).to.equal(0);
    expect(typed.screen.text).to.include('done');
  });

  for (const [title, keys, code, said] of [
    ['does nothing if something else is typed', 'prod\r', 1, /not confirmed: nothing was contacted$/],
    ['is interrupted by Ctrl-C in place of the name', '\u0003', 130, /interrupted: nothing was contacted$/],
  ] as const) {
    it(title, async () => {
      const typed = start('task', 'all', '-m', 'announce', '--env', 'production');
      await typed.shows('Type "production" to continue:');
      typed.press(keys);
      expect(await typed.exited).to.equal(code);
      expect(typed.screen.text).to.match(said).and.to.not.include('done');
    });
  }

  it('asks for the password without showing it', async () => {
    const asked = start('task', 'lb1', '-m', 'cloud_present', '-a', 'name=edge', '-i', 'inv.yml', '--simulate', '-k');
    await asked.shows('Controller password:');
    asked.press('correct-horse-battery\r');
    expect(await asked.exited).to.equal(0);
    expect(asked.screen.text).to.not.include('correct-horse-battery');
    expect(asked.screen.text).to.include('1 changed');
  });

  it('aborts requests at the second Ctrl-C, and restores the terminal', async () => {
    const hanging = start(
      'task',
      'lb1',
      '-m',
      'cloud_present',
      '-a',
      'name=edge',
      '-i',
      'slow.yml',
      '--simulate',
      '-v',
    );
    await hanging.shows(/lb1 .*cloud_present/);
    await writeBegins(project.directory);
    hanging.press('\x03');
    await hanging.shows('interrupted: finishing running writes');
    hanging.press('\x03');
    expect(await hanging.exited).to.equal(130);
    expect(hanging.screen.text.replaceAll(/\s+/g, ' ')).to.match(
      /interrupted again: aborting running requests; a resume finds out whether their writes took effect \(Ctrl-C again to exit at once; then continue with: evenkeel resume \S+\) warning: aborted: cloud_present on lb1 /,
    );
    expect(hanging.screen.cursorShown).to.be.true;
    expect(hanging.screen.text).to.include('recap');
  });

  for (const [what, args, question, before, after] of [
    ['question', ['-m', 'announce', '--env', 'production'], /Type "production" to continue: ?/, 'pro', 'duction'],
    [
      'password',
      ['-m', 'cloud_present', '-a', 'name=edge', '-i', 'inv.yml', '--simulate', '-k'],
      /Controller password:/,
      'corr',
      'ect',
    ],
  ] as const)
    it(`asks again for a ${what} after Ctrl-Z and fg, and keeps what was typed`, async () => {
      const asked = startInShell('task', 'all', ...args);
      await asked.shows(question);
      asked.press(`${before}\u001a`);
      await asked.shows(new RegExp(`Stopped[^]*${question.source}${what === 'question' ? before : ''}`));
      asked.press(`${after}\r`);
      expect(await asked.exited, asked.screen.text).to.equal(0);
    });

  it('gives the shell its cursor and its lines at Ctrl-Z, and paints again after fg', async () => {
    terminal = startInShell('task', 'all', '-i', 'slow.yml', '-m', 'cloud_present', '-a', 'name=x', '--simulate');
    await terminal.shows('1/1');
    terminal.press('\u001a');
    expect(await terminal.shows('Stopped')).to.not.include('1/1');
    const stopped = terminal.written.split('Stopped')[0] ?? '';
    expect(stopped.lastIndexOf('\u001b[?25h')).to.be.greaterThan(stopped.lastIndexOf('\u001b[?25l'));
    await terminal.shows('1/1');
    terminal.interrupt();
    await terminal.shows('interrupted');
    terminal.interrupt();
    expect(await terminal.exited).to.equal(130);
  });

  it('makes its files private', async () => {
    await start('task', 'lb1', '-m', 'cloud_present', '-a', 'name=edge', '-i', 'inv.yml', '--simulate').exited;
    const folder = path.join(project.directory, '.evenkeel');
    const files = await readdir(folder, { recursive: true });
    expect(files).to.not.be.empty;
    expect(await readFile(path.join(project.directory, 'inv.yml'), 'utf8')).to.equal(FILES['inv.yml']);
  });
});
