import { once } from 'node:events';
import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Scene } from '../launch/undo/rig.js';
import { emptyProject, type Project, STARTED } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { Terminal } from '../rig/terminal.js';
import { ENCRYPTED_FILE } from '../rig/vault.js';

const LAB = `all:
  hosts: { lb1: , lb2: }
  vars:
    controller_url: 'https://{{inventory_hostname}}'
    controller_username: admin
    controller_api_version: 22.1.3
    controller_simulation: { faults: [{ type: latency, when: { method: POST }, milliseconds: 1500 }] }
`;
const CLOUDS = '- hosts: all\n  tasks:\n    - cloud_present: { name: edge }\n    - cloud_present: { name: second }\n';
const FILES = {
  'evenkeel.yml': 'environments: { production: { inventory: inv.yml, confirm: true } }\n',
  'inv.yml': LAB,
  'p.yml': CLOUDS,
  'prompt.yml': `- hosts: lb1
  vars_prompt: [{ name: hidden }, { name: shown, private: false }]
  tasks: [debug: { msg: '{{shown}}' }]
`,
  'pause.yml': "- hosts: lb1\n  tasks: [{ pause: { prompt: 'Go on?' } }, { debug: { msg: later } }]\n",
  'a.yml': ENCRYPTED_FILE,
  'plain.yml': 'a: 1\n',
};

const EDGE = '- hosts: all\n  tasks: [{ cloud_present: { name: edge, mtu: 9000 } }]\n';
const PROTECTED = 'inventory: inventory.yml\nenvironments: { live: { inventory: inventory.yml, confirm: true } }\n';

/** A command and its questions: all but the last are answered with "x". */
type Asks = readonly [args: readonly string[], ...questions: RegExp[]];

const QUESTIONS: readonly Asks[] = [
  [['run', 'p.yml', '-i', 'inv.yml', '--simulate', '-J'], /Vault password:/],
  [['run', 'p.yml', '-i', 'inv.yml', '--simulate', '--vault-id', 'lab@prompt'], /Vault password \(lab\)/],
  [['run', 'p.yml', '-i', 'inv.yml', '-k'], /Controller password/],
  [['lint', 'p.yml', '-J'], /Vault password/],
  [['run', 'prompt.yml', '-i', 'lb1,'], /hidden:/],
  [['run', 'prompt.yml', '-i', 'lb1,'], /hidden:/, /shown:/],
  [['run', 'p.yml', '-E', 'production', '-k'], /Type "production" to continue/],
  [['vault', 'view', 'a.yml'], /Vault password/],
  [['vault', 'edit', 'a.yml'], /Vault password/],
  [['vault', 'create', 'new.yml'], /New Vault password:/],
  [['vault', 'create', 'new.yml'], /New Vault password:/, /Confirm New Vault password:/],
  [['vault', 'encrypt', 'plain.yml'], /New Vault password/],
  [['vault', 'encrypt-string', '--prompt'], /New Vault password:/, /Confirm New Vault password:/, /Variable name/],
  [
    ['vault', 'encrypt-string', '--prompt'],
    /New Vault password:/,
    /Confirm New Vault password:/,
    /Variable name/,
    /String to encrypt/,
  ],
  [['init', 'lab'], /Environments \[/],
  [['init', 'lab'], /Environments \[/, /in which a run asks before it writes/],
  [['run', 'pause.yml', '-i', 'lb1,'], /Go on\?/],
  [['run', 'p.yml', '-i', 'inv.yml', '--simulate', '--step'], /Perform task/],
];

/** What is done before, and the question that follows from it. */
const LATER: readonly (readonly [before: readonly string[], asked: Asks])[] = [
  [
    ['run', 'edge.yml'],
    [['rollback', 'last'], /Type "yes" to restore 2 objects on 2 controllers/],
  ],
  [
    ['plan', 'edge.yml', '-E', 'live', '--out', 'saved.plan'],
    [['apply', 'saved.plan'], /Type "live" to continue/],
  ],
];

/** A shell writes the process id and the exit code into files, because the terminal may be gone. */
const CODE = `trap "" HUP; sh -c 'echo $$ > pid; exec "$@"' sh "$@"; echo $? > code`;

describe('the end of a terminal', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  beforeEach(async () => {
    project = await emptyProject(FILES);
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
    await project.remove();
  });

  async function reaches([args, ...questions]: Asks, cwd = project.directory): Promise<Terminal> {
    const words = ['-c', CODE, 'sh', process.execPath, ...STARTED, ...args];
    terminal = new Terminal('sh', words, { columns: 120, rows: 40, cwd });
    for (const [index, question] of questions.entries()) {
      if (index > 0) terminal.press('x\r');
      await terminal.shows(question);
    }
    return terminal;
  }

  /** Reads the file again after each change of its folder, until the text is as wanted. */
  async function textOf(file: string, isWanted: (text: string) => boolean): Promise<string> {
    const watcher = watch(path.dirname(file));
    try {
      for (;;) {
        // Before it is read, so that no change is missed.
        const changed = once(watcher, 'change');
        const text = await readFile(file, 'utf8').catch(() => '');
        if (isWanted(text)) return text;
        await changed;
      }
    } finally {
      watcher.close();
    }
  }

  async function code(directory = project.directory): Promise<number> {
    return Number(await textOf(path.join(directory, 'code'), (text) => text.endsWith('\n')));
  }

  for (const asked of QUESTIONS) {
    const asks = `${asked[0].join(' ')} at ${asked.at(-1)?.toString() ?? ''}`;

    it(`by Ctrl-C is an interrupt, exit 130: ${asks}`, async () => {
      const open = await reaches(asked);
      open.interrupt();
      expect(await code(), open.screen.text).to.equal(130);
      // The screen may be behind the file.
      await open.shows('interrupted');
      expect(open.screen.text).to.include('interrupted').and.to.not.include('error:');
    });

    it(`by a closed window ends the command, exit 143: ${asks}`, async () => {
      const open = await reaches(asked);
      open.hangUp();
      expect(await code(), open.screen.text).to.equal(143);
    });

    for (const [title, isLost] of [
      ['by SIGTERM', false],
      ['by SIGTERM with a closed window', true],
    ] as const)
      it(`${title} ends the command, exit 143: ${asks}`, async () => {
        const open = await reaches(asked);
        const id = Number(await readFile(path.join(project.directory, 'pid'), 'utf8'));
        if (isLost) open.hangUp();
        try {
          process.kill(id, 'SIGTERM');
        } catch {
          // The loss of its terminal has ended it.
        }
        expect(await code(), open.screen.text).to.equal(143);
      });
  }

  it('by Ctrl-\\ at a question ends the process', async () => {
    const open = await reaches([['run', 'p.yml', '-i', 'inv.yml', '-k'], /Controller password/]);
    open.press('\u001c');
    expect(await code(), open.screen.text).to.equal(131);
  });

  for (const [args, ready] of [
    [['ui'], /press Ctrl-C to stop/],
    [['simulate', '-i', 'inv.yml'], /press Ctrl-C to stop/],
  ] as const) {
    it(`ends a command that serves until it is ended, exit 143: ${args[0]}`, async () => {
      const open = await reaches([args, ready]);
      open.hangUp();
      expect(await code(), open.screen.text).to.equal(143);
    });
  }

  for (const [before, asked] of LATER)
    for (const [title, expected, end] of [
      [
        'Ctrl-C',
        130,
        (open: Terminal) => {
          open.interrupt();
        },
      ],
      [
        'a closed window',
        143,
        (open: Terminal) => {
          open.hangUp();
        },
      ],
    ] as const)
      it(`by ${title} leaves every controller alone, exit ${String(expected)}: ${asked[0].join(' ')}`, async () => {
        const scene = await Scene.open({ 'edge.yml': EDGE });
        try {
          await scene.project.write('evenkeel.yml', PROTECTED);
          expect(await scene.evenkeel(...before)).to.include({ code: 0 });
          scene.forgetRequests();
          end(await reaches(asked, scene.project.directory));
          expect(await code(scene.project.directory)).to.equal(expected);
          expect(scene.writes()).to.deep.equal([]);
        } finally {
          await scene.close();
        }
      });

  it('during a run lets the running writes finish, records them, and exits 143', async () => {
    const open = await reaches([['run', 'p.yml', '-i', 'inv.yml', '--simulate'], /cloud_present/]);
    const runs = path.join(project.directory, '.evenkeel/runs');
    const [run = ''] = await readdir(runs);
    await textOf(path.join(runs, run, 'journal.jsonl'), (text) => text.includes('"write":2'));
    open.hangUp();
    expect(await code()).to.equal(143);
    const { stdout } = await evenkeel(['runs', 'last'], { cwd: project.directory });
    expect(stdout).to.include(
      '\nwrites\n  lb1  POST cloud "edge": applied\n  lb2  POST cloud "edge": applied\n\nwarnings\n',
    );
  });

  /** Starts drift with a script before it, and closes the window when that says "up". */
  async function endsEarly(script: string): Promise<number> {
    await project.write(
      'wait.cjs',
      `const wait = () => { fs.writeSync(1, 'up'); while (isatty(1)); };
const fs = require('fs'); const { isatty } = require('tty'); ${script}`,
    );
    const words = ['-c', CODE, 'sh', process.execPath, '--require', './wait.cjs', ...STARTED, 'drift', 'p.yml'];
    const size = { columns: 80, rows: 24, cwd: project.directory };
    terminal = new Terminal('sh', [...words, '-i', 'inv.yml', '--simulate'], size);
    await terminal.shows('up');
    terminal.hangUp();
    return code();
  }

  it('may come before any code of Evenkeel is loaded', async () => {
    // The signal of the closed window may come too early to interrupt the command. It never crashes: 134.
    expect(await endsEarly("process.on('SIGHUP', () => {}); wait();")).to.be.oneOf([3, 143]);
  });

  it('may come before a run has started, with SIGTERM', async () => {
    const early = 'setImmediate(() => { wait(); process.kill(process.pid, "SIGTERM"); })';
    expect(await endsEarly(`process.on('newListener', (name) => { if (name === 'SIGHUP') ${early}; });`)).to.equal(143);
  });
});
