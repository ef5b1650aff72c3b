import { expect } from 'chai';
import { readInventory } from '../../rig/inventory.js';

const said = async (text: string, name = 'hosts.yml'): Promise<readonly string[]> =>
  (await readInventory({ [name]: text })).said;

describe('YAML inventories', () => {
  it('report every mistake with its position', async () => {
    expect(
      await said(`all:
  host:
    lb1:
  hosts:
    - lb1
  children:
    emea: text
    amer:
      hosts:
        lb[1-3]:
        lb4: 8443
        lb5: [a]
      vars: [a, b]
      hosts_: 1
    apac: { vars: { ansible_group_priority: high }, children: { amer: , all: } }
`),
    ).to.deep.equal([
      'hosts.yml:2:3 unknown key "host" in group "all" — did you mean "hosts"?',
      'hosts.yml:5:5 "hosts" of group "all" must be a mapping, not a list — write a line "name:" for each, with a colon and without "-"',
      'hosts.yml:7:11 group "emea" must be a mapping with "hosts", "vars" or "children", not text',
      'hosts.yml:10:9 the range [1-3] in "lb[1-3]" is not [first:last] or [first:last:step] — a range is written with a colon: [1:3]',
      'hosts.yml:11:14 the variables of "lb4" must be a mapping, not 8443',
      'hosts.yml:12:14 the variables of "lb5" must be a mapping, not a list',
      'hosts.yml:13:13 "vars" of group "amer" must be a mapping, not a list — write a line "name: value" for each',
      'hosts.yml:14:7 unknown key "hosts_" in group "amer" — did you mean "hosts"?',
      'hosts.yml:15:45 ansible_group_priority of group "apac" must be a whole number',
      'hosts.yml:15:73 "all" contains every group; it cannot be a child of "apac"',
    ]);
  });

  it('say which keys and sections there are where none is near', async () => {
    expect(await said('g: { zzz: 1 }\n')).to.deep.equal([
      'hosts.yml:1:6 unknown key "zzz" in group "g" — a group has "hosts", "vars" and "children"',
    ]);
    expect(await said('[a:kids]\nlb1\n', 'hosts.ini')).to.deep.equal([
      'hosts.ini:1:4 unknown kind of section "kids" in [a:kids] — there are :children and :vars',
    ]);
  });

  it('need names for groups and controllers', async () => {
    expect(await said('all: { hosts: { "": } }\n')).to.deep.equal(['hosts.yml:1:17 a controller needs a name']);
    expect(await said('"": { hosts: { lb1: } }\n')).to.deep.equal(['hosts.yml:1:1 a group needs a name']);
  });

  it('must be mappings of groups', async () => {
    expect(await said('- lb1\n')).to.deep.equal(['hosts.yml:1:1 an inventory must be a mapping of groups, not a list']);
    expect(await said('# nothing\n')).to.deep.equal(['warning: hosts.yml is empty: it has no controllers']);
    expect(await said('', 'hosts')).to.deep.equal(['warning: hosts is empty: it has no controllers']);
    expect(await said('a: [', 'hosts.yml')).to.have.length(1);
    expect(await said('[web]\nhosts = ["a"]\nchildren = 1\nvras = {}\n', 'hosts.toml')).to.deep.equal([
      'hosts.toml:3:1 "children" of group "web" must be a list of names, not 1',
      'hosts.toml:2:1 "hosts" of group "web" must be a mapping, not a list — write a line "name:" for each, with a colon and without "-"',
      'hosts.toml:4:1 unknown key "vras" in group "web" — did you mean "vars"?',
    ]);
    expect(await said('# vras\n[web]\nvras = {}\n', 'hosts.toml')).to.deep.equal([
      'hosts.toml:3:1 unknown key "vras" in group "web" — did you mean "vars"?',
    ]);
    // What is written with escapes is not found in the text.
    expect(await said('["w\\u0065b"]\n"childr\\u0065n" = 1\n', 'hosts.toml')).to.deep.equal([
      'hosts.toml:1:1 "children" of group "web" must be a list of names, not 1',
    ]);
    expect(await said('[web\n', 'hosts.toml')).to.deep.equal([
      'hosts.toml:1:5 this is not TOML: illegal character in key',
    ]);
    expect(await said('# nothing', 'hosts.toml')).to.deep.equal([
      'warning: hosts.toml is empty: it has no controllers',
    ]);
    expect(await said('web = { vars = { day = 2026-11-22, at = 07:30:00, no = nan } }', 'hosts.toml')).to.deep.equal(
      [],
    );
  });

  it('may have sections without content, and in TOML children as a list of names', async () => {
    const {
      inventory,
      of,
      said: heard,
    } = await readInventory({ 'hosts.yml': 'g: { vars: , children: , hosts: { lb1: } }\n' });
    expect([heard, of('lb1'), inventory.groups.get('g')?.children]).to.deep.equal([[], {}, []]);
    const text = '[web]\nchildren = ["emea", "apac"]\n[web.vars]\nx = 1\n[emea.hosts.lb1]\n[apac.hosts.lb2]\n';
    const toml = await readInventory({ 'hosts.toml': text });
    expect([toml.said, toml.inventory.groups.get('web')?.children]).to.deep.equal([[], ['emea', 'apac']]);
    expect([toml.of('lb1'), toml.of('lb2')]).to.deep.equal([{ x: 1 }, { x: 1 }]);
    const numbered = await readInventory({ 'hosts.toml': '[web]\nchildren = [5]\n' });
    expect([...numbered.inventory.groups.keys()]).to.deep.equal(['all', 'ungrouped', 'web', '5']);
  });

  it('check their templates, in every format', async () => {
    expect(
      await said('g: { hosts: { lb1: { a: "{{ open", b: "{{ x | nosuch }}" } }, vars: { c: "{{ (1 }}" } }\n'),
    ).to.have.length(3);
    expect(
      (await said('[g]\nlb1 ok=1 a="{{ open"\n[g:vars]\nb={{ x | nosuch }}\n', 'hosts')).map((line) =>
        line.slice(0, 11),
      ),
    ).to.deep.equal(['hosts:2:10 ', 'hosts:4:1 t']);
  });

  it('warn of lines without colons, which are one name', async () => {
    const warned = (key: string): string =>
      `warning: hosts.yml:3:5 "${key}" of group "all" is one name with a space — write a line "name:" for each, with a colon and without "-"`;
    expect(await said('all:\n  hosts:\n    lb1\n    lb2\n')).to.deep.equal([warned('hosts')]);
    expect((await said('all:\n  children:\n    emea\n    apac\n'))[0]).to.equal(warned('children'));
    expect(await said('all:\n  hosts:\n    lb1\n')).to.deep.equal([]);
    for (const key of ['hosts', 'children'])
      for (const text of ['{{ a b }}', 'x {{ y }}', '{% if a %}b{% endif %}', 'x {# y #}'])
        expect((await said(`all:\n  ${key}: "${text}"\n`)).join('\n'), text).to.not.include('with a space');
  });

  it('warn of a controller with the name of a group, with its position', async () => {
    expect(await said('emea: { hosts: { emea: } }\n')).to.deep.equal([
      'warning: hosts.yml:1:18 "emea" is the name of a group and of a controller; patterns select the controller, but after "&" and "!" the group',
    ]);
  });

  it('have those without another group in "ungrouped", and only those', async () => {
    const text = 'ungrouped: { hosts: { lb1: , lb2: } }\nemea: { hosts: { lb1: , lb3: } }\nall: { hosts: { lb4: } }\n';
    const { inventory } = await readInventory({ 'hosts.yml': text });
    expect(inventory.groups.get('ungrouped')?.controllers).to.deep.equal(['lb2', 'lb4']);
    expect([...inventory.controllers.values()].map(({ groups }) => groups)).to.deep.equal([
      ['emea'],
      ['ungrouped'],
      ['emea'],
      ['ungrouped'],
    ]);
  });

  it('share the layers of groups and of ranges', async () => {
    const { inventory } = await readInventory({
      'hosts.yml': 'g:\n  hosts:\n    lb[1:2]: { x: 1 }\n  vars: { y: 2 }',
      'group_vars/g.yml': 'z: 3',
    });
    const [one, two] = ['lb1', 'lb2'].map((name) => inventory.controllers.get(name)?.layers);
    expect(one).to.have.length(3);
    for (const [index, layer] of (one ?? []).entries()) expect(layer).to.equal(two?.[index]);
    expect(one?.map(({ level, origin }) => `${level}: ${origin}`)).to.deep.equal([
      'inventory group vars: hosts.yml',
      'inventory group_vars/*: group_vars/g.yml',
      'inventory host vars: hosts.yml',
    ]);
    expect(one?.at(-1)?.locate?.(['x'])).to.deep.equal({ file: 'hosts.yml', line: 3, column: 19 });
  });

  it('are recognised by their content if their name has no extension', async () => {
    for (const [text, name] of [
      ['---\nall: { hosts: { lb1: } }', 'lb1'],
      ['# c\nemea:\n  hosts: { lb1: }', 'lb1'],
      ['{"emea": {"hosts": {"lb1": {}}}}', 'lb1'],
      ['lb1:2222 x=1', 'lb1'],
      ['[emea]\nlb1', 'lb1'],
      ['lb1', 'lb1'],
      ['; c\n[all:vars]\nx: y = 1\n[g]\nlb1', 'lb1'],
    ] as const) {
      const { inventory, said: heard } = await readInventory({ hosts: text });
      expect([...inventory.controllers.keys()], text).to.deep.equal([name]);
      expect(
        heard.filter((line) => !line.startsWith('warning')),
        text,
      ).to.deep.equal([]);
    }
  });

  it('can be JSON as executables print it', async () => {
    const {
      inventory,
      of,
      said: heard,
    } = await readInventory({
      'hosts.json':
        '{"_meta": {"hostvars": {"lb1": {"x": 1}}}, "emea": {"hosts": ["lb1", "lb2"], "children": ["paris"]}, "paris": ["lb3"]}',
    });
    expect(heard).to.deep.equal([]);
    expect([...inventory.controllers.keys()]).to.deep.equal(['lb1', 'lb2', 'lb3']);
    expect(of('lb1')).to.deep.equal({ x: 1 });
    expect(inventory.controllers.get('lb3')?.groups).to.deep.equal(['emea', 'paris']);
    expect(await said('{"g": {"hosts": ["a", 1], "vars": [], "children": {}}, "h": 3}', 'hosts.json')).to.deep.equal([
      'hosts.json:1:17 hosts.json: the inventory has a controller in group "g" whose name is not text',
      'hosts.json:1:35 hosts.json: the inventory has "vars" of group "g" that are not a mapping',
      'hosts.json:1:51 hosts.json: the inventory has "children" of group "g" that are not a list',
      'hosts.json:1:61 hosts.json: the inventory has group "h", which is neither a list nor a mapping',
    ]);
    expect(await said('{"_meta": {"hostvars": []}, "g": {"hosts": 5, "children": [6]}}', 'hosts.json')).to.deep.equal([
      'hosts.json:1:44 hosts.json: the inventory has "hosts" of group "g" that are not a list',
      'hosts.json:1:59 hosts.json: the inventory has a child of group "g" whose name is not text',
      'hosts.json:1:24 hosts.json: the inventory has "_meta.hostvars" that are not a mapping',
    ]);
    expect(await said('[1]', 'hosts.json')).to.deep.equal([
      'hosts.json:1:1 an inventory must be a mapping of groups, not a list',
    ]);
  });
});
