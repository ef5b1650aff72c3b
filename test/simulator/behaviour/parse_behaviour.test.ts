import { expect } from 'chai';
import type { Behaviour } from '../../../src/simulator/behaviour/behaviour.js';
import { FAULT_TYPES, type Fault } from '../../../src/simulator/behaviour/fault.js';
import { behaviourParser } from '../../../src/simulator/behaviour/parse_behaviour.js';

/** A fault of each type: the compiler asks for those that are missing. */
const FAULTS: { readonly [F in Fault as F['type']]: F } = {
  latency: {
    type: 'latency',
    milliseconds: 5,
    when: { method: 'GET', path: '/api/*', nth: 1, first: 2, after: 0 },
  },
  answer: { type: 'answer', status: 503, body: 'x', headers: { 'retry-after': '1' }, applied: true },
  drop: { type: 'drop', applied: true },
  cut: { type: 'cut' },
  hang: { type: 'hang' },
  redirect: { type: 'redirect', to: '/', status: 308 },
  garbage: { type: 'garbage', form: 'html' },
  huge: { type: 'huge', megabytes: 1 },
  trickle: { type: 'trickle', milliseconds: 5, part: 'headers' },
  endless: { type: 'endless', part: 'body', applied: true },
  length: { type: 'length', by: -3 },
  touch: { type: 'touch' },
  expire: { type: 'expire' },
  upgrade: { type: 'upgrade', disallowed: 1, unavailable: 2, refused: 3 },
};

describe('parsing a behaviour', () => {
  const parse = behaviourParser();

  it('accepts every field', () => {
    const behaviour: Required<Behaviour> = {
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
      first_boot: { password: 'x' },
      basic: false,
      session_timeout: 1000,
      lock_after: 5,
      cloud_ready_after: 0,
      servers_down: ['10.0.0.9', '10.0.0.9:80'],
      drained_after: 0,
      upgrade: { disallowed: 1, unavailable: 2, refused: 3, fails: true },
      faults: Object.values(FAULTS),
    };
    expect(parse(behaviour)).to.deep.equal({ status: 'ok', behaviour });
    expect(parse({})).to.deep.equal({ status: 'ok', behaviour: {} });
  });

  for (const [what, value, problems] of [
    ['something other than a mapping', 7, ['a behaviour must be object']],
    ['a mistyped key', { latncy: 3 }, ['latncy is not known: did you mean "latency"?']],
    [
      'wrong values',
      { latency: 'a', filter: 'x' },
      ['latency must be number', 'filter must be one of exact, substring, case-insensitive, ignored'],
    ],
    [
      'a number that is too small',
      { faults: [{ type: 'drop', when: { nth: 0 } }] },
      ['faults[0].when.nth must be >= 1'],
    ],
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
