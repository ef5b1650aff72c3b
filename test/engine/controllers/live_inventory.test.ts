import { expect } from 'chai';
import fc from 'fast-check';
import { findMembers, type Group, type Inventory } from '../../../src/core/model/inventory/inventory.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { LiveInventory } from '../../../src/engine/controllers/live_inventory.js';
import { assembleInventory, reconcile } from '../../../src/project/inventory/assemble.js';
import { InventoryBuilder } from '../../../src/project/inventory/builder.js';

const ORIGIN = { shown: 'inventory.yml', file: '/inventory.yml', directory: '/' };
const NOWHERE = (): undefined => undefined;

/** A controller that joins a group; the group has a parent. */
interface Step {
  readonly controller: string;
  readonly group: string;
  readonly parent: string;
}

/** Groups are children of earlier groups in the alphabet, so that none contains itself. */
const STEP: fc.Arbitrary<Step> = fc
  .record({
    controller: fc.constantFrom('lb1', 'lb2', 'lb3'),
    group: fc.constantFrom('b', 'c', 'd'),
    parent: fc.constantFrom('a', 'b', 'c', 'all'),
  })
  .map((step) => (step.parent < step.group ? step : { ...step, parent: 'all' }));

function loaded(steps: readonly Step[]): Inventory {
  const builder = new InventoryBuilder(new Diagnostics());
  for (const name of ['lb1', 'lb2', 'lb3']) builder.addController(name, 'all', ORIGIN, NOWHERE);
  for (const name of ['a', 'b', 'c', 'd']) {
    builder.addGroup(name, NOWHERE);
    builder.addGroupVariables(name, { values: { of: name } }, ORIGIN);
  }
  for (const { controller, group, parent } of steps) {
    builder.addChild(parent, group, NOWHERE);
    builder.addController(controller, group, ORIGIN, NOWHERE);
  }
  reconcile(builder);
  return assembleInventory(builder, []);
}

/** What may be asked of an inventory, in an order that does not depend on how it was made. */
function seen(inventory: Inventory): unknown {
  const groups = [...inventory.groups.keys()].sort();
  return {
    members: groups.map((group) => [group, findMembers(inventory, group).toSorted()]),
    controllers: [...inventory.controllers.values()].map(({ name, groups: of, layers }) => ({
      name,
      of,
      values: layers.map(({ values }) => values),
    })),
  };
}

describe('an inventory that changes during a run', () => {
  it('equals an inventory that was loaded with the changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 8 }), async (steps) => {
        const live = new LiveInventory(loaded([]));
        for (const { controller, group, parent } of steps) {
          const known = live.controllers.get(controller);
          if (known === undefined) throw new Error(`${controller} is gone`);
          await live.joinGroup(known, { type: 'group', name: group, parents: [parent] });
        }
        expect(seen(live)).to.deep.equal(seen(loaded(steps)));
      }),
    );
  });

  it('makes one change at a time, however many are requested at once', async () => {
    const live = new LiveInventory(loaded([]));
    const names = ['x1', 'x2', 'x3'];
    const changes = names.flatMap((name) => [
      live.addHost({ type: 'host', name, groups: ['new'], values: { a: 1 } }),
      live.addHost({ type: 'host', name, groups: ['new'], values: { a: 1 } }),
    ]);
    expect(await Promise.all(changes)).to.deep.equal([true, false, true, false, true, false]);
    expect(findMembers(live, 'new')).to.deep.equal(names);
    expect([...live.controllers.keys()]).to.deep.equal(['lb1', 'lb2', 'lb3', ...names]);
  });

  it('reports each controller that has changed', async () => {
    const changed: string[] = [];
    const live = new LiveInventory(loaded([]), ({ name, groups }) => changed.push(`${name} ${groups.join(' ')}`));
    await live.addHost({ type: 'host', name: 'lb2', groups: ['b'], values: {} });
    await live.addHost({ type: 'host', name: 'lb2', groups: ['b'], values: {} });
    expect(changed).to.deep.equal(['lb2 b']);
  });

  it('reads the members of other groups once, however many controllers join', async () => {
    const inventory = loaded([{ controller: 'lb3', group: 'b', parent: 'all' }]);
    let reads = 0;
    const counted = (group: Group): Group => {
      const get = (members: readonly string[], key: string | symbol): unknown => {
        if (key === '0') reads++;
        return Reflect.get(members, key);
      };
      return { ...group, controllers: new Proxy(group.controllers, { get }) };
    };
    const groups = new Map([...inventory.groups].map(([name, group]) => [name, name === 'b' ? counted(group) : group]));
    const live = new LiveInventory({ ...inventory, groups });
    for (const controller of inventory.controllers.values())
      await live.joinGroup(controller, { type: 'group', name: 'a', parents: [] });
    expect(findMembers(live, 'a')).to.deep.equal(['lb1', 'lb2', 'lb3']);
    expect(reads).to.equal(1);
  });

  it('accepts further changes after one that failed', async () => {
    const live = new LiveInventory(loaded([{ controller: 'lb1', group: 'b', parent: 'a' }]));
    const [lb1] = [...live.controllers.values()];
    if (lb1 === undefined) throw new Error('there is no controller');
    const refused = await live.joinGroup(lb1, { type: 'group', name: 'a', parents: ['b'] }).catch((e: unknown) => e);
    expect(refused).to.have.property('message', 'group "a" cannot be a child of "b": they would contain each other');
    expect(await live.joinGroup(lb1, { type: 'group', name: 'c', parents: ['a'] })).to.equal(true);
  });
});
