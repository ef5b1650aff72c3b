import { expect } from 'chai';
import { goOn, keptRun, momentAfter, settledStep, type KeptRun } from '../rig/cut_run.js';
import type { Entry } from '../rig/recorder.js';
import type { TextOptions } from '../rig/run_text.js';
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
    const each = (items: string): string => site(`{ include_tasks: one.yml, loop: [${items}] }`);
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
    signal: interrupt.signal,
    watch: (event) => {
      if (event.type === 'task-started' && event.task === task) interrupt.abort();
    },
  };
}
