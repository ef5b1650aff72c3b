import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Connections } from '../../src/controller/connections.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { days, serverCertificate } from '../rig/certificates.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { EMPTY_LIST, RudeServer } from '../rig/rude_server.js';

const FIND = 'GET /api/cloud/?name=edge';

describe('certificates', () => {
  const cleanup: (() => Promise<unknown>)[] = [];
  const warnings: string[] = [];
  let all: Connections;

  beforeEach(() => {
    all = connections({ onWarning: (message, controller) => warnings.push(`${controller}: ${message}`) });
    cleanup.push(() => all.close());
  });

  afterEach(async () => {
    for (const dispose of cleanup.splice(0)) await dispose();
    warnings.length = 0;
  });

  async function serve(options: Parameters<typeof RudeServer.start>[1] = {}): Promise<RudeServer> {
    const server = await RudeServer.start((socket) => socket.write(EMPTY_LIST), options);
    cleanup.push(() => server.close());
    return server;
  }

  const find = (settings: ConnectionSettings) => all.open(settings).find('/api/cloud/', 'edge');

  it('are verified, and a failure is never retried', async () => {
    const server = await serve();
    const error = await errorOf(find(settingsOf(server.url, undefined)));
    expect(error.message).to.equal(
      `${FIND}: the certificate of ${server.url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    );
    expect(error.hint).to.equal(
      'it signed itself: if it is the one of the controller, name a copy of it in controller_ca_file',
    );
    expect(error.outcome).to.equal('unreachable');
    expect(server).to.include({ connections: 1 });
    expect(server.requests).to.deep.equal([]);
  });

  it('are verified even if the environment disables that in Node', async () => {
    const server = await serve();
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const error = await errorOf(find(settingsOf(server.url, undefined)));
      expect(error.message).to.contain('is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)');
      expect(server.requests).to.deep.equal([]);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('of a trusted authority are accepted', async () => {
    const server = await serve();
    expect(await find(settingsOf(server.url, server.certificate.ca))).to.equal(undefined);
    expect(warnings).to.deep.equal([]);
  });

  it('are read without their chain, whose conversion costs more than a whole answer', async () => {
    const server = await serve();
    const asked: unknown[] = [];
    const { prototype } = TLSSocket;
    const read = Object.getOwnPropertyDescriptor(prototype, 'getPeerCertificate');
    const noted = function (this: TLSSocket, detailed: boolean): unknown {
      asked.push(detailed);
      return Reflect.apply(read?.value as (detailed: boolean) => unknown, this, [detailed]);
    };
    Object.defineProperty(prototype, 'getPeerCertificate', { ...read, value: noted });
    try {
      await find(settingsOf(server.url, server.certificate.ca));
    } finally {
      Object.defineProperty(prototype, 'getPeerCertificate', read ?? {});
    }
    expect(asked).to.deep.equal([false]);
  });

  it('of authorities that this machine trusts are accepted besides those of controller_ca_file', async () => {
    const server = await serve();
    const directory = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-ca-'));
    cleanup.push(() => rm(directory, { recursive: true }));
    const trusted = path.join(directory, 'trusted.pem');
    await writeFile(trusted, server.certificate.ca);
    const { ca } = await serverCertificate();
    const settings = settingsOf(server.url, ca);
    // Node reads the trusted authorities when a process starts.
    const script = `
      const { Connections } = await import('./src/controller/connections.ts');
      const session = new Connections({ abort: new AbortController().signal }).open(${JSON.stringify(settings)});
      await session.find('/api/cloud/', 'edge');
      await session.find('/api/cloud/', 'edge');
      await session.close();`;
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted };
    await promisify(execFile)(process.execPath, ['--import=tsx', '--input-type=module', '--eval', script], { env });
    expect(server.requests).to.have.length(2);
    expect(server.connections, 'one that did not trust, one that was kept').to.equal(2);
  });

  it('that are not trusted are refused once for each set of authorities', async () => {
    const server = await serve();
    const { ca } = await serverCertificate();
    const session = all.open(settingsOf(server.url, ca));
    const attempts = [1, 2].map((number) => errorOf(session.find('/api/cloud/', `edge-${number}`)));
    for (const { message, hint } of await Promise.all(attempts)) {
      expect(message).to.include('is not trusted');
      expect(hint).to.equal('it signed itself: if it is the one of the controller, add it to its CA file');
    }
    expect(server.connections).to.equal(3);
    expect(server.requests).to.deep.equal([]);
  });

  it('that expired are refused', async () => {
    const certificate = await serverCertificate({ notBefore: days(-9), notAfter: days(-2) });
    const server = await serve({ certificate });
    const error = await errorOf(find(settingsOf(server.url, certificate.ca)));
    expect(error.message).to.equal(`${FIND}: the certificate of ${server.url} has expired`);
    expect(error.hint).to.equal(
      'renew it on the controller itself, or in a run with "-e controller_verify_tls=false --limit NAME" once you have compared its fingerprint; or is the clock of this machine wrong?',
    );
  });

  it('that are not valid yet are refused', async () => {
    const certificate = await serverCertificate({ notBefore: days(2), notAfter: days(9) });
    const server = await serve({ certificate });
    const error = await errorOf(find(settingsOf(server.url, certificate.ca)));
    expect(error.message).to.equal(`${FIND}: the certificate of ${server.url} is not valid yet`);
  });

  it('for another name are refused, and their names are shown', async () => {
    const certificate = await serverCertificate({ name: 'lb9.example.com' });
    const server = await serve({ certificate });
    const error = await errorOf(find(settingsOf(server.url, certificate.ca)));
    expect(error.message).to.equal(
      `${FIND}: the certificate of ${server.url} is for another name (DNS:lb9.example.com)`,
    );
    expect(error.hint).to.equal('write a name that the certificate carries in controller_url');
    expect(server.connections).to.equal(1);
  });

  it('without subjectAltName are refused at an IP address, even if it is the common name', async () => {
    const certificate = await serverCertificate({ name: '127.0.0.1', altNames: false });
    const server = await serve({ certificate });
    const error = await errorOf(find(settingsOf(server.url, certificate.ca)));
    expect(error.message).to.equal(
      `${FIND}: the certificate of ${server.url} does not carry its name or address, and has no subjectAltName at all`,
    );
    expect(error.hint).to.equal(
      'install a certificate with the name or IP address of controller_url in subjectAltName',
    );
  });

  it('are not verified if the settings disable it, with one warning', async () => {
    const server = await serve();
    const settings = settingsOf(server.url, undefined, { verifyTls: false });
    expect(await find(settings)).to.equal(undefined);
    expect(await find(settings)).to.equal(undefined);
    expect(warnings).to.deep.equal([
      'lb1: controller_verify_tls is false: anyone on the network path can pose as this controller and read the password',
    ]);
  });

  it('with a short RSA key or without subjectAltName are accepted, with one warning for each controller', async () => {
    const short = await serve({ certificate: await serverCertificate({ rsaBits: 1024 }) });
    const unnamed = await serve({ certificate: await serverCertificate({ altNames: false, rsaBits: 2048 }) });
    for (const controller of ['lb1', 'lb2'])
      for (const server of [short, unnamed])
        for (const name of ['edge', 'other']) {
          const url = server.url.replace('127.0.0.1', server === unnamed ? 'localhost' : '127.0.0.1');
          const settings = settingsOf(url, server.certificate.ca, { controller });
          expect(await all.open(settings).find('/api/cloud/', name)).to.equal(undefined);
        }
    const weak = [
      'its certificate has an RSA key of only 1024 bits: install one with at least 2048 bits (controller_verify_tls: strict refuses this one)',
      'its certificate names the controller only in its common name: install one with the name in subjectAltName (controller_verify_tls: strict refuses this one)',
    ];
    expect(warnings).to.deep.equal(['lb1', 'lb2'].flatMap((name) => weak.map((message) => `${name}: ${message}`)));
  });

  for (const [title, options, host, said, hint] of [
    ['a short RSA key', { rsaBits: 1024 }, '127.0.0.1', 'has an RSA key of only 1024 bits', 'with at least 2048 bits'],
    [
      'no subjectAltName',
      { altNames: false },
      'localhost',
      'names the controller only in its common name',
      'with the name in subjectAltName',
    ],
  ] as const)
    it(`with ${title} are refused by controller_verify_tls: strict, before anything is sent`, async () => {
      const server = await serve({ certificate: await serverCertificate(options) });
      const url = server.url.replace('127.0.0.1', host);
      const settings = settingsOf(url, server.certificate.ca, { verifyTls: 'strict' });
      const error = await errorOf(find(settings));
      expect(error.message).to.equal(
        `${FIND}: the certificate of ${url} ${said}, which controller_verify_tls: strict refuses`,
      );
      expect(error.hint).to.equal(`install a certificate ${hint}`);
      expect(error.outcome).to.equal('unreachable');
      expect(server.requests).to.deep.equal([]);
      expect(warnings).to.deep.equal([]);
    });

  it('of an authority with a short key are refused by controller_verify_tls: strict', async () => {
    const authority = await serverCertificate({ name: 'old-authority', rsaBits: 1024 });
    const server = await serve({ certificate: await serverCertificate({ rsaBits: 2048, authority }) });
    expect(await find(settingsOf(server.url, authority.ca))).to.equal(undefined);
    const error = await errorOf(find(settingsOf(server.url, authority.ca, { verifyTls: 'strict' })));
    expect(error.message).to.include(
      'is signed by old-authority, which has an RSA key of only 1024 bits, which controller_verify_tls: strict refuses',
    );
    expect(error.hint).to.equal('install a certificate of another authority');
  });

  it('that are strong are accepted by controller_verify_tls: strict', async () => {
    for (const options of [{}, { rsaBits: 2048 }, { authority: await serverCertificate({ name: 'authority' }) }]) {
      const server = await serve({ certificate: await serverCertificate(options) });
      const settings = settingsOf(server.url, server.certificate.ca, { verifyTls: 'strict' });
      expect(await find(settings)).to.equal(undefined);
    }
    expect(warnings).to.deep.equal([]);
  });

  for (const [title, options, said, hint] of [
    [
      'signed with SHA-1',
      { algorithm: 'sha1' },
      'or of its authority, is signed with an algorithm that can be forged, such as SHA-1',
      'have it signed again with SHA-256',
    ],
    [
      'for clients',
      { usage: 'client' },
      'is not for a server, or was signed by one that is not of an authority',
      'have it issued as a server certificate (extendedKeyUsage: serverAuth) by a certificate authority',
    ],
  ] as const)
    it(`${title} are refused with the reason, also for a write, of which nothing was sent`, async () => {
      const authority = await serverCertificate({ name: 'authority' });
      const server = await serve({ certificate: await serverCertificate({ ...options, authority }) });
      const session = all.open(settingsOf(server.url, authority.ca));
      const error = await errorOf(session.create('/api/cloud/', 'edge', { name: 'edge' }));
      expect(error.message).to.include(`the certificate of ${server.url}`).and.to.include(said);
      expect(error.hint).to.equal(hint);
      expect(error.outcome).to.equal('unreachable');
      expect(server.requests).to.deep.equal([]);
    });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
    it(`of clients are not sent, and a controller that wants one with ${version} is an error that says so`, async () => {
      const { ca, key, cert } = await serverCertificate();
      const server = createHttpsServer({ key, cert, requestCert: true, minVersion: version, maxVersion: version });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      cleanup.push(() => new Promise((resolve) => server.close(resolve)));
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const error = await errorOf(find(settingsOf(url, ca)));
      expect(error.message)
        .to.include(url)
        .and.match(/\(ERR_SSL_\w+\)/);
      expect(error.hint).to.include('want').and.include('a client certificate, which Evenkeel does not send');
      expect(error.outcome).to.equal('unreachable');
    });

  it('are only needed for https://; http:// causes a warning', async () => {
    const server = await serve({ secure: false });
    expect(await find(settingsOf(server.url, undefined))).to.equal(undefined);
    expect(warnings).to.deep.equal(['lb1: controller_allow_http: the password is sent in clear text']);
  });

  it('cannot be read from a port without TLS, which is an error', async () => {
    const plain = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => new Promise((resolve) => plain.close(resolve)));
    const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    const error = await errorOf(find(settingsOf(url, undefined)));
    expect(error.message).to.equal(`${FIND}: no TLS connection to ${url} (ERR_SSL_WRONG_VERSION_NUMBER)`);
    expect(error.hint).to.equal('does this port speak HTTPS?');
    expect(error.outcome).to.equal('unreachable');
  });
});
