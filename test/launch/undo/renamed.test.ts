import { expect } from 'chai';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import type { JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { emptyProject, playbookOf, type Ended, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';

const find = (name: string): Mapping => ({
  resource_facts: { kind: 'pool', name },
  register: name,
});
const uuid = (name: string): string => `{{ ${name}.objects[0].uuid }}`;

const shown = (value: Value | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

describe('a rollback of renamed objects', () => {
  let lb1: AviController;
  let project: Project;
  beforeEach(async () => {
    lb1 = await startAviController();
    project = await emptyProject();
    await lb1.writeInventory(project.directory);
    for (const [name, port] of [
      ['web', 81],
      ['db', 82],
    ] as const)
      await lb1.client.object('POST', '/api/pool', { name, default_server_port: port });
  });
  afterEach(async () => {
    await lb1.close();
    await project.remove();
  });

  const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  const back = (...args: readonly string[]): Promise<Ended> => command('rollback', 'last', ...args);

  async function run(...tasks: readonly Mapping[]): Promise<void> {
    await project.write('p.yml', playbookOf(tasks));
    const { code, stdout, stderr } = await command('run', 'p.yml', '-i', 'inventory.yml');
    expect(code, stdout + stderr).to.equal(0);
  }

  /** The pools, the oldest first. */
  async function pools(): Promise<readonly string[]> {
    const { results } = await lb1.client.object('GET', '/api/pool');
    return (results as unknown as readonly JsonObject[])
      .map((pool) => ['name', 'default_server_port', 'description'].map((field) => shown(pool[field])).join(' '))
      .toSorted();
  }

  it('restores a name, and what changed with it', async () => {
    await run(find('web'), { avi_pool: { uuid: uuid('web'), name: 'web-old', default_server_port: 90 } });
    expect(await pools()).to.deep.equal(['db 82 null', 'web-old 90 null']);
    const { code, stdout, stderr } = await back('--yes');
    expect(code, stdout + stderr).to.equal(0);
    expect(await pools()).to.deep.equal(['db 82 null', 'web 81 null']);
    const [rollback = ''] = /\d{8}T\d{6}Z-[0-9a-f]+/.exec((await command('runs', '-n', '1')).stdout) ?? [];
    const again = await command('rollback', rollback, '--yes');
    expect(again.code, again.stdout + again.stderr).to.equal(0);
    expect(await pools()).to.deep.equal(['db 82 null', 'web-old 90 null']);
  });

  it('never writes to an object that the run created under the old name, and waits until it is gone', async () => {
    await run(
      { avi_pool: { name: 'web', description: 'retired' }, register: 'old' },
      { avi_pool: { uuid: '{{ old.obj.uuid }}', name: 'web-v1' } },
      { avi_pool: { name: 'web', description: 'v2', default_server_port: 8443 } },
      { avi_pool: { name: 'web', description: 'tuned' } },
    );
    const left = ['db 82 null', 'web 8443 tuned', 'web-v1 81 retired'];
    expect(await pools()).to.deep.equal(left);
    const [id = ''] = /\d{8}T\d{6}Z-[0-9a-f]+/.exec((await command('runs', '-o', 'json')).stdout) ?? [];
    const { code, stdout, stderr } = await command('rollback', id, '--yes');
    expect(code).to.equal(2);
    expect(stderr).to.include('pool "web" was created: a rollback deletes nothing');
    expect(stdout).to.match(/pool "web-v1" is not restored: its former name "web" belongs to pool-\S+ now/);
    expect(await pools()).to.deep.equal(left);
    await run({ avi_pool: { name: 'web', state: 'absent' } });
    expect((await command('rollback', id, '--yes')).code).to.equal(0);
    expect(await pools()).to.deep.equal(['db 82 null', 'web 81 null']);
  });

  it('leaves both alone if they have exchanged their names', async () => {
    await run(
      find('web'),
      find('db'),
      { avi_pool: { uuid: uuid('web'), name: 'other' } },
      { avi_pool: { uuid: uuid('db'), name: 'web' } },
      { avi_pool: { uuid: uuid('web'), name: 'db' } },
    );
    const { code, stdout } = await back('--yes');
    expect(code).to.equal(2);
    expect(stdout)
      .to.match(/its former name "web" belongs to/)
      .and.match(/its former name "db" belongs to/);
    expect(await pools()).to.deep.equal(['db 81 null', 'web 82 null']);
  });

  it('creates one again under the name that it had before', async () => {
    await run(
      find('web'),
      { avi_pool: { uuid: uuid('web'), name: 'web-old' } },
      { avi_pool: { name: 'web-old', description: 'x' } },
      { avi_pool: { name: 'web-old', state: 'absent' } },
    );
    const { code, stdout, stderr } = await back('--yes');
    expect(code, stdout + stderr).to.equal(0);
    expect(stderr).to.include('pool "web" (new)');
    expect(await pools()).to.deep.equal(['db 82 null', 'web 81 null']);
  });

  it('gives a name back once the one that has it now got its own back, and a check knows that', async () => {
    await run(
      find('web'),
      find('db'),
      { avi_pool: { uuid: uuid('web'), name: 'web-old' } },
      { avi_pool: { uuid: uuid('db'), name: 'web', default_server_port: 90 } },
      { avi_pool: { name: 'web-old', description: 'last' } },
    );
    for (const way of ['--check', '--yes']) {
      const { code, stdout, stderr } = await back(way);
      expect(code, stdout + stderr).to.equal(0);
    }
    expect(await pools()).to.deep.equal(['db 82 null', 'web 81 null']);
  });

  it('names a deleted one as it was, not as the task called it', async () => {
    await run(find('web'), { avi_pool: { uuid: uuid('web'), name: 'gone', state: 'absent' } });
    const { code, stderr } = await back('--yes');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include('pool "web" (new)').and.not.include('gone');
    expect(await pools()).to.deep.equal(['db 82 null', 'web 81 null']);
  });
});
