import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, STARTED, type Ended, type Project, ownHome } from '../rig/command.js';
import { eventsOf, finishedOf, tasksOf } from '../rig/events_of.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const CLOUDS = '/api/cloud/';
const SITE = '- hosts: fleet\n  tasks:\n    - cloud_present: { name: edge, mtu: "{{ mtu }}" }\n';
/** `TIME` is a number of seconds. */
const WAITS = 'a write to cloud "edge" from before may still take effect: waiting TIME s (controller_write_settles)';

/** A write that reaches the controller, and takes effect when it is let go. */
interface LateWrite {
  readonly arrived: Promise<void>;
  letGo(): Promise<void>;
}

describe('writes that may still take effect', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'site.yml': SITE, 'evenkeel.yml': 'inventory: inventory.yml\n' });
    await settleAfter(60);
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  const settleAfter = (seconds: number): Promise<void> =>
    project.write('inventory.yml', fleet.inventory.replace('write_settles: 0', `write_settles: ${seconds}`));

  /** The next write to that controller with one of these methods. */
  function late(controller: string, methods = ['POST', 'PUT']): LateWrite {
    const target = fleet.controller(controller);
    const { watch } = target;
    const write = new EventEmitter();
    const arrived = once(write, 'arrived').then(() => undefined);
    let isFirst = true;
    target.watch = async (moment, request) => {
      await watch?.(moment, request);
      if (!methods.includes(request.method)) return;
      if (moment === 'carried out') write.emit('carried out');
      if (moment !== 'received' || !isFirst) return;
      isFirst = false;
      write.emit('arrived');
      await once(write, 'let go');
    };
    const letGo = async (): Promise<void> => {
      const effect = once(write, 'carried out');
      write.emit('let go');
      await effect;
    };
    return { arrived, letGo };
  }

  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, [...STARTED, ...args], {
      cwd: project.directory,
      env: {
        ...ownHome(project.directory),
        NO_COLOR: '1',
        EVENKEEL_LOCK_DIR: path.join(project.directory, '.claims'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, stdout, stderr }));
    const says = async (text: string): Promise<void> => {
      while (!(stdout + stderr).includes(text)) await once(child.stdout, 'data');
    };
    return { child, ended, says };
  }

  /** A run that is killed while `lb1` has not yet carried out its write. `lb2` is done. */
  async function killedRun(mtu: number): Promise<LateWrite> {
    const write = late('lb1');
    const run = start('run', 'site.yml', '-e', `mtu=${mtu}`, '-o', 'json');
    await write.arrived;
    await run.says('"controller":"lb2","handler":false,"status":');
    run.child.kill('SIGKILL');
    await run.ended;
    return write;
  }

  const mtus = (controller: string): readonly unknown[] =>
    fleet
      .controller(controller)
      .objects(CLOUDS)
      .filter(({ name }) => name === 'edge')
      .map(({ mtu }) => mtu);
  const setMtu = (controller: string, mtu: number): void => {
    fleet.controller(controller).setObjects(CLOUDS, [{ uuid: 'cloud-1', name: 'edge', mtu }]);
  };
  const writes = (controller: string): readonly string[] =>
    fleet.controller(controller).requests.flatMap(({ method }) => (method === 'GET' ? [] : [method]));
  /** What `lb1` waited for. The journal of the killed run may lack the last records about `lb2`. */
  const waited = (stdout: string): readonly string[] =>
    eventsOf(stdout).flatMap((event) =>
      event.type === 'warning' && event.controller === 'lb1' ? [event.message.replace(/\d+ s/, 'TIME s')] : [],
    );
  const tasksOfFirst = (stdout: string) => tasksOf(stdout).filter(({ controller }) => controller === 'lb1');

  it('are waited for by a resume, which creates no second object, and no time limit of a task counts that', async () => {
    await settleAfter(8);
    await project.write('site.yml', `${SITE}      timeout: 3\n`);
    const write = await killedRun(1400);
    const resume = start('resume', 'last', '-o', 'json');
    await resume.says('"task-progressed"');
    expect(mtus('lb1')).to.deep.equal([]);
    await write.letGo();
    const { code, stdout, stderr } = await resume.ended;
    expect(code, stdout + stderr).to.equal(0);
    expect(waited(stdout)).to.deep.equal([WAITS]);
    expect(eventsOf(stdout).find(({ type }) => type === 'task-progressed')).to.deep.include({
      controller: 'lb1',
      message: 'waiting for a write to cloud "edge" from before to settle',
    });
    expect([mtus('lb1'), mtus('lb2')]).to.deep.equal([[1400], [1400]]);
    expect([writes('lb1'), writes('lb2')]).to.deep.equal([['POST'], ['POST']]);
    expect(tasksOfFirst(stdout).map(({ resumed }) => resumed)).to.deep.equal(['found']);
  });

  it('are waited for by the resume of a rollback, also without the lock of the killed run', async () => {
    await settleAfter(15);
    for (const name of fleet.names) setMtu(name, 1500);
    const write = await killedRun(9000);
    const locks = path.join(project.directory, '.claims');
    await rm(locks, { recursive: true });
    const rollback = start('rollback', 'last', '--yes', '-o', 'json');
    await rollback.says('"task-progressed"');
    rollback.child.kill('SIGINT');
    expect((await rollback.ended).code).to.equal(130);
    await rm(locks, { recursive: true });
    const resume = start('resume', 'last', '-o', 'json');
    await resume.says('"task-progressed"');
    await write.letGo();
    const { code, stdout, stderr } = await resume.ended;
    expect(code, stdout + stderr).to.equal(0);
    expect(waited(stdout)).to.deep.equal([WAITS]);
    expect([mtus('lb1'), mtus('lb2')]).to.deep.equal([[1500], [1500]]);
  });

  for (const command of ['run', 'rollback'] as const)
    it(`are waited for by a new ${command}, whose value wins`, async () => {
      await settleAfter(8);
      for (const name of fleet.names) setMtu(name, 1500);
      const write = await killedRun(9000);
      const args = command === 'run' ? ['run', 'site.yml', '-e', 'mtu=1400'] : ['rollback', 'last', '--yes'];
      const next = start(...args, '-o', 'json');
      await next.says('"task-progressed"');
      await write.letGo();
      expect(mtus('lb1')).to.deep.equal([9000]);
      const { code, stdout, stderr } = await next.ended;
      expect(code, stdout + stderr).to.equal(0);
      expect(waited(stdout)).to.deep.equal([WAITS]);
      const wanted = command === 'run' ? 1400 : 1500;
      expect([mtus('lb1'), mtus('lb2')]).to.deep.equal([[wanted], [wanted]]);
      const again = start('run', 'site.yml', '-e', 'mtu=1400', '-o', 'json');
      expect(waited((await again.ended).stdout)).to.deep.equal([]);
    });

  it('are waited for after a run that gave up waiting for the answer', async () => {
    await settleAfter(8);
    for (const name of fleet.names) setMtu(name, 1500);
    const write = late('lb1');
    const run = start('run', 'site.yml', '-e', 'mtu=9000', '-o', 'json');
    await write.arrived;
    run.child.kill('SIGINT');
    await run.says('"message":"interrupted: ');
    run.child.kill('SIGINT');
    expect((await run.ended).code).to.equal(130);
    const next = start('run', 'site.yml', '-e', 'mtu=1400', '-o', 'json', '-v');
    await next.says('"task-progressed"');
    await write.letGo();
    const { code, stdout, stderr } = await next.ended;
    expect(code, stdout + stderr).to.equal(0);
    expect(stderr).to.equal('');
    expect(waited(stdout)).to.deep.equal([WAITS]);
    expect(mtus('lb1')).to.deep.equal([1400]);
    expect(await readdir(path.join(project.directory, '.claims'))).to.deep.equal([]);
  });

  for (const [what, fault, waits] of [
    ['that were answered by the controller are not waited for', { type: 'answer', status: 500 }, []],
    ['that got an invalid answer are not waited for', { type: 'garbage', form: 'html' }, []],
    ['that a gateway answered are waited for', { type: 'answer', status: 504 }, [WAITS]],
  ] as const)
    it(what, async () => {
      for (const name of fleet.names) setMtu(name, 1500);
      const when = { method: 'PUT' };
      fleet.controller('lb1').behaviour = { faults: [{ ...fault, when }] };
      expect((await start('run', 'site.yml', '-e', 'mtu=9000', '-l', 'lb1', '-o', 'json').ended).code).to.equal(2);
      fleet.controller('lb1').behaviour = {};
      const next = start('run', 'site.yml', '-e', 'mtu=1400', '-o', 'json');
      if (waits.length > 0) {
        await next.says('"task-progressed"');
        next.child.kill('SIGINT');
      }
      const { code, stdout, stderr } = await next.ended;
      expect(code, stdout + stderr).to.equal(waits.length > 0 ? 130 : 0);
      expect(waited(stdout).slice(0, 1)).to.deep.equal(waits);
    });

  it('are waited for before a gate rolls its batch back', async () => {
    for (const name of fleet.names) setMtu(name, 1500);
    fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 504, when: { method: 'PUT' } }] };
    const gate = '- hosts: fleet\n  gate: { on_fail: rollback, checks: [{ fail: { msg: bad } }] }\n';
    await project.write('gated.yml', SITE.replace('- hosts: fleet\n', gate));
    const run = start('run', 'gated.yml', '-e', 'mtu=9000', '-o', 'json');
    await run.says('"task-progressed"');
    fleet.controller('lb1').clearRequests();
    run.child.kill('SIGINT');
    const { stdout } = await run.ended;
    expect(waited(stdout)[0]).to.equal(WAITS);
    expect(fleet.controller('lb1').requests).to.deep.equal([]);
  });

  it('end the wait at once when it is interrupted, and are waited for by the next run', async () => {
    const write = await killedRun(1400);
    const resume = start('resume', 'last', '-o', 'json');
    await resume.says('"task-progressed"');
    resume.child.kill('SIGINT');
    const { code, stdout } = await resume.ended;
    expect(code).to.equal(130);
    expect(tasksOfFirst(stdout).map(({ status, message }) => [status, message])).to.deep.equal([
      ['interrupted', 'interrupted while a write to cloud "edge" from before settled'],
    ]);
    expect(finishedOf(stdout).stats['lb1']).to.include({ failed: 0, unreachable: 0 });
    const next = start('run', 'site.yml', '-e', 'mtu=9000', '-o', 'json');
    await next.says('"task-progressed"');
    next.child.kill('SIGINT');
    expect((await next.ended).code).to.equal(130);
    expect(writes('lb1')).to.deep.equal([]);
    await write.letGo();
  });

  it('are reported as a failure if they take effect even later', async () => {
    await settleAfter(0.001);
    for (const name of fleet.names) setMtu(name, 1500);
    const write = await killedRun(9000);
    await project.write(
      'then.yml',
      `${SITE}    - cloud_present: { name: other }\n      when: inventory_hostname == "lb1"\n`,
    );
    const second = late('lb1', ['POST']);
    const next = start('run', 'then.yml', '-e', 'mtu=1400', '-o', 'json');
    await second.arrived;
    expect(mtus('lb1')).to.deep.equal([1400]);
    await write.letGo();
    expect(mtus('lb1')).to.deep.equal([9000]);
    await second.letGo();
    const { code, stdout } = await next.ended;
    expect(code).to.equal(2);
    const [failure] = tasksOfFirst(stdout).filter(({ status }) => status === 'failed');
    expect(failure).to.include({
      controller: 'lb1',
      message: 'cloud "edge" has changed since it was verified: a write from before may have taken effect late',
      hint: 'run again; a higher controller_write_settles makes runs wait longer for such writes',
    });
    expect(failure?.change).to.deep.include({ kind: 'update', object: 'cloud "edge"' });
    expect(finishedOf(stdout).stats['lb1']).to.include({ failed: 1 });
    expect(finishedOf(stdout).stats['lb2']).to.include({ failed: 0 });
  });
});
