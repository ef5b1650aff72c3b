import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { PlanGuide, PlanMaker, PlannedStep } from '../../../src/model/run/plan.js';
import type { Value } from '../../../src/model/values/value.js';
import { goOn, keptRun } from '../../rig/cut_run.js';
import { Recorder } from '../../rig/recorder.js';
import { runText } from '../../rig/run_text.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const digest = (value: Value): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

async function planned(playbook: string, inventory: string): Promise<PlanGuide> {
  const steps = new Map<string, PlannedStep[]>();
  const nothing = (): void => undefined;
  const maker: PlanMaker = {
    ...{ type: 'make', digest, included: nothing, keepPositions: nothing },
    keep: (controller, step) => steps.set(controller, [...(steps.get(controller) ?? []), step]),
  };
  await runText(playbook, { inventory, check: true, plan: maker, journal: new Recorder() });
  return {
    ...{ type: 'follow', digest, begin: () => undefined, stepsOf: (controller) => steps.get(controller) ?? [] },
    find: (controller, place, matches) => steps.get(controller)?.find((step) => step.place === place && matches(step)),
  };
}

describe('a resumed apply through workers', () => {
  let fleet: Fleet;
  before(async () => {
    fleet = await startFleet({ controllers: 3 });
  });
  after(() => fleet.dispose());
  beforeEach(() => {
    fleet.controller('lb3').setObjects('/api/cloud/', [{ name: 'x', uuid: 'cloud-x', mtu: 1400 }]);
  });

  const write = (hosts: string, delegate: string, args: object): object => ({
    hosts,
    tasks: [{ cloud_present: { name: 'x', ...args }, ...(delegate !== '' && { delegate_to: delegate }) }],
  });
  const LAST = "{{ groups['fleet'] | last }}";

  for (const [title, plays] of Object.entries({
    'with a templated delegate_to': [write('lb1', LAST, { mtu: 1000 }), write('lb2', LAST, { mtu: 2000 })],
    'in the order in which it wrote': [
      write('lb1', 'lb3', { mtu: 1000 }),
      write('lb2', 'lb3', { mtu: 2000 }),
      write('lb1', 'lb3', { properties: { note: 'last' } }),
    ],
  }))
    it(`knows what tasks of other controllers had written, ${title}`, async () => {
      const playbook = JSON.stringify(plays);
      const { inventory } = fleet;
      const options = { inventory, plan: await planned(playbook, inventory), workers: 2 };
      const { ran, moments } = await keptRun(playbook, options, fleet);
      expect(ran.finished.status).to.equal('ok');
      const last = structuredClone(fleet.controller('lb3').objects('/api/cloud/'));
      for (const moment of moments) {
        const { ran: resumed } = await goOn(playbook, moment, options, fleet);
        expect(resumed.finished.stats, resumed.lines.join()).to.deep.equal(ran.finished.stats);
        expect(fleet.controller('lb3').objects('/api/cloud/')[0]).to.include({ mtu: last[0]?.['mtu'] });
      }
    });

  it('does not send a worker what tasks of other controllers had written', async () => {
    const playbook = JSON.stringify([
      write('lb1', 'lb3', { properties: { note: 'of lb1' } }),
      write('lb2', 'lb3', { mtu: 2000 }),
    ]);
    const { inventory } = fleet;
    const sent: string[] = [];
    const onSent = (text: string, controller: string): void => {
      if (controller === 'lb2') sent.push(text);
    };
    const options = { inventory, plan: await planned(playbook, inventory), workers: 2, onSent };
    const { moments } = await keptRun(playbook, options, fleet);
    // Its own writes show what it has read.
    const before = moments.filter(
      ({ entries }) => !entries.some((entry) => entry.type === 'write-intended' && entry.controller === 'lb2'),
    );
    sent.length = 0;
    for (const moment of before) await goOn(playbook, moment, options, fleet);
    expect(sent).to.not.deep.equal([]);
    expect(sent.filter((text) => text.includes('of lb1'))).to.deep.equal([]);
  });
});

describe('an object that its controller does not show', () => {
  let fleet: Fleet;
  afterEach(() => fleet.dispose());

  const put = (hosts: string, port: number, delegate?: string): object => ({
    hosts,
    tasks: [{ system_config: { [`field_${port}`]: port }, ...(delegate !== undefined && { delegate_to: delegate }) }],
  });

  it('keeps the changes of other workers', async () => {
    fleet = await startFleet({ controllers: 3, behaviour: { unreadable: 405 } });
    const plays = [
      put('lb1', 1),
      put('lb1', 2),
      put('lb1', 3),
      put('lb2', 4, 'lb1'),
      put('lb3', 5, 'lb1'),
      put('lb1', 6),
    ];
    const playbook = JSON.stringify(plays);
    const { inventory } = fleet;
    const options = { inventory, workers: 2, rotate: true };
    const { ran, moments } = await keptRun(playbook, options, fleet);
    expect(ran.finished.status).to.equal('ok');
    const all = { field_1: 1, field_2: 2, field_3: 3, field_4: 4, field_5: 5, field_6: 6 };
    const last = (): unknown => {
      const { body = '{}' } = fleet.controller('lb1').requests.findLast(({ method }) => method === 'PUT') ?? {};
      return JSON.parse(body);
    };
    expect(last()).to.deep.equal(all);
    for (const moment of moments.filter(({ entries }) => entries.at(-1)?.type === 'write-finished')) {
      fleet.controller('lb1').clearRequests();
      await goOn(playbook, moment, options, fleet);
      const puts = fleet.controller('lb1').requests.filter(({ method }) => method === 'PUT').length;
      if (puts > 0) expect(last()).to.deep.equal(all);
    }
  });
});
