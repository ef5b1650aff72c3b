import { expect } from 'chai';
import type { Behaviour } from '../../../src/simulator/behaviour/behaviour.js';
import { FAULT_TYPES } from '../../../src/simulator/behaviour/fault.js';
import { behaviourParser } from '../../../src/simulator/behaviour/parse_behaviour.js';

describe('parsing a behaviour', () => {
  const parse = behaviourParser();

  it('accepts every behaviour', () => {
    const behaviour: Behaviour = {
      latency: 5,
      filter: 'substring',
      duplicates: 'allow',
      unreadable: 405,
      paging: { size: 2, next: 'relative' },
      count: -1,
      sensitive: true,
      lag: 2,
      locking: true,
      rate: { requests: 10, seconds: 1 },
      faults: [
        { type: 'latency', milliseconds: 5, when: { method: 'GET', path: '/api/*', nth: 1, first: 2, after: 0 } },
        { type: 'answer', status: 503, body: 'x', headers: { 'retry-after': '1' }, applied: true },
        { type: 'drop', applied: true },
        { type: 'cut' },
        { type: 'hang' },
        { type: 'redirect', to: '/', status: 308 },
        { type: 'garbage', form: 'html' },
        { type: 'huge', megabytes: 1 },
        { type: 'trickle', milliseconds: 5, part: 'headers' },
        { type: 'endless', part: 'body', applied: true },
        { type: 'length', by: -3 },
      ],
    };
    expect(parse(behaviour)).to.deep.equal({ status: 'ok', behaviour });
    expect(parse({})).to.deep.equal({ status: 'ok', behaviour: {} });
  });

  for (const [what, value, problems] of [
    ['no mapping', 7, ['a behaviour must be object']],
    ['a mistyped key', { latncy: 3 }, ['latncy is not known: did you mean "latency"?']],
    [
      'wrong values',
      { latency: 'a', filter: 'x' },
      ['latency must be number', 'filter must be one of exact, substring, case-insensitive, ignored'],
    ],
    ['a number too small', { faults: [{ type: 'drop', when: { nth: 0 } }] }, ['faults[0].when.nth must be >= 1']],
    ['a missing value', { faults: [{ type: 'drop' }, { type: 'answer' }] }, ['faults[1].status is required']],
    [
      'a key of another fault',
      { faults: [{ type: 'drop', milliseconds: 3 }] },
      ['faults[0].milliseconds is not known; known are type, when, applied'],
    ],
    [
      'an unknown fault',
      { faults: [{ type: 'explode' }] },
      [`faults[0].type must be one of ${FAULT_TYPES.join(', ')}`],
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(parse(value)).to.deep.equal({ status: 'invalid', problems });
    });
  }
});
