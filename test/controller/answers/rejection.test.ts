import { expect } from 'chai';
import { rejection } from '../../../src/controller/answers/rejection.js';
import type { ApiCall } from '../../../src/controller/exchange/call.js';
import { parseSettings } from '../../../src/controller/settings/settings.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';

const BASE = {
  controller_url: 'https://lb1.invalid',
  controller_username: 'ann',
  controller_password: 'secret-1',
  controller_api_version: '22.1.3',
};
const AVI = { ...BASE, controller_dialect: 'avi' };

function settingsFrom(variables: Readonly<Record<string, string>>) {
  const parsed = parseSettings((name) => variables[name], 'lb1', { readCa: () => '' });
  if (!('settings' in parsed)) throw new Error(parsed.problems.map(({ message }) => message).join());
  return parsed.settings;
}

describe('what to do about an answer', () => {
  const error = (
    status: number,
    text: string,
    call: Partial<ApiCall> = {},
    variables = BASE as Record<string, string>,
  ) =>
    rejection(
      { method: 'GET', path: '/api/pool/x', repeatable: true, ...call },
      { status, text, contentType: undefined, location: undefined, retryAfter: undefined },
      { settings: settingsFrom(variables), secrets: new Secrets() },
    );
  const GATEWAY = 'a gateway or proxy before the controller answered: does it reach the controller, and is that up?';
  const RESTARTS =
    'the controller may be starting or being upgraded: run again when it is up, or wait longer with controller_patience';
  const VERSION = 'check controller_api_version: "22.1.3" was sent as X-Vendor-Version';
  const CHECK = 'check controller_username and controller_password';

  it('names white space around the password, such as the line break of "echo"', () => {
    expect(error(401, '', {}, { ...AVI, controller_password: 'secret-1\n' }).hint).to.equal(
      `${CHECK}, which has white space at its beginning or end`,
    );
  });

  it('depends on its status and its text', () => {
    for (const [status, text, hint] of [
      [400, 'bad Version', VERSION],
      [400, 'bad', undefined],
      [
        401,
        '',
        `${CHECK}; on a fresh controller Basic authentication is off until allow_basic_authentication is set in its portal settings; controller_auth: session does without it (with controller_dialect: avi)`,
      ],
      [402, '', undefined],
      [403, '', 'the user "ann" is not allowed to do this'],
      [403, 'CSRF Failed', 'the user "ann" is not allowed to do this'],
      [404, '', 'check controller_url, and the path'],
      [405, '', undefined],
      [406, 'version', VERSION],
      [409, '', undefined],
      [412, '', 'the object has changed since it was read: read it again, then send it with the new _last_modified'],
      [417, 'version', VERSION],
      [418, 'version', undefined],
      [419, '', 'the controller speaks of a session: does controller_dialect name its dialect?'],
      [420, '', undefined],
      [422, 'version', undefined],
      [426, 'version', VERSION],
      [429, '', 'the controller asks for fewer requests: set controller_requests_per_second, or try again later'],
      [500, '', undefined],
      [502, '', GATEWAY],
      [503, '', RESTARTS],
      [504, '', GATEWAY],
    ] as const)
      expect(error(status, text).hint, `${status} ${text}`).to.equal(hint);
  });

  it('mentions the slash of a collection where a user wrote the path of one', () => {
    const SLASH = 'check controller_url, and the path: that of a collection ends with a slash';
    for (const [call, hint] of [
      [{ path: '/api/pool' }, SLASH],
      [{ path: '/api/pool?name=web' }, SLASH],
      [{ path: '/api/pool', method: 'POST' }, SLASH],
      [{ path: '/api/systemconfiguration', isFact: true }, 'check controller_url, and the path'],
      [{ path: '/api/systemconfiguration', method: 'PUT' }, 'check controller_url, and the path'],
      [{ path: '/api/systemconfiguration', method: 'PATCH' }, 'check controller_url, and the path'],
    ] as const)
      expect(error(404, '', call).hint, JSON.stringify(call)).to.equal(hint);
    const missing = (method: string) => error(404, 'Cloud object not found!', { path: '/api/pool/', method }).hint;
    expect([missing('POST'), missing('PUT')]).to.deep.equal([
      'a field refers to an object that does not exist',
      'check controller_url, and the path',
    ]);
  });

  it('depends on the way to sign in', () => {
    const session = { ...AVI, controller_auth: 'session' };
    const basic = { ...AVI, controller_auth: 'basic' };
    expect(error(401, '', {}, session).hint).to.equal(CHECK);
    expect(error(401, '', {}, basic).hint).to.equal(
      `${CHECK}; on a fresh controller Basic authentication is off: set controller_auth: session`,
    );
    expect(error(419, '', {}, basic).hint).to.equal('the controller speaks of a session: set controller_auth: session');
    expect(error(403, 'CSRF Failed: no token', {}, session).hint).to.equal(
      'not even with a new session: does the controller know itself by the address in controller_url?',
    );
    expect(error(403, 'no', {}, session).hint).to.equal('the user "ann" is not allowed to do this');
  });

  it('depends on the method', () => {
    const deletion = { method: 'DELETE' } as const;
    expect(error(405, '', deletion).hint).to.equal('this controller does not delete such objects');
    expect(error(501, '', deletion).hint).to.equal('this controller does not delete such objects');
    expect(error(409, 'Cannot delete, object is referred by: pool', deletion).hint).to.equal(
      'delete what refers to it first, or remove the reference there',
    );
    expect(error(409, 'it is referred to').hint).to.equal(undefined);
    expect(error(502, 'no', deletion).hint).to.equal(GATEWAY);
  });

  it('is known to be temporary, late or unreachable', () => {
    const kinds = (status: number) => {
      const { outcome, temporary, late } = error(status, '');
      return [outcome, temporary, late];
    };
    expect([400, 401, 404, 429, 500, 502, 503, 504].map((status) => [status, ...kinds(status)])).to.deep.equal([
      [400, 'failed', false, false],
      [401, 'unreachable', false, false],
      [404, 'failed', false, false],
      [429, 'failed', true, false],
      [500, 'failed', false, false],
      [502, 'failed', true, false],
      [503, 'failed', true, false],
      [504, 'failed', true, true],
    ]);
  });
});
