import { expect } from 'chai';
import type { Play } from '../../../src/core/model/playbook/playbook.js';
import type { Files } from '../../rig/folder.js';
import { load, mistakes, tasksOf, type LoadOptions } from '../../rig/loaded.js';

async function plays(playbook: string, files: Files, options?: LoadOptions): Promise<readonly Play[]> {
  const { plays, diagnostics } = await load(playbook, files, undefined, options);
  expect(diagnostics).to.deep.equal([]);
  return plays;
}

const PLAY = '- hosts: all\n  tasks: [{name: Say, debug: }]\n';

describe('import_playbook', () => {
  it('is replaced by the plays of another file', async () => {
    const found = await plays(
      '- import_playbook: sub/a.yml\n- name: B\n  hosts: all\n- ansible.builtin.import_playbook: c.yml\n',
      {
        'sub/a.yml': `- name: A1\n  hosts: all\n${PLAY}`,
        'c.yml': '- name: C\n  hosts: all\n',
      },
    );
    expect(found.map(({ name, source: { file, line } }) => [name, file, line])).to.deep.equal([
      ['A1', 'sub/a.yml', 1],
      [undefined, 'sub/a.yml', 3],
      ['B', 'site.yml', 2],
      ['C', 'c.yml', 1],
    ]);
  });

  it('can name a playbook of a collection, with either suffix, before a file of that name', async () => {
    const folder = 'collections/ansible_collections/acme/lb/playbooks';
    const files = {
      [`${folder}/site.yml`]: '- name: first\n  hosts: all\n',
      [`${folder}/site.yaml`]: '- name: second\n  hosts: all\n',
      [`${folder}/more.yaml`]: '- name: third\n  hosts: all\n',
      'acme.lb.site': '- name: fourth\n  hosts: all\n',
      'acme.lb.other': '- name: fifth\n  hosts: all\n',
    };
    const names = ['site', 'more', 'other'].map((name) => `- import_playbook: acme.lb.${name}\n`);
    expect((await plays(names.join(''), files)).map(({ name }) => name)).to.deep.equal(['first', 'third', 'fifth']);
  });

  it('uses the folder of the file for its plays', async () => {
    const files = {
      'sub/a.yml':
        '- hosts: all\n  vars_files: v.yml\n  tasks:\n    - import_tasks: "{{ playbook_dir }}/t.yml"\n- import_playbook: deep/b.yml\n',
      'sub/v.yml': 'x: 1\n',
      'sub/t.yml': '- debug:\n',
      'sub/group_vars/all.yml': 'g: sub\n',
      'sub/deep/b.yml': PLAY,
      'group_vars/all.yml': 'g: top\n',
      'v.yml': 'x: 2\n',
    };
    await load(`- import_playbook: sub/a.yml\n${PLAY}`, files, undefined, {
      use: async ({ plays, diagnostics }, cwd) => {
        expect(diagnostics).to.deep.equal([]);
        const loaded = plays.map(({ directory, groupLayers, layers }) => [
          directory,
          groupLayers.get('all')?.map(({ origin }) => origin),
          layers.filter(({ level }) => level !== 'magic').map(({ origin }) => origin),
        ]);
        expect(loaded).to.deep.equal([
          [`${cwd}/sub`, ['sub/group_vars/all.yml'], ['sub/v.yml']],
          [`${cwd}/sub/deep`, undefined, []],
          [cwd, ['group_vars/all.yml'], []],
        ]);
        await Promise.resolve();
      },
    });
  });

  it('passes on vars, which are stronger than those of the play; the outermost win', async () => {
    const [play] = await plays('- import_playbook: a.yml\n  vars: {x: site}\n', {
      'a.yml': '- import_playbook: b.yml\n  vars: {x: a}\n',
      'b.yml': '- hosts: all\n  vars: {x: b}\n  vars_files: v.yml\n',
      'v.yml': 'x: file\n',
    });
    expect(play?.layers.map(({ level, values, origin }) => [level, values['x'], origin]).slice(0, 4)).to.deep.equal([
      ['play vars', 'b', 'play vars'],
      ['play vars', 'a', 'vars of import_playbook'],
      ['play vars', 'site', 'vars of import_playbook'],
      ['vars_files', 'file', 'v.yml'],
    ]);
  });

  it('passes on tags to all steps, and conditions to all but handlers, outer ones first', async () => {
    const [play] = await plays('- import_playbook: a.yml\n  tags: s\n  when: [one, two]\n', {
      'a.yml': '- import_playbook: b.yml\n  tags: [a, s]\n  when: three\n',
      'b.yml':
        '- hosts: all\n  tags: p\n  pre_tasks: [debug: ]\n  tasks: [{debug: , when: four, notify: H}]\n  post_tasks: [meta: noop]\n  handlers: [{name: H, debug: }]\n',
    });
    const steps = [
      ...(play?.preTasks ?? []),
      ...(play?.tasks ?? []),
      ...(play?.postTasks ?? []),
      ...(play?.handlers ?? []),
    ];
    expect(play?.tags).to.deep.equal(['s', 'a', 'p']);
    expect(
      steps.map((step) => 'tags' in step && [step.when.map(({ expression }) => expression), step.tags]),
    ).to.deep.equal([
      [
        ['one', 'two', 'three'],
        ['s', 'a', 'p'],
      ],
      [
        ['one', 'two', 'three', 'four'],
        ['s', 'a', 'p'],
      ],
      [
        ['one', 'two', 'three'],
        ['s', 'a', 'p'],
      ],
      [[], ['s', 'a', 'p']],
    ]);
  });

  it('can have a name with variables that are known before the run', async () => {
    const found = await plays(
      '- import_playbook: "{{ which }}.yml"\n- import_playbook: "{{ other }}.yml"\n  vars: {other: a}\n',
      { 'a.yml': PLAY },
      { extraVars: { which: 'a' } },
    );
    expect(found.flatMap((play) => tasksOf(play).map(({ name }) => name?.value))).to.deep.equal(['Say', 'Say']);
  });

  it('reports its mistakes', async () => {
    const text = `- import_playbook: rollut.yml
- import_playbook:
- import_playbook: [a.yml]
- import_playbook: "{{ which }}.yml"
- import_playbook: rollout.yml
  hosts: all
  serial: 1
  tag: x
  vars: [x]
- import_playbook: tasks.yml
- import_playbook: .
- import_playbok: rollout.yml
- include: rollout.yml
  tags: x
- include: rollout.yml
  hosts: all
`;
    expect(await mistakes(text, { 'rollout.yml': PLAY, 'tasks.yml': '- debug:\n' })).to.deep.equal([
      'site.yml:1:20 there is no playbook "rollut.yml" (looked in .) — did you mean "rollout.yml"?',
      'site.yml:2:3 "import_playbook" needs the name of a playbook, not nothing',
      'site.yml:3:3 "import_playbook" needs the name of a playbook, not a list',
      'site.yml:4:20 variable "which" is not defined; before the run only the variables of the play and of -e are known — pass the variable with -e',
      'site.yml:6:3 "hosts" is not a keyword of import_playbook — it belongs to a play',
      'site.yml:7:3 "serial" is not a keyword of import_playbook — it belongs to a play',
      'site.yml:8:3 "tag" is not a keyword of import_playbook — did you mean "tags"?',
      'site.yml:9:9 "vars" must be a mapping of names to values, not a list',
      'site.yml:11:20 "." is a folder — name a playbook in it',
      'site.yml:12:3 "import_playbok" is not a keyword of a play — did you mean "import_playbook"?',
      'warning: site.yml:13:3 newer versions of Ansible refuse "include" — write import_playbook',
      'site.yml:15:3 "include" is not a keyword of a play',
      'tasks.yml:1:3 "debug" is not a keyword of a play — put it into the list under "tasks"',
      'tasks.yml:1:3 a play needs "hosts": the controllers it is for',
    ]);
  });

  it('reports names that cannot exist', async () => {
    const long = 'x'.repeat(300);
    expect(await mistakes(`- import_playbook: "a\\0b"\n- import_playbook: ${long}\n`)).to.deep.equal([
      'site.yml:1:20 there is no playbook "a\0b" (looked in .)',
      `site.yml:2:20 there is no playbook "${long}" (looked in .)`,
    ]);
  });

  it('reports cycles', async () => {
    const files = { 'a.yml': '- import_playbook: b.yml\n', 'b.yml': '- import_playbook: ./a.yml\n' };
    expect(await mistakes('- import_playbook: a.yml\n', files)).to.deep.equal([
      'b.yml:1:20 import cycle: a.yml → b.yml → a.yml',
    ]);
    expect(await mistakes('- import_playbook: site.yml\n')).to.deep.equal([
      'site.yml:1:20 import cycle: site.yml → site.yml',
    ]);
  });
});
