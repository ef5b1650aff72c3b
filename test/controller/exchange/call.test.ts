import { expect } from 'chai';
import { askVersion, withoutVersion } from '../../../src/controller/api_version.js';
import {
  ConnectionFailure,
  ControllerError,
  get,
  notSentAfter,
  StaleObjectError,
  type ApiAnswer,
  type ApiCall,
  type ErrorDetails,
  type FailureType,
} from '../../../src/controller/exchange/call.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../../src/core/model/dialect.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { StopSignals } from '../../../src/engine/control/start_conditions.js';
import { errorOf, settingsOf } from '../../rig/controllers.js';

describe('a call to a controller', () => {
  it('that reads may be repeated, and wants a final answer', () => {
    expect(get('/api/x')).to.deep.equal({ method: 'GET', path: '/api/x', repeatable: true, isFact: true });
  });

  it('that fails says why, in short, and whether it may have arrived', () => {
    const types =
      'connect reset timeout lookup untrusted certificate tls proxy malformed oversized refused throttled closed local';
    const failures = types.split(' ').map((type) => new ConnectionFailure(type as FailureType, 'it broke', 'do it'));
    expect(
      failures.map(({ temporary, unsent, uncertain }) => [temporary, unsent, uncertain].map(Number).join('')),
    ).to.deep.equal(['110', '101', '101', '000', '000', '000', '000', '000', '001', '001', '000', '000', '001', '001']);
    const cause = new Error('inner');
    const routed = new ConnectionFailure('proxy', 'down', undefined, { route: 'madrid', since: 5, cause });
    expect(routed).to.include({ name: 'ConnectionFailure', route: 'madrid', since: 5, cause, hint: undefined });
    expect(failures[0]).to.include({ route: undefined, since: undefined, hint: 'do it' });
    const brief = (type: FailureType, message: string) => new ConnectionFailure(type, message).brief;
    expect([
      brief('connect', 'no connection (ECONNREFUSED)'),
      brief('reset', 'it broke (ECONNRESET)'),
      brief('reset', 'it broke'),
      brief('timeout', 'no answer (late)'),
    ]).to.deep.equal(['ECONNREFUSED', 'ECONNRESET', 'the connection broke', 'no answer (late)']);
  });
});

describe('the question for the API version', () => {
  const asked: ApiCall[] = [];
  const answer = (body: unknown): ApiAnswer => ({
    status: 200,
    text: JSON.stringify(body),
    contentType: 'application/json',
    location: undefined,
    retryAfter: undefined,
  });
  const ask = (dialect = DEFAULT_DIALECT, body: unknown = { version: '30.2.1' }): Promise<string> => {
    const settings = settingsOf('https://lb1', undefined, { dialect, tenant: 'blue' });
    return askVersion('/api/initial-data', { settings, secrets: new Secrets() }, (call) => {
      asked.push(call);
      return Promise.resolve(answer(body));
    });
  };

  it('needs no credentials, and is asked in the usual tenant', async () => {
    const call = { method: 'GET', path: '/api/initial-data', repeatable: true, isPublic: true };
    expect([await ask(), await ask(DIALECTS.get('avi'))]).to.deep.equal(['30.2.1', '30.2.1']);
    expect(asked).to.deep.equal([call, { ...call, tenant: 'admin' }]);
    for (const [version, found] of [
      ['22.1.7-2p5', '22.1.7'],
      [{ Version: '20.1.4' }, '20.1.4'],
    ] as const)
      expect(await ask(undefined, { version })).to.equal(found);
    for (const version of ['22.1', '22.1.7.1', 'v22.1.7', 22, null, { version: '20.1.4' }])
      expect((await errorOf(ask(undefined, { version }))).message, JSON.stringify(version)).to.equal(
        'GET /api/initial-data: the controller shows no version of three numbers',
      );
  });

  it('is why a request was not sent', () => {
    const shown = (cause: ControllerError) => {
      const { message, hint, outcome, route, cause: kept } = withoutVersion(get('/api/x'), cause);
      return [message, hint, outcome, route, kept === cause];
    };
    const call = get('/api/initial-data');
    expect(shown(new ControllerError(call, 'no', { hint: 'wait' }))).to.deep.equal([
      'GET /api/x: cannot find out the API version: GET /api/initial-data: no',
      'set controller_api_version',
      'failed',
      undefined,
      true,
    ]);
    expect(
      shown(new ControllerError(call, 'down', { hint: 'wait', outcome: 'unreachable', route: 'madrid' })),
    ).to.deep.equal(['down', 'wait', 'unreachable', 'madrid', true]);
  });
});

const CALL = { method: 'PUT', path: '/api/pool/1' } as const;

describe('an error of a controller', () => {
  it('says what was asked for, unless a route is what is wrong', () => {
    const error = new ControllerError(CALL, 'no');
    expect(error).to.include({ message: 'PUT /api/pool/1: no', outcome: 'failed', method: 'PUT', path: '/api/pool/1' });
    expect(error).to.include({ uncertain: false, temporary: false, passing: false, givenUp: false, late: false });
    expect(new ControllerError(CALL, 'no', { route: 'madrid' }).message).to.equal('no');
  });

  it('has the details that are given', () => {
    const cause = new Error('inner');
    const details: ErrorDetails = {
      outcome: 'unreachable',
      status: 503,
      hint: 'wait',
      uncertain: true,
      temporary: true,
      givenUp: true,
      late: true,
      route: 'madrid',
      failure: 'closed',
      cause,
    };
    expect(new ControllerError(CALL, 'no', details)).to.include({ ...details, passing: true });
    expect(new ControllerError(CALL, 'no', { temporary: true, passing: false }).passing).to.equal(false);
    expect(new ControllerError(CALL, 'no', { passing: true }).temporary).to.equal(false);
  });

  it('of a request before keeps the next one from being sent', () => {
    const details = { outcome: 'unreachable', hint: 'wait', temporary: true, passing: true, givenUp: true } as const;
    const cause = new ControllerError({ method: 'GET', path: '/api/x' }, 'no', {
      ...details,
      route: 'madrid',
      status: 503,
    });
    expect(notSentAfter({ method: 'GET', path: '/api/y' }, cause)).to.deep.equal({
      ...details,
      route: 'madrid',
      cause,
    });
    expect(notSentAfter(CALL, cause)).to.deep.equal({ ...details, route: 'madrid', temporary: false, cause });
  });

  it('is stale if someone else has changed the object', () => {
    expect(new StaleObjectError({ ...CALL, repeatable: false }, true)).to.include({
      status: 412,
      uncertain: true,
      name: 'StaleObjectError',
    });
  });
});

describe('the signals that stop a run', () => {
  const sources = () => ({
    interrupt: new AbortController(),
    refused: new AbortController(),
    givenUp: new AbortController(),
    broken: new AbortController(),
  });
  /** What is so after one of them: stopping, interrupted, what blocks a task and cleanup, and what aborts their waits. */
  const after = (which: keyof ReturnType<typeof sources> | undefined, withJournal = true) => {
    const { interrupt, refused, givenUp, broken } = sources();
    const stops = { drain: interrupt.signal, credentialsRefused: refused.signal, abort: givenUp.signal };
    const signals = new StopSignals(stops, withJournal ? broken.signal : undefined);
    if (which !== undefined) ({ interrupt, refused, givenUp, broken })[which].abort();
    const { isStopping, isInterrupted } = signals;
    const waits = [signals.signal(false).aborted, signals.signal(true).aborted];
    return [isStopping, isInterrupted, signals.blocks(false), signals.blocks(true), ...waits].map(Number).join('');
  };

  it('let cleanup run after the first interrupt and refused credentials, and nothing after a lost journal', () => {
    expect(after(undefined)).to.equal('000000');
    expect(after('interrupt')).to.equal('111010');
    expect(after('refused')).to.equal('101000');
    expect(after('givenUp')).to.equal('000101');
    expect(after('broken')).to.equal('101111');
    expect(after('interrupt', false)).to.equal('111010');
    expect(after('givenUp', false)).to.equal('000101');
    expect(after('broken', false)).to.equal('000000');
  });
});
