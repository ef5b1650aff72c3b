import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { MaskedStream } from '../../src/cli/masked_stream.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import type { PasswordSource, VaultPassword } from '../../src/project/vault/passwords.js';
import { viewCommand } from '../../src/vault/edit.js';
import { decryptCommand, encryptCommand } from '../../src/vault/encrypt.js';
import { encryptStringCommand } from '../../src/vault/encrypt_string.js';
import { canWrite, isEnvelope, openInput, readEncrypted, readInputs, writeOutputs } from '../../src/vault/files.js';
import { newPassword, openToDecrypt, passwordToEncrypt } from '../../src/vault/passwords.js';
import { inFolder, type Files } from '../rig/folder.js';
import { worded } from '../rig/loaded.js';
import { CONTENT, ENCRYPTED_FILE, LABELLED_FILE, PASSWORD, vaultOf } from '../rig/vault.js';

const FILES: Files = { pw: PASSWORD, other: 'other', 'evenkeel.yml': '' };

interface Asked {
  /** The password as `label: text`, or undefined. */
  readonly found: readonly string[] | string | undefined;
  readonly problems: readonly string[];
  readonly questions: readonly string[];
}

type Ports = Parameters<typeof openToDecrypt>[1];

/** @param answers to the questions for passwords, in turn */
function asking(
  answers: readonly string[],
  use: (ports: Ports, diagnostics: Diagnostics) => Promise<Asked['found']>,
  files: Files = FILES,
): Promise<Asked> {
  return inFolder(files, async (cwd) => {
    const [diagnostics, questions, left] = [new Diagnostics(), [] as string[], [...answers]];
    const askSecret = (question: string): Promise<string | undefined> => {
      questions.push(question);
      return Promise.resolve(left.shift());
    };
    const found = await use({ cwd, env: {}, secrets: new Secrets(), askSecret }, diagnostics);
    return { found, problems: diagnostics.list.map(worded), questions };
  });
}

const shown = (password: VaultPassword | undefined): string | undefined =>
  password && `${password.label}: ${password.bytes.toString()}`;

const TWICE = ['New Vault password: ', 'Confirm New Vault password: '];

describe('the passwords of a vault command', () => {
  it('are asked for once to decrypt, if nothing names one', async () => {
    const open = (options: object, answers: readonly string[], files?: Files): Promise<Asked> =>
      asking(
        answers,
        async (...given) => (await openToDecrypt(options, ...given))?.passwords.map((one) => shown(one) ?? ''),
        files,
      );
    expect(await open({}, ['typed'])).to.deep.equal({
      found: ['default: typed'],
      problems: [],
      questions: ['Vault password: '],
    });
    expect(await open({ vaultId: ['a@pw', 'b@other'] }, [])).to.deep.equal({
      found: [`a: ${PASSWORD}`, 'b: other'],
      problems: [],
      questions: [],
    });
    expect(await open({}, [], { ...FILES, 'evenkeel.yml': 'vault_password_file: other\n' })).to.deep.include({
      found: ['default: other'],
    });
    expect((await open({ env: 'prod' }, [])).found).to.equal(undefined);
    const none = await open({}, []);
    expect([none.found, none.problems]).to.deep.equal([
      undefined,
      ['cannot ask for the vault password without a terminal — pass --vault-password-file FILE, or run in a terminal'],
    ]);
  });

  it('are typed twice to encrypt', async () => {
    const encrypting = (options: object, ...answers: readonly string[]): Promise<Asked> =>
      asking(answers, async (...given) => shown(await passwordToEncrypt(options, ...given)));
    expect(await encrypting({}, 'a', 'a')).to.deep.equal({ found: 'default: a', problems: [], questions: TWICE });
    expect(await encrypting({}, 'a', 'b')).to.deep.equal({
      found: undefined,
      problems: ['the vault passwords do not match'],
      questions: TWICE,
    });
    expect(await encrypting({ vaultId: ['a@pw', 'b@other'], encryptVaultId: 'b' })).to.deep.include({
      found: 'b: other',
    });
    expect((await encrypting({ vaultId: ['a@pw', 'b@other'] })).problems).to.deep.equal([
      'several passwords could encrypt: a, b — add --encrypt-vault-id a, or one of the rest',
    ]);
    expect((await encrypting({ vaultPasswordFile: ['pw', 'other'] })).problems).to.deep.equal([
      'several passwords with the label "default" could encrypt — name one of them only, or give them labels: --vault-id LABEL@FILE',
    ]);
    expect((await encrypting({ vaultId: ['a@pw'], encryptVaultId: 'b' })).problems).to.deep.equal([
      '--encrypt-vault-id: there is no vault id "b" (there are a)',
    ]);
  });

  it('are typed rather than in a file of the project, to encrypt', async () => {
    const files = { ...FILES, 'evenkeel.yml': 'vault_password_file: pw\nvault_ids: [prod@other]\n' };
    const encrypting = (options: object): Promise<Asked> =>
      asking(['a', 'a'], async (...given) => shown(await passwordToEncrypt(options, ...given)), files);
    for (const options of [
      { askVaultPass: true },
      { vaultId: ['prompt'] },
      { askVaultPass: true, encryptVaultId: 'default' },
    ])
      expect(await encrypting(options)).to.deep.include({ found: 'default: a', problems: [] });
    expect(await encrypting({ askVaultPass: true, encryptVaultId: 'prod' })).to.deep.include({ found: 'prod: other' });
    expect(await encrypting({ askVaultPass: true, vaultId: ['new@prompt'] })).to.deep.equal({
      found: undefined,
      problems: ['several passwords could encrypt: new, default — add --encrypt-vault-id new, or one of the rest'],
      questions: [],
    });
  });

  it('are refused to encrypt if only the settings or only the options name several, before a question', async () => {
    const encrypting = async (vaultIds: string, options: object): Promise<readonly unknown[]> => {
      const files = { ...FILES, 'evenkeel.yml': `vault_ids: [${vaultIds}]\n` };
      const { found, problems, questions } = await asking(
        ['a', 'a'],
        async (...given) => shown(await passwordToEncrypt(options, ...given)),
        files,
      );
      return [found ?? problems[0]?.split(' — ')[0], questions.length];
    };
    const several = (labels: string): readonly unknown[] => [`several passwords could encrypt: ${labels}`, 0];
    expect(await encrypting('dev@prompt', { vaultId: ['prod@other'] })).to.deep.equal(several('prod, dev'));
    expect(await encrypting('dev@prompt', { vaultPasswordFile: ['pw'] })).to.deep.equal(several('default, dev'));
    expect(await encrypting('dev@prompt, prod@other', {})).to.deep.equal(several('dev, prod'));
    expect(await encrypting('', { vaultId: ['dev@prompt', 'prod@other'] })).to.deep.equal(several('dev, prod'));
    expect(await encrypting('dev@pw', { vaultId: ['prod@prompt'] })).to.deep.equal(['prod: a', 2]);
    expect(await encrypting('dev@prompt', {})).to.deep.equal(['dev: a', 2]);
  });

  it('are a new one to encrypt again with, or a known one that is named', async () => {
    const known: readonly VaultPassword[] = [
      { label: 'old', bytes: Buffer.from('one') },
      { label: 'prod', bytes: Buffer.from('two') },
    ];
    const prompt: PasswordSource = { type: 'prompt', label: 'new', named: true };
    const again = (
      sources: readonly PasswordSource[],
      label: string | undefined,
      ...answers: readonly string[]
    ): Promise<Asked> =>
      asking(answers, async (...given) =>
        shown(await newPassword(sources, known, label === undefined ? {} : { encryptVaultId: label }, ...given)),
      );
    expect(await again([], undefined, 'a', 'a')).to.deep.equal({ found: 'default: a', problems: [], questions: TWICE });
    expect(await again([], 'prod')).to.deep.equal({ found: 'prod: two', problems: [], questions: [] });
    expect(await again([prompt], undefined, 'x', 'x')).to.deep.equal({
      found: 'new: x',
      problems: [],
      questions: ['New vault password (new): ', 'Confirm new vault password (new): '],
    });
    expect((await again([prompt], 'old', 'x', 'x')).found).to.equal('old: one');
    expect((await again([prompt], 'none', 'x', 'x')).problems).to.deep.equal([
      '--encrypt-vault-id: there is no vault id "none" (there are new, old, prod)',
    ]);
    expect((await again([], undefined)).found).to.equal(undefined);
  });
});

interface Terminal {
  readonly context: CommandContext;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

function terminal(cwd: string, typed: string, isTTY: boolean): Terminal {
  const [stdin, stdout, stderr, secrets] = [new PassThrough(), new PassThrough(), new PassThrough(), new Secrets()];
  stdin.end(typed);
  const masking = (one: PassThrough): MaskedStream =>
    new MaskedStream(Object.assign(one, { isTTY }) as unknown as NodeJS.WriteStream, secrets);
  const context = {
    cwd,
    env: {},
    secrets,
    signals: {},
    stdin: Object.assign(stdin, { isTTY }),
    stdout: masking(stdout),
    stderr: masking(stderr),
  };
  return {
    context: context as unknown as CommandContext,
    stdout: () => String(stdout.read() ?? ''),
    stderr: () => String(stderr.read() ?? ''),
  };
}

describe('a vault command in a terminal', () => {
  const options = { vaultPasswordFile: ['pw'] };
  for (const isTTY of [true, false])
    it(`says what it reads and that it is done${isTTY ? '' : ', and nothing to a pipe'}`, () =>
      inFolder(FILES, async (cwd) => {
        const encrypting = terminal(cwd, CONTENT, isTTY);
        expect(await encryptCommand({ ...options, files: [] }, encrypting.context)).to.equal(0);
        const text = encrypting.stdout();
        expect(text).to.match(/^\$ANSIBLE_VAULT;1\.1;AES256\n/);
        expect(encrypting.stderr()).to.equal(
          isTTY ? 'Reading plaintext input from stdin\nEncryption successful\n' : '',
        );
        const decrypting = terminal(cwd, text, isTTY);
        expect(await decryptCommand({ ...options, files: ['-'] }, decrypting.context)).to.equal(0);
        expect(decrypting.stdout()).to.equal(CONTENT);
        expect(decrypting.stderr()).to.equal(
          isTTY ? 'Reading ciphertext input from stdin\nDecryption successful\n' : '',
        );
        const value = terminal(cwd, 's3cret', isTTY);
        expect(await encryptStringCommand({ ...options, texts: [], stdinName: 'token' }, value.context)).to.equal(0);
        expect(value.stdout()).to.match(/^token: !vault \|\n {10}\$ANSIBLE_VAULT;/);
        expect(value.stderr()).to.equal(
          isTTY ? 'Reading plaintext input from stdin (Ctrl-D ends it)\n\nEncryption successful\n' : '',
        );
      }));

  it('shows files one by one in the pager, or on stdout if there is none or no terminal', () =>
    inFolder({ ...FILES, 'a.yml': ENCRYPTED_FILE, 'b.yml': ENCRYPTED_FILE }, async (cwd) => {
      const shown = async (PAGER: string | undefined, isTTY = true): Promise<readonly [string, string]> => {
        const { context, stdout } = terminal(cwd, '', isTTY);
        const env = { PATH: `${cwd}:${process.env['PATH'] ?? ''}`, ...(PAGER !== undefined && { PAGER }) };
        await rm(path.join(cwd, 'seen'), { force: true });
        const code = await viewCommand({ ...options, files: ['a.yml', 'b.yml'] }, { ...context, env });
        expect(code).to.equal(0);
        return [await readFile(path.join(cwd, 'seen'), 'utf8').catch(() => ''), stdout()];
      };
      await writeFile(path.join(cwd, 'less'), '#!/bin/sh\necho "$LESS" >> seen\n', { mode: 0o755 });
      expect(await shown('cat >> seen')).to.deep.equal([CONTENT + CONTENT, '']);
      for (const PAGER of [undefined, '']) expect(await shown(PAGER)).to.deep.equal(['FRX\nFRX\n', '']);
      expect(await shown("sh -c 'exit 3'")).to.deep.equal(['', '']);
      expect(await shown('no-such-pager')).to.deep.equal(['', CONTENT + CONTENT]);
      expect(await shown('cat >> seen', false)).to.deep.equal(['', CONTENT + CONTENT]);
    }));

  it('shows no further file once a signal has ended the pager', () =>
    inFolder({ ...FILES, 'a.yml': ENCRYPTED_FILE, 'b.yml': ENCRYPTED_FILE }, async (cwd) => {
      const { context, stdout } = terminal(cwd, '', true);
      const onTermination = (act: (signal: NodeJS.Signals) => void) => {
        act('SIGTERM');
        return () => undefined;
      };
      const env = { PATH: process.env['PATH'], PAGER: 'echo seen >> seen; exec sleep 100' };
      const viewing = { ...context, env, signals: { ...context.signals, onTermination } };
      expect(await viewCommand({ ...options, files: ['a.yml', 'b.yml'] }, viewing)).to.equal(143);
      expect(stdout()).to.equal('');
      const seen = await readFile(path.join(cwd, 'seen'), 'utf8').catch(() => '');
      expect(seen.split('\n').length).to.be.at.most(2);
    }));

  it('reads files before it asks for a password, and stdin after it', () =>
    inFolder({ ...FILES, 'plain.yml': CONTENT }, async (cwd) => {
      const refusal = async (files: readonly string[]): Promise<string> => {
        const { context, stderr } = terminal(cwd, ENCRYPTED_FILE, false);
        expect(await encryptCommand({ files, vaultPasswordFile: ['none'] }, context)).to.equal(1);
        return stderr();
      };
      const missing = await refusal(['none.yml']);
      expect(missing).to.include('cannot read none.yml').and.not.include('password');
      for (const files of [[], ['-'], ['-', 'none.yml']])
        expect(await refusal(files))
          .to.include('password')
          .and.not.include('cannot read none.yml');
    }));

  it('writes nothing if it is told to write several files to one', () =>
    inFolder({ ...FILES, 'a.yml': ENCRYPTED_FILE, 'b.yml': ENCRYPTED_FILE }, async (cwd) => {
      const { context, stderr } = terminal(cwd, '', false);
      expect(await decryptCommand({ ...options, files: ['a.yml', 'b.yml'], out: 'c.yml' }, context)).to.equal(1);
      expect(stderr()).to.equal('error: --out takes a single file\n\n1 error\n');
    }));
});

describe('the files of a vault command', () => {
  it('are all read, or each reported, and are known to be encrypted by their beginning', () =>
    inFolder({ 'a.yml': ENCRYPTED_FILE, 'plain.yml': `x\n${ENCRYPTED_FILE}` }, async (cwd) => {
      const { context } = terminal(cwd, LABELLED_FILE, false);
      const diagnostics = new Diagnostics();
      const inputs = await readInputs(['none.yml', 'a.yml', 'plain.yml', '-', '.'], context, diagnostics);
      expect(inputs.map((input) => [input.name, isEnvelope(input)])).to.deep.equal([
        ['a.yml', true],
        ['plain.yml', false],
        ['-', true],
      ]);
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'cannot read none.yml: there is no such file',
        'cannot read .: it is a folder',
      ]);
    }));

  it('are refused at once only if none is encrypted, and stdin later', () =>
    inFolder({ 'a.yml': ENCRYPTED_FILE, 'b.yml': 'x\n', 'c.yml': 'x\n' }, async (cwd) => {
      const refused = async (
        ...names: readonly string[]
      ): Promise<readonly [number | undefined, readonly string[]]> => {
        const diagnostics = new Diagnostics();
        const read = await readEncrypted(names, terminal(cwd, '', false).context, diagnostics);
        return [read?.length, diagnostics.list.map(({ message }) => message)];
      };
      expect(await refused('a.yml', 'b.yml')).to.deep.equal([2, []]);
      expect(await refused('b.yml', 'c.yml')).to.deep.equal([2, ['b.yml is not encrypted', 'c.yml is not encrypted']]);
      expect(await refused('b.yml', '-')).to.deep.equal([undefined, []]);
      const diagnostics = new Diagnostics();
      const { vault } = vaultOf({ default: PASSWORD });
      const plain = { name: '-', content: Buffer.from('x') };
      expect(await openInput(plain, vault, diagnostics)).to.equal(undefined);
      const wrong = await openInput({ name: 'a.yml', content: Buffer.from(LABELLED_FILE) }, vault, diagnostics);
      expect(wrong).to.equal(undefined);
      expect(diagnostics.list.map(({ message }) => message)).to.deep.equal([
        'stdin is not encrypted',
        'a.yml cannot be decrypted: none of the vault passwords fits (tried: default)',
      ]);
    }));

  it('can be written if their folder is one, or would be made in one', () =>
    inFolder({ 'a.yml': ENCRYPTED_FILE, 'in/b.yml': 'x\n' }, async (cwd) => {
      await symlink(path.join(cwd, 'in/b.yml'), path.join(cwd, 'link.yml'));
      const { context } = terminal(cwd, '', false);
      const diagnostics = new Diagnostics();
      const writable: boolean[] = [];
      for (const name of ['a.yml', 'link.yml', 'in/new.yml', 'no/such/new.yml', 'a.yml/new.yml', 'a.yml/no/new.yml'])
        writable.push(await canWrite(name, context, diagnostics));
      expect(writable).to.deep.equal([true, true, true, true, false, false]);
      const why = 'a part of its path is a file, not a folder';
      expect(diagnostics.list.map(worded)).to.deep.equal([
        `cannot write a.yml/new.yml: ${why}`,
        `cannot write a.yml/no/new.yml: ${why}`,
      ]);
    }));

  it('are written in turn, until one cannot be', () =>
    inFolder({}, async (cwd) => {
      await mkdir(path.join(cwd, 'folder'));
      await writeFile(path.join(cwd, 'a'), 'old');
      const { context, stdout } = terminal(cwd, '', false);
      const diagnostics = new Diagnostics();
      const outputs = ['a', '-', 'folder', 'b'].map((name) => ({ name, content: `new ${name}` }));
      expect(await writeOutputs(outputs, context, diagnostics)).to.equal(false);
      expect(diagnostics.list.map(({ message }) => message)).to.deep.equal(['cannot write folder: it is a folder']);
      expect([await readFile(path.join(cwd, 'a'), 'utf8'), stdout()]).to.deep.equal(['new a', 'new -']);
      const missing: unknown = await readFile(path.join(cwd, 'b')).catch(() => 'not written');
      expect(missing).to.equal('not written');
    }));
});
