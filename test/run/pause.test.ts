import { expect } from 'chai';
import { emptyProject, evenkeel, type Project, STARTED } from '../rig/command.js';
import { Terminal } from '../rig/terminal.js';

const SITE = `
- hosts: all
  tasks:
    - { name: Ask, pause: { prompt: All green? }, register: answer }
    - { name: Say, debug: { msg: 'it is {{answer.user_input}}' } }
`;

describe('a pause with a prompt', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  before(async () => {
    project = await emptyProject({ 'site.yml': SITE });
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
  });
  after(() => project.remove());

  const run = ['run', 'site.yml', '-i', 'lb1,lb2,'];

  function start(): Terminal {
    const { directory: cwd } = project;
    terminal = new Terminal(process.execPath, [...STARTED, ...run], { columns: 120, rows: 40, cwd });
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

  it('continues with a warning without a terminal', async () => {
    const { code, stdout, stderr } = await evenkeel(run, { cwd: project.directory });
    expect(code, stderr).to.equal(0);
    expect(stdout + stderr).to.include('"All green?" was not asked, because stdin is not a terminal');
  });
});
