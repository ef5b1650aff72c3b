import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { builtinModules } from '../../modules/index.js';
import { EXIT } from '../../src/core/model/exit_code.js';
import { validateArguments } from '../../src/module/arguments/validation.js';
import { BINARY, emptyProject, evenkeel, type Ended, type Project } from '../rig/command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { Terminal, type TerminalSize } from '../rig/terminal.js';

interface Start extends Ended {
  /** Files of the build, in the order of loading. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/** What a command writes to a terminal. */
async function inTerminal(size: TerminalSize, args: readonly string[]): Promise<{ code: number; stdout: string }> {
  const terminal = new Terminal(process.execPath, [BINARY, ...args], size);
  const code = await terminal.exited;
  return { code, stdout: terminal.screen.text };
}

/** Nothing is left that could end its task. */
const WAITING = `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'waits',
  summary: 'waits',
  args: Type.Object({}),
  examples: [],
  check: true,
  run: () => new Promise(() => undefined),
});
`;

/** Every file costs time, and every 20 KB a millisecond until its compiled code is kept: the budget of bench/rows/start.ts without a clock. */
describe('the start of the built command', () => {
  let fleet: Fleet;
  let project: Project;

  beforeEach(async () => {
    [fleet, project] = await Promise.all([startFleet(), emptyProject()]);
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  /** Node's coverage report names every file, also required ones. */
  async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Start> {
    const folder = path.join(project.directory, '.coverage');
    const ended = await evenkeel(args, { cwd: project.directory, env: { ...env, NODE_V8_COVERAGE: folder } });
    const [report = ''] = await readdir(folder);
    const { result } = JSON.parse(await readFile(path.join(folder, report), 'utf8')) as { result: { url: string }[] };
    await rm(folder, { recursive: true });
    const urls = [...new Set(result.map(({ url }) => url))].filter((url) => url.startsWith('file:'));
    const files = urls.map((url) => fileURLToPath(url)).filter((file) => file.startsWith(path.dirname(BINARY)));
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    return {
      ...ended,
      files: files.map((file) => path.basename(file)),
      bytes: sizes.reduce((sum, one) => sum + one, 0),
    };
  }

  it('reads almost nothing to print the version', async () => {
    const { code, files, bytes } = await start(['--version']);
    expect(code).to.equal(0);
    expect(files).to.have.lengthOf.at.most(3);
    expect(bytes).to.be.below(5_000);
  });

  it('reads almost nothing to print help, and prints what the program would', async () => {
    const made = await evenkeel(['help'], { cwd: project.directory });
    for (const option of ['--help', '-h']) {
      const { code, stdout, bytes } = await start([option]);
      expect([code, stdout]).to.deep.equal([EXIT.ok, made.stdout]);
      expect(bytes).to.be.below(5_000);
    }
    const { code, stdout } = await inTerminal({ columns: 40, rows: 60 }, ['help']);
    expect([code, stdout.trimEnd()]).to.deep.equal([EXIT.ok, made.stdout.trimEnd()]);
  });

  it('prints help without modules of Node that only tasks need', async () => {
    const file = path.join(project.directory, 'loaded.cjs');
    await writeFile(file, `process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));`);
    const { stdout, stderr, bytes } = await start(['help'], { NODE_OPTIONS: `--require=${file}` });
    expect(stdout).to.include('Runs playbooks');
    const loaded = stderr.split('\n').filter((line) => line.startsWith('NativeModule '));
    expect(loaded).to.include('NativeModule fs');
    expect(loaded.filter((line) => /^NativeModule (?:child_process|crypto|tls|https?)$/.test(line))).to.deep.equal([]);
    expect(bytes).to.be.below(180_000);
  });

  it('reads few files for a completion, also of names in the inventory', async () => {
    for (const words of [['ru'], ['run', '-i', fleet.inventoryFile, '-l', 'l']]) {
      const { stdout, files, bytes } = await start(['__complete', 'zsh', ...words]);
      expect(stdout).to.not.equal('');
      expect(files.filter((name) => name.endsWith('.cjs'))).to.deep.equal([]);
      expect(files).to.have.lengthOf.at.most(10);
      expect(bytes).to.be.below(933_000);
    }
  });

  it('reads few files for a task, and no unnecessary package', async () => {
    const task = ['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'cloud_present', '-a', 'name=edge'];
    const { stdout, files, bytes } = await start(task);
    expect(stdout).to.include('lb1  ok=1   changed=1');
    expect(files.filter((name) => name.endsWith('.cjs'))).to.deep.equal([]);
    expect(files).to.have.lengthOf.at.most(22);
    // Detects accidental loading.
    expect(bytes).to.be.below(1_699_000);
  });

  it('compares no names for a task on one controller: the rules of languages take as long as the rest', async () => {
    const file = path.join(project.directory, 'collators.cjs');
    await writeFile(file, `Intl.Collator = new Proxy(Intl.Collator, { construct: () => process.abort() });`);
    const task = ['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'cloud_present', '-a', 'name=edge'];
    const { code } = await start(task, { NODE_OPTIONS: `--require=${file}` });
    expect(code).to.equal(EXIT.ok);
  });

  it('reads the table of kinds for a module of a kind, and no package to check its arguments', async () => {
    const task = ['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'pool_present', '-a', 'name=web'];
    const { stdout, files } = await start(task);
    expect(stdout).to.include('lb1  ok=1   changed=1');
    expect(files.filter((name) => name.endsWith('.cjs'))).to.deep.equal([]);
    expect(files.filter((name) => name.startsWith('kind_modules'))).to.have.lengthOf(1);
  });

  it('loads none of the modules of Node that the task does not use', async () => {
    const file = path.join(project.directory, 'loaded.cjs');
    await writeFile(file, `process.on('exit', () => console.log(process.moduleLoadList.join('\\n')));`);
    const args = ['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'cloud_present', '-a', 'name=edge'];
    const { stdout } = await start(args, { NODE_OPTIONS: `--require=${file}` });
    const loaded = stdout.split('\n').filter((line) => line.startsWith('NativeModule '));
    expect(loaded).to.include('NativeModule fs');
    expect(loaded.filter((line) => /^NativeModule (?:child_process|worker_threads|zlib)$/.test(line))).to.deep.equal(
      [],
    );
  });

  it('starts programs, though it loads what starts them then', async () => {
    await project.write('fleet.sh', `#!/bin/sh\necho '{"edge": ["lb1"]}'\n`);
    await chmod(path.join(project.directory, 'fleet.sh'), 0o700);
    const { code, stdout } = await evenkeel(['inventory', '-i', 'fleet.sh', '--graph'], { cwd: project.directory });
    expect([code, stdout]).to.deep.equal([EXIT.ok, '@all:\n  |--@ungrouped:\n  |--@edge:\n  |  |--lb1\n']);
  });

  it('reads the parser for processors without SIMD only on those', async () => {
    const args = ['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'cloud_present', '-a', 'name=edge'];
    const env = { UNDICI_NO_WASM_SIMD: '1' };
    const { stdout, files } = await start(args, env);
    expect(stdout).to.include('lb1  ok=1 ');
    expect(files).to.include('llhttp-wasm.cjs');
  });

  it('reads what templates need when a task has one', async () => {
    const task = ['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'debug', '-a', 'msg="{{ 6 * 7 }}"'];
    const { stdout, files } = await start(task);
    expect(stdout).to.include('lb1  debug: 42');
    expect(files.filter((name) => name.endsWith('.cjs'))).to.deep.equal(['handlebars.cjs']);
  });

  it('fails, and says so, if nothing is left that could end the command', async () => {
    await project.write('modules/waits.ts', WAITING);
    const { code, stderr } = await evenkeel(['task', 'localhost,', '-m', 'waits'], { cwd: project.directory });
    expect(code).to.equal(13);
    expect(stderr).to.match(
      /^evenkeel: not finished: "waits" on localhost; continue with: evenkeel resume \S+\nevenkeel: ended early: a promise is still pending\n$/,
    );
    const task = ['task', 'localhost,', '-m', 'waits', '-o', 'quiet'];
    await project.write('modules/waits.ts', WAITING.replace('new Promise(() => undefined)', 'process.exit()'));
    const ended = await evenkeel(task, { cwd: project.directory });
    expect(ended.code).to.equal(13);
    expect(ended.stderr).to.match(
      /^evenkeel: not finished: "waits" on localhost; continue with: evenkeel resume \S+\nevenkeel: ended early: code of the project called process\.exit\(\)\n$/,
    );
    const after = `(setTimeout(() => process.exit(0), 999), { status: 'failed', message: 'no' })`;
    await project.write('modules/waits.ts', WAITING.replace('new Promise(() => undefined)', after));
    expect(await evenkeel(task, { cwd: project.directory })).to.include({ code: EXIT.failed, stderr: '' });
    // What it leaves behind fails: the run ends in good order.
    const later = `(setTimeout(() => { throw new Error('la\\u001b[2Jte'); }), new Promise((resolve) => { setTimeout(resolve, 99, { status: 'ok' }); }))`;
    await project.write('modules/waits.ts', WAITING.replace('new Promise(() => undefined)', later));
    const failed = await evenkeel(task, { cwd: project.directory });
    expect([failed.code, failed.stdout]).to.satisfy(
      ([code, stdout]: [number, string]) => code === 130 && stdout.includes('evenkeel resume '),
    );
    expect(failed.stderr).to.match(
      /^evenkeel: code of the project failed outside of its task, which ends the command:\nError: late\n/,
    );
    const unheard = later.replace(
      String.raw`setTimeout(() => { throw new Error('la\u001b[2Jte'); })`,
      "import('node:net').then(({ connect }) => connect(9, '127.0.0.1'))",
    );
    await project.write('modules/waits.ts', WAITING.replace('new Promise(() => undefined)', unheard));
    const refused = await evenkeel(task, { cwd: project.directory });
    expect([refused.code, refused.stderr.split('\n', 2)]).to.deep.equal([
      130,
      [
        'evenkeel: something failed outside of a task, which ends the command:',
        'Error: connect ECONNREFUSED 127.0.0.1:9',
      ],
    ]);
  });

  it('checks the arguments of built-in modules with precompiled validators, and reports the same errors', async () => {
    const wrong = { nonsense: [1], name: {}, timeout: 'x', fields: 1, msg: [], path: 3 };
    const loaded = await Promise.all(Object.values(builtinModules).map(async (load) => (await load()).default));
    const expected = loaded.flatMap((module) => {
      const checked = validateArguments(module, wrong, 'static');
      return 'problems' in checked ? checked.problems.map(({ message }) => message) : [];
    });
    const tasks = loaded.map(({ name }) => `    - ${name}: ${JSON.stringify(wrong)}\n`);
    await project.write('wrong.yml', `- hosts: all\n  tasks:\n${tasks.join('')}`);
    const { code, stderr, files } = await start(['run', 'wrong.yml', '-i', fleet.inventoryFile, '--syntax-check']);
    expect(code).to.equal(EXIT.usage);
    expect(expected).to.have.lengthOf.at.least(loaded.length);
    for (const message of expected) expect(stderr).to.include(message);
    expect(files).not.to.include('ajv.cjs');
  });
});
