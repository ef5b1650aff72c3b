import { expect } from 'chai';
import type { StepLeft } from '../../src/core/model/run/journal.js';
import { goOn, keptRun, momentAfter, settledStep, type KeptRun, type Moment } from '../rig/cut_run.js';
import type { TextOptions } from '../rig/run_text.js';

const TWO = { inventory: 'all: { hosts: { lb1: , lb2: } }' };

/** The recorded effects of each step that has some. */
function left({ journal }: KeptRun): Readonly<Record<string, StepLeft>> {
  const steps = journal.of('step-settled').flatMap(({ controller, title, item, left }) => {
    const name = `${controller} ${title}${item === undefined ? '' : ` #${item}`}`;
    return left === undefined ? [] : [[name, left] as const];
  });
  return Object.fromEntries(steps);
}

const asItWas = ({ journal }: KeptRun): Moment => ({ entries: journal.entries, restore: () => undefined });

/** Aborts when a task is begun. */
function interruptAt(task: string): TextOptions {
  const interrupt = new AbortController();
  return {
    drain: interrupt.signal,
    watch: (event) => {
      if (event.type === 'task-started' && event.task === task) interrupt.abort();
    },
  };
}

describe("the record of a run's steps", () => {
  it('drops a step that is not needed again', async () => {
    const run = await keptRun(`
- hosts: all
  tasks:
    - { name: plain, debug: { msg: hi } }
    - { name: kept, debug: { msg: hi }, register: result }
    - { name: fact, set_fact: { a: 1 } }
    - { name: cached, set_fact: { b: 2, cacheable: true } }
    - { name: skipped, debug: { msg: hi }, when: false }
    - { name: looped, debug: { msg: '{{item}}' }, loop: [x] }
    - { name: ignored, fail: { msg: nope }, ignore_errors: true }
    - block: [{ name: caught, fail: { msg: nope } }]
      rescue: [{ name: rescue, debug: { msg: '{{ansible_failed_result.msg}}' } }]
    - { name: group, group_by: { key: g } }
    - { name: lost, fail: { msg: nope } }
`);
    const results = left(run);
    expect(Object.keys(results)).to.deep.equal(['lb1 kept', 'lb1 fact', 'lb1 cached', 'lb1 caught', 'lb1 group']);
    expect(results['lb1 fact']).to.deep.equal({ values: { a: 1 } });
    expect(results['lb1 cached']).to.deep.equal({ values: { b: 2 }, facts: { b: 2 } });
    expect(results['lb1 group']).to.deep.equal({ again: true });
    expect(results['lb1 caught']?.result?.status).to.equal('failed');
    const counted = run.journal.of('step-settled').map(({ title, end, counted: { status, ignored, rescued } }) => {
      return [title, end, status, ignored ?? rescued ?? false];
    });
    expect(counted).to.deep.equal([
      ['plain', 'completed', 'ok', false],
      ['kept', 'completed', 'ok', false],
      ['fact', 'completed', 'ok', false],
      ['cached', 'completed', 'ok', false],
      ['skipped', 'completed', 'skipped', false],
      ['looped', 'completed', 'ok', false],
      ['looped', 'completed', 'ok', false],
      ['ignored', 'completed', 'failed', true],
      ['caught', 'failed', 'failed', true],
      ['rescue', 'completed', 'ok', false],
      ['group', 'completed', 'changed', false],
      ['lost', 'failed', 'failed', false],
    ]);
  });

  it('is written before the event of the step', async () => {
    const { journal } = await keptRun('- hosts: all\n  tasks: [debug: { msg: hi }]\n');
    const types = journal.entries.map(({ type }) => type);
    expect(types.indexOf('step-settled')).to.equal(types.indexOf('task-finished') - 1);
  });
});

describe('a resumed run', () => {
  it('does not accept the record of a different step, but that of a step whose name renders differently', async () => {
    const playbook = `
- hosts: all
  tasks:
    - { name: one, debug: { msg: 1 } }
    - { name: 'two {{now}}', debug: { msg: 2 } }
    - { name: three, debug: { msg: 3 } }
    - { name: four, fail: { msg: four } }
`;
    const run = await keptRun(playbook, { extraVars: { now: 'then' } });
    const other = playbook
      .replace('name: one', 'name: eins')
      .replace('three, debug: { msg: 3 }', 'three, set_fact: { a: 3 }');
    const { ran } = await goOn(other, asItWas(run), { extraVars: { now: 'now' } });
    expect(ran.lines).to.deep.equal(['lb1 eins: ok', 'lb1 three: ok']);
    expect(ran.finished.stats['lb1']).to.deep.include({ ok: 3, failed: 1 });
    expect(ran.finished.exitCode).to.equal(2);
  });

  it('shares the result of run_once with controllers that had not reached it', async () => {
    const playbook = `
- hosts: all
  strategy: host_pinned
  tasks:
    - { name: once, set_fact: { a: '{{inventory_hostname}}' }, run_once: true, register: r }
    - { name: say, debug: { msg: '{{a}} {{r.failed}}' } }
`;
    const run = await keptRun(playbook, { ...TWO, forks: 1 });
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'once')), { ...TWO, forks: 1 });
    expect(ran.said).to.deep.equal(['lb1 False', 'lb1 False']);
    expect(ran.lines).to.deep.equal(['lb1 say: ok', 'lb2 say: ok']);
  });

  it('restores the variables that a step set for other controllers', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - { name: give, set_fact: { a: '{{item}}' }, loop: [x], delegate_to: lb2, delegate_facts: true, register: r }
- hosts: lb2
  tasks:
    - { name: say, debug: { msg: '{{a}} {{hostvars.lb1.r.results | length}} {{hostvars.lb1.a | default("none")}}' } }
`;
    const run = await keptRun(playbook, TWO);
    expect(left(run)['lb1 give']?.elsewhere).to.deep.equal([{ owner: 'lb2', values: { a: 'x' }, facts: {} }]);
    for (const step of [settledStep('lb1', 'give', 0), settledStep('lb1', 'give')]) {
      const { ran } = await goOn(playbook, momentAfter(run, step), TWO);
      expect(ran.said).to.deep.equal(['x 1 none']);
    }
  });

  it('keeps newer values than those of the interrupted run, over plays', async () => {
    const inventory = 'all: { hosts: { lb1: , lb2: , lb3: , lb4: } }';
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
    const run = await keptRun(playbook, { inventory });
    for (const cut of ['one', 'two', 'gave']) {
      const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', cut)), { inventory });
      expect(ran.said.toSorted(), cut).to.deep.equal(['2 0', '2 0', '2 0', '2 2']);
    }
  });

  it('restores the variables of the checks of a gate that was passed, and runs none of them', async () => {
    const playbook = `
- hosts: all
  gate: { checks: [{ name: check, debug: { msg: fine }, register: g }, { name: fact, set_fact: { f: 1 } }] }
  tasks: [{ name: work, debug: { msg: work } }]
- hosts: all
  tasks:
    - { name: first, debug: { msg: '{{ g.msg }}' } }
    - { name: second, debug: { msg: '{{ g.msg }} {{ f }} {{ more | default(0) }}' } }
`;
    const run = await keptRun(playbook, TWO);
    const moment = momentAfter(run, settledStep('lb2', 'first'));
    const { ran } = await goOn(playbook, moment, TWO);
    expect(ran.lines).to.deep.equal(['lb1 second: ok', 'lb2 second: ok']);
    expect(ran.said).to.deep.equal(['fine 1 0', 'fine 1 0']);
    const rounds = playbook.replace('gate: { ', 'gate: { passes: 3, interval: 0, ');
    const several = await keptRun(rounds, TWO);
    const again = await goOn(rounds, momentAfter(several, settledStep('lb2', 'first')), TWO);
    expect(again.ran.said).to.deep.equal(['fine 1 0', 'fine 1 0']);
    expect(again.ran.finished.stats).to.deep.equal(several.ran.finished.stats);
    expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
    const added = playbook.replace(' }] }', ' }, { name: new, set_fact: { more: 2 } }] }');
    const later = await goOn(added, moment, TWO);
    expect(later.ran.said).to.deep.equal(['fine 1 0', 'fine 1 0']);
  });

  it('starts with the state of the controller from before the play', async () => {
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
    const run = await keptRun(playbook, { files });
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'others')), { files });
    expect(ran.said).to.deep.equal(['end']);
  });

  it('repeats the effects of steps on the run itself, without output', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - { name: host, add_host: { name: 'new{{item}}', groups: made }, loop: [1, 2], register: r }
    - { name: group, group_by: { key: g } }
    - { name: vars, include_vars: { file: more.yml } }
    - { name: tasks, include_tasks: more_tasks.yml }
    - { name: say, debug: { msg: '{{more}} {{r.results | length}} {{groups.g}}' } }
- hosts: made
  tasks: [{ name: made, debug: { msg: '{{inventory_hostname}}' } }]
`;
    const files = { 'more.yml': 'more: 7', 'more_tasks.yml': '- { name: included, debug: { msg: in } }' };
    const run = await keptRun(playbook, { ...TWO, files });
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'included')), { ...TWO, files });
    expect(ran.lines).to.deep.equal(['lb1 say: ok', 'new1 made: ok', 'new2 made: ok']);
    expect(ran.said).to.deep.equal(run.ran.said.slice(1));
    expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
    const half = await goOn(playbook, momentAfter(run, settledStep('lb1', 'host', 0)), { ...TWO, files });
    expect(half.ran.lines.slice(0, 2)).to.deep.equal(['lb1 host [2]: changed', 'lb1 host: changed']);
    expect(half.ran.finished.stats).to.deep.equal(run.ran.finished.stats);
  });

  it('keeps the outcome of a step whose effect on the run was done before, or is gone', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - { name: group, group_by: { key: g }, register: one, notify: handled }
    - { name: groups, group_by: { key: '{{item}}' }, loop: [g, h], register: each, notify: handled }
    - { name: say, debug: { msg: '{{one.changed}} {{each.results | map(attribute="changed")}}' } }
  handlers: [{ name: handled, debug: { msg: handled } }]
`;
    const inGroup = { inventory: 'all: { children: { g: { hosts: { lb1: } }, h: { hosts: { lb1: } } } }' };
    for (const [before, after] of [
      [TWO, inGroup],
      [inGroup, TWO],
    ] as const) {
      const run = await keptRun(playbook, before);
      for (const step of [settledStep('lb1', 'groups'), settledStep('lb1', 'groups', 1)]) {
        const { ran } = await goOn(playbook, momentAfter(run, step), after);
        expect(ran.said).to.deep.equal(run.ran.said);
        expect(ran.lines.filter((line) => !line.startsWith('lb1 groups'))).to.deep.equal(run.ran.lines.slice(4));
        expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
      }
    }
  });

  it('reports a step whose repetition has another result', async () => {
    const playbook =
      '- hosts: all\n  tasks:\n    - { name: vars, include_vars: { file: more.yml } }\n    - { name: next, debug: { msg: hi } }\n';
    const run = await keptRun(playbook, { files: { 'more.yml': 'a: 1' } });
    const { ran } = await goOn(playbook, asItWas(run), {});
    expect(ran.lines).to.deep.equal(['lb1 vars: failed']);
    expect(ran.finished.exitCode).to.equal(2);
  });

  it('runs notified handlers that had not run', async () => {
    const playbook = `
- hosts: all
  tasks:
    - { name: change, set_fact: { a: 1 }, changed_when: true, notify: [h1, h2] }
    - { name: after, debug: { msg: hi } }
  handlers:
    - { name: h1, debug: { msg: one } }
    - { name: h2, debug: { msg: two } }
`;
    const run = await keptRun(playbook);
    const early = await goOn(playbook, momentAfter(run, settledStep('lb1', 'change')));
    expect(early.ran.lines).to.deep.equal(['lb1 after: ok', 'lb1 h1: ok', 'lb1 h2: ok']);
    expect(early.ran.events.filter(({ type }) => type === 'handler-notified')).to.deep.equal([]);
    const late = await goOn(playbook, momentAfter(run, settledStep('lb1', 'h1')));
    expect(late.ran.lines).to.deep.equal(['lb1 h2: ok']);
    expect(late.ran.finished.stats).to.deep.equal(run.ran.finished.stats);
  });

  it('notifies the handlers of the items that were not skipped', async () => {
    const playbook = `
- hosts: all
  tasks:
    - name: change
      set_fact: { a: '{{item}}' }
      loop: [one, two, three]
      when: item != 'two'
      changed_when: item == 'one'
      notify: 'restart {{item}}'
    - { name: after, debug: { msg: hi } }
  handlers:
    - { name: restart one, debug: { msg: one } }
    - { name: restart two, debug: { msg: two } }
    - { name: restart three, debug: { msg: three } }
`;
    const run = await keptRun(playbook);
    const rest = ['lb1 after: ok', 'lb1 restart one: ok', 'lb1 restart three: ok'];
    expect(run.ran.lines.slice(-3)).to.deep.equal(rest);
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'change')));
    expect(ran.lines.slice(-3)).to.deep.equal(rest);
  });

  it('does not notify the handlers of the items after the end of a loop', async () => {
    const playbook = `
- hosts: all
  tasks:
    - name: change
      set_fact: { a: '{{item}}' }
      loop: [one, two, three]
      loop_control: { break_when: 'item == "two"' }
      changed_when: true
      notify: 'restart {{item}}'
    - { name: after, debug: { msg: hi } }
  handlers:
    - { name: restart one, debug: { msg: one } }
    - { name: restart two, debug: { msg: two } }
    - { name: restart three, debug: { msg: three } }
`;
    const run = await keptRun(playbook);
    const rest = ['lb1 after: ok', 'lb1 restart one: ok', 'lb1 restart two: ok'];
    expect(run.ran.lines.slice(-3)).to.deep.equal(rest);
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'change')));
    expect(ran.lines).to.deep.equal(rest);
  });

  it('fails if a notified handler no longer exists', async () => {
    const playbook = `
- hosts: all
  tasks:
    - { name: change, set_fact: { a: 1 }, changed_when: true, notify: '{{which}}' }
    - { name: after, debug: { msg: hi } }
  handlers: [{ name: h, debug: { msg: handled } }]
`;
    const run = await keptRun(playbook, { extraVars: { which: 'h' } });
    const { ran } = await goOn(playbook, asItWas(run), { extraVars: { which: 'other' } });
    expect(ran.tasks.map(({ task, status, message }) => [task, status, message])).to.deep.equal([
      ['change', 'failed', 'there is no handler "other"'],
    ]);
    expect(ran.tasks[0]).to.include({ diff: false, seconds: 0 }).and.not.have.any.keys('check', 'ignored');
    expect(ran.finished.stats['lb1']).to.deep.include({ ok: 0, failed: 1 });
  });

  it('knows the failure when it resumes in the middle of a rescue', async () => {
    const playbook = `
- hosts: all
  tasks:
    - block: [{ name: work, fail: { msg: broken } }]
      rescue:
        - { name: first, debug: { msg: hi } }
        - { name: second, debug: { msg: '{{ansible_failed_task.name}}: {{ansible_failed_result.msg}}' } }
      always: [{ name: clean, debug: { msg: hi } }]
`;
    const run = await keptRun(playbook);
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'first')));
    expect(ran.said).to.deep.equal(['work: broken', 'hi']);
    expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
  });

  it('keeps the random order', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const inventory = `all: { hosts: { ${names.map((name) => `${name}: `).join(', ')} } }`;
    const playbook = '- hosts: all\n  order: shuffle\n  tasks: [{ name: t, debug: { msg: hi } }]\n';
    const run = await keptRun(playbook, { inventory });
    const { ran } = await goOn(
      playbook,
      momentAfter(run, ({ type }) => type === 'batch-started'),
      { inventory },
    );
    const order = (one: typeof ran): unknown => one.events.find(({ type }) => type === 'play-started');
    expect(order(ran)).to.have.deep.property('controllers', run.journal.of('play-started')[0]?.controllers);
  });

  // With one fork, lb2 begins the task after it has failed on lb1.
  for (const forks of [2, 1])
    it(`does not start what a halted batch did not start, and finishes what was started: forks ${forks}`, async () => {
      const playbook = `
- hosts: all
  strategy: linear
  any_errors_fatal: true
  tasks:
    - { name: both, fail: { msg: nope }, when: inventory_hostname == 'lb1' }
    - { name: never, debug: { msg: hi } }
`;
      const run = await keptRun(playbook, { ...TWO, forks });
      const [ended] = run.journal.of('batch-ended');
      expect(ended).to.deep.equal({
        type: 'batch-ended',
        play: 0,
        batch: 1,
        how: 'halted',
        reason: '"both" failed on lb1, which any_errors_fatal makes fatal for all',
        place: '0:1',
        underWay: [{ controller: 'lb1', place: '0:1' }],
      });
      const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'both')), { ...TWO, forks });
      expect(ran.finished).to.deep.include({ reason: ended?.reason, exitCode: 2 });
      expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
    });

  for (const strategy of ['linear', 'host_pinned'])
    it(`continues after the block whose always cleared what halted the batch: ${strategy}`, async () => {
      const playbook = `
- hosts: all
  strategy: ${strategy}
  tasks:
    - block:
        - { name: before, debug: { msg: hi } }
        - { name: one, fail: { msg: nope }, run_once: true }
        - { name: never, debug: { msg: hi } }
      always:
        - { name: always, debug: { msg: hi } }
        - meta: clear_host_errors
        - { name: cleared, debug: { msg: hi } }
    - { name: after, debug: { msg: hi } }
    - { name: last, debug: { msg: hi } }
`;
      const run = await keptRun(playbook, TWO);
      for (const [controller, task] of [
        ['lb1', 'one'],
        ['lb2', 'always'],
        ['lb1', 'cleared'],
        ['lb2', 'after'],
      ] as const) {
        const { ran } = await goOn(playbook, momentAfter(run, settledStep(controller, task)), TWO);
        expect(ran.finished.stats, `${controller} ${task}`).to.deep.equal(run.ran.finished.stats);
        expect(ran.lines.filter((line) => line.includes('never'))).to.deep.equal([]);
      }
    });

  it('finishes only what was started before the batch was halted', async () => {
    const options = { inventory: 'all: { hosts: { lb1: { turns: [1] }, lb2: { turns: "{{ range(200) | list }}" } } }' };
    const playbook = `
- hosts: lb2:lb1
  strategy: host_pinned
  max_fail_percentage: 0
  tasks:
    - { name: one, debug: { msg: hi } }
    - meta: noop
    - { name: two, fail: { msg: nope }, when: inventory_hostname == 'lb1', loop: '{{turns}}' }
    - { name: three, debug: { msg: hi } }
`;
    const run = await keptRun(playbook, options);
    expect(run.journal.of('batch-ended')).to.deep.equal([
      {
        type: 'batch-ended',
        play: 0,
        batch: 1,
        how: 'halted',
        reason: 'max_fail_percentage (0%) was exceeded when 1 of 2 controllers had failed',
        place: '0:3',
        underWay: ['lb2', 'lb1'].map((controller) => ({ controller, place: '0:3' })),
      },
    ]);
    expect(run.ran.lines.filter((line) => line.endsWith('three: ok'))).to.deep.equal([]);
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'two')), options);
    expect(ran.lines.at(-1)).to.equal('lb2 two: skipped');
    expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
  });

  it('starts nothing before all controllers have their variables again', async () => {
    const playbook = `
- hosts: all
  strategy: host_pinned
  tasks:
    - { name: wait, debug: { msg: hi }, when: inventory_hostname == 'lb2' }
    - { name: a, set_fact: { a: 1 } }
    - { name: b, set_fact: { b: '{{hostvars.lb2.a | default("unknown")}}' } }
    - { name: say, debug: { msg: '{{hostvars.lb2.b | default("unknown")}}' }, when: inventory_hostname == 'lb1' }
`;
    const options = { ...TWO, forks: 1 };
    const run = await keptRun(playbook.replace('hosts: all', 'hosts: lb2:lb1'), { ...options });
    // lb1 is first now; the finished steps of lb2 still count.
    const entries = run.journal.entries.filter(
      (entry) =>
        entry.type !== 'play-started' &&
        !(entry.type === 'step-settled' && entry.controller === 'lb1' && entry.title === 'say'),
    );
    const { ran } = await goOn(playbook, { entries, restore: () => undefined }, options);
    expect(ran.said).to.deep.equal(['1']);
  });

  it('still masks what an action masked', async () => {
    const playbook = `
- hosts: all
  tasks:
    - { name: ask, pause: { prompt: 'Who?', echo: false }, register: answer }
    - { name: say, debug: { msg: '{{answer.user_input}}' } }
`;
    const options: TextOptions = { ask: () => Promise.resolve('swordfish') };
    const run = await keptRun(playbook, options);
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'ask')), options);
    expect(ran.said).to.deep.equal(['swordfish']);
    expect(ran.secrets.mask('a swordfish')).not.to.include('swordfish');
  });

  it('does not ask again about declined tasks', async () => {
    const playbook =
      '- hosts: all\n  tasks:\n    - { name: a, debug: { msg: a } }\n    - { name: b, debug: { msg: b } }\n    - { name: c, debug: { msg: c } }\n';
    const asked: string[] = [];
    const options: TextOptions = {
      confirmTask: (title) => {
        asked.push(title);
        return Promise.resolve(title === 'a' ? 'skip' : 'run');
      },
    };
    const run = await keptRun(playbook, options);
    asked.length = 0;
    const { ran } = await goOn(playbook, momentAfter(run, settledStep('lb1', 'b')), options);
    expect(asked).to.deep.equal(['c']);
    expect(ran.lines).to.deep.equal(['lb1 c: ok']);
  });
});

describe('a run that was interrupted', () => {
  const CLEANING = `
- hosts: all
  tasks:
    - { name: before, debug: { msg: hi } }
    - block:
        - { name: make, debug: { msg: hi } }
        - { name: use, debug: { msg: hi } }
      always:
        - { name: clean, debug: { msg: hi } }
`;

  it('resumes in a block whose always ran, and runs it again at the end', async () => {
    const run = await keptRun(CLEANING, interruptAt('make'));
    expect(run.ran.lines).to.deep.equal(['lb1 before: ok', 'lb1 make: ok', 'lb1 clean: ok']);
    const { ran } = await goOn(CLEANING, asItWas(run));
    expect(ran.lines).to.deep.equal(['lb1 use: ok', 'lb1 clean: ok']);
    expect(ran.finished.stats['lb1']).to.deep.include({ ok: 4 });
  });

  it('can be interrupted and resumed any number of times', async () => {
    let run = await keptRun(CLEANING, interruptAt('before'));
    for (const task of ['make', 'use']) run = await goOn(CLEANING, asItWas(run), interruptAt(task));
    expect(run.ran.finished).to.deep.include({ status: 'interrupted', exitCode: 130 });
    const { ran } = await goOn(CLEANING, asItWas(run));
    expect(ran.finished.exitCode).to.equal(0);
    expect(ran.finished.stats['lb1']).to.deep.include({ ok: 4 });
  });

  it('does not repeat the tasks before forced handlers', async () => {
    const playbook = `
- hosts: all
  force_handlers: true
  tasks:
    - { name: change, set_fact: { a: 1 }, changed_when: true, notify: h }
    - { name: next, debug: { msg: hi } }
  handlers: [{ name: h, debug: { msg: handled } }]
`;
    const run = await keptRun(playbook, interruptAt('change'));
    expect(run.ran.lines).to.deep.equal(['lb1 change: changed', 'lb1 h: ok']);
    expect(run.journal.of('steps-forgotten')).to.deep.equal([]);
    const { ran } = await goOn(playbook, asItWas(run));
    expect(ran.lines).to.deep.equal(['lb1 next: ok', 'lb1 h: ok']);
  });

  it('repeats tasks that failed after the interrupt, ignored or not', async () => {
    for (const ignored of [false, true]) {
      const playbook = `
- hosts: all
  tasks:
    - { name: first, debug: { msg: hi } }
    - { name: broken, fail: { msg: nope }, ignore_errors: ${ignored}, when: fails | bool }
`;
      const run = await keptRun(playbook, { ...interruptAt('broken'), extraVars: { fails: true } });
      expect(run.ran.lines).to.deep.equal(['lb1 first: ok', `lb1 broken: failed${ignored ? ' ignored' : ''}`]);
      const { ran } = await goOn(playbook, asItWas(run), { extraVars: { fails: false } });
      expect(ran.lines).to.deep.equal(['lb1 broken: skipped']);
      expect(ran.finished.exitCode).to.equal(0);
    }
  });

  it('counts earlier results, although nothing new may start', async () => {
    const playbook = `${CLEANING}- hosts: all\n  tasks: [{ name: last, debug: { msg: hi } }, { name: end, debug: { msg: hi } }]\n`;
    const run = await keptRun(playbook, TWO);
    const stopped = new AbortController();
    stopped.abort();
    const moment = momentAfter(run, settledStep('lb2', 'last'));
    const { ran } = await goOn(playbook, moment, { ...TWO, drain: stopped.signal });
    expect(ran.lines).to.deep.equal([]);
    expect(ran.finished).to.deep.include({ status: 'interrupted', unstarted: [] });
    expect(ran.finished.stats['lb2']).to.deep.include({ ok: 5 });
    expect(ran.finished.cutOff).to.include('lb2');
  });

  it('waits again if a wait was interrupted', async () => {
    const playbook = '- hosts: all\n  tasks: [{ name: wait, pause: { seconds: "{{seconds}}" } }]\n';
    const run = await keptRun(playbook, { ...interruptAt('wait'), extraVars: { seconds: 3600 } });
    expect(run.ran.lines).to.deep.equal(['lb1 wait: interrupted']);
    const { ran } = await goOn(playbook, asItWas(run), { extraVars: { seconds: 0 } });
    expect(ran.lines).to.deep.equal(['lb1 wait: ok']);
  });

  it('resumes with the remaining items of a loop', async () => {
    const playbook = `
- hosts: all
  tasks:
    - { name: each, debug: { msg: '{{item}}' }, loop: [1, 2, 3] }
    - { name: next, debug: { msg: hi } }
`;
    const interrupt = new AbortController();
    const run = await keptRun(playbook, {
      drain: interrupt.signal,
      watch: (event) => {
        if (event.type === 'task-finished' && event.item === '1') interrupt.abort();
      },
    });
    expect(run.ran.lines).to.deep.equal(['lb1 each [1]: ok', 'lb1 each: interrupted']);
    const { ran } = await goOn(playbook, asItWas(run));
    expect(ran.lines).to.deep.equal(['lb1 each [2]: ok', 'lb1 each [3]: ok', 'lb1 each: ok', 'lb1 next: ok']);
  });
});
