import { expect } from 'chai';
import { goOn, keptRun, momentAfter, settledStep } from '../rig/cut_run.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

const INVENTORY = 'all: { hosts: { lb1: { sites: [a, b] }, lb2: { sites: [c] } } }\n';

describe('blocks in loops', () => {
  const run = async (tasks: string) => {
    const ran = await runText(`- hosts: all\n  tasks:\n${tasks.trim().replaceAll(/^/gm, '    ')}\n`, {
      inventory: INVENTORY,
    });
    const of = (name: string) =>
      ran.tasks
        .filter(({ controller }) => controller === name)
        .map(({ status, message }) => (status === 'ok' ? message : status));
    return [of('lb1'), of('lb2')];
  };

  it('see the items and variables of all loops around them, each controller its own', async () => {
    expect(
      await run(`
- block:
    - block:
        - debug: { msg: '{{ site }}{{ port }}{{ tag }}{{ kind }}{{ place }}/{{ inner_place }}' }
      vars: { kind: '{{ port }}!' }
      loop: [1, 2]
      loop_control: { loop_var: port, index_var: inner_place }
    - debug: { msg: '{{ site }}{{ tag }}{{ port | default("-") }}' }
  vars: { tag: '<{{ site }}>' }
  loop: '{{ sites }}'
  loop_control: { loop_var: site, index_var: place }
- debug: { msg: '{{ site | default("gone") }}' }
`),
    ).to.deep.equal([
      ['a1<a>1!0/0', 'a2<a>2!0/1', 'a<a>-', 'b1<b>1!1/0', 'b2<b>2!1/1', 'b<b>-', 'gone'],
      ['c1<c>1!0/0', 'c2<c>2!0/1', 'c<c>-', 'gone'],
    ]);
  });

  it('are rescued and end for each item', async () => {
    expect(
      await run(`
- block:
    - debug: { msg: 'start {{ item }}' }
    - fail: { msg: broken }
      when: item == 'a' or item == 'c'
    - debug: { msg: 'after {{ item }}' }
  rescue:
    - debug: { msg: 'rescue {{ item }} {{ ansible_failed_result.msg }}' }
  always:
    - debug: { msg: 'always {{ item }}' }
  loop: '{{ sites }}'
`),
    ).to.deep.equal([
      ['start a', 'failed', 'rescue a broken', 'always a', 'start b', 'skipped', 'after b', 'always b'],
      ['start c', 'failed', 'rescue c broken', 'always c'],
    ]);
  });

  it('do nothing for a list without items, and fail for what is no list', async () => {
    expect(
      await run(`
- block: [{ debug: { msg: never } }]
  loop: []
- block: [{ debug: { msg: '{{ item }}' } }]
  loop: '{{ missing | default(sites if inventory_hostname == "lb2" else 5) }}'
- debug: { msg: last }
`),
    ).to.deep.equal([['failed'], ['c', 'last']]);
  });

  it('end after the item for which break_when is true, of each controller', async () => {
    expect(
      await run(`
- block:
    - debug: { msg: '{{ site }}' }
      register: r
  always:
    - debug: { msg: 'always {{ site }}' }
  vars: { last: a }
  loop: '{{ sites + ["z"] }}'
  loop_control: { loop_var: site, break_when: [site == last, r.msg == 'a'] }
- debug: { msg: after }
`),
    ).to.deep.equal([
      ['a', 'always a', 'after'],
      ['c', 'always c', 'z', 'always z', 'after'],
    ]);
  });

  it('fail where break_when cannot be evaluated, which a rescue around catches', async () => {
    const loop = `{ block: [{ debug: { msg: '{{ item }}' } }], loop: [1, 2], loop_control: { break_when: nothing } }`;
    expect(await run(`- ${loop}\n- debug: { msg: after }`)).to.deep.equal([
      ['1', 'failed'],
      ['1', 'failed'],
    ]);
    expect(
      await run(`- { block: [${loop}], rescue: [{ debug: { msg: rescue } }] }\n- debug: { msg: after }`),
    ).to.deep.equal([
      ['1', 'failed', 'rescue', 'after'],
      ['1', 'failed', 'rescue', 'after'],
    ]);
  });

  it('go on after a failure of the loop that ignore_errors ignores, as the loop of a task', async () => {
    const { tasks, finished } = await runText(
      `
- hosts: all
  tasks:
    - { block: [{ debug: { msg: '{{ item }}' } }], loop: '{{ missing }}', ignore_errors: true }
    - block: [{ debug: { msg: '{{ item }}' } }]
      loop: '{{ sites }}'
      loop_control: { break_when: missing }
      ignore_errors: "{{ inventory_hostname == 'lb1' }}"
    - debug: { msg: after }
`,
      { inventory: INVENTORY },
    );
    const of = (name: string): readonly unknown[] =>
      tasks
        .filter(({ controller }) => controller === name)
        .map(({ status, message, ignored }) => (ignored === true ? 'ignored' : status === 'ok' ? message : status));
    expect([of('lb1'), of('lb2')]).to.deep.equal([
      ['ignored', 'a', 'ignored', 'after'],
      ['ignored', 'c', 'failed'],
    ]);
    expect(finished.stats['lb1']).to.deep.include({ ok: 4, failed: 0, ignored: 2 });
  });

  it('do nothing if their loop fails and when is false without an item, as a task', async () => {
    expect(
      await run(`
- { block: [{ debug: { msg: '{{ item }}' } }], loop: '{{ missing }}', when: missing is defined }
- debug: { msg: skipped }
- block: [{ block: [debug: ], loop: '{{ missing }}', when: item == 'of the loop around' }]
  loop: '{{ sites }}'
`),
    ).to.deep.equal([
      ['skipped', 'failed'],
      ['skipped', 'failed'],
    ]);
  });

  it('end the batch if their loop fails and they run once', async () => {
    const { lines, finished } = await runText(
      `
- hosts: all
  tasks:
    - { block: [{ debug: }], run_once: true, loop: '{{ missing | default(sites if inventory_hostname == "lb2" else 5) }}' }
    - debug:
`,
      { inventory: INVENTORY },
    );
    expect(lines).to.deep.equal(['lb1 block: failed']);
    expect(finished.reason).to.equal('"block" failed on lb1, which run_once makes fatal for all');
  });

  it('begin and end under linear by what all others have registered before', async () => {
    const slow = `{ debug: { msg: done }, register: r, until: r.attempts > 1, retries: 1, delay: 0.01, when: inventory_hostname == 'lb2' }`;
    const { said } = await runText(
      `
- hosts: all
  strategy: linear
  tasks:
    - ${slow}
    - block: [{ debug: { msg: '{{ inventory_hostname }} {{ item }}' } }]
      loop: '{{ [hostvars.lb2.r.msg | default("early")] }}'
- hosts: all
  strategy: linear
  tasks:
    - block: [{ debug: { msg: '{{ inventory_hostname }} {{ item }}' } }, ${slow.replace('register: r, until: r', 'register: s, until: s')}]
      loop: [1, 2]
      loop_control: { break_when: hostvars.lb2.s is defined }
`,
      { inventory: INVENTORY },
    );
    const own = said.filter((line) => line !== 'done');
    expect(own).to.deep.equal(['lb1 done', 'lb2 done', 'lb1 1', 'lb2 1']);
  });

  for (const [what, steps, lines] of [
    ['list', `- { name: one, debug: }\n- { block: [debug: ], loop: '{{ missing }}' }`, ['lb1 one: ok']],
    [
      'break_when',
      `- { block: [{ name: one, debug: }], loop: [1, 2], loop_control: { break_when: missing } }`,
      ['lb1 one: ok'],
    ],
  ] as const)
    it(`evaluate their ${what} after no interrupt`, async () => {
      for (const strategy of ['linear', 'host_pinned']) {
        const interrupt = new AbortController();
        const tasks = `${steps}\n- { name: after, debug: }`.replaceAll(/^/gm, '    ');
        const ran = await runText(`- hosts: all\n  strategy: ${strategy}\n  tasks:\n${tasks}\n`, {
          drain: interrupt.signal,
          watch: ({ type }) => {
            if (type === 'task-finished') interrupt.abort();
          },
        });
        expect(ran.lines, strategy).to.deep.equal(lines);
        expect(ran.finished).to.deep.include({ exitCode: 130, cutOff: ['lb1'] });
      }
    });

  it('end with their last item if that is interrupted', async () => {
    const interrupt = new AbortController();
    const { lines, finished } = await runText(
      `- hosts: all\n  tasks: [{ block: [{ name: one, debug: }], loop: [1], loop_control: { break_when: missing } }]\n`,
      {
        drain: interrupt.signal,
        watch: ({ type }) => {
          if (type === 'task-finished') interrupt.abort();
        },
      },
    );
    expect(lines).to.deep.equal(['lb1 one: ok']);
    expect(finished).to.not.have.property('cutOff');
  });

  it('evaluate their list on no controller after the batch was halted', async () => {
    const { lines } = await runText(
      `
- hosts: all
  strategy: linear
  any_errors_fatal: true
  tasks:
    - { name: one, fail: , when: inventory_hostname == 'lb1' }
    - { block: [debug: ], loop: '{{ missing }}' }
`,
      { inventory: INVENTORY },
    );
    expect(lines).to.have.members(['lb1 one: failed', 'lb2 one: skipped']);
  });

  it('report in a resume that their loop fails, unless that was reported before', async () => {
    const lost = `
- hosts: lb1
  tasks:
    - { block: [{ name: one, debug: }], loop: "{{ lookup('file', 'sites.json') | from_json }}" }
    - { name: after, debug: }
`;
    const whole = await keptRun(lost, { files: { 'sites.json': '[1, 2]' } });
    for (const step of ['one', 'after']) {
      const { ran } = await goOn(lost, momentAfter(whole, settledStep('lb1', step)));
      expect(ran.lines).to.deep.equal(['lb1 block: failed']);
    }
    const rescued = `
- hosts: lb1
  tasks:
    - block: [{ block: [debug: ], loop: '{{ missing }}' }]
      rescue: [{ name: rescue, debug: }]
    - { block: [debug: ], loop: '{{ missing }}', ignore_errors: true }
    - { meta: noop, when: missing }
`;
    const { ran, moments } = await keptRun(rescued);
    const seen = new Set<string>();
    for (const moment of moments) {
      const again = await goOn(rescued, moment);
      expect(again.ran.lines).to.deep.equal(ran.lines.slice(ran.lines.length - again.ran.lines.length));
      expect(again.ran.finished.stats).to.deep.equal(ran.finished.stats);
      for (const line of again.ran.lines) seen.add(`${again.ran.lines.length} ${line}`);
    }
    expect(ran.lines).to.deep.equal([
      'lb1 block: failed',
      'lb1 rescue: ok',
      'lb1 block: failed ignored',
      'lb1 meta: noop: failed',
    ]);
    expect([...seen]).to.include.members(['3 lb1 rescue: ok', '1 lb1 meta: noop: failed']);
  });

  it('end at the same item in a resume', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - block: [{ name: one, debug: { msg: '{{ item }}' }, register: r }]
      loop: [a, b, c]
      loop_control: { break_when: r.msg == 'b' }
    - { name: after, debug: { msg: '{{ r.msg }}' } }
`;
    const whole = await keptRun(playbook);
    expect(whole.ran.lines).to.deep.equal(['lb1 one: ok', 'lb1 one: ok', 'lb1 after: ok']);
    for (const moment of whole.moments) {
      const { ran } = await goOn(playbook, moment);
      expect(ran.lines).to.deep.equal(whole.ran.lines.slice(3 - ran.lines.length));
      expect(ran.said).to.not.include('c');
    }
  });

  it('keep no other controller from its new tasks while they wait in a resume', async () => {
    const playbook = `
- hosts: all
  strategy: host_pinned
  tasks:
    - { block: [{ name: one, debug: }], loop: '{{ sites }}', loop_control: { pause: 3600 } }
    - { name: after, debug: }
`;
    const options = (): TextOptions => {
      const interrupt = new AbortController();
      return {
        inventory: INVENTORY,
        forks: 1,
        drain: interrupt.signal,
        watch: (event) => {
          if (event.type === 'task-finished' && event.task === 'after') interrupt.abort();
        },
      };
    };
    const whole = await keptRun(playbook, options());
    expect(whole.ran.lines).to.deep.equal(['lb1 one: ok', 'lb2 one: ok', 'lb2 after: ok']);
    const { ran } = await goOn(playbook, momentAfter(whole, settledStep('lb2', 'one')), options());
    expect(ran.lines).to.deep.equal(['lb2 after: ok']);
  });

  for (const strategy of ['linear', 'host_pinned']) {
    const paused = (pause: string, options: TextOptions = {}): Promise<Ran> =>
      runText(
        `
- hosts: all
  strategy: ${strategy}
  tasks:
    - block: [{ name: one, debug: }]
      always: [{ name: clean, debug: }]
      loop: [1, 2]
      loop_control: { pause: ${pause} }
    - { name: after, debug: }
`,
        { inventory: INVENTORY, ...options },
      );

    it(`wait between items with pause, without a fork (${strategy})`, async () => {
      const { tasks } = await paused('0.2', { forks: 1 });
      const of = (name: string): readonly number[] =>
        tasks.filter(({ controller }) => controller === name).map(({ time }) => Date.parse(time));
      for (const [, first = 0, second = 0] of [of('lb1'), of('lb2')]) expect(second - first).to.be.at.least(199);
      expect(tasks).to.have.length(10);
    });

    it(`end at once if the run is interrupted in a pause (${strategy})`, async () => {
      const interrupt = new AbortController();
      const { lines, finished } = await paused('3600', {
        drain: interrupt.signal,
        watch: (event) => {
          if (event.type === 'task-finished' && event.task === 'clean' && event.controller === 'lb2')
            setImmediate(() => {
              interrupt.abort();
            });
        },
      });
      expect(lines).to.have.members(['lb1 one: ok', 'lb1 clean: ok', 'lb2 one: ok', 'lb2 clean: ok']);
      expect(finished).to.deep.include({ exitCode: 130, cutOff: ['lb1', 'lb2'] });
    });
  }
});
