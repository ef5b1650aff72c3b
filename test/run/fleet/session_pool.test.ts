import { expect } from 'chai';
import { caReader } from '../../../src/controller/ca_files.js';
import { Connections } from '../../../src/controller/connections.js';
import type { Controller } from '../../../src/model/inventory.js';
import { Secrets } from '../../../src/model/secrets.js';
import type { Value } from '../../../src/model/value.js';
import type { Connect } from '../../../src/run/input.js';
import { SessionPool } from '../../../src/run/fleet/session_pool.js';

const VARIABLES: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['controller_url', 'https://lb1.example.com'],
  ['controller_username', 'admin'],
  ['controller_password', 'of-the-controller'],
  ['controller_api_version', '22.1.3'],
  ['controller_proxy', 'http://relay:of%20the%20proxy@proxy.example.com:3128'],
  ['controller_headers', { 'X-Gateway-Token': 'of-the-gateway', 'X-Region': 'northern-europe' }],
]);

/** Tells what is opened and closed. */
function pool(forks: number): { pool: SessionPool; told: string[] } {
  const told: string[] = [];
  const connections = new Connections({ signal: new AbortController().signal });
  const connect: Connect = (settings) => {
    const { controller } = settings;
    told.push(`open ${controller}`);
    const session = connections.open(settings);
    return Object.assign(session, {
      close: () => {
        told.push(`close ${controller}`);
        return Promise.resolve();
      },
    });
  };
  const input = { connect, credentials: undefined, forks, secrets: new Secrets(), readCa: caReader('.') };
  return { pool: new SessionPool(input), told };
}

describe('the sessions of a run', () => {
  const lookup = (name: string): Value | undefined => VARIABLES.get(name);
  const named = (name: string): Controller => ({ name, groups: [], layers: [] });

  it('are one for each controller, whoever speaks', async () => {
    const { pool: sessions, told } = pool(5);
    const borrowed = sessions.borrow(named('lb1'), lookup);
    expect(await borrowed.open()).to.equal(await sessions.open(named('lb1'), lookup));
    await borrowed.giveBack();
    await sessions.close('lb1');
    expect(told).to.deep.equal(['open lb1', 'close lb1']);
  });

  it('stay open as long as a task speaks that was delegated, though the controller is done', async () => {
    const { pool: sessions, told } = pool(0);
    await sessions.open(named('lb1'), lookup);
    const [one, two] = [sessions.borrow(named('lb1'), lookup), sessions.borrow(named('lb1'), lookup)];
    await one.open();
    await sessions.close('lb1');
    await one.giveBack();
    await two.open();
    expect(told).to.deep.equal(['open lb1']);
    await two.giveBack();
    expect(told).to.deep.equal(['open lb1', 'close lb1']);
  });

  it('that were borrowed stay for the next task, but no more than may be at work', async () => {
    const { pool: sessions, told } = pool(1);
    for (const name of ['lb1', 'lb2']) {
      const borrowed = sessions.borrow(named(name), lookup);
      await borrowed.open();
      await borrowed.giveBack();
    }
    expect(told).to.deep.equal(['open lb1', 'open lb2', 'close lb2']);
    await sessions.closeAll();
    expect(told.at(-1)).to.equal('close lb1');
  });
});

describe('secrets of a session', () => {
  it("are the controller's password, its proxy's, and headers that sign in", async () => {
    const secrets = new Secrets();
    const connections = new Connections({ signal: new AbortController().signal });
    const pool = new SessionPool({
      connect: (settings) => Promise.resolve(connections.open(settings)),
      credentials: undefined,
      forks: 5,
      secrets,
      readCa: caReader('.'),
    });
    const controller = { name: 'lb1', groups: [], layers: [] };
    await pool.open(controller, (name) => VARIABLES.get(name));
    const basic = Buffer.from('admin:of-the-controller').toString('base64');
    const shown = secrets.mask(
      `of-the-controller ${basic} of the proxy, of%20the%20proxy of-the-gateway northern-europe`,
    );
    expect(shown).to.equal('******** ******** ********, ******** ******** northern-europe');
    await pool.closeAll();
    await connections.close();
  });
});
