import { expect } from 'chai';
import { allSteps, tasksIn } from '../../../src/core/model/playbook/playbook.js';
import { cleanupArea, gateArea, playArea } from '../../../src/core/model/playbook/step_place.js';
import { jsonText } from '../../../src/core/model/values/value.js';
import { StepKeys } from '../../../src/engine/journal/step_keys.js';
import { load, playOf, tasksOf } from '../../rig/loaded.js';

const TASKS = '- debug: { msg: one }\n- debug: { msg: two }\n- debug: { msg: one }\n';

describe('the identity of a step', () => {
  it('is the same for equal steps, and numbered from 0 in each play and each gate', async () => {
    const { plays } = await load(playOf(TASKS));
    const keys = new StepKeys(jsonText);
    const numbers = (area: string): unknown => tasksOf(plays[0]).map((task) => keys.identify(task, area).number);
    for (const area of [playArea(0), playArea(7), gateArea(playArea(7))])
      expect(numbers(area), area).to.deep.equal([0, 1, 0]);
  });

  it('has another number in the cleanup of its play, because one list counts both', async () => {
    const { plays } = await load(playOf(TASKS));
    const keys = new StepKeys(jsonText);
    const [step] = tasksOf(plays[0]);
    if (step === undefined) throw new Error('no step');
    expect(keys.identify(step, playArea(0))).to.include({ number: 0 });
    const cleanup = keys.identify(step, cleanupArea(playArea(0)));
    expect(cleanup).to.include({ number: 1, first: `${cleanup.text}~1` });
    expect(keys.identify(step, playArea(0))).to.include({ number: 0 });
  });

  it('has no number after the first few hundred of a play, because a list is as long as its highest number', async () => {
    const many = Array.from({ length: 520 }, (_, at) => `- debug: { msg: "${at}" }\n`).join('');
    const { plays } = await load(playOf(many));
    const keys = new StepKeys(jsonText);
    const numbers = tasksOf(plays[0]).map((task) => keys.identify(task, playArea(0)).number);
    expect(numbers.slice(510, 514)).to.deep.equal([510, 511, undefined, undefined]);
  });

  it('is what is written at the task and around it, but for the list of its loop', async () => {
    const same = [
      'debug: { msg: a }',
      'debug: { msg: b }',
      'name: n\n  debug: { msg: a }',
      'debug: { msg: a }\n  when: x',
      'debug: { msg: a }\n  when: [x, y]',
      'debug: { msg: a }\n  loop: [1]',
      'debug: { msg: a }\n  with_items: [1]',
      'debug: { msg: a }\n  with_list: [1]',
      'debug: { msg: a }\n  loop: [1]\n  loop_control: { loop_var: one }',
      'debug: { msg: a }\n  delegate_to: lb1',
      'debug: { msg: a }\n  delegate_to: lb2',
      'debug: { msg: a }\n  run_once: true',
      'debug: { msg: a }\n  run_once: false',
      'debug: { msg: a }\n  check_mode: true',
      'debug: { msg: a }\n  check_mode: false',
      'debug: { msg: a }\n  vars: { v: 1 }',
      'debug: { msg: a }\n  vars: { v: 2 }',
      'fail: { msg: a }',
      'include_role: { name: web }',
      'include_role: { name: web }\n  vars: { v: 1 }',
    ];
    const text = (indent: string): string =>
      same.map((one) => `${indent}- ${one.replaceAll('\n  ', `\n${indent}  `)}\n`).join('');
    const { plays } = await load(`- hosts: all\n  roles: [web]\n  tasks:\n${text('    ')}`, {
      'roles/web/tasks/main.yml': text('').replace(/^- include_role.*\n(?: .*\n)?/gm, ''),
    });
    const keys = new StepKeys(jsonText);
    const all = plays.flatMap((play) => [...tasksIn(allSteps(play))]);
    expect(all).to.have.length(2 * same.length - 2);
    expect(new Set(all.map((task) => keys.taskKey(task))).size).to.equal(all.length);
    const [first] = all;
    if (first === undefined) throw new Error('no task');
    expect(keys.taskKey(first)).to.equal(keys.taskKey({ ...first, register: 'r', tags: ['t'] }));
    const loops = all.flatMap(({ loop }) => (loop === undefined ? [] : [keys.list(loop)]));
    expect(new Set(loops)).to.deep.equal(new Set(['[1]']));
    expect(keys.within('x', [1])).to.equal('["x",[1]]/');
  });

  it('is shared by equal steps that may differ: with conditions, loops, templates or includes', async () => {
    const twice = async (task: string): Promise<number | undefined> => {
      const { plays } = await load(playOf(`- ${task}\n- ${task}\n- debug: { msg: other }\n`));
      const steps = plays.flatMap(({ tasks }) => tasks);
      const [first] = tasksOf(plays[0]);
      if (first === undefined) throw new Error('no task');
      return new StepKeys(jsonText).countEqual(first, steps);
    };
    for (const [task, count] of [
      ['debug: { msg: a }', undefined],
      ['debug: { msg: [1, { a: b }, null] }', undefined],
      ['debug: { msg: "{{ a }}" }', 2],
      ['debug: { msg: [1, { a: "{{ a }}" }] }', 2],
      ['debug: { msg: a }\n  when: x', 2],
      ['debug: { msg: a }\n  loop: [1]', 2],
      ['debug: { msg: a }\n  vars: { v: 1 }', undefined],
      ['debug: { msg: a }\n  vars: { v: ["{{ a }}"] }', 2],
      ['debug: { msg: !unsafe "{{ a }}" }', undefined],
      ['include_tasks: more.yml', 2],
    ] as const)
      expect(await twice(task), task).to.equal(count);
  });
});
