import { expect } from 'chai';
import { runText, type Ran } from '../rig/run_text.js';

const TWO = 'all: { hosts: { lb1: , lb2: } }';

/** A play over the tasks; the text is indented as its list of tasks. */
function play(tasks: string, inventory?: string): Promise<Ran> {
  const text = `- hosts: all\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`;
  return runText(text, inventory === undefined ? {} : { inventory });
}

function stats({ finished }: Ran, controller = 'lb1'): Partial<Record<string, number>> {
  const all = Object.entries(finished.stats[controller] ?? {});
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}

/** Consecutive events of one task are sorted: their order does not matter. */
function byTask(lines: readonly string[]): readonly string[] {
  const task = (line: string): string => line.replace(/^\S+ (.*): \w+$/, '$1');
  const groups: string[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && task(last[0]) === task(line)) last.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => group.sort());
}

describe('a block', () => {
  it('that succeeds runs its always, but not its rescue', async () => {
    const ran = await play(`
- block:
    - { name: body, debug: }
  rescue:
    - { name: rescue, debug: }
  always:
    - { name: always, debug: }
- { name: after, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 body: ok', 'lb1 always: ok', 'lb1 after: ok']);
    expect(ran.finished.exitCode).to.equal(0);
  });

  it('that fails runs its rescue: its remaining tasks are skipped, and the failure is cleared', async () => {
    const ran = await play(`
- block:
    - { name: body, fail: { msg: broken }, tags: [a, b], register: r, delegate_to: "{{ inventory_hostname }}" }
    - { name: rest, debug: }
  rescue:
    - { name: rescue, debug: { msg: "{{ ansible_failed_task.name }} said {{ ansible_failed_result.msg }}: {{ ansible_failed_task.tags | join('+') }}, {{ ansible_failed_task.register }}, {{ ansible_failed_task.delegate_to }}" } }
  always:
    - { name: always, debug: }
- { name: after, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 body: failed', 'lb1 rescue: ok', 'lb1 always: ok', 'lb1 after: ok']);
    expect(ran.said[0]).to.equal('body said broken: a+b, r, {{ inventory_hostname }}');
    expect(ran.tasks[0]?.rescued).to.equal(true);
    expect(stats(ran)).to.deep.equal({ ok: 3, rescued: 1 });
    expect(ran.finished).to.include({ status: 'ok', exitCode: 0 });
  });

  it('whose rescue fails runs its always and fails', async () => {
    const ran = await play(`
- block:
    - { name: body, fail: }
  rescue:
    - { name: rescue, fail: }
    - { name: rest, debug: }
  always:
    - { name: always, debug: }
- { name: after, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 body: failed', 'lb1 rescue: failed', 'lb1 always: ok']);
    expect(stats(ran)).to.deep.equal({ ok: 1, failed: 1, rescued: 1 });
    expect(ran.finished.exitCode).to.equal(2);
  });

  it('without a rescue fails after its always', async () => {
    const ran = await play(`
- block:
    - { name: body, fail: }
  always:
    - { name: always, debug: }
- { name: after, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 body: failed', 'lb1 always: ok']);
    expect(stats(ran)).to.deep.equal({ ok: 1, failed: 1 });
  });

  it('in another block passes its failure to the outer block', async () => {
    const ran = await play(`
- block:
    - block:
        - { name: inner, fail: }
      always:
        - { name: inner always, debug: }
    - { name: rest, debug: }
  rescue:
    - { name: outer rescue, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 inner: failed', 'lb1 inner always: ok', 'lb1 outer rescue: ok']);
    expect(stats(ran)).to.deep.equal({ ok: 2, rescued: 1 });
  });

  it('in a rescue counts twice if its failure is rescued, too', async () => {
    const ran = await play(`
- block:
    - { name: outer, fail: }
  rescue:
    - block:
        - { name: inner, fail: }
      rescue:
        - { name: inner rescue, debug: }
    - { name: rest, debug: }
`);
    expect(stats(ran)).to.deep.equal({ ok: 2, rescued: 2 });
    expect(ran.finished.exitCode).to.equal(0);
  });

  it('runs neither rescue nor always on a controller that cannot be reached', async () => {
    const ran = await play(
      `
- block:
    - { name: body, api_request: { path: /api/cloud/ } }
  rescue:
    - { name: rescue, debug: }
  always:
    - { name: always, debug: }
`,
      'all: { hosts: { lb1: { controller_url: "https://127.0.0.1:1", controller_api_version: "22.1.3", controller_username: u, controller_password: p } } }',
    );
    expect(ran.lines, ran.tasks[0]?.message).to.deep.equal(['lb1 body: unreachable']);
  });

  it('passes its keywords to its tasks, and repeats over a loop', async () => {
    const ran = await play(`
- block:
    - { name: "body {{ item }}", debug: { msg: "{{ greeting }} {{ item }}" } }
    - { name: last, debug: , when: item == "b" }
  loop: [a, b, c]
  when: item != "c"
  vars: { greeting: hello }
`);
    expect(ran.lines).to.deep.equal([
      'lb1 body a: ok',
      'lb1 last: skipped',
      'lb1 body b: ok',
      'lb1 last: ok',
      'lb1 body c: skipped',
      'lb1 last: skipped',
    ]);
    expect(ran.said.slice(0, 1)).to.deep.equal(['hello a']);
  });

  it('whose loop cannot be evaluated fails, and can be rescued', async () => {
    const ran = await play(`
- block:
    - name: inner
      block:
        - { name: body, debug: }
      loop: "{{ 5 }}"
  rescue:
    - { name: rescue, debug: }
`);
    expect(ran.lines).to.deep.equal(['lb1 inner: failed', 'lb1 rescue: ok']);
    expect(ran.tasks[0]?.message).to.equal('loop needs a list, not the number 5');
    expect(stats(ran)).to.deep.equal({ ok: 1, rescued: 1 });
  });

  it('keeps controllers in step under linear: those without a failure wait for the rescue of others', async () => {
    const ran = await runText(
      `
- hosts: all
  strategy: linear
  tasks:
    - block:
        - { name: body, fail: , when: inventory_hostname == "lb1" }
        - { name: rest, debug: }
      rescue:
        - { name: rescue, debug: }
      always:
        - { name: always, debug: }
    - { name: after, debug: }
`,
      { inventory: TWO },
    );
    expect(byTask(ran.lines)).to.deep.equal([
      'lb1 body: failed',
      'lb2 body: skipped',
      'lb2 rest: ok',
      'lb1 rescue: ok',
      'lb1 always: ok',
      'lb2 always: ok',
      'lb1 after: ok',
      'lb2 after: ok',
    ]);
  });
});

describe('an interrupted run', () => {
  it('starts nothing new except the always of blocks that have started', async () => {
    const interrupt = new AbortController();
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - block:
        - { name: body, debug: }
        - { name: rest, debug: }
      rescue:
        - { name: rescue, debug: }
      always:
        - { name: always, debug: }
        - block:
            - { name: inside always, debug: }
    - { name: after, debug: }
`,
      {
        drain: interrupt.signal,
        watch: (event) => {
          if (event.type === 'task-finished' && event.task === 'body') interrupt.abort();
        },
      },
    );
    expect(ran.lines).to.deep.equal(['lb1 body: ok', 'lb1 always: ok', 'lb1 inside always: ok']);
    expect(ran.finished).to.include({ status: 'interrupted', exitCode: 130 });
  });

  it('lets an always wait and retry, until a second interrupt', async () => {
    const [interrupt, abort] = [new AbortController(), new AbortController()];
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - block:
        - { name: body, wait_for: { timeout: 60 } }
      rescue:
        - { name: rescue, debug: }
      always:
        - { name: waits, wait_for: { timeout: 0.05 } }
        - { name: tries, fail: , until: false, retries: 1, delay: 0.01, ignore_errors: true }
        - { name: given up, wait_for: { timeout: 60 } }
        - { name: after, debug: }
`,
      {
        drain: interrupt.signal,
        abort: abort.signal,
        watch: (event) => {
          if (event.type === 'task-started' && event.task === 'body') interrupt.abort();
          if (event.type === 'task-started' && event.task === 'given up') abort.abort();
        },
      },
    );
    expect(ran.lines).to.deep.equal([
      'lb1 body: interrupted',
      'lb1 waits: ok',
      'lb1 tries: failed ignored',
      'lb1 given up: interrupted',
    ]);
    expect(ran.tasks[0]?.rescued, 'its rescue does not run any more').to.equal(undefined);
  });

  it('runs an always after several controllers refused the credentials, as after an interrupt', async () => {
    const refused = new AbortController();
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - block:
        - { name: body, debug: }
        - { name: more, debug: }
      rescue:
        - { name: rescue, debug: }
      always:
        - { name: always, debug: }
    - { name: after, debug: }
`,
      {
        refused,
        watch: (event) => {
          if (event.type === 'task-finished' && event.task === 'body') refused.abort('lb2 and others refused them');
        },
      },
    );
    expect(ran.lines).to.deep.equal(['lb1 body: ok', 'lb1 always: ok']);
    expect(ran.finished).to.deep.include({ exitCode: 2, reason: 'lb2 and others refused them', cutOff: ['lb1'] });
  });
});
