import { execFileSync, type ChildProcess } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { serverCertificate } from '../rig/certificates.js';
import { emptyProject, evenkeel, type Ended, type Project } from '../rig/command.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { freePort } from '../rig/free_port.js';
import { haveAll } from '../rig/programs.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { end, start } from '../rig/ssh.js';

const USER = ['ann', 'pass-of-ann'] as const;

/** Waits until something listens there. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => {
        resolve(false);
      });
    });
    if (isOpen) return;
  }
}

describe('real proxies', function () {
  this.timeout(60_000);
  let fleet: Fleet;
  let child: ChildProcess | undefined;

  before(async () => {
    fleet = await startFleet({ controllers: 2 });
  });
  afterEach(() => end(child));
  after(() => fleet.dispose());

  const ask = async (url: string, name = 'lb1') => {
    const run = connections({ retry: { attempts: 1, baseMs: 1, capMs: 1, deadlineSeconds: 1 } });
    const session = run.open(
      settingsOf(fleet.url(name), fleet.ca, { password: fleet.password, route: { name: 'corp', proxies: [url] } }),
    );
    const answer = session.find('/api/cloud/', 'edge');
    const [result] = await Promise.allSettled([answer]);
    await run.close();
    return result.status === 'rejected' ? (await errorOf(answer)).message : 'found';
  };

  describe('microsocks, with a password', () => {
    let port: number;
    beforeEach(async function () {
      if (!haveAll('microsocks', 'microsocks')) this.skip();
      port = await freePort();
      ({ child } = start('microsocks', ['-i', '127.0.0.1', '-p', String(port), '-u', USER[0], '-P', USER[1]]));
      await listening(port);
    });

    it('lets the right user through', async () => {
      expect(await ask(`socks5h://${USER.join(':')}@127.0.0.1:${port}`)).to.equal('found');
      expect(await ask(`socks5://${USER.join(':')}@127.0.0.1:${port}`)).to.equal('found');
    });

    it('refuses others', async () => {
      expect(await ask(`socks5h://ann:wrong@127.0.0.1:${port}`)).to.equal(
        `route corp: 127.0.0.1:${port} refuses the user name or the password`,
      );
      expect(await ask(`socks5h://127.0.0.1:${port}`)).to.equal(
        `route corp: 127.0.0.1:${port} wants a user name and a password`,
      );
    });

    it('says that a controller refuses connections', async () => {
      const other = await startFleet();
      const { host } = new URL(other.url('lb1'));
      const run = connections();
      await other.dispose();
      const route = { name: 'corp', proxies: [`socks5h://${USER.join(':')}@127.0.0.1:${port}`] };
      const error = await errorOf(
        run.open(settingsOf(`https://${host}`, fleet.ca, { route })).find('/api/cloud/', 'edge'),
      );
      expect(error.message).to.include(`cannot reach ${host}: connection refused`);
      await run.close();
    });
  });

  describe('tinyproxy, with a password', () => {
    let port: number;
    beforeEach(async function () {
      if (!haveAll('tinyproxy', 'tinyproxy')) this.skip();
      port = await freePort();
      const config = path.join(fleet.directory, 'tinyproxy.conf');
      const own = new URL(fleet.url('lb1')).port;
      await writeFile(
        config,
        `Port ${port}\nListen 127.0.0.1\nTimeout 60\nBasicAuth ${USER.join(' ')}\nConnectPort ${own}\n`,
      );
      ({ child } = start('tinyproxy', ['-d', '-c', config]));
      await listening(port);
    });

    it('lets the right user through, to the ports that it allows', async () => {
      expect(await ask(`http://${USER.join(':')}@127.0.0.1:${port}`)).to.equal('found');
      expect(await ask(`http://${USER.join(':')}@127.0.0.1:${port}`, 'lb2')).to.equal(
        `GET /api/cloud/?name=edge: route corp: 127.0.0.1:${port} cannot reach ${new URL(fleet.url('lb2')).host}: it answers 403`,
      );
    });

    it('refuses others', async () => {
      expect(await ask(`http://ann:wrong@127.0.0.1:${port}`)).to.match(
        /^route corp: .* refuses the user name or the password \(40\d\)$/,
      );
      expect(await ask(`http://127.0.0.1:${port}`)).to.equal(
        `route corp: 127.0.0.1:${port} wants a user name and a password (407)`,
      );
    });
  });

  describe('squid, over TLS and with a password', () => {
    let port: number;
    let project: Project;
    beforeEach(async function () {
      if (!haveAll('squid', 'squid', 'openssl')) this.skip();
      port = await freePort();
      const { ca, key, cert } = await serverCertificate();
      project = await emptyProject({
        'proxy.pem': `${cert}\n${key}`,
        'ca.pem': ca,
        users: `${USER[0]}:${execFileSync('openssl', ['passwd', '-apr1', USER[1]], { encoding: 'utf8' })}`,
        'play.yml': '- hosts: all\n  tasks: [{ cloud_present: { name: edge, vtype: CLOUD_NONE } }]\n',
      });
      // Squid gives up the rights of root.
      await chmod(project.directory, 0o755);
      const file = (name: string): string => path.join(project.directory, name);
      await writeFile(
        file('squid.conf'),
        [
          `https_port 127.0.0.1:${port} tls-cert=${file('proxy.pem')}`,
          `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${file('users')}`,
          'auth_param basic children 1',
          'acl known proxy_auth REQUIRED',
          'http_access allow known',
          'pid_filename none',
          'access_log none',
          'cache_log /dev/stderr',
          'cache deny all',
          'netdb_filename none',
          'pinger_enable off',
          '',
        ].join('\n'),
      );
      ({ child } = start('squid', ['-N', '-f', file('squid.conf')]));
      await listening(port);
    });
    afterEach(() => project.remove());

    const run = (user: string, env: Readonly<Record<string, string>>): Promise<Ended> =>
      evenkeel(
        ['run', 'play.yml', '-i', fleet.inventoryFile, '-e', `controller_proxy=https://${user}localhost:${port}`],
        { cwd: project.directory, env },
      );

    it('lets the right user through, if its certificate is trusted', async () => {
      const trusted = { NODE_EXTRA_CA_CERTS: path.join(project.directory, 'ca.pem') };
      const { code, stderr } = await run(`${USER.join(':')}@`, trusted);
      expect(code, stderr).to.equal(0);
      expect(await run('', trusted))
        .to.have.property('stdout')
        .that.includes('wants a user name and a password (407)');
      const untrusted = await run(`${USER.join(':')}@`, {});
      expect(untrusted.stdout).to.include(
        `the proxy localhost:${port} has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      );
      expect(untrusted.stdout).to.include('hint: name a file with its authority in NODE_EXTRA_CA_CERTS');
      expect(untrusted.code).to.equal(4);
    });
  });
});
