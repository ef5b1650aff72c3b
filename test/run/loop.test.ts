import { expect } from 'chai';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

function loop(task: string, options: TextOptions = {}): Promise<Ran> {
  return runText(`- hosts: all\n  tasks:\n    - name: t\n${task.replace(/^(?=.)/gm, '      ')}\n`, options);
}

describe('loops', () => {
  it('a failed item does not stop the others; one event an item, then one for the task', async () => {
    const { lines, tasks, finished } = await loop(`
fail: { msg: 'no {{item}}' }
when: item != "b"
loop: [a, b, c]
`);
    expect(lines).to.deep.equal(['lb1 t [a]: failed', 'lb1 t [b]: skipped', 'lb1 t [c]: failed', 'lb1 t: failed']);
    expect(tasks.at(-1)?.message).to.equal('2 of 3 items failed; item a: no a');
    expect(finished.stats['lb1']).to.deep.include({ failed: 1, skipped: 0 });
  });

  it('has changed something if one of the items has, though it failed', async () => {
    const task = 'fail: { msg: broken }\nchanged_when: item == "b"\nignore_errors: true\nloop: [a, b]';
    const { finished } = await loop(task);
    expect(finished.stats['lb1']).to.deep.include({ ok: 1, changed: 1, ignored: 1 });
  });

  it('marks each item as a check or not, and the task if all items were checks', async () => {
    const checks = async (check: string, items: string): Promise<unknown> => {
      const { tasks } = await loop(`debug: { msg: hi }\ncheck_mode: ${check}\nloop: ${items}`);
      return tasks.map((event) => event.check ?? false);
    };
    expect(await checks('true', '[1, 2]')).to.deep.equal([true, true, true]);
    expect(await checks('false', '[1, 2]')).to.deep.equal([false, false, false]);
    expect(await checks("'{{ item == 1 }}'", '[1, 2]')).to.deep.equal([true, false, false]);
    expect(await checks('true', '[]')).to.deep.equal([true]);
  });

  it('label names an item; without it, the item itself is shown', async () => {
    const { lines } = await loop(`
debug: { msg: hi }
loop: [{ name: a, size: 1 }]
loop_control: { label: '{{item.name}}' }
`);
    const { lines: unlabelled } = await loop('debug: { msg: hi }\nloop: [{ name: a }, 7]');
    expect(lines[0]).to.equal('lb1 t [a]: ok');
    expect(unlabelled.slice(0, 2)).to.deep.equal(['lb1 t [{"name":"a"}]: ok', 'lb1 t [7]: ok']);
  });

  it('facts of an item are there for the next', async () => {
    const { tasks } = await loop(
      `
set_fact: { all: '{{all | default([]) + [item * 2]}}' }
loop: [1, 2, 3]
register: r
`,
      { verbosity: 1 },
    );
    expect(tasks[2]?.values).to.deep.equal({ ansible_facts: { all: [2, 4, 6] } });
  });

  it('loop_var renames the item, index_var counts, extended adds ansible_loop', async () => {
    const { said } = await loop(`
debug: { msg: '{{cloud}} {{n}} {{ansible_loop.index}}/{{ansible_loop.length}}' }
loop: [a, b]
loop_control: { loop_var: cloud, index_var: n, extended: true }
`);
    expect(said).to.deep.equal(['a 0 1/2', 'b 1 2/2']);
  });

  it('task variables see the item', async () => {
    const { said } = await loop(`
debug: { msg: '{{text}}' }
vars: { text: 'it is {{item}}' }
loop: [a, b]
`);
    expect(said).to.deep.equal(['it is a', 'it is b']);
  });

  it('text that comes from an item is data, not a template', async () => {
    const { said } = await loop(`
debug: { msg: '{{item}}' }
loop: [!unsafe '{{nobody}}']
`);
    expect(said).to.deep.equal(['{{nobody}}']);
  });

  it('break_when ends it after the item for which it holds', async () => {
    const { lines } = await loop(`
debug: { msg: '{{item}}' }
loop: [1, 2, 3]
register: r
loop_control: { break_when: r.msg == 2 }
`);
    expect(lines).to.deep.equal(['lb1 t [1]: ok', 'lb1 t [2]: ok', 'lb1 t: ok']);
  });

  it('pause waits between items', async () => {
    const started = performance.now();
    await loop('debug: { msg: hi }\nloop: [1, 2, 3]\nloop_control: { pause: 0.1 }');
    expect(performance.now() - started).to.be.at.least(199);
  });

  it('parallel takes several items at once; results stay in order', async () => {
    const { lines, tasks } = await loop(
      `
pause: { seconds: '{{item}}' }
loop: [0.3, 0.01, 0.02]
loop_control: { parallel: 3 }
register: r
failed_when: item == 0.02
`,
      { verbosity: 1 },
    );
    expect(lines.slice(0, 3)).to.deep.equal(['lb1 t [0.01]: ok', 'lb1 t [0.02]: failed', 'lb1 t [0.3]: ok']);
    const results = tasks.at(-1)?.values?.['results'] as readonly { item: number }[];
    expect(results.map(({ item }) => item)).to.deep.equal([0.3, 0.01, 0.02]);
  });

  it('is ignored if every failed item is', async () => {
    const { lines, finished } = await loop(`
fail: { msg: nope }
loop: [a, b]
ignore_errors: '{{item == "a"}}'
`);
    expect(lines).to.deep.equal(['lb1 t [a]: failed ignored', 'lb1 t [b]: failed', 'lb1 t: failed']);
    expect(finished.stats['lb1']).to.deep.include({ failed: 1, ignored: 0 });
  });

  it('what cannot be looped over does not matter if when skips the task', async () => {
    const { lines } = await loop('debug: { msg: hi }\nloop: "{{nobody}}"\nwhen: false');
    const { tasks } = await loop('debug: { msg: hi }\nloop: "{{inventory_hostname}}"');
    expect(lines).to.deep.equal(['lb1 t: skipped']);
    expect(tasks[0]).to.deep.include({ status: 'failed', message: 'loop needs a list, not the text "lb1"' });
    expect(tasks[0]?.cause).to.deep.equal({ file: 'site.yml', line: 5, column: 13 });
  });

  it('names in a registered dictionary are no secrets; values under secret names are', async () => {
    const { secrets } = await runText(`
- hosts: all
  tasks:
    - debug: { msg: hi }
      loop: '{{ {"edge": 1, "password": "swordfish"} | dict2items }}'
      register: r
`);
    expect(secrets.mask('edge and swordfish')).to.equal('edge and ********');
  });

  it('a loop that was skipped is registered as such, items and all', async () => {
    const { said } = await runText(`
- hosts: all
  tasks:
    - { debug: { msg: hi }, loop: [1, 2], when: item > 2, register: r }
    - { debug: { msg: hi }, loop: [], register: empty }
    - debug:
        msg: '{{r is skipped}} {{r.changed}} {{r.results | length}} {{r.results[1].skipped}} {{r.results[1].item}} {{empty.skipped_reason}}'
`);
    expect(said).to.deep.equal(['True False 2 True 2 No items in the list']);
  });

  it('results carry the index and ansible_loop, first and last know their neighbours', async () => {
    const { said } = await runText(`
- hosts: all
  tasks:
    - debug: { msg: '{{ansible_loop.previtem | default("none")}} {{ansible_loop.nextitem | default("none")}}' }
      loop: [a, b]
      loop_control: { extended: true, index_var: at, loop_var: it }
      register: r
    - debug:
        msg: '{{r.results[1].at}} {{r.results[1].ansible_index_var}} {{r.results[1].ansible_loop_var}} {{r.results[1].ansible_loop.revindex}} {{r.results[1].ansible_loop.allitems | join(",")}}'
`);
    expect(said).to.deep.equal(['none b', 'a none', '1 at it 1 a,b']);
  });
});
