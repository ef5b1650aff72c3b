import { expect } from 'chai';
import { Connections } from '../../../src/controller/connections.js';
import type { Connect } from '../../../src/engine/input/run_input.js';
import { goOn, keptRun, momentAfter, settledStep, type Moment } from '../../rig/cut_run.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { startFleet } from '../../rig/simulated.js';
import { DEAD_CONTROLLER } from '../../rig/waits.js';

const CREDENTIALS = 'controller_username: admin, controller_password: secret, controller_api_version: 22.1.3';

/** So many controllers that do not answer, but for some at which the task is skipped. */
function run(count: number, skipped: readonly string[] = [], options: TextOptions = {}): Promise<Ran> {
  const hosts = Array.from({ length: count }, (_, at) => `lb${at + 1}: `).join(', ');
  const inventory = `all: { vars: { ${DEAD_CONTROLLER}, controller_shared: true, ${CREDENTIALS} }, hosts: { ${hosts} } }\n`;
  const when = `inventory_hostname not in ${JSON.stringify(skipped)}`;
  const tasks = [{ api_request: { path: '/api/x' }, when }];
  return runText(JSON.stringify([{ hosts: 'all', name: 'P', tasks }]), { inventory, forks: 1, ...options });
}

const warnings = ({ events }: Ran): readonly string[] =>
  events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));

describe('a batch whose first controllers cannot be reached', () => {
  const text = (left: number): string =>
    `none of the first 10 controllers could be reached, ${left} still to try: is the network, VPN or proxy up? Ctrl-C stops the run; a shorter controller_timeout or controller_patience makes it give up sooner`;

  it('is told once, after ten of more', async () => {
    expect(warnings(await run(10))).to.deep.equal([]);
    expect(warnings(await run(11))).to.deep.equal([text(1)]);
    expect(warnings(await run(22))).to.deep.equal([text(12)]);
  });

  it('is not told if one of the first ten could be reached', async () => {
    for (const name of ['lb1', 'lb10']) expect(warnings(await run(22, [name])), name).to.deep.equal([]);
    expect(warnings(await run(12, ['lb11']))).to.deep.equal([text(2)]);
  });
});

describe('controllers that failed in an earlier play', () => {
  const FOUR = 'all: { hosts: { lb1: , lb2: , lb3: , lb4: } }';
  const after = (failing: readonly string[], play: string): string =>
    `- hosts: all\n  tasks: [{ fail: , when: 'inventory_hostname in ${JSON.stringify(failing)}' }]\n- hosts: all\n  name: P\n${play}`;
  const batchesOf = ({ events }: Ran): readonly (readonly [number, number, readonly string[]])[] =>
    events.flatMap((event) =>
      event.type === 'batch-started' && event.play === 'P' ? [[event.batch, event.batches, event.controllers]] : [],
    );

  it('count for the batches; a batch of only such controllers is left out, with its gate', async () => {
    const gated = '  serial: 50%\n  gate: { checks: [{ debug: }] }\n  tasks: [{ debug: }]\n';
    const ran = await runText(after(['lb1', 'lb2'], gated), { inventory: FOUR });
    expect(batchesOf(ran)).to.deep.equal([[2, 2, ['lb3', 'lb4']]]);
    const gates = ran.events.flatMap((event) => (event.type === 'gate-started' ? [event.controllers] : []));
    expect(gates).to.deep.equal([['lb3', 'lb4']]);
    const apart = await runText(after(['lb1', 'lb3'], '  serial: 2\n  tasks: [{ debug: }]\n'), { inventory: FOUR });
    expect(batchesOf(apart)).to.deep.equal([
      [1, 2, ['lb2']],
      [2, 2, ['lb4']],
    ]);
  });

  it('count among all for max_fail_percentage, but not as failed', async () => {
    const tasks = (failing: string): string =>
      `  strategy: linear\n  max_fail_percentage: 25\n  tasks: [{ fail: , when: 'inventory_hostname in ${failing}' }, { name: rest, debug: }]\n`;
    const ran = await runText(after(['lb1'], tasks('["lb2"]')), { inventory: FOUR });
    expect(ran.lines.filter((line) => line.includes('rest:'))).to.deep.equal(['lb3 rest: ok', 'lb4 rest: ok']);
    const ended = await runText(after(['lb1'], tasks('["lb2", "lb3"]')), { inventory: FOUR });
    expect(ended.finished.reason).to.equal('max_fail_percentage (25%) was exceeded when 2 of 4 controllers had failed');
  });

  it('count in a resume, too', async () => {
    const fails = `{ fail: , when: "inventory_hostname == 'lb2'" }`;
    const settings = '  serial: 3\n  strategy: linear\n  max_fail_percentage: 34\n';
    const playbook = after(['lb1'], `${settings}  tasks: [${fails}, { name: rest, debug: }]\n`);
    const run = await keptRun(playbook, { inventory: FOUR });
    const begun = momentAfter(run, (entry) => entry.type === 'batch-started' && entry.play === 'P');
    const { ran } = await goOn(playbook, begun, { inventory: FOUR });
    const rest = ({ lines }: Ran): readonly string[] => lines.filter((line) => line.includes('rest:'));
    expect(rest(ran)).to.deep.equal(rest(run.ran)).and.to.deep.equal(['lb3 rest: ok', 'lb4 rest: ok']);
  });

  it('do not keep the run going if all others of their batch fail', async () => {
    const tasks = `  serial: 3\n  tasks: [{ fail: , when: "inventory_hostname == 'lb2'" }, { api_request: { path: /api/x } }]\n`;
    const away = `all: { vars: { ${DEAD_CONTROLLER}, controller_shared: true, ${CREDENTIALS} }, hosts: { lb1: , lb2: , lb3: , lb4: } }`;
    const ran = await runText(after(['lb1'], tasks), { inventory: away });
    expect(batchesOf(ran)).to.deep.equal([[1, 2, ['lb2', 'lb3']]]);
    expect(ran.finished).to.deep.include({
      reason: 'all 2 controllers left in batch 1 of 2 failed or could not be reached',
      unstarted: [],
      cutOff: ['lb4'],
    });
  });

  it('do nothing in a play in which they are revived, nor does its gate check them', async () => {
    const gated = (last: string): string =>
      `  strategy: linear\n  serial: 2\n  gate: { checks: [{ debug: }] }\n  tasks: [{ debug: }, { meta: clear_host_errors }, ${last}]\n`;
    const ran = await runText(after(['lb1'], gated('{ debug: }')), { inventory: FOUR });
    const gates = ran.events.flatMap((event) => (event.type === 'gate-started' ? [event.controllers] : []));
    expect(gates).to.deep.equal([['lb2'], ['lb3', 'lb4']]);
    const lost = await runText(after(['lb1'], gated('{ fail: }')), { inventory: FOUR });
    expect(batchesOf(lost)).to.deep.equal([[1, 2, ['lb2']]]);
    expect(lost.finished.reason).to.equal('the only controller left in batch 1 of 2 failed');
  });

  it('keep their places in a resume', async () => {
    const playbook = after(['lb1'], '  serial: 2\n  order: shuffle\n  tasks: [{ name: one, debug: }]\n');
    const run = await keptRun(playbook, { inventory: FOUR });
    const [first, second] = batchesOf(run.ran);
    const begun = momentAfter(run, settledStep(first?.[2][0] ?? '', 'one'));
    expect(batchesOf((await goOn(playbook, begun, { inventory: FOUR })).ran)).to.deep.equal([first, second]);
    const ended = momentAfter(run, settledStep(second?.[2].at(-1) ?? '', 'one'));
    expect(batchesOf((await goOn(playbook, ended, { inventory: FOUR })).ran)).to.deep.equal([first, second]);
  });
});

describe('a controller that is new in a resume', () => {
  const inventoryOf = (...names: readonly string[]): string => `all: { hosts: { ${names.join(': , ')}: } }`;
  const playbook = `
- hosts: all
  tasks: [{ name: break, fail: , when: "inventory_hostname == 'lb2' and fails" }]
- hosts: all
  serial: 2
  tasks:
    - { name: one, debug: }
    - { meta: end_batch, when: inventory_hostname == 'lb1' }
    - { name: two, debug: }
`;

  for (const fails of [false, true])
    it(`moves no other to another batch, nor past what had ended its own${fails ? ', even if it fails before' : ''}`, async () => {
      const extraVars = { fails };
      const first = await keptRun(playbook, { inventory: inventoryOf('lb1', 'lb3', 'lb4'), extraVars });
      const cut = momentAfter(first, settledStep('lb4', 'one'));
      const inventory = inventoryOf('lb1', 'lb2', 'lb3', 'lb4');
      const second = await goOn(playbook, cut, { inventory, extraVars });
      const begun = fails ? [] : ['lb2 one: ok', 'lb2 two: ok'];
      const tasksOf = ({ lines }: Ran): readonly string[] =>
        lines.filter((line) => /(one|two): /.test(line)).toSorted();
      expect(tasksOf(second.ran)).to.deep.equal([...begun, 'lb4 two: ok']);
      const again = await goOn(playbook, momentAfter(second, settledStep('lb4', 'two')), { inventory, extraVars });
      expect(tasksOf(again.ran)).to.deep.equal(begun);
    });
});

describe('the batches of a resume', () => {
  const inventoryOf = (names: string): string => `all: { hosts: { ${names.split('').join(': , ')}: } }`;
  const playbook = (prepare: string, settings: string): string => `
- hosts: all
  tasks: [{ name: prepare, ${prepare} }]
- hosts: all
  ${settings}
  tasks:
    - { name: one, debug: }
    - { meta: end_batch, when: inventory_hostname == 'c' }
    - { name: two, debug: }
`;
  const PASSES = 'debug: ';
  const FAILS = `fail: , when: inventory_hostname == 'b'`;
  const tasksOf = ({ lines }: Ran): string =>
    lines
      .flatMap((line) => /^(.) (one|two): ok/.exec(line)?.slice(1).join(' ') ?? [])
      .toSorted()
      .join(', ');

  const table: readonly [string, { prepare?: string; settings?: string; now?: string; names?: string }, string][] = [
    ['a failed task was mended', { prepare: FAILS }, 'b one, b two, e two'],
    // What ended the batch of d does not concern it.
    ['one of a batch that had ended was mended', { prepare: FAILS.replace('b', 'd') }, 'd one, d two, e two'],
    ['a controller is gone', { names: 'acde' }, 'e two'],
    [
      'of larger shares',
      { settings: 'serial: 40%', names: 'abcdefgh' },
      'e two, f one, f two, g one, g two, h one, h two',
    ],
    ['serial was changed', { now: 'serial: 1' }, 'e two'],
    ['serial was removed', { now: 'gather_facts: false' }, 'e two'],
    ['order was changed', { now: 'serial: 2\n  order: reverse_sorted' }, 'e two'],
  ];
  for (const [title, { prepare = PASSES, settings = 'serial: 2', now = settings, names = 'abcde' }, expected] of table)
    it(`keep their controllers: ${title}`, async () => {
      const run = await keptRun(playbook(prepare, settings), { inventory: inventoryOf('abcde') });
      const cut = momentAfter(run, settledStep('e', 'one'));
      const resumed = await goOn(playbook(PASSES, now), cut, { inventory: inventoryOf(names) });
      expect(tasksOf(resumed.ran)).to.equal(expected);
    });

  it('keep their order if they had not started, even if it was shuffled', async () => {
    const shuffled = playbook(FAILS, 'serial: [1, 2]\n  order: shuffle');
    const inventory = inventoryOf('abcdefghijklmnop');
    const batchesOf = ({ events }: Ran): readonly (readonly string[])[] =>
      events.flatMap((event) => (event.type === 'batch-started' ? [event.controllers] : []));
    const run = await keptRun(shuffled, { inventory });
    const cut = momentAfter(run, (entry) => entry.type === 'batch-started' && entry.batches > 1);
    expect(batchesOf((await goOn(shuffled, cut, { inventory })).ran).slice(1)).to.deep.equal(
      batchesOf(run.ran).slice(1),
    );
  });

  it('get no others after they had ended', async () => {
    const kept = await keptRun(playbook(PASSES, 'serial: 2'), { inventory: inventoryOf('abc') });
    const cut = momentAfter(kept, ({ type }) => type === 'batch-ended');
    const inventory = inventoryOf('abcd');
    const second = await goOn(playbook(PASSES, 'serial: 2'), cut, { inventory });
    expect(tasksOf(second.ran)).to.equal('d one, d two');
    // Also in a later resume, which has started the batch again.
    const again = momentAfter(second, (entry) => entry.type === 'batch-started' && entry.batch === 2);
    expect(tasksOf((await goOn(playbook(PASSES, 'serial: 2'), again, { inventory })).ran)).to.equal('d one, d two');
  });

  it('have each controller once, also if a former version had cut them anew', async () => {
    const inventory = inventoryOf('abcde');
    const simple = (serial: number): string => `- { hosts: all, serial: ${serial}, tasks: [{ name: one, debug: }] }`;
    const cutAt = async (serial: number, before?: Moment): Promise<Moment> => {
      const run = await keptRun(simple(serial), { inventory }, undefined, before);
      return momentAfter(run, (entry) => entry.type === 'batch-started' && entry.controllers.includes('e'));
    };
    const first = await cutAt(2);
    const entries = first.entries.filter(({ type }) => type !== 'batch-started');
    const second = await cutAt(1, { ...first, entries });
    const moment = { ...second, entries: [...first.entries, ...second.entries.slice(entries.length)] };
    expect(tasksOf((await goOn(simple(1), moment, { inventory })).ran)).to.equal('e one');
  });

  it('keep what their gates had passed, unless a controller is back', async () => {
    const gated = 'serial: 2\n  gate: { checks: [{ debug: }] }';
    const run = await keptRun(playbook(FAILS, gated), { inventory: inventoryOf('abcde') });
    const cut = momentAfter(run, settledStep('e', 'one'));
    const { ran } = await goOn(playbook(PASSES, gated), cut, { inventory: inventoryOf('abcde') });
    const gates = ran.events.flatMap((event) => (event.type === 'gate-started' ? [event.controllers.join('')] : []));
    expect(gates).to.deep.equal(['ab', 'e']);
  });
});

describe('the end of a batch', () => {
  it('has those that failed, that did not start, and that were cut off, each by its name', async () => {
    const stop = new AbortController();
    const playbook = `
- hosts: all
  name: P
  serial: 4
  strategy: host_pinned
  tasks:
    - { fail: { msg: x }, when: inventory_hostname == 'lb1' }
    - { name: wait, pause: { seconds: 60 }, when: inventory_hostname == 'lb2' }
    - { debug: { msg: end } }
`;
    const { events } = await runText(playbook, {
      inventory: 'all: { hosts: { lb1: , lb2: , lb3: , lb4: , lb5: } }',
      forks: 1,
      drain: stop.signal,
      watch: (event) => {
        if (event.type === 'task-started' && event.task === 'wait' && event.controller === 'lb2') stop.abort();
      },
    });
    const without = (type: string): readonly unknown[] =>
      events.flatMap((event) => {
        if (event.type !== type) return [];
        const { time: _, run: __, ...rest } = event;
        return [rest];
      });
    expect(without('batch-started')).to.deep.equal([
      { type: 'batch-started', play: 'P', batch: 1, batches: 2, controllers: ['lb1', 'lb2', 'lb3', 'lb4'] },
    ]);
    expect(without('controller-finished')).to.deep.equal([
      { type: 'controller-finished', play: 'P', controller: 'lb1' },
      { type: 'controller-finished', play: 'P', controller: 'lb2', cutOff: true },
    ]);
    expect(without('batch-finished')).to.deep.equal([
      {
        type: 'batch-finished',
        play: 'P',
        batch: 1,
        failed: ['lb1'],
        unstarted: ['lb3', 'lb4'],
        cutOff: ['lb2'],
      },
    ]);
  });
});

describe('the sessions of a play', () => {
  it('are closed as soon as no later play needs their controllers', async () => {
    const fleet = await startFleet({ controllers: 2 });
    const connections = new Connections({ abort: new AbortController().signal });
    const log: string[] = [];
    const connect: Connect = (settings) => {
      const session = connections.open(settings);
      const closeSession = session.close.bind(session);
      const close = (): Promise<void> => {
        log.push(`close ${settings.controller}`);
        return closeSession();
      };
      return Object.assign(session, { close });
    };
    try {
      const { lines } = await runText(
        '- { name: One, hosts: all, tasks: [ping: ] }\n- { name: Two, hosts: lb2, tasks: [ping: ] }\n',
        {
          inventory: fleet.inventory,
          connect,
          watch: (event) => {
            if (event.type === 'play-finished') log.push(`end of ${event.play}`);
          },
        },
      );
      expect(lines.toSorted()).to.deep.equal(['lb1 ping: ok', 'lb2 ping: ok', 'lb2 ping: ok']);
      expect(log).to.deep.equal(['close lb1', 'end of One', 'close lb2', 'end of Two']);
    } finally {
      await connections.close();
      await fleet.dispose();
    }
  });
});

describe('the end of a batch in which nothing was wrong', () => {
  it('has no controller that failed, did not start or was cut off', async () => {
    const { events } = await runText('- { hosts: all, name: P, tasks: [{ debug: }] }\n');
    const [end] = events.filter(({ type }) => type === 'batch-finished');
    expect(end).to.deep.include({ type: 'batch-finished', play: 'P', batch: 1, failed: [] });
    expect(end).to.not.have.any.keys('unstarted', 'cutOff');
  });
});

describe('the routes of a play', () => {
  const routesOf = async (hosts: string, options: TextOptions = {}): Promise<unknown> => {
    const settingSources = { routes: new Map([['site', ['http://bastion.example.com:3128']]]) };
    const playbook = '- { hosts: all, vars: { mine: site }, tasks: [] }\n';
    const { events } = await runText(playbook, {
      inventory: `all: { hosts: { ${hosts} } }\n`,
      settingSources,
      ...options,
    });
    return events.flatMap((event) => (event.type === 'play-started' ? [event.routes] : []));
  };

  it('are named with the places of their controllers, if there are any', async () => {
    const proxy = 'controller_proxy: "http://proxy.example.com:3128"';
    const hosts = `lb1: { ${proxy} }, lb2: , lb3: { controller_route: "{{ mine }}" }, lb4: { ${proxy} }, lb5: { controller_route: none }`;
    expect(await routesOf(hosts)).to.deep.equal([{ 'proxy.example.com:3128': [0, 3], site: [2] }]);
    expect(await routesOf('lb1: , lb2: { controller_timeout: 5 }')).to.deep.equal([undefined]);
    expect(await routesOf('lb1: , lb2: ', { extraVars: { controller_route: 'site' } })).to.deep.equal([
      { site: [0, 1] },
    ]);
  });
});
