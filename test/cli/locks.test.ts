import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Ended, ownHome, type Project, STARTED } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const PLAYBOOK = '- hosts: all\n  tasks:\n    - cloud_present: { name: edge }\n';

/** A run that has started and does not end by itself. */
interface Held {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly run: string;
  /** Twice, so that it waits for no answer. */
  interrupt(): Promise<void>;
  end(): Promise<number | null>;
}

describe('two runs at once', () => {
  let fleet: Fleet;
  let project: Project;
  let env: Readonly<Record<string, string>>;

  beforeEach(async () => {
    fleet = await startFleet({ controllers: 3 });
    project = await emptyProject({ 'p.yml': PLAYBOOK, 'inv.yml': fleet.inventory });
    env = { EVENKEEL_LOCK_DIR: path.join(project.directory, 'locks') };
  });
  afterEach(async () => {
    await project.remove();
    await fleet.dispose();
  });

  const run = (...args: readonly string[]): Promise<Ended> =>
    evenkeel(['run', ...args, '-o', 'quiet', '--no-color'], { cwd: project.directory, env });

  /** The first read of each controller is never answered. */
  async function hold(...names: readonly string[]): Promise<Held> {
    const asked = names.map((name) => {
      const controller = fleet.controller(name);
      controller.behaviour = { faults: [{ type: 'hang', when: { first: 1 } }] };
      return new Promise<void>((resolve) => {
        controller.watch = () => {
          resolve();
          return Promise.resolve();
        };
      });
    });
    const command = [...STARTED, 'run', 'p.yml', '-i', 'inv.yml', '-o', 'json', '-l', names.join()];
    const child = spawn(process.execPath, command, {
      cwd: project.directory,
      env: { ...ownHome(project.directory), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await Promise.all(asked);
    const closed = once(child, 'close') as Promise<[number | null]>;
    return {
      child,
      pid: child.pid ?? 0,
      run: /"run":"([^"]+)"/.exec(first.toString())?.[1] ?? '',
      interrupt: async () => {
        child.kill('SIGINT');
        while (!said.includes('interrupted: ')) await once(child.stdout, 'data');
        child.kill('SIGINT');
      },
      end: async () => (await closed)[0],
    };
  }

  it('do not start on the same controller', async () => {
    const held = await hold('lb1', 'lb2');
    const { code, stdout, stderr } = await run('p.yml', '-i', 'inv.yml', '-l', 'lb2,lb3');
    expect(code).to.equal(1);
    expect(stdout).to.equal('');
    const since = /at (\S+Z),/.exec(stderr)?.[1] ?? '';
    expect(new Date(since).getTime()).to.be.closeTo(Date.now(), 120_000);
    const [user] = /(?<=started by )\S+/.exec(stderr) ?? [''];
    const [host] = /(?<= on )\S+(?= at \d)/.exec(stderr) ?? [''];
    expect(stderr).to.equal(
      [
        `error: run ${held.run} holds the lock on lb2 (evenkeel run p.yml, started by ${user} on ${host} at ${since}, process ${held.pid}): nothing was contacted`,
        '  = hint: --wait waits until it is done\n',
        '1 error\n',
      ].join('\n'),
    );
    expect(fleet.controller('lb3').requests).to.deep.equal([]);
    held.child.kill('SIGKILL');
    await held.end();
  });

  it('run in parallel on different controllers, in a check, and with --simulate', async () => {
    const held = await hold('lb1');
    expect((await run('p.yml', '-i', 'inv.yml', '-l', 'lb2,lb3')).code).to.equal(0);
    expect((await run('p.yml', '-i', 'inv.yml', '--check')).code).to.equal(0);
    expect((await run('p.yml', '-i', 'inv.yml', '--simulate')).code).to.equal(0);
    await project.write('say.yml', '- hosts: all\n  tasks: [{ debug: { msg: hello } }]\n');
    expect((await run('say.yml', '-i', 'inv.yml')).code).to.equal(0);
    held.child.kill('SIGKILL');
    await held.end();
  });

  it('identify the controller, whatever its name and the spelling of its URL', async () => {
    const held = await hold('lb1');
    await project.write('other.yml', fleet.inventory.replace(/lb1: (.*)"/, 'alias: $1/"'));
    const { code, stderr } = await run('p.yml', '-i', 'other.yml', '-l', 'alias');
    expect(stderr).to.match(/^error: run \S+ holds the lock on alias \(/);
    expect(code).to.equal(1);
    held.child.kill('SIGKILL');
    await held.end();
  });

  it('allow an inventory that names a controller twice', async () => {
    const shared = fleet.inventory.replaceAll('" }', '", controller_shared: true }');
    const alias = `        alias: { controller_url: "${fleet.url('lb1')}/", controller_shared: true }\n`;
    await project.write('twice.yml', `${shared}${alias}`);
    expect((await run('p.yml', '-i', 'twice.yml')).code).to.equal(0);
    expect(
      fleet
        .controller('lb1')
        .objects('/api/cloud/')
        .map((cloud) => cloud['name']),
    ).to.deep.equal(['edge']);
  });

  it('can share a folder that others may write to', async () => {
    const folder = path.join(project.directory, 'shared');
    await mkdir(folder);
    await chmod(folder, 0o777);
    env = { EVENKEEL_LOCK_DIR: path.join(folder, 'locks') };
    expect(await run('p.yml', '-i', 'inv.yml')).to.include({ code: 0, stderr: '' });
    expect(await readdir(path.join(folder, 'locks'))).to.deep.equal([]);
  });

  it('take over the locks of a killed run, and report it', async () => {
    const held = await hold('lb1', 'lb2', 'lb3');
    held.child.kill('SIGKILL');
    await held.end();
    expect(await readdir(env['EVENKEEL_LOCK_DIR'] ?? '')).to.not.deep.equal([]);
    const { code, stderr } = await run('p.yml', '-i', 'inv.yml', '-v');
    expect(stderr).to.equal(
      `evenkeel: run ${held.run} (process ${held.pid}) ended without releasing its locks: its controllers are free again\n`,
    );
    expect(code).to.equal(0);
    expect(await readdir(env['EVENKEEL_LOCK_DIR'] ?? '')).to.deep.equal([]);
  });

  it('start one after the other with --wait', async () => {
    const held = await hold('lb1', 'lb2', 'lb3');
    const waiting = waiter('--wait');
    expect(await waiting.says('(Ctrl-C to stop waiting)')).to.match(
      new RegExp(`^evenkeel: waiting: run ${held.run} holds the lock on lb1, lb2 and lb3 \\(.*\\n$`),
    );
    await held.interrupt();
    expect(await held.end()).to.equal(130);
    expect(await waiting.ended).to.equal(0);
    expect(
      fleet
        .controller('lb3')
        .objects('/api/cloud/')
        .map((cloud) => cloud['name']),
    ).to.deep.equal(['edge']);
  });

  it('stop waiting after Ctrl-C', async () => {
    const held = await hold('lb1', 'lb2', 'lb3');
    const waiting = waiter('--wait');
    await waiting.says('Ctrl-C');
    const said = waiting.says('interrupted');
    waiting.child.kill('SIGINT');
    expect(await waiting.ended).to.equal(130);
    expect(await said).to.match(/\(Ctrl-C to stop waiting\)\nevenkeel: interrupted: nothing was contacted\n$/);
    held.child.kill('SIGKILL');
    await held.end();
  });

  it('do not share a controller that was added during the run', async () => {
    const held = await hold('lb2');
    await project.write(
      'late.yml',
      `- hosts: lb1
  gather_facts: false
  tasks:
    - cloud_present: { name: edge }
    - cloud_present: { name: edge }
      delegate_to: lb2
`,
    );
    const { code, stdout } = await evenkeel(['run', 'late.yml', '-i', 'inv.yml', '-o', 'lines'], {
      cwd: project.directory,
      env,
    });
    expect(code).to.equal(2);
    expect(stdout).to.include(`run ${held.run} holds the lock on ${fleet.url('lb2')} (evenkeel run p.yml, started by `);
    expect(stdout).to.include('): nothing was sent to it; run it again for this controller');
    held.child.kill('SIGKILL');
    await held.end();
  });

  it('do not start if the folder cannot be created', async function () {
    if (process.platform !== 'linux') this.skip();
    env = { EVENKEEL_LOCK_DIR: '/proc/evenkeel/locks' };
    const { code, stderr } = await run('p.yml', '-i', 'inv.yml');
    expect(stderr).to.equal(
      `error: cannot find out which other runs are active: /proc/evenkeel/locks cannot be used: ENOENT: no such file or directory, mkdir '/proc/evenkeel'; nothing was contacted
  = hint: EVENKEEL_LOCK_DIR names another folder for locks; EVENKEEL_LOCK_DIR=off runs without them

1 error
`,
    );
    expect(code).to.equal(1);
  });

  it('do not start if the owner of a lock is unknown, unless forced', async () => {
    await writeFile(path.join(project.directory, 'locks'), '');
    const refused = await run('p.yml', '-i', 'inv.yml');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.equal(
      [
        `error: cannot find out which other runs are active: locks cannot be used: it is not a folder; nothing was contacted`,
        '  = hint: EVENKEEL_LOCK_DIR names another folder for locks; EVENKEEL_LOCK_DIR=off runs without them\n',
        '1 error\n',
      ].join('\n'),
    );
    env = { EVENKEEL_LOCK_DIR: 'off' };
    expect((await run('p.yml', '-i', 'inv.yml')).code).to.equal(0);
  });

  it('warn about an unreadable lock, and about one of another machine', async () => {
    const held = await hold('lb1');
    const folder = env['EVENKEEL_LOCK_DIR'] ?? '';
    const name = (await readdir(folder)).find((one) => one.endsWith('.json')) ?? '';
    const text = await readFile(path.join(folder, name), 'utf8');
    held.child.kill('SIGKILL');
    await held.end();
    await mkdir(path.join(project.directory, 'shared'));
    env = { EVENKEEL_LOCK_DIR: path.join(project.directory, 'shared') };
    for (const [host, other] of [
      ['build-7', text.replace(/"host":"[^"]*"/, '"host":"build-7"')],
      [hostname(), text],
    ] as const) {
      await project.write('shared/x.json', other.replace('"boot":"', '"machine":"that","boot":"of-'));
      const elsewhere = await run('p.yml', '-i', 'inv.yml', '-l', 'lb1');
      expect(elsewhere.code).to.equal(1);
      expect(elsewhere.stderr).to.include(` on ${host} at `);
      expect(elsewhere.stderr).to.include(
        `  = hint: this machine cannot see whether that run is still active: if it is not, remove shared/x.json\n`,
      );
    }
    await project.write('shared/x.json', '{');
    expect((await run('p.yml', '-i', 'inv.yml', '-l', 'lb1')).stderr).to.equal(
      [
        `error: the lock shared/x.json cannot be understood, so it may be on any controller: nothing was contacted`,
        '  = hint: remove it if no run is active\n',
        '1 error\n',
      ].join('\n'),
    );
  });

  function waiter(...args: readonly string[]) {
    const child = spawn(process.execPath, [...STARTED, 'run', 'p.yml', '-i', 'inv.yml', '-o', 'quiet', ...args], {
      cwd: project.directory,
      env: { ...ownHome(project.directory), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    const ended = once(child, 'close').then(([code]: unknown[]) => code);
    return {
      child,
      ended,
      says: async (text: string) => {
        while (!stderr.includes(text)) stderr += ((await once(child.stderr, 'data')) as [Buffer])[0].toString();
        return stderr;
      },
    };
  }
});
