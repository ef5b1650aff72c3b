import { expect } from 'chai';
import { builtinModules } from '../../modules/index.js';
import type { TaskFinished } from '../../src/model/run/event.js';
import type { Mapping } from '../../src/model/values/value.js';
import type { ResourceModule } from '../../src/module/contract.js';
import { validateArguments } from '../../src/module/validation.js';
import type { SimulatedController } from '../../src/simulator/controller.js';
import type { Fault } from '../../src/simulator/fault.js';
import type { JsonObject } from '../../src/simulator/json.js';
import { connections, settingsOf } from '../rig/controllers.js';
import { runTasks, type EngineOptions, type EngineRun } from '../rig/task_run.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { USES, type Use } from './resource_uses.js';

const SECRET = 'Tr0ub4dor&3/ä "quoted"';
const FORMS = [
  SECRET,
  JSON.stringify(SECRET).slice(1, -1),
  encodeURIComponent(SECRET),
  Buffer.from(SECRET).toString('base64'),
];
const withSecret = (secret: string): Mapping => ({ unheard_of: { list: [{ user: 'u', password: secret }] } });

describe('the contract of resource modules', () => {
  it('is held by every resource module that comes with Evenkeel', async () => {
    const modules = await Promise.all(Object.values(builtinModules).map(async (load) => (await load()).default));
    const resources = modules.filter(({ type }) => type === 'resource').map(({ name }) => name);
    expect([...new Set(USES.map(({ module }) => module))].sort()).to.deep.equal(resources.sort());
  });

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

      it('plans purely: the same arguments and observation, the same plan, and neither is touched', async () => {
        await run(use.fields);
        const module = await resource(use.module);
        for (const fields of [use.fields, use.otherFields]) {
          const args = argumentsOf(module, use.declare(fields));
          const observed = await observe(module, args, fleet);
          expect(module.plan(args, observed)).to.deep.equal(module.plan(args, structuredClone(observed)));
        }
      });

      it('writes nothing in check mode, and says what it would change', async () => {
        const before = stateOf(controller, use);
        const { results } = await run(use.fields, { check: true });
        expect(outcomes(results)).to.deep.equal(['changed']);
        expect(results[0]?.change?.kind).to.equal(use.name === undefined ? 'update' : 'create');
        expect(methods(controller)).to.deep.equal(['GET']);
        expect(stateOf(controller, use)).to.deep.equal(before);
      });

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

      it('fails for what a lying controller shows, and writes nothing', async () => {
        const lies: readonly Fault[] = [
          { type: 'garbage', form: 'html' },
          { type: 'garbage', form: 'list' },
          { type: 'redirect' },
          { type: 'answer', status: 500 },
          { type: 'answer', status: 202, body: { count: 0, results: [] } },
        ];
        for (const lie of lies) {
          controller.behaviour = { faults: [{ ...lie, when: { method: 'GET' } }] };
          controller.clearRequests();
          const { results } = await run(use.fields);
          expect(results.map(({ status }) => status)).to.deep.equal(['failed']);
          expect(methods(controller)).to.deep.equal(['GET']);
        }
      });

      it('is changed the first time, then ok with one read', async () => {
        expect(outcomes((await run(use.fields)).results)).to.deep.equal(['changed']);
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

      it('loses no field that nobody declared', async () => {
        await run(use.fields);
        setState(controller, use, { ...stateOf(controller, use), set_by_hand: { deep: [1, { two: null }] } });
        expect(outcomes((await run(use.otherFields)).results)).to.deep.equal(['changed']);
        expect(stateOf(controller, use))
          .to.have.property('set_by_hand')
          .that.deep.equals({ deep: [1, { two: null }] });
      });

      for (const applied of [true, false]) {
        it(`makes no duplicate when the reply is lost ${applied ? 'after' : 'before'} the write took effect`, async () => {
          const method = use.name === undefined ? 'PUT' : 'POST';
          controller.behaviour = { faults: [{ type: 'drop', applied, when: { method, nth: 1 } }] };
          const { results } = await run(use.fields);
          expect(outcomes(results)).to.deep.equal(['changed']);
          if (use.name !== undefined)
            expect(controller.objects(use.path).filter(({ name }) => name === use.name)).to.have.length(1);
          expect(outcomes((await run(use.fields)).results)).to.deep.equal(['ok']);
        });
      }

      it('shows no secret anywhere, at any verbosity', async () => {
        const { events, results } = await run({ ...use.fields, ...withSecret(SECRET) }, { verbosity: 4 });
        expect(outcomes(results)).to.deep.equal(['changed']);
        expect(JSON.stringify(stateOf(controller, use))).to.contain(JSON.stringify(SECRET));
        const shown = JSON.stringify(events);
        for (const form of FORMS) expect(shown).not.to.contain(JSON.stringify(form).slice(1, -1));
      });

      it('takes a secret that reads back hidden for right, and never sends the placeholder', async () => {
        const fields = { ...use.fields, ...withSecret(SECRET) };
        controller.behaviour = { sensitive: true };
        await run(fields);
        expect(outcomes((await run(fields)).results)).to.deep.equal(['ok']);
        controller.clearRequests();
        const { results } = await run({ ...use.otherFields, ...withSecret('another one') });
        expect(outcomes(results)).to.deep.equal(['changed']);
        const [written] = controller.requests.filter(({ method }) => method !== 'GET');
        expect(written?.body).to.contain('another one').and.not.to.contain('<sensitive>');
      });

      it('sends secrets every time if told to, and calls that converged', async () => {
        const module = await resource(use.module);
        const args = { ...use.declare({ ...use.fields, ...withSecret(SECRET) }), secrets: 'always' };
        expect(argumentsOf(module, args)).to.have.property('secrets', 'always');
        controller.behaviour = { sensitive: true };
        for (const method of [use.name === undefined ? 'PUT' : 'POST', 'PUT']) {
          controller.clearRequests();
          const { results } = await runTasks(fleet, [{ name: 'it', [use.module]: args }]);
          expect(outcomes(results)).to.deep.equal(['changed']);
          expect(methods(controller).filter((one) => one !== 'GET')).to.deep.equal([method]);
        }
      });

      it('drops on demand what nobody declared', async () => {
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

async function resource(name: string): Promise<ResourceModule> {
  const module = (await builtinModules[name]?.())?.default;
  if (module?.type !== 'resource') throw new Error(`${name} is no resource module`);
  return module;
}

type Arguments = Parameters<ResourceModule['plan']>[0];

function argumentsOf(module: ResourceModule, args: Mapping): Arguments {
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return frozen(checked.args) as Arguments;
}

async function observe(module: ResourceModule, args: Arguments, fleet: Fleet): Promise<unknown> {
  const { username, password } = fleet;
  const open = connections();
  try {
    return frozen(await module.read(args, open.open(settingsOf(fleet.url('lb1'), fleet.ca, { username, password }))));
  } finally {
    await open.close();
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
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
