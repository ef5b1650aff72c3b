import { expect } from 'chai';
import { endsSignIn, loginCall, signedInBy, signedOut, SignInError } from '../../../src/controller/access/sign_in.js';
import { ControllerError, type ApiAnswer, type ErrorDetails } from '../../../src/controller/exchange/call.js';
import { DEFAULT_DIALECT, DIALECTS, type SessionTraits } from '../../../src/core/model/dialect.js';
import { refusesCredentials } from '../../../src/core/model/run/temporary.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { settingsOf } from '../../rig/controllers.js';

const dialect = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
const NONE = { loginPath: '', logoutPath: '', sessionCookies: [], csrfCookie: '', csrfHeader: '' };
const traits: SessionTraits = dialect.session ?? NONE;
const settings = settingsOf('https://lb1/lb', undefined, { dialect, auth: 'session', password: 'p"w' });
const answer = (status: number, text = '', more: Partial<ApiAnswer> = {}): ApiAnswer => ({
  status,
  text,
  contentType: undefined,
  location: undefined,
  retryAfter: undefined,
  ...more,
});

describe('an answer in a session', () => {
  it('ends the session, or refuses the credentials', () => {
    for (const [status, text, ends, refuses] of [
      [200, 'CSRF Failed', false, false],
      [400, '', false, true],
      [401, '', true, true],
      [402, '', false, false],
      [403, '', false, true],
      [403, 'detail: csrf failed: no token', true, true],
      [403, 'XCSRF Failed', false, true],
      [404, '', false, false],
      [419, '', true, false],
      [420, '', false, false],
      [500, 'CSRF Failed', false, false],
    ] as const)
      expect(
        [endsSignIn(answer(status, text)), refusesCredentials(answer(status, text))],
        `${status} ${text}`,
      ).to.deep.equal([ends, refuses]);
  });
});

describe('the sign-in to a controller', () => {
  const call = loginCall(traits, settings);

  it('is one request with the password, or with a token in its place', () => {
    const request = { method: 'POST', path: '/login', repeatable: true, outsideApi: true };
    expect(call).to.deep.equal({ ...request, body: '{"username":"admin","password":"p\\"w"}' });
    expect(loginCall(traits, { ...settings, isToken: true }).body).to.equal('{"username":"admin","token":"p\\"w"}');
    expect(loginCall(traits, { ...settings, isToken: false }).body).to.equal(call.body);
  });

  it('begins the session of its cookies, whose values are secrets', () => {
    const secrets = new Secrets();
    const setCookies = ['sessionid=f00ba4-session; Path=/', 'csrftoken=f00ba4-token'];
    const session = signedInBy(call, answer(200, '{}', { setCookies }), traits, { settings, secrets });
    expect(session.headersFor('POST')).to.deep.equal([
      'cookie',
      'sessionid=f00ba4-session; csrftoken=f00ba4-token',
      'x-csrftoken',
      'f00ba4-token',
      'referer',
      'https://lb1/lb/',
    ]);
    const masked = secrets.mask('f00ba4-session or f00ba4-token');
    expect(masked).to.match(/^\*+ or \*+$/);
  });

  it('fails if there is no session in the answer', () => {
    const failed = (...of: Parameters<typeof answer>) => {
      try {
        signedInBy(call, answer(...of), traits, { settings, secrets: new Secrets() });
      } catch (error) {
        if (!(error instanceof ControllerError)) throw error;
        return [error.message, error.hint, error.status];
      }
      return undefined;
    };
    const hint = 'does controller_dialect name the dialect of this controller?';
    const said = 'POST /login: the controller answered';
    for (const status of [404, 405])
      expect(failed(status)).to.deep.equal([`${said} ${status} and has no such path`, hint, status]);
    const none = [`${said} 200 and set no cookie avi-sessionid or sessionid`, hint, 200];
    expect(failed(200)).to.deep.equal(none);
    expect(failed(200, '', { setCookies: ['csrftoken=x'] })).to.deep.equal(none);
    expect(failed(299)?.[2]).to.equal(299);
    for (const status of [300, 399])
      expect(failed(status, '', { location: '/x' })).to.deep.equal([
        `${said} ${status} and points to /x; redirects are not followed`,
        'write the address of the controller itself in controller_url',
        status,
      ]);
    expect(failed(400, 'no')).to.deep.equal([`${said} 400: no`, undefined, 400]);
    expect(failed(401, '', { setCookies: ['sessionid=x'] })?.[0]).to.equal(`${said} 401`);
  });

  it('that fails is the reason why a request was not sent', () => {
    const failed = (method: string, uncertain: boolean, details: ErrorDetails = {}) => {
      const cause = new ControllerError(call, 'no', { outcome: 'unreachable', hint: 'wait', ...details });
      const { message, outcome, hint, temporary, passing, ...error } = new SignInError(
        { method, path: '/api/x', repeatable: false },
        cause,
        uncertain,
      );
      return [message, outcome, hint, temporary, passing, error.uncertain];
    };
    const said = '/api/x: cannot sign in: POST /login: no';
    const unreachable = ['unreachable', 'wait'];
    expect(failed('GET', false)).to.deep.equal([`GET ${said}`, ...unreachable, false, false, false]);
    expect(failed('GET', true)).to.deep.equal([`GET ${said}`, ...unreachable, false, false, true]);
    expect(failed('PUT', false)).to.deep.equal([`PUT ${said}`, ...unreachable, false, false, false]);
    expect(failed('PUT', true)).to.deep.equal([
      `PUT ${said}; the request may have taken effect before`,
      ...unreachable,
      false,
      false,
      true,
    ]);
    expect(failed('GET', false, { temporary: true })).to.deep.equal([`GET ${said}`, ...unreachable, true, true, false]);
    expect(failed('PUT', false, { temporary: true })).to.deep.equal([
      `PUT ${said}`,
      ...unreachable,
      false,
      true,
      false,
    ]);
    expect(failed('PUT', false, { route: 'madrid' })).to.deep.equal(['no', ...unreachable, false, false, false]);
    expect(signedOut('they are wrong')).to.include({
      type: 'refused',
      message: 'not sent: they are wrong',
      hint: 'check controller_username and controller_password',
    });
  });
});
