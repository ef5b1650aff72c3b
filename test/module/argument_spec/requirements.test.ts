import { expect } from 'chai';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import {
  brokenRules,
  mutuallyExclusive,
  supported,
  choiceProblem,
  type Rules,
} from '../../../src/module/argument_spec/requirements.js';

describe('rules about combinations of arguments', () => {
  const cases: readonly (readonly [rules: Rules, values: Mapping, broken: readonly string[]])[] = [
    [{ required_together: ['a', 'b'] }, { a: 1 }, ['parameters are required together: a, b']],
    [
      {
        required_together: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
      { a: 1, b: 2, d: 3 },
      ['parameters are required together: c, d'],
    ],
    [{ required_together: ['a', 'b'] }, {}, []],
    [{ required_one_of: [['a', 'b'], ['c']] }, { b: 1 }, ['one of the following is required: c']],
    [
      { required_if: [['state', 'on', ['a', 'b']]] },
      { state: 'on', a: 1 },
      ['state is on but all of the following are missing: b'],
    ],
    [{ required_if: [['state', 'on', ['a', 'b'], true]] }, { state: 'on', a: 1 }, []],
    [
      { required_if: [['state', 'on', ['a', 'b'], true]] },
      { state: 'on' },
      ['state is on but any of the following are missing: a, b'],
    ],
    [
      {
        required_if: [
          ['state', 'on', ['a']],
          ['state', 'off', ['b']],
        ],
      },
      { state: 'off' },
      ['state is off but all of the following are missing: b'],
    ],
    [{ required_if: [['state', 'on', ['a']]] }, {}, []],
    [{ required_if: [['state', 'on', ['a']], [5, 'on', ['a']], ['state']] }, { 5: 'on' }, []],
    [{ required_if: [['state', 'on', ['a'], true]] }, { state: 'on', a: null }, []],
    [{ required_together: ['a', ['b', 5, 'c']] }, { b: 1 }, ['parameters are required together: b, c']],
    [{ required_by: { a: ['b'] } }, { a: 1, b: 2 }, []],
    [{ required_by: { a: ['b', 5] } }, { a: 1, b: 2 }, []],
    [{ required_by: { a: ['b', 'c'], d: 'e' } }, { a: 1, c: 2 }, ["missing parameter(s) required by 'a': b"]],
    [{ required_by: { a: 'b' } }, { a: null }, []],
    [{ required_by: { a: 'b' } }, { a: 1, b: null }, ["missing parameter(s) required by 'a': b"]],
    [
      { required_together: ['a', 'b'], required_by: { a: 'c' } },
      { a: 1 },
      ['parameters are required together: a, b', "missing parameter(s) required by 'a': c"],
    ],
  ];
  for (const [rules, values, broken] of cases)
    it(`${JSON.stringify(rules)} of ${JSON.stringify(values)}`, () => {
      expect(brokenRules(rules, values)).to.deep.equal(broken);
    });

  it('exclude each other', () => {
    const rule = {
      mutually_exclusive: [
        ['a', 'b'],
        ['c', 'd', 'e'],
      ],
    };
    expect(mutuallyExclusive(rule, { a: 1, c: 2 })).to.deep.equal([]);
    expect(mutuallyExclusive(rule, { a: 1, b: null, c: 2, e: 3 })).to.deep.equal([
      'parameters are mutually exclusive: a|b, c|d|e',
    ]);
    expect([mutuallyExclusive({}, { a: 1 }), mutuallyExclusive({ mutually_exclusive: [] }, { a: 1 })]).to.deep.equal([
      [],
      [],
    ]);
  });
});

describe('choices', () => {
  for (const [value, choices, wrong] of [
    ['a', ['a', 'b'], undefined],
    ['c', ['a', 1, true], 'value of x must be one of: a, 1, true, got: c'],
    [5, ['a'], 'value of x must be one of: a, got: 5'],
    [['a', 'b'], ['a', 'b'], undefined],
    [['a', 'c', 5], ['a', 'b'], 'value of x must be one or more of: a, b. Got no match for: c, 5'],
    ['a', 'a', "the choices for argument 'x' are not a list"],
    ...['y', 'yes', 'on', '1', 'true', 't', 1, true].map((word) => ['True', [word, 'other'], undefined] as const),
    ...['n', 'no', 'off', '0', 'false', 'f', 0, false].map((word) => ['False', [word, 'other'], undefined] as const),
    ['True', ['yes', 'on'], 'value of x must be one of: yes, on, got: True'],
    ['True', ['no'], 'value of x must be one of: no, got: True'],
    ['toString', ['a'], 'value of x must be one of: a, got: toString'],
  ] as readonly (readonly [value: Value, choices: Value, wrong: string | undefined])[])
    it(`${JSON.stringify(value)} of ${JSON.stringify(choices)}`, () => {
      expect(choiceProblem('x', value, choices, false)).to.equal(wrong);
    });

  it('do not show the value of a secret', () => {
    expect(choiceProblem('x', 'c', ['a'], true)).to.equal('value of x must be one of: a');
    expect(choiceProblem('x', ['c'], ['a'], true)).to.equal('value of x must be one or more of: a');
  });

  it('of names are sorted, with their aliases', () => {
    expect(supported({ b: {}, a: {} }, new Map())).to.equal('a, b');
    expect(
      supported(
        { b: {}, a: {} },
        new Map([
          ['z', 'b'],
          ['y', 'a'],
        ]),
      ),
    ).to.equal('a, b (y, z)');
  });
});
