import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { parseYaml } from '../../../src/project/yaml/parse_yaml.js';

const MISPLACED = 'the indentation of this line does not match the lines around it';
const COLUMNS = 'all entries of a mapping or list start in the same column';
const QUOTES = 'quote the value';
const TAB = 'YAML does not allow tabs for indentation';

type Case = readonly [why: string, text: string, place: string, message: string, hint?: string];

const cases: readonly Case[] = [
  ['anything else', 'a: |x\n  b\n', '1:5', 'YAML: Block scalar header includes extra characters: |x'],
  ['a line with too little indentation', 'a:\n    b: 1\n  c: 2\n', '3:3', MISPLACED, COLUMNS],
  ['a line with too much indentation', 'a:\n  b: 1\n   c: 2\n', '3:4', MISPLACED, COLUMNS],
  ['a key among the items of a list', 'a:\n  - b\n  c: d\n', '3:3', MISPLACED, COLUMNS],
  ['a key with less indentation than its item', '- a: 1\n b: 2\n', '2:2', MISPLACED, COLUMNS],
  ['a mapping after a list', '- a: 1\nb: 2\n', '2:1', MISPLACED, COLUMNS],
  ['a tab before a key', 'a:\n\tb: 1\n', '2:1', TAB, 'use spaces'],
  ['a tab after spaces', '- a: 1\n \tb: 1\n', '2:2', TAB, 'use spaces'],
  ['an unclosed list', 'a: {b: [1, 2}\n', '1:13', '"[" is not closed before this', 'write "]" where it ends'],
  ['an unclosed mapping', 'a: {b: 1\n', '2:1', '"{" is not closed before this', 'write "}" where it ends'],
  ['an unclosed quote', 'a:\n  b: "x\nc: 1\n', '2:6', '" is not closed', 'write another " where the text ends'],
  ['an unclosed apostrophe', "a: 'x\n", '1:4', "' is not closed", "write another ' where the text ends"],
  ['a reserved character', 'a: @x\n', '1:4', 'a value that starts with @ must be quoted', QUOTES],
  ['a percent sign', 'a: %x\n', '1:4', 'a value that starts with % must be quoted', QUOTES],
  [
    'a comparison of quoted texts',
    'when: "a" == "b"\n',
    '1:11',
    'unexpected text after the closing "',
    "put single quotes around the whole value: '…'",
  ],
  [
    'an apostrophe inside apostrophes',
    "name: 'it's'\n",
    '1:11',
    "unexpected text after the closing '",
    'put double quotes around the whole value: "…"',
  ],
  [
    'an expression that begins with a list',
    'when: [a] == b\n',
    '1:11',
    'unexpected text after the closing "]"',
    'quote the whole value',
  ],
  ['a subscript between braces', 'debug: {var: a[0]}\n', '1:15', '"[" is not allowed in an unquoted value', QUOTES],
  [
    'a missing colon',
    '- debug\n  msg: y\n',
    '1:3',
    'expected "name: value" on this line, as on the next one',
    'is a ":" missing at its end?',
  ],
  [
    'an invalid escape',
    'a: "C:\\dir"\n',
    '1:7',
    'invalid escape sequence between double quotes',
    'double the backslash, or use single quotes',
  ],
];

describe('parseYaml: syntax errors', () => {
  for (const [why, text, place, message, hint] of cases) {
    it(`reports ${why}`, () => {
      const diagnostics = new Diagnostics();
      parseYaml(text, 'x.yml', diagnostics);
      const found = diagnostics.list.map((one) => [`${one.source?.line}:${one.source?.column}`, one.message, one.hint]);
      expect(found).to.deep.equal([[place, message, hint]]);
    });
  }
});
