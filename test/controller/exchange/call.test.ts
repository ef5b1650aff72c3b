import { expect } from 'chai';
import { askVersion, withoutVersion } from '../../../src/controller/api_version.js';
import { get, type ApiAnswer, type ApiCall } from '../../../src/controller/exchange/call.js';
import { ConnectionFailure, type FailureType } from '../../../src/controller/exchange/connection_failure.js';
import { ControllerError } from '../../../src/controller/exchange/controller_error.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../../src/core/model/dialect.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
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
