import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { runText } from '../../rig/run_text.js';

/** The registered result of a task, for every outcome. */
async function registeredBy(task: string): Promise<Value> {
  const playbook = `
- hosts: all
  tasks:
    - ignore_errors: true
      register: r
${task.replace(/^(?=.)/gm, '      ')}
    - debug: { var: r }
`;
  const { tasks } = await runText(playbook);
  return tasks.at(-1)?.values?.['r'] ?? null;
}

// Recorded from ansible-core 2.14; `failed` of skipped tasks and loops, and `false_condition` (of later versions), are added.
describe('registered results', () => {
  const table: Readonly<Record<string, readonly [string, Value]>> = {
    'a task that is ok': ['debug: { msg: hi }', { changed: false, failed: false, msg: 'hi' }],
    'a task that changed': ['debug: { msg: hi }\nchanged_when: true', { changed: true, failed: false, msg: 'hi' }],
    'a skipped task': [
      'debug: { msg: hi }\nwhen: 1 > 2',
      {
        changed: false,
        failed: false,
        skipped: true,
        skip_reason: 'Conditional result was False',
        false_condition: '1 > 2',
      },
    ],
    'a failed task': ['fail: { msg: nope }', { changed: false, failed: true, msg: 'nope' }],
    'failed_when that holds': [
      'debug: { msg: hi }\nfailed_when: true',
      { changed: false, failed: true, failed_when_result: true, msg: 'hi' },
    ],
    'failed_when that does not hold': [
      'fail: { msg: nope }\nfailed_when: false',
      { changed: false, failed: false, failed_when_result: false, msg: 'nope' },
    ],
    'a fact': ['set_fact: { a: 1 }', { changed: false, failed: false, ansible_facts: { a: 1 } }],
    'until that holds': [
      'debug: { msg: hi }\nuntil: true\nretries: 2\ndelay: 0',
      { attempts: 1, changed: false, failed: false, msg: 'hi' },
    ],
    'until that never holds': [
      'debug: { msg: hi }\nuntil: false\nretries: 2\ndelay: 0',
      { attempts: 2, changed: false, failed: true, msg: 'hi' },
    ],
    'a loop over nothing': [
      'debug: { msg: hi }\nloop: []',
      {
        changed: false,
        failed: false,
        msg: 'No items in the list',
        results: [],
        skipped: true,
        skip_reason: 'No items in the list',
        skipped_reason: 'No items in the list',
      },
    ],
    'a loop': [
      'debug: { msg: "{{item}}" }\nloop: [a, 2]\nloop_control: { index_var: ix }',
      {
        changed: false,
        failed: false,
        msg: 'All items completed',
        skipped: false,
        results: [
          {
            ansible_loop_var: 'item',
            ansible_index_var: 'ix',
            changed: false,
            failed: false,
            item: 'a',
            ix: 0,
            msg: 'a',
          },
          { ansible_loop_var: 'item', ansible_index_var: 'ix', changed: false, failed: false, item: 2, ix: 1, msg: 2 },
        ],
      },
    ],
    'a loop whose items failed': [
      'fail: { msg: nope }\nloop: [a]',
      {
        changed: false,
        failed: true,
        msg: 'One or more items failed',
        skipped: false,
        results: [{ ansible_loop_var: 'item', changed: false, failed: true, item: 'a', msg: 'nope' }],
      },
    ],
    'a loop whose items were skipped': [
      'debug: { msg: hi }\nloop: [a]\nwhen: item == "b"',
      {
        changed: false,
        failed: false,
        msg: 'All items skipped',
        skipped: true,
        skip_reason: 'All items skipped',
        results: [
          {
            ansible_loop_var: 'item',
            changed: false,
            failed: false,
            item: 'a',
            skipped: true,
            skip_reason: 'Conditional result was False',
            false_condition: 'item == "b"',
          },
        ],
      },
    ],
  };
  for (const [title, [task, value]] of Object.entries(table)) {
    it(title, async () => {
      expect(await registeredBy(task)).to.deep.equal(value);
    });
  }
});
