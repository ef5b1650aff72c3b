import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../../rig/command.js';
import { cutOff } from '../../rig/cut_off.js';
import { evenkeel } from '../../rig/in_process.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const SITE = `- hosts: all
  tasks:
    - cloud_present: { name: one }
    - cloud_present: { name: two }
`;

const GREET = `import { defineAction, Type } from 'evenkeel';
export default defineAction({
  name: 'greet', summary: 'greets', args: Type.Object({}), examples: [], check: true, run: async () => ({ status: 'ok' }),
});
`;

describe('a state folder on another machine', () => {
  let fleet: Fleet;
  let [before, after]: Project[] = [];
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    before = await emptyProject({ 'site.yml': SITE, 'inventory.yml': fleet.inventory });
    after = await emptyProject();
  });
  afterEach(async () => {
    await fleet.dispose();
    await after?.remove();
    await before?.remove();
  });

  /** The first folder stays. */
  async function copy(): Promise<readonly [from: string, to: string]> {
    const [from = '', to = ''] = [before?.directory, after?.directory];
    await cp(from, to, { recursive: true });
    return [from, to];
  }

  /** The first folder is gone. */
  async function move(): Promise<string> {
    const [from, to] = await copy();
    await rm(from, { recursive: true });
    return to;
  }

  const runsIn = (folder: string): Promise<string[]> => readdir(path.join(folder, '.evenkeel/runs'));

  const names = (controller: string): readonly unknown[] =>
    fleet
      .controller(controller)
      .objects('/api/cloud/')
      .map(({ name }) => name);

  it('resumes a run in another folder, if the files are the same', async () => {
    const at = { cwd: before?.directory ?? '', fleet, controller: 'lb1', nth: 1, signal: 'SIGINT' } as const;
    await before?.write('evenkeel.yml', '{}\n');
    expect((await cutOff(['run', 'site.yml', '-i', 'inventory.yml', '-f', '1'], at)).code).to.equal(130);
    await before?.write('site.yml', SITE.replace('two', 'three'));
    const [from, cwd] = await copy();
    const refused = await evenkeel(['resume', 'last'], { cwd });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('error: site.yml has changed\n');
    await after?.write('site.yml', SITE);
    const { code, stderr } = await evenkeel(['resume', 'last'], { cwd, env: { EVENKEEL_CONFIG: 'evenkeel.yml' } });
    expect(code, stderr).to.equal(0);
    for (const name of fleet.names) expect(names(name)).to.deep.equal(['one', 'two']);
    await before?.write('site.yml', SITE);
    await cp(from, path.join(cwd, 'moved'), { recursive: true });
    await rm(from, { recursive: true });
    const moved = await evenkeel(['resume', 'last'], { cwd: path.join(cwd, 'moved') });
    expect(moved.code, moved.stderr).to.equal(0);
  });

  it('reruns and rolls back a run in a copy of its project while the first one is there', async () => {
    const edge = [{ name: 'one', uuid: 'cloud-one', mtu: 1400 }];
    for (const name of fleet.names) fleet.controller(name).setObjects('/api/cloud/', edge);
    await before?.write('evenkeel.yml', '{}\n');
    await before?.write('site.yml', `${SITE.replace('one', 'one, mtu: 9000')}    - fail:\n`);
    await evenkeel(['run', 'site.yml', '-i', 'inventory.yml'], { cwd: before?.directory ?? '' });
    const [from, cwd] = await copy();
    await before?.write('inventory.yml', 'all: { hosts: {} }\n');
    await after?.write('site.yml', SITE.replace('two', 'three'));
    const rerun = await evenkeel(['run', '--rerun', 'last', '--config', 'evenkeel.yml'], { cwd });
    expect(rerun.code, rerun.stderr).to.equal(0);
    for (const name of fleet.names) expect(names(name)).to.deep.equal(['one', 'two', 'three']);
    const [first = ''] = await runsIn(from);
    const undone = await evenkeel(['rollback', first, '--yes', '--config', 'evenkeel.yml'], { cwd });
    expect(undone.stderr).to.include('cloud "two" was created');
    for (const name of fleet.names)
      expect(fleet.controller(name).objects('/api/cloud/')[0], undone.stderr).to.include({ name: 'one', mtu: 1400 });
    expect([await runsIn(from), (await runsIn(cwd)).length]).to.deep.equal([[first], 3]);
  });

  it('reruns a run of a subfolder in the same subfolder of a copy, with the project file and state folder of the copy', async () => {
    await before?.write('evenkeel.yml', 'modules_path: [modules]\n');
    await before?.write('playbooks/site.yml', `${SITE}    - greet:\n    - fail:\n`);
    await before?.write('modules/greet.ts', GREET);
    const run = ['run', 'site.yml', '-i', '../inventory.yml', '--config', '../evenkeel.yml'];
    await evenkeel(run, { cwd: path.join(before?.directory ?? '', 'playbooks') });
    const [from, cwd] = await copy();
    await before?.write('evenkeel.yml', 'environments: 1\n');
    await rm(path.join(from, 'modules'), { recursive: true });
    await after?.write('playbooks/site.yml', `${SITE}    - greet:\n`);
    const env = { EVENKEEL_STATE_DIR: '.evenkeel' };
    const { code, stderr } = await evenkeel(['run', '--rerun', 'last'], { cwd, env });
    expect(code, stderr).to.equal(0);
    expect([(await runsIn(from)).length, (await runsIn(cwd)).length]).to.deep.equal([1, 2]);
  });

  it('refuses to resume an apply in a copy while the first project is there', async () => {
    const cwd = before?.directory ?? '';
    await evenkeel(['plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan'], { cwd });
    const at = { cwd, fleet, controller: 'lb1', nth: 1, signal: 'SIGINT' } as const;
    expect((await cutOff(['apply', 'site.plan', '-f', '1', '--yes'], at)).code).to.equal(130);
    const [from, to] = await copy();
    const id = (await runsIn(from)).at(-1) ?? '';
    const { code, stderr } = await evenkeel(['resume', id], { cwd: to });
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      `error: run ${id} was started in ${from}, which has another state folder: continue it there\n\n1 error\n`,
    );
    expect((await evenkeel(['resume', id], { cwd: from })).code).to.equal(0);
  });

  it('applies no plan that was made elsewhere', async () => {
    const cwd = before?.directory ?? '';
    await evenkeel(['plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan'], { cwd });
    const { code, stderr } = await evenkeel(['apply', 'site.plan'], { cwd: await move() });
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      `error: site.plan was made in ${cwd}, which is not on this machine\n` +
        '  = hint: apply it in a copy of the project at the same place, or make a new plan\n\n1 error\n',
    );
    expect(fleet.names.flatMap(names)).to.deep.equal([]);
  });
});
