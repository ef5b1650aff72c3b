import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import { loadUserModule } from '../../src/launch/user_code/user_module.js';
import type { Catalogue } from '../../src/module/catalogue.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { goOn, keptRun, unknownWrites } from '../rig/cut_run.js';
import { finishedOf, tasksOf } from '../rig/events_of.js';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';
import { catalogue } from '../rig/loaded.js';
import { sharedAmong, startFleet, type Fleet, type TestedDialect } from '../rig/simulated.js';
import { OWN_USES, USES, type Use } from './resource_uses.js';

/** A project with one controller and one way to use a resource module. */
class Scene {
  private constructor(
    readonly use: Use,
    readonly fleet: Fleet,
    readonly project: Project,
  ) {}

  static async open(use: Use, dialect: TestedDialect): Promise<Scene> {
    const fleet = await startFleet({ dialect });
    const { module, source } = use;
    const own = source === undefined ? {} : { [`modules/${module}.js`]: source };
    const project = await emptyProject({ 'inventory.yml': fleet.inventory, ...own });
    await project.write('evenkeel.yml', 'inventory: inventory.yml\n');
    return new Scene(use, fleet, project);
  }

  /** A task that declares these fields of the object. */
  task(fields: Mapping): Mapping {
    const { module, declare } = this.use;
    return { name: 'it', [module]: declare(fields), register: 'it' };
  }

  evenkeel(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: this.project.directory });
  }

  async run(tasks: readonly Mapping[], play: Mapping = {}): Promise<Ended> {
    await this.project.write('site.yml', JSON.stringify([{ hosts: 'all', ...play, tasks }]));
    return this.evenkeel('run', 'site.yml', '-o', 'json');
  }

  /** Runs tasks, which must succeed. */
  async done(...tasks: readonly Mapping[]): Promise<Ended> {
    const ended = await this.run(tasks);
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    return ended;
  }

  get object(): JsonObject | undefined {
    const { path, name } = this.use;
    const controller = this.fleet.controller('lb1');
    return name === undefined
      ? controller.object(path)
      : controller.objects(path).find((object) => object['name'] === name);
  }

  /** The object without the field that the controller sets with each write. */
  get fields(): JsonObject {
    return Object.fromEntries(Object.entries(this.object ?? {}).filter(([name]) => name !== '_last_modified'));
  }

  change(fields: JsonObject): void {
    const { path, name } = this.use;
    const controller = this.fleet.controller('lb1');
    const object = { ...this.object, ...fields };
    if (name === undefined) controller.setObject(path, object);
    else controller.setObjects(path, [...controller.objects(path).filter((other) => other['name'] !== name), object]);
  }

  async close(): Promise<void> {
    await this.fleet.dispose();
    await this.project.remove();
  }
}

const ALL = [...USES, ...OWN_USES];
/** The journal entries of one task, in their order. */
const STAGES = ['write-intended', 'write-finished', 'write-verified', 'step-settled'];

/** The built-in modules, and the module of the use if it is a project module. */
function catalogueWith({ module, source }: Use): Promise<Catalogue> {
  if (source === undefined) return Promise.resolve(catalogue);
  return inFolder({ [`${module}.js`]: source }, async (folder) => {
    const own = await loadUserModule(module, `${folder}/${module}.js`);
    const load = (name: string) => (name === module ? Promise.resolve(own) : catalogue.load(name));
    return { ...catalogue, names: [...catalogue.names, module], load };
  });
}

/** The object without the fields that the controller generates. */
function declared(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== 'uuid' && name !== 'url'));
}

/** Tests resumes and rollbacks of writes to controllers of a dialect. */
export function describeRecovery(dialect: TestedDialect): void {
  for (const use of sharedAmong(dialect, ALL)) {
    describe(use.title, () => {
      let scene: Scene;
      beforeEach(async () => {
        scene = await Scene.open(use, dialect);
      });
      afterEach(() => scene.close());

      it('is restored after an update, and the preview shows the changes', async () => {
        await scene.done(scene.task(use.fields));
        const before = scene.fields;
        await scene.done(scene.task(use.otherFields));
        expect(scene.fields).not.to.deep.equal(before);
        const { code, stdout, stderr } = await scene.evenkeel('rollback', 'last', '--yes', '-o', 'json');
        expect(code, stdout + stderr).to.equal(0);
        expect(stderr).to.include(`\nTo restore:\n  ${use.object} (lb1)\n`);
        for (const line of use.preview) expect(stderr).to.include(`\n    ${line}\n`);
        expect(finishedOf(stdout).stats['lb1']).to.include({ ok: 1, changed: 1 });
        expect(scene.fields).to.deep.equal(before);
      });

      it('is not restored if someone else has changed it since', async () => {
        await scene.done(scene.task(use.fields));
        await scene.done(scene.task(use.otherFields));
        scene.change(use.byHand);
        const before = scene.object;
        const { code, stdout } = await scene.evenkeel('rollback', 'last', '--yes');
        expect(code).to.equal(2);
        expect(stdout).to.include(
          `${use.object} was changed since the run: ${Object.keys(use.byHand).join()}; not restored`,
        );
        expect(scene.object).to.deep.equal(before);
      });

      it('is restored by a gate', async () => {
        await scene.done(scene.task(use.fields));
        const before = scene.fields;
        const gate = { checks: [{ assert: { that: 'false' } }], on_fail: 'rollback' };
        const { code, stdout } = await scene.run([scene.task(use.otherFields)], { gate });
        expect(code, stdout).to.equal(6);
        expect(finishedOf(stdout).reason).to.match(/the batch was rolled back$/);
        expect(scene.fields).to.deep.equal(before);
      });

      it('is registered as the controller shows it, in every outcome of the task', async () => {
        const tell = { name: 'tell', debug: { var: 'it.object' } };
        for (const fields of [use.fields, use.fields, use.otherFields]) {
          const { stdout } = await scene.done(scene.task(fields), tell);
          const [shown] = tasksOf(stdout).filter(({ task }) => task === 'tell');
          // Strict controllers show references with their own address.
          if (dialect === 'generic') expect(shown?.values).to.deep.equal({ 'it.object': scene.object });
          else expect(shown?.values).to.have.property('it.object').that.deep.includes({ uuid: scene.object?.['uuid'] });
        }
      });

      it('is written once, wherever the run was interrupted', async () => {
        const { fleet } = scene;
        const tasks = [scene.task(use.fields), scene.task(use.otherFields)];
        const playbook = JSON.stringify([{ hosts: 'all', tasks }]);
        const options = { inventory: fleet.inventory, catalogue: await catalogueWith(use) };
        const { ran, moments } = await keptRun(playbook, options, fleet);
        expect(ran.lines).to.deep.equal(['lb1 it: changed', 'lb1 it: changed']);
        const whole = declared(scene.fields);
        const stages = moments.filter(({ entries }) => /^(write|step)-/.test(entries.at(-1)?.type ?? ''));
        expect(stages.map(({ entries }) => entries.at(-1)?.type)).to.deep.equal([...STAGES, ...STAGES]);
        for (const moment of [...stages, ...unknownWrites(moments)]) {
          fleet.controller('lb1').clearRequests();
          const { ran: resumed } = await goOn(playbook, moment, options, fleet);
          const where = `cut off after ${moment.entries.length} of ${moments.length}`;
          expect(resumed.finished.stats, where).to.deep.equal(ran.finished.stats);
          expect(declared(scene.fields), where).to.deep.equal(whole);
          const confirmed = moment.entries.filter(({ type }) => type === 'write-finished').length;
          const isUnknown = !stages.includes(moment);
          const written = fleet
            .controller('lb1')
            .requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'));
          expect(written, where).to.have.length(2 - confirmed - (isUnknown ? 1 : 0));
        }
      }).timeout(120_000);

      if (use.name === undefined) return;
      it('cannot be rolled back if the run created it, even if the run updated it later', async () => {
        await scene.done(scene.task(use.fields), scene.task(use.otherFields));
        const before = scene.object;
        const { code, stderr } = await scene.evenkeel('rollback', 'last', '--yes');
        expect(code).to.equal(0);
        expect(stderr).to.include(
          `\nCannot be undone:\n  ${use.object} was created: a rollback deletes nothing (lb1)\n`,
        );
        expect(scene.object).to.deep.equal(before);
      });
    });
  }

  it('is reported if the controller does not show it after the create', async () => {
    const scenes = await Promise.all(
      ALL.filter(({ name }) => name !== undefined).map((use) => Scene.open(use, dialect)),
    );
    try {
      const failures = scenes.map(async (scene) => {
        const { use } = scene;
        scene.fleet.controller('lb1').behaviour = { lag: 100 };
        const { code, stdout } = await scene.run([scene.task(use.fields)]);
        expect(code).to.equal(2);
        expect(tasksOf(stdout).map(({ message }) => message)).to.deep.equal([
          `not converged: ${use.object} does not exist after it was written`,
        ]);
      });
      await Promise.all(failures);
    } finally {
      await Promise.all(scenes.map((scene) => scene.close()));
    }
  });
}
