import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import { textOrEmpty, type JsonObject } from '../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { emptyProject, playbookOf, type Project } from '../rig/command.js';
import { evenkeel, type EndedInProcess } from '../rig/in_process.js';

const ADDRESS = { addr: '10.0.0.1', type: 'V4' };
const POOL = { name: 'web', cloud_ref: '/api/cloud?name=edge', servers: [{ ip: ADDRESS, port: 80 }] };
const SERVICE = { name: 'web', cloud_ref: '/api/cloud?name=edge', services: [{ port: 80 }], vsvip_ref: 'web' };
const APPLICATION: readonly Mapping[] = [
  { cloud_present: { name: 'edge', vtype: 'CLOUD_NONE' } },
  { healthmonitor_present: { name: 'web', type: 'HEALTH_MONITOR_HTTP' } },
  { pool_present: { ...POOL, vrf_ref: 'global', health_monitor_refs: ['web', 'System-TCP'] } },
  { vsvip_present: { name: 'web', cloud_ref: 'edge', vip: [{ vip_id: '1', ip_address: ADDRESS }] } },
  { virtualservice_present: { ...SERVICE, pool_ref: 'web' } },
];
const TEAR_DOWN: readonly Mapping[] = ['virtualservice', 'vsvip', 'pool', 'healthmonitor', 'cloud'].map((kind) => ({
  [`${kind}_absent`]: { name: kind === 'cloud' ? 'edge' : 'web' },
}));

/** Deleted objects get another uuid when they are created again, and what refers to them must refer to that one. */
describe('the rollback of deletions', () => {
  let lb1: AviController;
  let project: Project;

  beforeEach(async () => {
    lb1 = await startAviController();
    project = await emptyProject();
    await lb1.writeInventory(project.directory);
  });

  afterEach(async () => {
    await lb1.close();
    await project.remove();
  });

  /** @param tasks by module */
  async function run(tasks: readonly Mapping[], ...args: readonly string[]): Promise<EndedInProcess> {
    await project.write('p.yml', playbookOf(tasks));
    return evenkeel(['run', 'p.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  }

  async function succeeds(tasks: readonly Mapping[]): Promise<void> {
    const { code, stdout, stderr } = await run(tasks);
    expect(code, stdout + stderr).to.equal(0);
  }

  async function rollBack(run = 'last'): Promise<EndedInProcess> {
    return evenkeel(['rollback', run, '--yes'], { cwd: project.directory });
  }

  /** The objects are there again as the tasks declare them. */
  async function isRestored(tasks: readonly Mapping[]): Promise<void> {
    const { stdout, stderr } = await run(tasks, '--check', '--diff');
    expect(stdout + stderr).to.match(/changed=0 .*failed=0/);
  }

  const only = (kind: string): JsonObject => lb1.one(kind, 'web');

  it('restores a whole application in the order of its references, which name the new objects', async () => {
    await succeeds(APPLICATION);
    const former = textOrEmpty(only('pool')['uuid']);
    await succeeds(TEAR_DOWN);
    const { code, stdout, stderr } = await rollBack();
    expect(code, stdout + stderr).to.equal(0);
    expect(only('pool')['uuid']).not.to.equal(former);
    expect(only('virtualservice')['pool_ref']).to.equal(`/api/pool/${textOrEmpty(only('pool')['uuid'])}`);
    await isRestored(APPLICATION);
  });

  it('restores references in objects that were only changed', async () => {
    await succeeds([...APPLICATION, { pool_present: { ...POOL, name: 'other' } }]);
    await succeeds([
      { virtualservice_present: { ...SERVICE, pool_ref: 'other' } },
      { pool_present: { name: 'web', health_monitor_refs: ['System-TCP'] } },
      { healthmonitor_absent: { name: 'web' } },
      { pool_absent: { name: 'web' } },
    ]);
    const { code, stdout, stderr } = await rollBack();
    expect(code, stdout + stderr).to.equal(0);
    await isRestored(APPLICATION);
  });

  it('follows an object that the run itself created again', async () => {
    await succeeds([...APPLICATION, { pool_present: { ...POOL, name: 'other' } }]);
    await succeeds([
      { virtualservice_present: { ...SERVICE, pool_ref: 'other' } },
      { pool_absent: { name: 'web' } },
      { pool_present: { ...POOL, description: 'new', health_monitor_refs: ['web', 'System-TCP'] } },
    ]);
    const { uuid } = only('pool');
    const { code, stdout, stderr } = await rollBack();
    expect(code, stdout + stderr).to.equal(0);
    expect(only('pool')).to.include({ uuid }).and.not.to.have.property('description', 'new');
    await isRestored(APPLICATION);
  });

  it('finds what an earlier rollback has restored', async () => {
    await succeeds(APPLICATION);
    await succeeds(TEAR_DOWN);
    const [, torn = ''] = /run (\S+)/.exec((await evenkeel(['runs', 'last'], { cwd: project.directory })).stdout) ?? [];
    lb1.controller.behaviour = {
      faults: [{ type: 'answer', status: 403, when: { path: '/api/vsvip', method: 'POST' } }],
    };
    const first = await rollBack();
    expect(first.code, first.stdout).to.equal(2);
    lb1.controller.behaviour = {};
    const second = await rollBack(torn);
    expect(second.code, second.stdout + second.stderr).to.equal(0);
    await isRestored(APPLICATION);
  });

  it('does not touch an object that someone else created under the name of a deleted one, and does not refer to it', async () => {
    await succeeds(APPLICATION);
    await succeeds(TEAR_DOWN);
    await lb1.client.object('POST', '/api/healthmonitor', { name: 'web', type: 'HEALTH_MONITOR_TCP' });
    const { code, stdout } = await rollBack();
    expect(code).to.equal(2);
    expect(stdout).to.include('healthmonitor "web" has been replaced').and.include('HealthMonitor object not found!');
    expect(lb1.controller.objects('/api/pool/')).to.deep.equal([]);
  });
});
