import { expect } from 'chai';
import { jsonText, LazyMapping, Unsafe, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import {
  isClear,
  isClearEntry,
  maskAnswer,
  maskBody,
  maskedTexts,
  maskLeaf,
  maskMapping,
  maskValue,
  MOST_MASKED_LEVELS,
} from '../../../src/core/secrets/mask_value.js';
import { MASK, Secrets } from '../../../src/core/secrets/secrets.js';

class Lazy extends LazyMapping {
  constructor(private readonly entries: Mapping) {
    super();
  }

  get(key: string): Value | undefined {
    return this.entries[key];
  }

  keys(): readonly string[] {
    return Object.keys(this.entries);
  }
}

const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@here';

describe('a value', () => {
  const secrets = new Secrets();
  for (const secret of ['hunter22', '271828']) secrets.add(secret);

  const cases: readonly (readonly [value: Value, masked: Value])[] = [
    ['hunter22', MASK],
    ['a hunter22 b', `a ${MASK} b`],
    [271_828, MASK],
    [2_718_281, MASK],
    [271_829, 271_829],
    [271_828n, MASK],
    [true, true],
    [null, null],
    [
      ['hunter22', ['x', 271_828]],
      [MASK, ['x', MASK]],
    ],
    [
      { a: 'hunter22', b: 'x' },
      { a: MASK, b: 'x' },
    ],
    [
      { hunter22: 'x', password: 'y' },
      { [MASK]: 'x', password: MASK },
    ],
    [
      { password: '', token: '<sensitive>', secret: PUBLIC_KEY },
      { password: '', token: '<sensitive>', secret: PUBLIC_KEY },
    ],
    [
      { password: 5, token: false, secret: null },
      { password: MASK, token: false, secret: null },
    ],
    [{ token: { a: { b: ['x', 7, true] } } }, { token: { a: { b: [MASK, MASK, true] } } }],
    [
      { content: 'token: abc', other: 'token: abc' },
      { content: `token: ${MASK}`, other: 'token: abc' },
    ],
    [
      { content: ['token: abc'], a: { content: 'pin=1 token: abc' } },
      { content: ['token: abc'], a: { content: `pin=1 token: ${MASK}` } },
    ],
    [{ token: { content: 'x' } }, { token: { content: MASK } }],
  ];
  for (const [value, masked] of cases)
    it(`is masked: ${jsonText(value)}`, () => {
      expect(maskValue(value, secrets)).to.deep.equal(masked);
      expect(isClear(value, secrets)).to.equal(jsonText(masked) === jsonText(value));
    });

  it('that is marked or lazy is shown as what it holds, and never clear', () => {
    for (const [value, masked] of [
      [new Unsafe('{{ hunter22 }}'), `{{ ${MASK} }}`],
      [new Unsafe('plain'), 'plain'],
      [new Lazy({ a: 'hunter22', password: 'x', b: 1 }), { a: MASK, password: MASK, b: 1 }],
      [{ password: new Unsafe('x') }, { password: MASK }],
    ] as readonly (readonly [Value, Value])[]) {
      expect(maskValue(value, secrets)).to.deep.equal(masked);
      expect(isClear(value, secrets)).to.equal(false);
    }
  });

  it('is clear only if JSON says it exactly', () => {
    for (const [value, expected] of [
      [0, true],
      [-0, false],
      [NaN, false],
      [Infinity, false],
      [5n, true],
      [undefined, false],
    ] as const)
      expect(isClear(value, secrets), String(value)).to.equal(expected);
    expect([
      isClear(5, secrets, 'secret'),
      isClear('', secrets, 'secret'),
      isClear('x', secrets, 'secret'),
    ]).to.deep.equal([false, true, false]);
    expect(isClear('x', secrets, 'credentials')).to.equal(false);
    const among = { a: 1, hunter22: 2, content: 'token: abc', password: '' };
    const clear = (name: string) => isClearEntry(name, among, secrets);
    expect(['a', 'hunter22', 'content', 'password', 'none'].map(clear)).to.deep.equal([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(isClearEntry('content', { content: 'text' }, secrets)).to.equal(true);
    expect(isClearEntry('content', { content: '' }, secrets, 'secret')).to.equal(true);
    expect(isClearEntry('content', { content: 'text' }, secrets, 'secret')).to.equal(false);
  });

  it('is shown down to a hundred levels', () => {
    const nested = (levels: number, wrap: (inner: Value) => Value, inner: Value): Value => {
      let value = inner;
      for (let level = 0; level < levels; level += 1) value = wrap(value);
      return value;
    };
    for (const wrap of [(one: Value): Value => [one], (one: Value): Value => ({ a: one })]) {
      const whole = nested(MOST_MASKED_LEVELS + 1, wrap, 'x');
      expect(maskValue(whole, secrets)).to.deep.equal(whole);
      expect(isClear(whole, secrets)).to.equal(true);
      const deeper = wrap(whole);
      expect(maskValue(deeper, secrets)).to.deep.equal(nested(MOST_MASKED_LEVELS + 1, wrap, '…'));
      expect(isClear(deeper, secrets)).to.equal(false);
      const named = { a: whole };
      expect(maskMapping(named, secrets)).to.deep.equal({ a: nested(MOST_MASKED_LEVELS, wrap, '…') });
      expect(isClearEntry('a', named, secrets)).to.equal(false);
    }
  });

  it('under a secret name is masked, unless it is public or empty', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n';
    for (const text of ['', '<sensitive>', PUBLIC_KEY, pem]) expect(maskLeaf(text)).to.equal(text);
    for (const text of ['x', ' ', '<Sensitive>', `${PUBLIC_KEY}\nx`]) expect(maskLeaf(text)).to.equal(MASK);
  });
});

describe('the body of a request or an answer', () => {
  const secrets = new Secrets();
  secrets.add('hunter22');
  const NAMED = '{"token": {"a": {"b": "x"}}}';
  const SHOWN = `{"token":{"a":{"b":"${MASK}"}}}`;

  it('is masked by name where it is JSON, else as text', () => {
    for (const [body, masked] of [
      [NAMED, SHOWN],
      ['{"a": 1, "a": 2}', '{"a":2}'],
      ['"hunter22"', `"${MASK}"`],
      ['token: abc hunter22', `token: ${MASK} ${MASK}`],
      ['{"token": "abc', `{"token": "${MASK}"`],
      ['', ''],
    ] as const)
      expect(maskBody(body, secrets), body).to.equal(masked);
  });

  it('is kept as it was written where it is an answer without secrets', () => {
    for (const [body, masked] of [
      [NAMED, SHOWN],
      ['{"a": 1, "a": 2}', '{"a": 1, "a": 2}'],
      ['{"a": "hunter22"}', `{"a":"${MASK}"}`],
      ['token: abc', `token: ${MASK}`],
      ['{"a": "hunter22", "a": 1}', `{"a": "${MASK}", "a": 1}`],
    ] as const)
      expect(maskAnswer(body, secrets), body).to.equal(masked);
  });
});

describe('the texts that a masked value does not show', () => {
  it('are those that differ, wherever they are', () => {
    for (const [whole, shown, hidden] of [
      ['a', 'a', []],
      ['a', MASK, ['a']],
      ['a', undefined, ['a']],
      [5, 5, []],
      [5, MASK, ['5']],
      [5n, 5n, []],
      [5n, MASK, ['5']],
      [true, MASK, []],
      [null, undefined, []],
      [
        ['a', 'b', 7],
        ['a', MASK, MASK],
        ['b', '7'],
      ],
      [['a', 'b'], ['a'], ['b']],
      [['a', ['b']], MASK, ['a', 'b']],
      [{ a: 'x', b: 'y' }, { a: 'x', b: MASK }, ['y']],
      [{ a: 'x', b: { c: 'z' } }, { a: 'x' }, ['z']],
      [{ toString: 'x' }, {}, ['x']],
      [{ a: 'x' }, 'x', ['x']],
      [{ 0: 'x' }, ['x'], ['x']],
      [['x'], { 0: 'x' }, ['x']],
    ] as readonly (readonly [unknown, unknown, readonly string[]])[])
      expect(maskedTexts(whole, shown)).to.deep.equal(hidden);
  });
});
