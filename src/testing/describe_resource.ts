import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonText } from '../core/model/values/value.js';
import { loadUserModule } from '../launch/user_code/user_module.js';
import { secretArguments } from '../module/arguments/validation.js';
import type { Module, ResourceModule } from '../module/contract.js';
import { allChecks, assertMasked, assertNoWrites, distrustsNonsense, type Check } from './resource_checks.js';
import { Scene, type AbsenceExample, type Example } from './scene.js';

/** `describe` and `it` of mocha, vitest, jest or node:test. */
export interface TestFunctions {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: (title: string, body: () => Promise<void>, timeout?: number) => unknown;
}

/** A check runs a few small playbooks; a lost reply alone is waited for a second or two. */
const TIMEOUT_MS = 60_000;

/**
 * Declares tests that hold a resource module to the contract: its plan is pure, check mode writes nothing, a second run changes
 * nothing, a lost reply makes no duplicate, no output shows a secret, and a rollback puts an update back. They run against a
 * simulated controller. An example with `deletes` is for a module that deletes its object.
 *
 * @param module the module, or the URL of its file, which is loaded as `evenkeel run` loads it
 * @param functions of the test framework; default: its globals, else those of `node:test`
 */
export function describeResource(
  module: Module | URL,
  examples: readonly Example[],
  functions: TestFunctions = testFunctions(),
): void {
  if (examples.length === 0) throw new Error('describeResource needs at least one example');
  const { describe, it } = functions;
  describe(module instanceof URL ? moduleName(module) : module.name, () => {
    for (const example of examples)
      describe(exampleTitle(example), () => {
        for (const { title, run } of exampleTests(example))
          it(
            title,
            withTimeout(async () => run(await loadResource(module))),
            TIMEOUT_MS,
          );
      });
  });
}

interface Test {
  readonly title: string;
  readonly run: (module: ResourceModule) => Promise<void>;
}

function exampleTests(example: Example): readonly Test[] {
  return 'deletes' in example ? inScenes(example, allAbsenceChecks(example)) : inScenes(example, allChecks(example));
}

function inScenes<Given extends Example>(example: Given, checks: readonly Check<Given>[]): readonly Test[] {
  return checks.map(({ title, run }) => ({
    title,
    run: async (module) => {
      const scene = await Scene.open(module, example);
      try {
        await run(scene);
      } finally {
        await scene.close();
      }
    },
  }));
}

function exampleTitle({ title, dialect, object: { path: where, name } }: Example): string {
  const use = title ?? (name === undefined ? where : `${where} ${name}`);
  return dialect === undefined ? use : `${use} (${dialect})`;
}

function testFunctions(): TestFunctions {
  const scope: object = globalThis;
  const { describe, it }: Partial<TestFunctions> = scope;
  return describe !== undefined && it !== undefined ? { describe, it } : process.getBuiltinModule('node:test');
}

/** Mocha takes its time limit from the test's `this`; other frameworks from the last argument of `it`. */
function withTimeout(body: () => Promise<void>): () => Promise<void> {
  return function (this: unknown) {
    const context: { readonly timeout?: unknown } = typeof this === 'object' && this !== null ? this : {};
    if (typeof context.timeout === 'function') Reflect.apply(context.timeout, context, [TIMEOUT_MS]);
    return body();
  };
}

async function loadResource(given: Module | URL): Promise<ResourceModule> {
  const module = given instanceof URL ? await loadUserModule(moduleName(given), fileURLToPath(given)) : given;
  if (module.type === 'resource') return module;
  throw new Error(`${module.name} is an action; describeResource tests resource modules`);
}

function moduleName(url: URL): string {
  return path.parse(fileURLToPath(url)).name;
}

type AbsentScene = Scene<AbsenceExample>;

/** The checks for a module that deletes its object. */
function allAbsenceChecks({ secrets = [] }: AbsenceExample): readonly Check<AbsenceExample>[] {
  return [
    { title: 'plans the same for the same arguments and observation, and changes neither', run: plansPurely },
    { title: 'writes nothing in check mode, and predicts the deletion', run: checksOnly },
    { title: 'deletes the object alone, and changes nothing in a second run', run: deletes },
    { title: 'fails and writes nothing when the controller answers nonsense', run: distrustsAll },
    { title: 'needs one deletion when the reply to DELETE is lost', run: (scene) => survives(scene, true) },
    { title: 'deletes again when DELETE itself is lost', run: (scene) => survives(scene, false) },
    { title: 'leaves alone an object that is created anew', run: leavesAnother },
    { title: 'fails with the words of the controller when something refers to the object', run: namesReferrers },
    { title: 'shows no secret in any output', run: (scene) => masksSecrets(scene, secrets) },
    { title: 'is restored by a rollback', run: rollsBack },
  ];
}

async function plansPurely(scene: AbsentScene): Promise<void> {
  const { args } = scene.example;
  for (const before of ['a controller without the object', 'a controller with the object']) {
    const [checked, observed] = [scene.planArguments(args), await scene.observe(args)];
    const plan = scene.module.plan(checked, observed);
    assert.deepEqual(scene.module.plan(checked, await scene.observe(args)), plan, `plan differs, for ${before}`);
    scene.create();
  }
}

async function checksOnly(scene: AbsentScene): Promise<void> {
  assert.equal((await scene.run(scene.example.args, { check: true })).outcome, 'ok');
  scene.create();
  const before = scene.object;
  const { outcome, result } = await scene.run(scene.example.args, { check: true });
  assert.equal(outcome, 'changed');
  assert.deepEqual(result?.change?.kind, 'delete', 'kind of the change');
  assert.deepEqual(scene.object, before, 'the object changed in check mode');
  assertNoWrites(scene);
}

async function deletes(scene: AbsentScene): Promise<void> {
  const { path, name } = scene.example.object;
  const other = { name: `${name}-2`, uuid: 'another-one' };
  scene.create();
  scene.controller.setObjects(path, [...scene.controller.objects(path), other]);
  assert.equal((await scene.run(scene.example.args)).outcome, 'changed');
  assert.equal(scene.object, undefined);
  assert.deepEqual(
    scene.others.find((one) => one['name'] === other.name),
    other,
  );
  assert.deepEqual(scene.writes, ['DELETE'], 'requests that write');
  scene.controller.clearRequests();
  assert.equal((await scene.run(scene.example.args)).outcome, 'ok');
  assertNoWrites(scene);
}

async function distrustsAll(scene: AbsentScene): Promise<void> {
  scene.create();
  const before = scene.object;
  await distrustsNonsense(scene);
  assert.deepEqual(scene.object, before);
}

/** @param applied whether the deletion took effect before its reply was lost */
async function survives(scene: AbsentScene, applied: boolean): Promise<void> {
  scene.create();
  scene.controller.behaviour = { faults: [{ type: 'drop', applied, when: scene.requests('DELETE') }] };
  assert.equal((await scene.run(scene.example.args)).outcome, 'changed');
  assert.equal(scene.object, undefined);
  assert.equal((await scene.run(scene.example.args)).outcome, 'ok');
}

async function leavesAnother(scene: AbsentScene): Promise<void> {
  const { controller } = scene;
  scene.create();
  controller.behaviour = { faults: [{ type: 'drop', applied: true, when: scene.requests('DELETE') }] };
  controller.watch = (moment, { method }) => {
    if (moment === 'carried out' && method === 'DELETE' && scene.object === undefined) scene.create();
    return Promise.resolve();
  };
  const { outcome } = await scene.run(scene.example.args);
  assert.match(outcome, /was deleted, and another object of that name was created since; it was not deleted$/);
  assert.notEqual(scene.object, undefined);
}

async function namesReferrers(scene: AbsentScene): Promise<void> {
  scene.create();
  const before = scene.object;
  const body = { error: "Cannot delete, object is referred by: ['VirtualService shop']" };
  scene.controller.behaviour = { faults: [{ type: 'answer', status: 400, body, when: { method: 'DELETE' } }] };
  const { outcome } = await scene.run(scene.example.args);
  assert.match(outcome, /^failed: .* object is referred by: \['VirtualService shop'\]$/);
  assert.deepEqual(scene.object, before);
}

async function masksSecrets(scene: AbsentScene, given: readonly string[]): Promise<void> {
  const { args } = scene.example;
  for (const check of [true, false]) {
    scene.create();
    const { events } = await scene.run(args, { check });
    assertMasked(jsonText(events), [...secretArguments(scene.module, args), ...given]);
  }
}

async function rollsBack(scene: AbsentScene): Promise<void> {
  scene.create();
  const { uuid, url, ...before } = scene.fields;
  const gate = { checks: [{ assert: { that: 'false' } }], on_fail: 'rollback' };
  const { finished } = await scene.run(scene.example.args, { play: { gate } });
  assert.match(finished.reason ?? '', /the batch was rolled back$/);
  const { uuid: newUuid, url: newUrl, ...after } = scene.fields;
  // The controller may fill in defaults.
  assert.deepEqual({ ...after, ...before }, after, 'the object differs after the rollback');
  assert.notDeepEqual([newUuid, newUrl], [uuid, url], 'the uuid after the rollback');
}
