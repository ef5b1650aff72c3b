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

  const fault = (type: string, name: string) => (value: unknown) => ({ faults: [{ type, [name]: value }] });
  const when = (name: string) => (value: unknown) => ({ faults: [{ type: 'drop', when: { [name]: value } }] });
  const part = (whole: string, name: string, more: object) => (value: unknown) => ({
    [whole]: { ...more, [name]: value },
  });
  for (const [what, make, good, bad] of [
    ['latency', (latency) => ({ latency }), [0, 0.5], [-1]],
    ['filter', (filter) => ({ filter }), ['exact', 'substring', 'case-insensitive', 'ignored'], ['x']],
    ['duplicates', (duplicates) => ({ duplicates }), ['allow', 400, 409], [401, 410]],
    ['unreadable', (unreadable) => ({ unreadable }), [404, 405, 501], [403, 406]],
    ['size of pages', part('paging', 'size', {}), [1], [0, 1.5]],
    ['next page', part('paging', 'next', { size: 1 }), ['absolute', 'relative', 'foreign', 'loop', 'missing'], ['x']],
    ['another key of pages', part('paging', 'x', { size: 1 }), [], [1]],
    ['lag', (lag) => ({ lag }), [0], [-1]],
    ['requests of a rate', part('rate', 'requests', { seconds: 1 }), [1], [0]],
    ['seconds of a rate', part('rate', 'seconds', { requests: 1 }), [0.5], [0]],
    ['another key of a rate', part('rate', 'x', { requests: 1, seconds: 1 }), [], [1]],
    ['first password', part('first_boot', 'password', {}), ['x'], ['']],
    ['another key of the first boot', part('first_boot', 'x', { password: 'x' }), [], [1]],
    ['time of a session', (time) => ({ session_timeout: time }), [0, 1], [-1]],
    ['time of a cloud', (time) => ({ cloud_ready_after: time }), [0, 1], [-1]],
    ['time of a server', (time) => ({ drained_after: time }), [0, 1], [-1]],
    ['wrong passwords', (times) => ({ lock_after: times }), [1], [0]],
    ...['disallowed', 'unavailable', 'refused'].flatMap((name) => [
      [`${name} in an upgrade`, part('upgrade', name, {}), [0], [-1]] as const,
      [`${name} in a fault`, fault('upgrade', name), [0], [-1]] as const,
    ]),
    ['another key of an upgrade', part('upgrade', 'x', {}), [], [1]],
    ['which request', when('nth'), [1], [0]],
    ['first requests', when('first'), [1], [0]],
    ['requests before', when('after'), [0], [-1]],
    ['time of latency', fault('latency', 'milliseconds'), [0], [-1]],
    ['status of an answer', fault('answer', 'status'), [200, 599], [199, 600]],
    ['status of a redirect', fault('redirect', 'status'), [301, 302, 303, 307, 308], [300, 304, 309]],
    [
      'form of garbage',
      fault('garbage', 'form'),
      ['html', 'truncated', 'shape', 'list', 'empty', 'bytes', 'gzip', 'deep', 'twice', 'proto', 'nan'],
      ['x'],
    ],
    ['size of an answer', fault('huge', 'megabytes'), [0.5, 4096], [0, 4097]],
    ['time of a byte', fault('trickle', 'milliseconds'), [1], [0]],
    [
      'slow part',
      (slow) => ({ faults: [{ type: 'trickle', milliseconds: 1, part: slow }] }),
      ['headers', 'body'],
      ['x'],
    ],
    ['endless part', fault('endless', 'part'), ['headers', 'body', 'informational'], ['x']],
  ] as const satisfies readonly (readonly [
    string,
    (value: unknown) => unknown,
    readonly unknown[],
    readonly unknown[],
  ])[])
    it(`knows the values of a ${what}`, () => {
      for (const value of good) expect(parse(make(value)).status, String(value)).to.equal('ok');
      for (const value of bad) expect(parse(make(value)).status, String(value)).to.equal('invalid');
    });
});
