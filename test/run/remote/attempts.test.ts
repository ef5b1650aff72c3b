import { expect } from 'chai';
import { createHash } from 'node:crypto';
import type { PlanGuide, PlanMaker, PlannedStep } from '../../../src/model/run/plan.js';
import type { Value } from '../../../src/model/values/value.js';
import { goOn, keptRun, momentAfter, settledStep } from '../../rig/cut_run.js';
import { atEachLoss, FOUR } from '../../rig/dispatch_scenarios.js';
import { catalogue } from '../../rig/loaded.js';
import { madePlaybook } from '../../rig/loopback.js';
import { Recorder } from '../../rig/recorder.js';
import { runText } from '../../rig/run_text.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

describe('another attempt at a walk', () => {
  const playbook = `
- hosts: all
  tasks:
    - { name: include, include_tasks: "{{ file | default('a') }}.yml" }
    - { name: other, set_fact: { file: b } }
    - { name: loop, include_tasks: "{{ item }}.yml", loop: "{{ files | default(['a']) }}" }
    - { name: others, set_fact: { files: [b] } }
    - { name: end, debug: { msg: end } }
`;
  const files = { 'a.yml': '- { name: in a, debug: { msg: a } }', 'b.yml': '- { name: in b, debug: { msg: b } }' };

  it("starts with the controller's state from before the walk", async () => {
    await atEachLoss(async (loseAfter, onText) => {
      const { said } = await runText(playbook, { files, workers: 2, loseAfter, onText, journal: new Recorder() });
      expect(said, `lost after ${loseAfter} texts`).to.not.include('b');
    });
  });

  it('starts with that state in a resume, too', async () => {
    const run = await keptRun(playbook, { files, workers: 2 });
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'others')), { files, workers: 2 });
    expect(ran.said).to.deep.equal(['end']);
  });
});

describe('a resume over plays through workers', () => {
  const playbook = `
- hosts: all
  tasks:
    - { name: one, set_fact: { x: 1 } }
    - { name: two, set_fact: { x: 2 } }
    - { name: gave, set_fact: { y: 1 }, delegate_to: lb4, delegate_facts: true, when: inventory_hostname == 'lb1' }
    - { name: three, set_fact: { y: 2 }, delegate_to: lb4, delegate_facts: true, when: inventory_hostname == 'lb1' }
- hosts: all
  tasks: [{ name: show, debug: { msg: '{{ x }} {{ y | default(0) }}' } }]
`;
  for (const cut of ['one', 'two', 'gave'])
    it(`keeps newer values than those of the interrupted run, cut off after ${cut}`, async () => {
      const options = { inventory: FOUR, workers: 2 };
      const run = await keptRun(playbook, options);
      const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', cut)), options);
      expect(ran.said.toSorted()).to.deep.equal(['2 0', '2 0', '2 0', '2 2']);
    });
});

describe('the rollback of a batch', () => {
  it('runs completely on a worker that has not started the play, with --start-at-task', async () => {
    const text = '- { name: Put the batch back, hosts: lb1, tasks: [{ name: Undo, debug: }] }';
    const playbook = `
- hosts: all
  serial: 1
  gate: { on_fail: rollback, checks: [{ name: Portal answers, fail: }] }
  tasks: [{ name: before, debug: }, { name: here, debug: }]
`;
    const { lines } = await runText(playbook, {
      ...{ workers: 3, rotate: true, startAtTask: 'here', inventory: 'all: { hosts: { lb1: , lb2: } }' },
      planRollback: async ({ controllers }) => ({
        ...{ playbook: await madePlaybook(text), controllers, catalogue, final: [] },
        made: { partOf: () => ({ text }) },
      }),
    });
    expect(lines.at(-1)).to.equal('lb1 Undo: ok');
  });
});

describe('a plan that is applied', () => {
  let fleet: Fleet;
  before(async () => {
    fleet = await startFleet({ controllers: 1 });
  });
  after(() => fleet.dispose());

  const digest = (value: Value): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
  const playbook = `
- hosts: all
  tasks:
    - { name: first, debug: { msg: hi } }
    - { name: write, cloud_present: { name: a, mtu: 1400 } }
    - { name: again, cloud_present: { name: b, mtu: 1400 } }
- hosts: all
  tasks: [{ name: larger, cloud_present: { name: a, properties: { note: later } } }]
`;

  it('is marked as applied before the first write, whichever worker is lost', async () => {
    const { inventory } = fleet;
    const steps: PlannedStep[] = [];
    const nothing = (): void => undefined;
    const maker: PlanMaker = {
      ...{ type: 'make', digest, included: nothing, keepPositions: nothing },
      keep: (_, step) => steps.push(step),
    };
    await runText(playbook, { inventory, check: true, plan: maker, journal: new Recorder() });
    await atEachLoss(async (loseAfter, onText) => {
      fleet.controller('lb1').setObjects('/api/cloud/', []);
      const begun = new Set<string>();
      const guide: PlanGuide = {
        ...{ type: 'follow', digest, stepsOf: () => steps },
        find: (_, place, matches) => steps.find((step) => step.place === place && matches(step)),
        begin: (controller) => {
          begun.add(controller);
          return undefined;
        },
      };
      const options = { workers: 2, rotate: true, loseAfter, onText };
      const { finished } = await runText(playbook, { inventory, plan: guide, journal: new Recorder(), ...options });
      expect(finished.status, `lost after ${loseAfter} texts`).to.equal('ok');
      expect([...begun]).to.deep.equal(['lb1']);
    });
  });
});
