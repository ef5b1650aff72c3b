import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const SITE = '- hosts: fleet\n  tasks:\n    - cloud_present: { name: edge }\n';
const TOUCH =
  "    - name: |-\n        Touch\n        twice\n      debug: { msg: '{{ inventory_hostname }}' }\n      changed_when: true\n";

describe('--verify-idempotent', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'site.yml': SITE, 'touch.yml': SITE + TOUCH, 'inventory.yml': fleet.inventory });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  function posts(): number {
    return fleet.names.flatMap((name) => fleet.controller(name).requests).filter(({ method }) => method === 'POST')
      .length;
  }

  it('reports that a second run would change nothing, and writes nothing twice', async () => {
    const { code, stdout } = await run('run', 'site.yml', '-i', 'inventory.yml', '--verify-idempotent');
    expect(code, stdout).to.equal(0);
    expect(stdout.trimEnd().split('\n').at(-1)).to.equal('idempotent: a second run would change nothing');
    expect(posts()).to.equal(2);
  });

  it('writes nothing a second time, even with "check_mode: false"', async () => {
    const raw = '{ api_request: { method: POST, path: /api/cloud/, body: { name: raw } }, check_mode: false }';
    await project.write('raw.yml', `- hosts: fleet\n  tasks: [${raw}]\n`);
    const { code, stdout } = await run('run', 'raw.yml', '-i', 'inventory.yml', '--verify-idempotent');
    expect(code, stdout).to.equal(0);
    expect(posts()).to.equal(2);
  });

  it('names what would change again, and exits with 2', async () => {
    const { code, stdout } = await run('run', 'touch.yml', '-i', 'inventory.yml', '--verify-idempotent');
    expect(code, stdout).to.equal(2);
    expect(stdout).to.match(/not idempotent: a second run would change something again\n {2}Touch twice: lb1, lb2\n$/);
    expect(posts()).to.equal(2);
  });

  it('writes nothing a second time, whether a plan was applied or not', async () => {
    const made = 'cloud_present: { name: \'made {{ lookup("pipe", "date +%N") }}\' }';
    await project.write('made.yml', `- hosts: fleet\n  tasks: [${made}]\n`);
    const { code, stdout, stderr } = await run('run', 'made.yml', '-i', 'inventory.yml', '--verify-idempotent');
    expect(code, stdout + stderr).to.equal(2);
    expect(stdout).to.match(
      /not idempotent: a second run would change something again\n {2}cloud_present: lb1, lb2\n$/,
    );
    expect(posts()).to.equal(2);
    expect((await run('plan', 'made.yml', '-i', 'inventory.yml', '--out', 'made.plan')).code).to.equal(0);
    const applied = await run('apply', 'made.plan', '--verify-idempotent');
    expect(applied.code, applied.stdout + applied.stderr).to.equal(2);
    expect(applied.stdout).to.match(/not idempotent: .*\n {2}cloud_present: lb1, lb2\n$/);
    expect(posts()).to.equal(4);
  });

  it('checks nothing after a run that failed', async () => {
    await project.write('fails.yml', '- hosts: fleet\n  tasks: [{ fail: }]\n');
    const { code, stdout } = await run('run', 'fails.yml', '-i', 'inventory.yml', '--verify-idempotent');
    expect(code).to.equal(2);
    expect(stdout).to.not.include('idempotent');
  });

  it('works for a plan', async () => {
    expect((await run('plan', 'touch.yml', '-i', 'inventory.yml', '--out', 'a.plan')).code).to.equal(0);
    const { code, stdout } = await run('apply', 'a.plan', '--verify-idempotent');
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include('  Touch twice: lb1, lb2');
    expect(posts()).to.equal(2);
  });

  it('keeps the simulated controllers that the run has written to', async () => {
    const { code, stdout } = await run('run', 'site.yml', '-i', 'inventory.yml', '--simulate', '--verify-idempotent');
    expect(code, stdout).to.equal(0);
    expect(stdout).to.include('idempotent: a second run would change nothing');
  });
});
