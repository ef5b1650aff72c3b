import { expect } from 'chai';
import { emptyProject, type Project, STARTED } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { Terminal } from '../rig/terminal.js';

const SITE = `
- hosts: all
  tasks:
    - { name: First, debug: { msg: one } }
    - { name: Second, debug: { msg: two } }
    - { name: Third, debug: { msg: three } }
    - { name: Fourth, debug: { msg: four } }
`;

describe('--step', () => {
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

  const run = ['run', 'site.yml', '-i', 'lb1,lb2,', '--step'];

  function start(columns = 120): Terminal {
    const { directory: cwd } = project;
    terminal = new Terminal(process.execPath, [...STARTED, ...run], { columns, rows: 40, cwd });
    return terminal;
  }

  it('asks once for each task: no, yes, and no more questions', async () => {
    const typed = start();
    await typed.shows(/^Perform task: First \(N\)o\/\(y\)es\/\(c\)ontinue:$/m);
    typed.press('\r');
    await typed.shows('Perform task: Second (N)o/(y)es/(c)ontinue:');
    typed.press('y\r');
    const before = await typed.shows('Perform task: Third (N)o/(y)es/(c)ontinue:');
    expect(before).to.match(/(ok +lb[12] +Second: two\n){2}Perform task: Third/);
    typed.press('c\r');
    expect(await typed.exited, typed.screen.text).to.equal(0);
    expect(typed.screen.text).to.include('linear').and.to.not.include('one').and.to.not.include('Perform task: Fourth');
    expect(typed.screen.text).to.match(/lb1 {2}ok=3 /);
  });

  it('ends the run when the question is interrupted', async () => {
    const typed = start(40);
    await typed.shows('Perform task: First');
    typed.press('\x03');
    expect(await typed.exited, typed.screen.text).to.equal(130);
    expect(typed.screen.text)
      .to.include('interrupted: finishing running writes')
      .and.to.not.include('Perform task: Second')
      .and.to.not.include('one');
  });

  it('is refused without a terminal, with a strategy other than task by task, and without line output', async () => {
    const { code, stdout, stderr } = await evenkeel([...run, '--strategy', 'free', '-o', 'json'], {
      cwd: project.directory,
    });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.equal(`error: --step asks before each task, but stdin is not a terminal
  = hint: run it in a terminal

error: --step shows what each task did: it cannot be used with --output json

error: --step runs task by task: it cannot be used with --strategy free

3 errors
`);
  });
});
