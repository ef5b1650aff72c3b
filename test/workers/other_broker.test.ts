import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { emptyProject, STARTED, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { Broker, NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('what continues a run that had a broker', () => {
  let broker: Broker;
  let fleet: Fleet;
  let project: Project;
  let commands: readonly (readonly string[])[];

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('what continues a run that had a broker');
      this.skip();
    }
    broker = await Broker.start();
    fleet = await startFleet({ controllers: 1 });
    fleet.controller('lb1').setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-edge', mtu: 1400 }]);
    project = await emptyProject({
      'inventory.yml': fleet.inventory,
      'change.yml': '- { hosts: fleet, tasks: [{ cloud_present: { name: edge, mtu: 9000 } }, { fail: }] }\n',
      'plan.yml': '- { hosts: fleet, tasks: [{ cloud_present: { name: planned } }] }\n',
      'slow.yml': '- { hosts: fleet, tasks: [{ pause: { seconds: 2 } }] }\n',
    });
    await writeFile(path.join(project.directory, 'c.creds'), 'coordinator:planted-password\n', { mode: 0o600 });
    const options = ['-i', 'inventory.yml', '--nats', broker.url, '--nats-creds', 'c.creds', '-o', 'lines'];
    const planned = await run('plan', 'plan.yml', '--out', 'p.plan', ...options);
    expect(planned.code, planned.stdout + planned.stderr).to.equal(0);
    const { stdout } = await run('run', 'change.yml', ...options);
    const [failed = ''] = /\d{8}T\d{6}Z-\w{6}/.exec(stdout) ?? [];
    expect(failed, stdout).not.to.equal('');
    const cutOff = spawn(process.execPath, [...STARTED, 'run', 'slow.yml', ...options], {
      cwd: project.directory,
      env: { PATH: process.env['PATH'] ?? '', ...ENV() },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: cutOff.stdout })) if (line.startsWith('play')) break;
    cutOff.kill('SIGKILL');
    await once(cutOff, 'exit');
    commands = [
      ['resume', 'last'],
      ['rollback', failed, '--yes'],
      ['apply', 'p.plan'],
      ['run', '--rerun', failed],
    ];
  });
  after(async () => {
    if (NATS_SERVER === undefined) return;
    await broker.dispose();
    await fleet.dispose();
    await project.remove();
  });

  const ENV = () => ({ HOME: project.directory, EVENKEEL_LEASE_MS: '2000' });

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory, env: ENV() });
  }

  it('is named by evenkeel.yml', async () => {
    await writeFile(path.join(project.directory, 'named.yml'), `nats: ${broker.url}\nnats_creds: c.creds\n`);
    const listed = await run('workers', '--config', 'named.yml');
    expect(listed).to.deep.include({ code: 0, stdout: 'no workers\n' });
  });

  it('does not send its credentials to another broker', async () => {
    let said = '';
    const other = createServer((socket) => {
      socket.write(
        'INFO {"server_id":"x","version":"2.10.0","proto":1,"max_payload":1048576,"auth_required":true}\r\n',
      );
      socket.on('data', (data) => {
        said += data.toString();
        socket.end("-ERR 'Authorization Violation'\r\n");
      });
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const url = `nats://127.0.0.1:${(other.address() as AddressInfo).port}`;
    for (const command of commands) {
      said = '';
      await run(...command, '-o', 'lines', '--nats', url);
      expect(said, command[0]).to.include('CONNECT').and.not.to.include('planted-password');
    }
    other.close();
  });

  it('works without it if no broker is wanted', async () => {
    await broker.stop();
    for (const command of commands) {
      const { code, stdout, stderr } = await run(...command, '-o', 'lines', '--no-nats');
      // What is run again fails again.
      expect(code, stdout + stderr).to.equal(command[0] === 'run' ? 2 : 0);
      expect(stdout, command[0]).to.include('lb1');
    }
    const clouds = fleet.controller('lb1').objects('/api/cloud/');
    expect(clouds.map(({ name, mtu }) => [name, mtu])).to.deep.include(['edge', 9000]);
    expect(clouds.map(({ name }) => name)).to.include('planned');
  });

  it('is contacted by runs if evenkeel.yml names it, which must hold no password', async () => {
    const name = (nats: string): Promise<void> =>
      writeFile(path.join(project.directory, 'named.yml'), `nats: ${nats}\nnats_creds: c.creds\n`);
    const options = ['plan.yml', '-i', 'inventory.yml', '--config', 'named.yml'];
    await name('nats://127.0.0.1:1');
    for (const command of ['run', 'plan', 'drift']) {
      const { code, stderr } = await run(command, ...options);
      expect(code, command).to.equal(1);
      expect(stderr, command).to.include('127.0.0.1:1');
      expect(await run(command, ...options, '--no-nats'), command).to.include({ code: 0 });
    }
    await name('nats://user:planted-password@127.0.0.1:1');
    const { code, stderr } = await run('workers', '--config', 'named.yml');
    expect(code).to.equal(1);
    expect(stderr).to.include('nats must not contain a password').and.include('named.yml:1:7');
    expect(stderr).to.not.include('planted-password');
  });
});
