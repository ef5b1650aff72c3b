import { expect } from 'chai';
import { caReader } from '../../src/controller/ca_files.js';
import { Connections } from '../../src/controller/connections.js';
import { Secrets } from '../../src/model/secrets.js';
import type { Value } from '../../src/model/value.js';
import { SessionPool } from '../../src/run/session_pool.js';

const VARIABLES: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['controller_url', 'https://lb1.example.com'],
  ['controller_username', 'admin'],
  ['controller_password', 'of-the-controller'],
  ['controller_api_version', '22.1.3'],
  ['controller_proxy', 'http://relay:of%20the%20proxy@proxy.example.com:3128'],
  ['controller_headers', { 'X-Gateway-Token': 'of-the-gateway', 'X-Region': 'northern-europe' }],
]);

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
