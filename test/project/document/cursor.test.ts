import { expect } from 'chai';
import { Unsafe } from '../../../src/core/model/values/value.js';
import { describeKind } from '../../../src/project/document/cursor.js';

describe('the kind of a value, in messages', () => {
  for (const [value, kind] of [
    [null, 'nothing'],
    [[null], 'a list'],
    [[], 'a list'],
    [{}, 'a mapping'],
    [{ a: [] }, 'a mapping'],
    [false, 'false'],
    [0, '0'],
    [9_223_372_036_854_775_807n, '9223372036854775807'],
    ['', 'text'],
    [new Unsafe('1'), 'text'],
  ] as const)
    it(`is ${kind} for a value of type ${typeof value}`, () => {
      expect(describeKind(value)).to.equal(kind);
    });
});
