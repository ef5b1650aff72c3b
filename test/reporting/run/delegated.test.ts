import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import { ResultGroups } from '../../../src/reporting/run/result_groups.js';
import { EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

const UPDATED = { kind: 'update', object: 'cloud "edge"', before: { mtu: 1500 }, after: { mtu: 9000 } } as const;
const make = new EventMaker();
/** lb2 and lb3 write on lb1, where the object is, and on themselves; then lb9, on which lb2 writes, is down. */
const EVENTS: readonly Event[] = [
  make.runStarted(),
  make.playStarted(['lb2', 'lb3']),
  make.batchStarted(['lb2', 'lb3']),
  ...['lb2', 'lb3'].flatMap((name) => [
    make.taskFinished(name, 'changed', { change: UPDATED, delegatedTo: 'lb1' }),
    make.taskFinished(name, 'changed', { change: { ...UPDATED, object: 'cloud "own"' }, task: 'Own' }),
  ]),
  make.taskFinished('lb2', 'unreachable', {
    task: 'Register',
    message: 'no answer',
    delegatedTo: 'lb9',
    unconfirmed: true,
    change: UPDATED,
  }),
  make.controllerFinished('lb2'),
  make.controllerFinished('lb3'),
  make.batchFinished(),
  make.playFinished(),
  make.runFinished({ status: 'failed', exitCode: 2 }),
];

/** What each sink says, and what it must say about the delegates. */
async function told(kind: string): Promise<string> {
  if (kind === 'lines' || kind === 'grouped') return (await reported(EVENTS, { output: kind })).stdout;
  if (kind === 'github') return (await reported(EVENTS, { github: { workspace: '/nowhere' } })).stdout;
  const { make: open } = await loadReport(kind === 'junit' ? 'junit' : 'markdown');
  const report = open({ secrets: new Secrets(), cwd: '/nowhere', commandFor: (way) => `evenkeel ${way} ID` });
  return EVENTS.flatMap((event) => [...report.take(event)]).join('');
}

describe('a delegated task', () => {
  for (const [kind, ...texts] of [
    [
      'lines',
      'lb3 → lb1  Create the cloud',
      '= controller: lb2, delegated to lb9\n',
      '= written before: cloud "edge" on lb1, cloud "own"\n',
    ],
    [
      'grouped',
      '2× Create the cloud: updated cloud "edge": mtu (lb2 → lb1, lb3 → lb1)',
      '2× Own: updated cloud "own": mtu (lb2, lb3)',
    ],
    ['github', '::no answer (lb2, delegated to lb9)'],
    ['markdown', 'mtu (2 controllers: lb2 → lb1, lb3 → lb1)', '- controller: lb2, delegated to lb9\n'],
    ['junit', 'delegated to: lb9</error>'],
  ] as const)
    it(`is shown with its delegate, where the object is: ${kind}`, async () => {
      const shown = await told(kind);
      for (const text of texts) expect(shown).to.include(text);
    });

  it('that was cut off leaves its write on the delegate', async () => {
    const cut = { change: UPDATED, delegatedTo: 'lb9', unconfirmed: true } as const;
    const { stdout } = await reported([
      make.playStarted(['lb2']),
      make.taskFinished('lb2', 'interrupted', cut),
      make.runFinished({ status: 'interrupted', exitCode: 130 }),
    ]);
    expect(stdout).to.include('sent, but not confirmed: cloud "edge" on lb9\n');
  });

  it('leaves the write of each item that failed, on its delegate', async () => {
    const cut = (item: string, delegatedTo: string) =>
      ({ item, delegatedTo, change: { ...UPDATED, object: `cloud "${item}"` }, unconfirmed: true }) as const;
    const { stdout } = await reported([
      make.playStarted(['lb2']),
      make.taskFinished('lb2', 'failed', { ...cut('a', 'lb8'), message: 'no answer' }),
      make.taskFinished('lb2', 'failed', { ...cut('b', 'lb9'), message: 'no answer' }),
      make.taskFinished('lb2', 'failed', { message: '2 of 2 items failed' }),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    ]);
    expect(stdout)
      .to.include('= controller: lb2, delegated to lb8, lb9\n')
      .and.to.include('= sent, but not confirmed: cloud "a"; cloud "b"\n');
  });

  it('is in the diff of a fleet on its delegate', () => {
    const results = new ResultGroups({ full: true });
    for (const event of EVENTS) results.handle(event);
    const [first] = results.tasks;
    expect(first?.changes.map(({ controllers }) => controllers)).to.deep.equal([['lb2 → lb1', 'lb3 → lb1']]);
  });
});
