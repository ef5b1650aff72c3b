import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { CLOUDS, Scene } from './rig.js';

/** Large enough for a file beside the journal. */
const LARGE = 'x'.repeat(100_000);
const SITE = `- hosts: all
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
    - cloud_present: { name: other, mtu: 9000 }
`;

const CLOUD_NAMES = ['edge', 'other'] as const;

/** Values of a run are in files beside its journal, which can be lost or damaged. */
describe('a run without some of its values', () => {
  let scene: Scene;
  let run: string;
  let files: readonly string[];

  beforeEach(async () => {
    scene = await Scene.open({ 'site.yml': SITE });
    for (const name of scene.fleet.names)
      scene.fleet.controller(name).setObjects(
        CLOUDS,
        CLOUD_NAMES.map((cloud) => ({
          uuid: `cloud-${cloud}`,
          name: cloud,
          mtu: 1500,
          description: `${name} ${cloud} ${LARGE}`,
        })),
      );
    await scene.run('site.yml');
    [run = ''] = await scene.runs();
    const folder = path.join(scene.project.directory, '.evenkeel/runs', run, 'values');
    files = (await readdir(folder)).map((file) => path.join(folder, file));
  });
  afterEach(() => scene.close());

  const mtus = (): readonly unknown[] =>
    scene.fleet.names.flatMap((name) =>
      scene.fleet
        .controller(name)
        .objects(CLOUDS)
        .map(({ mtu }) => mtu),
    );

  async function lose(file: string, how: 'gone' | 'damaged' | 'empty'): Promise<void> {
    if (how === 'gone') await rm(file);
    else await writeFile(file, how === 'empty' ? '' : (await readFile(file)).map((byte) => byte ^ 1));
  }

  it('restores every object but the one whose values are lost, whichever file it is', async () => {
    // Before and after each of four writes, and what was read then.
    expect(files).to.have.length(12);
    const refused = new Set<string>();
    for (const file of files) {
      const bytes = await readFile(file);
      await lose(file, 'gone');
      const { code, stdout } = await scene.evenkeel('rollback', run, '--check');
      if (code !== 0) {
        expect(code, stdout).to.equal(2);
        const [, name = ''] = /failed: (cloud "\w+") is not restored: .*: it is gone\n/.exec(stdout) ?? [];
        const [, controller = ''] = /= controller: (\w+)\n/.exec(stdout) ?? [];
        refused.add(`${name} on ${controller}`);
      }
      expect(stdout).to.include(`would restore ${code === 0 ? 4 : 3} objects`);
      await writeFile(file, bytes);
    }
    expect([...refused].toSorted()).to.deep.equal([
      'cloud "edge" on lb1',
      'cloud "edge" on lb2',
      'cloud "other" on lb1',
      'cloud "other" on lb2',
    ]);
  });

  for (const how of ['gone', 'damaged', 'empty'] as const)
    it(`lists and saves all other objects, and restores nothing of which all is ${how}`, async () => {
      const all = await scene.evenkeel('runs', run, '--objects', '--json');
      expect(all.code).to.equal(0);
      for (const file of files) await lose(file, how);
      const shown = await scene.evenkeel('runs', run, '--objects');
      expect(shown.code, shown.stderr).to.equal(1);
      expect(shown.stdout.match(/cannot be read from the folder of the run/g)).to.have.length(4);
      for (const name of scene.fleet.names)
        for (const cloud of CLOUD_NAMES)
          expect(shown.stderr).to.include(`error: cloud "${cloud}" on ${name}: cannot read a stored value of this run`);
      const json = await scene.evenkeel('runs', run, '--objects', '--json');
      expect(JSON.parse(json.stdout)).to.have.length(4);
      const saved = await scene.evenkeel('runs', run, '--save', 'saved');
      expect(saved.code).to.equal(1);
      expect(saved.stdout).to.include('saved 0 objects in saved; nothing to save for 4 writes');
      for (const args of [['runs'], ['runs', run], ['report', run, '--out', 'run.html']])
        expect(await scene.evenkeel(...args), args.join(' ')).to.include({ code: 0 });
      const rollback = await scene.evenkeel('rollback', run, '--yes');
      expect(rollback.code, rollback.stderr).to.equal(2);
      expect(rollback.stdout + rollback.stderr).to.include('cloud "edge" is not restored: cannot read a stored value');
      expect(mtus()).to.deep.equal([9000, 9000, 9000, 9000]);
    });

  it('restores the others for real, and exits with 2', async () => {
    let lost = '';
    for (const file of files) {
      const bytes = await readFile(file);
      await lose(file, 'gone');
      if ((await scene.evenkeel('rollback', run, '--check')).code === 2) lost = file;
      await writeFile(file, bytes);
    }
    await lose(lost, 'damaged');
    const { code, stdout } = await scene.evenkeel('rollback', run, '--yes');
    expect(code, stdout).to.equal(2);
    expect(mtus().toSorted((a, b) => Number(a) - Number(b))).to.deep.equal([1500, 1500, 1500, 9000]);
  });
});
