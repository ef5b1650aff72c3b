import { chmod } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Trust } from '../../../src/core/files/trust.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import {
  ansibleSettings,
  ansibleVariable,
  isApplied,
  openAnsibleConfig,
} from '../../../src/project/project/ansible_cfg.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

function open(files: Readonly<Record<string, string>>, named?: string, prepare?: (cwd: string) => Promise<void>) {
  return inFolder({ 'below/x': '', ...files }, async (cwd) => {
    await prepare?.(cwd);
    const diagnostics = new Diagnostics();
    const found = await openAnsibleConfig({ cwd, directory: cwd, named }, new Trust(cwd, {}), diagnostics);
    return { found, cwd, said: diagnostics.list.map(worded) };
  });
}

describe('ansible.cfg', () => {
  it('is the named file, or the one in the named folder, else that of the project', async () => {
    const where = async (
      named?: string,
      files: Record<string, string> = { 'ansible.cfg': '', 'below/ansible.cfg': '', 'other.cfg': '' },
    ) => {
      const { found, cwd, said } = await open(files, named);
      expect(said).to.deep.equal([]);
      return found && [found.shown, path.relative(cwd, found.directory)];
    };
    expect(await where()).to.deep.equal(['ansible.cfg', '']);
    expect(await where('')).to.deep.equal(['ansible.cfg', '']);
    expect(await where('below')).to.deep.equal(['below/ansible.cfg', 'below']);
    expect(await where('below/ansible.cfg')).to.deep.equal(['below/ansible.cfg', 'below']);
    expect(await where('{{CWD}}/other.cfg')).to.deep.equal(['other.cfg', '']);
    expect(await where('none.cfg')).to.equal(undefined);
    expect(await where(undefined, { 'below/ansible.cfg': '' })).to.equal(undefined);
    expect(await where('below', { 'below/other': '' })).to.equal(undefined);
  });

  it('has settings by section and name, without comments, each at its place', async () => {
    const text = `# forks = 1
; forks = 2
ignored = yes
[defaults]
  inventory : a,b
forks=3
roles_path = x # y
strategy = free;no
empty =
not a setting
[ inventory ] ; comment
cache = yes\r
[broken
fact = 1 ;
`;
    const { found } = await open({ 'ansible.cfg': text });
    const values = [...(found?.values ?? [])].map(([name, { value, source }]) => [
      name,
      value,
      source.line,
      source.column,
    ]);
    expect(values).to.deep.equal([
      ['.ignored', 'yes', 3, 1],
      ['defaults.inventory', 'a,b', 5, 3],
      ['defaults.forks', '3', 6, 1],
      ['defaults.roles_path', 'x', 7, 1],
      ['defaults.strategy', 'free;no', 8, 1],
      ['defaults.empty', '', 9, 1],
      ['inventory.cache', 'yes', 12, 1],
      ['inventory.fact', '1', 14, 1],
    ]);
  });

  it('has values that go on in lines which are indented further, as in Ansible', async () => {
    const text = `[defaults]
inventory = inventories/fra, ; the first
    # and

    inventories/lon
roles_path =
  a:
  b:c
forks = 3
  [inventory]
[inventory]
  cache = yes
  cache_timeout = 60
`;
    const { found, cwd } = await open({ 'ansible.cfg': text });
    expect([...(found?.values ?? [])].map(([name, { value }]) => [name, value])).to.deep.equal([
      ['defaults.inventory', 'inventories/fra,\ninventories/lon'],
      ['defaults.roles_path', 'a:\nb:c'],
      ['defaults.forks', '3\n[inventory]'],
      ['inventory.cache', 'yes'],
      ['inventory.cache_timeout', '60'],
    ]);
    expect(found && ansibleSettings(found, cwd, new Diagnostics()).value).to.deep.include({
      inventory: ['inventories/fra', 'inventories/lon'],
      roles_path: ['a', 'b', 'c'],
    });
  });

  it('is not read if others could have written it, unless it is named', async () => {
    const open777 = (named?: string) =>
      open({ 'ansible.cfg': '[defaults]\nforks = 3\n' }, named, (cwd) => chmod(path.join(cwd, 'ansible.cfg'), 0o666));
    const { found, said } = await open777();
    expect(found).to.equal(undefined);
    expect(said.join()).to.match(/^warning: ignored ansible\.cfg: .* — if you trust it, name it in ANSIBLE_CONFIG$/);
    const named = await open777('ansible.cfg');
    expect([named.said, named.found?.values.get('defaults.forks')?.value]).to.deep.equal([[], '3']);
  });

  it('has settings that apply here, with their places, and others', async () => {
    const text = `[defaults]
inventory = hosts , ~/more,, /abs
roles_path = roles:$HOME/r:\${HOME}x:~other
vault_password_file = ~
vault_identity_list =
strategy = ansible.builtin.free
forks = many
callback = x
`;
    const { found, cwd } = await open({ 'ansible.cfg': text });
    if (found === undefined) throw new Error('no ansible.cfg');
    const home = homedir();
    const cursor = ansibleSettings(found, cwd, new Diagnostics());
    expect(cursor.value).to.deep.equal({
      inventory: ['hosts', `${home}/more`, '/abs'],
      roles_path: ['roles', `${home}/r`, `${home}x`, '~other'],
      vault_password_file: home,
      strategy: 'ansible.builtin.free',
      forks: 'many',
    });
    expect([cursor.get('roles_path')?.items()[2]?.source.line, cursor.get('forks')?.keySource]).to.deep.equal([
      3,
      { file: 'ansible.cfg', line: 7, column: 1 },
    ]);
    const variable = (name: string, text: string) => ansibleVariable(`ANSIBLE_${name}`, text, '/work');
    expect(variable('ROLES_PATH', 'a: b::{{ CWD }}/c')).to.deep.equal(['a', 'b', '/work/c']);
    expect(variable('VAULT_PASSWORD_FILE', '~/v')).to.equal(`${home}/v`);
    expect([variable('STRATEGY', 'mitogen_linear'), variable('NOCOLOR', '1')]).to.deep.equal([undefined, undefined]);
  });

  for (const [name, text, applies] of [
    ['defaults.strategy', 'linear', true],
    ['defaults.strategy', 'ansible.builtin.host_pinned', true],
    ['defaults.strategy', 'free', true],
    ['defaults.strategy', 'mitogen_linear', false],
    ['defaults.strategy', 'debug', false],
    ['defaults.forks', 'x', true],
    ['defaults.inventory', '', true],
    ['defaults.host_key_checking', 'False', false],
    ['inventory.forks', '3', false],
  ] as const)
    it(`${applies ? 'applies' : 'has no effect'} with ${name} = ${text}`, () => {
      expect(isApplied(name, text)).to.equal(applies);
    });
});
