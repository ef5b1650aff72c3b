import { expect } from 'chai';
import type { Inventory } from '../../src/model/inventory.js';
import { load, mistakes } from '../rig/loaded.js';

const inventory: Inventory = {
  controllers: new Map([['lb01', { name: 'lb01', groups: ['emea'], layers: [] }]]),
  groups: new Map(
    ['all', 'ungrouped', 'emea'].map((name) => [
      name,
      { name, children: [], controllers: name === 'ungrouped' ? [] : ['lb01'], layers: [] },
    ]),
  ),
};

describe('A play', () => {
  it('reads its keywords', async () => {
    const { plays, diagnostics } = await load(`
- name: First
  hosts: [emea, "!lb02"]
  gather_facts: no
  connection: local
  serial: [1, "50%", "{{ n }}", "3"]
  strategy: free
  tags: a, b
- hosts: "{{ target }}"
  serial: 2
  strategy: linear
`);
    expect(diagnostics).to.deep.equal([]);
    expect(
      plays.map(({ name, hosts, tags, strategy }) => ({ name, hosts: hosts.value, tags, strategy })),
    ).to.deep.equal([
      { name: 'First', hosts: 'emea,!lb02', tags: ['a', 'b'], strategy: 'host_pinned' },
      { name: undefined, hosts: '{{ target }}', tags: [], strategy: 'linear' },
    ]);
    expect(plays.map(({ serial }) => serial?.map(({ value }) => value))).to.deep.equal([[1, '50%', '{{ n }}', 3], [2]]);
    expect(plays[0]?.source).to.deep.equal({ file: 'site.yml', line: 2, column: 3 });
  });

  it('reads group_vars and host_vars beside the playbook', async () => {
    const { plays } = await load('- hosts: all\n', {
      'group_vars/all.yml': 'a: 1\n',
      'group_vars/emea.yml': 'a: 2\n',
      'host_vars/lb01.yml': 'a: 3\n',
    });
    const found = [...(plays[0]?.groupLayers ?? []), ...(plays[0]?.controllerLayers ?? [])];
    expect(found.map(([name, [layer]]) => [name, layer?.level, layer?.values, layer?.origin])).to.deep.equal([
      ['all', 'playbook group_vars/all', { a: 1 }, 'group_vars/all.yml'],
      ['emea', 'playbook group_vars/*', { a: 2 }, 'group_vars/emea.yml'],
      ['lb01', 'playbook host_vars/*', { a: 3 }, 'host_vars/lb01.yml'],
    ]);
  });

  it('compares its hosts with the inventory', async () => {
    const { diagnostics } = await load('- hosts: emae:lb01\n- hosts: "{{ x }}"\n- hosts: lb99,all\n', {}, inventory);
    expect(diagnostics).to.deep.equal([
      'warning: site.yml:1:10 "emae" matches no controller of the inventory — did you mean "emea"?',
      'warning: site.yml:3:10 "lb99" matches no controller of the inventory — did you mean "lb01"?',
    ]);
  });
});

describe("A play's variables", () => {
  const layersOf = async (playbook: string, files: Record<string, string>): Promise<unknown> => {
    const { plays, diagnostics } = await load(playbook, files);
    expect(diagnostics).to.deep.equal([]);
    const { layers, variableFiles } = plays[0]!;
    return {
      layers: layers.map(({ level, values, origin }) => [level, values, origin]),
      later: variableFiles.map(({ value }) => value),
    };
  };

  it('come from vars and vars_files, the latter stronger', async () => {
    const playbook = '- hosts: all\n  vars_files: [a.yml, b.json]\n  vars: {x: 0}\n';
    expect(await layersOf(playbook, { 'a.yml': 'x: 1\n', 'b.json': '{"x": 2}' })).to.deep.equal({
      layers: [
        ['play vars', { x: 0 }, 'play vars'],
        ['vars_files', { x: 1 }, 'a.yml'],
        ['vars_files', { x: 2 }, 'b.json'],
      ],
      later: [],
    });
  });

  it('come from vars/ first, and of a list from the first file that exists', async () => {
    const playbook = '- hosts: all\n  vars_files:\n    - a.yml\n    - [none.yml, b.yml, c.yml]\n';
    const files = { 'a.yml': 'x: 1\n', 'vars/a.yml': 'x: 2\n', 'b.yml': 'x: 3\n', 'c.yml': 'x: 4\n' };
    expect(await layersOf(playbook, files)).to.deep.equal({
      layers: [
        ['vars_files', { x: 2 }, 'vars/a.yml'],
        ['vars_files', { x: 3 }, 'b.yml'],
      ],
      later: [],
    });
  });

  it('are left to the run from the first templated name on, so that their order holds', async () => {
    const playbook =
      '- hosts: all\n  vars_files:\n    - a.yml\n    - ["{{ env }}.yml", vars/b.yml]\n    - /etc/c.yml\n';
    const { plays, diagnostics } = await load(playbook, { 'a.yml': '' });
    expect(diagnostics).to.deep.equal(['site.yml:5:7 there is no variables file "/etc/c.yml"']);
    expect(plays[0]?.layers.map(({ origin }) => origin)).to.deep.equal(['a.yml']);
    expect(plays[0]?.variableFiles.map(({ value }) => value)).to.deep.equal([
      ['vars/{{ env }}.yml', '{{ env }}.yml', 'vars/b.yml'],
      ['/etc/c.yml'],
    ]);
  });

  it('must be found and understood', async () => {
    const playbook =
      '- hosts: all\n  vars_files:\n    - none.yml\n    - [x.yml, y.yml]\n    - bad.yml\n    - list.yml\n';
    expect(await mistakes(playbook, { 'bad.yml': 'a: "{{ x"\nb: 1\nb: 2\n', 'list.yml': '- a\n' })).to.deep.equal([
      'site.yml:3:7 there is no variables file "none.yml" — looked in vars and .',
      'site.yml:4:7 none of the variables files "x.yml", "y.yml" exists — looked in vars and .',
      'bad.yml:1:4 "{{ x" is never closed — write }} where it ends, or \\{{ for braces that are text',
      'bad.yml:3:1 the key "b" is here twice; it stands on line 2 already',
      'list.yml:1:1 a file of variables must be a mapping of names to values, not a list',
    ]);
  });
});
