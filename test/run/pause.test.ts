import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { emptyProject, evenkeel, type Project, STARTED } from '../rig/command.js';
import { Terminal } from '../rig/terminal.js';

const SITE = `
- hosts: all
  tasks:
    - { name: Ask, pause: { prompt: All green? }, register: answer }
    - { name: Say, debug: { msg: 'it is {{answer.user_input}}' } }
`;

const INCLUDING = `
- hosts: all
  vars: { file: check.yml }
  tasks:
    - { name: Wait, wait_for: { host: 127.0.0.1, port: '{{port}}', state: stopped, sleep: 0.1 } }
    - include_tasks: '{{file}}'
`;
const CHECK = `
- { name: Ask, pause: { prompt: All green? } }
- { name: Secret, pause: { prompt: 'Which word?', echo: false }, register: word }
- { name: Say, debug: { msg: 'it has {{word.user_input | length}} letters' } }
`;

describe('a pause with a prompt', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  before(async () => {
    project = await emptyProject({ 'site.yml': SITE, 'including.yml': INCLUDING, 'check.yml': CHECK });
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
  });
  after(() => project.remove());

  const run = ['run', 'site.yml', '-i', 'lb1,lb2,'];

  function start(program = process.execPath, words: readonly string[] = [...STARTED, ...run]): Terminal {
    const { directory: cwd } = project;
    terminal = new Terminal(program, words, { columns: 120, rows: 40, cwd });
    return terminal;
  }

  it('asks once in the terminal, and continues with the answer', async () => {
    const typed = start();
    await typed.shows('All green?');
    typed.press('green\r');
    expect(await typed.exited, typed.screen.text).to.equal(0);
    expect(typed.screen.text.match(/All green\?/g)).to.have.length(1);
    expect(typed.screen.text)
      .to.match(/lb1 +Say: it is green/)
      .and.to.match(/lb2 +Say: it is green/);
  });

  it('ends the run when the question is interrupted', async () => {
    const typed = start();
    await typed.shows('All green?');
    typed.press('\x03');
    expect(await typed.exited, typed.screen.text).to.equal(130);
    expect(typed.screen.text)
      .to.include('interrupted before it was answered')
      .and.to.not.match(/Say: it/);
  });

  const including = [...STARTED, 'run', 'including.yml', '-i', 'lb1,lb2,', '-e'];

  /** The run waits before its question, until the keys are pressed. */
  async function startWaiting(keys: string): Promise<Terminal> {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const typed = start(process.execPath, [...including, `port=${(server.address() as AddressInfo).port}`]);
    await typed.shows('1/2 Wait');
    typed.press(keys);
    server.close();
    await typed.shows('All green?');
    return typed;
  }

  it('takes no line for an answer that was typed before the question', async () => {
    const typed = await startWaiting('no\r\r');
    typed.press('yes\r');
    await typed.shows('Which word?');
    typed.press('\r');
    expect(await typed.exited, typed.screen.text).to.equal(0);
    expect(typed.screen.text).to.match(/All green\? yes\n/);
  });

  it('asks in an included file, below what has happened, and shows what comes after it', async () => {
    const typed = await startWaiting('');
    await typed.shows(/all · [\d.]+ s\n● lb1 {2}Ask\n● lb2 {2}\d tasks? done\nAll green\?$/);
    typed.press('yes\r');
    await typed.shows('Which word?');
    typed.press('hunter2\r');
    expect(await typed.exited, typed.screen.text).to.equal(0);
    expect(typed.screen.text)
      .to.match(/All green\? yes\nall[^]*\nWhich word\?\nok .*it has 7 letters\nok .*\n✔ all · 2 controllers/)
      .and.to.not.include('hunter2');
    expect(typed.screen.text.match(/All green\?/g)).to.have.length(1);
    expect(typed.screen.cursorShown).to.equal(true);
  });

  it('asks again after Ctrl-Z and fg', async () => {
    const typed = start('bash', [
      '--norc',
      '-ic',
      `set -m; ${[process.execPath, ...including, 'port=1'].join(' ')}; fg`,
    ]);
    await typed.shows('All green?');
    typed.press('ye\u001A');
    await typed.shows(/Stopped[^]*All green\? ye$/);
    typed.press('s\r');
    await typed.shows('Which word?');
    typed.press('\r');
    expect(await typed.exited, typed.screen.text).to.equal(0);
    expect(typed.screen.text).to.match(/All green\? yes\n/);
  });

  it('continues with a warning without a terminal', async () => {
    const { code, stdout, stderr } = await evenkeel(run, { cwd: project.directory });
    expect(code, stderr).to.equal(0);
    expect(stdout + stderr).to.include('"All green?" was not asked, because stdin is not a terminal');
  });
});
