import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { startAviController } from '../../rig/avi_controller.js';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { cutOff } from '../../rig/cut_off.js';
import { evenkeel } from '../../rig/in_process.js';
import { Scene } from './rig.js';

const SITE = `- hosts: lb1,other
  serial: 1
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
      when: inventory_hostname == "lb1"
    - cloud_present: { name: edge, description: new }
      when: inventory_hostname == "other"
`;
const GATED = SITE.replace(
  'serial: 1',
  'serial: 2\n  strategy: linear\n  gate: { checks: [fail: { msg: broken }], failures: 1, on_fail: rollback }',
);

describe('a rollback of a controller with two names', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': SITE, 'gated.yml': GATED }, { controllers: 1 });
    const inventory = scene.fleet.inventory.replace(
      /^( *)lb1: (.*) }$/m,
      '$1lb1: $2, controller_shared: true }\n$1other: $2, controller_shared: true }',
    );
    await scene.project.write('inventory.yml', inventory);
  });
  afterEach(() => scene.close());

  it('restores everything under the name that wrote last', async () => {
    await scene.run('site.yml');
    expect(scene.edge('lb1')).to.equal('{"mtu":9000,"description":"new"}');
    await appendFile(path.join(scene.project.directory, 'inventory.yml'), '\nlb1: { hosts: { other: } }\n');
    const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stdout).to.equal(0);
    expect(stderr).to.match(
      /\nTo restore:\n {2}cloud "edge" \(other\)\n {4}- mtu: 9000\n {4}\+ mtu: 1500\n {4}- description: new\n$/,
    );
    expect(stderr).to.include('"lb1" is the name of a group and of a controller; patterns select the controller');
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('uses the name that --limit selects, or one that still has its address', async () => {
    await scene.run('site.yml');
    const limited = await scene.evenkeel('rollback', 'last', '--check', '--limit', 'lb1');
    expect(limited.stderr).to.include('To restore:\n  cloud "edge" (lb1)\n');
    await scene.project.write('inventory.yml', scene.fleet.inventory);
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('goes on with what the other name wrote, in a resume and when it is started again', async () => {
    const dns = 'system_config: { dns_configuration: { search_domain: new.example.com } }';
    const site = SITE.replace('cloud_present: { name: edge, description: new }', dns);
    await scene.project.write('site.yml', site);
    await scene.run('site.yml');
    const rollback = ['rollback', 'last', '--yes'];
    const cut = {
      cwd: scene.project.directory,
      fleet: scene.fleet,
      controller: 'lb1',
      nth: 1,
      signal: 'SIGKILL',
    } as const;
    await cutOff(rollback, cut);
    expect(scene.edge('lb1')).to.equal('{"mtu":9000}');
    expect((await scene.evenkeel('resume', 'last')).code).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
    await scene.run('site.yml');
    const { fleet } = scene;
    const [edge = {}] = fleet.controller('lb1').objects('/api/cloud/');
    fleet.controller('lb1').setObjects('/api/cloud/', [{ ...edge, mtu: 1234 }]);
    expect((await scene.evenkeel(...rollback)).code).to.equal(2);
    fleet.controller('lb1').setObjects('/api/cloud/', [edge]);
    await scene.run('--rerun', 'last', '--yes');
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('is also possible for a gate', async () => {
    const { code, stdout, stderr } = await scene.evenkeel('run', 'gated.yml', '-o', 'lines');
    expect(code, stdout + stderr).to.equal(6);
    expect(stdout).to.include('the batch was rolled back');
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('treats them as one simulated controller, also if only the play leads to it', async () => {
    const rolledBack = async (): Promise<string> => {
      await scene.run('site.yml', '--simulate');
      const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '-o', 'lines');
      expect(code, stdout + stderr).to.equal(0);
      expect(stdout).to.match(/1 changed|changed=1/);
      return stderr;
    };
    const task = 'system_config: { dns_configuration: { search_domain: example.com } }';
    const made = '- cloud_present: { name: edge, description: old }';
    await scene.project.write('site.yml', `- hosts: lb1\n  tasks:\n    ${made}\n`);
    await scene.run('site.yml', '--simulate');
    await scene.project.write('site.yml', SITE);
    expect(await rolledBack()).to.include('To restore:\n  cloud "edge" (other)\n');
    const vars = 'vars: { controller_url: https://far.example, controller_shared: true }';
    await scene.project.write('site.yml', `- { hosts: 'lb1,other', ${vars}, tasks: [${task}] }\n`);
    expect(await rolledBack()).to.match(/To restore:\n {2}system configuration \((lb1|other)\)\n/);
  });
});

describe('a rollback of two hosts that reach one controller as two users', () => {
  const USERS = `- hosts: lb1,other
  serial: 1
  tasks:
    - avi_pool: { name: web, state: absent }
      when: inventory_hostname == "lb1"
    - avi_healthmonitor: { name: ping, state: absent }
      when: inventory_hostname == "other"
`;

  const OPS = { username: 'ops', password: 'secret-of-ops' };
  let lb1: Awaited<ReturnType<typeof startAviController>>;
  let project: Project;
  beforeEach(async () => {
    lb1 = await startAviController();
    project = await emptyProject({ 'evenkeel.yml': 'inventory: inventory.yml\n', 'site.yml': USERS });
    lb1.controller.addAccount(OPS);
    await lb1.writeInventory(project.directory, { controller_shared: true });
    const file = path.join(project.directory, 'inventory.yml');
    const { all } = JSON.parse(await readFile(file, 'utf8')) as { all: { hosts: { lb1: object } } };
    const other = { ...all.hosts.lb1, controller_username: OPS.username, controller_password: OPS.password };
    await writeFile(file, JSON.stringify({ all: { hosts: { ...all.hosts, other } } }));
  });
  afterEach(async () => {
    await lb1.close();
    await project.remove();
  });

  const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });

  it('restores each object as the user who wrote it, after those that it refers to', async () => {
    const former = await lb1.add('healthmonitor', { name: 'ping', type: 'HEALTH_MONITOR_PING' });
    await lb1.add('pool', { name: 'web', health_monitor_refs: ['/api/healthmonitor?name=ping'] });
    const ran = await command('run', 'site.yml');
    expect(ran.code, ran.stdout + ran.stderr).to.equal(0);
    const { code, stdout, stderr } = await command('rollback', 'last', '--yes');
    expect(code, stdout + stderr).to.equal(0);
    expect(stderr).to.match(/healthmonitor "ping" \(new\) \(other\)[^]*pool "web" \(new\) \(lb1\)/);
    const { uuid } = lb1.one('healthmonitor', 'ping');
    expect(uuid).to.be.a('string').and.not.equal(former['uuid']);
    expect(lb1.one('pool', 'web')['health_monitor_refs']).to.satisfy(([only]: readonly string[]) =>
      only?.endsWith(`/${uuid as string}`),
    );
  });

  it('restores what one user wrote if the other, who wrote last, cannot log in, which it tries once', async () => {
    const monitor = { type: 'HEALTH_MONITOR_PING' };
    for (const name of ['ping', 'pong']) await lb1.add('healthmonitor', { name, ...monitor });
    await lb1.add('pool', { name: 'web' });
    const pong = `    - { avi_healthmonitor: { name: pong, state: absent }, when: inventory_hostname == "other" }\n`;
    await project.write('site.yml', USERS + pong);
    const ran = await command('run', 'site.yml');
    expect(ran.code, ran.stdout + ran.stderr).to.equal(0);
    const file = path.join(project.directory, 'inventory.yml');
    await writeFile(file, (await readFile(file, 'utf8')).replace(OPS.password, 'outdated'));
    const { code, stdout, stderr } = await command('rollback', 'last', '--yes', '-o', 'lines');
    expect(code, stdout + stderr).to.equal(4);
    expect(stdout)
      .to.include('restored 1 object\n')
      .and.match(/^other .* unreachable=1 /m);
    expect(stdout).to.not.include('"ping"');
    expect(lb1.one('pool', 'web')['name']).to.equal('web');
  });
});

describe('a rollback of two hosts whose tasks lead to one controller', () => {
  const CENTRAL = SITE.replace('lb1,other', 'lb1,lb2')
    .replace('"other"', '"lb2"')
    .replace('serial: 1', "serial: 1\n  vars: { controller_url: '{{ central }}', controller_shared: true }");
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': CENTRAL }, { controllers: 3 });
    await scene.project.write('inventory.yml', scene.fleet.inventory.replace(/^ *lb3: .*\n/m, ''));
    await scene.run('site.yml', '-e', `central=${scene.fleet.url('lb3')}`);
    expect(scene.edge('lb3')).to.equal('{"mtu":9000,"description":"new"}');
  });
  afterEach(() => scene.close());

  it('restores an object once, as the host that wrote it last, or that --limit selects', async () => {
    const limited = await scene.evenkeel('rollback', 'last', '--check', '--limit', 'lb1');
    expect(limited.stderr).to.include('To restore:\n  cloud "edge" (lb1)\n');
    expect(limited.code, limited.stdout).to.equal(0);
    const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-o', 'lines');
    expect(code, stdout + stderr).to.equal(0);
    expect(stderr).to.include('To restore:\n  cloud "edge" (lb2)\n');
    expect(['lb1', 'lb2', 'lb3'].map((name) => scene.edge(name))).to.deep.equal(Array(3).fill('{"mtu":1500}'));
  });
});
