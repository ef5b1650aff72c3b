import { expect } from 'chai';
import {
  inexactIn,
  parseJson,
  parseMarked,
  parseWithDigits,
  withDigits,
} from '../../../../src/core/model/values/json.js';
import { jsonText } from '../../../../src/core/model/values/value.js';

const LARGE = '1.5e400';

describe('numbers that are too large for JSON', () => {
  const parsed = parseMarked(`{"a": [1, {"id": ${LARGE}}], "b": ["x", -${LARGE}], "c": ${LARGE}2, "d": 5, "e": null}`);

  it('are found, the first one with its path', () => {
    expect(inexactIn(parsed)).to.deep.equal({ path: 'a[1].id', digits: LARGE });
    expect(inexactIn(parseMarked(`[1, [2, ${LARGE}]]`))).to.deep.equal({ path: '[1][1]', digits: LARGE });
    expect(inexactIn(parseMarked(LARGE))).to.deep.equal({ path: '', digits: LARGE });
    expect(inexactIn(parseMarked('{"a": [1, "x", null, true]}'))).to.equal(undefined);
  });

  it('are texts with all their digits, in lists and mappings', () => {
    const digits = { a: [1, { id: LARGE }], b: ['x', `-${LARGE}`], c: `${LARGE}2`, d: 5, e: null };
    expect(withDigits(parsed)).to.deep.equal(digits);
    expect(withDigits(parseMarked(LARGE))).to.equal(LARGE);
    expect(parseWithDigits(`{"a": ${LARGE}, "b": 1}`)).to.deep.equal({ a: LARGE, b: 1 });
  });
});

describe('whole numbers in JSON', () => {
  it('keep all their digits, wherever they are', () => {
    const text = '{"a":[9007199254740993,-18446744073709551617,1],"b":"9007199254740993","c":{"d":9007199254740992}}';
    const value = parseJson(text);
    expect(value).to.deep.equal({
      a: [9007199254740993n, -18446744073709551617n, 1],
      b: '9007199254740993',
      c: { d: 9007199254740992 },
    });
    expect(jsonText(value)).to.equal(text);
    expect(jsonText({ a: [2n ** 70n] }, undefined, 1)).to.equal('{\n "a": [\n  1180591620717411303424\n ]\n}');
    expect(jsonText({ a: 2n ** 70n, b: 1 }, (key, one) => (key === 'b' ? 'x' : one))).to.equal(
      '{"a":1180591620717411303424,"b":"x"}',
    );
    expect(parseJson('[-0, 1e3, "a\\"9007199254740993"]')).to.deep.equal([-0, 1000, 'a"9007199254740993']);
  });

  it('are refused with the error of the parser, or of what cannot be written', () => {
    for (const text of ['{', '9007199254740993 x', '', '[1e400']) expect(() => parseJson(text)).to.throw(SyntaxError);
    const circle: Record<string, unknown> = { a: 2n ** 70n };
    circle['self'] = circle;
    expect(() => jsonText(circle)).to.throw(TypeError);
    const own = {
      toJSON: (): never => {
        throw new RangeError('BigInt of mine');
      },
    };
    expect(() => jsonText(own)).to.throw(RangeError, 'BigInt of mine');
    expect([parseJson('"x"'), jsonText(5n), jsonText('9007199254740993'), jsonText(undefined)]).to.deep.equal([
      'x',
      '5',
      '"9007199254740993"',
      undefined,
    ]);
    expect(parseJson('[1e400, 12345678901234567890]')).to.deep.equal([Infinity, 12345678901234567890n]);
    expect(Object.is((parseJson('[1e1, -0]') as readonly number[])[1], -0)).to.equal(true);
  });
});
