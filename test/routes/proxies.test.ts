import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { haveAll } from '../rig/programs.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { end, freePort, start } from '../rig/ssh.js';

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
});
