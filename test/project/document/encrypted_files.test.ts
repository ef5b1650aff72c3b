import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { isMapping, Unsafe, Vaulted, type Value } from '../../../src/core/model/values/value.js';
import { readDecrypted } from '../../../src/project/document/read_file_text.js';
import { loadInventory } from '../../../src/project/inventory/load.js';
import { adHocPlaybook } from '../../../src/project/playbook/ad_hoc.js';
import { loadPlaybooks } from '../../../src/project/playbook/playbook.js';
import { loadGroupVars } from '../../../src/project/variables/group_vars.js';
import { parseExtraVars, readVariables } from '../../../src/project/variables/written_variables.js';
import { encrypt } from '../../../src/project/vault/cipher.js';
import { parseYaml } from '../../../src/project/yaml/parse_yaml.js';
import { inFolder } from '../../rig/folder.js';
import { catalogue, tasksOf, worded } from '../../rig/loaded.js';
import { inFolderWithScripts } from '../../rig/scripts.js';
import {
  CONTENT,
  ENCRYPTED_FILE,
  ENCRYPTED_VALUE,
  password,
  PASSWORD,
  TEXT,
  vaulted,
  vaultOf,
} from '../../rig/vault.js';

const VALUES = { token: 's3cr3t-t0ken', note: 'grüße {{ inventory_hostname }}' };
const NO_PASSWORD =
  'this file is encrypted, and no vault password was given — pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml';

function encrypted(content: string): Promise<string> {
  return encrypt(Buffer.from(content), password('default', PASSWORD));
}

function open(): ReturnType<typeof vaultOf>['vault'] {
  return vaultOf({ default: PASSWORD }).vault;
}

/** Returns the value with all encrypted values decrypted. */
function opened(value: Value): unknown {
  if (value instanceof Vaulted) return `vault: ${value.text}`;
  if (Array.isArray(value)) return value.map(opened);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, opened(one)]));
}

describe('encrypted files', () => {
  it('begin with their header: what is before it is an error, where the header is', async () => {
    for (const before of ['---\n# The passwords\r\n\n', '# a\n--- # b\n\t\n', '\n\n\n', ' ']) {
      await inFolder({ 'a.ini': before + ENCRYPTED_FILE }, async (cwd) => {
        const diagnostics = new Diagnostics();
        expect(await readDecrypted(`${cwd}/a.ini`, { diagnostics, vault: open() }, 'a.ini')).to.equal(undefined);
        expect(diagnostics.list.map(worded)).to.deep.equal([
          `a.ini:${before === ' ' ? 1 : 4}:1 this file is encrypted, but something is before its header — delete what is before "$ANSIBLE_VAULT": Ansible does not decrypt such a file, either`,
        ]);
      });
    }
  });

  it('are read like plain files', async () => {
    await inFolder({ 'a.yml': ENCRYPTED_FILE, 'b.yml': CONTENT }, async (cwd) => {
      const diagnostics = new Diagnostics();
      expect(await readDecrypted(`${cwd}/a.yml`, { diagnostics, vault: open() }, 'a.yml')).to.deep.equal({
        text: CONTENT,
        encrypted: true,
      });
      expect(await readDecrypted(`${cwd}/b.yml`, { diagnostics, vault: open() }, 'b.yml')).to.deep.equal({
        text: CONTENT,
        encrypted: false,
      });
      expect(diagnostics.list).to.deep.equal([]);
    });
  });

  it('are reported with their position if they cannot be decrypted', async () => {
    const binary = await encrypt(Buffer.from([0xc3]), password('default', PASSWORD));
    const files = { 'a.yml': ENCRYPTED_FILE, 'cut.yml': ENCRYPTED_FILE.slice(0, 200), 'binary.yml': binary };
    await inFolder(files, async (cwd) => {
      const diagnostics = new Diagnostics();
      expect(await readDecrypted(`${cwd}/a.yml`, { diagnostics }, 'a.yml')).to.equal(undefined);
      for (const name of ['a.yml', 'cut.yml', 'binary.yml']) {
        const { vault } = vaultOf({ default: name === 'a.yml' ? 'wrong' : PASSWORD });
        expect(await readDecrypted(`${cwd}/${name}`, { diagnostics, vault }, name)).to.equal(undefined);
      }
      expect(diagnostics.list.map(worded)).to.deep.equal([
        `a.yml:1:1 ${NO_PASSWORD}`,
        'a.yml:1:1 this file cannot be decrypted: none of the vault passwords fits (tried: default) — the password may be wrong, or the text was changed',
        'cut.yml:1:1 this file is damaged: it does not hold a salt, a digest and a ciphertext',
        'binary.yml:1:1 this file is not UTF-8 text once it is decrypted',
      ]);
    });
  });

  it('can contain variables, which are all secret, and templates', async () => {
    await inFolder({ 'group_vars/all.yml': ENCRYPTED_FILE, 'group_vars/g.yml': 'a: 1\n' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const { groups } = await loadGroupVars(cwd, 'inventory', { diagnostics, vault: open() }, undefined, '.');
      const [all] = groups.get('all') ?? [];
      expect(all?.values).to.deep.equal(VALUES);
      expect(all?.secret).to.equal(true);
      expect(groups.get('g')?.[0]).to.not.have.property('secret');
      const extra = await parseExtraVars(['@group_vars/all.yml'], cwd, { diagnostics, vault: open() });
      expect(extra.map(({ values, secret }) => [values, secret])).to.deep.equal([[VALUES, true]]);
      expect(diagnostics.list).to.deep.equal([]);
    });
  });

  it('report their mistakes without quoting their content', async () => {
    const content = await encrypted('token: "{{ s3cr3t_token"\nother: "{{ x | s3cr3tfilter }}"\n');
    const list = await encrypted('[hunter22]');
    await inFolder({ 'a.yml': content, 'list.yml': list }, async (cwd) => {
      const diagnostics = new Diagnostics();
      await readVariables(`${cwd}/a.yml`, 'extra vars', { diagnostics, vault: open() }, 'a.yml');
      await readVariables(`${cwd}/list.yml`, 'extra vars', { diagnostics, vault: open() }, 'list.yml');
      expect(diagnostics.list.map(worded).join('\n')).to.not.include('s3cr3t_token');
      expect(diagnostics.list.map(({ source }) => `${source?.file ?? ''}:${source?.line ?? 0}`)).to.deep.equal([
        'a.yml:1',
        'a.yml:2',
        'list.yml:1',
      ]);
    });
  });

  const unreadable = ['{{ pre }}-s3cr3t ab cd', '*s3cr3t', '!s3cr3t', '"s3cr3t', '[s3cr3t', '"a" s3cr3t'];
  for (const value of unreadable) {
    it(`are not quoted where their YAML is wrong, as in ${value}`, async () => {
      const files = {
        'vars.yml': await encrypted(`token: ${value}\n`),
        'site.yml': await encrypted(`- hosts: all\n  tasks: [debug: ]\n  vars:\n    token: ${value}\n`),
        'roles/r/tasks/main.yml': await encrypted(`- debug:\n    msg: ${value}\n`),
        'play.yml': '- { hosts: all, roles: [r] }\n',
        'args.yml': await encrypted(`msg: ${value}\n`),
      };
      await inFolder(files, async (cwd) => {
        const diagnostics = new Diagnostics();
        const means = { cwd, catalogue, diagnostics, vault: open() };
        await readVariables(`${cwd}/vars.yml`, 'extra vars', means, 'vars.yml');
        await loadPlaybooks(['site.yml', 'play.yml'], means);
        await adHocPlaybook({ ...means, pattern: 'all', module: 'debug', args: '@args.yml' });
        const failed = diagnostics.list.filter(({ severity }) => severity === 'error');
        expect(new Set(failed.map(({ source }) => source?.file))).to.deep.equal(
          new Set(['vars.yml', 'site.yml', 'roles/r/tasks/main.yml', 'args.yml']),
        );
        expect(diagnostics.list.map(worded).join('\n')).to.not.match(/s3cr3t|ab cd/);
      });
    });
  }

  it('are not quoted in part by messages about their tasks', async () => {
    const site = await encrypted('- hosts: all\n  tasks:\n    - debug: msg=first hunter2 hunter3\n');
    await inFolder({ 'site.yml': site }, async (cwd) => {
      const diagnostics = new Diagnostics();
      await loadPlaybooks(['site.yml'], { cwd, catalogue, diagnostics, vault: open() });
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'site.yml:3:14 debug takes arguments by name; "******** ********" has none — write name=value',
      ]);
    });
  });

  it('hide their words in messages, but not those of inventories that are not encrypted', async () => {
    const files = {
      'a.yml': await encrypted('g: { hosts: { lb1: { a: hidden-a } } }\n'),
      'b.ini': '[g]\nlb2 b=shown-b\n',
      'c.ini': await encrypted('[g]\nlb3 c=hidden-c\n'),
      'd.yml': 'g: { hosts: { lb4: { d: shown-d } } }\n',
    };
    await inFolder(files, async (cwd) => {
      const vault = open();
      await loadInventory(Object.keys(files), { cwd, diagnostics: new Diagnostics(), vault });
      expect(vault.mask('hidden-a shown-b hidden-c shown-d')).to.equal('******** shown-b ******** shown-d');
    });
  });

  it('can be playbooks, arguments and inventories', async () => {
    const files = {
      'site.yml': await encrypted('- hosts: all\n  vars_files: [secrets.yml]\n  tasks:\n    - debug: { msg: hi }\n'),
      'secrets.yml': ENCRYPTED_FILE,
      'args.yml': await encrypted('msg: hi\n'),
      'hosts.yml': await encrypted('g: { hosts: { lb1: { a: hidden-a } } }\n'),
      'hosts.ini': await encrypted('[g]\nlb2 b=hidden-b\n[g:vars]\nc=hidden-c\n'),
      'hosts.json': await encrypted('{"_meta": {"hostvars": {"lb3": {"d": "hidden-d"}}}, "g": {"hosts": ["lb3"]}}'),
    };
    await inFolder(files, async (cwd) => {
      const diagnostics = new Diagnostics();
      const means = { cwd, catalogue, diagnostics, vault: open() };
      const [playbook] = await loadPlaybooks(['site.yml'], means);
      expect(playbook?.plays[0]?.layers.map(({ values, secret }) => [values, secret])).to.deep.equal([[VALUES, true]]);
      const made = await adHocPlaybook({ ...means, pattern: 'all', module: 'debug', args: '@args.yml' });
      expect(tasksOf(made?.plays[0])).to.have.length(1);
      const inventory = await loadInventory(['hosts.yml', 'hosts.ini', 'hosts.json'], means);
      const layers = [...inventory.controllers.values()].flatMap((one) => one.layers);
      expect(new Set(layers.map(({ secret }) => secret))).to.deep.equal(new Set([true]));
      expect(Object.assign({}, ...layers.map(({ values }) => values))).to.deep.equal({
        a: 'hidden-a',
        b: 'hidden-b',
        c: 'hidden-c',
        d: 'hidden-d',
      });
      expect(diagnostics.list.map(worded)).to.deep.equal([]);
    });
  });

  it('cannot contain the settings of a project', () => {
    const diagnostics = new Diagnostics();
    expect(parseYaml(ENCRYPTED_FILE, 'evenkeel.yml', diagnostics)).to.equal(undefined);
    expect(diagnostics.list.map(worded)).to.deep.equal([
      'evenkeel.yml:1:1 this file is encrypted with ansible-vault, but must be plain text',
    ]);
  });
});

describe('encrypted values', () => {
  it('can be anywhere in YAML, and are decrypted when they are used', () => {
    const text = `${vaulted('a')}b:\n  - ${vaulted('c', 6)}x: &anchor\n  ${vaulted('d', 4)}y: *anchor\n`;
    const diagnostics = new Diagnostics();
    const parsed = parseYaml(text, 'a.yml', diagnostics, open());
    expect(diagnostics.list.map(worded)).to.deep.equal([]);
    const value = `vault: ${TEXT}`;
    expect(opened(parsed?.value ?? null)).to.deep.equal({
      a: value,
      b: [{ c: value }],
      x: { d: value },
      y: { d: value },
    });
  });

  it('can be on one line, and can have the older tag', () => {
    const text = `a: !vault-encrypted ${JSON.stringify(vaulted('x', 0).replace('x: !vault |\n', ''))}\n`;
    const parsed = parseYaml(text, 'a.yml', new Diagnostics(), open());
    expect(opened(parsed?.value ?? null)).to.deep.equal({ a: `vault: ${TEXT}` });
  });

  it('are reported if they are damaged when the file is read, even without a password', () => {
    const diagnostics = new Diagnostics();
    parseYaml('a: !vault s3cr3t\nb: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  zz\n', 'a.yml', diagnostics);
    expect(diagnostics.list.map(worded)).to.deep.equal([
      'a.yml:1:11 this encrypted value is damaged: its first line is not "$ANSIBLE_VAULT;1.1;AES256" — evenkeel vault encrypt-string encrypts it again',
      'a.yml:2:11 this encrypted value is damaged: its lines are not pairs of hexadecimal digits — evenkeel vault encrypt-string encrypts it again',
    ]);
  });

  it('can be arguments of a task, whose type is then unknown before the run', async () => {
    const text = `- hosts: all\n  tasks:\n    - pause:\n        ${vaulted('seconds', 10)}`;
    await inFolder({ 'site.yml': text }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const [playbook] = await loadPlaybooks(['site.yml'], { cwd, catalogue, diagnostics });
      expect(diagnostics.list.map(worded)).to.deep.equal([]);
      expect(tasksOf(playbook?.plays[0])).to.have.length(1);
    });
  });

  it('cannot be settings that are needed before the run, unless a password decrypts them', async () => {
    const text = `- hosts: all\n  ${vaulted('name', 4)}  tasks: [ { debug: } ]\n`;
    await inFolder({ 'site.yml': text }, async (cwd) => {
      const diagnostics = new Diagnostics();
      await loadPlaybooks(['site.yml'], { cwd, catalogue, diagnostics });
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'site.yml:2:16 this value is encrypted, and no vault password was given — pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml',
      ]);
      const [playbook] = await loadPlaybooks(['site.yml'], {
        cwd,
        catalogue,
        diagnostics: new Diagnostics(),
        vault: open(),
      });
      expect(playbook?.plays[0]?.name).to.equal(TEXT);
    });
  });
});

describe('encrypted values in JSON', () => {
  const tagged = { a: { __ansible_vault: ENCRYPTED_VALUE }, b: [{ __ansible_unsafe: '{{ b }}' }], c: { d: 1 } };

  it('are marked as in the output of ansible-inventory', () => {
    const diagnostics = new Diagnostics();
    const parsed = parseYaml(JSON.stringify(tagged), 'a.json', diagnostics, open());
    expect(diagnostics.list.map(worded)).to.deep.equal([]);
    expect(opened(parsed?.value ?? null)).to.deep.equal({
      a: `vault: ${TEXT}`,
      b: [new Unsafe('{{ b }}')],
      c: { d: 1 },
    });
  });

  it('are ordinary mappings in other YAML', () => {
    const parsed = parseYaml('a: { "__ansible_unsafe": x }\n', 'a.yml', new Diagnostics(), open());
    expect(parsed?.value).to.deep.equal({ a: { __ansible_unsafe: 'x' } });
  });

  it('are reported if they are damaged', () => {
    const diagnostics = new Diagnostics();
    parseYaml('{\n "a": {"__ansible_vault": "s3cr3t"}}', 'a.json', diagnostics, open());
    expect(diagnostics.list.map(worded)).to.deep.equal([
      'a.json:2:27 this encrypted value is damaged: its first line is not "$ANSIBLE_VAULT;1.1;AES256" — evenkeel vault encrypt-string encrypts it again',
    ]);
  });

  it('can come from an inventory executable', async () => {
    const listed = { _meta: { hostvars: { lb1: tagged } }, g: { hosts: ['lb1'] } };
    const script = `#!/bin/sh\ncat <<'END'\n${JSON.stringify(listed)}\nEND\n`;
    const damaged = script.replace('$ANSIBLE_VAULT', 'ANSIBLE');
    await inFolderWithScripts({ 'inv.sh': script, 'damaged.sh': damaged }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const inventory = await loadInventory(['inv.sh'], { cwd, diagnostics, vault: open() });
      expect(diagnostics.list.map(worded)).to.deep.equal([]);
      const layers = inventory.controllers.get('lb1')?.layers ?? [];
      expect(layers.map(({ values }) => opened(values))).to.deep.include({
        a: `vault: ${TEXT}`,
        b: [new Unsafe('{{ b }}')],
        c: { d: 1 },
      });
      await loadInventory(['damaged.sh'], { cwd, diagnostics, vault: open() });
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'damaged.sh --list:1:1 this encrypted value is damaged: its first line is not "$ANSIBLE_VAULT;1.1;AES256" — evenkeel vault encrypt-string encrypts it again',
      ]);
    });
  });

  it('do not mask names that contain them', async () => {
    const play = `- hosts: all
  vars:
${vaulted('dir', 6).replace(/^(?=\S)/, '    ')}  tasks:
    - import_tasks: '{{ dir }}/a.yml'
`;
    await inFolder({ 'site.yml': play }, async (cwd) => {
      const diagnostics = new Diagnostics();
      await loadPlaybooks(['site.yml'], { cwd, catalogue, diagnostics, vault: open() });
      const [one, ...others] = diagnostics.list.map(worded);
      expect(one).to.include('there is no file "********/a.yml"');
      expect(others).to.deep.equal([]);
    });
  });
});
