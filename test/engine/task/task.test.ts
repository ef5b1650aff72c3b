import { expect } from 'chai';
import { emptyStats } from '../../../src/core/model/run/result.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import type { ActionResult } from '../../../src/module/contract.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';

/** Runs a task list (not indented). */
function runTasks(tasks: string, options: TextOptions & { readonly play?: string } = {}): Promise<Ran> {
  const { play = '', ...rest } = options;
  return runText(`- hosts: all\n${play}  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`, rest);
}

describe('tasks', () => {
  it('end the play for a controller when they fail, unless the failure is ignored', async () => {
    const { lines, finished } = await runTasks(`
- { name: one, fail: { msg: nope }, ignore_errors: true }
- { name: two, fail: { msg: nope }, ignore_errors: '{{inventory_hostname == "lb9"}}' }
- { name: three, debug: { msg: hi } }
`);
    expect(lines).to.deep.equal(['lb1 one: failed ignored', 'lb1 two: failed']);
    expect(finished.stats['lb1']).to.deep.include({ ok: 1, ignored: 1, failed: 1 });
  });

  it('evaluate when before they render arguments, and all its conditions must be true', async () => {
    const { lines } = await runTasks(`
- { name: one, debug: { msg: '{{nobody_knows}}' }, when: nobody_knows is defined }
- { name: two, debug: { msg: hi }, when: [true, 1 == 2, nobody_knows] }
`);
    expect(lines).to.deep.equal(['lb1 one: skipped', 'lb1 two: skipped']);
  });

  it('report the position of an undefined variable, and of the variable that uses it', async () => {
    const { tasks } = await runTasks(
      `
- { name: one, debug: { msg: '{{greting}}' }, vars: { greeting: hello }, ignore_errors: true }
- { name: two, debug: { msg: '{{motto}}' }, ignore_errors: true }
`,
      { play: "  vars:\n    motto: 'we are {{nobody}}'\n" },
    );
    expect(tasks[0]).to.deep.include({
      message: 'variable "greting" is not defined',
      hint: 'did you mean "greeting"?',
    });
    expect(tasks[0]?.cause).to.deep.equal({ file: 'site.yml', line: 6, column: 34 });
    expect(tasks[1]?.message).to.equal('variable "nobody" is not defined (from "motto")');
    expect(tasks[1]?.cause).to.deep.include({ file: 'site.yml', line: 3 });
  });

  it('report the position of the expression in an argument, or in its list, that fails', async () => {
    const { tasks } = await runTasks(`
- { assert: { that: 'nobody > 1' }, ignore_errors: true }
- { assert: { fail_msg: no, that: [true, 'nobody > 1'] }, ignore_errors: true }
- { assert: { that: [true, true, 'nobody > 1'] }, ignore_errors: true }
`);
    expect(tasks.map(({ cause }) => cause?.line)).to.deep.equal([4, 5, 6]);
    expect(tasks.map(({ cause }) => cause?.column)).to.deep.equal([25, 46, 38]);
  });

  it('check rendered arguments, and report their position', async () => {
    const { tasks } = await runTasks(`
- pause: { seconds: '{{inventory_hostname}}' }
`);
    expect(tasks[0]).to.deep.include({ status: 'failed', message: '"seconds" must be a number, not "lb1"' });
    expect(tasks[0]?.cause).to.deep.equal({ file: 'site.yml', line: 4, column: 25 });
  });

  it('evaluate changed_when, then failed_when with the result, and all conditions of a list must be true', async () => {
    const { lines, said } = await runTasks(`
- name: one
  debug: { msg: hi }
  register: r
  changed_when: r.msg == "hi"
  failed_when: [r.changed, r.msg == "no"]
- name: two
  debug: { msg: hi }
  register: r
  changed_when: true
  failed_when: r.changed
  ignore_errors: true
- debug: { msg: '{{r is failed}} {{r.changed}}' }
`);
    expect(lines.slice(0, 2)).to.deep.equal(['lb1 one: changed', 'lb1 two: failed ignored']);
    expect(said.at(-1)).to.equal('True True');
  });

  it('say that they changed something also if they failed after that: themselves, and as an item of a loop', async () => {
    const { tasks, finished } = await runTasks(`
- block:
    - { name: one, debug: { msg: hi }, changed_when: true, failed_when: true }
  rescue:
    - { name: two, debug: { msg: hi }, loop: [1, 2], changed_when: item == 1, failed_when: item == 1, ignore_errors: true }
- { name: three, debug: { msg: hi }, failed_when: true, ignore_errors: true }
- { name: four, debug: { msg: hi }, changed_when: true, notify: '{{inventory_hostname}}' }
`);
    expect(tasks.map(({ task, changed = null }) => [task, changed])).to.deep.equal([
      ['one', true],
      ['two', true],
      ['two', null],
      ['two', true],
      ['three', null],
      ['four', true],
    ]);
    const { tasks: later } = await runTasks(`
- { name: five, debug: { msg: hi }, register: r, changed_when: r.attempts == 1, until: false, retries: 1, delay: 0, ignore_errors: true }
- { name: six, debug: { msg: hi }, changed_when: false, until: false, retries: 1, delay: 0, ignore_errors: true }
`);
    expect(later.map(({ changed = null }) => changed)).to.deep.equal([true, null]);
    // As in Ansible, a rescued failure counts as nothing else.
    expect(finished.stats['lb1']).to.deep.equal({
      ...emptyStats(),
      ok: 2,
      changed: 1,
      ignored: 2,
      rescued: 1,
      failed: 1,
    });
  });

  it('evaluate neither changed_when nor failed_when if they are skipped', async () => {
    const { lines } = await runTasks(`
- { name: one, debug: { msg: hi }, when: false, changed_when: nobody_knows, failed_when: nobody_knows }
`);
    expect(lines).to.deep.equal(['lb1 one: skipped']);
  });

  it('are repeated with until, and report it, with a growing delay', async () => {
    const started = performance.now();
    const { events, said } = await runTasks(`
- set_fact: { tries: '{{tries | default(0) + 1}}' }
  until: r.ansible_facts.tries == 3
  retries: 4
  delay: 0.05
  backoff: 2
  register: r
- debug: { msg: '{{r.attempts}}' }
`);
    // Facts come after the last attempt, as in Ansible: each attempt sees the same variables.
    expect(said).to.deep.equal([]);
    expect(events.filter(({ type }) => type === 'task-retried')).to.have.length(4);
    expect(performance.now() - started).to.be.at.least(50 + 100 + 200 + 400);
  });

  it('do not fail if until is true after the last attempt', async () => {
    const { lines, finished } = await runTasks(`
- { name: one, fail: { msg: nope }, until: r is failed, register: r, delay: 0, ignore_errors: true }
- { name: two, debug: { msg: hi }, retries: 2, delay: 0, failed_when: true }
`);
    expect(lines).to.deep.equal(['lb1 one: failed ignored', 'lb1 two: failed']);
    expect(finished.stats['lb1']?.failed).to.equal(1);
  });

  it('show only their status with no_log', async () => {
    const { tasks, secrets } = await runTasks(`
- { name: one, debug: { msg: 'the answer is 42' }, no_log: true, register: r }
- { name: two, fail: { msg: 'sesame-{{item}}' }, loop: [first, lb1], no_log: '{{1 == 1}}', ignore_errors: true }
- { name: three, debug: { msg: '{{r.msg | length}}' } }
`);
    const censored = "the output has been hidden due to the fact that 'no_log: true' was specified for this result";
    expect(tasks.slice(0, 4).map(({ message }) => message)).to.deep.equal([censored, censored, censored, censored]);
    expect(tasks.slice(0, 4).some((task) => 'values' in task || 'change' in task)).to.equal(false);
    expect(tasks.map(({ item }) => item)).to.deep.equal([undefined, '#1', '#2', undefined, undefined]);
    expect(tasks.at(-1)?.message).to.equal('16');
    expect(secrets.mask('sesame-first on lb1')).to.equal('******** on lb1');
  });

  it('do not mask ordinary words elsewhere because of no_log, and mask what they register', async () => {
    const { tasks, secrets } = await runTasks(`
- { debug: { msg: production }, no_log: true, register: hidden }
- { debug: { msg: production } }
- { debug: { var: hidden.msg } }
- { debug: { msg: 'the site is {{hidden.msg}}' } }
- { set_fact: { site: staging, site_pw: staging-site, code: x-42-y }, no_log: true }
- { debug: { msg: 'staging {{site}}' } }
- { debug: { msg: 'staging and staging-site and x-42-y' } }
- { debug: { msg: production }, register: hidden }
- { debug: { var: hidden.msg } }
`);
    expect(tasks.map(({ message }) => message).slice(1, 4)).to.deep.equal([
      'production',
      'hidden.msg: ********',
      'the site is ********',
    ]);
    expect(tasks[5]?.message).to.equal('******** ********');
    expect(secrets.mask(tasks[6]?.message ?? '')).to.equal('staging and ******** and ********');
    expect(tasks.at(-1)?.message).to.equal('hidden.msg: production');
  });

  it('fail on an unexpected exception of their module, and name the module', async () => {
    const broken = { type: 'action', name: 'debug', summary: '', examples: [], check: true } as const;
    const run = () => Promise.reject(new Error('boom'));
    const { default: debug } = await import('../../../modules/debug.js');
    const catalogue = {
      names: ['debug'],
      load: () => Promise.resolve({ ...broken, args: debug.args, run }),
      add: () => [],
    };
    const { tasks } = await runTasks('- debug: { msg: hi }', { catalogue, verbosity: 1 });
    expect(tasks[0]).to.deep.include({ status: 'failed', message: 'the module debug crashed: boom' });
    expect(tasks[0]?.values?.['exception']).to.match(/^Error: boom\n/);
  });

  it('keep their change, and that they changed something, if "until" never becomes true', async () => {
    const { default: debug } = await import('../../../modules/debug.js');
    const change = { kind: 'update', object: 'thing', before: { a: 0 }, after: { a: 1 } } as const;
    const run = () => Promise.resolve({ status: 'changed', change } as const);
    const catalogue = { names: ['debug'], load: () => Promise.resolve({ ...debug, run }), add: () => [] };
    const { tasks } = await runTasks('- { debug: { msg: hi }, until: false, retries: 1, delay: 0 }', {
      catalogue,
      verbosity: 1,
    });
    expect(tasks.at(-1)).to.deep.include({
      status: 'failed',
      message: 'failed after 2 attempts: "until" was never true: false',
      change,
    });
    expect(tasks.at(-1)?.values).to.deep.include({ changed: true, attempts: 1 });
    const once = await runTasks('- { debug: { msg: hi }, until: false, retries: 0 }', { catalogue });
    expect(once.tasks.at(-1)?.message).to.equal('failed after 1 attempt: "until" was never true: false');
  });

  for (const [what, result, message] of [
    ['nothing', undefined, '"run" of the module debug returned nothing'],
    ['a result without a status', {}, '"run" of the module debug returned no known "status"'],
    ['an unknown status', { status: 'done' }, '"run" of the module debug returned no known "status"'],
  ] as const)
    it(`fail, and say what their module must return, if it returned ${what}`, async () => {
      const { default: debug } = await import('../../../modules/debug.js');
      const run = () => Promise.resolve(result as unknown as ActionResult);
      const catalogue = { names: ['debug'], load: () => Promise.resolve({ ...debug, run }), add: () => [] };
      const { tasks } = await runTasks('- debug: { msg: hi }', { catalogue });
      expect(tasks[0]).to.deep.include({ status: 'failed', message });
    });

  for (const [what, values, odd] of [
    [
      'a mapping that contains itself',
      aLoop(),
      '"values.a.b", which is nested more than 300 levels deep, or contains itself',
    ],
    ['a number that JSON has no word for', { list: [1, 2n] }, 'a bigint in "values.list.1"'],
    ['a function', { act: () => 1 }, 'a function in "values.act"'],
  ] as const) {
    it(`fail if their module returns ${what}, and the run continues`, async () => {
      const odds = { type: 'action', name: 'debug', summary: '', examples: [], check: true } as const;
      const run = () => Promise.resolve({ status: 'ok', values: values as unknown as Mapping } as const);
      const { default: debug } = await import('../../../modules/debug.js');
      const catalogue = {
        names: ['debug'],
        load: () => Promise.resolve({ ...odds, args: debug.args, run }),
        add: () => [],
      };
      const { tasks } = await runTasks('- { debug: { msg: hi }, register: r, ignore_errors: true }\n- debug: {}', {
        catalogue,
      });
      expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal(
        Array.from({ length: 2 }, () => ['failed', `the module debug returned ${odd}`]),
      );
      expect(tasks[0]?.hint).to.equal(
        'a module returns text, numbers, true, false, null, and lists and mappings of them',
      );
    });
  }

  it('fail if they register a change of a resource from something that is not data', async () => {
    const { default: debug } = await import('../../../modules/debug.js');
    const before = { size: 2n } as unknown as Mapping;
    const odd = {
      ...({ type: 'resource', name: 'debug', summary: '', examples: [], args: debug.args } as const),
      object: () => 'thing',
      read: () => Promise.resolve(before),
      plan: () => ({ change: { kind: 'update', object: 'thing', before, after: {} } }) as const,
      apply: () => Promise.resolve(),
    };
    const catalogue = { names: ['debug'], load: () => Promise.resolve(odd), add: () => [] };
    const playbook = '- { debug: { msg: hi }, check_mode: true, register: r }';
    const { tasks } = await runTasks(playbook, { catalogue });
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ['failed', 'the module debug returned a bigint in "values.change.before.size"'],
    ]);
  });

  it('accept an object that is not data if they do not register it', async () => {
    const { default: debug } = await import('../../../modules/debug.js');
    const odd = {
      ...({ type: 'resource', name: 'debug', summary: '', examples: [], args: debug.args } as const),
      object: () => 'thing',
      read: () => Promise.resolve({ size: 2n }),
      plan: () => ({ change: { kind: 'none' } }) as const,
      apply: () => Promise.resolve(),
    };
    const catalogue = { names: ['debug'], load: () => Promise.resolve(odd), add: () => [] };
    const { tasks } = await runTasks('- { debug: { msg: hi }, register: r }', { catalogue });
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([['ok', undefined]]);
  });

  it('fail before a write if the desired object is not data', async () => {
    const { default: debug } = await import('../../../modules/debug.js');
    let writes = 0;
    const after = { size: 2n } as unknown as Mapping;
    const odd = {
      ...({ type: 'resource', name: 'debug', summary: '', examples: [], args: debug.args } as const),
      object: () => 'thing',
      read: () => Promise.resolve(null),
      plan: () => ({ change: { kind: 'create', object: 'thing', before: null, after } }) as const,
      apply: () => Promise.resolve(void (writes += 1)),
    };
    const catalogue = { names: ['debug'], load: () => Promise.resolve(odd), add: () => [] };
    const { tasks } = await runTasks('- debug: { msg: hi }', { catalogue });
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      message: 'the module debug returned a bigint in "after.size"',
    });
    expect(writes).to.equal(0);
  });

  it('fail on a controller without settings, and name what is missing', async () => {
    const { tasks } = await runTasks('- api_request: { path: /api/cloud/ }');
    expect(tasks[0]?.status).to.equal('failed');
    expect(tasks[0]?.message).to.match(/^no controller_url; no controller_username; /);
  });

  it('run only as actions on the implicit localhost', async () => {
    const { tasks } = await runText(`
- hosts: localhost
  tasks:
    - debug: { msg: '{{inventory_hostname}} {{groups.all}}' }
    - cloud_present: { name: a }
`);
    expect(tasks.map(({ message, hint }) => [message, hint])).to.deep.equal([
      ['localhost ["lb1"]', undefined],
      [
        'localhost is this machine, not a controller',
        'only actions such as debug and set_fact run on it; add it to the inventory to manage a controller there',
      ],
    ]);
  });

  it('are skipped in check mode if they are actions that would do something', async () => {
    const { tasks } = await runTasks(
      '- { name: in check, api_request: { method: POST, path: /api/x/ }, check_mode: true }',
    );
    expect(tasks.map(({ status, message, check }) => [status, message, check])).to.deep.equal([
      ['skipped', 'api_request is not carried out in check mode', true],
    ]);
  });

  it('can have templates in their names', async () => {
    const { lines } = await runTasks(`
- { name: 'greet {{inventory_hostname}}', debug: { msg: hi } }
- { name: 'greet {{nobody_knows}}', debug: { msg: hi } }
- { debug: { msg: hi } }
`);
    expect(lines).to.deep.equal(['lb1 greet lb1: ok', 'lb1 greet {{nobody_knows}}: ok', 'lb1 debug: ok']);
  });
});

function aLoop(): object {
  const inner: { b?: object } = {};
  const outer = { a: inner };
  inner.b = outer;
  return outer;
}
