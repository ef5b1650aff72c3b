import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { goOn, keptRun, momentAfter, unknownWrites } from '../rig/cut_run.js';
import { finishedOf, tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { ABSENT_USES, type AbsentUse } from './resource_uses.js';

const UUID = 'cloud-00000000-0000-4000-8000-000000000001';

describe('a module that deletes', () => {
  for (const use of ABSENT_USES) {
    describe(use.title, () => {
      let fleet: Fleet;
      let project: Project;
      beforeEach(async () => {
        fleet = await startFleet();
        project = await emptyProject({
          'inventory.yml': fleet.inventory,
          'evenkeel.yml': 'inventory: inventory.yml\n',
        });
        fleet.controller('lb1').setObjects(use.path, [objectOf(use)]);
      });
      afterEach(async () => {
        await fleet.dispose();
        await project.remove();
      });

      const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
      const task: Mapping = { name: 'it', [use.module]: use.args, register: 'it' };
      const objects = (): readonly JsonObject[] => fleet.controller('lb1').objects(use.path);
      const run = async (...options: readonly string[]): Promise<Ended> => {
        await project.write('site.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
        return command('run', 'site.yml', ...options);
      };

      it('shows the whole deleted object', async () => {
        const { stdout } = await run('--check', '--diff', '-o', 'lines');
        expect(stdout).to.include(`would delete ${use.object}`);
        expect(stdout).to.include(`${use.object} (deleted)`);
        for (const name of Object.keys(use.fields)) expect(stdout).to.match(new RegExp(`\\n +- ${name}`));
        expect(objects()).to.have.length(1);
      });

      it('appears in its change and in the list of runs', async () => {
        const [result] = tasksOf((await run('-o', 'json')).stdout);
        expect(result?.change).to.deep.equal({
          kind: 'delete',
          object: use.object,
          before: objectOf(use),
          after: null,
        });
        expect((await command('runs', 'last')).stdout).to.include(`lb1  DELETE ${use.object}: applied`);
      });

      it('is rolled back with another uuid, and the preview and the rollback report this', async () => {
        expect((await run()).code).to.equal(0);
        expect(objects()).to.deep.equal([]);
        const { code, stdout, stderr } = await command('rollback', 'last', '--yes', '-o', 'json');
        expect(code, stdout + stderr).to.equal(0);
        expect(stderr).to.include(`\nTo restore:\n  ${use.object} (new) (lb1)\n`);
        expect(stderr).to.include('\n    ! it gets a new uuid\n');
        expect(stdout).to.include(
          `${JSON.stringify(use.object).slice(1, -1)} is created again with another uuid than ${UUID}: references that this rollback does not restore still name the old one`,
        );
        expect(finishedOf(stdout).stats['lb1']).to.include({ ok: 1, changed: 1 });
        expect(objects()[0]).to.deep.include(use.fields).and.not.to.have.property('uuid', UUID);
        expect((await command('rollback', finishedRun(stdout), '--yes')).stderr).to.include(
          'a rollback deletes nothing',
        );
      });

      it('is not rolled back over an object that was created since', async () => {
        expect((await run()).code).to.equal(0);
        const another = { ...objectOf(use), uuid: 'another', note: 'mine' };
        fleet.controller('lb1').setObjects(use.path, [{ ...another, ...reversed(use.fields) }]);
        const { code, stdout } = await command('rollback', 'last', '--yes');
        expect(code).to.equal(2);
        expect(stdout).to.include(
          `${use.object} has been replaced: the run deleted ${UUID}, and that name has another uuid`,
        );
        expect(objects()[0]).to.have.property('uuid', 'another');
      });

      it('deletes once, wherever the run was interrupted', async () => {
        const playbook = JSON.stringify([{ hosts: 'all', tasks: [task] }]);
        const options = { inventory: fleet.inventory };
        const { ran, moments } = await keptRun(playbook, options, fleet);
        expect(ran.lines).to.deep.equal(['lb1 it: changed']);
        const stages = moments.filter(({ entries }) => /^(write|step)-/.test(entries.at(-1)?.type ?? ''));
        expect(stages.map(({ entries }) => entries.at(-1)?.type)).to.deep.equal([
          'write-intended',
          'write-finished',
          'step-settled',
        ]);
        for (const moment of [...stages, ...unknownWrites(moments)]) {
          fleet.controller('lb1').clearRequests();
          const { ran: resumed } = await goOn(playbook, moment, options, fleet);
          expect(resumed.finished.stats).to.deep.equal(ran.finished.stats);
          expect(objects()).to.deep.equal([]);
          const done = moment.entries.some(({ type }) => type === 'write-finished') || !stages.includes(moment);
          const written = fleet.controller('lb1').requests.filter(({ method }) => method !== 'GET');
          expect(written).to.have.length(done ? 0 : 1);
        }
      });

      it('does not delete an object that was created while the run was interrupted', async () => {
        const playbook = JSON.stringify([{ hosts: 'all', tasks: [task] }]);
        const options = { inventory: fleet.inventory };
        const kept = await keptRun(playbook, options, fleet);
        for (const type of ['write-intended', 'write-finished']) {
          const moment = momentAfter(kept, (entry) => entry.type === type);
          const another = { ...objectOf(use), uuid: 'another' };
          const restore = (): void => {
            fleet.controller('lb1').setObjects(use.path, [another]);
          };
          const { ran: resumed } = await goOn(playbook, { ...moment, restore }, options, fleet);
          expect(resumed.tasks[0]).to.deep.include({
            status: 'failed',
            message: `${use.object} was deleted, and another object of that name was created since; it was not deleted`,
            hint: 'run again to delete that one, too',
          });
          expect(objects()).to.deep.equal([another]);
        }
      });

      it('reports what still refers to the object', async () => {
        const body = { error: "Cannot delete, object is referred by: ['VirtualService shop']" };
        fleet.controller('lb1').behaviour = {
          faults: [{ type: 'answer', status: 400, body, when: { method: 'DELETE' } }],
        };
        const { ran } = await keptRun(JSON.stringify([{ hosts: 'all', tasks: [task] }]), {
          inventory: fleet.inventory,
        });
        expect(ran.tasks[0]).to.deep.include({
          status: 'failed',
          message: `DELETE ${use.path}${UUID}: the controller answered 400: ${body.error}`,
          hint: 'delete what refers to it first, or remove the reference there',
        });
        expect(objects()).to.have.length(1);
      });
    });
  }
});

function objectOf({ fields, name, path }: AbsentUse): JsonObject {
  return { ...fields, name, uuid: UUID, url: `${path}${UUID}` };
}

/** Other values in the same fields. */
function reversed(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, 'other']));
}

function finishedRun(stdout: string): string {
  return finishedOf(stdout).run;
}
