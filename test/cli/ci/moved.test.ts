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

  /** The first folder is gone; the second one has its content. */
  async function move(): Promise<string> {
    const [from = '', to = ''] = [before?.directory, after?.directory];
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true });
    return to;
  }

  const names = (controller: string): readonly unknown[] =>
    fleet
      .controller(controller)
      .objects('/api/cloud/')
      .map(({ name }) => name);

  it('resumes a run in another folder, if the files are the same', async () => {
    const at = { cwd: before?.directory ?? '', fleet, controller: 'lb1', nth: 1, signal: 'SIGINT' } as const;
    expect((await cutOff(['run', 'site.yml', '-i', 'inventory.yml', '-f', '1'], at)).code).to.equal(130);
    const cwd = await move();
    await after?.write('site.yml', SITE.replace('two', 'three'));
    const refused = await evenkeel(['resume', 'last'], { cwd });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('error: site.yml has changed\n');
    await after?.write('site.yml', SITE);
    const { code, stderr } = await evenkeel(['resume', 'last'], { cwd });
    expect(code, stderr).to.equal(0);
    for (const name of fleet.names) expect(names(name)).to.deep.equal(['one', 'two']);
  });

  it('goes on in the folder that it was copied to, though the first one is still there', async () => {
    const failing = `${SITE}    - fail:\n`;
    await before?.write('site.yml', failing);
    await evenkeel(['run', 'site.yml', '-i', 'inventory.yml'], { cwd: before?.directory ?? '' });
    const [from = '', cwd = ''] = [before?.directory, after?.directory];
    await cp(from, cwd, { recursive: true });
    await after?.write('site.yml', SITE.replace('two', 'three'));
    expect((await evenkeel(['run', '--rerun', 'last'], { cwd })).code).to.equal(0);
    for (const name of fleet.names) expect(names(name)).to.deep.equal(['one', 'two', 'three']);
    const kept = async (folder: string) => (await readdir(path.join(folder, '.evenkeel/runs'))).length;
    expect([await kept(from), await kept(cwd)]).to.deep.equal([1, 2]);
    expect((await evenkeel(['rollback', 'last', '--yes'], { cwd })).stderr).to.include('cloud "three" was created');
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
