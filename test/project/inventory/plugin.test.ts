import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { hasAnsible } from '../../rig/ansible.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { evenkeel } from '../../rig/in_process.js';
import { readInventory, type Read } from '../../rig/inventory.js';
import { inFolderWithScripts } from '../../rig/scripts.js';

const HOSTS = 'web: { hosts: { a: { os: debian, n: 5 }, b: { os: rhel } } }';

async function made(config: string, hosts = HOSTS): Promise<readonly string[]> {
  return (await readInventory({ 'hosts.yml': hosts, 'made.yml': config }, ['hosts.yml', 'made.yml'])).said;
}

describe('a constructed inventory', () => {
  it('is refused with all its mistakes', async () => {
    expect(
      await made(
        'plugin: constructed\nstrict: perhaps\ncompose: [a]\nkeyed_group: []\nkeyed_groups:\n  - {}\n  - prefix: x\n' +
          '  - { key: os, default_value: a, trailing_separator: false }\n',
      ),
    ).to.deep.equal([
      'warning: made.yml:4:1 unknown option "keyed_group" has no effect — did you mean "keyed_groups"?',
      'made.yml:2:9 "strict" must be true or false',
      'made.yml:3:10 "compose" must be a mapping of names and expressions',
      'made.yml:6:5 an entry of "keyed_groups" must be a mapping',
      'made.yml:7:5 an entry of "keyed_groups" needs a "key", an expression',
      'made.yml:8:5 "default_value" and "trailing_separator" exclude each other',
    ]);
  });

  it('ignores expressions that fail, but not those that can never work', async () => {
    const config = 'plugin: constructed\ncompose: { x: nowhere }\ngroups: { g: os | no_filter, h: nowhere }\n';
    expect(await made(config)).to.deep.equal(['warning: made.yml:3:14 there is no filter or function "no_filter"']);
  });

  it('names each expression that fails once if it is strict', async () => {
    expect(
      await made(
        'plugin: constructed\nstrict: true\ncompose: { x: nowhere }\ngroups: { g: nowhere }\n' +
          `keyed_groups: [{ key: nowhere }, { key: "''" }, { key: n }]\n`,
      ),
    ).to.deep.equal([
      'made.yml:3:15 "x" of a cannot be set: variable "nowhere" is not defined',
      'made.yml:4:14 a cannot be added to the group "g": variable "nowhere" is not defined',
      'made.yml:5:16 a cannot be added to a group: variable "nowhere" is not defined',
      `made.yml:5:34 a cannot be added to a group: the key is empty: ''`,
      'made.yml:5:49 a cannot be added to a group: the key must be a text, a list or a mapping, not 5',
    ]);
  });

  it('takes what it computes for data, not for templates', async () => {
    const { of } = await readInventory(
      { 'hosts.yml': HOSTS, 'made.yml': "plugin: constructed\ncompose: { x: \"'{{' ~ ' nowhere }}'\" }" },
      ['hosts.yml', 'made.yml'],
    );
    expect(of('a')).to.deep.equal({ os: 'debian', n: 5, x: '{{ nowhere }}' });
  });
});

describe('a generated inventory', () => {
  it('is refused where a part is missing or no text', async () => {
    const said = async (config: string): Promise<readonly string[]> =>
      (await readInventory({ 'made.yml': `plugin: generator\n${config}` })).said;
    expect(await said('hosts: {}')).to.deep.equal([
      'made.yml:1:1 a generator needs "layers", a mapping of names and lists of values',
    ]);
    expect(await said('layers: { a: 1 }')).to.deep.equal([
      'made.yml:1:1 a generator needs "hosts" with a "name", a template',
      'made.yml:2:14 the layer "a" must be a list of values',
    ]);
    expect(await said('hosts: { name: "x{{ b }}" }\nlayers: { a: [1] }')).to.deep.equal([
      'made.yml:2:16 variable "b" is not defined',
    ]);
    expect(await said('hosts: { name: "{{ a | uper }}{{ a | lowr }}" }\nlayers: { a: [1] }')).to.deep.equal([
      'made.yml:2:16 there is no filter or function "uper" — did you mean "upper"?',
      'made.yml:2:16 there is no filter or function "lowr" — did you mean "lower"?',
    ]);
    expect(await said('hosts: { name: "{{ a }}" }\nlayers: { a: [1] }')).to.deep.equal([
      'made.yml:2:16 the name must be a text — add text or the filter string',
    ]);
    expect(await said('hosts: { name: x }\nlayers: { a: [1], b: 2, c: 3 }')).to.deep.equal([
      'made.yml:3:22 the layer "b" must be a list of values',
    ]);
    expect(await said('hosts: { name: x, parents: [{ vars: {} }] }\nlayers: { a: [1] }')).to.deep.equal([
      'made.yml:2:29 "hosts" and each of its "parents" need a "name", a template',
    ]);
  });
});

const OF_NETBOX = 'plugin: netbox.netbox.nb_inventory\ntoken: s3cr3t-of-netbox\n';

/** Notes its arguments, and prints a controller. */
const PRINTS = `#!/bin/sh
echo "$@ $ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED" | sed "s#$PWD/##" >> calls
echo '{"_meta": {"hostvars": {"lb1": {"n": 1}}}, "site_fra": {"hosts": ["lb1"], "vars": {"site": "fra"}}}'
`;

const files = (config: string, program = PRINTS): Files => ({ 'nb.yml': config, 'bin/ansible-inventory': program });
const inPath = (cwd: string, more: Readonly<Record<string, string>> = {}): { env: Record<string, string> } => ({
  env: { PATH: `${cwd}/bin:${process.env['PATH'] ?? ''}`, ...more },
});

describe('an inventory plugin that is not built in', () => {
  it('is asked through ansible-inventory', async () => {
    await inFolderWithScripts(files(OF_NETBOX), async (cwd) => {
      const { code, stdout } = await evenkeel(['inventory', '-i', 'nb.yml', '--list'], { cwd, ...inPath(cwd) });
      expect({ code, listed: JSON.parse(stdout) as unknown }).to.deep.equal({
        code: 0,
        listed: {
          _meta: { hostvars: { lb1: { n: 1, site: 'fra' } } },
          all: { children: ['ungrouped', 'site_fra'] },
          site_fra: { hosts: ['lb1'] },
        },
      });
      expect(await readFile(path.join(cwd, 'calls'), 'utf8')).to.equal('-i nb.yml --export --list true\n');
    });
  });

  it('is asked for the variables of each controller that it does not list, which are not kept', async () => {
    const program = `#!/bin/sh
echo "$@ $ANSIBLE_VARS_ENABLED- $ANSIBLE_NOCOLOR $OWN" | sed "s#$PWD/##" >> calls
case "$*" in *--list) echo '{"g": ["lb1", "lb2"]}' ;; *) echo "{\\"me\\": \\"$5\\"}" ;; esac
`;
    await inFolderWithScripts(files(`${OF_NETBOX}cache: true\n`, program), async (cwd) => {
      const env = inPath(cwd, { OWN: 'passed on' });
      const list = async (): Promise<unknown> => {
        const { stdout } = await evenkeel(['inventory', '-i', 'nb.yml', '--list'], { cwd, ...env });
        return (JSON.parse(stdout) as Readonly<Record<string, unknown>>)['_meta'];
      };
      const asked = async (): Promise<readonly string[]> =>
        (await readFile(path.join(cwd, 'calls'), 'utf8')).trimEnd().split('\n').sort();
      const each = ['-i nb.yml --export --host lb1 - 1 passed on', '-i nb.yml --export --host lb2 - 1 passed on'];
      const expected = { hostvars: { lb1: { me: 'lb1' }, lb2: { me: 'lb2' } } };
      expect([await list(), await asked()]).to.deep.equal([
        expected,
        [each[0], each[1], '-i nb.yml --export --list - 1 passed on'],
      ]);
      expect([await list(), await asked()]).to.deep.equal([
        expected,
        [each[0], each[0], each[1], each[1], '-i nb.yml --export --list - 1 passed on'],
      ]);
    });
  });

  const failing = [
    [
      'exits with a code',
      '#!/bin/sh\necho "no route to netbox, token s3cr3t-of-netbox" >&2\nexit 4\n',
      'inventory: ansible-inventory -i nb.yml --export --list ended with exit code 4; it says: no route to netbox, token ********',
    ],
    [
      'prints no JSON',
      '#!/bin/sh\necho hello\n',
      `inventory: ansible-inventory -i nb.yml --export --list ended with exit code 0 but did not print JSON: Unexpected token 'h', "hello\n" is not valid JSON`,
    ],
  ] as const;
  for (const [what, program, message] of failing) {
    it(`is an error if ansible-inventory ${what}`, async () => {
      await inFolderWithScripts(files(OF_NETBOX, program), async (cwd) => {
        const { code, stderr } = await evenkeel(['inventory', '-i', 'nb.yml', '--list'], { cwd, ...inPath(cwd) });
        expect(stderr).to.include(message);
        expect(code).to.equal(1);
      });
    });
  }

  it('is refused where ansible-inventory is not installed, and with --no-exec', async () => {
    await inFolder({ 'nb.yml': OF_NETBOX }, async (cwd) => {
      const { code, stderr } = await evenkeel(['inventory', '-i', 'nb.yml', '--list'], { cwd, env: { PATH: cwd } });
      expect(stderr).to.include(
        'error: the plugin "netbox.netbox.nb_inventory" runs in Ansible, and there is no ansible-inventory in PATH',
      );
      expect(stderr).to.include(
        'install ansible-core and the collection netbox.netbox, or let an executable print the inventory: docs/inventory.md',
      );
      expect(code).to.equal(1);
    });
    await inFolder({ 'own.yml': 'plugin: own\n' }, async (cwd) => {
      const { stderr } = await evenkeel(['inventory', '-i', 'own.yml', '--list'], { cwd, env: { PATH: cwd } });
      expect(stderr).to.include('install ansible-core, or let an executable print the inventory: docs/inventory.md');
    });
    await inFolderWithScripts(files(OF_NETBOX), async (cwd) => {
      const env = inPath(cwd, { EVENKEEL_NO_EXEC: '1' });
      const { stderr } = await evenkeel(['inventory', '-i', 'nb.yml', '--list'], { cwd, ...env });
      expect(stderr).to.include(
        'the inventory nb.yml needs ansible-inventory for the plugin "netbox.netbox.nb_inventory", which --no-exec does not run: its controllers are unknown',
      );
      expect(await readdir(cwd)).to.not.include('calls');
    });
  });

  it('is kept as its file says: for a time, for the same file, readable by the user only', async () => {
    await inFolderWithScripts(files(`${OF_NETBOX}cache: true\ncache_timeout: 60\n`), async (cwd) => {
      const list = async (more: Readonly<Record<string, string>> = {}): Promise<number> => {
        const ended = await evenkeel(['inventory', '-i', 'nb.yml', '--graph'], { cwd, ...inPath(cwd, more) });
        expect(ended).to.include({ code: 0, stderr: '' });
        expect(ended.stdout).to.include('lb1');
        return (await readFile(path.join(cwd, 'calls'), 'utf8')).split('\n').length - 1;
      };
      expect([await list(), await list()]).to.deep.equal([1, 1]);
      const folder = path.join(cwd, '.evenkeel/inventory');
      const [name = ''] = await readdir(folder);
      const kept = path.join(folder, name);
      expect((await stat(kept)).mode & 0o777).to.equal(0o600);
      const young = Math.floor(Date.now() / 1000) - 30;
      await utimes(kept, young, young);
      expect([await list(), (await stat(kept)).mtimeMs], 'is not newer for being used').to.deep.equal([
        1,
        young * 1000,
      ]);
      const before = young - 31;
      await utimes(kept, before, before);
      expect([await list(), await list()]).to.deep.equal([2, 2]);
      const elsewhere = { ANSIBLE_INVENTORY_CACHE_CONNECTION: './kept' };
      expect([await list(elsewhere), await list(elsewhere)]).to.deep.equal([3, 3]);
      expect(await readdir(path.join(cwd, 'kept'))).to.deep.equal([name]);
    });
  });

  it('is not kept by an apply, which has it from the plan', async () => {
    const site = '- hosts: lb1\n  tasks: [{ debug: { msg: hello } }]\n';
    const given = { ...files(`${OF_NETBOX}cache: true\n`), 'site.yml': site };
    await inFolderWithScripts(given, async (cwd) => {
      const run = async (...args: readonly string[]): Promise<unknown> => {
        const { code, stderr } = await evenkeel(args, { cwd, ...inPath(cwd) });
        const kept = await readdir(path.join(cwd, '.evenkeel/inventory')).catch(() => []);
        return { code, stderr, kept: kept.length };
      };
      expect(await run('plan', 'site.yml', '-i', 'nb.yml', '--out', 'a.plan')).to.deep.equal({
        code: 0,
        stderr: '',
        kept: 1,
      });
      await rm(path.join(cwd, '.evenkeel/inventory'), { recursive: true });
      expect(await run('apply', 'a.plan')).to.deep.equal({ code: 0, stderr: '', kept: 0 });
    });
  });

  it('is kept only if the file, the environment or ansible.cfg say so, and if its output can be read', async () => {
    const off = files(OF_NETBOX);
    const inConfig = { ...off, 'ansible.cfg': '[inventory]\ncache = yes\ncache_connection = kept\n' };
    const broken = files(`${OF_NETBOX}cache: true\n`, PRINTS.replace("'{", "'"));
    const kept = async (given: Files): Promise<readonly string[]> =>
      inFolderWithScripts(given, async (cwd) => {
        await evenkeel(['inventory', '-i', 'nb.yml', '--graph'], { cwd, ...inPath(cwd) });
        return (await readdir(cwd)).filter((one) => ['kept', '.evenkeel'].includes(one));
      });
    expect([await kept(off), await kept(inConfig), await kept(broken)]).to.deep.equal([[], ['kept'], []]);
  });

  it('is used also if it cannot be kept, with a warning', async () => {
    const config = `${OF_NETBOX}cache: true\ncache_connection: nb.yml\n`;
    await inFolderWithScripts(files(config), async (cwd) => {
      const ended = await evenkeel(['inventory', '-i', 'nb.yml', '--graph'], { cwd, ...inPath(cwd) });
      expect([ended.code, ended.stdout.includes('lb1')]).to.deep.equal([0, true]);
      expect(ended.stderr.replace(/evenkeel-\w+/, 'X').replaceAll(cwd, '.')).to.equal(
        'warning: inventory: cannot keep the output of ansible-inventory -i nb.yml --export --list in nb.yml/X.json: a part of its path is a file, not a folder\n\n1 warning\n',
      );
    });
  });

  it('runs in the Ansible that is installed', async function () {
    if (!hasAnsible()) this.skip();
    this.timeout(60_000);
    const plugin = `
from ansible.plugins.inventory import BaseInventoryPlugin
DOCUMENTATION = 'name: own\\nshort_description: x\\noptions:\\n  names: {type: list, default: []}'
class InventoryModule(BaseInventoryPlugin):
    NAME = 'own'
    def parse(self, inventory, loader, path, cache=True):
        super().parse(inventory, loader, path)
        self._read_config_data(path)
        inventory.add_group('made')
        inventory.set_variable('made', 'level', 'plugin')
        for name in self.get_option('names'):
            inventory.add_host(name, 'made')
`;
    const project = {
      'own.yml': 'plugin: own\nnames: [lb1, lb2]\n',
      'wrong.yml': 'plugin: owm\n',
      'inventory_plugins/own.py': plugin,
      'ansible.cfg': '[defaults]\ninventory_plugins = inventory_plugins\n',
      'group_vars/made.yml': 'beside: 1',
    };
    await inFolder(project, async (cwd) => {
      const list = (file: string): ReturnType<typeof evenkeel> =>
        evenkeel(['inventory', '-i', file, '--graph', '--vars'], { cwd });
      expect((await list('own.yml')).stdout).to.match(
        /@made:[\s\S]*lb1[\s\S]*lb2[\s\S]*beside = 1[\s\S]*level = plugin/,
      );
      expect((await list('wrong.yml')).stderr).to.match(/ended with exit code 1; it says: [\s\S]*'owm'/);
    });
  });
});

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
