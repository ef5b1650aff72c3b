import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { PlanGuide, PlanMaker, PlannedStep } from '../../../src/core/model/run/plan.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { goOn, keptRun } from '../../rig/cut_run.js';
import { shareOf } from '../../rig/random_seed.js';
import { Recorder } from '../../rig/recorder.js';
import { runText } from '../../rig/run_text.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const digest = (value: Value): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** @param begun gets the controllers to which the plan is applied */
async function planned(
  playbook: string,
  inventory: string,
  begun: string[] = [],
  files: Readonly<Record<string, string>> = {},
  changing: readonly string[] = [],
): Promise<PlanGuide> {
  const steps = new Map<string, PlannedStep[]>();
  const nothing = (): void => undefined;
  const maker: PlanMaker = {
    type: 'make',
    digest,
    reached: nothing,
    keep: (controller, step) => steps.set(controller, [...(steps.get(controller) ?? []), step]),
  };
  await runText(playbook, { inventory, files, check: true, plan: maker, journal: new Recorder() });
  return {
    type: 'follow',
    digest,
    connections: () => [],
    changingAt: () => changing,
    steps: (controller) => steps.get(controller) ?? [],
    find: (controller, place, matches) => steps.get(controller)?.find((step) => step.place === place && matches(step)),
    begin: (controller) => {
      begun.push(controller);
      return Promise.resolve(undefined);
    },
    hasBegun: (controller) => begun.includes(controller),
  };
}

describe('an apply over several plays', () => {
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
    it(`knows in a resume what tasks of other controllers had written, ${title}`, async () => {
      const playbook = JSON.stringify(plays);
      const { inventory } = fleet;
      const options = { inventory, plan: await planned(playbook, inventory) };
      const { ran, moments } = await keptRun(playbook, options, fleet);
      expect(ran.finished.status).to.equal('ok');
      const last = structuredClone(fleet.controller('lb3').objects('/api/cloud/'));
      for (const moment of shareOf(moments, 3)) {
        const { ran: resumed } = await goOn(playbook, moment, options, fleet);
        expect(resumed.finished.stats, resumed.lines.join()).to.deep.equal(ran.finished.stats);
        expect(fleet.controller('lb3').objects('/api/cloud/')[0]).to.include({ mtu: last[0]?.['mtu'] });
      }
    });

  const PRESENT = { cloud_present: { name: 'y' }, register: 'made', notify: 'tell' };
  const HANDLERS = [{ name: 'tell', cloud_present: { name: 'told' } }];
  const shared = (hosts: string, ...tasks: readonly object[]): object => ({
    hosts,
    serial: 1,
    tasks,
    handlers: HANDLERS,
  });
  const MADE = ['lb2 cloud_present: ok', 'lb1 cloud_present: changed'];

  for (const [title, { plays, lines }] of Object.entries({
    'of the same task': {
      plays: (hosts: string) => [shared(hosts, PRESENT)],
      lines: [...MADE, 'lb1 tell: changed'],
    },
    'after an equal task that never writes': {
      plays: (hosts: string) => [shared(hosts, { ...PRESENT, name: 'look', check_mode: true, notify: [] }, PRESENT)],
      lines: [
        'lb2 look: changed',
        'lb2 cloud_present: ok',
        'lb1 look: ok',
        'lb1 cloud_present: changed',
        'lb1 tell: changed',
      ],
    },
    'after an equal task of the same host': {
      plays: (hosts: string) => [
        shared('lb1,lb2', { cloud_present: { name: 'y' } }),
        shared('lb1', { cloud_absent: { name: 'y' } }),
        shared(hosts, PRESENT),
      ],
      lines: [
        'lb1 cloud_present: changed',
        'lb2 cloud_present: ok',
        'lb1 cloud_absent: changed',
        ...MADE,
        'lb1 tell: changed',
      ],
    },
    'of a task that is repeated until it finds nothing to do': {
      plays: (hosts: string) => [shared(hosts, { ...PRESENT, until: 'made is not changed', retries: 1, delay: 0 })],
      lines: [...MADE, 'lb1 tell: changed'],
    },
  }))
    it(`notifies the handlers of the host for which a change is planned, whichever host made it, ${title}`, async () => {
      const inventory = fleet.inventory
        .replace(fleet.url('lb2'), fleet.url('lb1'))
        .replaceAll(/^( *lb[12]: .*) }$/gm, '$1, controller_shared: true }');
      fleet.controller('lb1').setObjects('/api/cloud/', []);
      const plan = await planned(JSON.stringify(plays('lb1,lb2')), inventory, [], {}, ['lb1', 'lb2']);
      const playbook = JSON.stringify(plays('lb2,lb1'));
      const { ran, moments } = await keptRun(playbook, { inventory, plan }, fleet);
      expect(ran.lines).to.deep.equal(lines);
      for (const moment of shareOf(moments, 3)) {
        const { ran: resumed } = await goOn(playbook, moment, { inventory, plan }, fleet);
        expect(resumed.finished.stats, resumed.lines.join()).to.deep.equal(ran.finished.stats);
        const names = fleet
          .controller('lb1')
          .objects('/api/cloud/')
          .map(({ name }) => name);
        expect(names).to.deep.equal(['y', 'told']);
      }
    });

  it('leaves a stale controller as it is, without an always, and a gate that has no other to check fails', async () => {
    const gate = { checks: [{ debug: {} }] };
    const tasks = [
      { block: [{ cloud_present: { name: 'own', mtu: 9000 } }], always: [{ name: 'always', debug: {} }] },
      { name: 'after', debug: {} },
    ];
    const playbook = JSON.stringify([{ hosts: 'lb1,lb2', serial: 1, gate, tasks }]);
    const plan = await planned(playbook, fleet.inventory);
    const changed = { name: 'own', uuid: 'cloud-own', mtu: 1400 };
    fleet.controller('lb1').setObjects('/api/cloud/', [changed]);
    const { lines, finished } = await runText(playbook, { inventory: fleet.inventory, plan });
    expect(lines).to.deep.equal(['lb1 cloud_present: failed']);
    expect(fleet.controller('lb1').objects('/api/cloud/')).to.deep.equal([changed]);
    expect(finished).to.deep.include({
      exitCode: 6,
      reason: 'the gate of batch 1 of 2 failed: no controller of it is left to check',
      unstarted: ['lb2'],
    });
  });

  it('finds what a controller includes in lockstep, whatever others include that take no part', async () => {
    const files = Object.fromEntries(
      ['lb1', 'lb2'].map((name) => [
        `${name}.yml`,
        `- { name: own, cloud_present: { name: x, mtu: 9000, properties: { "${name}": 1 } } }\n`,
      ]),
    );
    const tasks = [{ include_tasks: '{{ inventory_hostname }}.yml' }, { name: 'after', cloud_present: { name: 'y' } }];
    const playbook = JSON.stringify([{ hosts: 'lb1,lb2', strategy: 'linear', tasks }]);
    const { inventory } = fleet;
    const plan = await planned(playbook, inventory, [], files);
    const given = { inventory, plan, files, journal: new Recorder(), limit: new Set(['lb2']) };
    const { lines } = await runText(playbook, given);
    expect(lines).to.deep.equal(['lb2 include_tasks: ok', 'lb2 own: changed', 'lb2 after: changed']);
  });

  it('marks each controller as applied once, before the first write', async () => {
    const playbook = JSON.stringify([
      { hosts: 'lb1,lb2', tasks: [{ debug: {} }, { cloud_present: { name: 'a' } }, { cloud_present: { name: 'b' } }] },
      { hosts: 'lb2,lb1', tasks: [{ cloud_present: { name: 'a', properties: { note: 'later' } } }] },
    ]);
    const begun: string[] = [];
    const plan = await planned(playbook, fleet.inventory, begun);
    const options = { inventory: fleet.inventory, plan, journal: new Recorder(), forks: 1 };
    const { finished } = await runText(playbook, options);
    expect(finished.status).to.equal('ok');
    expect(begun).to.deep.equal(['lb1', 'lb2']);
  });
});

describe('an object that its controller does not show', () => {
  let fleet: Fleet;
  afterEach(() => fleet.dispose());

  const put = (hosts: string, port: number, delegate?: string): object => ({
    hosts,
    tasks: [{ system_config: { [`field_${port}`]: port }, ...(delegate !== undefined && { delegate_to: delegate }) }],
  });

  it('keeps the changes of tasks of other controllers', async () => {
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
    const options = { inventory: fleet.inventory };
    const { ran, moments } = await keptRun(playbook, options, fleet);
    expect(ran.finished.status).to.equal('ok');
    const all = { field_1: 1, field_2: 2, field_3: 3, field_4: 4, field_5: 5, field_6: 6 };
    const last = (): unknown => {
      const { body = '{}' } = fleet.controller('lb1').requests.findLast(({ method }) => method === 'PUT') ?? {};
      return JSON.parse(body);
    };
    expect(last()).to.deep.equal(all);
    const puts: number[] = [];
    for (const moment of moments.filter(({ entries }) => entries.at(-1)?.type === 'write-finished')) {
      fleet.controller('lb1').clearRequests();
      await goOn(playbook, moment, options, fleet);
      puts.push(fleet.controller('lb1').requests.filter(({ method }) => method === 'PUT').length);
      if (puts.at(-1) !== 0) expect(last()).to.deep.equal(all);
    }
    expect(puts).to.deep.equal([5, 4, 3, 2, 1, 0]);
  });
});
