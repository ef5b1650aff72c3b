import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { runText, type Ran } from '../../rig/run_text.js';

const INVENTORY = 'all: { hosts: { lb1: { wanted: 2, bad: false }, lb2: { wanted: 9, bad: true } } }\n';

const run = (tasks: string): Promise<Ran> =>
  runText(`- hosts: all\n  tasks:\n${tasks.trim().replaceAll(/^/gm, '    ')}\n`, { inventory: INVENTORY });

/** The failures of each controller, with the line and column of what decided. */
const failures = ({ tasks }: Ran): readonly string[] =>
  tasks.flatMap(({ controller, status, message = '', cause }) =>
    status === 'failed'
      ? [`${controller} ${message} @${cause === undefined ? '' : `${cause.line}:${cause.column}`}`]
      : [],
  );

const retries = (events: readonly Event[]): readonly string[] =>
  events.flatMap((one) => (one.type === 'task-retried' ? [`${one.controller} ${one.attempt}/${one.attempts}`] : []));

describe('the conditions of a task, on two controllers', () => {
  it('call nothing that runs programs, and are no templates, in arguments that are one template', async () => {
    const ran = await run(`
- assert: "{{ { 'that': \\"lookup('pipe', 'true') == ''\\" } }}"
  ignore_errors: true
- debug: "{{ { 'var': \\"lookup('pipe', 'true')\\" } }}"
  ignore_errors: true
- assert: "{{ { 'that': ['{', '{ true }', '}'] | join } }}"
  ignore_errors: true
- assert: "{{ { 'that': '' } }}"
- assert: "{{ { 'that': none } }}"
- assert: "{{ { 'that': ['', 'wanted == 2', not bad] } }}"
`);
    const refused = 'a condition made by {{ }} must not call "lookup"';
    expect(failures(ran).filter((one) => one.startsWith('lb1'))).to.deep.equal([
      `lb1 ${refused} @3:15`,
      `lb1 ${refused} @5:14`,
      'lb1 cannot read the expression "{{ true }}": there are braces within braces @7:15',
    ]);
    expect(failures(ran).at(-1)).to.equal('lb2 Assertion failed: wanted == 2 @');
    const hints = ran.tasks.flatMap(({ hint }) => hint ?? []);
    expect(hints).to.include('write the condition in the playbook, without {{ }}');
  });

  it('repeat it until all of "until" hold, and say which conditions never did', async () => {
    const ran = await run(`
- debug: { msg: x }
  register: it
  until:
    - it.attempts is defined
    - it.attempts >= wanted
  retries: 2
  delay: 0
  changed_when: true
  ignore_errors: true
- debug: { msg: '{{ it.attempts }} {{ it is changed }} {{ it is failed }}' }
`);
    expect(retries(ran.events).toSorted()).to.deep.equal(['lb1 1/3', 'lb2 1/3', 'lb2 2/3']);
    expect(failures(ran)).to.deep.equal([
      'lb2 failed after 3 attempts: "until" was never true: it.attempts is defined and it.attempts >= wanted @6:11',
    ]);
    expect(ran.said.filter((text) => /^\d/.test(text)).toSorted()).to.deep.equal(['2 True False', '2 True True']);
  });

  it('say that it failed each time, if there are only "retries"', async () => {
    const ran = await run(`
- fail: { msg: wrong }
  when: bad
  register: it
  retries: 1
  delay: 0
  ignore_errors: true
- debug: { msg: '{{ it.attempts | default(0) }} {{ it.msg | default("") }}' }
`);
    expect(retries(ran.events)).to.deep.equal(['lb2 1/2']);
    expect(failures(ran)).to.deep.equal(['lb2 wrong @']);
    expect(ran.said).to.have.members(['0 ', '1 wrong']);
  });

  it('decide whether it failed, and keep what it said', async () => {
    const ran = await run(`
- debug: { msg: hello }
  register: it
  failed_when: [bad, it.msg == 'hello']
  changed_when: [wanted == 2, true]
  ignore_errors: true
- debug: { msg: '{{ it.msg }} {{ it is changed }} {{ it.failed_when_result }} {{ it is failed }}' }
- fail: { msg: broken }
  register: other
  failed_when: bad
  changed_when: not bad
  ignore_errors: true
- debug: { msg: '{{ other.msg }} {{ other is changed }} {{ other.failed_when_result }} {{ other is failed }}' }
`);
    expect(failures(ran)).to.deep.equal(["lb2 failed_when: bad and it.msg == 'hello' @5:21", 'lb2 broken @']);
    expect(ran.lines.filter((line) => line.includes('fail'))).to.deep.equal([
      'lb2 debug: failed ignored',
      'lb1 fail: changed',
      'lb2 fail: failed ignored',
    ]);
    expect(ran.said.filter((text) => / (?:True|False) /.test(text))).to.have.members([
      'hello True False False',
      'hello False True True',
      'broken True False False',
      'broken False True True',
    ]);
  });

  it('end a loop, each for its own controller', async () => {
    const ran = await run(`
- debug: { msg: '{{ item }}' }
  loop: [1, 2, 3]
  register: it
  loop_control: { break_when: [item == wanted] }
- debug: { msg: '{{ it.results | map(attribute="item") | list }} {{ it.msg }} {{ it.skipped }}' }
- debug: { msg: '{{ item }}' }
  loop: [1, 2]
  when: not bad
  register: other
- debug: { msg: '{{ other.msg }} {{ other.skipped }} {{ other is skipped }}' }
- fail: { msg: 'no {{ item.name }}' }
  loop: [{ name: a }, { name: b }, { name: c }]
  loop_control: { label: 'L{{ item.name }}' }
  failed_when: item.name != 'a' and (bad or item.name == 'c')
  register: third
  ignore_errors: true
- debug: { msg: '{{ third.msg }} {{ third is changed }} {{ third.results | map(attribute="failed") | list }}' }
`);
    expect(
      failures(ran)
        .filter((line) => line.includes(' of '))
        .toSorted(),
    ).to.deep.equal(['lb1 1 of 3 items failed; item Lc: no c @', 'lb2 2 of 3 items failed; item Lb: no b @']);
    expect(ran.said.filter((text) => text.length > 1)).to.have.members([
      '[1,2] All items completed False',
      '[1,2,3] All items completed False',
      'All items completed False False',
      'All items skipped True True',
      'One or more items failed False [false,false,true]',
      'One or more items failed False [false,true,true]',
    ]);
  });
});
