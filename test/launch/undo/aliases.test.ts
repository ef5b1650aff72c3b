import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
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

  it('is also possible for a gate', async () => {
    const { code, stdout, stderr } = await scene.evenkeel('run', 'gated.yml', '-o', 'lines');
    expect(code, stdout + stderr).to.equal(6);
    expect(stdout).to.include('the batch was rolled back');
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('treats them as two controllers with --simulate, also if the play sets another part of the connection', async () => {
    const task = 'system_config: { dns_configuration: { search_domain: example.com } }';
    const site = `- { hosts: 'lb1,other', vars: { controller_headers: { X-Site: a } }, tasks: [${task}] }\n`;
    await scene.project.write('site.yml', site);
    await scene.run('site.yml', '--simulate');
    const { stderr } = await scene.evenkeel('rollback', 'last', '--check');
    expect(stderr).to.include('(2 controllers: lb1, other)');
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
