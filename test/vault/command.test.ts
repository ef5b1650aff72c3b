import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { writeOutputs } from '../../src/vault/files.js';
import { command, emptyProject, type Ended, type Project, STARTED } from '../rig/command.js';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';
import { mounted, SMALL } from '../rig/mounted.js';
import { CONTENT, ENCRYPTED_FILE, LABELLED_FILE, OTHER_PASSWORD, PASSWORD, vaultOf } from '../rig/vault.js';

const NOBODY = `error: cannot ask for the vault password without a terminal
  = hint: pass --vault-password-file FILE, or run in a terminal

1 error
`;

/** An editor that inserts its first argument at the beginning of the file, and prints the file's path. */
const EDITOR = `#!/bin/sh
stat -c '%a' "$2" "$(dirname "$2")" > seen
echo "$2" >> seen
printf '%s' "$1" | cat - "$2" > edited && cat edited > "$2"
`;

describe('the files that evenkeel vault writes', () => {
  const written = (names: readonly string[]) =>
    inFolder({ 'a.yml': 'old', 'b.yml': 'old' }, async (cwd) => {
      await chmod(path.join(cwd, 'a.yml'), 0o640);
      await chmod(path.join(cwd, 'b.yml'), 0o604);
      const stdout = {
        reveal: () => {
          throw new Error('closed');
        },
      };
      const diagnostics = new Diagnostics();
      const context = { cwd, stdout, signals: {} } as unknown as CommandContext;
      const isDone = await writeOutputs(
        names.map((name) => ({ name, content: 'new' })),
        context,
        diagnostics,
      );
      const files = ['a.yml', 'b.yml'].map((name) => path.join(cwd, name));
      return {
        said: isDone ? ['done'] : diagnostics.list.map(({ message, hint }) => [message, hint]),
        contents: await Promise.all(files.map((file) => readFile(file, 'utf8'))),
        modes: await Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777)),
        number: (await readdir(cwd)).length,
      };
    });

  it('keep their modes, and are named if something else fails after them', async () => {
    const modes = [0o640, 0o604];
    const number = 2;
    const both = ['new', 'new'];
    expect(await written(['a.yml', 'b.yml'])).to.deep.equal({ said: ['done'], contents: both, modes, number });
    expect(await written(['a.yml', 'b.yml', '-'])).to.deep.equal({
      said: [['cannot write -: closed', 'written before it: a.yml, b.yml']],
      contents: both,
      modes,
      number,
    });
    expect(await written(['-', 'a.yml', 'b.yml'])).to.deep.equal({
      said: [['cannot write -: closed', undefined]],
      contents: ['old', 'old'],
      modes,
      number,
    });
  });
});

describe('evenkeel vault', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({
      pw: PASSWORD,
      other: OTHER_PASSWORD,
      'plain.yml': CONTENT,
      'a.yml': ENCRYPTED_FILE,
      'prod.yml': LABELLED_FILE,
      'editor.sh': EDITOR,
      'tmp/keep': '',
    });
    await chmod(path.join(project.directory, 'editor.sh'), 0o755);
  });
  afterEach(() => project.remove());

  function vault(
    args: string,
    options: { stdin?: string | undefined; env?: Record<string, string> } = {},
  ): Promise<Ended> {
    const { stdin = '', env = {} } = options;
    const cwd = project.directory;
    return evenkeel(['vault', ...args.split(' ')], { cwd, stdin, env: { TMPDIR: path.join(cwd, 'tmp'), ...env } });
  }

  const read = (name: string): Promise<string> => readFile(path.join(project.directory, name), 'utf8');

  async function opened(text: string): Promise<string> {
    const result = await vaultOf({ default: PASSWORD, prod: OTHER_PASSWORD, new: 'new' }).vault.open(text);
    return result.status === 'ok' ? `${result.password.label}: ${result.content.toString()}` : result.message;
  }

  it('reads a pipe once', async () => {
    const script = 'exec "$0" "$@" vault view <(cat a.yml) --vault-password-file pw';
    const args = ['-c', script, process.execPath, ...STARTED];
    const { stdout, stderr } = await command('bash', args, { cwd: project.directory });
    expect(stderr + stdout).to.equal(CONTENT);
  });

  it('encrypts files in place, mode kept, and decrypts them', async () => {
    await chmod(path.join(project.directory, 'plain.yml'), 0o640);
    expect(await vault('encrypt plain.yml --vault-password-file pw')).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await read('plain.yml')).to.match(/^\$ANSIBLE_VAULT;1\.1;AES256\n/);
    expect(await opened(await read('plain.yml'))).to.equal(`default: ${CONTENT}`);
    expect((await stat(path.join(project.directory, 'plain.yml'))).mode & 0o777).to.equal(0o640);
    expect(await vault('decrypt plain.yml --vault-password-file pw')).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await read('plain.yml')).to.equal(CONTENT);
    expect((await stat(path.join(project.directory, 'plain.yml'))).mode & 0o777).to.equal(0o600);
    expect((await readdir(project.directory)).filter((name) => name.startsWith('.plain'))).to.deep.equal([]);
  });

  it('lets only the owner read what it decrypts into a file that others can read', async () => {
    const mode = async (): Promise<string> =>
      ((await stat(path.join(project.directory, 'plain.yml'))).mode & 0o7777).toString(8);
    for (const [before, after] of [
      [0o2664, '600'],
      [0o755, '700'],
      [0o444, '600'],
    ] as const) {
      await chmod(path.join(project.directory, 'plain.yml'), before);
      expect((await vault('decrypt a.yml --out plain.yml --vault-password-file pw')).stderr).to.equal('');
      expect(await mode()).to.equal(after);
    }
  });

  it('lets only the owner read what it decrypts into a file that is mounted by itself', function () {
    return mounted(this, SMALL, async (disk) => {
      const [inside, file] = [path.join(disk, 'inside'), path.join(project.directory, 'a.yml')];
      await writeFile(inside, ENCRYPTED_FILE, { mode: 0o644 });
      await promisify(execFile)('mount', ['--bind', inside, file]);
      try {
        expect((await vault('decrypt a.yml --vault-password-file pw')).stderr).to.equal('');
        expect([await readFile(inside, 'utf8'), (await stat(inside)).mode & 0o777]).to.deep.equal([CONTENT, 0o600]);
      } finally {
        await promisify(execFile)('umount', [file]);
      }
    });
  });

  it('follows a link instead of replacing it', async () => {
    await mkdir(path.join(project.directory, 'below'));
    await symlink('../plain.yml', path.join(project.directory, 'below/link.yml'));
    expect((await vault('encrypt below/link.yml --vault-password-file pw')).code).to.equal(0);
    expect(await readlink(path.join(project.directory, 'below/link.yml'))).to.equal('../plain.yml');
    expect(await opened(await read('plain.yml'))).to.equal(`default: ${CONTENT}`);
  });

  it('reads stdin and writes stdout', async () => {
    const { stdout, code } = await vault('encrypt --vault-id prod@other', { stdin: 'hello' });
    expect(code).to.equal(0);
    expect(stdout).to.match(/^\$ANSIBLE_VAULT;1\.2;AES256;prod\n/);
    expect(await opened(stdout)).to.equal('prod: hello');
    for (const files of ['', '- ']) {
      const back = await vault(`decrypt ${files}--vault-id prod@other`, { stdin: stdout });
      expect(back).to.deep.equal({ code: 0, stdout: 'hello', stderr: '' });
    }
    // A file may have that name.
    const out = await vault('decrypt - --out ./- --vault-id prod@other', { stdin: stdout });
    expect(out).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    expect(await read('-')).to.equal('hello');
    expect((await vault('encrypt ./- --out - --vault-id prod@other')).stdout).to.match(/^\$ANSIBLE_VAULT;/);
    expect(await read('-')).to.equal('hello');
  });

  it('writes to another file, readable by the owner only', async () => {
    expect((await vault('decrypt a.yml --out new.yml --vault-password-file pw')).code).to.equal(0);
    expect(await read('new.yml')).to.equal(CONTENT);
    expect(await read('a.yml')).to.equal(ENCRYPTED_FILE);
    expect((await stat(path.join(project.directory, 'new.yml'))).mode & 0o777).to.equal(0o600);
    expect((await vault('decrypt a.yml --out - --vault-password-file pw')).stdout).to.equal(CONTENT);
    expect((await vault('encrypt plain.yml a.yml --out x --vault-password-file pw')).stderr).to.equal(
      'error: --out takes a single file\n\n1 error\n',
    );
  });

  it('asks for no password if nothing is encrypted', async () => {
    for (const name of ['view', 'decrypt'])
      expect((await vault(`${name} plain.yml`)).stderr).to.equal(
        'error: plain.yml is not encrypted\n  = hint: it is plain text; to encrypt it: evenkeel vault encrypt plain.yml\n\n1 error\n',
      );
  });

  it('reads a file with a byte order mark', async () => {
    await writeFile(path.join(project.directory, 'bom.yml'), `\ufeff${ENCRYPTED_FILE}`);
    expect((await vault('view bom.yml --vault-password-file pw')).stdout).to.equal(CONTENT);
  });

  it('says that lines before the header are in the way', async () => {
    await writeFile(path.join(project.directory, 'late.yml'), `\ufeff---\n# the secrets\n\n${ENCRYPTED_FILE}`);
    const hint = 'delete what is before "$ANSIBLE_VAULT": Ansible does not decrypt such a file, either';
    expect((await vault('view late.yml --vault-password-file pw')).stderr).to.equal(
      `error: late.yml is not encrypted\n  = hint: ${hint}\n\n1 error\n`,
    );
  });

  it('says that only single values are encrypted', async () => {
    const values = `a: !vault |\n${ENCRYPTED_FILE.replaceAll(/^(?=.)/gm, '  ')}`;
    await writeFile(path.join(project.directory, 'values.yml'), values);
    expect((await vault('view values.yml')).stderr).to.equal(
      'error: values.yml is not encrypted\n  = hint: only single values in it are encrypted; "evenkeel inventory --graph --vars" shows those of an inventory\n\n1 error\n',
    );
  });

  it('suggests commands for files that begin with a dash', async () => {
    await writeFile(path.join(project.directory, '-a.yml'), CONTENT);
    const { stderr } = await vault('view -- -a.yml');
    expect(stderr).to.include('hint: it is plain text; to encrypt it: evenkeel vault encrypt ./-a.yml\n');
    const there = await vault('create --vault-password-file pw -- -a.yml');
    expect(there.stderr).to.include('hint: evenkeel vault edit ./-a.yml opens it\n');
    await writeFile(path.join(project.directory, '-a.yml'), ENCRYPTED_FILE);
    const again = await vault('encrypt --vault-password-file pw -- -a.yml');
    expect(again.stderr).to.include('hint: to change its password: evenkeel vault rekey ./-a.yml\n');
  });

  it('says that it is stdin that is encrypted already', async () => {
    const { stderr } = await vault('encrypt --vault-password-file pw', { stdin: ENCRYPTED_FILE });
    expect(stderr).to.equal(
      'error: stdin is encrypted already\n  = hint: to change its password: evenkeel vault rekey -\n\n1 error\n',
    );
    const rekey = await vault('rekey - --vault-password-file pw --new-vault-password-file other', {
      stdin: ENCRYPTED_FILE,
    });
    expect(await opened(rekey.stdout)).to.match(/^default|^prod/);
  });

  it('writes nothing unless everything can be done', async () => {
    const { code, stderr } = await vault('encrypt plain.yml a.yml none.yml --vault-password-file pw');
    expect(code).to.equal(1);
    expect(stderr).to.equal(`error: cannot read none.yml: there is no such file

error: a.yml is encrypted already
  = hint: to change its password: evenkeel vault rekey a.yml

2 errors
`);
    expect(await read('plain.yml')).to.equal(CONTENT);
    const decrypted = await vault('decrypt a.yml prod.yml plain.yml --vault-password-file pw');
    expect(decrypted.stderr)
      .to.include('prod.yml cannot be decrypted: none of the vault passwords fits (tried: default)')
      .and.to.include('hint: it was encrypted with the vault id "prod": pass --vault-id prod@FILE')
      .and.to.include('plain.yml is not encrypted');
    expect(await read('a.yml')).to.equal(ENCRYPTED_FILE);
  });

  it('writes nothing if one of the files cannot be written', function () {
    return mounted(this, SMALL, async (disk) => {
      await writeFile(path.join(disk, 'b.yml'), ENCRYPTED_FILE);
      await promisify(execFile)('mount', ['-o', 'remount,ro', disk]);
      const { code, stderr } = await vault(`decrypt a.yml ${disk}/b.yml --vault-password-file pw`);
      expect(code).to.equal(1);
      expect(stderr).to.equal(`error: cannot write ${disk}/b.yml: read-only file system\n\n1 error\n`);
      expect(await read('a.yml')).to.equal(ENCRYPTED_FILE);
    });
  });

  it('replaces no file before all of the new content is on disk', async () => {
    // The draft beside it would have a name that is too long.
    const long = 'b'.repeat(250);
    await writeFile(path.join(project.directory, long), ENCRYPTED_FILE);
    const names = await readdir(project.directory);
    expect(await vault(`decrypt a.yml ${long} --vault-password-file pw`)).to.deep.include({
      code: 1,
      stderr: `error: cannot write ${long}: the name is too long\n\n1 error\n`,
    });
    expect(await read('a.yml')).to.equal(ENCRYPTED_FILE);
    expect(await readdir(project.directory)).to.deep.equal(names);
  });

  it('writes over no file that changes while it waits for a password', async () => {
    const change = `#!/bin/sh\nfor file in a.yml plain.yml; do echo theirs > $file; done\ncat pw\n`;
    await writeFile(path.join(project.directory, 'changing'), change, { mode: 0o755 });
    for (const args of [
      'encrypt plain.yml --vault-password-file',
      'decrypt a.yml --vault-password-file',
      'encrypt plain.yml --out ./plain.yml --vault-password-file',
      'decrypt a.yml --out a.yml --vault-password-file',
      'rekey a.yml --vault-password-file pw --new-vault-password-file',
    ]) {
      await project.write('a.yml', ENCRYPTED_FILE);
      await project.write('plain.yml', CONTENT);
      const name = args.split(' ')[1] ?? '';
      expect((await vault(`${args} ./changing`)).stderr, args).to.equal(
        `error: cannot write ${name}: it was changed meanwhile\n\n1 error\n`,
      );
      expect(await read(name)).to.equal('theirs\n');
    }
  });

  it('needs a password', async () => {
    for (const args of ['encrypt plain.yml', 'view a.yml', 'view a.yml -J', 'create new.yml', 'rekey a.yml']) {
      expect(await vault(args), args).to.deep.equal({ code: 1, stdout: '', stderr: NOBODY });
    }
    expect((await vault('view a.yml --vault-id dev@')).stderr).to.include(
      '--vault-id: the vault id "dev@" does not say where its password comes from',
    );
  });

  it('uses the passwords of the project and of an environment', async () => {
    await project.write('evenkeel.yml', 'vault_password_file: pw\nenvironments: { p: { vault_ids: [prod@other] } }\n');
    expect((await vault('view a.yml')).stdout).to.equal(CONTENT);
    expect((await vault('view prod.yml -E p')).stdout).to.equal(CONTENT);
    expect((await vault('view prod.yml -E q')).stderr).to.include('there is no environment "q"');
  });

  it('encrypts with the password that is named, if there are several', async () => {
    const ids = '--vault-id dev@pw --vault-id prod@other';
    expect((await vault(`encrypt plain.yml ${ids}`)).stderr).to.equal(`error: several passwords could encrypt: dev, prod
  = hint: add --encrypt-vault-id dev, or one of the rest

1 error
`);
    expect((await vault(`encrypt plain.yml ${ids} --encrypt-vault-id prd`)).stderr).to.equal(
      `error: --encrypt-vault-id: there is no vault id "prd" (there are dev, prod)
  = hint: did you mean "prod"?

1 error
`,
    );
    expect((await vault(`encrypt plain.yml ${ids} --encrypt-vault-id prod`)).code).to.equal(0);
    expect(await opened(await read('plain.yml'))).to.equal(`prod: ${CONTENT}`);
  });

  it('shows the content of files', async () => {
    const { stdout } = await vault('view a.yml prod.yml --vault-password-file pw --vault-id prod@other');
    expect(stdout).to.equal(CONTENT + CONTENT);
  });

  it('creates a file in an editor', async () => {
    const env = { EDITOR: './editor.sh new', VISUAL: 'false' };
    expect(await vault('create deep/new.yml --vault-password-file pw', { env })).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await opened(await read('deep/new.yml'))).to.equal('default: new');
    expect((await stat(path.join(project.directory, 'deep/new.yml'))).mode & 0o777).to.equal(0o600);
    const [file, folder, name] = (await read('seen')).split('\n');
    expect([file, folder, path.extname(name ?? '')]).to.deep.equal(['600', '700', '.yml']);
    expect(await readdir(path.join(project.directory, 'tmp'))).to.deep.equal(['keep']);
    expect((await vault('create a.yml --vault-password-file pw')).stderr).to.equal(
      'error: a.yml already exists\n  = hint: evenkeel vault edit a.yml opens it\n\n1 error\n',
    );
    await symlink('shared/linked.yml', path.join(project.directory, 'link.yml'));
    expect((await vault('create link.yml --vault-password-file pw', { env })).stderr).to.equal('');
    expect(await opened(await read('shared/linked.yml'))).to.equal('default: new');
  });

  it('opens no editor for what cannot be written', async () => {
    const env = { EDITOR: './editor.sh new' };
    for (const [args, why] of [
      ['edit -', 'an editor opens files only'],
      ['create -', 'an editor opens files only'],
      ['edit /dev/null', 'it is not a regular file'],
    ] as const)
      expect((await vault(`${args} -J`, { env, stdin: ENCRYPTED_FILE })).stderr).to.equal(
        `error: cannot write ${args.split(' ')[1] ?? ''}: ${why}\n\n1 error\n`,
      );
    expect(await vault('create plain.yml/new.yml --vault-password-file pw', { env })).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'error: cannot write plain.yml/new.yml: a part of its path is a file, not a folder\n\n1 error\n',
    });
    await symlink('none/../link.yml', path.join(project.directory, 'link.yml'));
    expect((await vault('create link.yml --vault-password-file pw', { env })).stderr).to.equal(
      'error: cannot write link.yml: its folder does not exist\n\n1 error\n',
    );
    expect(await readdir(project.directory)).to.not.include('seen');
  });

  it('edits a file, keeping its password and label', async () => {
    const env = { VISUAL: './editor.sh "first: 1 "' };
    expect((await vault('edit prod.yml --vault-id dev@pw --vault-id x@other', { env })).stderr).to.equal('');
    const text = await read('prod.yml');
    expect(text).to.match(/^\$ANSIBLE_VAULT;1\.2;AES256;prod\n/);
    expect(await opened(text)).to.equal(`prod: first: 1 ${CONTENT}`);
    expect(await readdir(path.join(project.directory, 'tmp'))).to.deep.equal(['keep']);
  });

  it('does not touch a file that was not changed, or whose editor failed', async () => {
    for (const [editor, code] of [
      ['true', 0],
      ['false', 1],
      ['echo x > "$1"; kill -9 $$;', 1],
      ['./nosuch', 1],
    ] as const) {
      const { stderr, code: ended } = await vault('edit a.yml --vault-password-file pw', { env: { EDITOR: editor } });
      expect(ended, stderr).to.equal(code);
      expect(await read('a.yml')).to.equal(ENCRYPTED_FILE);
      expect(await readdir(path.join(project.directory, 'tmp'))).to.deep.equal(['keep']);
    }
    const plain = await vault('edit plain.yml --vault-password-file pw', { env: { EDITOR: './editor.sh new' } });
    expect(plain.code).to.equal(1);
    expect(plain.stderr).to.match(/^error: plain\.yml is not encrypted\n/);
    expect(await readdir(project.directory)).to.not.include('seen');
    const failed = await vault('edit a.yml --vault-password-file pw', { env: { EDITOR: 'false' } });
    expect(failed.stderr).to.equal(
      'error: the editor (false) ended with exit code 1: a.yml was not changed\n\n1 error\n',
    );
    const missing = await vault('create x.yml --vault-password-file pw', { env: { EDITOR: 'no-such-editor' } });
    expect(missing.stderr).to.include(
      'error: there is no editor "no-such-editor": x.yml was not written\n  = hint: set EDITOR, such as: EDITOR=nano\n',
    );
    const created = await vault('create x.yml --vault-password-file pw', { env: { EDITOR: 'false' } });
    expect(created.stderr).to.equal(
      'error: the editor (false) ended with exit code 1: x.yml was not written\n\n1 error\n',
    );
  });

  it('changes the password of files', async () => {
    await project.write('new', 'new');
    await chmod(path.join(project.directory, 'a.yml'), 0o644);
    const ids = '--vault-password-file pw --vault-id prod@other';
    const { code, stderr } = await vault(`rekey a.yml prod.yml ${ids} --new-vault-id new@new`);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: 'Rekey successful\n' });
    for (const name of ['a.yml', 'prod.yml']) expect(await opened(await read(name))).to.equal(`new: ${CONTENT}`);
    expect((await stat(path.join(project.directory, 'a.yml'))).mode & 0o777).to.equal(0o644);
    await vault('rekey a.yml --vault-id new@new --new-vault-password-file pw');
    expect(await read('a.yml')).to.match(/^\$ANSIBLE_VAULT;1\.1;AES256\n/);
    await vault('rekey a.yml --vault-password-file pw --vault-id prod@other --encrypt-vault-id prod');
    expect(await opened(await read('a.yml'))).to.equal(`prod: ${CONTENT}`);
    expect(
      (await vault('rekey a.yml --vault-id a@pw --new-vault-id b@pw --new-vault-password-file pw')).stderr,
    ).to.include('there can be one new password: --new-vault-id or --new-vault-password-file');
  });

  it('encrypts texts for YAML', async () => {
    const { stdout, stderr, code } = await vault('encrypt-string --vault-password-file pw --name token s3cr3t');
    expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
    const [first, ...lines] = stdout.trimEnd().split('\n');
    expect(first).to.equal('token: !vault |');
    expect(lines.every((line) => /^ {10}\S+$/.test(line))).to.equal(true);
    expect(await opened(lines.map((line) => line.trim()).join('\n'))).to.equal('default: s3cr3t');
  });

  it('quotes names that YAML would read as something else', async () => {
    for (const [name, key] of [
      ['a: b', '"a: b"'],
      ['yes', '"yes"'],
      ['#1', '"#1"'],
      ['{{x}}', '"{{x}}"'],
      ['my.name-1', 'my.name-1'],
    ]) {
      const { stdout } = await evenkeel(
        ['vault', 'encrypt-string', '--vault-password-file', 'pw', '--name', name ?? '', 'x'],
        { cwd: project.directory },
      );
      expect(stdout.split('\n', 1)).to.deep.equal([`${key}: !vault |`]);
    }
  });

  it('encrypts several texts without names', async () => {
    const { stdout, stderr, code } = await vault('encrypt-string --vault-password-file pw one two');
    expect(stderr).to.match(/^(?:# The encrypted version of the string #\d from the command line\.\n){2}$/);
    expect([code, ...stdout.matchAll(/^.*!vault \|$/gm)].map(String)).to.deep.equal(['0', '!vault |', '!vault |']);
  });

  it('encrypts several texts, and labels them', async () => {
    const { stdout, stderr } = await vault('encrypt_string --vault-id prod@other -n a one two - --stdin-name b', {
      stdin: 'three\n',
    });
    expect(stderr).to.equal(`# The encrypted version of variable ("b", the string #1 from stdin).
# The encrypted version of variable ("a", the string #2 from the command line).
# The encrypted version of the string #3 from the command line.
warning: there are 2 texts and fewer names (--name): the last ones have none

warning: the text from stdin ends with a line break, which is part of the encrypted value
  = hint: a password has none: pass it without, as printf does, or use --prompt

2 warnings
`);
    const values = stdout.split(/^.*!vault \|$/m).slice(1);
    const texts = await Promise.all(values.map((value) => opened(value.trim())));
    expect(texts).to.deep.equal(['prod: three\n', 'prod: one', 'prod: two']);
    expect([...stdout.matchAll(/^(.*)!vault/gm)].map(([, name]) => name)).to.deep.equal(['b: ', 'a: ', '']);
  });

  it('refuses to encrypt empty text, and asks only in a terminal', async () => {
    const empty = await vault('encrypt-string --vault-password-file pw', { stdin: '' });
    expect(empty.stderr).to.equal('error: the text from stdin is empty: nothing was encrypted\n\n1 error\n');
    expect((await vault('encrypt-string --vault-password-file pw --prompt -')).stderr).to.equal(
      'error: --prompt cannot be used while stdin is read\n\n1 error\n',
    );
    expect((await vault('encrypt-string --vault-password-file pw --prompt')).stderr).to.equal(
      'error: --prompt asks on a terminal, but got no answer\n\n1 error\n',
    );
    for (const [args, hint] of [
      ['-n a -n b x', ''],
      ['-n a', '  = hint: --stdin-name names the text from stdin\n'],
      ['-n a x -n b -', '  = hint: --stdin-name names the text from stdin\n'],
      ['-n a --prompt', '  = hint: --prompt asks for the name\n'],
    ])
      expect((await vault(`encrypt-string ${args ?? ''}`, { stdin: 'x' })).stderr).to.equal(
        `error: there are more names (--name) than texts\n${hint ?? ''}\n1 error\n`,
      );
  });

  it('is distinguished from a mistyped command, and explained', async () => {
    expect((await vault('encript x')).stderr)
      .to.include("unknown command 'encript'")
      .and.to.include('Did you mean encrypt?');
    expect((await vault('rekey a.yml --new-vault-idd x')).stderr).to.include('Did you mean --new-vault-id?');
    for (const name of ['create', 'encrypt', 'decrypt', 'view', 'edit', 'rekey', 'encrypt-string']) {
      const { code, stdout } = await vault(`${name} --help`);
      expect(code).to.equal(0);
      expect(stdout).to.include('Examples:').and.to.include(`$ evenkeel vault ${name} `);
    }
  });

  it('reports why a file cannot be written', async () => {
    const { code, stderr } = await vault('encrypt plain.yml --out nowhere/x.yml --vault-password-file pw');
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: 'error: cannot write nowhere/x.yml: its folder does not exist\n\n1 error\n',
    });
  });
});
