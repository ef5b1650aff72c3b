import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { evenkeel, ownHome, STARTED } from '../../rig/command.js';
import { finishedOf } from '../../rig/events_of.js';
import { CONFIGURATION, Scene } from './rig.js';

const SITE = `- hosts: all
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
    - system_config: { dns_configuration: { search_domain: new.example.com } }
`;

describe('a rollback', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ 'playbooks/site.yml': SITE }, { controllers: 1 });
  });
  afterEach(() => scene.close());

  it('reaches controllers as the run did: from another folder, with variables beside its playbook and from -e', async () => {
    const { username, password, inventory } = scene.fleet;
    const open = inventory.replace(/^ *controller_(username|password): .*\n/gm, '');
    await scene.project.write('inventory.yml', open);
    await scene.project.write('playbooks/group_vars/fleet.yml', `controller_username: ${username}\n`);
    await scene.run('playbooks/site.yml', '-e', `controller_password=${password}`);
    const cwd = path.join(scene.project.directory, 'deeper');
    await mkdir(cwd);
    const { code, stdout, stderr } = await evenkeel(['rollback', 'last', '--yes'], { cwd });
    expect(code, stdout + stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('needs no file of -e that is gone, unless controllers are reached with it', async () => {
    await scene.project.write('job.yml', 'wanted: 1\n');
    await scene.run('playbooks/site.yml', '-e', '@job.yml');
    await rm(path.join(scene.project.directory, 'job.yml'));
    const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stdout + stderr).to.equal(0);
    expect(stderr).to.include(
      'warning: the run had -e @job.yml, which no longer exists\n  = hint: if its variables say how to reach or sign in to controllers, pass them with -e\n',
    );
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('is refused if a file of -e may be there, but cannot be read', async () => {
    await scene.project.write('job.yml', 'wanted: 1\n');
    await scene.run('playbooks/site.yml', '-e', '@job.yml');
    await rm(path.join(scene.project.directory, 'job.yml'));
    await symlink('job.yml', path.join(scene.project.directory, 'job.yml'));
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stderr).to.equal(1);
    expect(stderr).to.include('its links form a loop').and.not.include('no longer exists');
    expect(scene.edge('lb1')).to.equal('{"mtu":9000}');
  });

  it('is resumed if it was killed, without repeating restored objects', async () => {
    await scene.run('playbooks/site.yml');
    scene.forgetRequests();
    const controller = scene.fleet.controller('lb1');
    const child = spawn(process.execPath, [...STARTED, 'rollback', 'last', '--yes'], {
      cwd: scene.project.directory,
      env: { ...ownHome(scene.project.directory) },
    });
    controller.watch = (moment, { method, path: asked }) => {
      if (moment !== 'received' || method !== 'PUT' || asked === CONFIGURATION) return Promise.resolve();
      child.kill('SIGKILL');
      return Promise.reject(new Error('nobody is there any more'));
    };
    child.stdout.resume();
    child.stderr.resume();
    await once(child, 'close');
    controller.watch = undefined;
    expect(scene.edge('lb1')).to.equal('{"mtu":9000}');
    const { code, stdout, stderr } = await scene.evenkeel('resume', 'last', '-o', 'json');
    expect(code, stdout + stderr).to.equal(0);
    expect(finishedOf(stdout).stats['lb1']).to.include({ ok: 1, changed: 1, failed: 0 });
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
    const puts = scene.writes().filter((line) => line.endsWith(CONFIGURATION));
    expect(puts).to.deep.equal([`lb1 PUT ${CONFIGURATION}`]);
  });
});
