import { expect } from 'chai';
import { readInventory, type Read } from '../../rig/inventory.js';

const HOSTS = `all:
  children:
    emea:
      hosts:
        lb1: { zone: fra, roles: [web, db], size: { cpu: 4, disk: '' }, empty: '' }
        lb2: { zone: ams, roles: [], size: {}, rack: 7 }
`;
const GENERATED = { 'hosts.yml': HOSTS };

const construct = (text: string, more: Readonly<Record<string, string>> = {}): Promise<Read> =>
  readInventory({ ...GENERATED, 'more.yml': `plugin: constructed\n${text}`, ...more }, ['hosts.yml', 'more.yml']);

/** The groups beside those of the file, with their controllers. */
const groupsOf = ({ inventory }: Read): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...inventory.groups.values()].flatMap(({ name, controllers }) =>
      ['all', 'ungrouped', 'emea'].includes(name) ? [] : [[name, controllers]],
    ),
  );

describe('a constructed inventory', () => {
  it('sets variables of each controller, which groups may use', async () => {
    const read =
      await construct(`compose: { where: zone ~ '-' ~ inventory_hostname, rack: rack | default(1), broken: missing.x, own: group_names }
groups: { big: size.cpu | default(0) > 2, has rack: rack == 7, at-fra: where is match('fra'), never: missing }
`);
    expect(read.said).to.deep.equal([]);
    expect(read.of('lb1'))
      .to.deep.include({ where: 'fra-lb1', rack: 1, own: ['emea'] })
      .and.not.have.property('broken');
    expect(read.of('lb2')).to.deep.include({ where: 'ams-lb2', rack: 7, own: ['emea'] });
    expect(groupsOf(read)).to.deep.equal({ big: ['lb1'], at_fra: ['lb1'], has_rack: ['lb2'] });
  });

  const keyed: readonly (readonly [entry: string, groups: Readonly<Record<string, readonly string[]>>])[] = [
    ['key: zone', { _fra: ['lb1'], _ams: ['lb2'] }],
    ['key: zone, prefix: z', { z_fra: ['lb1'], z_ams: ['lb2'] }],
    ["key: zone, prefix: z, separator: ''", { zfra: ['lb1'], zams: ['lb2'] }],
    ['key: zone, separator: 9', { _fra: ['lb1'], _ams: ['lb2'] }],
    ['key: roles, prefix: r', { r_web: ['lb1'], r_db: ['lb1'] }],
    ['key: size, prefix: s', { s_cpu_4: ['lb1'], s_disk_: ['lb1'] }],
    ['key: size, prefix: s, trailing_separator: false', { s_cpu_4: ['lb1'], s_disk: ['lb1'] }],
    ['key: size, prefix: s, default_value: none', { s_cpu_4: ['lb1'], s_disk_none: ['lb1'] }],
    ['key: empty, prefix: e', {}],
    ['key: empty, prefix: e, default_value: no', { e_False: ['lb1'] }],
    ["key: empty, prefix: e, default_value: 'x'", { e_x: ['lb1'] }],
    ['key: missing', {}],
    [
      "key: zone, prefix: p, parent_group: '{{ zone }}-all'",
      { p_fra: ['lb1'], fra_all: [], p_ams: ['lb2'], ams_all: [] },
    ],
  ];
  for (const [entry, groups] of keyed)
    it(`makes groups of keyed_groups: { ${entry} }`, async () => {
      const read = await construct(`keyed_groups: [{ ${entry} }]\n`);
      expect(read.said).to.deep.equal([]);
      expect(groupsOf(read)).to.deep.equal(groups);
    });

  it('may have names without a leading separator', async () => {
    const read = await construct('leading_separator: false\nkeyed_groups: [{ key: zone }, { key: zone, prefix: z }]\n');
    expect(groupsOf(read)).to.deep.equal({ fra: ['lb1'], z_fra: ['lb1'], ams: ['lb2'], z_ams: ['lb2'] });
  });

  it('puts groups below others, in order', async () => {
    const { inventory } = await construct(
      'keyed_groups: [{ key: zone, parent_group: sites }, { key: roles, parent_group: sites }]\n',
    );
    expect(inventory.groups.get('sites')?.children).to.deep.equal(['_fra', '_web', '_db', '_ams']);
    expect(inventory.controllers.get('lb1')?.groups).to.have.members(['emea', '_fra', '_web', '_db', 'sites']);
  });

  it('is strict only if it says so', async () => {
    const text =
      'compose: { x: missing }\ngroups: { g: missing }\nkeyed_groups: [{ key: missing }, { key: empty | default("") }]\n';
    expect((await construct(text)).said).to.deep.equal([]);
    expect((await construct(`strict: true\n${text}`)).said).to.deep.equal([
      'more.yml:3:15 "x" of lb1 cannot be set: variable "missing" is not defined',
      'more.yml:4:14 lb1 cannot be added to the group "g": variable "missing" is not defined',
      'more.yml:5:16 lb1 cannot be added to a group: variable "missing" is not defined',
      'more.yml:5:34 lb1 cannot be added to a group: the key is empty: empty | default("")',
    ]);
    expect((await construct("groups: { '': true }\n")).said).to.deep.equal([
      'more.yml:2:15 lb1 cannot be added to the group "": the name of the group is empty',
    ]);
    expect((await construct('keyed_groups: [{ key: 5 + 2 }]\n')).said).to.deep.equal([
      'more.yml:2:16 lb1 cannot be added to a group: the key must be a text, a list or a mapping, not 7',
    ]);
  });

  it('sees files of variables only if it says so', async () => {
    const files = { 'group_vars/emea.yml': 'of: group\nstage: g\n', 'host_vars/lb2.yml': 'of: host\n' };
    const text = 'compose: { seen: of | default("nothing") }\n';
    const seen = async (flags: string) => {
      const read = await construct(`${flags}${text}`, files);
      return ['lb1', 'lb2'].map((name) => read.of(name)['seen']);
    };
    expect(await seen('')).to.deep.equal(['nothing', 'nothing']);
    expect(await seen('use_vars_plugins: true\n')).to.deep.equal(['group', 'host']);
    expect((await construct('use_vars_plugins: maybe\n')).said).to.deep.equal([
      'more.yml:2:19 "use_vars_plugins" must be true or false',
    ]);
  });

  it('sees variables of groups by depth and priority, then those of the controller, then extra variables', async () => {
    const hosts = `all:
  vars: { a: all, b: all, c: all, d: all, e: all, inventory_hostname: no }
  children:
    top:
      vars: { b: top, c: top, d: top, e: top, p: top, ansible_group_priority: 9 }
      children:
        low:
          vars: { c: low, d: low, e: low, p: low }
          hosts: { lb1: { d: host, e: host } }
    side: { vars: { p: side }, hosts: { lb1: } }
`;
    const seen = 'compose: { seen: "[a, b, c, d, e, p, inventory_hostname, inventory_file]" }\n';
    const read = async (flags: string) => {
      const files = { 'hosts.yml': hosts, 'more.yml': `plugin: constructed\n${flags}${seen}` };
      const extraVars = [{ level: 'extra vars', origin: '-e', values: { e: 'extra' } }] as const;
      const { of, said } = await readInventory(files, ['hosts.yml', 'more.yml'], () => ({ extraVars }));
      expect(said).to.deep.equal([]);
      const values = of('lb1')['seen'];
      return Array.isArray(values) ? values.map((value: unknown) => String(value).replace(/^\/.*\//, '')) : values;
    };
    const before = ['all', 'top', 'low', 'host'];
    const behind = ['low', 'lb1', 'hosts.yml'];
    expect(await read('')).to.deep.equal([...before, 'host', ...behind]);
    expect(await read('use_extra_vars: true\n')).to.deep.equal([...before, 'extra', ...behind]);
  });

  it('sees variables of all only below a group that is in all', async () => {
    const text = 'compose: { seen: x | default("none") }\n';
    const seen = async (hosts: string, name: string) => {
      const files = { hosts, 'more.yml': `plugin: constructed\n${text}` };
      return (await readInventory(files, ['hosts', 'more.yml'])).of(name)['seen'];
    };
    expect(await seen('all: { vars: { x: 1 }, children: { g: { hosts: { lb1: } } } }\n', 'lb1')).to.equal(1);
    expect(await seen('all: { vars: { x: 1 }, hosts: { lb1: } }\n', 'lb1')).to.equal(1);
    expect(await seen('all: { vars: { x: 1 } }\ng: { hosts: { lb1: } }\n', 'lb1')).to.equal('none');
  });

  it('sees the variables of the groups that a source before it made, not of its own', async () => {
    const more = `plugin: constructed
groups: { fra: zone == 'fra', of_city: city is defined }
keyed_groups: [{ key: zone, prefix: z, parent_group: sites }, { key: country, prefix: c }]
`;
    const hosts =
      'g: { hosts: { lb1: { zone: fra } } }\nsites: { vars: { country: de } }\nfra: { vars: { city: x } }\n';
    const groups = async (...sources: readonly string[]) => {
      const read = await readInventory({ 'hosts.yml': hosts, 'a.yml': more, 'b.yml': more }, ['hosts.yml', ...sources]);
      expect(read.said).to.deep.equal([]);
      return read.inventory.controllers.get('lb1')?.groups;
    };
    expect(await groups('a.yml')).to.have.members(['g', 'fra', 'z_fra', 'sites']);
    expect(await groups('a.yml', 'b.yml')).to.have.members(['g', 'fra', 'z_fra', 'sites', 'of_city', 'c_de']);
  });

  it('says where expressions can never work, in each kind of entry, as errors if it is strict', async () => {
    const text = `compose: { a: "x |" }
groups: { b: "(y" }
keyed_groups: [{ key: "z | no_such" }, { key: zone, parent_group: "{{ zone }}" }, { key: zone, prefix: p }]
`;
    const problems = (read: Read) =>
      read.said.map((line) => line.replace(/^(warning: )?(more.yml:\d+:\d+) .*$/, '$1$2'));
    const lax = await construct(text);
    expect(problems(lax)).to.deep.equal(['warning: more.yml:2:15', 'warning: more.yml:3:14', 'warning: more.yml:4:23']);
    expect(groupsOf(lax)).to.deep.equal({
      _fra: ['lb1'],
      fra: [],
      p_fra: ['lb1'],
      _ams: ['lb2'],
      ams: [],
      p_ams: ['lb2'],
    });
    expect(
      problems(await construct(`strict: true\n${text}`)).filter((line) => line.startsWith('warning')),
    ).to.deep.equal([]);
    expect((await construct('keyed_groups: { key: zone }\n')).said).to.deep.equal([
      'more.yml:2:15 "keyed_groups" must be a list of mappings',
    ]);
    const entries = '5, {}, { key: zone, default_value: a, trailing_separator: false }, { prefix: p }, { key: zone }';
    const wrong = await construct(`keyed_groups: [${entries}]\n`);
    expect(wrong.said).to.deep.equal([
      'more.yml:2:16 an entry of "keyed_groups" must be a mapping',
      'more.yml:2:19 an entry of "keyed_groups" must be a mapping',
      'more.yml:2:23 "default_value" and "trailing_separator" exclude each other',
      'more.yml:2:83 an entry of "keyed_groups" needs a "key", an expression',
    ]);
    expect(groupsOf(wrong)).to.deep.equal({ _fra: ['lb1'], _ams: ['lb2'] });
    expect((await construct('strict: 2\nleading_separator: x\n')).said).to.deep.equal([
      'more.yml:2:9 "strict" must be true or false',
      'more.yml:3:20 "leading_separator" must be true or false',
    ]);
    expect((await construct('groups: text\n')).said).to.deep.equal([
      'more.yml:2:9 "groups" must be a mapping of names and expressions',
    ]);
  });

  it('needs a truth for a group: a text that says so is one', async () => {
    const text = `groups: { a: "'True'", b: "'x'", c: "''", d: "0", e: "[]", f: "[0]", g: "not (zone == 'fra')", 9th-x: "true" }\n`;
    expect(groupsOf(await construct(text))).to.deep.equal({
      a: ['lb1', 'lb2'],
      b: ['lb1', 'lb2'],
      f: ['lb1', 'lb2'],
      _th_x: ['lb1', 'lb2'],
      g: ['lb2'],
    });
  });
});
