import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { runTasks } from '../../rig/task_run.js';

describe('a field of a kind', () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi', controllers: 2 });
  });
  afterEach(() => fleet.dispose());

  async function statuses(...tasks: readonly Mapping[]): Promise<ReadonlySet<string>> {
    const { results } = await runTasks(fleet, tasks);
    return new Set(results.map(({ status, message }) => (status === 'failed' ? `failed: ${message ?? ''}` : status)));
  }

  for (const [pool, group] of [
    ['pool_present', 'poolgroup_present'],
    ['avi_pool', 'avi_poolgroup'],
  ] as const)
    it(`takes one text for a list, and a whole number for a text: ${pool}, ${group}`, async () => {
      const monitors = ['a', 'b'].map((name) => ({
        healthmonitor_present: { name, type: 'HEALTH_MONITOR_PING' },
      }));
      const tasks = [
        { [pool]: { name: 'one', health_monitor_refs: '/api/healthmonitor/?name=a' } },
        { [pool]: { name: 'both', health_monitor_refs: '/api/healthmonitor/?name=a,/api/healthmonitor/?name=b' } },
        { [group]: { name: 1000, members: [{ pool_ref: '/api/pool/?name=one', priority_label: 1000 }] } },
      ];
      expect([...(await statuses(...monitors, ...tasks))]).to.deep.equal(['changed']);
      expect([...(await statuses(...tasks))]).to.deep.equal(['ok']);
      for (const name of fleet.names) {
        const pools = fleet.controller(name).objects('/api/pool/');
        expect(pools.map((one) => [one['name'], (one['health_monitor_refs'] as unknown[]).length])).to.deep.equal([
          ['one', 1],
          ['both', 2],
        ]);
        const [found] = fleet.controller(name).objects('/api/poolgroup/');
        expect(found).to.include({ name: '1000' }).and.to.have.nested.property('members[0].priority_label', '1000');
      }
    });
});
