import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { hasAnsible } from '../rig/ansible.js';
import { PROFILE } from '../rig/columns.js';
import { evenkeel } from '../rig/in_process.js';
import { inFolderWithScripts } from '../rig/scripts.js';
import { WarmAnsible } from '../rig/warm_ansible.js';

const CONTENTS: Readonly<Record<string, Buffer>> = {
  'a line': Buffer.from('token: s3cr3t\n'),
  nothing: Buffer.alloc(0),
  'a whole block': Buffer.alloc(16, 'x'),
  'many lines': Buffer.from(Array.from({ length: 500 }, (_, line) => `key${line}: grüße ${line}\n`).join('')),
  'bytes that are not text': Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256)),
};

const PASSWORDS: Readonly<Record<string, string>> = {
  'a word': 'secret',
  several: 'correct horse  battery',
  'other letters': 'Grüße 漢字 🔑',
  'one longer than a block of its hash': 'p'.repeat(200),
};

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'a file': ['--vault-password-file', 'pw'],
  'a label': ['--vault-id', 'prod@pw'],
  'a program': ['--vault-password-file', 'print.sh'],
  'a client': ['--vault-id', 'prod@ask-client.sh'],
};

const PRINT = '#!/bin/sh\ncat pw; echo\n';
const CLIENT = '#!/bin/sh\n[ "$1 $2" = "--vault-id prod" ] && cat pw\n';

const installed = hasAnsible();
const skipped = installed ? '' : ' (ansible-core 2.14 is not installed)';

/** A folder with a content and a password. */
function inVaultFolder(content: Buffer, password: string, use: (cwd: string) => Promise<void>): Promise<void> {
  const files = { pw: password, 'print.sh': PRINT, 'ask-client.sh': CLIENT };
  return inFolderWithScripts(files, async (cwd) => {
    await writeFile(path.join(cwd, 'content'), content);
    await use(cwd);
  });
}

async function ours(args: readonly string[], cwd: string, stdin = ''): Promise<string> {
  const { code, stdout, stderr } = await evenkeel(['vault', ...args], { cwd, stdin });
  expect(code, stderr).to.equal(0);
  return stdout;
}

const read = (cwd: string, name: string): Promise<Buffer> => readFile(path.join(cwd, name));

/** What 2.19 writes with `--graph --vars` for an encrypted value in a list or mapping. */
const INSIDES = /EncryptedString\(ciphertext='[^']*'\)/g;

describe("evenkeel vault and ansible-vault 2.14 read each other's files", () => {
  const ansible = new WarmAnsible();
  after(() => ansible.close());

  function theirs(args: readonly string[], cwd: string): Promise<string> {
    return ansible.run('ansible-vault', args, cwd);
  }

  const check = (title: string, content: Buffer, password: string, options: readonly string[]): void => {
    it(`${title}${skipped}`, async function () {
      if (!installed) this.skip();
      this.timeout(120_000);
      await inVaultFolder(content, password, async (cwd) => {
        await theirs(['encrypt', 'content', '--output', 'theirs', ...options], cwd);
        await ours(['decrypt', 'theirs', ...options], cwd);
        expect((await read(cwd, 'theirs')).equals(content)).to.equal(true);
        await ours(['encrypt', 'content', '--out', 'ours', ...options], cwd);
        await theirs(['decrypt', 'ours', ...options], cwd);
        expect((await read(cwd, 'ours')).equals(content)).to.equal(true);
      });
    });
  };
  const ONE = Buffer.from('token: s3cr3t\n');
  for (const [name, content] of Object.entries(CONTENTS)) check(name, content, 'secret', ['--vault-id', 'prod@pw']);
  for (const [name, password] of Object.entries(PASSWORDS))
    check(`password: ${name}`, ONE, password, ['--vault-password-file', 'pw']);
  for (const [name, options] of Object.entries(OPTIONS)) check(`password from ${name}`, ONE, 'secret', options);

  it(`after rekey and edit${skipped}`, async function () {
    if (!installed) this.skip();
    this.timeout(120_000);
    await inVaultFolder(ONE, 'secret', async (cwd) => {
      await writeFile(path.join(cwd, 'new'), 'new password');
      const options = ['--vault-password-file', 'pw'];
      await theirs(['encrypt', 'content', ...options], cwd);
      await ours(['rekey', 'content', ...options, '--new-vault-id', 'prod@new'], cwd);
      const { code } = await evenkeel(['vault', 'edit', 'content', '--vault-id', 'prod@new'], {
        cwd,
        env: { EDITOR: 'sed -i s/s3cr3t/changed/' },
      });
      expect(code).to.equal(0);
      expect((await read(cwd, 'content')).toString()).to.match(/^\$ANSIBLE_VAULT;1\.2;AES256;prod\n/);
      expect(await theirs(['view', 'content', '--vault-id', 'prod@new'], cwd)).to.include('token: changed');
      await theirs(['rekey', 'content', '--vault-id', 'prod@new', '--new-vault-password-file', 'pw'], cwd);
      expect(await ours(['view', 'content', ...options], cwd)).to.equal('token: changed\n');
    });
  });

  it(`as values in YAML, which no template can change${skipped}`, async function () {
    if (!installed) this.skip();
    this.timeout(120_000);
    await inVaultFolder(ONE, 'secret', async (cwd) => {
      const options = ['--vault-password-file', 'pw'];
      const text = 'say {{ inventory_hostname }}';
      const values = [
        await ours(['encrypt-string', '--name', 'ours', text, ...options], cwd),
        await theirs(['encrypt_string', '--name', 'theirs', text, ...options], cwd),
      ];
      await writeFile(path.join(cwd, 'vars.yml'), values.map((value) => value.trimEnd() + '\n').join(''));
      await writeFile(path.join(cwd, 'inv.ini'), 'lb1\n');
      await writeFile(
        path.join(cwd, 'site.yml'),
        `- hosts: all
  gather_facts: false
  vars_files: [vars.yml]
  tasks:
    - assert:
        that: [ours == theirs, ours == expected, "[ours] | first == expected"]
`,
      );
      await writeFile(path.join(cwd, 'expected.yml'), `expected: !unsafe ${JSON.stringify(text)}\n`);
      const args = ['-i', 'inv.ini', 'site.yml', '-e', '@expected.yml', ...options];
      expect(await ansible.run('ansible-playbook', args, cwd)).to.match(/ok=1 .*failed=0/);
      const { code, stdout, stderr } = await evenkeel(['run', ...args], { cwd });
      expect(code, stdout + stderr).to.equal(0);
    });
  });

  it(`in the inventory${skipped}`, async function () {
    if (!installed) this.skip();
    this.timeout(120_000);
    await inVaultFolder(ONE, 'secret', async (cwd) => {
      const options = ['--vault-password-file', 'pw'];
      const value = (await theirs(['encrypt_string', '--name', 'token', 's3cr3t', ...options], cwd)).trimEnd();
      const lines = value
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
      const list = `list:\n- !vault |\n${lines.map((line) => `  ${line}`).join('\n')}\n- 1\n`;
      const inner = `deep:\n  inner: !vault |-\n${lines.map((line) => `    ${line}`).join('\n')}\n  z: 1\n`;
      await writeFile(
        path.join(cwd, 'inv.yml'),
        `all:\n  vars:\n${`${value}\n${list}${inner}`.replace(/^/gm, '    ')}\n  hosts: { lb1: }\n`,
      );
      for (const view of [
        ['--list'],
        ['--list', '-y'],
        ['--host', 'lb1'],
        ['--host', 'lb1', '-y'],
        ['--graph', '--vars'],
      ]) {
        const args = ['-i', 'inv.yml', ...view, ...options];
        const { stdout, stderr } = await evenkeel(['inventory', ...args], { cwd });
        const wanted = (await ansible.run('ansible-inventory', args, cwd))
          .replace(PROFILE, '')
          .replaceAll(INSIDES, "'s3cr3t'");
        expect(stdout, stderr).to.equal(wanted);
      }
      const legacy = await ansible.run('ansible-inventory', ['-i', 'inv.yml', '--list'], cwd);
      const printed = legacy.replace(PROFILE, '');
      await writeFile(path.join(cwd, 'again.json'), printed);
      const again = await evenkeel(['inventory', '-i', 'again.json', '--graph', '--vars', ...options], { cwd });
      expect(again.stdout, again.stderr).to.include('{token = s3cr3t}');
      expect((await evenkeel(['inventory', '-i', 'again.json', '--list'], { cwd })).stdout).to.equal(printed);
    });
  });
});
