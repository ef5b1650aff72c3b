import { expect } from 'chai';
import type { Decided, PlannedStep } from '../../src/core/model/run/plan.js';
import type { Change } from '../../src/core/model/run/result.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import type { OpenPlan } from '../../src/launch/planned/open_plan.js';
import { isEmptyPlan, planJson, planText } from '../../src/plan/text.js';

const source = { file: 'site.yml', line: 4, column: 7 };
const update = (object: string, before: object, after: object): Decided =>
  ({
    type: 'resource',
    change: { kind: 'update', object, before: { ...before }, after: { ...after } },
    args: {},
  }) as unknown as Decided;
const NOTHING = { type: 'resource', change: { kind: 'none' }, args: {} } as unknown as Decided;

const step = (title: string, decided: Decided, more: Partial<PlannedStep> = {}): PlannedStep => ({
  place: '0:1',
  written: 'w',
  title,
  play: 'Roll out',
  module: 'cloud_present',
  source,
  decided,
  ...more,
});

interface Given {
  readonly invocation?: Partial<OpenPlan['invocation']>;
  readonly unplanned?: Readonly<Record<string, string>>;
}

/** A plan with these steps by controller. */
function plan(
  steps: Readonly<Record<string, readonly PlannedStep[]>>,
  { invocation = {}, unplanned = {} }: Given = {},
): OpenPlan {
  const file = {
    header: { id: 'P1', created: '2026-11-28T00:00:00Z', version: '9.9.9' },
    summary: { controllers: Object.keys(steps), unplanned },
    plannedSteps: (controller: string) => steps[controller] ?? [],
  };
  const inputs = { playbooks: ['a.yml', 'b.yml'], written: {} };
  return { file, inputs, invocation, stateDirectory: '/s' } as unknown as OpenPlan;
}

const secrets = new Secrets();
secrets.add('hunter22');
const text = (...given: Parameters<typeof plan>): readonly string[] => planText(plan(...given), secrets, false);
const json = (...given: Parameters<typeof plan>): unknown =>
  JSON.parse([...planJson(plan(...given), secrets)].join(''));

const HEAD = 'plan P1 of a.yml b.yml, made 2026-11-28T00:00:00Z by evenkeel 9.9.9';

describe('a plan', () => {
  it('is empty if no step is left to carry out', () => {
    const skipped: Decided = { type: 'skipped', condition: 'false' };
    const idle = step('Idle', NOTHING);
    for (const [decided, isEmpty] of [
      [NOTHING, true],
      [skipped, true],
      [{ type: 'in place' }, false],
      [update('cloud "a"', { mtu: 1 }, { mtu: 2 }), false],
    ] as const)
      expect(isEmptyPlan(plan({ lb1: [idle], lb2: [idle, step('Last', decided)] }))).to.equal(isEmpty);
    expect(isEmptyPlan(plan({ lb1: [step('Wait', { type: 'in place', writes: false })] }))).to.equal(true);
    expect(isEmptyPlan(plan({}))).to.equal(true);
  });
});

describe('the text of a plan', () => {
  it('says of what it is, for whom, and whether it is simulated', () => {
    expect(text({})).to.deep.equal([HEAD, 'nothing would change on 0 controllers']);
    expect(
      text({ lb1: [step('T', NOTHING)] }, { invocation: { env: 'prod', shard: '1/3', simulate: true } }),
    ).to.deep.equal([
      'plan P1 of a.yml b.yml for prod, shard 1/3, made 2026-11-28T00:00:00Z by evenkeel 9.9.9, simulated',
      'nothing would change on 1 controller',
    ]);
  });

  it('has equal changes of several controllers once, and counts them', () => {
    const change = update('cloud "a"', { mtu: 1 }, { mtu: 2 });
    const found = text({
      lb1: [step('Cloud', change), step('Same', NOTHING)],
      lb2: [step('Cloud', change), step('Other', update('cloud "b"', { mtu: 1 }, { mtu: 3 }))],
      lb3: [step('Cloud', NOTHING)],
    });
    expect(found.slice(0, 2)).to.deep.equal([HEAD, '3 changes on 2 of 3 controllers']);
    expect(found.join('\n')).to.match(/Cloud[^]*cloud "a" on 2 controllers: lb1, lb2[^]*Other[^]*cloud "b" on lb2/);
    expect(found.filter((line) => line.includes('cloud "a"'))).to.have.length(1);
  });

  it('hides what no_log hides and secrets, and names what cannot be planned, and who is not in it', () => {
    const change = update('cloud "a"', { key: 'hunter22' }, { key: 'x' });
    const open: Decided = { type: 'in place' };
    const more = { module: 'api_request' };
    const found = text(
      {
        lb1: [step('Masked hunter22', change, { masked: true }), step('Call hunter22', open, more)],
        lb2: [step('Masked hunter22', change, { masked: true, delegatedTo: 'lb9' }), step('Call hunter22', open, more)],
        lb3: [step('Skipped', { type: 'skipped', condition: 'x' }), step('Open', open, more)],
      },
      { unplanned: { lb7: 'unreachable', lb8: 'failed' } },
    );
    expect(found).to.deep.equal([
      HEAD,
      '2 changes on 2 of 3 controllers; what would change on 1 more is known when the plan is applied',
      'not in the plan: lb7 (unreachable), lb8 (failed)',
      'masked by no_log: Masked ********, on lb1, lb2 → lb9',
      'cannot be planned, runs in its place: Call ******** (api_request), on lb1, lb2',
      'cannot be planned, runs in its place: Open (api_request), on lb3',
    ]);
  });

  it('names a controller once, however many items or tasks of that name are planned there', () => {
    const masked = step('Masked', update('cloud "a"', { mtu: 1 }, { mtu: 2 }), { masked: true });
    const open = step('Call', { type: 'in place' }, { module: 'api_request' });
    expect(text({ lb1: [masked, masked, open, open], lb2: [masked, open] }).slice(2)).to.deep.equal([
      'masked by no_log: Masked, on lb1, lb2',
      'cannot be planned, runs in its place: Call (api_request), on lb1, lb2',
    ]);
  });

  it('names ten controllers, and counts the others', () => {
    const names = Array.from({ length: 11 }, (_, at) => `c${at}`);
    const open = step('Call', { type: 'in place' }, { module: 'api_request' });
    const found = text(Object.fromEntries(names.map((name) => [name, [open]])), {
      unplanned: Object.fromEntries(names.map((name) => [name, 'x'])),
    });
    expect(found[1]).to.equal('what would change on 11 of 11 controllers is known when the plan is applied');
    expect(found[2]).to.match(/^not in the plan: (?:c\d+ \(x\), ){9}c\d+ \(x\) and 1 more$/);
    expect(found[3]).to.match(/on (?:c\d+, ){9}c\d+ and 1 more$/);
  });
});

describe('a plan for programs', () => {
  it('has its facts, and the steps of each controller', () => {
    const change = update('cloud "a"', { key: 'hunter22', mtu: 1 }, { key: 'x', mtu: 2 });
    const found = json(
      {
        lb1: [
          step('One hunter22', change, { item: 2, delegatedTo: 'lb9', when: ['a', 'hunter22'], changedWhen: [true] }),
          step('Two', { type: 'skipped', condition: 'x == "hunter22"' }),
        ],
        lb2: [step('Three', { type: 'in place' }), step('Four', change, { masked: true }), step('Five', NOTHING)],
        lb3: [],
      },
      { invocation: { shard: '1/2' }, unplanned: { lb7: 'unreachable' } },
    );
    const about = { play: 'Roll out', module: 'cloud_present', source };
    expect(found).to.deep.equal({
      schemaVersion: 1,
      id: 'P1',
      created: '2026-11-28T00:00:00Z',
      version: '9.9.9',
      playbooks: ['a.yml', 'b.yml'],
      environment: null,
      shard: '1/2',
      simulated: false,
      unplanned: { lb7: 'unreachable' },
      controllers: {
        lb1: [
          {
            ...about,
            task: 'One ********',
            item: 2,
            target: 'lb9',
            when: ['a', '********'],
            changedWhen: [true],
            planned: 'update',
            change: {
              kind: 'update',
              object: 'cloud "a"',
              before: { key: '********', mtu: 1 },
              after: { key: '‹secret changed›', mtu: 2 },
            } satisfies Change,
          },
          { ...about, task: 'Two', planned: 'skip', because: 'x == "********"' },
        ],
        lb2: [
          { ...about, task: 'Three', planned: 'in place' },
          { ...about, task: 'Four', planned: 'update', hidden: true },
          { ...about, task: 'Five', planned: 'none', change: { kind: 'none' } },
        ],
        lb3: [],
      },
    });
    expect(json({}, { invocation: { env: 'prod', simulate: true } }))
      .to.include({ environment: 'prod', simulated: true })
      .and.not.have.property('shard');
  });
});
