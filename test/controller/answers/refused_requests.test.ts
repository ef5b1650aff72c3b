import { expect } from 'chai';
import { answerText, isError, isTooDeep, parsed } from '../../../src/controller/answers/answer_text.js';
import { deniedBy, invalid, redirected, rejection, unanswered } from '../../../src/controller/answers/rejection.js';
import {
  ConnectionFailure,
  StaleObjectError,
  type ApiAnswer,
  type ApiCall,
  type ControllerError,
  type FailureType,
} from '../../../src/controller/exchange/call.js';
import {
  isStarting,
  isTemporary,
  mayRepeat,
  outcomeText,
  pauseBefore,
  repeat,
  type AttemptOutcome,
} from '../../../src/controller/exchange/policy.js';
import type { Form } from '../../../src/core/model/run/session.js';
import { isTemporaryStatus, isUpgrading } from '../../../src/core/model/run/temporary.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { settingsOf } from '../../rig/controllers.js';

const secrets = new Secrets();
secrets.add('hunter2-secret');
const CONTEXT = { settings: settingsOf('https://lb1', undefined), secrets };
const READ: ApiCall = { method: 'GET', path: '/api/pool/1', repeatable: true };
const WRITE: ApiCall = { ...READ, method: 'PUT' };
const answer = (status: number, text = '', more: Partial<ApiAnswer> = {}): ApiAnswer => ({
  status,
  text,
  contentType: undefined,
  location: undefined,
  retryAfter: undefined,
  ...more,
});
const shown = ({ message, hint, status, uncertain, temporary, passing }: ControllerError) => ({
  message,
  hint,
  status,
  uncertain,
  temporary,
  passing,
});

const neverSent = (): never => {
  throw new Error('nothing is sent');
};

describe('the error of a refused request', () => {
  it('says what the controller said, and how long it asks to wait', () => {
    const message = (...of: Parameters<typeof answer>) => rejection(READ, answer(...of), CONTEXT).message;
    expect(message(500)).to.equal('GET /api/pool/1: the controller answered 500');
    expect(message(500, '{"error": "no hunter2-secret"}')).to.match(/answered 500: no \*{8}$/);
    expect(message(503, 'busy', { retryAfter: '2' })).to.match(/answered 503: busy; it asks to wait 2 s$/);
    expect(message(503, '', { retryAfter: new Date(Date.now() + 90_500).toUTCString() })).to.match(
      /answered 503; it asks to wait (?:89|90|91) s$/,
    );
  });

  it('is stale after 412 to a PUT only', () => {
    for (const uncertain of [true, false]) {
      const stale = rejection(WRITE, answer(412, '', { uncertain }), CONTEXT);
      expect(stale).to.be.instanceOf(StaleObjectError);
      expect(shown(stale)).to.deep.equal({
        message: 'PUT /api/pool/1: changed by someone else since it was read (412)',
        hint: 'run again to read the object again',
        status: 412,
        uncertain,
        temporary: false,
        passing: false,
      });
    }
    expect(rejection(WRITE, answer(412), CONTEXT).uncertain).to.equal(false);
    for (const [call, status] of [
      [READ, 412],
      [WRITE, 409],
    ] as const)
      expect(rejection(call, answer(status), CONTEXT)).not.to.be.instanceOf(StaleObjectError);
  });

  it('knows lost sessions, writes that nothing shows, and upgrades', () => {
    expect(shown(rejection(READ, answer(401, '', { lostSignIn: true }), CONTEXT))).to.deep.equal({
      message: 'GET /api/pool/1: the controller answered 401',
      hint: 'the controller accepts the sign-in, but not the new session: it may be restarting, so run again when it is up, or wait longer with controller_patience',
      status: 401,
      uncertain: false,
      temporary: false,
      passing: true,
    });
    expect(shown(rejection(WRITE, answer(503, '', { outcomeUnknown: true, uncertain: true }), CONTEXT))).to.deep.equal({
      message: 'PUT /api/pool/1: the controller answered 503',
      hint: 'it is not sent again, because nothing shows whether it took effect: look at the controller, then run again if it did not',
      status: 503,
      uncertain: true,
      temporary: true,
      passing: true,
    });
    expect(rejection(WRITE, answer(403, 'not allowed during upgrade'), CONTEXT).hint).to.match(
      /^the controller may be/,
    );
  });

  it('says where a redirect leads', () => {
    expect(
      shown(redirected(WRITE, answer(302, '', { location: 'https://x/hunter2-secret', uncertain: true }), CONTEXT)),
    ).to.deep.equal({
      message:
        'PUT /api/pool/1: the controller answered 302 and points to https://x/********; redirects are not followed',
      hint: 'write the address of the controller itself in controller_url',
      status: 302,
      uncertain: true,
      temporary: false,
      passing: false,
    });
    expect(redirected(READ, answer(301), CONTEXT).message).to.match(/points without saying where to; redirects/);
  });

  it('says what is wrong with an answer, and that a write may have taken effect', () => {
    expect(shown(invalid(WRITE, answer(200, 'x'), 'not with JSON', CONTEXT, 'hint'))).to.deep.equal({
      message: 'PUT /api/pool/1: the controller answered 200, but not with JSON: x; it may have taken effect',
      hint: 'hint',
      status: 200,
      uncertain: true,
      temporary: false,
      passing: false,
    });
    expect(invalid(READ, answer(200), 'empty', CONTEXT).message).to.equal(
      'GET /api/pool/1: the controller answered 200, but empty',
    );
    expect(invalid({ ...WRITE, outsideApi: true }, answer(200), 'empty', CONTEXT).message).not.to.match(/effect/);
    expect(shown(deniedBy(WRITE, answer(201, '{"error": "no"}'), CONTEXT))).to.deep.equal({
      message: 'PUT /api/pool/1: the controller answered 201 with an error: no',
      hint: undefined,
      status: 201,
      uncertain: false,
      temporary: false,
      passing: false,
    });
  });

  it('says how the last attempt ended', () => {
    const of = (type: FailureType, call = WRITE, attempts = 1, uncertain = false, more: object = {}) =>
      unanswered(call, new ConnectionFailure(type, 'it broke', 'do it', more), attempts, uncertain);
    expect(of('connect').message).to.equal('PUT /api/pool/1: it broke');
    expect(of('connect', WRITE, 3).message).to.equal('PUT /api/pool/1: it broke, 3 attempts');
    expect(of('connect', WRITE, 3, true).message).to.equal(
      'PUT /api/pool/1: it broke, 3 attempts; it may have taken effect',
    );
    expect(of('reset').message).to.equal('PUT /api/pool/1: it broke; it may have taken effect');
    expect(of('reset', READ).message).to.equal('GET /api/pool/1: it broke');
    expect(of('connect', WRITE, 3, false, { route: 'madrid' }).message).to.equal('it broke');
    const cause = new Error('inner');
    expect(of('timeout', READ, 1, false, { cause })).to.deep.include({
      outcome: 'unreachable',
      hint: 'do it',
      uncertain: true,
      temporary: true,
      givenUp: false,
      late: true,
      failure: 'timeout',
      cause,
      route: undefined,
    });
    const failed = ['malformed', 'oversized', 'throttled', 'local'];
    for (const type of [
      'connect',
      'reset',
      'timeout',
      'lookup',
      'tls',
      'refused',
      'closed',
      ...failed,
    ] as FailureType[]) {
      const error = of(type);
      expect([error.outcome, error.givenUp, error.late], type).to.deep.equal([
        failed.includes(type) ? 'failed' : 'unreachable',
        type === 'closed',
        type === 'timeout',
      ]);
    }
  });
});

describe('the reason in an answer', () => {
  it('is that of the first field that has one', () => {
    const reason = (text: string) => answerText(answer(400, text), CONTEXT);
    for (const [text, expected] of [
      ['{"error": "a", "detail": "b"}', 'a'],
      ['{"errors": "b", "message": "c"}', 'b'],
      ['{"detail": "b", "message": "c"}', 'b'],
      ['{"message": "c"}', 'c'],
      ['{"error": "", "message": "c"}', 'c'],
      ['{"error": {"message": "deep"}}', 'deep'],
      ['{"error": {"code": 5}}', '{"code":5}'],
      ['{"error": {}, "detail": "b"}', 'b'],
      ['{"errors": ["x", 1]}', '["x",1]'],
      ['{"errors": [], "detail": "b"}', 'b'],
      ['{"error": 5}', '{"error": 5}'],
      ['plain\n text ', 'plain text'],
    ] as const)
      expect(reason(text), text).to.equal(expected);
  });

  it('makes a body an error, but never an object', () => {
    const bodies = [{ error: 'x' }, { errors: ['x'] }, { error: { a: 1 } }];
    expect(bodies.map(isError)).to.deep.equal([true, true, true]);
    const others = [
      { error: 'x', uuid: 'u' },
      { error: 'x', name: 'n' },
      { detail: 'x' },
      { message: 'x' },
      { error: '' },
      {},
    ];
    expect(others.map(isError)).to.deep.equal(others.map(() => false));
  });

  it('is not read from what is nested too deeply', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect([isTooDeep(JSON.parse(nested(200))), isTooDeep(JSON.parse(nested(201)))]).to.deep.equal([false, true]);
    expect([isTooDeep([1, [null, 'x']], 2), isTooDeep({ a: { b: {} } }, 2), isTooDeep([1, [[]]], 2)]).to.deep.equal([
      false,
      true,
      true,
    ]);
    expect([parsed(nested(200)) === undefined, parsed(nested(201))]).to.deep.equal([false, undefined]);
    expect([parsed(`[${'1,'.repeat(500)}1]`) === undefined, parsed('nope')]).to.deep.equal([false, undefined]);
  });
});

describe('what may be repeated', () => {
  const once: ApiCall = { ...WRITE, method: 'POST', repeatable: false };
  const lost = (type: FailureType) => new ConnectionFailure(type, 'it broke (ECONNRESET)');

  it('is a request that may be sent again, or that was not carried out', () => {
    const looked: ApiCall = { ...once, isLookedUp: true };
    const form: Form = { contentType: 'x', length: 1, parts: neverSent };
    const upload: ApiCall = { ...looked, form };
    const outcomes: readonly AttemptOutcome[] = [
      lost('reset'),
      lost('connect'),
      answer(401, '', { lostSignIn: true }),
      answer(403, 'upgrade in progress'),
      answer(429),
      answer(503),
      answer(503, 'not ready'),
      answer(502),
    ];
    const may = (call: ApiCall) => outcomes.map((outcome) => Number(mayRepeat(call, outcome))).join('');
    expect([may(READ), may(once), may(looked), may(upload)]).to.deep.equal([
      '11111111',
      '01111010',
      '01110000',
      '01110010',
    ]);
  });

  it('is what may pass', () => {
    expect([408, 429, 502, 503, 504, 500, 200, 501].map(isTemporaryStatus).map(Number).join('')).to.equal('11111000');
    const passing = (outcome: AttemptOutcome, call: ApiCall = READ) => isTemporary(outcome, call);
    expect([passing(lost('reset')), passing(lost('tls')), passing(answer(504)), passing(answer(500))]).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
    expect([
      passing(answer(202)),
      passing(answer(202), { ...READ, isFact: true }),
      passing(answer(200), { ...READ, isFact: true }),
    ]).to.deep.equal([false, true, false]);
    expect([passing(answer(401, '', { lostSignIn: true })), passing(answer(403, 'during an upgrade'))]).to.deep.equal([
      true,
      true,
    ]);
    const upgrading = [
      'during upgrade',
      'DURING the upgrade',
      'upgrade in progress',
      'upgrade is in progress',
      'upgrades',
      'upgrade',
    ];
    expect(upgrading.map((text) => Number(isUpgrading({ status: 403, text }))).join('')).to.equal('111100');
    expect(isUpgrading({ status: 400, text: 'during upgrade' })).to.equal(false);
    const starting = ['not ready', 'not yet ready', 'is starting', 'Upgrading', 'busy', 'already'];
    expect(starting.map((text) => Number(isStarting({ status: 503, text }))).join('')).to.equal('111100');
    expect(isStarting({ status: 502, text: 'not ready' })).to.equal(false);
    expect([outcomeText(lost('reset')), outcomeText(answer(503))]).to.deep.equal(['ECONNRESET', 'answered 503']);
    expect(outcomeText(new ConnectionFailure('reset', 'closed'))).to.equal('the connection broke');
    expect(outcomeText(new ConnectionFailure('tls', 'no TLS'))).to.equal('no TLS');
  });

  it('is repeated until it does not fail for now, or should not be sent again', async () => {
    const run = async (first: AttemptOutcome, later: readonly AttemptOutcome[], allowed = Infinity) => {
      const [asked, sent]: [AttemptOutcome[], AttemptOutcome[]] = [[], []];
      const last = await repeat(
        READ,
        first,
        () => {
          const next = later[sent.length] ?? answer(500);
          sent.push(next);
          return Promise.resolve(next);
        },
        (outcome) => Promise.resolve(asked.push(outcome) <= allowed),
      );
      return [last, asked, sent.length];
    };
    const [busy, reset, fine] = [answer(503), lost('reset'), answer(200)];
    expect(await run(busy, [reset, fine])).to.deep.equal([fine, [busy, reset], 2]);
    expect(await run(busy, [reset, busy], 1)).to.deep.equal([reset, [busy, reset], 1]);
    expect(await run(fine, [])).to.deep.equal([fine, [], 0]);
    expect(await run(busy, [], 0)).to.deep.equal([busy, [busy], 0]);
    let times = 0;
    const unexpected = (): Promise<AttemptOutcome> => {
      times += 1;
      return Promise.reject(new Error('mine'));
    };
    const failing = repeat(READ, busy, unexpected, () => Promise.resolve(times < 3));
    expect(await failing.catch((error: unknown) => String(error))).to.equal('Error: mine');
    expect(times).to.equal(1);
  });

  it('is not repeated at the limits of attempts and time', () => {
    const policy = { attempts: 3, baseMs: 500, capMs: 8000, deadlineSeconds: 60 };
    const pause = (attempts: number, failingMs: number, askedMs = 0) =>
      pauseBefore({ attempts, failingMs, askedMs, pauseMs: askedMs }, policy, 15_000, 1);
    expect([pause(2, 0), pause(3, 0), pause(4, 0)]).to.deep.equal([1000, undefined, undefined]);
    expect([pause(1, 14_998), pause(1, 14_999)]).to.deep.equal([2, undefined]);
    expect([pause(1, 0, 60_000), pause(1, 0, 60_001)]).to.deep.equal([60_000, undefined]);
    expect([pause(1, 10_000, 5000), pause(1, 10_000, 50_000), pause(1, 10_000, 50_001)]).to.deep.equal([
      5000,
      50_000,
      undefined,
    ]);
  });
});
