import { expect } from 'chai';
import fc from 'fast-check';
import { MASK, Secrets } from '../../src/model/secrets.js';

type Encode = (text: string) => string;

/** Every way in which a text is written down somewhere, by somebody else's rules than ours. */
const ENCODINGS: Readonly<Record<string, Encode>> = {
  'as it is': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'in JSON': json,
  'in JSON in JSON': (text) => json(json(text)),
  'in JSON in JSON in JSON': (text) => json(json(json(text))),
  'in JSON of ASCII only': asciiJson,
  'in JSON with capital digits': (text) =>
    asciiJson(text).replaceAll(/\\u[0-9a-f]{4}/g, (one) => one.toUpperCase().replace('U', 'u')),
  'in JSON that escapes slashes': (text) => json(text).replaceAll('/', String.raw`\/`),
  'in a URL': encodeURIComponent,
  'in a URL, slashes kept': (text) => encodeURIComponent(text).replaceAll('%2F', '/'),
  'in a URL, with small digits': (text) => encodeURIComponent(text).replaceAll(/%../g, (one) => one.toLowerCase()),
  'in a URL, every byte': percentEncoded,
  'in a form': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'in a URL in a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in JSON in a URL': (text) => encodeURIComponent(json(text)),
  'in a URL in JSON': (text) => json(encodeURIComponent(text)),
  'in HTML': (text) => html(text, '&#39;'),
  'in HTML with hexadecimal numbers': (text) => html(text, '&#x27;'),
  'in HTML in JSON': (text) => json(html(text, '&apos;')),
  'in single quotes of YAML': (text) => text.replaceAll("'", "''"),
  'in single quotes of a shell': (text) => text.replaceAll("'", String.raw`'\''`),
  'in single quotes of Python': (text) => text.replaceAll("'", `'"'"'`),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in Base64 in a URL': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'in capital hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiJson(text: string): string {
  return json(text).replaceAll(/[^ -~]/g, (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function percentEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function html(text: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe);
}

const AWKWARD = [
  'hunter22',
  'Pa$$w0rd "ü" & <more>/%?',
  `it's 'single' and "double"`,
  'with + plus and space',
  '{{ looks }} like {% a %} template',
  String.raw`C:\new\table\u0041`,
  '100%41 of &amp;',
  'a.*[b](c)$1^\\d+',
  'tab\tand\r\nbreak at the end\n',
  'Straße ἈΡΧΉ İstanbul ΟΔΟΣ',
  '日本語パスワード',
  'emoji 🔑 key',
  'dash-and_underscore/slash+plus==',
  String.raw`" \\`,
  '12345678',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n',
];

/** Those that mean something to one encoding or another. */
const SIGNS = ` '"\\%&+/=_-anu04;#x<`.split('');

function knowing(...values: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

describe('encodings of secrets', () => {
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    it(`${name}: nothing is left`, () => {
      for (const secret of AWKWARD) {
        const secrets = knowing(secret);
        expect(
          secrets.mask(`<<${encode(secret)}>>`).replaceAll(/(\*{8}|\s|\\n|%0a|\\r|%250a)+/gi, MASK),
          secret,
        ).to.equal(`<<${MASK}>>`);
      }
    });
  }

  it('are found for any secret', () => {
    const encode = fc.constantFrom(...Object.values(ENCODINGS));
    const secret = fc.oneof(
      fc.string({ minLength: 4 }),
      fc.string({ unit: 'grapheme', minLength: 4 }),
      fc.string({ unit: fc.constantFrom(...SIGNS), minLength: 4, maxLength: 12 }),
    );
    fc.assert(
      fc.property(secret, encode, (text, how) => {
        fc.pre(text.trim().length >= 4 && !/^(?:true|false|null|none|\*+)$/i.test(text));
        const masked = knowing(text).mask(`<<${how(text)}>>`);
        expect(masked).to.include(MASK);
      }),
      { numRuns: 500 },
    );
  });

  it('in Base64 of something longer leave at most the characters that they share with their neighbours', () => {
    const secret = 'correct-horse-battery';
    for (const [before, behind] of [
      ['admin:', ''],
      ['{"password":"', '"}'],
      ['ab', 'c'],
      ['a', 'bc'],
    ] as const) {
      const masked = knowing(secret).mask(Buffer.from(before + secret + behind).toString('base64'));
      const core = masked.split(MASK);
      expect(core, masked).to.have.length(2);
      expect(Buffer.from(core[0] ?? '', 'base64').toString().length).to.be.lessThanOrEqual(before.length);
      expect(Buffer.from(core[1] ?? '', 'base64').toString().length).to.be.lessThanOrEqual(behind.length + 2);
    }
  });

  it('in Latin-1 are found in Base64, hexadecimal digits and URLs', () => {
    const secret = 'grüße aus köln';
    const bytes = Buffer.from(secret, 'latin1');
    const percent = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    for (const text of [bytes.toString('base64'), bytes.toString('hex'), percent]) {
      expect(knowing(secret).mask(text)).to.equal(MASK);
    }
  });

  it('leave no trace of a key that was laid out anew', () => {
    const body = Buffer.from('a private key, long enough to fill several lines of sixty-four characters each').toString(
      'base64',
    );
    const key = `-----BEGIN KEY-----\n${body.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END KEY-----\n`;
    const secrets = knowing(key);
    const indented = key.replaceAll(/^/gm, '      ');
    const wrapped = key.replaceAll('\n', ' ').replaceAll(/(.{10})/g, '$1\n  ');
    const base64 = Buffer.from(key)
      .toString('base64')
      .replaceAll(/(.{76})/g, '$1\r\n');
    for (const text of [key, indented, key.replaceAll('\n', '\r\n'), json(key), json(indented), wrapped, base64]) {
      expect(secrets.mask(`a: ${text}`).replaceAll(/(\*{8}|\s|\\n)+/g, MASK)).to.equal(`a:${MASK}`);
    }
  });

  it('join to one where they overlap', () => {
    expect(knowing('abcdef', 'defghi', 'ghijkl').mask('1abcdefghijkl2 abcdef')).to.equal(`1${MASK}2 ${MASK}`);
  });

  it('are masked once where a shorter form ends the text', () => {
    const secrets = knowing('Pa$$w0rd "ü" & <more>/%?');
    expect(secrets.mask(`y ${encodeURIComponent('Pa$$w0rd "ü" & <more>/%?')}`)).to.equal(`y ${MASK}`);
  });

  it('leave alone what stands for a secret or says that there is none', () => {
    const secrets = knowing('<sensitive>', MASK, 'True', 'none', 'null');
    expect(secrets.mask(`<sensitive> ${MASK} true False None null`)).to.equal(
      `<sensitive> ${MASK} true False None null`,
    );
  });

  it('take no longer for what a controller may send than for anything else', () => {
    const secrets = knowing(...Array.from({ length: 400 }, (_, index) => 'a'.repeat(index + 4)));
    for (const unit of ['a', '%61', String.raw`\u0061`, '&#97;', '\\\\', "'", 'a ', '%25']) {
      expect(secrets.mask(unit.repeat(20_000))).to.be.a('string');
    }
  });
});
