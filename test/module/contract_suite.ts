import { expect } from 'chai';
import cloudAbsent from '../../modules/cloud_absent.js';
import cloudPresent from '../../modules/cloud_present.js';
import { loadKindModule } from '../../modules/kinds/index.js';
import resourceAbsent from '../../modules/resource_absent.js';
import resourcePresent from '../../modules/resource_present.js';
import systemConfig from '../../modules/system_config.js';
import type { TaskFinished } from '../../src/core/model/run/event.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import type { Module } from '../../src/module/contract.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import type { JsonObject } from '../../src/simulator/protocol/exchange.js';
import { describeResource } from '../../src/testing/index.js';
import { sharedAmong, startFleet, type Fleet, type TestedDialect } from '../rig/simulated.js';
import { runTasks, type EngineOptions, type EngineRun } from '../rig/task_run.js';
import { ABSENT_USES, USES, type Use } from './resource_uses.js';

const SECRET = 'Tr0ub4dor&3/ä "quoted"';
export const RESOURCES: readonly Module[] = [cloudPresent, systemConfig, resourcePresent, await ofKind('pool_present')];
export const ABSENT: readonly Module[] = [cloudAbsent, resourceAbsent, await ofKind('pool_absent')];

/** Tests the contract of every resource module with controllers of a dialect. */
export function describeContract(dialect: TestedDialect): void {
  /**
   * A field with a secret, if the object can have one. Only generic controllers accept fields that are not in the table
   * of kinds.
   */
  const secretIn = (use: Use, secret: string): Mapping =>
    dialect === 'generic'
      ? { unheard_of: { list: [{ user: 'u', password: secret }] } }
      : (use.withSecret?.(secret) ?? {});

  for (const module of RESOURCES) {
    const uses = USES.filter((use) => use.module === module.name);
    describeResource(
      module,
      uses.map((use) => ({
        title: use.title,
        args: use.declare({ ...use.fields, ...secretIn(use, SECRET) }),
        // Strict controllers never show secrets, and a rollback cannot restore them: the update does not change them.
        otherArgs: use.declare({ ...use.otherFields, ...(dialect === 'generic' && secretIn(use, 'another one')) }),
        object: { path: use.path, ...(use.name !== undefined && { name: use.name }) },
        dialect,
        ...(dialect === 'avi' && { byHand: use.byHand }),
      })),
    );
  }

  for (const module of ABSENT) {
    describeResource(
      module,
      ABSENT_USES.filter((use) => use.module === module.name).map(({ title, args, fields, path, name }) => ({
        title,
        args,
        deletes: dialect === 'generic' ? { ...fields, unheard_of: [{ user: 'u', password: SECRET }] } : fields,
        object: { path, name },
        secrets: [SECRET],
        dialect,
      })),
    );
  }

  for (const use of sharedAmong(dialect, USES)) {
    describe(use.title, () => {
      let fleet: Fleet;
      let controller: SimulatedController;
      let fresh: readonly JsonObject[] | JsonObject;
      const secret = secretIn(use, SECRET);
      const accessible: Mapping =
        use.name === undefined
          ? { portal_configuration: { enable_https: true, allow_basic_authentication: true } }
          : {};
      before(async () => {
        fleet = await startFleet({ dialect });
        controller = fleet.controller('lb1');
        fresh = structuredClone(use.name === undefined ? controller.object(use.path) : controller.objects(use.path));
      });
      beforeEach(() => {
        controller.behaviour = {};
        if (fresh instanceof Array) controller.setObjects(use.path, fresh);
        else controller.setObject(use.path, fresh);
      });
      after(() => fleet.dispose());

      const run = (fields: Mapping, options?: EngineOptions): Promise<EngineRun> =>
        runTasks(fleet, [{ name: 'it', [use.module]: use.declare(fields) }], options);

      it('writes nothing in check mode over an existing object, even with replace or secrets: always', async () => {
        await run({ ...use.fields, ...secret });
        const fields = { ...use.otherFields, ...secret, ...accessible };
        const before = stateOf(controller, use);
        for (const controls of [{}, { replace: true }, { secrets: 'always' }]) {
          controller.clearRequests();
          const task = { name: 'it', [use.module]: { ...use.declare(fields), ...controls } };
          expect(outcomes((await runTasks(fleet, [task], { check: true })).results)).to.deep.equal(['changed']);
          // A replacement removes references. A second read asks for their names, if the controller can show names.
          const asksForNames = dialect === 'avi' && use.name !== undefined && 'replace' in controls;
          expect(methods(controller)).to.deep.equal(asksForNames ? ['GET', 'GET'] : ['GET']);
          expect(stateOf(controller, use)).to.deep.equal(before);
        }
      });

      it('reads once if there is nothing to do', async () => {
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
        // Strict controllers show references with their own address.
        if (dialect === 'generic') expect(result?.change).to.have.property('before').that.deep.equals(before);
        else expect(result?.change).to.have.nested.property('before.uuid', before?.['uuid']);
        expect(stateOf(controller, use)).to.deep.include(use.name !== undefined ? use.otherFields : {});
      });

      it('sends secrets every time on demand, and counts that as converged', async () => {
        if (Object.keys(secret).length === 0) return;
        const args = { ...use.declare({ ...use.fields, ...secret }), secrets: 'always' };
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
        setState(controller, use, { ...stateOf(controller, use), ...use.byHand });
        const declared = { ...use.fields, ...accessible };
        const { results } = await runTasks(fleet, [
          { name: 'it', [use.module]: { ...use.declare(declared), replace: true } },
        ]);
        expect(outcomes(results)).to.deep.equal(['changed']);
        for (const field of Object.keys(use.byHand)) {
          expect(results[0]?.change).to.have.property('after').that.does.not.have.property(field);
          expect(stateOf(controller, use)).not.to.have.property(field);
        }
      });
    });
  }
}

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
  else controller.setObjects(path, [...controller.objects(path).filter((other) => other['name'] !== name), object]);
}

function outcomes(results: readonly TaskFinished[]): readonly string[] {
  return results.map(({ status, message }) =>
    status === 'failed' || status === 'unreachable' ? `${status}: ${message ?? ''}` : status,
  );
}

function methods(controller: SimulatedController): readonly string[] {
  return controller.requests.flatMap(({ method, path }) => (path.startsWith('/api/') ? [method] : []));
}
