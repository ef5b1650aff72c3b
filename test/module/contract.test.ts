import { expect } from 'chai';
import cloudAbsent from '../../modules/cloud_absent.js';
import cloudPresent from '../../modules/cloud_present.js';
import { builtinModules } from '../../modules/index.js';
import { loadKindModule } from '../../modules/kinds/index.js';
import resourceAbsent from '../../modules/resource_absent.js';
import resourcePresent from '../../modules/resource_present.js';
import systemConfig from '../../modules/system_config.js';
import { builtInKinds } from '../../src/kinds/built_in_kinds.js';
import type { TaskFinished } from '../../src/model/run/event.js';
import type { Mapping } from '../../src/model/values/value.js';
import type { Module } from '../../src/module/contract.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import type { JsonObject } from '../../src/simulator/protocol/json.js';
import { describeResource } from '../../src/testing/index.js';
import { runTasks, type EngineOptions, type EngineRun } from '../rig/task_run.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { ABSENT_USES, USES, type Use } from './resource_uses.js';

const SECRET = 'Tr0ub4dor&3/ä "quoted"';
const RESOURCES: readonly Module[] = [cloudPresent, systemConfig, resourcePresent, await ofKind('pool_present')];
const ABSENT: readonly Module[] = [cloudAbsent, resourceAbsent, await ofKind('pool_absent')];
const OF_KINDS = ['pool_absent', 'pool_present'];
const withSecret = (secret: string): Mapping => ({ unheard_of: { list: [{ user: 'u', password: secret }] } });

describe('the contract of resource modules', () => {
  it('is held by every resource module that comes with Evenkeel', async () => {
    const modules = await Promise.all(Object.values(builtinModules).map(async (load) => (await load()).default));
    const resources = modules.filter(({ type }) => type === 'resource').map(({ name }) => name);
    const expected = [...resources, ...OF_KINDS].sort();
    expect([...RESOURCES, ...ABSENT].map(({ name }) => name).sort()).to.deep.equal(expected);
    const used = new Set([...USES, ...ABSENT_USES].map(({ module }) => module));
    expect([...used].sort()).to.deep.equal(expected);
  });

  for (const module of RESOURCES) {
    const uses = USES.filter((use) => use.module === module.name);
    describeResource(
      module,
      uses.map(({ title, declare, fields, otherFields, path, name }) => ({
        title,
        args: declare({ ...fields, ...withSecret(SECRET) }),
        otherArgs: declare({ ...otherFields, ...withSecret('another one') }),
        object: { path, ...(name !== undefined && { name }) },
      })),
    );
  }

  for (const module of ABSENT) {
    describeResource(
      module,
      ABSENT_USES.filter((use) => use.module === module.name).map(({ title, args, fields, path, name }) => ({
        title,
        args,
        deletes: { ...fields, unheard_of: [{ user: 'u', password: SECRET }] },
        object: { path, name },
        secrets: [SECRET],
      })),
    );
  }

  for (const use of USES) {
    describe(use.title, () => {
      let fleet: Fleet;
      let controller: SimulatedController;
      beforeEach(async () => {
        fleet = await startFleet();
        controller = fleet.controller('lb1');
      });
      afterEach(() => fleet.dispose());

      const run = (fields: Mapping, options?: EngineOptions): Promise<EngineRun> =>
        runTasks(fleet, [{ name: 'it', [use.module]: use.declare(fields) }], options);

      it('writes nothing in check mode over what is there either, whatever controls it', async () => {
        await run({ ...use.fields, ...withSecret(SECRET) });
        const access = { portal_configuration: { enable_https: true, allow_basic_authentication: true } };
        const fields = { ...use.otherFields, ...withSecret(SECRET), ...(use.name === undefined ? access : {}) };
        const before = stateOf(controller, use);
        for (const controls of [{}, { replace: true }, { secrets: 'always' }]) {
          controller.clearRequests();
          const task = { name: 'it', [use.module]: { ...use.declare(fields), ...controls } };
          expect(outcomes((await runTasks(fleet, [task], { check: true })).results)).to.deep.equal(['changed']);
          expect(methods(controller)).to.deep.equal(['GET']);
          expect(stateOf(controller, use)).to.deep.equal(before);
        }
      });

      it('reads once when there is nothing to do', async () => {
        await run(use.fields);
        controller.clearRequests();
        expect(outcomes((await run(use.fields)).results)).to.deep.equal(['ok']);
        expect(methods(controller)).to.deep.equal(['GET']);
      });

      it('shows the whole object before and after an update', async () => {
        await run(use.fields);
        const before = stateOf(controller, use);
        const [result] = (await run(use.otherFields)).results;
        expect(result?.change).to.have.property('kind', 'update');
        expect(result?.change).to.have.property('before').that.deep.equals(before);
        expect(stateOf(controller, use)).to.deep.include(use.name !== undefined ? use.otherFields : {});
      });

      it('sends secrets every time on demand, and counts that as converged', async () => {
        const args = { ...use.declare({ ...use.fields, ...withSecret(SECRET) }), secrets: 'always' };
        controller.behaviour = { sensitive: true };
        for (const method of [use.name === undefined ? 'PUT' : 'POST', 'PUT']) {
          controller.clearRequests();
          const { results } = await runTasks(fleet, [{ name: 'it', [use.module]: args }]);
          expect(outcomes(results)).to.deep.equal(['changed']);
          expect(methods(controller).filter((one) => one !== 'GET')).to.deep.equal([method]);
        }
      });

      it('drops undeclared fields on demand', async () => {
        await run(use.fields);
        const access = { enable_https: true, allow_basic_authentication: true };
        setState(controller, use, { ...stateOf(controller, use), set_by_hand: true });
        const declared = use.name === undefined ? { ...use.fields, portal_configuration: access } : use.fields;
        const { results } = await runTasks(fleet, [
          { name: 'it', [use.module]: { ...use.declare(declared), replace: true } },
        ]);
        expect(outcomes(results)).to.deep.equal(['changed']);
        expect(results[0]?.change).to.have.property('after').that.does.not.have.property('set_by_hand');
        expect(stateOf(controller, use)).not.to.have.property('set_by_hand');
      });
    });
  }
});

async function ofKind(name: string): Promise<Module> {
  const module = await loadKindModule(name, builtInKinds());
  if (module === undefined) throw new Error(`there is no ${name}`);
  return module;
}

function stateOf(controller: SimulatedController, { path, name }: Use): JsonObject | undefined {
  return name === undefined
    ? controller.object(path)
    : controller.objects(path).find((object) => object['name'] === name);
}

function setState(controller: SimulatedController, { path, name }: Use, object: JsonObject): void {
  if (name === undefined) controller.setObject(path, object);
  else controller.setObjects(path, [object]);
}

function outcomes(results: readonly TaskFinished[]): readonly string[] {
  return results.map(({ status, message }) =>
    status === 'failed' || status === 'unreachable' ? `${status}: ${message ?? ''}` : status,
  );
}

function methods(controller: SimulatedController): readonly string[] {
  return controller.requests.map(({ method }) => method);
}
