import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ownIdentity } from '../../../src/record/locks/process_identity.js';
import { STARTED } from '../../rig/command.js';
import { Terminal } from '../../rig/terminal.js';
import { Scene } from './rig.js';

const SITE = `- hosts: all
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
`;
const PROJECT = `inventory: inventory.yml
environments:
  production: { inventory: inventory.yml, require_plan: true }
`;

describe('evenkeel rollback', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': SITE }, { controllers: 1 });
    await scene.project.write('evenkeel.yml', PROJECT);
    await scene.run('site.yml');
  });
  afterEach(() => scene.close());

  const headerFile = async (): Promise<string> => {
    const [run = ''] = await scene.runs();
    return path.join(scene.project.directory, '.evenkeel/runs', run, 'run.json');
  };
  /** The second newest run: the newest is a rollback. */
  const written = async (): Promise<string> => (await scene.runs()).at(-2) ?? '';
  const typing = async (args: readonly string[], keys: string): Promise<{ code: number; text: string }> => {
    const size = { columns: 120, rows: 40, cwd: scene.project.directory };
    const terminal = new Terminal(process.execPath, [...STARTED, 'rollback', 'last', ...args], size);
    try {
      await terminal.shows('Type "');
      terminal.press(keys);
      const code = await terminal.exited;
      return { code, text: terminal.screen.text };
    } finally {
      await terminal.close();
    }
  };

  it('skips a controller that has another address now', async () => {
    const moved = scene.fleet.inventory.replace(/https:\/\/([\d.]+):\d+/, 'https://$1:9');
    await scene.project.write('inventory.yml', moved);
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code).to.equal(2);
    expect(stderr).to.include(
      `Left alone:\n  the controller was at ${scene.fleet.url('lb1')} and is now at https://127.0.0.1:9: to restore it, pass -i with an inventory that has its name and its address (lb1)\n` +
        'evenkeel: nothing can be restored; nothing was contacted\n',
    );
  });

  it('skips a controller if the run set its address and it has been replaced', async () => {
    const port = new URL(scene.fleet.url('lb1')).port;
    const inventory = scene.fleet.inventory.replace(`:${port}`, `:{{ hostvars['lb1'].port }}`);
    const withPort = (number: string): Promise<void> =>
      scene.project.write('inventory.yml', inventory.replace('lb1: { ', `lb1: { port: ${number}, `));
    await withPort(port);
    scene.set('lb1', { mtu: 1500 });
    await scene.run('site.yml');
    await withPort('9');
    const { code, stdout } = await scene.evenkeel('rollback', 'last', '--yes', '-o', 'lines');
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include(
      `lb1 was at ${scene.fleet.url('lb1')} and is now at https://127.0.0.1:9: it may be another controller, so it was not contacted`,
    );
    await withPort(port);
    const back = await scene.evenkeel('rollback', await written(), '--yes');
    expect(back.code, back.stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('refuses a run that is still running', async () => {
    const file = await headerFile();
    const header = JSON.parse(await readFile(file, 'utf8')) as { id: string };
    const own = ownIdentity();
    await writeFile(file, JSON.stringify({ ...header, process: own, end: undefined }));
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      `error: run ${header.id} is still running (process ${own.pid} on ${own.host}): nothing was contacted\n` +
        '  = hint: wait until it finishes, or end it with Ctrl-C\n\n1 error\n',
    );
  });

  it('explains what the key is needed for if it is missing', async () => {
    await rm(path.join(scene.project.directory, '.evenkeel/key'));
    const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
    expect(code).to.equal(1);
    expect(stderr.replace(/\d{8}T\d{6}Z-\w+/, 'ID')).to.equal(
      'error: run ID: cannot restore how it was asked for: the key .evenkeel/key is gone\n' +
        '  = hint: restore the key that the project had when the run was made\n\n1 error\n',
    );
  });

  it('starts after "yes", and does nothing after any other answer', async () => {
    const refused = await typing([], 'no\r');
    expect(refused.code).to.equal(1);
    expect(refused.text).to.include('Type "yes" to restore 1 object on 1 controller: no');
    expect(refused.text).to.include('evenkeel: not confirmed: nothing was contacted');
    expect(scene.edge('lb1')).to.equal('{"mtu":9000}');
    expect((await typing([], 'yes\r')).code).to.equal(0);
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('is interrupted by Ctrl-C instead of an answer', async () => {
    const { code, text } = await typing([], '\u0003');
    expect(code).to.equal(130);
    expect(text).to.include('evenkeel: interrupted: nothing was contacted');
    expect(scene.edge('lb1')).to.equal('{"mtu":9000}');
  });

  it('asks for the name of an environment that accepts only plans', async () => {
    const { code, text } = await typing(['--env', 'production'], 'production\r');
    expect(code).to.equal(0);
    expect(text).to.include('Type "production" to restore 1 object on 1 controller: production');
    expect(scene.edge('lb1')).to.equal('{"mtu":1500}');
  });

  it('rolls a simulated run back with simulated controllers', async () => {
    await scene.run('site.yml', '--simulate');
    scene.forgetRequests();
    const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last');
    expect(code).to.equal(0);
    expect(stdout).to.equal('');
    expect(stderr).to.match(/^Rollback of \S+ \(evenkeel run for production, simulated, started .* UTC\)\n/);
    expect(scene.writes()).to.deep.equal([]);
  });
});
