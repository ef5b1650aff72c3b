import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { asItWas, goOn, keptRun, momentAfter, settledStep, type KeptRun } from '../rig/cut_run.js';
import type { Entry } from '../rig/recorder.js';
import { runText, type TextOptions } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

/** A play over one controller, of tasks that are written in one line each. */
function site(...tasks: readonly string[]): string {
  return ['- hosts: all', '  tasks:', ...tasks.map((task) => `    - ${task}`), ''].join('\n');
}

const say = (name: string): string => `debug: { msg: ${name} }`;
const settledAt = (place: string, item?: number) => (entry: Entry) =>
  entry.type === 'step-settled' && entry.place === place && entry.item === item;

/** The output of a resume with the playbook as it is then. */
async function said(before: string, isThere: (entry: Entry) => boolean, after: string): Promise<readonly string[]> {
  const run = await keptRun(before);
  return (await goOn(after, momentAfter(run, isThere))).ran.said;
}

describe('a resumed run whose playbook has changed', () => {
  it('runs tasks that were inserted at the front, and no task twice', async () => {
    const before = site(say('a'), say('b'), say('c'));
    const after = site(say('n'), say('a'), say('b'), say('c'));
    expect(await said(before, settledAt('0:1'), after)).to.deep.equal(['n', 'b', 'c']);
    expect(await said(before, settledAt('0:3'), after)).to.deep.equal(['n']);
  });

  it('runs changed and moved tasks, and does not run removed ones', async () => {
    const before = site(say('a'), say('b'), say('c'));
    const after = site(say('c'), say('B'), say('d'));
    expect(await said(before, settledAt('0:2'), after)).to.deep.equal(['c', 'B', 'd']);
    expect(await said(before, settledAt('0:3'), after)).to.deep.equal(['B', 'd']);
  });

  it('finds steps that were moved into a block, a loop or an include', async () => {
    const block = (...tasks: readonly string[]): string =>
      `{ block: [${tasks.map((one) => `{ ${one} }`).join(', ')}] }`;
    const before = site(say('a'), block(say('b'), say('c')), say('d'));
    const after = site(block(say('n')), block(say('a'), say('m'), say('b'), say('c')), say('d'));
    expect(await said(before, settledAt('0:2.0.0'), after)).to.deep.equal(['n', 'm', 'c', 'd']);
    const over = (items: string): string => site(`{ block: [{ ${say("'{{item}}'")} }], loop: [${items}] }`);
    expect(await said(over('a, b, c'), settledAt('0:1.1.0.0'), over('n, a, b, c'))).to.deep.equal(['n', 'c']);
    const files = { 'one.yml': `- ${say("'{{item}}'")}\n` };
    const each = (items: string): string =>
      site(`{ include_tasks: one.yml, loop: [${items}], loop_control: { index_var: at } }`);
    const run = await keptRun(each('a, b, c'), { files });
    const { ran } = await goOn(each('n, a, b, c'), momentAfter(run, settledAt('0:1.2.0')), { files });
    expect(ran.said).to.deep.equal(['n', 'c']);
  });

  it('runs the new items of a loop, and each of several equal ones', async () => {
    const over = (items: string): string => site(`{ ${say("'{{item}}'")}, loop: [${items}] }`);
    expect(await said(over('a, b, c'), settledAt('0:1', 1), over('n, a, b, c'))).to.deep.equal(['n', 'c']);
    expect(await said(over('a, b, c'), settledAt('0:1'), over('n, a, b, c'))).to.deep.equal(['n']);
    expect(await said(over('a, a'), settledAt('0:1', 0), over('b, a, a'))).to.deep.equal(['b', 'a']);
  });

  it('distinguishes items without a change in the written objects', async () => {
    const playbook = site(`{ ${say("'{{item}}'")}, loop: '{{list}}' }`);
    const run = await keptRun(playbook, { extraVars: { list: ['a', 'b'] } });
    const options: TextOptions = { extraVars: { list: ['n', 'a', 'b'] } };
    const { ran } = await goOn(playbook, momentAfter(run, settledAt('0:1', 0)), options);
    expect(ran.said).to.deep.equal(['n', 'b']);
  });

  it('runs a task in the place of a block that could not be looped over', async () => {
    const block = `{ block: [{ ${say('x')} }], loop: '{{ wrong }}', ignore_errors: true }`;
    const before = site(say('a'), block, say('b'));
    const run = await keptRun(before);
    expect(run.ran.said).to.deep.equal(['a', 'b']);
    const moment = momentAfter(run, settledAt('0:3'));
    expect((await goOn(site(say('a'), say('new'), say('b')), moment)).ran.said).to.deep.equal(['new']);
    expect((await goOn(before, moment)).ran.said).to.deep.equal([]);
  });

  it('resumes any number of times, wherever steps were moved', async () => {
    const first = await keptRun(site(say('a'), say('b'), say('c')));
    const middle = site(say('n'), say('a'), say('b'), say('c'));
    const second = await goOn(middle, momentAfter(first, settledAt('0:1')));
    const { ran } = await goOn(
      site(say('m'), say('n'), say('a'), say('b'), say('c')),
      momentAfter(second, settledAt('0:3')),
    );
    expect(second.ran.said).to.deep.equal(['n', 'b', 'c']);
    expect(ran.said).to.deep.equal(['m', 'c']);
  });

  it('fails if it cannot know which of several tasks finished', async () => {
    const fact = (value: string): string => `set_fact: { x: ${value} }`;
    const show = say("'{{x}}'");
    const before = site(fact('a'), show);
    const run = await keptRun(before);
    const { ran } = await goOn(site(fact('n'), show, fact('a'), show), momentAfter(run, settledAt('0:2')));
    expect(ran.said).to.deep.equal([]);
    expect(failure(ran)).to.deep.equal({
      message:
        'it is unknown whether this was done before the run was interrupted: equal tasks were added, removed or changed since',
      hint: 'check the controller, then do the rest with a separate playbook',
    });
    const lists = (first: string): string =>
      site(`{ ${say("'{{item}}'")}, loop: [${first}] }`, `{ ${say("'{{item}}'")}, loop: [c] }`);
    const looped = await keptRun(lists('a, b'));
    const gone = await goOn(lists('b, a'), momentAfter(looped, settledAt('0:1', 0)));
    expect([gone.ran.said, gone.ran.finished.exitCode]).to.deep.equal([[], 2]);
  });

  it('cannot distinguish tasks that differ only in a condition', async () => {
    const once = "{ debug: { msg: a }, when: 'done is not defined' }";
    const run = await keptRun(site(once, say('b')));
    const after = site(once, 'set_fact: { done: true }', once, say('b'));
    const { ran } = await goOn(after, momentAfter(run, settledAt('0:1')));
    expect([ran.said, ran.finished.exitCode]).to.deep.equal([[], 2]);
    expect(failure(ran))
      .to.have.property('message')
      .that.matches(/^it is unknown whether this was done/);
  });

  it('distinguishes loops that differ only in their items', async () => {
    const loops = site(`{ ${say("'{{item}}'")}, loop: [a, b] }`, `{ ${say("'{{item}}'")}, loop: [c, d] }`);
    expect(await said(loops, settledAt('0:1', 0), loops)).to.deep.equal(['b', 'c', 'd']);
    expect(await said(loops, settledAt('0:1'), loops)).to.deep.equal(['c', 'd']);
    expect(await said(loops, settledAt('0:2', 0), loops)).to.deep.equal(['d']);
  });

  it('runs an additional one of several identical tasks', async () => {
    const [one, three] = [site(say('a'), say('b')), site(say('a'), say('a'), say('a'), say('b'))];
    expect(await said(one, settledAt('0:1'), three)).to.deep.equal(['a', 'a', 'b']);
    expect(await said(one, settledAt('0:2'), three)).to.deep.equal(['a', 'a']);
    expect(await said(three, settledAt('0:1'), one)).to.deep.equal(['b']);
  });

  it('asks about a new first task, but not again about declined ones', async () => {
    const asked: string[] = [];
    const options: TextOptions = {
      confirmTask: (title) => {
        asked.push(title);
        return Promise.resolve(title === 'a' ? 'skip' : 'run');
      },
    };
    const named = (name: string): string => `{ name: ${name}, ${say(name)} }`;
    const run = await keptRun(site(named('a'), named('b'), named('c')), options);
    asked.length = 0;
    const after = site(named('n'), named('a'), named('b'), named('c'));
    const { ran } = await goOn(after, momentAfter(run, settledStep('lb1', 'b')), options);
    expect(asked).to.deep.equal(['n', 'c']);
    expect(ran.said).to.deep.equal(['n', 'c']);
  });

  it('resumes in a block that was moved, and runs its always at the end', async () => {
    const named = (name: string): string => `{ name: ${name}, ${say(name)} }`;
    const block = `{ block: [${named('make')}, ${named('use')}], always: [${named('clean')}] }`;
    const first = await keptRun(site(block, named('last')), interruptedAt('nothing'));
    const stop = interruptedAt('m');
    const inner = `{ block: [${named('make')}, ${named('m')}, ${named('use')}], always: [${named('clean')}] }`;
    const after = site(named('n'), inner, named('last'));
    const second = await goOn(after, momentAfter(first, settledStep('lb1', 'make')), stop);
    expect(second.ran.said).to.deep.equal(['n', 'm', 'clean']);
    const { ran } = await goOn(after, { entries: second.journal.entries, restore: () => undefined });
    expect(ran.said).to.deep.equal(['use', 'clean', 'last']);
  });

  describe('a write of a resumed run', () => {
    let fleet: Fleet;
    beforeEach(async () => {
      fleet = await startFleet({ controllers: 1 });
    });
    afterEach(() => fleet.dispose());

    const posts = (): readonly string[] =>
      fleet.controller('lb1').requests.flatMap(({ method, body }) => {
        return method === 'POST' ? [/"name":"(\w+)"/.exec(body)?.[1] ?? ''] : [];
      });

    it('is sent only once', async () => {
      const post = (name: string): string =>
        `api_request: { method: POST, path: /api/cloud/, body: { name: ${name} } }`;
      const options = { inventory: fleet.inventory };
      const run: KeptRun = await keptRun(site(post('a'), post('b'), post('c')), options, fleet);
      const after = site(post('n'), post('a'), post('b'), post('c'));
      for (const isThere of [settledAt('0:1'), settledAt('0:2')]) {
        const moment = momentAfter(run, isThere);
        const done = moment.entries.filter(({ type }) => type === 'step-settled').length;
        fleet.controller('lb1').clearRequests();
        await goOn(after, moment, options, fleet);
        expect(posts()).to.deep.equal(['n', 'a', 'b', 'c'].filter((_, at) => at === 0 || at > done));
      }
    });
  });
});

function failure({ tasks }: KeptRun['ran']): unknown {
  const { message, hint, check } = tasks.find(({ status }) => status === 'failed') ?? {};
  expect(check).to.equal(undefined);
  return { message, hint };
}

/** Interrupted when that task is begun. */
function interruptedAt(task: string): TextOptions {
  const interrupt = new AbortController();
  return {
    drain: interrupt.signal,
    watch: (event) => {
      if (event.type === 'task-started' && event.task === task) interrupt.abort();
    },
  };
}

describe('a resumed run with equal items', () => {
  it('tells the visits of an included task apart, also where another task was inserted before', async () => {
    const options = { files: { 'more.yml': '- debug: { msg: "{{ item }}" }\n' } };
    const included = '{ include_tasks: more.yml, loop: [x, x, x] }';
    const run = await keptRun(site(included, say('last')), options);
    const inner = run.journal.entries.filter((entry) => entry.type === 'step-settled' && entry.module === 'debug');
    expect(inner).to.have.length(4);
    for (const [done, left] of [
      [0, ['x', 'x', 'last']],
      [1, ['x', 'last']],
      [2, ['last']],
    ] as const)
      for (const inserted of [[], [say('new')]]) {
        const moment = momentAfter(run, (entry) => entry === inner[done]);
        const { ran } = await goOn(site(...inserted, included, say('last')), moment, options);
        expect(ran.said).to.deep.equal([...inserted.map(() => 'new'), ...left]);
      }
  });
});

describe('writes in a block whose always ran after an interrupt', () => {
  let fleet: Fleet;
  afterEach(() => fleet.dispose());
  const posts = (): number => fleet.controller('lb1').requests.filter(({ method }) => method === 'POST').length;

  const POST = `api_request: { method: POST, path: /api/cloud/, body: { name: 'made {{item | default(0)}}' } }`;
  const WAIT = `{ name: wait, pause: { seconds: '{{seconds}}' } }`;
  const CLEAN = '{ name: clean, debug: { msg: hi } }';
  const BLOCKS: Readonly<Record<string, string>> = {
    'a block': `{ block: [{ ${POST} }, ${WAIT}], always: [${CLEAN}] }`,
    'a rescue': `{ block: [{ fail: }], rescue: [{ ${POST} }, ${WAIT}], always: [${CLEAN}] }`,
    'nested blocks': `{ block: [{ ${POST} }, { block: [${WAIT}], always: [${CLEAN}] }], always: [${CLEAN}] }`,
    'a looped block': `{ block: [{ ${POST} }, ${WAIT}], always: [${CLEAN}], loop: [1, 2] }`,
    'a looped task': `{ block: [{ ${POST}, loop: [1, 2] }, ${WAIT}], always: [${CLEAN}] }`,
    'an included file': `{ block: [{ include_tasks: more.yml }, ${WAIT}], always: [${CLEAN}] }`,
    'an included role': `{ block: [{ include_role: { name: more } }, ${WAIT}], always: [${CLEAN}] }`,
    'a handler': `{ block: [{ debug: , changed_when: true, notify: h }, { meta: flush_handlers }, ${WAIT}], always: [${CLEAN}] }`,
  };
  const files = { 'more.yml': `- ${POST}\n`, 'roles/more/tasks/main.yml': `- ${POST}\n` };
  const playbook = (block: string): string =>
    `- hosts: fleet\n  tasks:\n    - ${block}\n  handlers:\n    - { name: h, ${POST} }\n`;

  /** An interrupt as soon as a task has started, and with a second one, what cleans up is given up as well. */
  function interrupted(first: string, second?: string): TextOptions {
    const [interrupt, giveUp] = [new AbortController(), new AbortController()];
    const watch = (event: Event): void => {
      if (event.type === 'task-started' && event.task === first) interrupt.abort();
      if (event.type === 'task-started' && event.task === second) giveUp.abort();
    };
    return { drain: interrupt.signal, abort: giveUp.signal, watch };
  }

  for (const [title, block] of Object.entries(BLOCKS))
    it(`are not repeated in ${title}`, async () => {
      fleet = await startFleet();
      const options = { inventory: fleet.inventory, files, extraVars: { seconds: 0 } };
      const site = playbook(block);
      const whole = await runText(site, options);
      const all = posts();
      fleet.controller('lb1').setObjects('/api/cloud/', []);
      fleet.controller('lb1').clearRequests();
      const cut = { ...options, ...interrupted('wait'), extraVars: { seconds: 3600 } };
      const run = await keptRun(site, cut, fleet);
      expect(run.ran.lines).to.include('lb1 wait: interrupted');
      expect(run.ran.lines.at(-1)).to.equal('lb1 clean: ok');
      const { ran } = await goOn(site, asItWas(run), options, fleet);
      expect(posts()).to.equal(all);
      expect(ran.finished.stats).to.deep.equal(whole.finished.stats);
      expect(ran.finished.exitCode).to.equal(whole.finished.exitCode);
      expect(ran.lines.at(-1)).to.equal('lb1 clean: ok');
    });

  it('are not repeated if the always was interrupted, too', async () => {
    fleet = await startFleet();
    const site = playbook(
      `{ block: [{ ${POST} }, ${WAIT}], always: [{ name: clean, pause: { seconds: '{{seconds}}' } }] }`,
    );
    const options = { inventory: fleet.inventory, extraVars: { seconds: 0 } };
    const cut = { ...options, ...interrupted('wait', 'clean'), extraVars: { seconds: 3600 } };
    const run = await keptRun(site, cut, fleet);
    expect(run.ran.lines).to.deep.equal([
      'lb1 api_request: changed',
      'lb1 wait: interrupted',
      'lb1 clean: interrupted',
    ]);
    const { ran } = await goOn(site, asItWas(run), options, fleet);
    expect(ran.lines).to.deep.equal(['lb1 wait: ok', 'lb1 clean: ok']);
    expect(posts()).to.equal(1);
    expect(ran.finished.stats['lb1']).to.include({ ok: 3, changed: 1 });
  });

  it('are repeated only where the always has undone them', async () => {
    fleet = await startFleet();
    const own = (name: string): string => `{ cloud_present: { name: ${name}, mtu: 9000 }, notify: h }`;
    const looped = `{ cloud_present: { name: '{{item}}', mtu: 9000 }, loop: [c, d] }`;
    const back = `{ cloud_present: { name: '{{item}}', mtu: 1500 }, loop: [a, c] }`;
    const site = playbook(
      `{ block: [${own('a')}, ${own('b')}, ${looped}, { cloud_present: { name: a, description: x } }, ${WAIT}], always: [${back}] }`,
    );
    const options = { inventory: fleet.inventory, extraVars: { seconds: 0 } };
    const clouds = ['a', 'b', 'c', 'd'].map((name) => ({ name, uuid: name, mtu: 1500 }));
    fleet.controller('lb1').setObjects('/api/cloud/', clouds);
    const whole = await runText(site, options);
    fleet.controller('lb1').setObjects('/api/cloud/', clouds);
    const cut = { ...options, ...interrupted('wait'), extraVars: { seconds: 3600 } };
    const run = await keptRun(site, cut, fleet);
    fleet.controller('lb1').clearRequests();
    const { ran } = await goOn(site, asItWas(run), options, fleet);
    const puts = fleet.controller('lb1').requests.filter(({ method }) => method === 'PUT');
    const written = puts.map(({ path, body }) => `${path.slice(-1)} ${/"mtu":(\d+)/.exec(body)?.[1] ?? ''}`);
    expect(written).to.deep.equal(['a 9000', 'c 9000', 'a 1500', 'c 1500']);
    // Only the repeated one notifies anew.
    expect(ran.events.filter(({ type }) => type === 'handler-notified')).to.have.length(1);
    expect(ran.finished.stats).to.deep.equal(whole.finished.stats);
  });

  it('count if the always need not repeat them, so its handlers run', async () => {
    fleet = await startFleet({ controllers: 2 });
    const back = `{ cloud_present: { name: '{{item}}', mtu: 1500 }, loop: [a, b], notify: h, register: back }`;
    const site = `
- hosts: fleet
  tasks:
    - { block: [${WAIT}], always: [${back}] }
    - { debug: { msg: again }, when: back is changed }
  handlers: [{ name: h, debug: }]
`;
    const options = { inventory: fleet.inventory, extraVars: { seconds: 0 } };
    const reset = (): void => {
      for (const name of fleet.names)
        fleet.controller(name).setObjects('/api/cloud/', [
          { name: 'a', uuid: 'a', mtu: 9000 },
          { name: 'b', uuid: 'b', mtu: 1500 },
        ]);
    };
    reset();
    const whole = await runText(site, options);
    reset();
    const run = await keptRun(
      site,
      { ...options, ...interrupted('wait'), extraVars: { seconds: 3600 }, forks: 1 },
      fleet,
    );
    expect(run.ran.lines).to.include('lb1 cloud_present [a]: changed').and.not.include('lb1 h: ok');
    const { ran } = await goOn(site, asItWas(run), options, fleet);
    expect(ran.lines).to.include.members(['lb1 cloud_present [a]: changed', 'lb1 cloud_present [b]: ok', 'lb1 h: ok']);
    expect(ran.finished.stats).to.deep.equal(whole.finished.stats);
  });
});
