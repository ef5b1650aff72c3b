import { expect } from 'chai';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

function runTasks(tasks: string, options: TextOptions & { readonly play?: string } = {}): Promise<Ran> {
  const { play = '', ...rest } = options;
  return runText(`- hosts: all\n${play}  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`, rest);
}

describe('set_fact', () => {
  it('takes all variables from one template, nested braces included', async () => {
    const { said } = await runText(`
- hosts: lb1
  tasks:
    - set_fact: "{{ {'a': {'b': {'c': 1}}} }}"
    - debug: { msg: '({"c": {{ a.b.c }}})' }
`);
    expect(said).to.deep.equal(['({"c": 1})']);
  });

  it('is visible to its own conditions, but not to its arguments', async () => {
    const { lines, said } = await runTasks(`
- { name: one, set_fact: { a: 1 }, changed_when: a == 1 }
- { name: two, set_fact: { b: 1 }, failed_when: b == 1, ignore_errors: true }
- { name: three, set_fact: { c: '{{c | default(0) + 1}}' }, until: c == 1, retries: 1, delay: 0 }
- debug: { msg: '{{b is defined}} {{c}}' }
`);
    expect(lines.slice(0, 3)).to.deep.equal(['lb1 one: changed', 'lb1 two: failed ignored', 'lb1 three: ok']);
    expect(said).to.deep.equal(['False 1']);
  });

  it('with cacheable makes facts: in ansible_facts, and weaker than variables of the play', async () => {
    const { said } = await runTasks(
      `
- debug: { msg: '{{ansible_facts}}' }
- set_fact: { a: 1, ansible_site: fra, cacheable: true }
- debug: { msg: '{{a}} {{ansible_facts.a}} {{ansible_facts.site}} {{ansible_site}}' }
`,
      { play: '  vars: { a: play }\n' },
    );
    expect(said).to.deep.equal(['{}', '1 1 fra fra']);
  });

  it('is kept when facts are cleared, except in ansible_facts', async () => {
    const { said } = await runTasks(`
- set_fact: { a: 1, cacheable: true }
- meta: clear_facts
- debug: { msg: '{{a}} {{ansible_facts}}' }
`);
    expect(said).to.deep.equal(['1 {}']);
  });

  it('sets the facts after each item of a loop', async () => {
    const { said } = await runTasks(`
- set_fact: { sum: '{{sum | default(0) + item}}' }
  loop: [1, 2, 3]
- debug: { msg: '{{sum}}' }
`);
    expect(said).to.deep.equal(['6']);
  });
});

describe('include_vars', () => {
  const files = {
    'vars/stage.yml': 'a: of the file\nb: "{{a}}!"',
    'beside.yml': 'c: beside',
    'vars/many/10.yml': 'x: 1\nm: { p: 1 }',
    'vars/many/20.json': '{"x": 2}',
    'vars/many/deep/30.yaml': 'x: 3',
    'vars/many/notes.txt': 'no variables',
    'broken.yml': 'a: [1',
    'list.yml': '[1]',
  };

  it('reads a file in vars/ or beside the playbook; facts are stronger, templates are rendered when used', async () => {
    const { said } = await runTasks(
      `
- include_vars: '{{which}}.yml'
  vars: { which: stage }
- include_vars: { file: beside.yml }
- debug: { msg: '{{a}} {{b}} {{c}}' }
- set_fact: { a: fact }
- debug: { msg: '{{a}} {{b}}' }
`,
      { files, play: '  vars: { a: of the play }\n' },
    );
    expect(said).to.deep.equal(['of the file of the file! beside', 'fact fact!']);
  });

  it('registers what it read, under the given name if there is one', async () => {
    const { said } = await runTasks(
      `
- { include_vars: { file: stage.yml, name: stage }, register: r }
- debug: { msg: '{{stage.a}} {{r.ansible_facts.stage.a}} {{r.ansible_included_var_files | map("basename")}} {{a is defined}}' }
`,
      { files },
    );
    expect(said).to.deep.equal(['of the file of the file ["stage.yml"] False']);
  });

  it('reads folders in order', async () => {
    const { said, tasks } = await runTasks(
      `
- include_vars: { dir: vars/many }
  ignore_errors: true
- include_vars: { dir: vars/many, ignore_unknown_extensions: true }
- debug: { msg: '{{x}}' }
- include_vars: { dir: vars/many, depth: 1, ignore_files: [notes.txt] }
- debug: { msg: '{{x}}' }
- include_vars: { dir: vars/many, files_matching: '^1', name: only }
- debug: { msg: '{{only.x}} {{only.m.p}}' }
- include_vars: { dir: vars/many, extensions: [yml], ignore_unknown_extensions: true }
- debug: { msg: '{{x}}' }
`,
      { files },
    );
    expect(said).to.deep.equal(['3', '2', '1 1', '1']);
    expect(tasks[0]?.message).to.match(/\/vars\/many\/notes\.txt does not end in one of yaml, yml, json$/);
  });

  it('ignores files that match any pattern of a text, with or without white space around it', async () => {
    const { said, tasks } = await runTasks(
      `
- { include_vars: { dir: vars/many, ignore_files: notes.txt }, register: r }
- debug: { msg: '{{r.ansible_included_var_files | map("basename") | join(" ")}}' }
- { include_vars: { dir: vars/many, ignore_files: " notes.txt  ^1.*\\n" }, register: r }
- debug: { msg: '{{r.ansible_included_var_files | map("basename") | join(" ")}}' }
- { include_vars: { dir: vars/many, ignore_files: '(?i)NOTES.TXT' }, register: r }
- debug: { msg: '{{r.ansible_included_var_files | map("basename") | join(" ")}}' }
- { include_vars: { dir: vars/many, ignore_files: ' ', ignore_unknown_extensions: true }, register: r }
- debug: { msg: '{{r.ansible_included_var_files | map("basename") | join(" ")}}' }
- { include_vars: { dir: vars/many, ignore_files: 'a (' }, ignore_errors: true }
`,
      { files },
    );
    const all = '10.yml 20.json 30.yaml';
    expect(said).to.deep.equal([all, '20.json 30.yaml', all, all]);
    expect(tasks.at(-1)?.message).to.equal('"(" is not a regular expression');
  });

  it('can merge mappings into existing variables', async () => {
    const { said } = await runTasks(
      `
- include_vars: { file: many/10.yml, hash_behaviour: merge }
- debug: { msg: '{{m}} {{x}}' }
`,
      { files, play: '  vars: { m: { p: 0, q: 0 } }\n' },
    );
    expect(said).to.deep.equal(['{"p":1,"q":0} 1']);
  });

  it('fails if the file does not exist or cannot be read', async () => {
    const { tasks } = await runTasks(
      `
- { include_vars: none.yml, ignore_errors: true }
- { include_vars: { dir: none }, ignore_errors: true }
- { include_vars: { dir: beside.yml }, ignore_errors: true }
- { include_vars: many, ignore_errors: true }
- { include_vars: broken.yml, ignore_errors: true }
- { include_vars: { dir: vars/many, files_matching: '(' }, ignore_errors: true }
`,
      { files },
    );
    const messages = tasks.map(({ message = '' }) => message.replaceAll(/\/\S*\/(?=\w)/g, ''));
    expect(messages.slice(0, 4)).to.deep.equal([
      'there is no variables file none.yml; looked in none.yml, none.yml',
      'there is no folder none',
      'beside.yml is not a folder',
      'many is a folder',
    ]);
    expect(tasks[3]).to.include({ hint: 'to read all of its files, write "dir" instead of "file"' });
    expect(tasks[4]).to.deep.include({ status: 'failed', cause: { file: 'broken.yml', line: 1, column: 6 } });
    expect(messages.slice(5)).to.deep.equal(['"(" is not a regular expression']);
  });

  it('shows the position of a variable that cannot be rendered', async () => {
    const { tasks } = await runTasks(
      `
- include_vars: wrong.yml
- debug: { msg: '{{motto}}' }
`,
      { files: { 'wrong.yml': 'ok: 1\nmotto: "we are {{nobody}}"' } },
    );
    expect(tasks[1]).to.deep.include({ message: 'variable "nobody" is not defined (from "motto")' });
    expect(tasks[1]?.cause).to.deep.include({ line: 2 });
  });

  it('looks into the folders of its role first', async () => {
    const inRole = {
      'roles/web/tasks/main.yml': `
- include_vars: here.yml
- include_vars: stage.yml
- include_vars: { dir: more }
- debug: { msg: '{{x}} {{a}} {{y}}' }
`,
      'roles/web/vars/here.yml': 'x: role',
      'roles/web/vars/more/1.yml': 'y: folder',
      'vars/here.yml': 'x: playbook',
    };
    const { said } = await runText('- hosts: all\n  roles: [web]\n', { files: { ...files, ...inRole } });
    expect(said).to.deep.equal(['role of the file folder']);
  });
});
