import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import { emptyProject, playbookOf, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('fields that not every version of the API has', () => {
  let fleet: Fleet;
  let project: Project;

  beforeEach(async () => {
    fleet = await startFleet({ controllers: ['lb1', 'lb2'], dialect: 'avi' });
    project = await emptyProject();
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  async function run(task: Mapping, ...args: readonly string[]): Promise<Ended> {
    await project.write('p.yml', playbookOf([task]));
    return evenkeel(['run', 'p.yml', '-i', fleet.inventoryFile, ...args], { cwd: project.directory });
  }
  const POOL = { name: 'web', append_port: 'NEVER', servers: [{ ip: { type: 'V4', addr: '10.0.0.1' }, port: 80 }] };
  const OLD = ['-e', 'controller_api_version=20.1.1'];

  it('are warned about before the run if the settings name the version, once for all controllers', async () => {
    const { code, stderr } = await run({ pool_present: POOL }, ...OLD);
    expect(code).to.equal(0);
    const message =
      '"append_port" exists since version 21.1.1 of the API, and the version here is 20.1.1 (on 2 controllers: lb1, lb2)';
    expect(stderr.split(message)).to.have.lengthOf(2);
    expect(stderr).to.include('p.yml:');
    expect(stderr).to.include('the controller may refuse or ignore it: leave it out, or change the version');
  });

  it('are found in fields of fields, and where they ended', async () => {
    const group = { poolgroup_present: { name: 'web', enable_http2: true } };
    expect((await run(group, '-e', 'controller_api_version=20.1.1')).stderr).to.not.include('of the API');
    const { stderr } = await run(group, '-e', 'controller_api_version=30.2.1', '--check');
    expect(stderr).to.include('"enable_http2" no longer exists since version 30.2.1 of the API');
    const profile = { http_profile: { http2_profile: { enable_http2_server_push: true } } };
    const inner = { applicationprofile_present: { name: 'web', type: 'APPLICATION_PROFILE_TYPE_HTTP', ...profile } };
    expect((await run(inner, ...OLD, '--check')).stderr).to.include(
      '"http_profile.http2_profile.enable_http2_server_push" exists since version',
    );
  });

  it('are found in clouds and in the system configuration', async () => {
    const cloud = { cloud_present: { name: 'edge', vtype: 'CLOUD_NONE', metrics_polling_interval: 300 } };
    expect((await run(cloud, ...OLD, '--check')).stderr).to.include(
      '"metrics_polling_interval" exists since version 22.1.1',
    );
    const system = { system_config: { rekey_time_limit: '1h' } };
    expect((await run(system, ...OLD, '--check')).stderr).to.include('"rekey_time_limit" exists since version');
  });

  it('are warned about before the write if the controller tells its version', async () => {
    const pool = { ...POOL, append_port: null, graceful_hm_down_disable_timeout: 5 };
    const { stdout, stderr } = await run({ avi_pool: pool });
    const message =
      '"graceful_hm_down_disable_timeout" exists since version 30.2.1 of the API, and the version here is';
    expect(stdout + stderr).to.include(`${message} 22.1.3`);
    expect((await run({ avi_pool: pool })).stdout).to.not.include(message);
  });
});
