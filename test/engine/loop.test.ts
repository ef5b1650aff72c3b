import { expect } from 'chai';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

function loop(task: string, options: TextOptions = {}): Promise<Ran> {
  return runText(`- hosts: all\n  tasks:\n    - name: t\n${task.replace(/^(?=.)/gm, '      ')}\n`, options);
}

describe('loops', () => {
  it('continue after a failed item, and emit one event for each item, then one for the task', async () => {
    const { lines, tasks, finished } = await loop(`
fail: { msg: 'no {{item}}' }
when: item != "b"
loop: [a, b, c]
`);
    expect(lines).to.deep.equal(['lb1 t [a]: failed', 'lb1 t [b]: skipped', 'lb1 t [c]: failed', 'lb1 t: failed']);
    expect(tasks.at(-1)?.message).to.equal('2 of 3 items failed; item a: no a');
    expect(finished.stats['lb1']).to.deep.include({ failed: 1, skipped: 0 });
  });

  it('are changed if an item changed something, even if another failed', async () => {
    const task = 'fail: { msg: broken }\nchanged_when: item == "b"\nignore_errors: true\nloop: [a, b]';
    const { finished } = await loop(task);
    expect(finished.stats['lb1']).to.deep.include({ ok: 1, changed: 1, ignored: 1 });
  });

  it('mark each item as a check or not, and the task if all items were checks', async () => {
    const checks = async (check: string, items: string): Promise<unknown> => {
      const { tasks } = await loop(`debug: { msg: hi }\ncheck_mode: ${check}\nloop: ${items}`);
      return tasks.map((event) => event.check ?? false);
    };
    expect(await checks('true', '[1, 2]')).to.deep.equal([true, true, true]);
    expect(await checks('false', '[1, 2]')).to.deep.equal([false, false, false]);
    expect(await checks("'{{ item == 1 }}'", '[1, 2]')).to.deep.equal([true, false, false]);
    expect(await checks('true', '[]')).to.deep.equal([true]);
  });

  it('show the label of an item, or the item itself', async () => {
    const { lines } = await loop(`
debug: { msg: hi }
loop: [{ name: a, size: 1 }]
loop_control: { label: '{{item.name}}' }
`);
    const { lines: unlabelled } = await loop('debug: { msg: hi }\nloop: [{ name: a }, 7]');
    expect(lines[0]).to.equal('lb1 t [a]: ok');
    expect(unlabelled.slice(0, 2)).to.deep.equal(['lb1 t [{"name":"a"}]: ok', 'lb1 t [7]: ok']);
  });

  it('show a template in an item as the text that it is', async () => {
    const { lines } = await loop(`debug: { msg: hi }\nloop: "{{ ['{', '{ 1 + 1 }', '}'] | join | split(',') }}"`);
    expect(lines[0]).to.equal('lb1 t [{{ 1 + 1 }}]: ok');
  });

  it('make the facts of an item visible to the next one', async () => {
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

  it('rename the item with loop_var, count with index_var, and add ansible_loop with extended', async () => {
    const { said } = await loop(`
debug: { msg: '{{cloud}} {{n}} {{ansible_loop.index}}/{{ansible_loop.length}}' }
loop: [a, b]
loop_control: { loop_var: cloud, index_var: n, extended: true }
`);
    expect(said).to.deep.equal(['a 0 1/2', 'b 1 2/2']);
  });

  it('make the item visible to variables of the task', async () => {
    const { said } = await loop(`
debug: { msg: '{{text}}' }
vars: { text: 'it is {{item}}' }
loop: [a, b]
`);
    expect(said).to.deep.equal(['it is a', 'it is b']);
  });

  it('treat text of an item as data, not as a template', async () => {
    const { said } = await loop(`
debug: { msg: '{{item}}' }
loop: [!unsafe '{{nobody}}']
`);
    expect(said).to.deep.equal(['{{nobody}}']);
  });

  it('end after the item for which break_when is true', async () => {
    const { lines } = await loop(`
debug: { msg: '{{item}}' }
loop: [1, 2, 3]
register: r
loop_control: { break_when: r.msg == 2 }
`);
    expect(lines).to.deep.equal(['lb1 t [1]: ok', 'lb1 t [2]: ok', 'lb1 t: ok']);
  });

  it('keep what their items did if break_when cannot be evaluated', async () => {
    const { lines, said, finished } = await runText(`
- hosts: all
  tasks:
    - name: t
      debug: { msg: '{{ item }}' }
      changed_when: true
      loop: [a, b, c]
      register: r
      ignore_errors: true
      loop_control: { break_when: item == 'b' and r.nothing }
    - debug: { msg: '{{ r.results | map(attribute="item") | join }} {{ r.changed }} {{ r is failed }} {{ r.msg }}' }
`);
    expect(lines.slice(0, 3)).to.deep.equal(['lb1 t [a]: changed', 'lb1 t [b]: changed', 'lb1 t: failed ignored']);
    expect(said.at(-1)).to.match(/^ab True True .*nothing/);
    expect(finished.stats['lb1']).to.include({ changed: 1, ignored: 1 });
  });

  it('wait for items at work if break_when cannot be evaluated, start no others, and keep no fork', async () => {
    for (const strategy of ['linear', 'host_pinned']) {
      const { lines, finished } = await runText(
        `
- hosts: all
  strategy: ${strategy}
  tasks:
    - name: t
      wait_for: { timeout: '{{ item }}' }
      loop: [1, 0, 0, 0]
      register: r
      ignore_errors: true
      loop_control: { parallel: 2, break_when: r.nothing }
    - { name: after, debug: }
`,
        { inventory: 'all: { hosts: { lb1: , lb2: , lb3: } }', forks: 2 },
      );
      for (const name of ['lb1', 'lb2', 'lb3'])
        expect(lines.filter((line) => line.startsWith(name))).to.deep.equal(
          ['t [0]: ok', 't [1]: ok', 't: failed ignored', 'after: ok'].map((line) => `${name} ${line}`),
        );
      expect(finished.exitCode, strategy).to.equal(0);
    }
  });

  it('wait between items with pause', async () => {
    const started = performance.now();
    await loop('debug: { msg: hi }\nloop: [1, 2, 3]\nloop_control: { pause: 0.1 }');
    expect(performance.now() - started).to.be.at.least(199);
  });

  it('run several items at once with parallel, and keep the results in order', async () => {
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

  it('are ignored if every failed item is ignored', async () => {
    const { lines, finished } = await loop(`
fail: { msg: nope }
loop: [a, b]
ignore_errors: '{{item == "a"}}'
`);
    expect(lines).to.deep.equal(['lb1 t [a]: failed ignored', 'lb1 t [b]: failed', 'lb1 t: failed']);
    expect(finished.stats['lb1']).to.deep.include({ failed: 1, ignored: 0 });
  });

  it('ignore an invalid list if when skips the task', async () => {
    const { lines } = await loop('debug: { msg: hi }\nloop: "{{nobody}}"\nwhen: false');
    const { tasks } = await loop('debug: { msg: hi }\nloop: "{{inventory_hostname}}"');
    expect(lines).to.deep.equal(['lb1 t: skipped']);
    expect(tasks[0]).to.deep.include({ status: 'failed', message: 'loop needs a list, not a text' });
    expect(tasks[0]?.cause).to.deep.equal({ file: 'site.yml', line: 5, column: 13 });
  });

  it('do not mask names in a registered dictionary, but mask values under secret names', async () => {
    const { secrets } = await runText(`
- hosts: all
  tasks:
    - debug: { msg: hi }
      loop: '{{ {"edge": 1, "password": "swordfish"} | dict2items }}'
      register: r
`);
    expect(secrets.mask('edge and swordfish')).to.equal('edge and ********');
  });

  it('let each item see the result of the one before it, of its own controller', async () => {
    const text = '{{ inventory_hostname }} {{ item }} after {{ r.item | default("none") }}';
    const { said } = await loop(`debug: { msg: '${text}' }\nloop: [a, b, c]\nregister: r\n`, {
      inventory: 'all: { hosts: { lb1: , lb2: } }',
      forks: 1,
    });
    const rows = (name: string) => [`${name} a after none`, `${name} b after a`, `${name} c after b`];
    expect(said.toSorted()).to.deep.equal(['lb1', 'lb2'].flatMap(rows));
  });

  it('register a skipped loop with its items', async () => {
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

  it('register what became of all items', async () => {
    const { said } = await runText(`
- hosts: all
  tasks:
    - { debug: { msg: hi }, loop: [1, 2], register: good }
    - { debug: { msg: hi }, loop: [1, 2], changed_when: item == 2, register: changed }
    - { debug: { msg: hi }, loop: [1, 2], when: item == 3, register: skipped }
    - { debug: { msg: hi }, loop: [1, 2], when: item == 2, register: some }
    - { fail: { msg: no }, loop: [1, 2], failed_when: item == 2, changed_when: item == 1, ignore_errors: true, register: bad }
    - { debug: { msg: hi }, loop: [], register: empty }
    - debug: { msg: '{{ it.msg }} {{ it.skipped | default("-") }} {{ it.changed }} {{ it.failed | default("-") }} {{ it.results | length }}' }
      loop: ['{{ good }}', '{{ changed }}', '{{ skipped }}', '{{ some }}', '{{ bad }}', '{{ empty }}']
      loop_control: { loop_var: it }
`);
    expect(said.filter((text) => text !== 'hi')).to.deep.equal([
      'All items completed False False False 2',
      'All items completed False True False 2',
      'All items skipped True False False 2',
      'All items completed False False False 2',
      'One or more items failed False True True 2',
      'No items in the list True False False 0',
    ]);
  });

  it('register the index and ansible_loop, and the first and last item know their neighbours', async () => {
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
