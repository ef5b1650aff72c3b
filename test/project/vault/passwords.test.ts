import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Vaulted, type Mapping } from '../../../src/core/model/values/value.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { encrypt } from '../../../src/project/vault/cipher.js';
import { collectPasswords } from '../../../src/project/vault/collect_passwords.js';
import { parseVaultId, passwordFile, type PasswordSource } from '../../../src/project/vault/passwords.js';
import { encryptedValues } from '../../../src/project/vault/vault.js';
import type { Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';
import { inFolderWithScripts } from '../../rig/scripts.js';
import { ENCRYPTED_FILE, password } from '../../rig/vault.js';

interface Options {
  readonly answers?: readonly string[];
  readonly confirm?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Where the ids are written. */
  readonly place?: PasswordPlace;
}

type PasswordPlace = Extract<PasswordSource, { type: 'file' }>['place'];

interface Gathered {
  /** `label=password` */
  readonly passwords: readonly string[];
  readonly said: readonly string[];
  readonly questions: readonly string[];
  readonly masked: string;
  /** Why an encrypted text cannot be opened. */
  readonly refusal: string | undefined;
}

/** The result of vault ids in a folder with these files. */
function gather(
  ids: readonly string[],
  files: Files = {},
  { answers = [], confirm = false, env: more = {}, place }: Options = {},
): Promise<Gathered> {
  return inFolderWithScripts(files, async (cwd) => {
    const secrets = new Secrets();
    const diagnostics = new Diagnostics();
    const questions: string[] = [];
    const ask = async (question: string): Promise<string | undefined> => {
      questions.push(question);
      return Promise.resolve(answers[questions.length - 1]);
    };
    const sources = ids
      .map((id) => sourceOf(id, cwd))
      .map((one) => (one.type === 'file' && place !== undefined ? { ...one, place } : one));
    const env = { PATH: process.env['PATH'], ...more };
    const vault = await collectPasswords(sources, { cwd, env, ask, secrets, diagnostics, confirm });
    const opened = await vault.open(ENCRYPTED_FILE);
    return {
      refusal: opened.status === 'refused' ? opened.message : undefined,
      passwords: vault.passwords.map(({ label, bytes }) => `${label}=${bytes.toString()}`),
      said: diagnostics.list.map(worded).map((text) => text.replaceAll(`${cwd}/`, '')),
      questions,
      masked: secrets.mask(vault.passwords.map(({ bytes }) => bytes.toString()).join(' ')),
    };
  });
}

function sourceOf(id: string, cwd: string): PasswordSource {
  if (id === '-J') return { type: 'prompt', label: 'default', named: false };
  const source = parseVaultId(id, (name) => ({ path: path.resolve(cwd, name), shown: name }));
  if (typeof source === 'string') throw new Error(source);
  return source;
}

const PRINTS = '#!/bin/sh\nprintf "printed\\n\\n"\n';
const CLIENT = `#!/bin/sh
case "$2" in
  dev) echo "client:$1:$2" ;;
  unknown) echo "no $2 here" >&2; exit 2 ;;
  *) echo 'broken, token: hush' >&2; exit 7 ;;
esac
`;

describe('vault ids', () => {
  const find = (name: string): { path: string; shown: string } => ({ path: `/p/${name}`, shown: name });

  it('have a label, and a file or the prompt', () => {
    expect(parseVaultId('dev@f', find)).to.deep.equal({ type: 'file', label: 'dev', path: '/p/f', shown: 'f' });
    expect(parseVaultId('f', find)).to.deep.equal({ type: 'file', label: 'default', path: '/p/f', shown: 'f' });
    expect(parseVaultId('@f', find)).to.deep.equal({ type: 'file', label: 'default', path: '/p/f', shown: 'f' });
    expect(parseVaultId('a@b@c', find)).to.deep.equal({ type: 'file', label: 'a', path: '/p/b@c', shown: 'b@c' });
    expect(parseVaultId('dev@prompt', find)).to.deep.equal({ type: 'prompt', label: 'dev', named: true });
    expect(parseVaultId('prompt', find)).to.deep.equal({ type: 'prompt', label: 'default', named: true });
    expect(passwordFile('f', find)).to.deep.equal({ type: 'file', label: 'default', path: '/p/f', shown: 'f' });
  });

  it('are refused if they are invalid', () => {
    expect(parseVaultId('dev@', find)).to.equal('the vault id "dev@" does not say where its password comes from');
    expect(parseVaultId('', find)).to.equal('the vault id "" does not say where its password comes from');
    expect(parseVaultId('a;b@f', find)).to.equal('the vault id "a;b" has a character that ids cannot have');
    expect(parseVaultId('a b@f', find)).to.equal('the vault id "a b" has a character that ids cannot have');
  });
});

describe('vault passwords', () => {
  it('come from files, without the white space around them', async () => {
    const { passwords, said, masked } = await gather(['dev@a', 'b'], { a: '\n  pass word \n\n', b: 'hunter22' });
    expect({ passwords, said, masked }).to.deep.equal({
      passwords: ['dev=pass word', 'default=hunter22'],
      said: [],
      masked: '******** ********',
    });
  });

  it('come from programs, and from clients that get the label', async () => {
    const files = { 'pass.sh': PRINTS, 'secret-client.py': CLIENT, 'secret-client': CLIENT };
    const { passwords, said } = await gather(['pass.sh', 'dev@secret-client.py', 'dev@secret-client'], files);
    expect(said).to.deep.equal([]);
    expect(passwords).to.deep.equal(['default=printed', 'dev=client:--vault-id:dev', 'dev=client:--vault-id:dev']);
  });

  it('can be in a file that an earlier password decrypts', async () => {
    const inner = await encrypt(Buffer.from('inner\n'), password('default', 'outer'));
    const { passwords, said } = await gather(['a', 'prod@b'], { a: 'outer', b: inner });
    expect({ passwords, said }).to.deep.equal({ passwords: ['default=outer', 'prod=inner'], said: [] });
    expect((await gather(['prod@b'], { b: inner })).said).to.deep.equal([
      'the vault password file b is encrypted, and no vault password was given — pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml',
    ]);
  });

  it('are errors if they are unavailable and there is no other password', async () => {
    const files = {
      empty: '\n',
      'fails.sh': '#!/bin/sh\nexit 3\n',
      'silent.sh': '#!/bin/sh\n',
      'secret-client': CLIENT,
      'broken.sh': '#!/no/such/interpreter\n',
    };
    const ids = ['none', 'empty', 'fails.sh', 'silent.sh', 'unknown@secret-client', 'x@secret-client', 'broken.sh'];
    const { passwords, said } = await gather(ids, files);
    expect(passwords).to.deep.equal([]);
    expect(said).to.deep.equal([
      'cannot read the vault password file none: there is no such file',
      'the vault password file empty is empty',
      'the vault password script fails.sh ended with exit code 3',
      'the vault password script silent.sh printed nothing',
      'the vault password script secret-client has no password for "unknown"; it says: no unknown here',
      'the vault password script secret-client ended with exit code 7; it says: broken, token: ********',
      'cannot run the vault password script broken.sh: there is no such file — if it is not a script, remove its executable bit',
    ]);
  });

  it('cannot be in a folder', async () => {
    expect((await gather(['d'], { 'd/a': '' })).said).to.deep.equal([
      'cannot read the vault password file d: it is a folder',
    ]);
  });

  it('are warnings if they are unavailable and there is another password', async () => {
    const { passwords, said } = await gather(['dev@a', 'prod@none'], { a: 'x' });
    expect(passwords).to.deep.equal(['dev=x']);
    expect(said).to.deep.equal(['warning: cannot read the vault password file none: there is no such file']);
  });

  it('are missed where they are named, by what needs them', async () => {
    const place = { file: 'evenkeel.yml', line: 3, column: 7 };
    const none = 'cannot read the vault password file none: there is no such file';
    const nor = 'cannot read the vault password file nor: there is no such file';
    const inFile = await gather(['none', 'nor'], {}, { place });
    expect(inFile.said).to.deep.equal([`evenkeel.yml:3:7 ${none}`, `evenkeel.yml:3:7 ${nor}`]);
    expect(inFile.refusal).to.equal('is encrypted, and no vault password could be read');
    const inOption = await gather(['none', 'a', 'nor'], { a: 'x' }, { place: '--vault-id' });
    expect(inOption.said).to.deep.equal([`warning: ${none}`, `warning: ${nor}`]);
    expect((await gather([])).refusal).to.equal('is encrypted, and no vault password was given');
  });

  it('do not come from programs with --no-exec, which is a warning, nor from those that others may write', async () => {
    const files = { 'pass.sh': PRINTS, 'other.sh': PRINTS, plain: 'x' };
    const env = { EVENKEEL_NO_EXEC: '1' };
    const refused = await gather(['pass.sh', 'plain', 'other.sh'], files, { env });
    expect([refused.passwords, refused.said]).to.deep.equal([
      ['default=x'],
      ['pass.sh', 'other.sh'].map(
        (name) => `warning: the vault password file ${name} is a program, which --no-exec does not run`,
      ),
    ]);
    const place = { file: 'evenkeel.yml', line: 1, column: 1 };
    const open = async (options: Options) =>
      inFolderWithScripts(files, async (cwd) => {
        await chmod(path.join(cwd, 'pass.sh'), 0o777);
        return gather([path.join(cwd, 'pass.sh')], {}, options);
      });
    expect((await open({})).passwords).to.deep.equal(['default=printed']);
    const { passwords, said } = await open({ place });
    expect(passwords).to.deep.equal([]);
    expect(said.join('\n')).to.match(
      /^evenkeel\.yml:1:1 the vault password script \S+\/pass\.sh is not run: \S+\/pass\.sh is world-writable — if you trust it, name its folder in EVENKEEL_TRUSTED_FOLDERS$/,
    );
  });

  it('do not come from programs that a signal ends, nor is 2 the code of a script without labels', async () => {
    const files = { 'killed.sh': '#!/bin/sh\nkill -9 $$\n', 'two.sh': '#!/bin/sh\nexit 2\n' };
    expect((await gather(['killed.sh', 'dev@two.sh'], files)).said).to.deep.equal([
      'the vault password script killed.sh ended with a signal',
      'the vault password script two.sh ended with exit code 2',
    ]);
  });

  it('are needed for the values that are encrypted, wherever they are', () => {
    const source = { file: 'v', line: 1, column: 1 };
    const [a, b, c] = ['a', 'b', 'c'].map(
      (envelope) =>
        new Vaulted(
          envelope,
          () => source,
          () => '',
        ),
    );
    if (a === undefined || b === undefined || c === undefined) throw new Error('there are three');
    const layer = (values: Mapping) => ({ level: 'play vars', values, origin: 'v' }) as const;
    const layers = [layer({ x: a, list: ['plain', { deep: [b] }], none: null }), layer({ n: 1, c })];
    expect(encryptedValues(layers)).to.deep.equal([a, b, c]);
    expect(encryptedValues([])).to.deep.equal([]);
  });

  it("are asked for with Ansible's prompts", async () => {
    const { passwords, questions } = await gather(['dev@prompt', 'prompt', '-J'], {}, { answers: [' a ', 'b', 'c'] });
    expect(passwords).to.deep.equal(['dev=a', 'default=b', 'default=c']);
    expect(questions).to.deep.equal(['Vault password (dev): ', 'Vault password (default): ', 'Vault password: ']);
  });

  it('are asked for twice if the command encrypts something', async () => {
    const options = { answers: ['a', 'a', 'b', 'b'], confirm: true };
    const { passwords, questions } = await gather(['dev@prompt', '-J'], {}, options);
    expect(passwords).to.deep.equal(['dev=a', 'default=b']);
    expect(questions).to.deep.equal([
      'New vault password (dev): ',
      'Confirm new vault password (dev): ',
      'New Vault password: ',
      'Confirm New Vault password: ',
    ]);
    const different = await gather(['-J'], {}, { answers: ['a', 'b'], confirm: true });
    expect(different.said).to.deep.equal(['the vault passwords do not match']);
  });

  it('cannot be asked for without a terminal, and must not be empty', async () => {
    expect((await gather(['a', '-J'], { a: 'x' })).said).to.deep.equal([
      'cannot ask for the vault password without a terminal — pass --vault-password-file FILE, or run in a terminal',
    ]);
    expect((await gather(['-J'], {}, { answers: [' '] })).said).to.deep.equal(['the vault password is empty']);
  });
});
