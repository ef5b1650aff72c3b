import { expect } from 'chai';
import { findProject } from '../../src/lint/ansible_project/files.js';
import { countableUnits, unitAt } from '../../src/lint/ansible_project/survey.js';
import { inFolder } from '../rig/folder.js';

function tasks(text: string, of: 'plays' | 'steps' = 'steps'): readonly string[] {
  return countableUnits(text, of).map(({ type, line, column }) => `${type} ${line}:${column}`);
}

describe('The tasks of a file, by its layout', () => {
  it('are the items of its lists of steps', () => {
    const text = `---
# - no: task
- hosts: all
  vars:
    - a: 1
  tasks:
  - debug:
      msg: |
        - no: task
        block:
    loop:
      - 1
  - name: Several
    block: # of two
      - debug:

      -   debug:
          when: [a]
    rescue:
    - fail:
  handlers:
      - name: tell
        debug:
- import_playbook: other.yml
`;
    expect(tasks(text, 'plays')).to.deep.equal([
      'play 3:1',
      'task 7:3',
      'block 13:3',
      'task 15:7',
      'task 17:7',
      'task 20:5',
      'task 22:7',
      'play 24:1',
    ]);
  });

  it('may be in braces, item by item, and indented', () => {
    expect(tasks('  - { debug: , tags: [a] }\n  - debug:\n')).to.deep.equal(['task 1:3', 'task 2:3']);
    expect(tasks('a: 1\nb:\n  - c\n')).to.deep.equal([]);
    expect(tasks('')).to.deep.equal([]);
  });

  it('include everything at their keys or deeper', () => {
    const units = countableUnits('- block:\n    - debug:\n        msg: x\n  when: a\n- debug:\n', 'steps');
    expect(unitAt(units, { line: 3, column: 9 })).to.include({ line: 2 });
    expect(unitAt(units, { line: 4, column: 3 })).to.include({ line: 1 });
    expect(unitAt(units, { line: 5, column: 3 })).to.include({ line: 5 });
    expect(unitAt([], { line: 1, column: 1 })).to.equal(undefined);
  });
});

describe('The files of a project of Ansible', () => {
  it('are no playbooks in a role, in whichever of its folders', async () => {
    const play = '- hosts: all\n  tasks: []\n';
    const parts = ['tasks', 'handlers', 'defaults', 'vars', 'meta', 'templates', 'files', 'tests', 'library'];
    const files = Object.fromEntries([...parts, 'examples'].map((part) => [`roles/web/${part}/deep/main.yml`, play]));
    await inFolder(
      { ...files, 'roles/web/tasks/main.yml': '', 'site.yml': play, 'venv/site.yml': play },
      async (folder) => {
        const { playbooks, roles } = await findProject(folder);
        expect(playbooks).to.deep.equal(
          ['roles/web/examples/deep/main.yml', 'site.yml'].map((name) => `${folder}/${name}`),
        );
        expect(roles).to.deep.equal([`${folder}/roles/web`]);
      },
    );
  });
});
