import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { cutOff } from '../../rig/cut_off.js';
import { eventsOf, finishedOf } from '../../rig/events_of.js';
import { atHome } from '../../rig/folder.js';
import { readKept } from '../../rig/kept.js';
import { CLOUDS, CONFIGURATION, Scene } from './rig.js';

const SITE = `- hosts: all
  tasks:
    - name: cloud
      cloud_present: { name: edge, mtu: 9000, description: new }
    - name: system
      system_config: { dns_configuration: { search_domain: new.example.com } }
`;
const MORE = `- hosts: all
  tasks:
    - name: once
      cloud_present: { name: edge, mtu: 2000 }
    - name: twice
      cloud_present: { name: edge, mtu: 3000 }
    - name: another
      cloud_present: { name: 'made-{{ inventory_hostname }}' }
`;

const BEFORE = '{"mtu":1500}';
const AFTER = '{"mtu":9000,"description":"new"}';

describe('evenkeel rollback', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': SITE, 'more.yml': MORE });
  });
  afterEach(() => scene.close());

  const domain = (name: string): unknown => {
    const dns: unknown = scene.fleet.controller(name).object(CONFIGURATION)['dns_configuration'];
    return typeof dns === 'object' && dns !== null && 'search_domain' in dns ? dns.search_domain : undefined;
  };

  it('restores what a run changed, the last write first, and deletes what it created', async () => {
    await scene.run('site.yml');
    expect(scene.edge('lb1')).to.equal(AFTER);
    scene.forgetRequests();
    const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-o', 'json');
    expect(code, stderr).to.equal(0);
    for (const name of ['lb1', 'lb2']) {
      expect(scene.edge(name)).to.equal(BEFORE);
      expect(domain(name)).to.equal('');
    }
    expect(scene.writes()).to.deep.equal([
      'lb1 PUT /api/systemconfiguration',
      'lb1 PUT /api/cloud/cloud-1',
      'lb2 PUT /api/systemconfiguration',
      'lb2 PUT /api/cloud/cloud-1',
    ]);
    const items = eventsOf(stdout).flatMap((event) =>
      event.type === 'task-finished' && event.controller === 'lb1' ? [`${event.item ?? ''} ${event.status}`] : [],
    );
    expect(items).to.deep.equal([
      'system configuration: dns_configuration.search_domain changed',
      'cloud "edge": mtu, description changed',
      ' changed',
    ]);
    expect(stderr.replace(/\d{8}T\d{6}Z-\w+|\d{4}-\S+ \d\d:\d\d:\d\d UTC/g, '…')).to
      .equal(`Rollback of … (evenkeel run, started …)
To restore:
  system configuration (2 controllers: lb1, lb2)
    - dns_configuration.search_domain: new.example.com
    + dns_configuration.search_domain: ""
  cloud "edge" (2 controllers: lb1, lb2)
    - mtu: 9000
    + mtu: 1500
    - description: new
`);
  });

  it('reports that a raw request cannot be undone, and undoes the rest', async () => {
    const raw =
      '- hosts: lb1\n  tasks:\n    - cloud_present: { name: edge, mtu: 9000 }\n    - api_request: { method: POST, path: /api/cloud/, body: { name: raw } }\n';
    await scene.project.write('raw.yml', raw);
    await scene.run('raw.yml');
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(
      /\nCannot be undone:\n {2}POST \/api\/cloud\/ was a raw request: its effect is unknown \(lb1\)\nTo restore:\n {2}cloud "edge" \(lb1\)\n {4}- mtu: 9000\n {4}\+ mtu: 1500\n$/,
    );
    expect(scene.edge('lb1')).to.equal(BEFORE);
  });

  it('reports first what cannot be undone, and undoes the rest in one write per object', async () => {
    await scene.run('more.yml');
    scene.forgetRequests();
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(
      /\nCannot be undone:\n {2}cloud "made-lb1" was created: a rollback deletes nothing \(lb1\)\n {2}cloud "made-lb2" was created: a rollback deletes nothing \(lb2\)\nTo restore:\n {2}cloud "edge" \(2 controllers: lb1, lb2\)\n {4}- mtu: 3000\n {4}\+ mtu: 1500\n$/,
    );
    expect(scene.writes()).to.deep.equal(['lb1 PUT /api/cloud/cloud-1', 'lb2 PUT /api/cloud/cloud-1']);
    expect(scene.fleet.controller('lb1').objects(CLOUDS)).to.have.lengthOf(2);
  });

  it('reports and skips objects that were changed since, and restores the rest of the fleet', async () => {
    await scene.run('site.yml', '-l', 'lb1,lb2');
    const [edge] = scene.fleet.controller('lb1').objects(CLOUDS);
    scene.fleet.controller('lb1').setObjects(CLOUDS, [{ ...edge, mtu: 1234 }]);
    const { code, stdout } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code).to.equal(2);
    expect(stdout).to.include('cloud "edge" was changed since the run: mtu; not restored');
    expect(scene.edge('lb1')).to.equal('{"mtu":1234,"description":"new"}');
    expect(scene.edge('lb2')).to.equal(BEFORE);
    expect([domain('lb1'), domain('lb2')]).to.deep.equal(['', '']);
  });

  it('changes nothing the second time, and can be undone by its own id', async () => {
    await scene.run('site.yml');
    const [run] = await scene.runs();
    const first = await scene.evenkeel('rollback', run ?? '', '--yes');
    expect(first.code, first.stderr).to.equal(0);
    const second = await scene.evenkeel('rollback', run ?? '', '--yes', '-o', 'json');
    expect(finishedOf(second.stdout).stats['lb1']).to.include({ ok: 1, changed: 0 });
    const [, rollback] = await scene.runs();
    const third = await scene.evenkeel('rollback', rollback ?? '', '--yes');
    expect(third.code, third.stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal(AFTER);
    expect(domain('lb2')).to.equal('new.example.com');
  });

  it('records which run it has undone', async () => {
    await scene.run('site.yml');
    await scene.evenkeel('rollback', 'last', '--yes');
    const [run, rollback] = await scene.runs();
    expect(await scene.header(rollback ?? '')).to.include({ command: 'rollback', undoes: run });
  });

  it('marks the run, which must not be undone again', async () => {
    await scene.run('site.yml');
    const [run = ''] = await scene.runs();
    const undo = new RegExp(`^undo \\d writes?: evenkeel rollback ${run}$`, 'm');
    expect((await scene.evenkeel('runs', run)).stdout).to.match(undo);
    await scene.evenkeel('rollback', 'last', '--yes');
    const [, rollback = ''] = await scene.runs();
    const { stdout } = await scene.evenkeel('runs', run);
    expect(stdout).to.include(`  undone by    ${rollback}\n`).and.to.not.match(undo);
  });

  it('records the undone run also when the rollback is started again', async () => {
    await scene.run('site.yml');
    const [edge] = scene.fleet.controller('lb1').objects(CLOUDS);
    scene.fleet.controller('lb1').setObjects(CLOUDS, [{ ...edge, mtu: 1234 }]);
    expect((await scene.evenkeel('rollback', 'last', '--yes')).code).to.equal(2);
    scene.fleet.controller('lb1').setObjects(CLOUDS, [{ ...edge }]);
    const asked = await scene.evenkeel('run', '--rerun', 'last');
    expect(asked.code).to.equal(1);
    expect(asked.stderr).to.include('mtu').and.to.include('a rollback needs confirmation, but stdin is not a terminal');
    await scene.run('--rerun', 'last', '--yes');
    const [run = '', , again = ''] = await scene.runs();
    expect(await scene.header(again)).to.include({ command: 'run', undoes: run });
    expect((await scene.evenkeel('runs', '-n', '1')).stdout).to.match(new RegExp(`rollback of ${run}\n$`));
    expect(scene.edge('lb1')).to.equal(BEFORE);
  });

  it('as last finishes what an earlier one did not restore, and never undoes that', async () => {
    await scene.run('site.yml');
    const [edge] = scene.fleet.controller('lb1').objects(CLOUDS);
    scene.fleet.controller('lb1').setObjects(CLOUDS, [{ ...edge, mtu: 1234 }]);
    expect((await scene.evenkeel('rollback', 'last', '--yes')).code).to.equal(2);
    scene.fleet.controller('lb1').setObjects(CLOUDS, [{ ...edge }]);
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '--config', 'evenkeel.yml');
    const [run = '', rollback = ''] = await scene.runs();
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(`"last" means run ${run}, because run ${rollback} is a rollback`);
    expect(stderr).to.include(`name it: evenkeel rollback ${rollback} --config evenkeel.yml\n`);
    expect([scene.edge('lb1'), scene.edge('lb2')]).to.deep.equal([BEFORE, BEFORE]);
    const [, , second = ''] = await scene.runs();
    await rm(path.join(scene.project.directory, '.evenkeel/runs', run), { recursive: true });
    expect((await scene.evenkeel('rollback', 'last', '--yes')).stderr).to.include(
      `/runs but ${second}, a rollback, may have changed anything\n`,
    );
  });

  it('only reads with --check, does not ask, and does not change what "last" means', async () => {
    await scene.run('site.yml');
    scene.forgetRequests();
    const { code, stdout } = await scene.evenkeel('rollback', 'last', '--check', '--diff');
    expect(code).to.equal(0);
    expect(stdout).to.match(/- mtu: 9000\n\s*\+ mtu: 1500/);
    expect(scene.writes()).to.deep.equal([]);
    const { code: done } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(done).to.equal(0);
    expect(scene.edge('lb1')).to.equal(BEFORE);
  });

  it('respects --limit, in the environment of the run and with its variables', async () => {
    await scene.project.write('evenkeel.yml', 'environments: { lab: { inventory: inventory.yml } }\n');
    await scene.project.write('gone.yml', 'a: 1\n');
    const home = path.join(scene.project.directory, 'home');
    await scene.project.write('home/there.yml', 'b: 1\n');
    const variables = ['note=1', ' @gone.yml', '@evenkeel.yml', '@~/there.yml'].flatMap((one) => ['-e', one]);
    await atHome(home, () => scene.run('site.yml', '--env', 'lab', ...variables));
    await rm(path.join(scene.project.directory, 'gone.yml'));
    const lost = await scene.evenkeel('rollback', 'last', '--yes', '--report', 'gone/x.html');
    expect([lost.code, lost.stderr.includes('gone/x.html'), scene.edge('lb2')]).to.deep.equal([1, true, AFTER]);
    const { code, stderr } = await atHome(home, () => scene.evenkeel('rollback', 'last', '--yes', '-l', 'lb2'));
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(/^Rollback of \S+ \(evenkeel run for lab, started /m);
    expect(stderr.match(/the run had -e .*/g)).to.deep.equal(['the run had -e @gone.yml, which no longer exists']);
    expect(stderr).to.include('system configuration (lb2)');
    expect(scene.edge('lb1')).to.equal(AFTER);
    expect(scene.edge('lb2')).to.equal(BEFORE);
  });

  it('restores what tasks wrote to controllers outside the limit of the environment', async () => {
    await scene.project.write('evenkeel.yml', 'environments: { lab: { inventory: inventory.yml, limit: lb1 } }\n');
    const task = '{ cloud_present: { name: edge, mtu: 9000 }, delegate_to: lb2 }';
    await scene.project.write('delegated.yml', `- { hosts: all, tasks: [${task}] }\n`);
    await scene.run('delegated.yml', '--env', 'lab');
    expect([scene.edge('lb1'), scene.edge('lb2')]).to.deep.equal([BEFORE, '{"mtu":9000}']);
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-l', 'lb2');
    expect(code, stderr).to.equal(0);
    expect(scene.edge('lb2')).to.equal(BEFORE);
  });

  it('continues with the other objects and controllers after a failure', async () => {
    await scene.run('site.yml');
    scene.fleet.controller('lb1').behaviour = {
      faults: [{ type: 'answer', status: 400, when: { method: 'PUT', path: CONFIGURATION } }],
    };
    const { code } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code).to.equal(2);
    expect(domain('lb1')).to.equal('new.example.com');
    expect(scene.edge('lb1')).to.equal(BEFORE);
    expect(domain('lb2')).to.equal('');
  });

  it('asks first, and does nothing without a terminal', async () => {
    await scene.run('site.yml');
    scene.forgetRequests();
    const { code, stderr } = await scene.evenkeel('rollback', 'last');
    expect(code).to.equal(1);
    expect(stderr).to.match(
      /\nevenkeel: a rollback needs confirmation, but stdin is not a terminal: pass --yes, or run it in a terminal\n$/,
    );
    expect(scene.writes()).to.deep.equal([]);
  });

  it('reports if there is nothing to roll back', async () => {
    scene.set('lb1', { mtu: 9000, description: 'new' });
    await scene.run('more.yml', '--check');
    const [check] = await scene.runs();
    const { code, stderr } = await scene.evenkeel('rollback', check ?? '');
    expect(code).to.equal(0);
    expect(stderr).to.equal(`evenkeel: nothing to roll back: run ${check} changed nothing\n`);
  });

  it('cannot undo what could not be read, and reports it', async () => {
    for (const name of scene.fleet.names) scene.fleet.controller(name).behaviour = { unreadable: 404 };
    await scene.run('site.yml');
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(
      '\nCannot be undone:\n  system configuration could not be read before it was written: its former value is unknown (2 controllers: lb1, lb2)\n',
    );
    expect(scene.edge('lb1')).to.equal(BEFORE);
  });

  it('skips a controller that is no longer in the inventory', async () => {
    await scene.run('site.yml');
    await scene.project.write('one.yml', scene.fleet.inventory.replace(/^ *lb2: .*\n/m, ''));
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-i', 'one.yml');
    expect(code).to.equal(2);
    expect(stderr).to.include(
      'Left alone:\n  the controller is no longer in the inventory: to restore it, pass -i with an inventory that has its name and its address (lb2)\n',
    );
    expect(scene.edge('lb1')).to.equal(BEFORE);
    expect(scene.edge('lb2')).to.equal(AFTER);
    const [, rollback = ''] = await scene.runs();
    expect((await scene.evenkeel('runs', rollback)).stdout)
      .to.match(/^ *status +failed, exit code 2, /m)
      .and.to.not.include('continue with');
  });

  it('skips it also after an interrupt', async () => {
    await scene.run('site.yml');
    await scene.project.write('one.yml', scene.fleet.inventory.replace(/^ *lb2: .*\n/m, ''));
    const { fleet, project } = scene;
    const cut = { cwd: project.directory, fleet, controller: 'lb1', nth: 1, signal: 'SIGINT' } as const;
    expect((await cutOff(['rollback', 'last', '--yes', '-i', 'one.yml'], cut)).code).to.equal(130);
    const { code, stderr } = await scene.evenkeel('resume', 'last');
    expect(code, stderr).to.equal(2);
    expect(stderr).to.include('warning: left alone: lb2: the controller is no longer in the inventory');
    expect([scene.edge('lb1'), scene.edge('lb2')]).to.deep.equal([BEFORE, AFTER]);
  });

  it('restores a controller under the name that it has now', async () => {
    await scene.run('site.yml');
    await scene.project.write('renamed.yml', scene.fleet.inventory.replace(/^( *)lb2: /m, '$1edge2: '));
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-i', 'renamed.yml');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(
      'warning: 1 controller of that run has another name at the same address now: lb2 → edge2\n',
    );
    expect([scene.edge('lb1'), scene.edge('lb2')]).to.deep.equal([BEFORE, BEFORE]);
  });

  it('does not lock itself out unless allowed', async () => {
    const controller = scene.fleet.controller('lb1');
    controller.setObject(CONFIGURATION, { portal_configuration: { enable_https: false } });
    await scene.project.write(
      'lock.yml',
      '- hosts: lb1\n  tasks:\n    - system_config: { portal_configuration: { enable_https: true } }\n',
    );
    await scene.run('lock.yml');
    const [run = ''] = await scene.runs();
    const refused = await scene.evenkeel('rollback', run, '--yes');
    expect(refused.code).to.equal(2);
    expect(refused.stdout).to.include(
      'this sets portal_configuration.enable_https to false, and Evenkeel signs in with Basic authentication over HTTPS: it would lock itself out; nothing was written. Say --allow-lockout if that is intended',
    );
    const allowed = await scene.evenkeel('rollback', run, '--yes', '--allow-lockout');
    expect(allowed.code, allowed.stdout).to.equal(0);
    expect(controller.object(CONFIGURATION)).to.have.nested.property('portal_configuration.enable_https', false);
    // A resume is allowed the same.
    const state = path.join(scene.project.directory, '.evenkeel');
    const [, ...rollbacks] = await scene.runs();
    const kept = rollbacks.map((id) => readKept(state, id, (one) => one.invocation()?.['command']));
    expect(await Promise.all(kept)).to.deep.equal(
      [false, true].map((allowLockout) => ({ type: 'rollback', run, allowLockout })),
    );
  });

  it('suggests the nearest run if there is none with that id', async () => {
    const { code, stderr } = await scene.evenkeel('rollback', 'last');
    expect(code).to.equal(1);
    expect(stderr).to.match(/^error: no run in .*\.evenkeel\/runs may have changed anything\n/);
    await scene.run('site.yml');
    const other = await scene.evenkeel('rollback', '1999');
    expect(other.code).to.equal(1);
    expect(other.stderr).to.match(/^error: there is no run "1999" in /);
  });
});
