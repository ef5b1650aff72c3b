import { expect } from 'chai';
import fc from 'fast-check';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { Vault } from '../../../src/project/vault/vault.js';
import { reportSyntax } from '../../../src/project/yaml/parse_yaml.js';
import { parsePlain } from '../../../src/project/yaml/plain.js';
import { parseText, YamlPositions } from '../../../src/project/yaml/positions.js';
import { ValueReader } from '../../../src/project/yaml/values.js';

/** The library's value of a text, and the mistakes that it reports. */
function byLibrary(text: string): { value: Value; wrong: readonly string[] } {
  const diagnostics = new Diagnostics();
  const document = parseText(text);
  const positions = new YamlPositions(text, 'x.yml', document);
  reportSyntax(document, positions, text, diagnostics);
  const value = new ValueReader(positions, diagnostics, Vault.locked()).read(document.contents);
  return { value, wrong: diagnostics.list.map(({ message }) => message) };
}

describe('parsePlain', () => {
  it('reads the YAML of large inventories', () => {
    const text = `---
# a fleet
all:
  vars:
    domain: example.com # ours
  children:
    emea:
      hosts:
        lb[01:03].emea.example.com:
        "lb04":
          'controller_url': 'https://10.0.0.4:443/x'
          rack: 12
          canary: yes
          note: ""
          tags:
            - a
            - 2
          nothing: {}
          flow: { a: [1, two words, 'q, "'], "b": { c: no, d: [] }, e: http://h/p } # comment
  none:
`;
    expect(parsePlain(text)).to.deep.equal({
      all: {
        vars: { domain: 'example.com' },
        children: {
          emea: {
            hosts: {
              'lb[01:03].emea.example.com': null,
              lb04: {
                controller_url: 'https://10.0.0.4:443/x',
                rack: 12,
                canary: true,
                note: '',
                tags: ['a', 2],
                nothing: {},
                flow: { a: [1, 'two words', 'q, "'], b: { c: false, d: [] }, e: 'http://h/p' },
              },
            },
          },
        },
        none: null,
      },
    });
  });

  const leftToTheLibrary = [
    '',
    '- a\n',
    'a: {b}\n',
    'a: {b:1}\n',
    'a: {b: 1, b: 2}\n',
    'a: [b: c]\n',
    'a: [b,]\n',
    'a: [b\n',
    'a: [b] c\n',
    'a: {b: , c: d}\n',
    'a: {__proto__: 1}\n',
    "a: ['it''s']\n",
    'a: |\n  x\n',
    'a: "x\\n"\n',
    "a: 'it''s'\n",
    'a: two\n  lines\n',
    'a: b: c\n',
    'a: &x 1\n',
    'a: {{ b }}\n',
    'a: 1\na: 2\n',
    '<<: x\n',
    '__proto__: 1\n',
    'a:\n- 1\n',
    'a:\n    b: 1\n  c: 2\n',
    'a:\tb\n',
    'a: 1\n---\nb: 2\n',
    'a: !unsafe x\n',
    '"a\\n": 1\n',
    "'it''s': 1\n",
    '"a" : 1\n',
    '"a": 1\na: 2\n',
  ];
  for (const text of leftToTheLibrary) {
    it(`leaves ${JSON.stringify(text)} to the library`, () => {
      expect(parsePlain(text)).to.equal(undefined);
    });
  }

  const key = fc.oneof(
    { weight: 9, arbitrary: fc.stringMatching(/^[a-z0-9_][a-zA-Z0-9:.[\],/-]{0,3}$/) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '<<',
        '? a',
        '"q"',
        "'q'",
        '""',
        '"q\\n"',
        '"q" ',
        "it's",
        'a b',
        '-',
        'a#b',
        '{y}',
        '~',
        '__proto__',
      ),
    },
  );
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('', '1', 'yes', 'two words', 'http://h/p', 'x # c', "'q'", '{}', '-1') },
    { weight: 3, arbitrary: fc.stringMatching(/^[ -~]{0,6}$/) },
    { weight: 1, arbitrary: fc.constantFrom('a: b', 'x:', '{a: 1}', '*a', '|', '"q" # c', 'a\tb', 'é', '\u00a0') },
  );
  const flow = fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom('[', ']', '{', '}', ', ', ',', ': ', ':', ' ') },
        {
          weight: 9,
          arbitrary: fc.constantFrom('a', 'b: ', 'c: 1', 'yes', "'q'", '"r"', '-1', 'x y', 'h:/p', 'd: [e]'),
        },
        {
          weight: 1,
          arbitrary: fc.constantFrom(' # c', '#', '?', '- ', '<<: a', '&a', '*a', '!b', '|', '~', '{{ a }}', "'"),
        },
      ),
      { maxLength: 5 },
    )
    .chain((parts) =>
      fc.constantFrom(`[${parts.join('')}]`, `{${parts.join('')}}`, `{a: ${parts.join('')}}`, parts.join('')),
    );
  const line = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(fc.constantFrom(0, 2, 4, 3), key, value).map(([by, k, v]) => indented(by, `${k}: ${v}`)),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(0, 2, 4), value).map(([by, v]) => indented(by, `- ${v}`)) },
    { weight: 1, arbitrary: fc.constantFrom('', '  ', '  # c', '---', '...', 'text', '  text') },
  );

  it('agrees with the library on everything that it reads', () => {
    let read = 0;
    const lines = fc.array(line, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, (given) => {
        const text = given.join('\n');
        const plain = parsePlain(text);
        if (plain === undefined) return;
        read += 1;
        expect(byLibrary(text)).to.deep.equal({ value: plain, wrong: [] });
      }),
      { numRuns: 3000 },
    );
    expect(read).to.be.above(30);
  });

  it('agrees with the library on collections of one line', () => {
    let read = 0;
    fc.assert(
      fc.property(flow, (written) => {
        const text = `a: ${written}\n`;
        const plain = parsePlain(text);
        if (plain === undefined) return;
        read += 1;
        expect(byLibrary(text)).to.deep.equal({ value: plain, wrong: [] });
      }),
      { numRuns: 5000 },
    );
    expect(read).to.be.above(300);
  });
});

function indented(by: number, text: string): string {
  return ' '.repeat(by) + text;
}
