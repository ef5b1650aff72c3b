import { expect } from 'chai';
import * as Type from 'typebox';
import type { Catalogue } from '../../../../src/module/catalogue.js';
import { defineAction } from '../../../../src/module/contract.js';
import { catalogue } from '../../../rig/loaded.js';
import { runText, type Ran } from '../../../rig/run_text.js';

const INVENTORY =
  'all: { hosts: { lb1: {worker_site: a}, lb2: {worker_site: a}, lb3: {worker_site: b}, lb4: {worker_site: b} } }';
const PLAYBOOK = '- { hosts: all, tasks: [{ name: say, debug: { msg: said } }] }';
const TIME = '2026-11-23T09:00:00.000Z';
const SOURCE = { file: 'site.yml', line: 1, column: 1 };
const STEP = { place: '1:9', module: 'debug', title: 'forged', end: 'completed', counted: { status: 'ok' } };

const event = (body: object) => ({ type: 'event', time: TIME, event: body });
const record = (body: object) => ({ type: 'record', record: body });
const task = { play: 'all', task: 'forged', module: 'debug', handler: false, status: 'ok', seconds: 0, source: SOURCE };
const intent = { type: 'write-intended', place: '1:9', play: 'all', task: 'forged', module: 'debug', source: SOURCE };

/** Extra messages of the worker of lb1, and the coordinator's objection to them. */
const FORGED: Readonly<Record<string, readonly [message: object, said: string]>> = {
  'the end of a task': [
    event({ type: 'task-finished', ...task, controller: 'lb4' }),
    'an event (task-finished) of lb4',
  ],
  'the end of a task of its site': [
    event({ type: 'task-finished', ...task, controller: 'lb2' }),
    'an event (task-finished) of lb2',
  ],
  'the end of the run': [
    event({ type: 'run-finished', status: 'ok', stats: {} }),
    'an event of the run (run-finished)',
  ],
  'a request': [event({ type: 'request-finished', controller: 'lb3' }), 'an event (request-finished) of lb3'],
  'a request without a controller': [event({ type: 'request-finished' }), 'an event (request-finished) of undefined'],
  'a warning': [event({ type: 'warning', message: 'forged', controller: 'lb3' }), 'an event (warning) of lb3'],
  'a count': [{ type: 'count', task: { controller: 'lb4', status: 'failed' } }, 'a result of lb4'],
  'a result': [
    { type: 'result', found: { controller: 'lb4', play: 'all', task: 'forged', values: {} } },
    'a result of lb4',
  ],
  'a step': [record({ type: 'step-settled', controller: 'lb4', ...STEP }), 'a finished step of lb4'],
  'variables for another': [
    record({
      ...{ type: 'step-settled', controller: 'lb1', ...STEP },
      left: { elsewhere: [{ owner: 'lb4', values: { controller_url: 'https://forged' }, facts: {} }] },
    }),
    'variables of lb4',
  ],
  'a variable for another': [{ type: 'give', to: 'lb4', kept: { values: {} } }, 'variables of lb4'],
  'the end of a write': [
    record({ type: 'write-finished', controller: 'lb1', write: 77, outcome: 'refused' }),
    "write 77, which is not one of this controller's",
  ],
  'an address': [record({ type: 'controller-reached', controller: 'lb3', url: 'https://forged' }), 'an address of lb3'],
  'the end of a batch': [
    record({ type: 'batch-ended', play: 0, batch: 1, how: 'play', underWay: [] }),
    'a record of the run (batch-ended)',
  ],
  'a write': [
    { type: 'call', id: 999, call: { type: 'intend', intent: { ...intent, controller: 'lb4', target: 'lb4' } } },
    'a write of lb4',
  ],
  'a new controller': [
    { type: 'call', id: 999, call: { type: 'change inventory', change: { effect: { name: 'lb4' } } } },
    'a new controller, without a task with add_host',
  ],
  'a question about writes': [
    { type: 'call', id: 999, call: { type: 'writes before', target: 'lb4' } },
    'a question about writes of lb4',
  ],
  'a question about the last write': [
    { type: 'call', id: 999, call: { type: 'last written', at: { target: 'lb4', path: '/api/systemconfiguration' } } },
    'a question about writes of lb4',
  ],
  'a write elsewhere': [
    { type: 'call', id: 999, call: { type: 'intend', intent: { ...intent, controller: 'lb1', target: 'lb4' } } },
    'a write of lb4',
  ],
};

/** @param message the first message of the worker of lb1 */
function runWith(message: object, playbook = PLAYBOOK): Promise<Ran> {
  let isSaid = false;
  const forge = (text: string, controller: string): string => {
    if (controller !== 'lb1' || isSaid) return text;
    isSaid = true;
    return JSON.stringify([message, ...(JSON.parse(text) as object[])]);
  };
  return runText(playbook, { inventory: INVENTORY, workers: 2, forge });
}

describe('a message of a compromised worker about other controllers', () => {
  for (const [title, [message, said]] of Object.entries(FORGED))
    it(`is refused: ${title}`, async () => {
      const { events, lines, finished } = await runWith(message);
      const reason = `it sent ${said}, but it runs only the tasks of lb1`;
      const warnings = events.flatMap((one) => (one.type === 'warning' ? [one.message] : []));
      expect(warnings).to.deep.equal([`worker worker 0 is refused: ${reason}`]);
      expect(lines.join('\n')).not.to.include('forged');
      expect(finished.stats['lb1']).to.include({ unreachable: 1, ok: 0 });
      for (const name of ['lb2', 'lb3', 'lb4']) expect(finished.stats[name]).to.include({ ok: 1, failed: 0 });
    });

  it('is accepted about connections to controllers of its site, and to delegates', async () => {
    const delegated = PLAYBOOK.replace('name: say', 'name: say, delegate_to: lb4');
    const any = PLAYBOOK.replace('name: say', 'name: say, delegate_to: "{{ groups.all | last }}"');
    const warning = (controller: string) => event({ type: 'warning', message: 'slow', controller });
    for (const [message, playbook] of [
      [warning('lb2'), PLAYBOOK],
      [warning('lb4'), delegated],
      [warning('lb3'), any],
    ] as const) {
      const { events, finished } = await runWith(message, playbook);
      expect(events.flatMap((one) => (one.type === 'warning' ? [one.message] : []))).to.deep.equal(['slow']);
      expect(finished.stats['lb1']).to.include({ ok: 1, unreachable: 0 });
    }
    const { finished } = await runWith(warning('lb3'), delegated);
    expect(finished.stats['lb1']).to.include({ unreachable: 1 });
  });

  it('is accepted about changes of the inventory by project modules', async () => {
    const effects = {
      enlist: { type: 'host', name: 'lb5', groups: ['new'], values: {} },
      sort: { type: 'group', name: 'sorted', parents: [] },
    } as const;
    const own = Object.entries(effects).map(([name, effect]) =>
      defineAction({
        ...{ name, summary: name, args: Type.Object({}), check: true, examples: [`- ${name}:`] },
        run: () => Promise.resolve({ status: 'ok', effect } as const),
      }),
    );
    const withOwn: Catalogue = {
      ...catalogue,
      names: [...catalogue.names, ...own.map(({ name }) => name)],
      load: (name) => Promise.resolve(own.find((module) => module.name === name) ?? catalogue.load(name)),
      isProjectModule: (name) => own.some((module) => module.name === name),
    };
    const playbook = `
- { hosts: lb1, tasks: [{ enlist: }, { sort: }] }
- { hosts: 'new:sorted', tasks: [{ debug: { msg: '{{ inventory_hostname }}' } }] }
`;
    const { said, lines } = await runText(playbook, { inventory: INVENTORY, workers: 2, catalogue: withOwn });
    expect(lines.slice(0, 2)).to.deep.equal(['lb1 enlist: changed', 'lb1 sort: changed']);
    expect(said.toSorted()).to.deep.equal(['lb1', 'lb5']);
  });
});
