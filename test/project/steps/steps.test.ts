import { expect } from 'chai';
import type { Block, Task } from '../../../src/core/model/playbook/step.js';
import { load, mistakes, playOf, tasksOf } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

async function steps(text: string): Promise<readonly unknown[]> {
  const { plays, diagnostics } = await load(playOf(text));
  expect(diagnostics).to.deep.equal([]);
  return outline(plays[0]?.tasks ?? []);
}

async function block(text: string): Promise<Block> {
  const { plays, diagnostics } = await load(playOf(text));
  expect(diagnostics).to.deep.equal([]);
  const [first] = plays[0]?.tasks ?? [];
  if (first?.type !== 'block') throw new Error('no block');
  return first;
}

async function tasks(playbook: string): Promise<readonly Task[]> {
  const { plays, diagnostics } = await load(playbook);
  expect(diagnostics).to.deep.equal([]);
  return tasksOf(plays[0]).filter((task) => task.type === 'task');
}

describe('A block', () => {
  it('has steps, rescue and always, and can be nested', async () => {
    const text = `- name: Outer
  block:
    - debug:
    - block:
        - fail:
      rescue:
        - name: Inner rescue
          debug:
  rescue:
    - meta: noop
  always:
    - name: Last
      debug:
- debug:`;
    expect(await steps(text)).to.deep.equal([
      {
        Outer: ['debug', { block: ['fail'], rescue: ['Inner rescue'] }],
        rescue: ['meta noop'],
        always: ['Last'],
      },
      'debug',
    ]);
  });

  it('can be empty', async () => {
    expect(await steps('- block: []\n- block:\n- block:\n    - debug:\n  rescue:\n  always: []')).to.deep.equal([
      { block: [] },
      { block: [] },
      { block: ['debug'] },
    ]);
  });

  it('has its name, position and loop', async () => {
    const { name, source, loop } = await block(
      '- name: "{{ a }}"\n  block: []\n  loop: [1, 2]\n  loop_control: {loop_var: x}',
    );
    expect([name?.value, loop?.over.value, loop?.variable]).to.deep.equal(['{{ a }}', [1, 2], 'x']);
    expect(source).to.deep.equal({ file: 'site.yml', line: 3, column: 7 });
  });

  it('passes on conditions, outer ones first', async () => {
    const [task, rescue] = await tasks(
      playOf(
        '- block:\n    - block:\n        - debug:\n          when: [c, d]\n      when: b\n  rescue: [debug: ]\n  when: a',
      ),
    );
    expect(task?.when.map(({ expression }) => expression)).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(rescue?.when.map(({ expression }) => expression)).to.deep.equal(['a']);
  });

  it('passes on tags, which add up', async () => {
    const [task] = await tasks(`${playOf('- block:\n    - debug:\n      tags: [c, a]\n  tags: b')}  tags: a\n`);
    expect(task?.tags).to.deep.equal(['a', 'b', 'c']);
  });

  it('passes on other keywords, of which the nearest wins', async () => {
    const text = `- block:
    - debug:
    - debug:
      ignore_errors: false
      delegate_to: lb9
      notify: own
      timeout: 0
  ignore_errors: true
  ignore_unreachable: true
  any_errors_fatal: true
  run_once: true
  delegate_to: lb2
  delegate_facts: true
  notify: [one, two]
  throttle: 3
  timeout: 1.5
  no_log: true
  check_mode: false
  diff: "{{ d }}"`;
    const [first, second] = await tasks(
      `${playOf(text)}  ignore_unreachable: false\n  throttle: 9\n  handlers: [{debug: , listen: [one, two, own]}]\n`,
    );
    const values = (task: Task | undefined): unknown => [
      task?.ignoreErrors?.value,
      task?.ignoreUnreachable?.value,
      task?.anyErrorsFatal?.value,
      task?.runOnce?.value,
      task?.delegateTo?.value,
      task?.delegateFacts?.value,
      task?.notify.map(({ value }) => value),
      task?.throttle?.value,
      task?.timeout?.value,
      task?.noLog?.value,
      task?.checkMode?.value,
      task?.diff?.value,
    ];
    const shared = [true, true, true];
    expect(values(first)).to.deep.equal([true, ...shared, 'lb2', true, ['one', 'two'], 3, 1.5, true, false, '{{ d }}']);
    expect(values(second)).to.deep.equal([false, ...shared, 'lb9', true, ['own'], 3, 0, true, false, '{{ d }}']);
  });

  it('passes on variables: nearer ones are stronger, those of a task strongest', async () => {
    const [task] = await tasks(
      playOf(
        '- name: B\n  block:\n    - block:\n        - debug:\n          vars: {x: 3}\n      vars: {x: 2}\n  vars: {x: 1}',
      ),
    );
    expect(
      task?.layers.flatMap(({ level, values, origin }) => (level === 'magic' ? [] : [[level, values, origin]])),
    ).to.deep.equal([
      ['block vars', { x: 1 }, 'vars of "B"'],
      ['block vars', { x: 2 }, 'vars of a block'],
      ['task vars', { x: 3 }, 'task vars'],
    ]);
  });

  it('renders its loop with its variables', async () => {
    const { layers } = await block('- block: []\n  loop: "{{ l }}"\n  vars: {l: [1]}');
    expect(layers[0]).to.deep.include({ level: 'block vars', values: { l: [1] } });
  });

  it('reports its mistakes', async () => {
    const text = `- rescue:
    - debug:
- block: []
  always: [debug: ]
- block: {debug: }
- block: []
  register: x
  debug: msg=x
  until: y
  serial: 1
  become: true
  loop: names
- block:
    - block: words
    - debugg:`;
    expect(await mistakes(playOf(text))).to.deep.equal([
      'site.yml:3:7 "rescue" needs steps under "block"',
      'site.yml:6:7 "always" needs steps under "block"',
      'site.yml:7:14 "block" must be a list, not a mapping — begin each with "- "',
      'site.yml:9:7 "register" is not a keyword of a block — it belongs to a task',
      'site.yml:10:7 a block holds steps and calls no module itself — put "debug" into the list under "block"',
      'site.yml:11:7 "until" is not a keyword of a block — it belongs to a task',
      'site.yml:12:7 "serial" is not a keyword of a block — it belongs to a play',
      'warning: site.yml:13:7 "become" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
      'site.yml:14:13 "loop" must be a list, not text — for a variable, write "{{names}}"',
      'site.yml:16:18 "block" must be a list, not text — begin each with "- "',
      'site.yml:17:11 there is no module "debugg" — did you mean "debug"?',
    ]);
  });
});
