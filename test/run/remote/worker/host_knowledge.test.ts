import { expect } from 'chai';
import { Fleet } from '../../../../src/run/controllers/fleet.js';
import { LiveInventory } from '../../../../src/run/controllers/live_inventory.js';
import type { KnownOfController } from '../../../../src/run/remote/known.js';
import type { News, WalkOrder } from '../../../../src/run/remote/walk_order.js';
import { HostKnowledge } from '../../../../src/run/remote/worker/host_knowledge.js';
import { Secrets } from '../../../../src/secrets/secrets.js';
import { readInventory } from '../../../rig/inventory.js';

const known = (values: KnownOfController['values']): KnownOfController => ({
  values,
  facts: {},
  included: [],
  masked: [],
});
const isWalking = (): boolean => false;

describe('what a worker knows of other controllers', () => {
  it('is what newer news says, although older news comes later', async () => {
    const { fleet, knowledge } = await knowledgeOf('lb1', 'lb2');
    await knowledge.apply(
      { number: 2, variables: [['lb1', known({ y: 'new' })]], statuses: [['lb2', 'failed']] },
      isWalking,
    );
    await knowledge.apply(
      {
        number: 1,
        variables: [
          ['lb1', known({ y: 'old' })],
          ['lb2', known({ y: 2 })],
        ],
        statuses: [['lb2', 'alive']],
      },
      isWalking,
    );
    expect(fleet.find('lb1')?.known.values).to.deep.equal({ y: 'new' });
    expect(fleet.find('lb2')?.known.values).to.deep.equal({ y: 2 });
    expect(fleet.find('lb2')?.status).to.equal('failed');
  });

  it('is what newer news says of a controller whose repeated walk was ordered before', async () => {
    const { fleet, knowledge } = await knowledgeOf('lb1');
    const news: News = { number: 1 };
    const applied = knowledge.apply(news, isWalking);
    await knowledge.apply({ number: 2, variables: [['lb1', known({ y: 'given since' })]] }, isWalking);
    const before = { known: known({}), now: known({ y: 'then' }), past: [], changesByOthers: [] };
    await knowledge.begin({ controller: 'lb1', before, news } as Partial<WalkOrder> as WalkOrder, applied);
    expect(fleet.find('lb1')?.known.values).to.deep.equal({});
    expect(fleet.find('lb1')?.shown?.known.values).to.deep.equal({ y: 'given since' });
  });

  it('contains a change of the inventory that could not be made before, once it is sent again', async () => {
    const { fleet, knowledge } = await knowledgeOf('lb1');
    const host = { effect: { type: 'host', name: 'new', groups: [], values: {} } } as const;
    const joins = { controller: 'new', effect: { type: 'group', name: 'late', parents: [] } } as const;
    await knowledge.apply({ number: 2, effects: [joins], firstEffect: 1 }, isWalking);
    await knowledge.apply({ number: 3, effects: [host, joins], firstEffect: 0 }, isWalking);
    expect(fleet.inventory.controllers.get('new')?.groups).to.include('late');
  });

  it('contains each change of the inventory once, although news repeats it', async () => {
    const { fleet, knowledge } = await knowledgeOf('lb1');
    const host = (values: KnownOfController['values']) => ({
      effect: { type: 'host', name: 'new', groups: [], values } as const,
    });
    const [first, second] = [host({ site: 'red' }), host({ site: 'blue' })];
    await knowledge.apply({ number: 2, effects: [first, second], firstEffect: 0 }, isWalking);
    await knowledge.apply({ number: 1, effects: [first], firstEffect: 0 }, isWalking);
    expect(fleet.find('new')?.controller.layers.map(({ values }) => values)).to.deep.equal([{ site: 'blue' }]);
  });
});

async function knowledgeOf(
  ...names: readonly string[]
): Promise<{ readonly fleet: Fleet; readonly knowledge: HostKnowledge }> {
  const { inventory } = await readInventory({ 'inventory.ini': names.join('\n') });
  const fleet = new Fleet(new LiveInventory(inventory));
  return { fleet, knowledge: new HostKnowledge(fleet, new Secrets(), undefined) };
}
