import { expect } from 'chai';
import { findController, findMembers, type Inventory } from '../../../src/core/model/inventory/inventory.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { LazyMapping, valueAt, type Mapping } from '../../../src/core/model/values/value.js';
import type { VariableLayer } from '../../../src/core/model/values/variables.js';
import {
  asStepLeft,
  keepVariables,
  keptBefore,
  mergeKept,
  NO_VARIABLES,
  type ControllerState,
} from '../../../src/engine/controllers/controller_state.js';
import { Fleet } from '../../../src/engine/controllers/fleet.js';
import { LiveInventory } from '../../../src/engine/controllers/live_inventory.js';
import { assembleInventory, reconcile } from '../../../src/project/inventory/assemble.js';
import { InventoryBuilder } from '../../../src/project/inventory/builder.js';

const ORIGIN = { shown: 'inventory.yml', file: '/inventory.yml', directory: '/' };
const NAMES = ['lb1', 'lb2', 'lb3'];

function inventory(): Inventory {
  const builder = new InventoryBuilder(new Diagnostics());
  builder.addGroup('eu', () => undefined);
  for (const name of NAMES) builder.addController(name, name === 'lb3' ? 'all' : 'eu', ORIGIN, () => undefined);
  reconcile(builder);
  return assembleInventory(builder, []);
}

function startFleet(): Fleet {
  const live = new LiveInventory(inventory(), (controller) => {
    fleet.regroup(controller);
  });
  const fleet = new Fleet(live);
  return fleet;
}

function stateOf(fleet: Fleet, name: string): ControllerState {
  const state = fleet.find(name);
  if (state === undefined) throw new Error(`there is no ${name}`);
  return state;
}

const included = (origin: string, values: Mapping): VariableLayer => ({ level: 'include_vars', origin, values });
/** What a controller sees of one name, the strongest last. */
const seen = ({ layers }: ControllerState, ...path: readonly string[]): readonly unknown[] =>
  layers.flatMap(({ values }) => valueAt(values, path) ?? []);

describe('the controllers of a run', () => {
  it('are alive until they are lost, and again when that is taken back, each on its own', () => {
    const fleet = startFleet();
    expect(fleet.alive(NAMES)).to.deep.equal(NAMES);
    fleet.lose(stateOf(fleet, 'lb1'), 'failed');
    fleet.lose(stateOf(fleet, 'lb2'), 'stale');
    expect([fleet.alive(NAMES), fleet.alive(NAMES) === fleet.alive(NAMES)]).to.deep.equal([['lb3'], true]);
    expect(NAMES.map((name) => fleet.hasFailed(name))).to.deep.equal([true, false, false]);
    expect(fleet.statuses).to.deep.equal(['failed', 'stale']);
    for (const name of ['lb2', 'lb3', 'unknown']) fleet.revive(name);
    expect([fleet.alive(NAMES), fleet.isAlive('unknown')]).to.deep.equal([['lb2', 'lb3'], true]);
  });

  it('start and finish plays, each on its own', () => {
    const fleet = startFleet();
    const [first, second] = [stateOf(fleet, 'lb1'), stateOf(fleet, 'lb2')];
    [first.started, first.finished, second.finished] = [true, true, true];
    fleet.begin(['lb2', 'lb3', 'unknown']);
    expect(NAMES.map((name) => [fleet.hasStarted(name), fleet.hasFinished(name)])).to.deep.equal([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('are found by name, added ones and the implicit localhost, too, with the groups as they are now', async () => {
    const fleet = startFleet();
    expect([fleet.find('lb9'), fleet.find('localhost')?.name, fleet.nearest('lb22')]).to.deep.equal([
      undefined,
      'localhost',
      'did you mean "lb2"?',
    ]);
    expect(fleet.find('lb1')).to.equal(fleet.find('lb1'));
    const groups = (): unknown =>
      ['eu', 'new', 'none'].map((name) => (fleet.groups instanceof LazyMapping ? fleet.groups.get(name) : name));
    expect(groups()).to.deep.equal([['lb1', 'lb2'], undefined, undefined]);
    await fleet.inventory.addHost({ type: 'host', name: 'lb9', groups: ['eu', 'new'], values: {} });
    expect(groups()).to.deep.equal([['lb1', 'lb2', 'lb9'], ['lb9'], undefined]);
    expect(fleet.find('lb9')?.name).to.equal('lb9');
  });
});

describe('the controllers and groups that tasks add', () => {
  it('have the variables of the files beside the inventory, which are read once', async () => {
    const read: string[] = [];
    const live = new LiveInventory(
      {
        ...inventory(),
        readAdjacent: (folder, name) => {
          read.push(`${folder} ${name}`);
          return Promise.resolve(name === 'lb9' ? [] : [included(folder, { of: name })]);
        },
      },
      () => undefined,
    );
    const host = (name: string, ...groups: readonly string[]) =>
      live.addHost({ type: 'host', name, groups, values: {} });
    expect([await host('lb8', 'new'), await host('lb9', 'new', 'eu'), await host('lb8', 'new')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(read).to.deep.equal(['host_vars lb8', 'group_vars new', 'host_vars lb9']);
    expect(live.groups.get('new')?.layers.map(({ values }) => values)).to.deep.equal([{ of: 'new' }]);
    expect(live.controllers.get('lb8')?.layers.map(({ values }) => values)).to.deep.equal([
      { of: 'new' },
      { of: 'lb8' },
    ]);
    const lb1 = live.controllers.get('lb1');
    if (lb1 === undefined) throw new Error('there is no lb1');
    expect(await live.joinGroup(lb1, { type: 'group', name: 'made', parents: ['around'] })).to.equal(true);
    expect(read.slice(3)).to.deep.equal(['group_vars made', 'group_vars around']);
  });
});

describe('what tasks add to the inventory', () => {
  const notice = () => {
    const changed: string[] = [];
    const live = new LiveInventory(inventory(), ({ name }) => changed.push(name));
    const host = (name: string, groups: readonly string[], values: Mapping = {}) =>
      live.addHost({ type: 'host', name, groups, values });
    return { live, host, changed };
  };

  it('is added to what was there, and told once for each controller that it changes', async () => {
    const { live, host, changed } = notice();
    expect([
      await host('lb1', [], { a: 1 }),
      await host('lb1', [], { a: 1 }),
      await host('lb1', ['eu'], { b: 2 }),
      await host('lb1', ['new'], { b: 3 }),
    ]).to.deep.equal([true, false, true, true]);
    expect(live.controllers.get('lb1')?.layers).to.deep.equal([
      { level: 'inventory host vars', origin: 'add_host', values: { a: 1, b: 3 }, literal: true },
    ]);
    expect([live.controllers.get('lb1')?.groups.toSorted(), changed]).to.deep.equal([
      ['eu', 'new'],
      ['lb1', 'lb1', 'lb1'],
    ]);
    expect(await host('lb9', ['new'], { x: 1 })).to.equal(true);
    expect([findMembers(live, 'new'), findMembers(live, 'all')]).to.deep.equal([
      ['lb1', 'lb9'],
      ['lb3', 'lb9', 'lb1', 'lb2'],
    ]);
  });

  it('may be a group for this machine, which is no controller of the inventory before', async () => {
    const { live, changed } = notice();
    const [here, lb1] = ['localhost', 'lb1'].map((name) => findController(live, name));
    if (here === undefined || lb1 === undefined) throw new Error('both are expected');
    expect(live.controllers.has('localhost')).to.equal(false);
    for (const controller of [here, lb1])
      await live.joinGroup(controller, { type: 'group', name: 'made', parents: [] });
    expect([findMembers(live, 'made'), changed]).to.deep.equal([
      ['localhost', 'lb1'],
      ['localhost', 'lb1'],
    ]);
    expect(await live.joinGroup(lb1, { type: 'group', name: 'made', parents: [] })).to.equal(false);
  });

  it('has a name by the rules for files, and changes nothing if it has none', async () => {
    const { live, host, changed } = notice();
    const refusals = [
      host('', []),
      host('lb8', ['']),
      live.joinGroup({ name: 'lb1', groups: [], layers: [] }, { type: 'group', name: 'a\n', parents: [] }),
      live.joinGroup({ name: 'lb1', groups: [], layers: [] }, { type: 'group', name: 'eu', parents: ['eu'] }),
      host('lb7', []),
    ].map((one) => one.catch((error: unknown) => (error instanceof Error ? error.message : error)));
    expect(await Promise.all(refusals)).to.deep.equal([
      'a controller needs a name',
      'a group needs a name',
      'the name of a group must not contain control characters: "a\\n"',
      'group "eu" cannot be a child of "eu": they would contain each other',
      true,
    ]);
    expect([[...live.controllers.keys()], [...live.groups.keys()], changed]).to.deep.equal([
      ['lb1', 'lb2', 'lb3', 'lb7'],
      [...inventory().groups.keys()],
      ['lb7'],
    ]);
  });
});

describe('the variables that tasks set', () => {
  it('have words that are masked: in results, facts and files, and in all facts if a fact has some', () => {
    const fleet = startFleet();
    fleet.maskedWords.isPossible = true;
    const state = stateOf(fleet, 'lb1');
    const words = (...names: readonly string[]) => names.map((name) => [...fleet.maskedWords.words('lb1', name)]);
    keepVariables(state, {
      ...NO_VARIABLES,
      included: [included('one', { c: 1 })],
      values: { a: 1 },
      maskedWords: ['w'],
    });
    expect(words('a', 'c', 'f', 'ansible_facts')).to.deep.equal([['w'], ['w'], [], []]);
    keepVariables(state, { ...NO_VARIABLES, facts: { f: 1 }, maskedWords: ['v'] });
    keepVariables(state, { ...NO_VARIABLES, facts: { g: 1 }, maskedWords: ['u'] });
    expect(words('f', 'g', 'ansible_facts')).to.deep.equal([['v'], ['u'], ['v', 'u']]);
    keepVariables(state, { ...NO_VARIABLES, values: { a: 2 } });
    expect(words('a', 'c', 'ansible_facts')).to.deep.equal([[], ['w'], ['v', 'u']]);
  });

  it('are added for their controller: facts, files and results, what was set last first in strength', () => {
    const fleet = startFleet();
    const state = stateOf(fleet, 'lb1');
    keepVariables(state, {
      ...NO_VARIABLES,
      values: { a: 1, b: 1 },
      facts: { f: 1, ansible_os: 'x', ansible_local: {} },
    });
    const before = state.layers;
    keepVariables(state, {
      ...NO_VARIABLES,
      values: { a: 2 },
      facts: { f: 2 },
      included: [included('one', { a: 3, c: 3 })],
    });
    expect(before.map(({ values }) => values['f'] ?? null)).to.deep.equal([1, null]);
    expect(seen(state, 'a')).to.deep.equal([3, 2]);
    expect([seen(state, 'b'), seen(state, 'c'), seen(state, 'f')]).to.deep.equal([[1], [3], [2]]);
    expect(seen(state, 'ansible_facts')).to.deep.equal([{ f: 2, os: 'x', ansible_local: {} }]);
    keepVariables(state, { ...NO_VARIABLES, included: [included('two', { a: 4, c: 4 }), included('three', { c: 5 })] });
    expect(state.layers.flatMap(({ level, origin }) => (level === 'include_vars' ? [origin] : []))).to.deep.equal([
      'two',
      'three',
    ]);
    // Facts and results are data, never templates.
    expect(state.layers.map(({ level, origin, literal }) => [level, origin, literal])).to.deep.equal([
      ['facts', 'facts', true],
      ['include_vars', 'two', undefined],
      ['include_vars', 'three', undefined],
      ['set_fact and registered', 'set_fact and registered', true],
    ]);
    const other = stateOf(fleet, 'lb2');
    expect([...['a', 'b', 'c', 'f'].flatMap((name) => seen(other, name)), other.taskVariables]).to.deep.equal([{}]);
    state.clearFacts();
    expect([seen(state, 'f'), seen(state, 'ansible_facts'), seen(state, 'b')]).to.deep.equal([[], [{}], [1]]);
    expect(state.taskVariables).to.deep.equal({ a: 2, b: 1 });
  });

  it('are merged, later ones stronger, and kept by the journal if there are any', () => {
    const elsewhere = (owner: string) => [{ owner, values: { x: owner }, facts: {} }];
    const one = { ...NO_VARIABLES, values: { a: 1, b: 1 }, elsewhere: elsewhere('lb1'), maskedWords: ['w'] };
    const two = { ...NO_VARIABLES, values: { a: 2 }, facts: { f: 2 }, elsewhere: elsewhere('lb2'), maskedWords: ['v'] };
    const file = { ...NO_VARIABLES, included: [included('one', { c: 1 })] };
    expect([mergeKept([]), mergeKept([NO_VARIABLES, NO_VARIABLES])]).to.deep.equal([NO_VARIABLES, NO_VARIABLES]);
    expect(mergeKept([NO_VARIABLES, one, NO_VARIABLES])).to.equal(one);
    expect(mergeKept([one, file, two])).to.deep.equal({
      values: { a: 2, b: 1 },
      facts: { f: 2 },
      included: file.included,
      elsewhere: [...elsewhere('lb1'), ...elsewhere('lb2')],
      maskedWords: ['w', 'v'],
    });
    expect(mergeKept([{ ...NO_VARIABLES, maskedWords: [] }, file])).to.deep.equal(file);
    expect(asStepLeft(file)).to.equal(undefined);
    for (const kept of [one, two, { ...NO_VARIABLES, facts: { f: 1 } }, { ...NO_VARIABLES, maskedWords: ['m'] }]) {
      const left = asStepLeft(kept);
      expect({ maskedWords: undefined, ...kept }).to.deep.equal(keptBefore(left ?? {}));
    }
    expect(asStepLeft({ ...NO_VARIABLES, values: { a: 1 } })).to.deep.equal({ values: { a: 1 } });
  });

  it('are restored for the controller and for those that it gave some, with the words that are masked', () => {
    const fleet = startFleet();
    const left = {
      values: { a: 1 },
      elsewhere: [{ owner: 'lb2', values: { b: 2 }, facts: { f: 3 } }],
      hidden: ['summer'],
    };
    const kept = fleet.restore(stateOf(fleet, 'lb1'), left);
    expect(kept).to.deep.equal(keptBefore(left));
    const [first, second, third] = NAMES.map((name) => stateOf(fleet, name));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three are expected');
    expect([seen(first, 'a'), seen(first, 'b'), seen(second, 'a'), seen(second, 'b'), seen(second, 'f')]).to.deep.equal(
      [[1], [], [], [2], [3]],
    );
    expect(third.taskVariables).to.deep.equal({});
    expect(fleet.maskedWords.isPossible).to.equal(true);
    const words = [...fleet.maskedWords.words('lb1', 'a')];
    expect([
      words,
      [...fleet.maskedWords.words('lb2', 'b')],
      [...fleet.maskedWords.words('lb2', 'ansible_facts')],
    ]).to.deep.equal(Array(3).fill(['summer']));
    expect([...fleet.maskedWords.words('lb3', 'a')]).to.deep.equal([]);
    fleet.give(['lb3', 'unknown'], { ...NO_VARIABLES, values: { a: 7 } });
    expect(third.taskVariables).to.deep.equal({ a: 7 });
    expect(fleet.restore(third)).to.deep.equal(keptBefore({}));
  });
});
