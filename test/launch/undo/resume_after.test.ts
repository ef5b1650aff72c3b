import { expect } from 'chai';
import { cutOff } from '../../rig/cut_off.js';
import { Scene } from './rig.js';

const SITE = `- hosts: all
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
    - system_config: { dns_configuration: { search_domain: new.example.com } }
`;

describe('a run that was cut off and rolled back', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': SITE }, { controllers: 1 });
    const { fleet, project } = scene;
    const cut = { cwd: project.directory, fleet, controller: 'lb1', nth: 1, signal: 'SIGINT' } as const;
    expect((await cutOff(['run', 'site.yml'], cut)).code).to.equal(130);
  });
  afterEach(() => scene.close());

  it('is not resumed, because restored objects would count as done', async () => {
    expect((await scene.evenkeel('rollback', 'last', '--yes')).code).to.equal(0);
    const [run = '', rollback = ''] = await scene.runs();
    scene.forgetRequests();
    const { code, stderr } = await scene.evenkeel('resume', run);
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      `error: run ${run} was rolled back by ${rollback}: tasks that were rolled back would count as done\n` +
        '  = hint: run the playbook again, or pass --force to do only what the run had not done\n\n1 error\n',
    );
    expect(scene.writes()).to.deep.equal([]);
    const forced = await scene.evenkeel('resume', run, '--force');
    expect(forced.code, forced.stdout + forced.stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('is resumed after a rollback --check', async () => {
    expect((await scene.evenkeel('rollback', 'last', '--check')).code).to.equal(0);
    const [run = ''] = await scene.runs();
    const { code, stdout, stderr } = await scene.evenkeel('resume', run);
    expect(code, stdout + stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":9000}');
  });
});
