import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { Fault, When } from '../../src/simulator/behaviour/fault.js';

type Kind = (when: When, applied: boolean) => Fault;

const answer =
  (status: number, headers: Record<string, string> = {}): Kind =>
  (when, applied) => ({ type: 'answer', status, headers, body: { error: 'no' }, when, applied });
const garbage =
  (form: Extract<Fault, { type: 'garbage' }>['form']): Kind =>
  (when, applied) => ({ type: 'garbage', form, when, applied });

/** Every kind of fault, by its name in the table; `says` is what the table writes as `…`. */
export const KINDS: Readonly<Record<string, readonly [Kind, RegExp]>> = {
  touch: [(when) => ({ type: 'touch', when }), /the controller answered 412: [^;]*/],
  expire: [(when) => ({ type: 'expire', when }), /the controller answered 401: [^;]*/],
  latency: [(when) => ({ type: 'latency', milliseconds: 5, when }), /$^/],
  'answer 202': [
    answer(202),
    /the controller (?:answered 202: no|accepted the request \(202\), and was still working on it .*)/,
  ],
  'answer 204': [
    (when, applied) => ({ type: 'answer', status: 204, body: '', when, applied }),
    /the controller answered 204/,
  ],
  'answer 400': [answer(400), /the controller answered 400: no/],
  'answer 401': [answer(401), /the controller answered 401: no/],
  'answer 403': [answer(403), /the controller answered 403: no/],
  'answer 404': [answer(404), /the controller answered 404: no/],
  'answer 408': [answer(408), /the controller answered 408: no/],
  'answer 409': [answer(409), /the controller answered 409: no/],
  'answer 412': [answer(412), /the controller answered 412: no/],
  'answer 422': [answer(422), /the controller answered 422: no/],
  'answer 429': [answer(429, { 'retry-after': '0' }), /the controller answered 429: no/],
  'answer 429, come back in an hour': [
    answer(429, { 'retry-after': '3600' }),
    /the controller answered 429: no; it asks to wait 3600 s/,
  ],
  'answer 500': [answer(500), /the controller answered 500: no/],
  'answer 502': [answer(502), /the controller answered 502: no/],
  'answer 503': [answer(503), /the controller answered 503: no/],
  'answer 504': [answer(504), /the controller answered 504: no/],
  drop: [
    (when, applied) => ({ type: 'drop', when, applied }),
    /the connection to URL broke before the answer was complete \(\w+\)/,
  ],
  cut: [(when) => ({ type: 'cut', when }), /the connection to URL broke before the answer was complete \(\w+\)/],
  hang: [(when, applied) => ({ type: 'hang', when, applied }), /no answer within 1.5 s/],
  redirect: [
    (when) => ({ type: 'redirect', when }),
    /the controller answered 302 and points to https:\/\/elsewhere.invalid\/login; redirects are not followed/,
  ],
  'garbage html': [garbage('html'), /the controller answered 200, but not with JSON: <!doctype html>.*<\/p>/],
  'garbage truncated': [
    garbage('truncated'),
    /the controller answered 200, but not with JSON: {"count": 1, "results": \[{"name": "ed/,
  ],
  'garbage shape': [
    garbage('shape'),
    /the controller answered 200, but (?:not with a list \(an object whose "results" is a list of objects\)|with a list): {.*}}/,
  ],
  'garbage list': [garbage('list'), /the controller answered 200, but not with a JSON object: \[\]/],
  'garbage empty': [garbage('empty'), /the controller answered 200, but not with JSON/],
  'garbage bytes': [garbage('bytes'), /the controller answered 200, but not with UTF-8: .*"}/],
  'garbage gzip': [garbage('gzip'), /the answer is compressed \(gzip\), which was not requested/],
  'garbage deep': [
    garbage('deep'),
    /the controller answered 200, but with JSON nested more than 200 levels deep: [^…]+…/,
  ],
  'garbage twice': [
    garbage('twice'),
    /the controller answered 200, but with a list(?: that has "results" twice)?: {.*}/,
  ],
  'garbage proto': [garbage('proto'), /the controller answered 200, but with a field named "__proto__": {.*}/],
  'garbage nan': [garbage('nan'), /the controller answered 200, but not with JSON: {"count": NaN, "results": \[\]}/],
  huge: [(when) => ({ type: 'huge', megabytes: 2, when }), /the answer is larger than 1 MiB/],
  'trickle body': [
    (when) => ({ type: 'trickle', milliseconds: 100, when }),
    /the answer was not complete within 1.5 s/,
  ],
  'trickle headers': [
    (when) => ({ type: 'trickle', milliseconds: 100, part: 'headers', when }),
    /no answer within 1.5 s/,
  ],
  'endless body': [
    (when, applied) => ({ type: 'endless', part: 'body', when, applied }),
    /the answer is larger than 1 MiB/,
  ],
  'endless headers': [
    (when, applied) => ({ type: 'endless', part: 'headers', when, applied }),
    /the headers of the answer are too large/,
  ],
  'endless informational': [
    (when, applied) => ({ type: 'endless', part: 'informational', when, applied }),
    /no answer within 1.5 s/,
  ],
  'length too large': [(when) => ({ type: 'length', by: 5, when }), /the answer was not complete within 1.5 s/],
  'length too small': [
    (when) => ({ type: 'length', by: -5, when }),
    /the controller answered 20[01], but not with JSON: .*(?=$|;)/,
  ],
};

/**
 * The requests that a fault hits: the first read, the write, or the read after it. `applied`: the write still takes
 * effect.
 */
export const MOMENTS: Readonly<Record<string, { readonly whens: readonly When[]; readonly applied?: boolean }>> = {
  'read, once': { whens: [{ method: 'GET', nth: 1 }] },
  'read, always': { whens: [{ method: 'GET' }] },
  'write, once': {
    whens: [
      { method: 'POST', nth: 1 },
      { method: 'PUT', nth: 1 },
      { method: 'DELETE', nth: 1 },
    ],
  },
  'write, always': { whens: [{ method: 'POST' }, { method: 'PUT' }, { method: 'DELETE' }] },
  'applied, once': {
    whens: [
      { method: 'POST', nth: 1 },
      { method: 'PUT', nth: 1 },
      { method: 'DELETE', nth: 1 },
    ],
    applied: true,
  },
  'applied, always': { whens: [{ method: 'POST' }, { method: 'PUT' }, { method: 'DELETE' }], applied: true },
  'verify, once': { whens: [{ method: 'GET', nth: 2 }] },
  'verify, always': { whens: [{ method: 'GET', after: 1 }] },
};

const POOLS = '/api/pool';
const POOL = '/api/pool/pool-3';
const CONFIGURATION = '/api/systemconfiguration';
const WRITES: readonly When[] = [
  { method: 'POST', path: POOLS },
  { method: 'PUT', path: POOL },
  { method: 'PATCH', path: POOL },
  { method: 'DELETE', path: POOL },
  { method: 'PUT', path: CONFIGURATION },
];
const READS: readonly When[] = [POOLS, CONFIGURATION].map((path) => ({ method: 'GET', path }));
const once = (when: When): When => ({ ...when, nth: 1 });

/**
 * The same where controllers are signed in to by session: a sign-in writes nothing, and references are looked up in a
 * list.
 */
export const SESSION_MOMENTS: typeof MOMENTS = {
  'sign-in, once': { whens: [{ path: '/login', nth: 1 }] },
  'sign-in, always': { whens: [{ path: '/login' }] },
  'read, once': { whens: READS.map(once) },
  'read, always': { whens: READS },
  'list, once': { whens: [{ path: '/api/healthmonitor', nth: 1 }] },
  'list, always': { whens: [{ path: '/api/healthmonitor' }] },
  'write, once': { whens: WRITES.map(once) },
  'write, always': { whens: WRITES },
  'applied, once': { whens: WRITES.map(once), applied: true },
  'applied, always': { whens: WRITES, applied: true },
  'verify, once': { whens: READS.map((when) => ({ ...when, nth: 2 })) },
  'verify, always': { whens: READS.map((when) => ({ ...when, after: 1 })) },
};

/** Every misbehaviour that is no fault, by its name in the table. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  none: {},
  latency: { latency: 5 },
  'filter exact': { filter: 'exact' },
  'filter substring': { filter: 'substring' },
  'filter case-insensitive': { filter: 'case-insensitive' },
  'filter ignored': { filter: 'ignored' },
  'duplicates allow': { duplicates: 'allow' },
  'duplicates 400': { duplicates: 400 },
  'duplicates 409': { duplicates: 409 },
  'unreadable 404': { unreadable: 404 },
  'unreadable 405': { unreadable: 405 },
  'unreadable 501': { unreadable: 501 },
  'paging absolute': { filter: 'ignored', paging: { size: 1, next: 'absolute' } },
  'paging relative': { filter: 'ignored', paging: { size: 1, next: 'relative' } },
  'paging foreign': { filter: 'ignored', paging: { size: 1, next: 'foreign' } },
  'paging loop': { filter: 'ignored', paging: { size: 1, next: 'loop' } },
  'paging missing': { filter: 'ignored', paging: { size: 1, next: 'missing' } },
  'count too large': { count: 1 },
  'count too small': { count: -1 },
  sensitive: { sensitive: true },
  'lag 1': { lag: 1 },
  'lag 3': { lag: 3 },
  'lag for ever': { lag: 1000 },
  locking: { locking: true },
  rate: { rate: { requests: 2, seconds: 0.2 } },
};

/** What a row of the table has a controller do. */
export function behaviourOf(kind: string, moment: string, moments = MOMENTS): Behaviour {
  if (moment === '-') return { duplicates: 'allow', ...(BEHAVIOURS[kind] ?? unknown(kind, 'BEHAVIOURS')) };
  const { whens, applied = false } = moments[moment] ?? unknown(moment, 'MOMENTS');
  const [make] = KINDS[kind] ?? unknown(kind, 'KINDS');
  return { duplicates: 'allow', faults: whens.map((when) => make(when, applied)) };
}

/** An outcome as the table writes it. */
export function shortened(outcome: string, kind: string): string {
  const [, says] = KINDS[kind] ?? [undefined, /$^/];
  return outcome.replace(says, '…').replace('written, but it could not be verified: ', 'unverified: ');
}

function unknown(name: string, list: 'BEHAVIOURS' | 'KINDS' | 'MOMENTS'): never {
  throw new Error(`test/faults/table.ts names "${name}": add it to ${list} in test/faults/kinds.ts`);
}

/** Whether only a time-out ends it, so that the time-out should be short. */
export function isSlow(kind: string): boolean {
  const [, says] = KINDS[kind] ?? [undefined, /$^/];
  return says.test('no answer within 1.5 s') || says.test('the answer was not complete within 1.5 s');
}
