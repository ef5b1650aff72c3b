import { expect } from 'chai';
import fc from 'fast-check';
import { withoutInvisible } from '../../../src/core/model/invisible.js';
import { withoutEscapes } from '../../../src/core/secrets/readings.js';
import { isOwnWord, MASK, Secrets } from '../../../src/core/secrets/secrets.js';

type Encode = (text: string) => string;

/** Invisible characters, and those that a terminal interprets. */
const INVISIBLE = [
  ['NUL', '\0'],
  ['a backspace', '\b'],
  ['a carriage return', '\r'],
  ['an escape sequence', '\u001b[31m'],
  ['the title of a terminal', '\u001b]0;x\u0007'],
  ['a bare escape', '\u001b'],
  ['a control of the second set', '\u009b'],
  ['a soft hyphen', '\u00ad'],
  ['a combining grapheme joiner', '\u034f'],
  ['an Arabic letter mark', '\u061c'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['an embedding that turns the direction', '\u202a'],
  ['an isolate that turns the direction', '\u2066'],
  ['a line separator', '\u2028'],
  ['a word joiner', '\u2060'],
  ['a filler', '\u3164'],
  ['a variation selector', '\ufe0f'],
  ['a byte order mark', '\ufeff'],
  ['a tag', '\u{e0041}'],
] as const;

/** Every encoding of a text, by code that is not ours. */
const ENCODINGS: Readonly<Record<string, Encode>> = {
  'as it is': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'with its cases swapped': (text) => text.replaceAll(/./gu, swapped),
  capitalised: capitalised,
  'as a title': (text) => text.replaceAll(/[^-\s({[<]+/g, capitalised),
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
  ...Object.fromEntries(
    INVISIBLE.flatMap(([name, character]) => [
      [`with ${name} between its characters`, (text: string) => joinedBy(character, text)],
      [`with ${name} between its characters in JSON`, (text: string) => asciiJson(joinedBy(character, text))],
      [`in JSON with ${name} between its characters`, (text: string) => joinedBy(character, json(text))],
    ]),
  ),
};

function swapped(one: string): string {
  return one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase();
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

function joinedBy(separator: string, text: string): string {
  return Array.from(text).join(separator);
}

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

/** Characters with a meaning in one of the encodings. */
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
        // A secret whose escapes decode to fewer than four characters is too short to search for in text with escapes.
        fc.pre(
          withoutInvisible(withoutEscapes(withoutEscapes(text))).trim().length >= 4 &&
            !/^(?:true|false|null|none|\*+)$/i.test(text) &&
            !isOwnWord(text),
        );
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

  it('with letters of Latin-1 are found in the Base64 of their JSON, too', () => {
    const secret = 'grüße "aus" köln';
    expect(knowing(secret).mask(Buffer.from(json(secret)).toString('base64'))).to.equal(MASK);
  });

  it('leave no trace of a key after a merge', () => {
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

  it('are found one character a line, and between tabs', () => {
    for (const separator of ['\n', '\t', '\n    ', '\r\n']) {
      const spelled = joinedBy(separator, 'hunter22!');
      for (const text of [spelled, json(spelled)])
        expect(knowing('hunter22!').mask(`<<${text}>>`)).to.equal(`<<${MASK}>>`);
    }
    // Wherever readers see the gaps, it is a text of single characters.
    expect(knowing('hunter22!').mask('h u n t e r 2 2 !')).to.equal('h u n t e r 2 2 !');
  });

  it('are found in UTF-16 that was read as UTF-8', () => {
    for (const bytes of [Buffer.from('hunter22', 'utf16le'), Buffer.from('hunter22', 'utf16le').swap16()])
      expect(
        knowing('hunter22')
          .mask(`a ${bytes.toString('utf8')}`)
          .replaceAll('\0', ''),
      ).to.equal(`a ${MASK}`);
  });

  it('hold what is invisible themselves', () => {
    const secret = 'hun\u200dter\u001b[0m22';
    for (const text of [secret, 'hun\u200dter22', 'hunter\u001b[0m22', 'hunter22', json(secret)])
      expect(knowing(secret).mask(`<<${text}>>`), JSON.stringify(text)).to.equal(`<<${MASK}>>`);
  });

  it('leave text without them as it is, with all that is invisible in it', () => {
    const text = 'a\0b\u200b\u001b[31mred\u001b[0m\n\ts\np\ne\nl\nt 👩\u200d💻 \u202afin';
    expect(knowing('hunter22').mask(text)).to.equal(text);
  });

  it('join to one where they overlap', () => {
    expect(knowing('abcdef', 'defghi', 'ghijkl').mask('1abcdefghijkl2 abcdef')).to.equal(`1${MASK}2 ${MASK}`);
  });

  it('are masked once where a shorter form ends the text', () => {
    const secrets = knowing('Pa$$w0rd "ü" & <more>/%?');
    expect(secrets.mask(`y ${encodeURIComponent('Pa$$w0rd "ü" & <more>/%?')}`)).to.equal(`y ${MASK}`);
  });

  it('do not change placeholders of secrets, or values such as none', () => {
    const secrets = knowing('<sensitive>', MASK, 'True', 'none', 'null');
    expect(secrets.mask(`<sensitive> ${MASK} true False None null`)).to.equal(
      `<sensitive> ${MASK} true False None null`,
    );
  });

  it('take no longer for what a controller may send than for anything else', () => {
    const secrets = knowing(...Array.from({ length: 400 }, (_, index) => 'a'.repeat(index + 4)));
    for (const unit of [
      'a',
      '%61',
      String.raw`\u0061`,
      '&#97;',
      '\\\\',
      "'",
      'a ',
      '%25',
      '\0',
      '\u001b',
      '\u001b[;1',
      'a\n',
      '\n',
      '\t ',
      'a\u200b',
      '\u001b]a;a',
      '\\u0000',
    ]) {
      expect(secrets.mask(unit.repeat(20_000))).to.be.a('string');
    }
  });
});
