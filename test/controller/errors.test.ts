import { expect } from 'chai';
import { rejection } from '../../src/controller/answers/rejection.js';
import type { Connections } from '../../src/controller/connections.js';
import type { Session } from '../../src/controller/session.js';
import { networkFailure } from '../../src/controller/transport/network_failure.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { addSecrets } from '../../src/core/secrets/values.js';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { connections, errorOf, settingsOf, through } from '../rig/controllers.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const FIND = 'GET /api/cloud/?name=edge';

describe('errors', () => {
  let fleet: Fleet;
  let all: Connections;
  let session: Session;

  before(async () => {
    fleet = await startFleet();
    all = connections();
    session = all.open(settingsOf(fleet.url('lb1'), fleet.ca, { password: fleet.password }));
  });

  after(async () => {
    await all.close();
    await fleet.dispose();
  });

  async function errorAfter(...faults: Fault[]) {
    fleet.controller('lb1').behaviour = { faults };
    fleet.controller('lb1').clearRequests();
    return errorOf(session.find('/api/cloud/', 'edge'));
  }

  const said: readonly [string, unknown, string][] = [
    ['error', { error: 'Name is taken.' }, 'Name is taken.'],
    ['detail', { detail: 'Name is taken.' }, 'Name is taken.'],
    ['message', { code: 7, message: 'Name is taken.' }, 'Name is taken.'],
    ['an error with a message inside', { error: { code: 7, message: 'Name is taken.' } }, 'Name is taken.'],
    ['an error without one', { error: { code: 7 } }, '{"code":7}'],
    ['a list of errors', { error: ['Name is taken.', 'And old.'] }, '["Name is taken.","And old."]'],
    ['neither', { code: 7 }, '{"code":7}'],
    ['plain text', 'Name is taken.', 'Name is taken.'],
    ['several lines and control characters', 'Name\r\n\t is\u001b[31m\u0000taken.', 'Name is taken.'],
    ['much text', 'x'.repeat(501), `${'x'.repeat(500)}…`],
  ];
  for (const [what, body, text] of said) {
    it(`show the controller's message: ${what}`, async () => {
      expect((await errorAfter({ type: 'answer', status: 422, body })).message).to.equal(
        `${FIND}: the controller answered 422: ${text}`,
      );
    });
  }

  for (const [method, unknown] of [
    ['HEAD', ''],
    ['head', ''],
    ['POST', '; it may have taken effect'],
  ] as const) {
    it(`report whether ${method} without an answer may have taken effect`, async () => {
      fleet.controller('lb1').behaviour = { faults: [{ type: 'drop' }] };
      const { message } = await errorOf(session.request({ method, path: '/api/cloud/' }));
      expect(message.endsWith('; it may have taken effect')).to.equal(unknown !== '');
    });
  }

  it('have no such message if the controller sent none', async () => {
    expect((await errorAfter({ type: 'answer', status: 500, body: '' })).message).to.equal(
      `${FIND}: the controller answered 500`,
    );
  });

  it('mask secrets of headers and of the proxy that a controller echoes', () => {
    const echo = 'got hush-hush and "t0ken-9" and blue';
    const headers = { 'X-Auth-Token': 't0ken-9', 'X-Tenant': 'blue' };
    const settings = { ...session.settings, headers, route: through('http://user:hush%2Dhush@127.0.0.1:9') };
    const secrets = new Secrets();
    addSecrets(settings, secrets);
    const { message } = rejection(
      { method: 'GET', path: '/', repeatable: true },
      { status: 422, text: echo, contentType: undefined, location: undefined, retryAfter: undefined },
      { settings, secrets },
    );
    expect(message).to.equal('GET /: the controller answered 422: got ******** and "********" and blue');
  });

  it('mask the secrets of the run before they cut or join lines, so that no part of one remains', async () => {
    const secrets = new Secrets();
    const secret = '-----BEGIN KEY-----\nabc  def\n-----END KEY-----';
    secrets.add(secret);
    const discreet = connections({ secrets });
    const asking = discreet.open(session.settings);
    for (const [body, text] of [
      [`got ${secret}.`, 'got ********.'],
      [JSON.stringify({ key: secret }), '{"key":"********"}'],
      [JSON.stringify({ error: { key: secret } }), '{"key":"********"}'],
      ['x'.repeat(470) + secret, `${'x'.repeat(470)}********`],
    ] as const) {
      fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 422, body }] };
      expect((await errorOf(asking.find('/api/cloud/', 'edge'))).message).to.equal(
        `${FIND}: the controller answered 422: ${text}`,
      );
      expect(await asking.request({ method: 'POST', path: '/api/x' })).to.have.property('says', text);
    }
    await discreet.close();
  });

  it('say that the path of a collection ends with a slash', async () => {
    fleet.controller('lb1').behaviour = {};
    const hint = 'check controller_url, and the path: that of a collection ends with a slash';
    expect(await session.request({ method: 'GET', path: '/api/cloud', query: { name: 'x' } })).to.include({ hint });
    const other = await session.request({ method: 'GET', path: '/api/cloud/none' });
    expect(other).to.include({ hint: 'check controller_url, and the path' });
  });

  const hints: readonly [number, string, string | undefined][] = [
    [400, 'Unsupported API version.', 'check controller_api_version: "22.1.3" was sent as X-Vendor-Version'],
    [400, 'Bad name.', undefined],
    [403, 'No.', 'the user "admin" is not allowed to do this'],
    [404, 'Not found.', 'check controller_url, and the path'],
    [
      429,
      'Slow down.',
      'the controller asks for fewer requests: set controller_requests_per_second, or try again later',
    ],
    [
      503,
      'Upgrading.',
      'the controller may be starting or being upgraded: run again when it is up, or wait longer with controller_patience',
    ],
    [500, 'Oops.', undefined],
    [
      502,
      'Bad gateway.',
      'a gateway or proxy before the controller answered: does it reach the controller, and is that up?',
    ],
  ];
  for (const [status, error, hint] of hints) {
    it(`explain what to do about ${status} "${error}"${hint === undefined ? ', if that is known' : ''}`, async () => {
      expect((await errorAfter({ type: 'answer', status, body: { error } })).hint).to.equal(hint);
    });
  }

  for (const status of [301, 302, 303, 307, 308] as const) {
    it(`show the target of a ${status}, and do not follow it`, async () => {
      const error = await errorAfter({ type: 'redirect', status, to: `${fleet.url('lb1')}/api/cloud/` });
      expect(error.message).to.equal(
        `${FIND}: the controller answered ${status} and points to ${fleet.url('lb1')}/api/cloud/; redirects are not followed`,
      );
      expect(error.hint).to.equal('write the address of the controller itself in controller_url');
      expect(error.outcome).to.equal('failed');
      expect(fleet.controller('lb1').requests).to.have.length(1);
    });
  }

  it('do not treat a redirect after a create as success', async () => {
    fleet.controller('lb1').behaviour = { faults: [{ type: 'answer', status: 300, body: {} }] };
    fleet.controller('lb1').clearRequests();
    expect((await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }))).message).to.equal(
      'POST /api/cloud/: the controller answered 300 and points without saying where to; redirects are not followed',
    );
    expect(fleet.controller('lb1').requests).to.have.length(1);
  });
});

describe('an error of the network, of TLS or of the HTTP parser', () => {
  const AT = 'https://lb1';
  const table: readonly (readonly [codes: string, type: string, message: string])[] = [
    [
      'ECONNREFUSED EHOSTUNREACH ENETUNREACH EHOSTDOWN EADDRNOTAVAIL ETIMEDOUT EAI_AGAIN',
      'connect',
      'no connection to https://lb1 (CODE)',
    ],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect', 'no connection to https://lb1 (timed out)'],
    ['ENOTFOUND', 'lookup', 'no connection to https://lb1: the name is unknown (CODE)'],
    ['CERT_HAS_EXPIRED', 'certificate', 'the certificate of https://lb1 has expired'],
    ['CERT_NOT_YET_VALID', 'certificate', 'the certificate of https://lb1 is not valid yet'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'certificate',
      'the certificate of https://lb1 does not carry its name or address, and has no subjectAltName at all',
    ],
    [
      'INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED UNSPECIFIED',
      'certificate',
      'the certificate of https://lb1 cannot be used: it broke',
    ],
    [
      'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'untrusted',
      'the certificate of https://lb1 is not trusted (CODE)',
    ],
    ['EPROTO ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'no TLS connection to https://lb1 (CODE)'],
    [
      'HPE_INVALID_CONSTANT HTTPParserError UND_ERR_INVALID_ARG UND_ERR_NOT_SUPPORTED',
      'malformed',
      'the answer is not HTTP',
    ],
    ['UND_ERR_HEADERS_OVERFLOW', 'malformed', 'the headers of the answer are too large'],
    ['UND_ERR_DESTROYED UND_ERR_CLOSED UND_ERR_ABORTED', 'closed', 'aborted because the run was interrupted'],
    [
      'ECONNRESET EPIPE UND_ERR_SOCKET',
      'reset',
      'the connection to https://lb1 broke before the answer was complete (CODE)',
    ],
  ];
  for (const [codes, type, message] of table)
    it(`is told by its code: ${codes}`, () => {
      for (const code of codes.split(' ')) {
        const failure = networkFailure(Object.assign(new Error('it broke'), { code }), {
          origin: AT,
          through: undefined,
        });
        expect([failure.type, failure.message], code).to.deep.equal([type, message.replace('CODE', code)]);
        expect([failure.temporary, failure.unsent, failure.uncertain], code).to.deep.equal([
          ['connect', 'reset'].includes(type),
          type === 'connect',
          ['reset', 'malformed', 'closed'].includes(type),
        ]);
      }
    });

  it('is told by the words of OpenSSL where Node has no code', () => {
    for (const [reason, message] of [
      ['ee key too weak', 'the certificate of https://lb1, or of its authority, has a key that is too short'],
      [
        'ca md digest algorithm too weak',
        'the certificate of https://lb1, or of its authority, is signed with an algorithm that can be forged, such as SHA-1',
      ],
      [
        'unsuitable certificate purpose',
        'the certificate of https://lb1 is not for a server, or was signed by one that is not of an authority',
      ],
    ] as const) {
      const error = Object.assign(new Error(reason), { code: 'UNSPECIFIED' });
      expect(networkFailure(error, { origin: AT, through: undefined }).message).to.equal(message);
    }
    const named = { code: 'ERR_TLS_CERT_ALTNAME_INVALID', cert: { subjectaltname: 'DNS:lb2' } };
    expect(networkFailure(Object.assign(new Error('x'), named), { origin: AT, through: undefined })).to.include({
      message: 'the certificate of https://lb1 is for another name (DNS:lb2)',
      hint: 'write a name that the certificate carries in controller_url',
    });
  });

  it('is a broken connection if it was open already', () => {
    for (const syscall of ['read', 'write']) {
      const error = Object.assign(new Error('it broke'), { code: 'ETIMEDOUT', syscall });
      expect(networkFailure(error, { origin: AT, through: 'route madrid' }).message).to.equal(
        'the connection to https://lb1 through route madrid broke before the answer was complete (ETIMEDOUT)',
      );
    }
  });
});
