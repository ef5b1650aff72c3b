import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { isOwnWord } from '../../../src/core/secrets/own_words.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';

function knowing(...values: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

describe('Secrets', () => {
  it('masks a secret at any position', () => {
    expect(knowing('hunter22').mask('hunter22, "hunter22" and xhunter22x')).to.equal(
      '********, "********" and x********x',
    );
  });

  it('masks each line of a private key, but those of the public key in it', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const shown = publicKey.export({ format: 'der', type: 'spki' });
    const lines = pem.split('\n').slice(1, -2);
    const isPublic = (line: string): boolean => shown.includes(Buffer.from(line, 'base64'));
    const secrets = knowing(pem);
    expect(lines.filter(isPublic).length).to.be.at.least(4);
    for (const line of lines) expect(secrets.mask(line)).to.equal(isPublic(line) ? line : '********');
    expect(secrets.mask(`a ${pem.trim()} b`)).to.equal('a ******** b');
  });

  it('masks every encoding of a secret', () => {
    const secret = 'p"ä ss/w?rd';
    const forms = [
      JSON.stringify(secret),
      JSON.stringify(JSON.stringify(secret)),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      new URLSearchParams({ q: secret }).toString().replace('%22', '%22'),
    ];
    for (const form of forms) expect(knowing(secret).mask(`<${form}>`), form).to.include('********');
  });

  it('masks the value of the Basic header', () => {
    const secrets = new Secrets();
    secrets.addCredentials('admin', 'hunter22');
    const header = `Basic ${Buffer.from('admin:hunter22').toString('base64')}`;
    expect(secrets.mask(header)).to.equal('Basic ********');
  });

  it('uses the longest of several secrets that begin at one position', () => {
    expect(knowing('hunter', 'hunter22', 'hunt').mask('hunter22 hunter1 hunt')).to.equal('******** ********1 ********');
  });

  it('ignores values of three characters', () => {
    expect(knowing('abc').mask('abcabc')).to.equal('abcabc');
  });

  it('masks a secret whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 4, maxLength: 12 }).filter((text) => !isOwnWord(text)),
          { minLength: 1 },
        ),
        fc.string(),
        (values, around) => {
          const secrets = knowing(...values);
          const masked = secrets.mask(values.map((value) => around + value).join('\n'));
          // What is left of a text between masks may form a secret by chance only together with the mask's own stars.
          for (const value of values)
            expect(masked.split('********').some((part) => part.includes(value))).to.equal(false);
        },
      ),
    );
  });
});
