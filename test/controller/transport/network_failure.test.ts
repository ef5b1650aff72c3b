import { expect } from 'chai';
import { ConnectionFailure } from '../../../src/controller/exchange/call.js';
import { brokenTls, destinationText, networkFailure } from '../../../src/controller/transport/network_failure.js';

const DIRECT = { origin: 'https://lb1', through: undefined };
const THROUGH = { origin: 'https://lb1', through: 'route madrid' };
const failing = (code: string, more: object = {}, message = 'it broke') =>
  Object.assign(new Error(message), { code, ...more });

describe('the failure of a connection', () => {
  it('says where it was to lead, and what to do', () => {
    expect([destinationText(DIRECT), destinationText(THROUGH)]).to.deep.equal([
      'https://lb1',
      'https://lb1 through route madrid',
    ]);
    const to = 'https://lb1 through route madrid';
    for (const [code, message, hint] of [
      [
        'ECONNREFUSED',
        `no connection to ${to} (ECONNREFUSED)`,
        'is the controller up, and are the address and port right?',
      ],
      [
        'UND_ERR_CONNECT_TIMEOUT',
        `no connection to ${to} (timed out)`,
        'is the controller up, and are the address and port right?',
      ],
      ['ENOTFOUND', `no connection to ${to}: the name is unknown (ENOTFOUND)`, 'check the name in controller_url'],
      [
        'SELF_SIGNED_CERT_IN_CHAIN',
        'the certificate of https://lb1 is not trusted (SELF_SIGNED_CERT_IN_CHAIN)',
        'name the authority that signed it in controller_ca_file',
      ],
      [
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        'the certificate of https://lb1 is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
        'it signed itself: if it is the one of the controller, name a copy of it in controller_ca_file',
      ],
      [
        'CERT_HAS_EXPIRED',
        'the certificate of https://lb1 has expired',
        'renew it on the controller itself, or in a run with "-e controller_verify_tls=false --limit NAME" once you have compared its fingerprint; or is the clock of this machine wrong?',
      ],
      [
        'CERT_NOT_YET_VALID',
        'the certificate of https://lb1 is not valid yet',
        'check the clocks of the controller and of this machine',
      ],
      [
        'ERR_TLS_CERT_ALTNAME_INVALID',
        'the certificate of https://lb1 does not carry its name or address, and has no subjectAltName at all',
        'install a certificate with the name or IP address of controller_url in subjectAltName',
      ],
      [
        'INVALID_CA',
        'the certificate of https://lb1 cannot be used: it broke',
        'replace the certificate of the controller',
      ],
      ['EPROTO', `no TLS connection to ${to} (EPROTO)`, 'does this port speak HTTPS?'],
      [
        'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
        `no TLS connection to ${to} (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)`,
        'the controller speaks only old versions of TLS: allow TLS 1.2 there',
      ],
      [
        'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
        `no TLS connection to ${to} (ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE)`,
        'the controller may allow only weak ciphers, or want a client certificate, which Evenkeel does not send',
      ],
      [
        'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
        `no TLS connection to ${to} (ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE)`,
        'the controller wants a client certificate, which Evenkeel does not send: let it accept connections without one',
      ],
      ['HPE_INVALID_VERSION', 'the answer is not HTTP', 'is there a controller at this address and port?'],
      ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the answer are too large', undefined],
      ['ECONNRESET', `the connection to ${to} broke before the answer was complete (ECONNRESET)`, undefined],
      ['UND_ERR_DESTROYED', 'aborted because the run was interrupted', undefined],
    ] as const) {
      const failure = networkFailure(failing(code), THROUGH);
      expect([failure.message, failure.hint], code).to.deep.equal([message, hint]);
    }
  });

  it('says what is wrong with a certificate, and how to get another', () => {
    for (const [reason, hint] of [
      ['ee key too weak', 'replace it by one with an RSA key of at least 2048 bits'],
      ['ca md digest algorithm too weak', 'have it signed again with SHA-256'],
      [
        'unsuitable certificate purpose',
        'have it issued as a server certificate (extendedKeyUsage: serverAuth) by a certificate authority',
      ],
    ] as const)
      expect(networkFailure(failing('UNSPECIFIED', {}, reason), DIRECT).hint).to.equal(hint);
    const own = { ...DIRECT, hasOwnAuthorities: true };
    expect(networkFailure(failing('SELF_SIGNED_CERT_IN_CHAIN'), own).hint).to.equal(
      'the CA file of the controller does not have the authority that signed it: add it there if you trust it',
    );
    const named = (cert: unknown) => networkFailure(failing('ERR_TLS_CERT_ALTNAME_INVALID', { cert }), DIRECT).message;
    const none = 'the certificate of https://lb1 does not carry its name or address, and has no subjectAltName at all';
    for (const cert of [null, 5, {}, { subjectaltname: 5 }]) expect(named(cert)).to.equal(none);
    expect(named({ subjectaltname: 'DNS:a, IP Address:10.0.0.1' })).to.equal(
      'the certificate of https://lb1 is for another name (DNS:a, IP Address:10.0.0.1)',
    );
  });

  it('is known by its cause, and keeps only the message of that', () => {
    const inner = new Error('outer', { cause: failing('ECONNREFUSED', { socket: 'secret' }) });
    const failure = networkFailure(inner, DIRECT);
    expect([failure.type, failure.message]).to.deep.equal(['connect', 'no connection to https://lb1 (ECONNREFUSED)']);
    expect(failure.cause).to.be.instanceOf(Error).and.to.include({ message: 'outer' }).and.not.have.property('cause');
    const empty = networkFailure(failing('ECONNRESET', {}, ''), DIRECT);
    expect((empty.cause as Error).message).to.equal('ECONNRESET');
    for (const [error, code] of [
      [new TypeError('odd'), 'TypeError'],
      ['text', 'text'],
      [failing('E', { code: 5 }), 'Error'],
    ] as const) {
      const { type, message } = networkFailure(error, DIRECT);
      expect([type, message]).to.deep.equal([
        'reset',
        `the connection to https://lb1 broke before the answer was complete (${code})`,
      ]);
    }
    const own = new ConnectionFailure('timeout', 'no answer');
    expect(networkFailure(own, DIRECT)).to.equal(own);
  });

  it('of TLS is a broken connection if it was open', () => {
    const broken = (code: string) => brokenTls(failing(code), 'https://lb1');
    expect(broken('ECONNRESET')).to.equal(undefined);
    for (const code of ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'])
      expect(broken(code)).to.include({
        type: 'reset',
        message: `the connection to https://lb1 broke before the answer was complete (${code})`,
        hint: undefined,
      });
    expect(broken('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')?.hint).to.include('wants a client certificate');
  });

  it('is a broken connection only if it was open', () => {
    for (const [syscall, type] of [
      ['read', 'reset'],
      ['write', 'reset'],
      ['connect', 'connect'],
      [undefined, 'connect'],
    ] as const)
      expect(networkFailure(failing('ETIMEDOUT', { syscall }), DIRECT).type, syscall).to.equal(type);
  });
});
