import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { TaskProblem } from '../../../src/engine/keywords/failed_result.js';
import { AppliedTo, appliedBy, keepCopy, planFolder, plansIn } from '../../../src/launch/planned/plan_copies.js';
import { ROOT } from '../../rig/command.js';
import { inFolder } from '../../rig/folder.js';
import { traced } from '../../rig/traced.js';

describe('the copies of applied plans', () => {
  it('are private, replace older ones of the same plan, and are the newest twenty', async () => {
    await inFolder({ 'a.plan': 'one', 'b.plan': 'two' }, async (folder) => {
      const state = path.join(folder, 'state');
      expect(await plansIn(planFolder(state))).to.deep.equal([]);
      const id = (number: number): string => `p${String(number).padStart(2, '0')}`;
      for (let number = 1; number <= 20; number++) {
        const copy = await keepCopy(path.join(folder, 'a.plan'), state, id(number));
        expect(copy).to.equal(path.join(state, 'plans', `${id(number)}.plan`));
        if (number < 3) await new AppliedTo(copy).begin('lb1', 'r1');
      }
      const plans = path.join(state, 'plans');
      expect(await plansIn(planFolder(state))).to.have.length(20);
      const again = await keepCopy(path.join(folder, 'b.plan'), state, id(5));
      expect([await readFile(again, 'utf8'), (await stat(again)).mode & 0o777]).to.deep.equal(['two', 0o600]);
      expect(await plansIn(planFolder(state))).to.have.length(20);
      // The oldest goes, even if the new one is older than all others. Its marks stay: it may be applied again.
      await keepCopy(path.join(folder, 'b.plan'), state, id(0));
      const names = await readdir(plans);
      expect(names.toSorted().slice(0, 4)).to.deep.equal([
        'p00.plan',
        'p01.plan.applied',
        'p02.plan',
        'p02.plan.applied',
      ]);
      expect(appliedBy(state, id(1))).to.deep.equal([{ run: 'r1', controllers: 1 }]);
      expect((await plansIn(planFolder(state))).toSorted()).to.deep.equal(
        [0, ...Array.from({ length: 19 }, (_, at) => at + 2)].map((number) => path.join(plans, `${id(number)}.plan`)),
      );
    });
  });

  it('are whole, also if parts of the fleet are applied at the same time', () =>
    inFolder({ 'a.plan': 'one' }, async (state) => {
      const copies = await Promise.all(
        Array.from({ length: 8 }).map(() => keepCopy(path.join(state, 'a.plan'), state, 'p')),
      );
      for (const copy of copies) expect(await readFile(copy, 'utf8')).to.equal('one');
      expect(await readdir(path.join(state, 'plans'))).to.deep.equal(['p.plan']);
    }));

  it('know which runs applied them to how many controllers, each controller once', async () => {
    await inFolder({ 'a.plan': '' }, async (state) => {
      expect(appliedBy(state, 'p')).to.deep.equal([]);
      const copy = await keepCopy(path.join(state, 'a.plan'), state, 'p');
      const first = new AppliedTo(copy);
      for (const name of ['lb1', 'lb2', 'lb1']) expect(await first.begin(name, 'r1'), name).to.equal(undefined);
      expect(await first.begin('lb2', 'r2')).to.equal('r1');
      const marks = `${copy}.applied`;
      expect(await readFile(marks, 'utf8')).to.equal('\n["lb1","r1"]\n\n["lb2","r1"]\n');
      expect((await stat(marks)).mode & 0o777).to.equal(0o600);
      // A crash or a full disk cut off a mark before anything was written.
      await appendFile(marks, '["lb3","r');
      const second = new AppliedTo(copy);
      expect(['lb1', 'lb3'].map((name) => second.has(name))).to.deep.equal([true, false]);
      expect([await second.begin('lb1', 'r2'), await second.begin('lb3', 'r2')]).to.deep.equal(['r1', undefined]);
      expect(second.has('lb3')).to.equal(true);
      expect(await new AppliedTo(copy).begin('lb3', 'r3')).to.equal('r2');
      const third = new AppliedTo(copy);
      await Promise.all(['r3', 'r3'].map((run) => third.begin('lb4', run)));
      expect(appliedBy(state, 'p')).to.deep.equal([
        { run: 'r1', controllers: 2 },
        { run: 'r2', controllers: 1 },
        { run: 'r3', controllers: 1 },
      ]);
    });
  });

  it('cannot be marked where their marks are a folder', async () => {
    await inFolder({ 'a.plan.applied/x': '' }, async (folder) => {
      const applied = new AppliedTo(path.join(folder, 'a.plan'));
      const failed: unknown = await applied.begin('lb1', 'r1').catch((error: unknown) => error);
      const marks = path.join(folder, 'a.plan.applied');
      expect(failed)
        .to.be.instanceOf(TaskProblem)
        .and.include({
          message: `nothing was written, because ${marks} cannot note that the plan is applied: illegal operation on a directory`,
          hint: 'free disk space, or restore the state folder, then apply the plan again',
        });
    });
  });

  it('are on disk before they are used, and their marks before anything is written', function () {
    return inFolder({ 'a.plan': 'one' }, async (folder) => {
      const code = `
        const { AppliedTo, keepCopy } = await import(${JSON.stringify(path.join(ROOT, 'src/launch/planned/plan_copies.ts'))});
        const [, folder] = process.argv;
        const applied = new AppliedTo(await keepCopy(folder + '/a.plan', folder, 'p'));
        await applied.begin('lb1', 'r1');
        await applied.begin('lb2', 'r1');
      `;
      const calls = (await traced(this, folder, code)).map((one) => one.replace(/\/\.p\.plan\.\w+$/, '/draft'));
      expect(calls.slice(calls.indexOf('fsync plans/draft'))).to.deep.equal([
        'fsync plans/draft',
        'rename plans/p.plan',
        'fsync plans',
        'fsync plans/p.plan.applied',
        'fsync plans',
        'fsync plans/p.plan.applied',
      ]);
    });
  });
});
