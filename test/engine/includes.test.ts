import { expect } from 'chai';
import { runText, type Ran } from '../rig/run_text.js';

const TWO = 'all: { hosts: { lb1: , lb2: } }';

const by = ({ lines }: Ran, controller: string): readonly string[] =>
  lines.filter((line) => line.startsWith(controller)).map((line) => line.slice(controller.length + 1));

describe('include_tasks', () => {
  it('runs the tasks of the named file, with its variables, which override facts', async () => {
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - set_fact: { name: fact }
    - name: bring
      include_tasks: more.yml
      vars: { name: parameter }
    - { name: after, debug: { msg: "{{ name }}" } }
`,
      { files: { 'more.yml': '- { name: included, debug: { msg: "{{ name }}" } }\n' } },
    );
    expect(by(ran, 'lb1').slice(1)).to.deep.equal(['bring: ok', 'included: ok', 'after: ok']);
    expect(ran.said).to.deep.equal(['parameter', 'fact']);
  });

  it('prefers its variables to facts in the name of the file', async () => {
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - set_fact: { which: fact }
    - include_tasks: '{{ which }}.yml'
      vars: { which: parameter }
      when: which == "parameter"
`,
      { files: { 'parameter.yml': '- debug: { msg: hi }\n' } },
    );
    expect(ran.said).to.deep.equal(['hi']);
  });

  it('is reported as skipped, and adds nothing', async () => {
    const ran = await runText(`- hosts: lb1\n  tasks:\n    - { name: bring, include_tasks: more.yml, when: false }\n`, {
      files: { 'more.yml': '- debug:\n' },
    });
    expect(ran.lines).to.deep.equal(['lb1 bring: skipped']);
  });

  it('is repeated by its loop, and the included tasks see the item', async () => {
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - { name: bring, include_tasks: "{{ item }}.yml", loop: [a, b] }
`,
      {
        files: {
          'a.yml': '- { name: a, debug: { msg: "a {{ item }}" } }\n',
          'b.yml': '- { name: b, debug: { msg: "b {{ item }}" } }\n',
        },
      },
    );
    expect(ran.said).to.deep.equal(['a a', 'b b']);
  });

  it('runs one included file after the other under linear', async () => {
    const ran = await runText(
      `
- hosts: all
  strategy: linear
  tasks:
    - { name: bring, include_tasks: "{{ inventory_hostname }}.yml" }
    - { name: after, debug: }
`,
      {
        inventory: TWO,
        files: {
          'lb1.yml': '- { name: a1, debug: }\n- { name: a2, debug: }\n',
          'lb2.yml': '- { name: b1, debug: }\n',
        },
      },
    );
    expect(ran.lines.slice(2)).to.deep.equal([
      'lb1 a1: ok',
      'lb1 a2: ok',
      'lb2 b1: ok',
      'lb1 after: ok',
      'lb2 after: ok',
    ]);
  });

  it('passes its variables and its item on to what the included file includes', async () => {
    const files = {
      'outer.yml': '- include_tasks: inner.yml\n  vars: { b: "{{ a }}2" }\n',
      'inner.yml': '- debug: { msg: "{{ a }} {{ b }} {{ item }}" }\n',
    };
    const { said } = await runText(
      '- hosts: lb1\n  tasks:\n    - { include_tasks: outer.yml, vars: { a: 1 }, loop: [x, y] }\n',
      { files },
    );
    expect(said).to.deep.equal(['1 12 x', '1 12 y']);
  });

  it('ends its controller if it fails', async () => {
    const ran = await runText(
      '- hosts: all\n  tasks:\n    - { include_tasks: "{{ inventory_hostname }}.yml" }\n    - { name: after, debug: }\n',
      { inventory: TWO, files: { 'lb2.yml': '[]\n' } },
    );
    expect([by(ran, 'lb1').at(-1), by(ran, 'lb2').at(-1)]).to.deep.equal(['include_tasks: failed', 'after: ok']);
  });

  it('fails a controller whose file does not exist, with the place', async () => {
    const ran = await runText('- hosts: lb1\n  tasks:\n    - include_tasks: "{{ inventory_hostname }}.yml"\n');
    expect(ran.lines).to.deep.equal(['lb1 include_tasks: failed']);
    expect(ran.tasks[0]?.message).to.match(/^there is no file "lb1\.yml"/);
  });

  it('runs as a handler when it is notified', async () => {
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - { name: change, debug: , changed_when: true, notify: reload }
  handlers:
    - { name: reload, include_tasks: more.yml }
`,
      { files: { 'more.yml': '- { name: included, debug: }\n' } },
    );
    expect(by(ran, 'lb1')).to.deep.equal(['change: changed', 'reload: ok', 'included: ok']);
  });
});
