import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { formatEnvelope, isEncrypted, parseEnvelope, seal, unseal } from '../../../src/project/vault/cipher.js';
import { anyText } from '../../rig/any_text.js';
import { ENCRYPTED_FILE, LABELLED_FILE } from '../../rig/vault.js';

function said(text: string): string {
  const parsed = parseEnvelope(text);
  return parsed.status === 'damaged' ? parsed.message : `label ${parsed.envelope.label}`;
}

/** The lines of an envelope with the given body. */
function around(body: string): string {
  return `$ANSIBLE_VAULT;1.1;AES256\n${Buffer.from(body).toString('hex')}\n`;
}

const DIGEST = 'ab'.repeat(32);

describe('an envelope', () => {
  it('is parsed and formatted again without a change', () => {
    for (const text of [ENCRYPTED_FILE, LABELLED_FILE]) {
      const parsed = parseEnvelope(text);
      expect(parsed.status === 'ok' && formatEnvelope(parsed.envelope)).to.equal(text);
    }
  });

  it('has the label of its password', () => {
    expect(said(ENCRYPTED_FILE)).to.equal('label default');
    expect(said(LABELLED_FILE)).to.equal('label prod');
    expect(said(LABELLED_FILE.replace(';prod', ''))).to.equal('label default');
  });

  it('can be indented, and can have any line breaks', () => {
    expect(said(LABELLED_FILE.replaceAll('\n', '\r\n'))).to.equal('label prod');
    expect(said(LABELLED_FILE.replaceAll('\n', '\n   '))).to.equal('label prod');
    expect(said(LABELLED_FILE.replaceAll(';', ' ; '))).to.equal('label prod');
  });

  it('is recognised by its beginning', () => {
    expect(isEncrypted(ENCRYPTED_FILE)).to.equal(true);
    expect(isEncrypted(` ${ENCRYPTED_FILE}`)).to.equal(false);
    expect(isEncrypted('')).to.equal(false);
  });

  it('is reported with the reason if it is damaged', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['', 'its first line is not "$ANSIBLE_VAULT;1.1;AES256"'],
      ['hunter2', 'its first line is not "$ANSIBLE_VAULT;1.1;AES256"'],
      ['$ANSIBLE_VAULT', 'version "" of the format is not 1.1 or 1.2'],
      ['$ANSIBLE_VAULT;1.0;AES\n00', 'version "1.0" of the format is not 1.1 or 1.2'],
      ['$ANSIBLE_VAULT;1.1;AES\n00', 'its cipher is "AES", not AES256'],
      ['$ANSIBLE_VAULT;1.1;\u0000\u001b[2J\n00', 'its cipher is "??[2J", not AES256'],
      [`$ANSIBLE_VAULT;1.${'1234567890'.repeat(3)}`, 'version "1.123456789012345678" of the format is not 1.1 or 1.2'],
      ['$ANSIBLE_VAULT;1.1;AES256\n3132z', 'its lines are not pairs of hexadecimal digits'],
      ['$ANSIBLE_VAULT;1.1;AES256\n313', 'its lines are not pairs of hexadecimal digits'],
      ['$ANSIBLE_VAULT;1.1;AES256\n', 'it does not hold a salt, a digest and a ciphertext'],
      [around('00\n00'), 'it does not hold a salt, a digest and a ciphertext'],
      [around(`00\n${DIGEST}\n${'00'.repeat(16)}\n00`), 'it does not hold a salt, a digest and a ciphertext'],
      [around(`0g\n${DIGEST}\n${'00'.repeat(16)}`), 'it does not hold a salt, a digest and a ciphertext'],
      [around(`\n${DIGEST}\n${'00'.repeat(16)}`), 'its salt is empty'],
      [around(`00\nabab\n${'00'.repeat(16)}`), 'its digest has 2 bytes, not 32'],
      [around(`00\n${DIGEST}\n`), 'its end is missing'],
      [around(`00\n${DIGEST}\n${'00'.repeat(15)}`), 'its end is missing'],
    ];
    for (const [text, message] of cases) expect(said(text), JSON.stringify(text)).to.equal(message);
  });

  it('can contain any bytes under any password', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        fc.stringMatching(/^[a-z_]{1,12}$/),
        async (bytes, secret, label) => {
          const content = Buffer.from(bytes);
          const text = formatEnvelope({ ...(await seal(content, Buffer.from(secret))), label });
          expect(text.split('\n').every((line) => line.length <= 80)).to.equal(true);
          const parsed = parseEnvelope(text);
          if (parsed.status === 'damaged') throw new Error(parsed.message);
          expect(parsed.envelope.label).to.equal(label);
          const unsealed = await unseal(parsed.envelope, Buffer.from(secret));
          expect(unsealed.status === 'ok' && unsealed.content.equals(content)).to.equal(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is refused with a padding that no encryption leaves', async () => {
    const secret = Buffer.from('pw');
    const salt = Buffer.alloc(32, 7);
    const keys = pbkdf2Sync(secret, salt, 10_000, 80, 'sha256');
    const opened = async (padded: Buffer) => {
      const cipher = createCipheriv('aes-256-ctr', keys.subarray(0, 32), keys.subarray(64));
      const ciphertext = Buffer.concat([cipher.update(padded), cipher.final()]);
      const digest = createHmac('sha256', keys.subarray(32, 64)).update(ciphertext).digest();
      const unsealed = await unseal({ salt, digest, ciphertext }, secret);
      return unsealed.status === 'ok' ? unsealed.content.toString() : unsealed.status;
    };
    const ending = (length: number, ...bytes: readonly number[]): Buffer =>
      Buffer.from([...Buffer.alloc(length - bytes.length, 'x'), ...bytes]);
    expect([await opened(ending(16, 3, 3, 3)), await opened(Buffer.alloc(16, 16))]).to.deep.equal(['x'.repeat(13), '']);
    for (const padded of [ending(16, 2, 3, 3), ending(16, 3, 2, 3), ending(16, 0), Buffer.alloc(32, 17)])
      expect(await opened(padded), padded.toString('hex')).to.equal('refused');
  });

  it('never decrypts to other content after a change', async () => {
    const content = Buffer.from('s3cr3t');
    const secret = Buffer.from('pw');
    const text = formatEnvelope({ ...(await seal(content, secret)), label: 'default' });
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.string({ maxLength: 3 }), fc.nat(4), async (at, put, cut) => {
        const parsed = parseEnvelope(text.slice(0, at) + put + text.slice(at + cut));
        if (parsed.status === 'damaged') return;
        const unsealed = await unseal(parsed.envelope, secret);
        if (unsealed.status === 'ok') expect(unsealed.content.equals(content)).to.equal(true);
      }),
      { numRuns: 100 },
    );
  });

  it('never throws for any text', () => {
    const header = fc.constantFrom(
      '',
      '$ANSIBLE_VAULT;',
      '$ANSIBLE_VAULT;1.1;AES256\n',
      '$ANSIBLE_VAULT;1.2;AES256;x\n',
    );
    fc.assert(
      fc.property(header, anyText(), (start, rest) => {
        expect(parseEnvelope(start + rest).status).to.equal('damaged');
      }),
    );
  });

  it('differs each time, even for the same text', async () => {
    const [one, two] = await Promise.all([
      seal(Buffer.from('a'), Buffer.from('b')),
      seal(Buffer.from('a'), Buffer.from('b')),
    ]);
    expect(one.salt.equals(two.salt)).to.equal(false);
    expect(one.ciphertext.equals(two.ciphertext)).to.equal(false);
  });
});
