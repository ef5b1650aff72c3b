import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project, STARTED } from '../rig/command.js';
import { Terminal } from '../rig/terminal.js';
import { CONTENT, ENCRYPTED_FILE, LABELLED_FILE, OTHER_PASSWORD, PASSWORD, vaultOf } from '../rig/vault.js';

const TYPED = 'typed-by-somebody';

describe('vault passwords in a terminal', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  beforeEach(async () => {
    project = await emptyProject({
      'plain.yml': CONTENT,
      'a.yml': ENCRYPTED_FILE,
      'prod.yml': LABELLED_FILE,
      'inv.yml': 'g: { hosts: { lb1: } }\n',
      'group_vars/all.yml': ENCRYPTED_FILE,
    });
  });
  afterEach(async () => {
    await terminal?.close();
    await project.remove();
  });

  function start(...args: readonly string[]): Terminal {
    return startPaged('tr a-z A-Z', ...args);
  }

  function startPaged(pager: string, ...args: readonly string[]): Terminal {
    const options = { columns: 100, rows: 40, cwd: project.directory };
    terminal = new Terminal(
      'env',
      [`PAGER=${pager}`, 'EDITOR=sh editor.sh', process.execPath, ...STARTED, ...args],
      options,
    );
    return terminal;
  }

  const read = (name: string): Promise<string> => readFile(path.join(project.directory, name), 'utf8');

  async function opened(name: string, password: string): Promise<string> {
    const result = await vaultOf({ default: password }).vault.open(await read(name));
    return result.status === 'ok' ? result.content.toString() : result.message;
  }

  it('are asked for by a run, without being shown', async () => {
    const args = ['task', 'all', '-m', 'debug', '-a', 'msg={{token}}', '-i', 'inv.yml', '-J'];
    const asked = start(...args);
    await asked.shows('Vault password:');
    asked.press(`${PASSWORD}\r`);
    expect(await asked.exited).to.equal(0);
    expect(asked.written).to.include('********').and.to.not.include(PASSWORD).and.to.not.include('s3cr3t-t0ken');
  });

  it('are asked for by label, before the pager', async () => {
    const asked = start('vault', 'view', 'prod.yml', '--vault-id', 'prod@prompt');
    await asked.shows('Vault password (prod):');
    asked.press(`${OTHER_PASSWORD}\r`);
    expect(await asked.exited).to.equal(0);
    expect(asked.screen.text).to.include('TOKEN: S3CR3T-T0KEN');
  });

  it('leave Ctrl-C to the pager and to the editor', async () => {
    await project.write('pw', PASSWORD);
    const untilKey = 'trap "" INT; cat; echo begun; read -r _ < /dev/tty; echo left by a key';
    await project.write('editor.sh', untilKey.replace('cat;', 'echo "more: 1" >> "$1";'));
    for (const words of [['view'], ['edit']]) {
      const paged = startPaged(untilKey, 'vault', ...words, 'a.yml', '--vault-password-file', 'pw');
      await paged.shows('begun');
      for (let times = 0; times < 3; times++) paged.interrupt();
      paged.press('\r');
      expect(await paged.exited, paged.screen.text).to.equal(0);
      expect(paged.screen.text).to.include('left by a key');
    }
    expect(await opened('a.yml', PASSWORD)).to.equal(`${CONTENT}more: 1\n`);
  });

  it('are asked for if there is no other source, and twice before encryption', async () => {
    const asked = start('vault', 'encrypt', 'plain.yml');
    await asked.shows('New Vault password:');
    asked.press(`${TYPED}\r`);
    await asked.shows('Confirm New Vault password:');
    asked.press(`${TYPED}\r`);
    expect(await asked.exited).to.equal(0);
    expect(asked.screen.text).to.match(/Encryption successful$/);
    expect(asked.written).to.not.include(TYPED);
    expect(await opened('plain.yml', TYPED)).to.equal(CONTENT);
  });

  it('encrypt nothing if they differ', async () => {
    const asked = start('vault', 'encrypt', 'plain.yml');
    await asked.shows('New Vault password:');
    asked.press(`${TYPED}\r`);
    await asked.shows('Confirm New Vault password:');
    asked.press('something else\r');
    expect(await asked.exited).to.equal(1);
    expect(asked.screen.text).to.include('error: the vault passwords do not match');
    expect(await read('plain.yml')).to.equal(CONTENT);
  });

  it('end the command on Ctrl-C', async () => {
    const asked = start('vault', 'encrypt', 'plain.yml');
    await asked.shows('New Vault password:');
    asked.press('\x03');
    expect(await asked.exited).to.equal(130);
    expect(await read('plain.yml')).to.equal(CONTENT);
  });

  it('are changed by rekey, the old one asked for once and the new one twice', async () => {
    const asked = start('vault', 'rekey', 'a.yml');
    await asked.shows('Vault password:');
    asked.press(`${PASSWORD}\r`);
    await asked.shows('New Vault password:');
    asked.press(`${TYPED}\r`);
    await asked.shows('Confirm New Vault password:');
    asked.press(`${TYPED}\r`);
    expect(await asked.exited).to.equal(0);
    expect(asked.screen.text).to.match(/Rekey successful$/);
    expect(await opened('a.yml', TYPED)).to.equal(CONTENT);
  });

  it('can be combined with a text that is asked for', async () => {
    await project.write('pw', PASSWORD);
    const asked = start('vault', 'encrypt-string', '--prompt', '--vault-password-file', 'pw', '--out', 'out.yml');
    await asked.shows('Variable name (enter for no name):');
    asked.press('token\r');
    await asked.shows('String to encrypt (hidden):');
    asked.press('typed-text\r');
    expect(await asked.exited).to.equal(0);
    expect(asked.written).to.not.include('typed-text');
    const [first, ...lines] = (await read('out.yml')).trimEnd().split('\n');
    expect(first).to.equal('token: !vault |');
    await project.write('value', lines.map((line) => line.trim()).join('\n'));
    expect(await opened('value', PASSWORD)).to.equal('typed-text');
  });
});
