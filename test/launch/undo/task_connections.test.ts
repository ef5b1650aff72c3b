import path from 'node:path';
import { expect } from 'chai';
import { controllerKey, LockFolder } from '../../../src/record/locks/lock_folder.js';
import { Locks } from '../../../src/record/locks/locks.js';
import { ownIdentity } from '../../../src/record/locks/process_identity.js';
import { Scene } from './rig.js';

const SITE = `- hosts: lb1
  tasks:
    - cloud_present: { name: own }
    - cloud_present: { name: central }
      vars: { controller_url: '{{ central }}' }
`;

describe('a task with its own controller_url', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': SITE });
  });
  afterEach(() => scene.close());

  const run = (...args: readonly string[]): ReturnType<Scene['evenkeel']> =>
    scene.evenkeel('run', 'site.yml', '-o', 'lines', ...args);
  const central = (): readonly string[] => ['-e', `central=${scene.fleet.url('lb2')}`];
  const clouds = (name: string): readonly unknown[] =>
    scene.fleet
      .controller(name)
      .objects('/api/cloud/')
      .map((cloud) => cloud['name']);

  it('writes to that controller, unless another run has locked it', async () => {
    const folder = await LockFolder.open(path.join(scene.project.directory, '.claims'), { own: false });
    const since = new Date().toISOString();
    const holder = { run: 'the-other', process: ownIdentity(), user: 'me', command: 'run other.yml', since };
    const other = new Locks({ folder, holder });
    await other.acquire([controllerKey(scene.fleet.url('lb2'))]);
    const refused = await run(...central());
    expect(refused.code, refused.stdout).to.equal(2);
    expect(refused.stdout + refused.stderr).to.include('run the-other holds the lock');
    expect([clouds('lb1'), clouds('lb2')]).to.deep.equal([['edge', 'own'], ['edge']]);
    await other.release();
    const { code, stdout } = await run(...central());
    expect(code, stdout).to.equal(0);
    expect(clouds('lb2')).to.deep.equal(['edge', 'central']);
  });

  it('reaches a simulated controller of that address with --simulate, and nothing else', async () => {
    const first = await run(...central(), '--simulate');
    expect(first.code, first.stdout + first.stderr).to.equal(0);
    expect(scene.fleet.names.flatMap((name) => scene.fleet.controller(name).requests)).to.deep.equal([]);
    const again = await run(...central(), '--simulate', '-o', 'json');
    expect(again.stdout).to.include('"task":"cloud_present"').and.not.include('"status":"changed"');
    const elsewhere = await run('-e', 'central=https://central.example.com', '--simulate', '-o', 'json');
    expect(elsewhere.stdout.match(/"status":"changed"/g)).to.have.length(1);
  });

  it('signs in to a simulated controller as the configured user', async () => {
    await scene.project.write(
      'site.yml',
      `- hosts: lb1
  tasks:
    - cloud_present: { name: own }
      vars: { controller_username: auditor, controller_password: of-the-auditor }
    - cloud_present: { name: own }
`,
    );
    const { code, stdout } = await run('--simulate');
    expect(code, stdout).to.equal(0);
  });
});

describe('a play with its own controller_url', () => {
  it('does not hide where the inventory has the controller, on which another play is rolled back', async () => {
    const play = (vars: string) => `- hosts: lb1\n${vars}  tasks: [{ cloud_present: { name: edge, mtu: 9000 } }]\n`;
    const site = play("  vars: { controller_url: '{{ central }}' }\n") + play('');
    const scene = await Scene.open({ 'site.yml': site });
    try {
      await scene.project.write('inventory.yml', scene.fleet.inventory.replace(/^ *lb2: .*\n/m, ''));
      await scene.run('site.yml', '-e', `central=${scene.fleet.url('lb2')}`);
      expect([scene.edge('lb1'), scene.edge('lb2')]).to.deep.equal(Array(2).fill('{"mtu":9000}'));
      const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-o', 'lines');
      expect(code, stdout + stderr).to.equal(0);
      expect([scene.edge('lb1'), scene.edge('lb2')]).to.deep.equal(Array(2).fill('{"mtu":1500}'));
    } finally {
      await scene.close();
    }
  });
});
