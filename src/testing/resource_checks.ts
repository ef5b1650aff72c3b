import assert from 'node:assert/strict';
import { encodedPart } from '../core/model/values/uri.js';
import { jsonText } from '../core/model/values/value.js';
import { secretArguments } from '../module/arguments/validation.js';
import type { Example, ResourceExample, Scene } from './scene.js';

export interface Check<Given extends Example> {
  readonly title: string;
  readonly run: (scene: Scene<Given>) => Promise<void>;
}

type PresentScene = Scene<ResourceExample>;

/** The checks that an example allows: not all have secrets, and a rollback has nothing to put back of what it created. */
export function allChecks({ object, secrets = [] }: ResourceExample): readonly Check<ResourceExample>[] {
  const lost = object.name === undefined ? 'PUT' : 'POST';
  return [
    { title: 'plans the same for the same arguments and observation, and changes neither', run: plansPurely },
    { title: 'writes nothing in check mode, and predicts the change', run: checksOnly },
    { title: 'changes nothing in a second run', run: converges },
    { title: 'keeps fields that the arguments do not mention', run: keepsOtherFields },
    { title: 'fails and writes nothing when the controller answers nonsense', run: distrustsNonsense },
    { title: `makes no duplicate when the reply to ${lost} is lost`, run: (scene) => survives(scene, lost, true) },
    { title: `writes again when ${lost} itself is lost`, run: (scene) => survives(scene, lost, false) },
    { title: 'shows no secret in any output', run: (scene) => masksSecrets(scene, secrets) },
    { title: 'needs no second write when a secret reads back as <sensitive>', run: acceptsHiddenSecrets },
    { title: 'is restored by a rollback after an update', run: rollsBack },
  ];
}

async function plansPurely(scene: PresentScene): Promise<void> {
  const { args, otherArgs } = scene.example;
  for (const before of ['a fresh controller', 'the object as it was written']) {
    for (const given of [args, otherArgs]) {
      const [checked, observed] = [scene.planArguments(given), await scene.observe(given)];
      const plan = scene.module.plan(checked, observed);
      const again = scene.module.plan(checked, await scene.observe(given));
      assert.deepEqual(again, plan, `plan differs the second time, for ${before}`);
    }
    await scene.run(args);
  }
}

async function checksOnly(scene: PresentScene): Promise<void> {
  const { args, otherArgs, object } = scene.example;
  assert.equal(await predicted(scene, args), object.name === undefined ? 'update' : 'create', 'kind of the change');
  await scene.run(args);
  assert.equal(await predicted(scene, otherArgs), 'update', 'kind of the change that otherArgs make');
}

/** The kind of change that check mode predicts. */
async function predicted(scene: PresentScene, args: ResourceExample['args']): Promise<string | undefined> {
  const before = scene.object;
  scene.controller.clearRequests();
  const { outcome, result } = await scene.run(args, { check: true });
  assert.equal(outcome, 'changed');
  assertNoWrites(scene);
  assert.deepEqual(scene.object, before, 'the object changed in check mode');
  return result?.change?.kind;
}

async function converges(scene: PresentScene): Promise<void> {
  for (const args of [scene.example.args, scene.example.otherArgs]) {
    assert.equal((await scene.run(args)).outcome, 'changed');
    scene.controller.clearRequests();
    assert.equal((await scene.run(args)).outcome, 'ok');
    assertNoWrites(scene);
  }
}

async function keepsOtherFields(scene: PresentScene): Promise<void> {
  const { byHand = { set_by_hand: { deep: [1, { two: null }] } } } = scene.example;
  await scene.run(scene.example.args);
  scene.addByHand(byHand);
  assert.equal((await scene.run(scene.example.otherArgs)).outcome, 'changed');
  for (const [name, value] of Object.entries(byHand))
    assert.deepEqual(scene.object?.[name], value, 'a field that was set by hand is lost');
}

/** Whether an invalid answer to the read fails the task before it writes. */
export async function distrustsNonsense(scene: Scene): Promise<void> {
  const nonsense = [
    { type: 'garbage', form: 'html' },
    { type: 'garbage', form: 'list' },
    { type: 'redirect' },
    { type: 'answer', status: 500 },
    { type: 'answer', status: 202, body: { count: 0, results: [] } },
  ] as const;
  // No further attempt gets a better answer.
  const play = { vars: { controller_patience: 1 } };
  for (const fault of nonsense) {
    scene.controller.behaviour = { faults: [{ ...fault, when: { method: 'GET', path: '/api/*' } }] };
    const { result } = await scene.run(scene.example.args, { play });
    assert.equal(result?.status, 'failed', `with ${jsonText(fault)}`);
    assertNoWrites(scene);
  }
}

/** @param applied whether the write took effect before its reply was lost */
async function survives(scene: PresentScene, method: string, applied: boolean): Promise<void> {
  const { args, object } = scene.example;
  scene.controller.behaviour = { faults: [{ type: 'drop', applied, when: scene.requests(method) }] };
  assert.equal((await scene.run(args)).outcome, 'changed');
  if (object.name !== undefined) {
    const found = scene.controller.objects(object.path).filter(({ name }) => name === object.name);
    assert.equal(found.length, 1, `objects named "${object.name}"`);
  }
  assert.equal((await scene.run(args)).outcome, 'ok');
}

async function masksSecrets(scene: PresentScene, given: readonly string[]): Promise<void> {
  const { args, otherArgs } = scene.example;
  for (const one of [args, args, otherArgs]) {
    // A run cannot know the secrets of another one, which the controller may still hold.
    const own = given.filter((secret) => jsonText(one).includes(quoted(secret)));
    assertMasked(jsonText((await scene.run(one)).events), [...secretArguments(scene.module, one), ...own]);
  }
}

/** @param shown JSON */
export function assertMasked(shown: string, secrets: readonly string[]): void {
  for (const secret of secrets)
    for (const form of encodedForms(secret)) assert.ok(!shown.includes(quoted(form)), 'an event shows a secret');
}

/** As it is, in a URL, in JSON, and in a header. */
function encodedForms(secret: string): readonly string[] {
  return [secret, encodedPart(secret), quoted(secret), Buffer.from(secret).toString('base64')];
}

function quoted(text: string): string {
  return jsonText(text).slice(1, -1);
}

async function acceptsHiddenSecrets(scene: PresentScene): Promise<void> {
  const { args, otherArgs } = scene.example;
  scene.controller.behaviour = { sensitive: true };
  await scene.run(args);
  assert.equal((await scene.run(args)).outcome, 'ok');
  scene.controller.clearRequests();
  await scene.run(otherArgs);
  // Controllers of this dialect keep the secret then.
  if (scene.example.dialect === 'avi') return;
  for (const { method, body } of scene.controller.requests)
    assert.ok(!body.includes('<sensitive>'), `${method} sends the placeholder`);
}

async function rollsBack(scene: PresentScene): Promise<void> {
  const { args, otherArgs } = scene.example;
  await scene.run(args);
  const before = scene.fields;
  const gate = { checks: [{ assert: { that: 'false' } }], on_fail: 'rollback' };
  const { finished } = await scene.run(otherArgs, { play: { gate } });
  assert.equal(finished.status, 'failed');
  assert.match(finished.reason ?? '', /the batch was rolled back$/);
  assert.deepEqual(scene.fields, before, 'the object differs after the rollback');
}

/** @throws AssertionError if any request was not a GET */
export function assertNoWrites({ writes }: Pick<Scene, 'writes'>): void {
  assert.deepEqual(writes, [], 'requests that write');
}
