import { expect } from 'chai';
import { LoadError } from '../../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { encrypt } from '../../../src/project/vault/cipher.js';
import { Vault } from '../../../src/project/vault/vault.js';
import {
  CONTENT,
  ENCRYPTED_FILE,
  ENCRYPTED_VALUE,
  LABELLED_FILE,
  OTHER_PASSWORD,
  PASSWORD,
  password,
  TEXT,
  vaultOf,
} from '../../rig/vault.js';

const HERE = { file: 'all.yml', line: 3, column: 8 };

/** The content of a decrypted text, or the message and hint of the error. */
async function opening(text: string, passwords: Readonly<Record<string, string>>): Promise<string> {
  const opened = await vaultOf(passwords).vault.open(text);
  return opened.status === 'ok' ? opened.content.toString() : [opened.message, opened.hint].join(' — ');
}

function thrown(work: () => unknown): LoadError {
  try {
    work();
  } catch (error) {
    if (error instanceof LoadError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a vault', () => {
  it('decrypts texts of ansible-vault', async () => {
    expect(await opening(ENCRYPTED_FILE, { default: PASSWORD })).to.equal(CONTENT);
    expect(await opening(LABELLED_FILE, { prod: OTHER_PASSWORD })).to.equal(CONTENT);
  });

  it('tries every password, first the one with the label of the envelope', async () => {
    const { vault } = vaultOf({ dev: 'wrong', test: OTHER_PASSWORD, prod: OTHER_PASSWORD });
    const opened = await vault.open(LABELLED_FILE);
    expect(opened.status === 'ok' && opened.password.label).to.equal('prod');
    expect(await opening(LABELLED_FILE, { dev: 'wrong', test: OTHER_PASSWORD, prod: 'wrong too' })).to.equal(CONTENT);
  });

  it('explains how to give a password if there is none', async () => {
    expect(await opening(ENCRYPTED_FILE, {})).to.equal(
      'is encrypted, and no vault password was given — pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml',
    );
    expect(await opening(LABELLED_FILE, {})).to.equal(
      'is encrypted with the vault id "prod", and no vault password was given — pass --vault-id prod@FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml',
    );
  });

  it('lists the passwords that were tried', async () => {
    expect(await opening(ENCRYPTED_FILE, { default: 'wrong', dev: 'wrong too' })).to.equal(
      'cannot be decrypted: none of the vault passwords fits (tried: default, dev) — the password may be wrong, or the text was changed',
    );
    expect(await opening(LABELLED_FILE, { default: 'wrong', dev: 'wrong too' })).to.equal(
      'cannot be decrypted: none of the vault passwords fits (tried: default, dev) — it was encrypted with the vault id "prod": pass --vault-id prod@FILE',
    );
    expect(await opening(ENCRYPTED_FILE, { dev: 'wrong' })).to.equal(
      'cannot be decrypted: none of the vault passwords fits (tried: dev) — pass --vault-password-file FILE',
    );
  });

  it('reports damaged texts', async () => {
    expect(await opening('$ANSIBLE_VAULT;1.1;AES256\n00', { default: 'x' })).to.match(/^is damaged: it does not hold/);
  });

  it('decrypts a value on demand, and masks it from then on', () => {
    const { vault, secrets } = vaultOf({ default: PASSWORD });
    const value = vault.value(ENCRYPTED_VALUE, () => HERE);
    expect(secrets.mask(TEXT)).to.equal(TEXT);
    expect(value.text).to.equal(TEXT);
    expect(secrets.mask(`<${TEXT}>`)).to.equal('<********>');
  });

  it('reports the position of a value that it cannot decrypt', () => {
    const { message, source, hint } = thrown(() => vaultOf({}).vault.value(ENCRYPTED_VALUE, () => HERE).text);
    expect({ message, source, hint }).to.deep.equal({
      message: 'this value is encrypted, and no vault password was given',
      source: HERE,
      hint: 'pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml',
    });
  });

  it('reveals a file at once, whose content is a secret from then on, or says why not', async () => {
    const { vault, secrets } = vaultOf({ default: PASSWORD });
    expect([vault.decryptText(ENCRYPTED_FILE), secrets.mask(CONTENT)]).to.deep.equal([CONTENT, '********']);
    expect([vault.decryptText(ENCRYPTED_FILE), await vault.open(ENCRYPTED_FILE)]).to.deep.equal([
      CONTENT,
      { status: 'ok', content: Buffer.from(CONTENT), password: password('default', PASSWORD), label: 'default' },
    ]);
    expect(() => vaultOf({}).vault.decryptText(ENCRYPTED_FILE)).to.throw(
      /^is encrypted, and no vault password was given \(pass --vault-password-file FILE, or --ask-vault-pass \(-J\), or name the file in evenkeel\.yml\)$/,
    );
    expect(() => vault.decryptText('$ANSIBLE_VAULT;1.1;AES256\n00')).to.throw(/^is damaged: it does not hold[^()]*$/);
    const unread = new Vault([], new Secrets(), true);
    expect(() => unread.decryptText(ENCRYPTED_FILE)).to.throw(/^is encrypted, and no vault password could be read$/);
  });

  it('keeps what it has opened, and knows whether there are values', async () => {
    const { vault } = vaultOf({ default: PASSWORD });
    const opened = await vault.open(ENCRYPTED_FILE);
    expect(await vault.open(ENCRYPTED_FILE)).to.equal(opened);
    expect(vault.hasValues).to.equal(false);
    vault.value(ENCRYPTED_VALUE, () => HERE);
    expect(vault.hasValues).to.equal(true);
  });

  it('refuses a value that is not text', async () => {
    const { vault } = vaultOf({ default: PASSWORD });
    const binary = await encrypt(Buffer.from([0xff, 0xfe]), password('default', PASSWORD));
    expect(thrown(() => vault.value(binary, () => HERE).text).message).to.equal(
      'this value is not UTF-8 text once it is decrypted',
    );
  });

  it('decrypts many values together, and reports each failure once', async () => {
    const { vault, secrets } = vaultOf({ default: PASSWORD });
    const other = await encrypt(Buffer.from('x'), password('prod', 'unknown'));
    const values = [ENCRYPTED_VALUE, other, ENCRYPTED_VALUE, other].map((text) => vault.value(text, () => HERE));
    const failures = await vault.unlock(values);
    expect(failures.map(({ message }) => message)).to.deep.equal([
      'this value cannot be decrypted: none of the vault passwords fits (tried: default)',
    ]);
    expect(secrets.mask(TEXT)).to.equal('********');
  });

  it('masks a value that was encrypted with its line break, and each line of a longer value', async () => {
    const { vault, secrets } = vaultOf({ default: PASSWORD });
    const key = '-----BEGIN KEY-----\nMIIEvQIBADAN\n}\n';
    const envelope = await encrypt(Buffer.from(key), password('default', PASSWORD));
    await vault.unlock([vault.value(envelope, () => HERE)]);
    expect(secrets.mask(key.trim())).to.equal('********');
    expect(secrets.mask('line MIIEvQIBADAN, line }')).to.equal('line ********, line }');
  });
});
