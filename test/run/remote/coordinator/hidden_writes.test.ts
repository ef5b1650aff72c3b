import { expect } from 'chai';
import { Recorder } from '../../../rig/recorder.js';
import { runText } from '../../../rig/run_text.js';
import { startFleet, type Fleet } from '../../../rig/simulated.js';

describe('writes of workers and of the coordinator to an object that its controller does not show', () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2, behaviour: { unreadable: 405 } });
  });
  afterEach(() => fleet.dispose());

  const put = (hosts: string, field: string): object => ({
    hosts,
    tasks: [{ system_config: { [field]: 1 }, delegate_to: 'lb1' }],
  });

  it("keep each other's changes", async () => {
    // The coordinator carries out the walks of the other controller itself.
    const inventory = fleet.inventory.replace('lb2: { ', 'lb2: { worker_site: here, ');
    const plays = [put('lb1', 'one'), put('lb2', 'two'), put('lb1', 'three'), put('lb2', 'four')];
    await runText(JSON.stringify(plays), { inventory, workers: 2, journal: new Recorder() });
    const bodies = fleet
      .controller('lb1')
      .requests.flatMap(({ method, body }) => (method === 'PUT' ? [JSON.parse(body) as unknown] : []));
    expect(bodies).to.deep.equal([
      { one: 1 },
      { one: 1, two: 1 },
      { one: 1, two: 1, three: 1 },
      { one: 1, two: 1, three: 1, four: 1 },
    ]);
  });
});
