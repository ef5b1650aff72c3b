import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { basic, RawClient } from '../rig/raw_client.js';
import { runningSimulate, type RunningSimulate } from '../rig/running_simulate.js';

describe('two simulations in one project', () => {
  let project: Project;
  let first: RunningSimulate;

  beforeEach(async () => {
    project = await emptyProject({
      'inventory.yml': `all:
  hosts: { lb1: , lb2: , lb3: }
  vars: { controller_url: 'https://{{ inventory_hostname }}.invalid', controller_api_version: 22.1.3 }
`,
      'site.yml': '- hosts: all\n  tasks: [{ cloud_present: { name: edge } }]\n',
    });
    first = await runningSimulate(project.directory, ['--limit', 'lb1,lb2']);
  });

  afterEach(async () => {
    await first[Symbol.asyncDispose]();
    await project.remove();
  });

  const run = (...args: readonly string[]) =>
    evenkeel(['run', 'site.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  const refusal = (names: string): string =>
    `${names} already simulated by evenkeel simulate (process ${first.pid} on `;

  const authority = ({ overlay }: RunningSimulate, name: string): string =>
    path.basename(String(overlay.all.hosts[name]?.['controller_ca_file']));

  async function status({ overlay }: RunningSimulate, name: string): Promise<number> {
    const { controller_url: url, controller_ca_file: ca } = overlay.all.hosts[name] ?? {};
    const client = new RawClient(await readFile(String(ca), 'utf8'));
    const headers = { authorization: basic('admin', 'simulated') };
    const answer = await client.send('GET', `${String(url)}/api/cloud/`, { headers });
    await client.close();
    return answer.status;
  }

  it('are possible for different controllers, and each has its authority', async () => {
    const second = await runningSimulate(project.directory, ['--limit', 'lb3']);
    expect([authority(first, 'lb1'), authority(second, 'lb3')]).to.deep.equal(['ca.pem', 'ca-lb3.pem']);
    expect([await status(first, 'lb1'), await status(second, 'lb3')]).to.deep.equal([200, 200]);
    expect(await first.end()).to.equal(0);
    expect(await status(second, 'lb3')).to.equal(200);
    const third = await runningSimulate(project.directory, ['--limit', 'lb1']);
    expect([authority(third, 'lb1'), await status(third, 'lb1')]).to.deep.equal(['ca.pem', 200]);
    expect([await second.end(), await third.end()]).to.deep.equal([0, 0]);
    expect(await readdir(path.join(project.directory, '.evenkeel/simulator/locks'))).to.deep.equal([]);
  });

  it('cannot have the same controller: the second one is refused until the first has ended', async () => {
    const again = await evenkeel(['simulate', '-i', 'inventory.yml'], { cwd: project.directory });
    expect(again.stderr).to.include(`error: ${refusal('lb1, lb2 are')}`);
    expect(again.stderr).to.include('= hint: end it first, or name another state folder with EVENKEEL_STATE_DIR\n');
    expect([again.code, again.stdout]).to.deep.equal([1, '']);

    const refused = await run('--simulate', '-l', 'lb1,lb3');
    expect(refused.stderr).to.include(`error: ${refusal('lb1 is')}`);
    expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
    expect(await readdir(path.join(project.directory, '.evenkeel/runs'))).to.deep.equal([]);

    expect((await run('--simulate', '-l', 'lb3')).code).to.equal(0);
    expect(await first.end()).to.equal(0);
    expect((await run('--simulate')).stdout).to.match(/changed +lb1/);
  });

  it('cannot have the same controller if it is known only during a run', async () => {
    await project.write(
      'site.yml',
      '- hosts: lb3\n  tasks: [{ cloud_present: { name: edge }, delegate_to: "{{ \'lb1\' }}" }]\n',
    );
    const { code, stdout } = await run('--simulate');
    expect(stdout).to.include(refusal('lb1 is'));
    expect(code).to.equal(2);
  });

  it('keep their state out of version control, and ended processes keep nothing', async () => {
    expect(existsSync(path.join(project.directory, '.evenkeel/.gitignore'))).to.equal(true);
    await first[Symbol.asyncDispose]();
    expect((await run('--simulate')).code).to.equal(0);
  });
});
