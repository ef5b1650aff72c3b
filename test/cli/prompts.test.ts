import { expect } from 'chai';
import { emptyProject, evenkeel, type Project, STARTED } from '../rig/command.js';
import { Terminal } from '../rig/terminal.js';

const SITE = `
- hosts: '{{target}}'
  vars: { stage: test }
  vars_prompt:
    - name: target
      prompt: Where in {{stage}}
      default: lb1
      private: false
    - name: password
      confirm: true
  tasks:
    - name: Tell
      debug: { msg: 'signs in with {{password}}' }
- hosts: lb2
  vars_prompt:
    - name: password
      confirm: true
    - { name: version, private: false, prompt: Which version }
  tasks:
    - name: Version
      debug: { msg: 'version {{version}} with {{password}}' }
`;

const PIN = `
- hosts: lb1
  vars_prompt: [{ name: pin }, { name: where, private: false }]
  tasks: [debug: { msg: '{{pin}} in {{where}}' }]
`;

const RUN = ['run', 'site.yml', '-i', 'lb1,lb2,'];

describe('vars_prompt', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  before(async () => {
    project = await emptyProject({ 'site.yml': SITE, 'pin.yml': PIN });
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
  });
  after(() => project.remove());

  function start(...args: readonly string[]): Terminal {
    terminal = new Terminal(process.execPath, [...STARTED, ...RUN, ...args], {
      columns: 120,
      rows: 40,
      cwd: project.directory,
    });
    return terminal;
  }

  async function answer(typed: Terminal, question: string | RegExp, text: string): Promise<void> {
    await typed.shows(question);
    typed.press(`${text}\r`);
  }

  it('is asked before the run: with its default, unseen and twice where wanted, each question once', async () => {
    const typed = start('-v');
    await answer(typed, 'Where in test [lb1]:', '');
    await answer(typed, /^password:$/m, 'correct-horse');
    await answer(typed, /^confirm password:$/m, 'correct-hoarse');
    expect(await typed.shows(/confirm password:\s+\S/)).to.match(/confirm password:\s+the/);
    await answer(typed, /the two answers differ\s+password:$/, 'correct-horse');
    await answer(typed, /differ\s+password:\s+confirm password:$/, 'correct-horse');
    await answer(typed, 'Which version:', '1.2');
    expect(await typed.exited, typed.screen.text).to.equal(0);
    expect(typed.written).to.not.include('correct-ho');
    expect(typed.screen.text)
      .to.match(/ok +lb1 +Tell: signs in with \*{8}\n/)
      .and.to.match(/ok +lb2 +Version: version 1\.2 with \*{8}\n/);
  });

  it('ends when the user interrupts the question', async () => {
    const typed = start();
    await typed.shows('Where in test [lb1]:');
    typed.press('\x03');
    expect(await typed.exited).to.equal(130);
    expect(typed.screen.text).to.include('evenkeel: interrupted: nothing was contacted or written');
    expect(typed.screen.text).to.not.include('password');
  });

  it('takes one line of what is pasted, and neither shows the rest nor answers the next question with it', async () => {
    const typed = start();
    await typed.shows('Where in test [lb1]:');
    typed.press('lb2\rcorrect-horse\rmore\r');
    const shown = await typed.shows(/^password:$/m);
    expect(shown).to.include('lb2\nevenkeel: only the first line of what was pasted is the answer\npassword:');
    expect(typed.written).to.not.include('horse').and.to.not.include('more');
    typed.press('\x03');
    expect(await typed.exited).to.equal(130);
    expect(typed.screen.text).to.match(/\npassword:\s*\nevenkeel: interrupted/);
  });

  it('does not ask for what -e sets', async () => {
    const { code, stdout } = await evenkeel([...RUN, '-e', 'target=lb2 password=abcdef version=3', '-o', 'json'], {
      cwd: project.directory,
    });
    expect(code).to.equal(0);
    expect(stdout).to.include('"message":"version 3 with ********"');
  });

  it('masks the value that -e sets for a private prompt', async () => {
    const run = ['run', 'pin.yml', '-i', 'lb1,', '-e', 'pin=squirrel where=forest', '-o', 'json'];
    const { code, stdout } = await evenkeel(run, { cwd: project.directory });
    expect(code).to.equal(0);
    expect(stdout).to.include('"message":"******** in forest"').and.to.not.include('squirrel');
  });

  it('uses the default without a terminal, and is refused if there is none', async () => {
    const { code, stdout, stderr } = await evenkeel([...RUN, '-e', 'password=abcdef'], { cwd: project.directory });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.equal(`error: vars_prompt asks for "version", but stdin is not a terminal
  --> site.yml:18:7
     |
  16 |     - name: password
  17 |       confirm: true
  18 |     - { name: version, private: false, prompt: Which version }
     |       ^
  19 |   tasks:
  20 |     - name: Version
  = hint: pass -e version=…, or run in a terminal

1 error
`);
  });

  it('asks nothing for a listing or a syntax check', async () => {
    const { code, stdout } = await evenkeel([...RUN, '--list-hosts'], { cwd: project.directory });
    expect(code).to.equal(0);
    expect(stdout).to.include('play #1 (lb1): lb1').and.to.include('play #2 (lb2): lb2');
    const checked = await evenkeel([...RUN, '--syntax-check'], { cwd: project.directory });
    expect(checked).to.include({ code: 0, stdout: '\nplaybook: site.yml\n' });
  });
});
