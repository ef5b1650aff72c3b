import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Simulator } from '../../../src/simulator/simulator.js';
import { evenkeel as built, emptyProject, ownHome, STARTED, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/gate_command.js';
import { IS_WHOLE, shareOf, type Amounts } from '../../rig/random_seed.js';
import { Terminal } from '../../rig/terminal.js';
import { CALLS, MADE, type Call } from './planted/commands.js';
import { failingControllers, failingFiles } from './planted/failing.js';
import { controllers, files } from './planted/project.js';
import { found, SECRETS } from './planted/secrets.js';

/** Wide enough that no line is broken. */
const SIZE = { columns: 4000, rows: 60 };

/** Of the calls and chains of calls, one in so many. */
const SHARES: Readonly<Record<string, Amounts>> = {
  run: { change: 24, gate: 16 },
  ...Object.fromEntries(
    ['task', 'render', 'drift', 'resume', 'report', 'compare', 'inventory', 'lint', 'doc'].map((name) => [
      name,
      { change: 6, gate: 3 },
    ]),
  ),
  ...Object.fromEntries(['ping', 'routes', 'completion', 'config'].map((name) => [name, { change: 2, gate: 1 }])),
};

/** What compiles the tests keeps its results in the temporary folder. */
const TSX_CACHE = 'tmp/tsx-';

describe('planted secrets', () => {
  let simulator: Simulator;
  let project: Project;
  let planted: ReadonlySet<string>;
  const temporary = process.env['TMPDIR'];
  /** The files that have been looked through, each as it was then. */
  const seen = new Map<string, string>();
  before(async () => {
    simulator = await Simulator.start();
    project = await emptyProject({
      ...(await files(await controllers(simulator), simulator.ca)),
      ...failingFiles(await failingControllers(simulator)),
    });
    for (const folder of ['tmp', 'claims']) await mkdir(path.join(project.directory, folder));
    planted = new Set(await filesBelow(project.directory));
    // Of commands in this process.
    process.env['TMPDIR'] = path.join(project.directory, 'tmp');
  });
  after(async () => {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    await simulator.close();
    await project.remove();
  });

  it('are more than thirty, and none is part of another', () => {
    const all = Object.values(SECRETS);
    expect(all).to.have.length.above(40);
    for (const one of all) expect(all.filter((other) => other.includes(one.trim()))).to.have.length(1);
  });

  it('are searched for in every command', async () => {
    const { stdout: top } = await evenkeel(['--help'], { cwd: project.directory });
    const names = await Promise.all(
      [...commandsIn(top), 'help'].map(async (name) => {
        const { stdout } = await evenkeel([name, '--help'], { cwd: project.directory });
        const inner = name === 'help' ? [] : commandsIn(stdout).filter((one) => one !== 'help');
        return inner.length === 0 ? [name] : inner.map((one) => `${name} ${one}`);
      }),
    );
    expect(Object.keys(CALLS)).to.have.members(names.flat());
  });

  for (const [name, calls] of Object.entries(CALLS)) {
    describe(name, () => {
      for (const call of shareOf(calls, SHARES[name] ?? { change: 1, gate: 1 }).flat()) {
        it(`shows none: ${called(call)}`, async () => {
          const printed = await outputOf(call, project.directory);
          expect(printed).to.include(call.says ?? '');
          expect(found(printed, call.prints)).to.deep.equal([]);
          await expectNoneWritten();
        }).timeout(120_000);
      }
    });
  }

  /** No file that a command wrote contains a secret or can be read by others. */
  async function expectNoneWritten(): Promise<void> {
    for (const file of await filesBelow(project.directory)) {
      if (planted.has(file) || file.startsWith(path.join(project.directory, TSX_CACHE))) continue;
      const version = await versionOf(file);
      if (seen.get(file) === version) continue;
      expect(found(await readFile(file, 'latin1')), file).to.deep.equal([]);
      expect(found(await readFile(file, 'utf8')), file).to.deep.equal([]);
      if (file.endsWith('.html')) expect(found(dataOf(await readFile(file, 'utf8'))), file).to.deep.equal([]);
      // These contain no state, and several users may share a folder for locks.
      const folders = ['claims', MADE].map((name) => path.join(project.directory, name));
      const shared = folders.some((folder) => file.startsWith(folder)) || path.basename(file) === '.gitignore';
      if (!shared) expect((await stat(file)).mode & 0o077, `the mode of ${file}`).to.equal(0);
      seen.set(file, version);
    }
  }
});

/** What a report has compressed. */
function dataOf(html: string): string {
  const [, data = ''] = /id="data">([^<]*)</.exec(html) ?? [];
  return gunzipSync(Buffer.from(data, 'base64')).toString('utf8');
}

function called({ args, typed, env = {} }: Call): string {
  const shown = args.map((arg) => (arg.length > 30 || found(arg).length > 0 ? '…' : arg)).join(' ');
  return [...Object.keys(env), shown, ...(typed === undefined ? [] : ['(terminal)'])].join(' ');
}

function commandsIn(help: string): readonly string[] {
  const [list = ''] = /\n\n(?:Change controllers|Commands):\n[^]*/.exec(help)?.[0].split('\n\nExamples:') ?? [];
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name);
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Differs once the file has been written, replaced, or given another mode. */
async function versionOf(file: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}

function environment(cwd: string): Readonly<Record<string, string>> {
  return {
    ...ownHome(cwd),
    // Compiled code is most of what is written: only the nightly writes and searches its own.
    ...(IS_WHOLE && { XDG_CACHE_HOME: path.join(cwd, 'caches') }),
    TMPDIR: path.join(cwd, 'tmp'),
    EVENKEEL_LOCK_DIR: path.join(cwd, 'claims'),
    PLANTED_PASSWORD: SECRETS.environment,
  };
}

function outputOf(call: Call, cwd: string): Promise<string> {
  if (call.typed !== undefined) return typedOutput(call, call.typed, cwd);
  return call.until === undefined ? wholeOutput(call, cwd) : interruptedOutput(call, call.until, cwd);
}

async function wholeOutput({ args, env, needsProcess }: Call, cwd: string): Promise<string> {
  const { stdout, stderr } = await (needsProcess === true ? built : evenkeel)(args, {
    cwd,
    env: { ...environment(cwd), ...env },
  });
  return stdout + stderr;
}

async function interruptedOutput({ args, env }: Call, until: string, cwd: string): Promise<string> {
  const child = spawn(process.execPath, [...STARTED, ...args], {
    cwd,
    env: { NO_COLOR: '1', ...environment(cwd), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 100_000,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  const closed = once(child, 'close');
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      const before = printed.includes(until);
      printed += text;
      if (!before && printed.includes(until)) child.kill('SIGINT');
    });
  }
  await closed;
  return printed;
}

async function typedOutput({ args }: Call, typed: NonNullable<Call['typed']>, cwd: string): Promise<string> {
  const set = Object.entries(environment(cwd)).map(([name, value]) => `${name}=${value}`);
  const terminal = new Terminal('env', [...set, process.execPath, ...STARTED, ...args], { ...SIZE, cwd });
  try {
    for (const [question, answer] of typed) {
      await terminal.shows(question);
      terminal.press(`${answer}\r`);
    }
    await terminal.exited;
    return terminal.written;
  } finally {
    await terminal.close();
  }
}
