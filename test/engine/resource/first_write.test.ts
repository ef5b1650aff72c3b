import { expect } from 'chai';
import type { PlannedStep } from '../../../src/core/model/run/plan.js';
import { jsonText, type Mapping } from '../../../src/core/model/values/value.js';
import { Connection } from '../../../src/engine/controllers/session_pool.js';
import { FutureObject } from '../../../src/engine/keywords/known_after_apply.js';
import { FollowedPlan } from '../../../src/engine/resource/followed_plan.js';
import { Observation } from '../../../src/engine/resource/observation.js';
import { connectionId } from '../../../src/engine/resource/planned_connection.js';
import {
  createdAnew,
  resourceValues,
  type NamedTask,
  type ResourceTask,
} from '../../../src/engine/resource/resource_task.js';
import { KnownAfterApply } from '../../../src/language/runtime/errors.js';
import type { ResourceModule } from '../../../src/module/contract.js';
import { settingsOf } from '../../rig/controllers.js';
import { catalogue } from '../../rig/loaded.js';

const CLOUDS = '/api/cloud/';
const connection = new Connection(
  settingsOf('https://lb1', undefined, {}),
  () => undefined,
  'https://lb1',
  true,
  false,
  { overrides: () => undefined, declaredBy: () => undefined, digest: jsonText },
);
const place = { controller: 'lb1', connection };
const object = (name: string, mtu: number): Mapping => ({ uuid: name, name, mtu });

/** A step that found its cloud with an MTU of 1. */
function step(at: string, name: string, item?: number): PlannedStep {
  return {
    place: at,
    ...(item !== undefined && { item }),
    written: '',
    title: `Set ${name}`,
    play: 'P',
    module: 'cloud_present',
    source: { file: 'site.yml', line: 1, column: 1 },
    decided: {
      type: 'resource',
      args: { name },
      object: `cloud "${name}"`,
      seen: [{ path: CLOUDS, name, digest: jsonText(object(name, 1)) }],
      change: { kind: 'none' },
      connection: connectionId(jsonText, connection),
    },
  };
}

/** A run that follows these steps, at whose controller some clouds have another MTU now. */
function follow(steps: readonly PlannedStep[], changed: readonly string[] = [], other?: string) {
  const isAt = (at: string) => (one: PlannedStep) => one.place === at;
  const [read, begun]: [string[], string[]] = [[], []];
  const guide = {
    type: 'follow',
    digest: jsonText,
    find: (controller: string, at: string, matches: (one: PlannedStep) => boolean) =>
      controller === 'lb1' ? steps.filter(isAt(at)).find(matches) : undefined,
    begin: (controller: string, run: string) => {
      begun.push(`${controller} ${run}`);
      return Promise.resolve(other);
    },
    hasBegun: () => false,
    connections: () => [],
    changingAt: () => [],
    steps: () => steps,
  } as const;
  const session = {
    find: (_: string, name: string) => {
      read.push(name);
      return Promise.resolve(object(name, changed.includes(name) ? 2 : 1));
    },
  } as unknown as ResourceTask['session'];
  const followed = new FollowedPlan(guide, catalogue, undefined, 'run 1');
  const first = async (current: PlannedStep): Promise<string | undefined> =>
    (await followed.beforeFirstWrite(current, session, place))?.failure.message;
  return { followed, session, first, read, begun };
}

describe('before the first write to a controller, a plan', () => {
  const steps = [step('0:0', 'done'), step('0:1', 'a', 0), step('0:1', 'a', 1), step('0:2', 'b'), step('0:3', 'c')];
  const [, , current = step('', '')] = steps;
  const stale = (what: string): string => `stale: ${what}; nothing more is written to this controller`;

  it('checks what later steps depend on, once, and not what earlier ones did', async () => {
    const { first, read, begun } = follow(steps, ['done']);
    expect([await first(current), read, begun]).to.deep.equal([undefined, ['b', 'c'], ['lb1 run 1']]);
    expect([await first(steps[3] ?? current), read.length, begun.length]).to.deep.equal([undefined, 2, 1]);
  });

  it('refuses to begin if any of it has changed, or if another run applies it', async () => {
    const changed = follow(steps, ['c']);
    const message = stale('cloud "c" was changed since the plan was made');
    expect([await changed.first(current), changed.begun]).to.deep.equal([message, []]);
    expect(await changed.first(current)).to.equal(
      stale('Set a would write to a controller that has changed since the plan was made'),
    );
    const applied = follow(steps, [], 'R7');
    expect(await applied.first(current)).to.equal(
      stale('Set a is not carried out, because run R7 began to apply this plan here'),
    );
  });

  it('is not begun by a task that writes nothing, or is only checked', async () => {
    const { followed, session, begun } = follow([]);
    const { decided } = current;
    if (decided.type !== 'resource') throw new Error('a resource is expected');
    const observation = new Observation({
      find: () => Promise.resolve(object('a', 1)),
      single: () => Promise.reject(new Error('not read')),
    });
    await observation.find(CLOUDS, 'a');
    const change = { kind: 'update', object: 'cloud "a"', before: object('a', 1), after: object('a', 2) } as const;
    for (const [now, check, expected] of [
      [{ kind: 'none' }, false, []],
      [change, true, []],
      [change, false, ['lb1 run 1']],
    ] as const) {
      const plan = followed.planHooks(current, { ...decided, change: now }, place);
      const task = { before: [], check, session } as unknown as ResourceTask;
      expect(await plan.decided(task, { observed: undefined, observation, plan: { change: now } })).to.equal(undefined);
      expect(begun).to.deep.equal(expected);
    }
  });
});

describe('the step of a plan', () => {
  it('is that of the item as it is written, else that of the whole loop if its items were not known', () => {
    const written = (one: PlannedStep, text: string): PlannedStep => ({ ...one, written: text });
    const [task, first, second] = [
      written(step('0:0', 'a'), 'w'),
      written(step('0:1', 'a', 0), 'w#0'),
      written(step('0:1', 'a', 1), 'w#1'),
    ];
    const loop: PlannedStep = { ...written(step('0:2', 'a'), 'v'), decided: { type: 'in place' } };
    const { followed } = follow([task, first, second, loop]);
    const find = (at: string, text: string, item?: number, controller = 'lb1') =>
      followed.find(controller, { place: at, written: text, ...(item !== undefined && { item }) });
    expect([find('0:0', 'w'), find('0:1', 'w#1', 1), find('0:1', 'w#0', 0), find('0:2', 'v')]).to.deep.equal([
      task,
      second,
      first,
      loop,
    ]);
    expect([find('0:2', 'v#7', 7), find('0:2', 'v#7')]).to.deep.equal([loop, undefined]);
    for (const [at, text, item, controller] of [
      ['0:0', 'other', undefined, 'lb1'],
      ['0:0', 'w', 0, 'lb1'],
      ['0:0', 'w#0', 0, 'lb1'],
      ['0:1', 'w#1', 0, 'lb1'],
      ['0:2', 'vv#7', 7, 'lb1'],
      ['0:0', 'w', undefined, 'lb2'],
    ] as const)
      expect(find(at, text, item, controller), `${at} ${text}`).to.equal(undefined);
  });
});

describe('what a resource task registers', () => {
  const observed = async (found: Mapping | undefined): Promise<Observation> => {
    const observation = new Observation({
      find: () => Promise.resolve(found),
      single: () => Promise.reject(new Error('not read')),
    });
    await observation.find(CLOUDS, 'a');
    return observation;
  };
  const task = (check: boolean, more: Pick<ResourceModule, 'results'> = {}): NamedTask => ({
    module: { object: ({ name }) => `cloud "${String(name)}"`, ...more },
    args: { name: 'a' },
    check,
  });

  it('is its name, its change, the object that was read last, and what the module adds', async () => {
    const before = object('a', 1);
    const change = { kind: 'update', object: 'cloud "a"', before, after: object('a', 2) } as const;
    expect({ ...resourceValues(task(false), change, await observed(object('a', 2))) }).to.deep.equal({
      name: 'cloud "a"',
      change,
      object: object('a', 2),
    });
    const results = (last: unknown, was: unknown): Mapping => ({ seen: jsonText([last, was]) });
    expect({ ...resourceValues(task(true, { results }), { kind: 'none' }, await observed(undefined)) }).to.deep.equal({
      name: 'cloud "a"',
      change: { kind: 'none', before: null, after: null },
      object: null,
      seen: '[null,null]',
    });
    const created = { kind: 'create', object: 'cloud "a"', before: null, after: { name: 'a' } } as const;
    const future = resourceValues(task(true, { results: () => ({}) }), created, await observed(undefined))['object'];
    if (!(future instanceof FutureObject)) throw new Error('an object that does not exist yet is expected');
    expect([[...future.keys()], future.get('name')]).to.deep.equal([['name'], 'a']);
    expect(() => future.get('uuid')).to.throw(KnownAfterApply, '"uuid" of cloud "a"');
    expect(resourceValues(task(false), created, await observed(before))['object']).to.equal(before);
  });

  it('is no success if another object of that name was created since', async () => {
    const change = { kind: 'delete', object: 'cloud "a"', before: object('a', 1), after: null } as const;
    const decision = { observed: undefined, observation: await observed(undefined), plan: { change } };
    expect(createdAnew(task(false), decision)).to.deep.equal({
      status: 'failed',
      values: { changed: true },
      failure: {
        message: 'cloud "a" was deleted, and another object of that name was created since; it was not deleted',
        hint: 'run again to delete that one, too',
      },
      change,
    });
  });
});
