import { expect } from 'chai';
import { readInventory, type Read } from '../../rig/inventory.js';

const generate = (config: string, more: Readonly<Record<string, string>> = {}): Promise<Read> =>
  readInventory({ 'made.yml': `plugin: generator\n${config}`, ...more });

describe('a generated inventory', () => {
  it('has a controller for each combination, the last layer changing fastest, with its parents and their variables', async () => {
    const read = await generate(`hosts:
  name: "{{ site }}-{{ app }}"
  parents:
    - name: "{{ app }}-all"
      vars: { app: "{{ app }}", text: plain }
      parents:
        - name: everything
          vars: { top: 1 }
        - { name: "in {{ site }}", parents: [{ name: sites }] }
    - name: "{{ site }}"
layers: { site: [fra, ams], app: [web, db] }
`);
    expect(read.said).to.deep.equal([
      ...['in fra', 'in ams'].map((name) => `warning: made.yml:10:11 patterns cannot refer to the group "${name}"`),
    ]);
    expect([...read.inventory.controllers.keys()]).to.deep.equal(['fra-web', 'fra-db', 'ams-web', 'ams-db']);
    const groups = Object.fromEntries(
      [...read.inventory.groups].map(([name, { children, controllers }]) => [name, [...children, ...controllers]]),
    );
    expect(groups).to.deep.equal({
      all: ['ungrouped', 'everything', 'sites', 'fra', 'ams'],
      ungrouped: [],
      everything: ['web-all', 'db-all'],
      sites: ['in fra', 'in ams'],
      'in fra': ['web-all', 'db-all'],
      'in ams': ['web-all', 'db-all'],
      'web-all': ['fra-web', 'ams-web'],
      'db-all': ['fra-db', 'ams-db'],
      fra: ['fra-web', 'fra-db'],
      ams: ['ams-web', 'ams-db'],
    });
    expect(read.of('ams-db')).to.deep.equal({ top: 1, app: 'db', text: 'plain' });
  });

  it('has one controller without layers, in no group but ungrouped', async () => {
    const { inventory, said } = await generate('hosts: { name: one }\nlayers: {}\n');
    expect([said, [...inventory.controllers.keys()]]).to.deep.equal([[], ['one']]);
    expect(inventory.controllers.get('one')?.groups).to.deep.equal(['ungrouped']);
  });

  it('needs mappings of variables, and layers', async () => {
    const vars = 'hosts: { name: one, parents: [{ name: g, vars: "{{ [1] }}" }] }\nlayers: {}\n';
    expect((await generate(vars)).said).to.deep.equal(['made.yml:2:48 "vars" must be a mapping']);
    expect((await generate('hosts: { name: one }\nlayers: [1]\n')).said).to.deep.equal([
      'made.yml:3:9 a generator needs "layers", a mapping of names and lists of values',
    ]);
    expect((await generate('hosts: { parents: [] }\nlayers: {}\n')).said).to.deep.equal([
      'made.yml:2:8 "hosts" and each of its "parents" need a "name", a template',
    ]);
    expect((await generate('hosts: { name: 7 }\nlayers: {}\n')).said).to.deep.equal([
      'made.yml:2:16 the name must be a text — add text or the filter string',
    ]);
    expect((await generate('hosts: { name: "{{ \'\' }}" }\nlayers: {}\nstrict: true\n')).said).to.deep.equal([
      'warning: made.yml:4:1 unknown option "strict" has no effect',
      'made.yml:2:16 the name must be a text — add text or the filter string',
    ]);
  });

  it('is also that of the full name', async () => {
    const full = await readInventory({
      'a.yml': 'plugin: ansible.builtin.generator\nhosts: { name: one }\nlayers: {}\n',
    });
    expect([...full.inventory.controllers.keys()]).to.deep.equal(['one']);
  });
});
