import { expect } from 'chai';
import { goOn, keptRun } from '../../rig/cut_run.js';
import { runText, type Ran } from '../../rig/run_text.js';

describe('the event of a whole loop', () => {
  it('says what is true of its items: of all of them, or of some', async () => {
    const loop = 'loop: [1, 2]';
    const { tasks } = await runText(
      `
- hosts: lb1
  ignore_errors: true
  tasks:
    - { name: checked, debug: { msg: a }, ${loop}, check_mode: true }
    - { name: partly, debug: { msg: a }, ${loop}, check_mode: '{{ item == 1 }}' }
    - { name: away, debug: { msg: a }, ${loop}, delegate_to: lb2 }
    - { name: apart, debug: { msg: a }, ${loop}, delegate_to: 'lb{{ item }}' }
    - { name: ignored, fail: { msg: nope }, ${loop}, ignore_errors: true }
    - { name: one, fail: { msg: nope }, ${loop}, ignore_errors: true, when: item == 2 }
    - { name: differs, debug: { msg: a }, ${loop}, diff: '{{ item == 2 }}' }
    - { name: none, debug: { msg: a }, loop: [] }
    - { name: skipped, debug: { msg: a }, ${loop}, when: item > 2 }
    - { name: changed, debug: { msg: a }, ${loop}, changed_when: item == 2 }
    - { name: last, fail: { msg: nope }, ${loop}, ignore_errors: '{{ item == 1 }}' }
`,
      { inventory: 'all: { hosts: { lb1: , lb2: } }' },
    );
    const whole = tasks.filter(({ item }) => item === undefined);
    const shown = whole.map(({ task, status, check, diff, ignored, delegatedTo, message = '' }) => [
      `${task}: ${status}`,
      [check === true && 'check', diff && 'diff', ignored === true && 'ignored', delegatedTo ?? false]
        .filter((one) => one !== false)
        .join(' '),
      message,
    ]);
    expect(shown).to.deep.equal([
      ['checked: ok', 'check', ''],
      ['partly: ok', '', ''],
      ['away: ok', 'lb2', ''],
      ['apart: ok', '', ''],
      ['ignored: failed', 'ignored', '2 of 2 items failed; item 1: nope'],
      ['one: failed', 'ignored', '1 of 2 items failed; item 2: nope'],
      ['differs: ok', 'diff', ''],
      ['none: skipped', '', 'No items in the list'],
      ['skipped: skipped', '', 'All items skipped'],
      ['changed: changed', '', ''],
      ['last: failed', '', '2 of 2 items failed; item 1: nope'],
    ]);
    const items = tasks.filter(({ task, item }) => task === 'partly' && item !== undefined);
    expect(items.map(({ item, check = false }) => [item, check])).to.deep.equal([
      ['1', true],
      ['2', false],
    ]);
  });

  it('is the same if the run was cut off between the items', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - name: away
      fail: { msg: nope }
      loop: [{ n: first }, { n: second }]
      loop_control: { label: '{{ item.n }}' }
      delegate_to: lb2
      ignore_errors: true
`;
    const options = { inventory: 'all: { hosts: { lb1: , lb2: } }' };
    const run = await keptRun(playbook, options);
    const between = run.moments.find(({ entries }) => {
      const last = entries.at(-1);
      return last?.type === 'step-settled' && last.item === 0;
    });
    if (between === undefined) throw new Error('there is no such moment');
    const { ran } = await goOn(playbook, between, options);
    const events = ({ tasks }: Ran) => tasks.map((event) => ({ ...event, time: '', seconds: 0 }));
    expect(events(ran).map(({ item }) => item)).to.deep.equal(['second', undefined]);
    expect(events(ran)).to.deep.equal(events(run.ran).slice(1));
    expect(events(ran).at(-1)).to.include({
      message: '2 of 2 items failed; item first: nope',
      delegatedTo: 'lb2',
      ignored: true,
    });
  });
});
