import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { parseLimit, parseSize } from '../../../src/module/argument_spec/size.js';
import {
  convert,
  isTypeName,
  kindName,
  parseDictionary,
  TYPES,
  type TypeName,
} from '../../../src/module/argument_spec/types.js';

const VALUES: readonly Value[] = ['1', 'yes', 1, 1.5, true, ['a', 1], { a: 1 }, null];
const NO = undefined;
const LIST = '["a",1]';

/** What each type makes of each of the values. */
const CONVERTED: Readonly<Record<TypeName, readonly (Value | undefined)[]>> = {
  str: ['1', 'yes', '1', '1.5', 'True', LIST, '{"a":1}', 'None'],
  path: ['1', 'yes', '1', '1.5', 'True', LIST, '{"a":1}', 'None'],
  raw: VALUES,
  int: [1, NO, 1, NO, true, NO, NO, NO],
  float: [1, NO, 1, 1.5, true, NO, NO, NO],
  bool: [true, true, true, NO, true, NO, NO, NO],
  list: [['1'], ['yes'], ['1'], ['1.5'], ['True'], ['a', 1], NO, NO],
  dict: [NO, NO, NO, NO, NO, NO, { a: 1 }, NO],
  json: ['1', 'yes', NO, NO, NO, LIST, '{"a":1}', NO],
  jsonarg: ['1', 'yes', NO, NO, NO, LIST, '{"a":1}', NO],
  bytes: [1, NO, 1, 2, NO, NO, NO, NO],
  bits: [1, NO, 1, 2, NO, NO, NO, NO],
};

describe('the types of argument specifications', () => {
  for (const type of TYPES)
    it(`${type} take what Ansible takes`, () => {
      expect(VALUES.map((value) => convert(type, value))).to.deep.equal(CONVERTED[type]);
      expect(isTypeName(type)).to.equal(true);
    });

  it('have names of their own', () => {
    expect(['string', '', 5, null].map(isTypeName)).to.deep.equal([false, false, false, false]);
    expect([...VALUES, 5n].map(kindName)).to.deep.equal([
      'str',
      'str',
      'int',
      'float',
      'bool',
      'list',
      'dict',
      'none',
      'int',
    ]);
  });

  it('read numbers with signs and underscores', () => {
    const read = (type: TypeName, ...texts: readonly string[]) => texts.map((text) => convert(type, text));
    expect(read('int', ' 1_000 ', '-7', '+8', '1_', '_1', '1.0', '')).to.deep.equal([1000, -7, 8, NO, NO, NO, NO]);
    expect(read('float', '1.', '.5', '-1e3', '1_0.5', 'inf', '-Infinity', '.', 'e3')).to.deep.equal([
      1,
      0.5,
      -1000,
      10.5,
      Infinity,
      -Infinity,
      NO,
      NO,
    ]);
    expect(read('bool', ' On ', 'no', 'maybe')).to.deep.equal([true, false, NO]);
    expect(read('json', ' {"a": 1} ')).to.deep.equal(['{"a": 1}']);
  });
});

describe('mappings in a text', () => {
  for (const [text, mapping] of [
    ['{"a": 1}', { a: 1 }],
    ["{'a': [True, None]}", { a: [true, null] }],
    ['{', NO],
    ['[1]', NO],
    ['a=1,b=2 c=3', { a: '1', b: '2', c: '3' }],
    [' a=x=y ', { a: 'x=y' }],
    ['a="1, 2" b=\'x y\'', { a: '1, 2', b: 'x y' }],
    [String.raw`a=x\,y b="q\"r"`, { a: 'x,y', b: 'q"r' }],
    ['a=1 b', NO],
    ['a', NO],
    ['', NO],
  ] as const)
    it(`are read from ${text}`, () => {
      expect(parseDictionary(text)).to.deep.equal(mapping);
    });
});

describe('sizes in a text', () => {
  const KIB = 1024;
  for (const [text, bytes, bits] of [
    ['10', 10, 10],
    [' 1.5 K', 1.5 * KIB, 1.5 * KIB],
    ['2M', 2 * KIB ** 2, 2 * KIB ** 2],
    ['1GB', KIB ** 3, NO],
    ['1Gb', NO, KIB ** 3],
    ['1 tb', NO, KIB ** 4],
    ['1PB', KIB ** 5, NO],
    ['1EB', KIB ** 6, NO],
    ['1ZB', KIB ** 7, NO],
    ['1YB', KIB ** 8, NO],
    ['5B', 5, 5],
    ['2 kilobytes', 2 * KIB, NO],
    ['2 KILOBITS', NO, 2 * KIB],
    ['2 bytes', 2, NO],
    ['.5k', 512, 512],
    ['1X', NO, NO],
    ['1 quux', NO, NO],
    ['K', NO, NO],
    ['-1K', NO, NO],
  ] as const)
    it(`are read from "${text}"`, () => {
      expect([parseSize(text, 'bytes'), parseSize(text, 'bits')]).to.deep.equal([bytes, bits]);
    });

  it('limit nothing with two points', () => {
    expect(['1..5MB', '1.000.000', '1.5.2M', '.', '1.5M', '2.'].map(parseLimit)).to.deep.equal([
      NO,
      NO,
      NO,
      NO,
      1.5 * KIB ** 2,
      2,
    ]);
  });

  it('limit something, from one byte to a terabyte', () => {
    expect(['0', '0.4', '1', '64 MB', '1TB', '1025GB', '1.1TB', '9e99TB', '5;', ''].map(parseLimit)).to.deep.equal([
      NO,
      NO,
      1,
      64 * KIB ** 2,
      KIB ** 4,
      NO,
      NO,
      NO,
      NO,
      NO,
    ]);
  });
});
