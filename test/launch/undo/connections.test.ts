import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { TenantController } from '../../rig/tenants.js';
import { CLOUDS, Scene } from './rig.js';

const SITE = `- hosts: lb1
  vars: { pin: { X-Pin: '1' } }
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
      vars: { controller_headers: { X-Tenant: blue } }
    - cloud_present: { name: edge, mtu: 8000 }
    - cloud_present: { name: edge, mtu: 7000 }
      vars: { controller_headers: { X-Tenant: '{{ item }}' } }
      loop: [blue, green]
`;
const PLAY = `- hosts: lb1
  vars: { controller_headers: { X-Tenant: green, X-Api-Token: of-the-play } }
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
`;
const GATED = PLAY.replace(
  'tasks:',
  'gate: { checks: [fail: { msg: broken }], failures: 1, on_fail: rollback }\n  tasks:',
);

describe('a rollback of what was written with variables of a task', () => {
  let scene: Scene;
  let tenants: TenantController;
  beforeEach(async () => {
    const files = { 'site.yml': SITE, 'play.yml': PLAY, 'gated.yml': GATED };
    scene = await Scene.open(files, { controllers: ['admin', 'blue', 'green'] });
    tenants = await TenantController.start(scene.fleet);
    await scene.project.write('tenants.pem', tenants.ca);
    const inventory = scene.fleet.inventory
      .replace(/^( *)admin: .*$/m, `$1lb1: { controller_url: '${tenants.url}' }`)
      .replace(/controller_ca_file: .*/, 'controller_ca_file: tenants.pem');
    await scene.project.write('inventory.yml', inventory);
  });
  afterEach(async () => {
    await tenants.close();
    await scene.close();
  });

  const sizes = (): readonly unknown[] =>
    scene.fleet.names.map((name) => scene.fleet.controller(name).objects(CLOUDS)[0]?.['mtu']);

  it('restores each object where it was written', async () => {
    await scene.run('site.yml');
    expect(sizes()).to.deep.equal([8000, 7000, 7000]);
    const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code, stdout + stderr).to.equal(0);
    expect(sizes()).to.deep.equal([1500, 1500, 1500]);
    const [, rollback = ''] = await scene.runs();
    await scene.evenkeel('rollback', rollback, '--yes');
    expect(sizes()).to.deep.equal([8000, 7000, 7000]);
  });

  it('uses the connection variables of the play, and keeps their secrets sealed', async () => {
    await scene.run('play.yml');
    const [run = ''] = await scene.runs();
    const journal = await readFile(path.join(scene.project.directory, '.evenkeel/runs', run, 'journal.jsonl'), 'utf8');
    expect(journal).to.include(`"url":"${tenants.url}"`).and.not.include('of-the-play');
    const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-vvv');
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout + stderr).to.not.include('of-the-play');
    expect(sizes()).to.deep.equal([1500, 1500, 1500]);
  });

  it('lets -e override connection variables of the play', async () => {
    await scene.run('play.yml');
    const anew = ['-e', '{"controller_headers": {"X-Tenant": "blue"}}'];
    const { code, stdout } = await scene.evenkeel('rollback', 'last', '--yes', ...anew);
    expect(code, stdout).to.equal(0);
    expect(tenants.requests.filter((request) => request.startsWith('PUT'))).to.deep.equal(['PUT green']);
    expect(sizes()).to.deep.equal([1500, 1500, 9000]);
  });

  it('by a gate writes where the batch has written', async () => {
    const { code, stdout, stderr } = await scene.evenkeel('run', 'gated.yml', '-o', 'lines');
    expect(code, stdout + stderr).to.equal(6);
    expect(stdout).to.include('the batch was rolled back');
    expect(tenants.requests.filter((request) => request.startsWith('PUT'))).to.deep.equal(['PUT green', 'PUT green']);
    expect(sizes()).to.deep.equal([1500, 1500, 1500]);
  });
});

describe('a rollback of what was written to controllers that add_host had added', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({}, { controllers: 3 });
    const { fleet, project } = scene;
    const [first = '', ...others] = fleet.names;
    const login = { controller_username: fleet.username, controller_password: fleet.password };
    const added = others.map((name) => ({
      add_host: {
        // It must not be read as a pattern.
        name: `${name === 'lb2' ? '!' : 'we,b:'}${name}`,
        groups: 'added',
        controller_url: fleet.url(name),
        controller_ca_file: fleet.caFile,
        controller_api_version: '22.1.3',
        ...login,
      },
    }));
    const cloud = { cloud_present: { name: 'edge', mtu: 9000 } };
    await project.write(
      'site.yml',
      JSON.stringify([
        { hosts: first, tasks: [...added, cloud] },
        { hosts: 'added', tasks: [cloud] },
      ]),
    );
    await project.write(
      'inventory.yml',
      JSON.stringify({
        all: {
          hosts: {
            [first]: {
              controller_url: fleet.url(first),
              controller_ca_file: fleet.caFile,
              controller_api_version: '22.1.3',
              ...login,
            },
          },
        },
      }),
    );
  });
  afterEach(() => scene.close());

  const sizes = (): readonly unknown[] =>
    scene.fleet.names.map((name) => scene.fleet.controller(name).objects(CLOUDS)[0]?.['mtu']);

  it('connects as the run did, also if it is rolled back itself', async () => {
    await scene.run('site.yml');
    expect(sizes()).to.deep.equal([9000, 9000, 9000]);
    const [run = ''] = await scene.runs();
    const journal = await readFile(path.join(scene.project.directory, '.evenkeel/runs', run, 'journal.jsonl'), 'utf8');
    expect(journal).to.include(scene.fleet.url('lb2')).and.not.include('controller_password');
    for (const size of [1500, 9000]) {
      const { code, stdout, stderr } = await scene.evenkeel('rollback', (await scene.runs()).at(-1) ?? '', '--yes');
      expect(code, stdout + stderr).to.equal(0);
      expect(sizes()).to.deep.equal([size, size, size]);
    }
  });
});
