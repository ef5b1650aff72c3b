import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { RunStarted } from '../../../src/core/model/run/event.js';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { cutOff } from '../../rig/cut_off.js';
import { eventsOf, finishedOf, tasksOf } from '../../rig/events_of.js';
import { evenkeel } from '../../rig/in_process.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

/** Of two shards, the first has lb1, lb3, lb5 and lb6, the second lb2 and lb4. */
const FIRST = ['lb1', 'lb3', 'lb5', 'lb6'];
const SECOND = ['lb2', 'lb4'];

const SITE = `- name: Site
  hosts: all
  tasks:
    - cloud_present: { name: one }
    - cloud_present: { name: two }
    - name: Break
      fail: { msg: "{{ why }}" }
      when: inventory_hostname in (broken | default([]))
`;

describe('evenkeel with --shard', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 6 });
    project = await emptyProject({ 'site.yml': SITE, 'inventory.yml': fleet.inventory });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function start(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  function run(...args: readonly string[]): Promise<Ended> {
    return start('run', 'site.yml', '-i', 'inventory.yml', ...args);
  }

  async function controllersOf(...args: readonly string[]): Promise<readonly string[]> {
    const { code, stdout, stderr } = await start(...args, '-o', 'json');
    expect(code, stdout + stderr).to.equal(0);
    return Object.keys(finishedOf(stdout).stats);
  }

  function clouds(controller: string): readonly unknown[] {
    return fleet
      .controller(controller)
      .objects('/api/cloud/')
      .map(({ name }) => name);
  }

  it('writes to the controllers of its shard, and the other shard to the others', async () => {
    expect((await run('--shard', '1/2')).code).to.equal(0);
    expect(fleet.names.filter((name) => clouds(name).length > 0)).to.deep.equal(FIRST);
    expect((await run('--shard', '2/2')).code).to.equal(0);
    for (const name of fleet.names) expect(clouds(name), name).to.deep.equal(['one', 'two']);
  });

  it('has the same controllers in any order and within any limit', async () => {
    for (const order of ['inventory', 'reverse_inventory', 'sorted', 'shuffle']) {
      await project.write('site.yml', SITE.replace('hosts: all', `hosts: all\n  order: ${order}`));
      const names = await controllersOf('run', 'site.yml', '-i', 'inventory.yml', '--shard', '1/2');
      expect([...names].sort(), order).to.deep.equal(FIRST);
    }
    const limited = ['run', 'site.yml', '-i', 'inventory.yml', '-l', 'lb2,lb3,lb6'];
    expect(await controllersOf(...limited, '--shard', '1/2')).to.deep.equal(['lb3', 'lb6']);
    expect(await controllersOf(...limited, '--shard', '2/2')).to.deep.equal(['lb2']);
  });

  it('has the same controllers in a task and in the comparison with playbooks', async () => {
    const task = ['task', 'all', '-m', 'debug', '-i', 'inventory.yml', '--shard', '2/2'];
    expect(await controllersOf(...task)).to.deep.equal(SECOND);
    const { code, stdout } = await start('drift', 'site.yml', '-i', 'inventory.yml', '--shard', '2/2', '--json');
    expect(code).to.equal(3);
    expect((JSON.parse(stdout) as { readonly controllers: unknown }).controllers).to.deep.equal(2);
    expect((await run('--shard', '2/2', '--list-hosts')).stdout).to.include('    hosts (2):\n      lb2\n      lb4\n');
  });

  it('takes its number from the engine that started it', async () => {
    const env = { JOB_COMPLETION_INDEX: '1' };
    const args = ['run', 'site.yml', '-i', 'inventory.yml', '--shard', 'auto/2', '-o', 'json'];
    const { stdout } = await evenkeel(args, { cwd: project.directory, env });
    expect(Object.keys(finishedOf(stdout).stats)).to.deep.equal(SECOND);
    const { stdout: list } = await start('runs');
    expect(list).to.match(/ run site\.yml \(shard 2\/2\)\n/);
    expect((await run('--shard', '3/2')).stderr).to.equal(
      'error: --shard "3/2": the shards are numbered from 1 to 2\n\n1 error\n',
    );
  });

  it('is shown in the heading, in events, and in the list and the details of runs', async () => {
    const { stdout: heading } = await run('--shard', '2/2');
    expect(heading).to.include(' · site.yml · shard 2/2\n');
    const { stdout } = await run('--shard', '2/2', '-o', 'json');
    expect((eventsOf(stdout)[0] as RunStarted).shard).to.equal('2/2');
    expect((await start('runs')).stdout).to.match(/ run site\.yml \(shard 2\/2\)\n/);
    const { stdout: json } = await start('runs', 'last', '--json');
    expect((JSON.parse(json) as { readonly shard: string }).shard).to.equal('2/2');
    await run('-o', 'quiet');
    expect((await start('runs', '-n', '1')).stdout).to.not.include('shard');
  });

  it('does nothing, and says so, if the shard has none of the controllers', async () => {
    const { code, stdout, stderr } = await run('-l', 'lb1', '--shard', '2/2');
    expect(code).to.equal(0);
    expect(stderr).to.equal('evenkeel: shard 2/2 has none of these controllers\n');
    expect(stdout).to.include('0 controllers');
    expect((await run('-l', 'nothing', '--shard', '2/2')).code).to.equal(1);
  });

  it('runs a play on this machine in one shard', async () => {
    await project.write('site.yml', '- { hosts: localhost, tasks: [{ debug: }] }\n');
    const names = await Promise.all(
      ['1/3', '2/3', '3/3'].map((shard) => controllersOf('run', 'site.yml', '-i', 'inventory.yml', '--shard', shard)),
    );
    expect(names).to.deep.equal([['localhost'], [], []]);
  });

  it('is planned, and the plan applied to the same controllers', async () => {
    const plan = ['plan', 'site.yml', '-i', 'inventory.yml', '--shard', '2/2', '--out', 'site.plan'];
    expect((await start(...plan)).stdout).to.include('2 of 2 controllers would change; the plan is in site.plan');
    expect((await start('plan', 'show', 'site.plan')).stdout).to.match(/^plan \S+ of site\.yml, shard 2\/2, made /);
    const { stdout } = await start('plan', 'show', 'site.plan', '--json');
    expect((JSON.parse(stdout) as { readonly shard: string }).shard).to.equal('2/2');
    expect(await controllersOf('apply', 'site.plan')).to.deep.equal(SECOND);
    expect(fleet.names.filter((name) => clouds(name).length > 0)).to.deep.equal(SECOND);
    expect((await start('runs', '-n', '1')).stdout).to.include('apply site.plan -o json (shard 2/2)');
  });

  it('has an empty plan, which changes nothing, if the shard has none of the controllers', async () => {
    const plan = ['plan', 'site.yml', '-i', 'inventory.yml', '-l', 'lb1', '--shard', '2/2', '--out', 'site.plan'];
    expect((await start(...plan)).code).to.equal(0);
    expect(await controllersOf('apply', 'site.plan')).to.deep.equal([]);
    expect(clouds('lb1')).to.deep.equal([]);
  });

  it('is resumed, rerun and rolled back as that shard', async () => {
    const args = ['run', 'site.yml', '-i', 'inventory.yml', '--shard', '1/2', '-f', '1'];
    const broken = ['-e', JSON.stringify({ broken: ['lb6'], why: 'broken' })];
    const at = { cwd: project.directory, fleet, controller: 'lb3', nth: 2, signal: 'SIGKILL' } as const;
    expect((await cutOff([...args, ...broken], at)).code).to.equal(null);
    expect((await start('runs')).stdout).to.match(/ cut off .* run site\.yml \(shard 1\/2\)\n/);
    const resumed = await start('resume', 'last', '-o', 'json');
    expect(resumed.code, resumed.stderr).to.equal(2);
    expect(Object.keys(finishedOf(resumed.stdout).stats)).to.deep.equal(FIRST);
    for (const name of FIRST) expect(clouds(name), name).to.deep.equal(['one', 'two']);
    expect(SECOND.flatMap(clouds)).to.deep.equal([]);
    const rerun = await start('run', '--rerun', 'last', '-e', 'why=again', '-o', 'json');
    expect(tasksOf(rerun.stdout).map(({ controller }) => controller)).to.deep.equal(['lb6', 'lb6', 'lb6']);
    expect((eventsOf(rerun.stdout)[0] as RunStarted).shard).to.equal('1/2');
    const [, first = ''] = (await readdir(path.join(project.directory, '.evenkeel/runs'))).sort().reverse();
    expect((await start('run', '--rerun', first, '--shard', '2/2')).stderr).to.equal(
      `error: run ${first} was shard 1/2, and so is its rerun\n  = hint: omit --shard\n\n1 error\n`,
    );
    const change = SITE.replace('{ name: one }', '{ name: one, mtu: 1400 }');
    await project.write('site.yml', change);
    expect((await start(...args)).code).to.equal(0);
    const undone = await start('rollback', 'last', '--yes', '-o', 'json');
    expect(undone.code, undone.stderr).to.equal(0);
    expect(Object.keys(finishedOf(undone.stdout).stats)).to.deep.equal(FIRST);
    expect((eventsOf(undone.stdout)[0] as RunStarted).shard).to.equal('1/2');
  });
});
