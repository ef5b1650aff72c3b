import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { cutOff } from '../../rig/cut_off.js';
import { tasksOf, warningsOf } from '../../rig/events_of.js';
import { evenkeel } from '../../rig/in_process.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const OLD = 'the-old-password';
const NEW = 'the-new-password';
const CLOUD = { name: 'edge', uuid: 'cloud-1', vcenter_configuration: { password: OLD } };

describe('secrets that a controller does not show', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ behaviour: { sensitive: true } });
    project = await emptyProject({ 'inventory.yml': fleet.inventory, 'evenkeel.yml': 'inventory: inventory.yml\n' });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  const run = async (password: string, more: object = {}, ...options: readonly string[]): Promise<Ended> => {
    const task = { name: 'it', cloud_present: { name: 'edge', vcenter_configuration: { password }, ...more } };
    await project.write('site.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
    fleet.controller('lb1').clearRequests();
    return evenkeel(['run', 'site.yml', '-o', 'json', ...options], { cwd: project.directory });
  };
  const status = async (...args: Parameters<typeof run>): Promise<string | undefined> =>
    tasksOf((await run(...args)).stdout)[0]?.status;
  const writes = (): number => fleet.controller('lb1').requests.filter(({ method }) => method !== 'GET').length;
  const password = (): unknown => {
    const [cloud] = fleet.controller('lb1').objects('/api/cloud/');
    return (cloud?.['vcenter_configuration'] as { password: string } | undefined)?.password;
  };

  it('are written if their value differs from the last one written', async () => {
    expect(await status(OLD)).to.equal('changed');
    expect([await status(OLD), writes()]).to.deep.equal(['ok', 0]);
    expect([await status(NEW, {}, '--check'), writes(), password()]).to.deep.equal(['changed', 0, OLD]);
    expect([await status(NEW), writes(), password()]).to.deep.equal(['changed', 1, NEW]);
    expect([await status(NEW), writes()]).to.deep.equal(['ok', 0]);
    expect([await status(OLD), password()]).to.deep.equal(['changed', OLD]);
  });

  it('are known after an update of something else, too', async () => {
    await run(OLD);
    expect(await status(NEW, { mtu: 9000 })).to.equal('changed');
    expect([await status(NEW, { mtu: 9000 }), writes()]).to.deep.equal(['ok', 0]);
  });

  const UNKNOWN =
    '"vcenter_configuration.password" cannot be read, and this project has not written it before, so it may have another value than declared; "secrets: always" writes it';

  it('are not written if the project has never written them, which is reported once', async () => {
    fleet.controller('lb1').setObjects('/api/cloud/', [CLOUD]);
    const first = await run(NEW);
    expect([tasksOf(first.stdout)[0]?.status, writes()]).to.deep.equal(['ok', 0]);
    expect(warningsOf(first.stdout)).to.deep.equal([UNKNOWN]);
    expect(warningsOf((await run(NEW)).stdout)).to.deep.equal([]);
    expect(warningsOf((await run(NEW, {}, '--check')).stdout)).to.deep.equal([]);
    expect(password()).to.equal(OLD);
  });

  it('that the project has never written are reported by each check until a run does', async () => {
    fleet.controller('lb1').setObjects('/api/cloud/', [CLOUD]);
    const task = { cloud_present: { name: 'edge', vcenter_configuration: { password: NEW } } };
    await project.write('twice.yml', JSON.stringify([{ hosts: 'all', tasks: [task, task] }]));
    for (const [command, ...options] of [['run', '--check'], ['plan'], ['drift'], ['drift']] as const) {
      const { code, stdout, stderr } = await evenkeel([command, 'twice.yml', ...options], { cwd: project.directory });
      expect(code, stderr).to.equal(0);
      expect((stdout + stderr).split('"secrets: always" writes it'), command).to.have.length(2);
    }
    expect(warningsOf((await run(NEW)).stdout)).to.deep.equal([UNKNOWN]);
  });

  it('are written each time with secrets: always', async () => {
    await run(OLD);
    expect(await status(OLD, { secrets: 'always' })).to.equal('changed');
  });

  it('that are written with secrets: always are known afterwards', async () => {
    fleet.controller('lb1').setObjects('/api/cloud/', [CLOUD]);
    await run(OLD);
    await run(OLD, { secrets: 'always' });
    expect([await status(OLD), writes()]).to.deep.equal(['ok', 0]);
    expect([await status(NEW), password()]).to.deep.equal(['changed', NEW]);
    await run(OLD, { secrets: 'always' });
    expect([await status(NEW), password()]).to.deep.equal(['changed', NEW]);
  });

  it('that the project has never written are written once another value is declared', async () => {
    fleet.controller('lb1').setObjects('/api/cloud/', [CLOUD]);
    await run(OLD);
    expect([await status(NEW), password()]).to.deep.equal(['changed', NEW]);
  });

  it('are written again if their write could not be verified, whatever is declared', async () => {
    await run(OLD);
    const lb1 = fleet.controller('lb1');
    lb1.behaviour = {
      sensitive: true,
      faults: [{ type: 'answer', status: 403, body: {}, when: { method: 'GET', after: 1 } }],
    };
    expect([await status(NEW), writes(), password()]).to.deep.equal(['failed', 1, NEW]);
    lb1.behaviour = { sensitive: true };
    expect([await status(OLD, {}, '--check'), writes()]).to.deep.equal(['changed', 0]);
    expect([await status(OLD), password()]).to.deep.equal(['changed', OLD]);
    expect([await status(OLD), writes()]).to.deep.equal(['ok', 0]);
  });

  it('are not written if it cannot be recorded that they may have changed', async () => {
    await run(OLD);
    const folder = path.join(project.directory, '.evenkeel', 'secrets');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    const task = { cloud_present: { name: 'edge', vcenter_configuration: { password: NEW }, mtu: 9000 } };
    const tasks = [{ ...task, ignore_errors: true }, task];
    await project.write('twice.yml', JSON.stringify([{ hosts: 'all', tasks }]));
    fleet.controller('lb1').clearRequests();
    const { stdout } = await evenkeel(['run', 'twice.yml', '-o', 'json'], { cwd: project.directory });
    const done = tasksOf(stdout);
    expect([done.map((one) => one.status), writes(), password()]).to.deep.equal([['failed', 'failed'], 0, OLD]);
    for (const { message } of done)
      expect(message).to.match(/^nothing was written, because the digests of secrets cannot be written: /);
  });

  it('are not written later after an update that was refused, or that met a changed object', async () => {
    await run(OLD);
    const lb1 = fleet.controller('lb1');
    for (const code of [400, 412]) {
      lb1.behaviour = {
        sensitive: true,
        faults: [{ type: 'answer', status: code, body: {}, when: { method: 'PUT' } }],
      };
      expect(await status(NEW, { mtu: 9000, secrets: 'on_create' }), String(code)).to.equal('failed');
      lb1.behaviour = { sensitive: true };
      expect([await status(OLD), writes()], String(code)).to.deep.equal(['ok', 0]);
    }
  });

  it('of a create that was cut off are known after its resume', async () => {
    const task = { cloud_present: { name: 'edge', vcenter_configuration: { password: OLD } } };
    await project.write('site.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
    const { directory: cwd } = project;
    await cutOff(['run', 'site.yml'], { cwd, fleet, controller: 'lb1', nth: 1, signal: 'SIGKILL' });
    const { code, stdout } = await evenkeel(['resume', 'last', '-o', 'json'], { cwd });
    expect([code, tasksOf(stdout)[0]?.status, warningsOf(stdout)]).to.deep.equal([0, 'changed', []]);
    expect([await status(OLD), writes()]).to.deep.equal(['ok', 0]);
    expect([await status(NEW), password()]).to.deep.equal(['changed', NEW]);
  });

  it('are not readable in the state folder, nor are the names of their objects', async () => {
    await run(OLD);
    const folder = path.join(project.directory, '.evenkeel', 'secrets');
    const [file = '', ...others] = await readdir(folder);
    expect(others).to.deep.equal([]);
    const text = await readFile(path.join(folder, file), 'utf8');
    expect((await stat(path.join(folder, file))).mode & 0o777).to.equal(0o600);
    for (const word of [OLD, 'edge', 'password', 'lb1', '127.0.0.1']) expect(text + file).not.to.include(word);
  });

  it('are written again when the old value is declared after a rollback', async () => {
    await run(OLD);
    await run(NEW, { mtu: 9000 });
    const { code } = await evenkeel(['rollback', 'last', '--yes'], { cwd: project.directory });
    expect(code).to.equal(0);
    expect(await status(OLD)).to.equal('changed');
    expect(password()).to.equal(OLD);
  });
});
