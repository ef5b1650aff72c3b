import { createServer } from 'node:net';
import { expect } from 'chai';
import { Simulator } from '../../src/simulator/simulator.js';
import { freePort } from '../rig/free_port.js';
import { RawClient } from '../rig/raw_client.js';

describe('a simulator', () => {
  it('returns one URL per controller to every caller', async () => {
    const simulator = await Simulator.start();
    const [first, second] = await Promise.all([simulator.startController('lb1'), simulator.startController('lb1')]);
    expect(second).to.deep.equal(first);
    expect((await simulator.startController('lb2')).url).not.to.equal(first.url);
    await simulator.close();
  });

  it('knows only simulated controllers', async () => {
    const simulator = await Simulator.start();
    expect(() => simulator.controller('lb1')).to.throw('no simulated controller "lb1" is running');
    await simulator.close();
  });

  it('reports that a port is in use', async () => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const simulator = await Simulator.start();
    const error: unknown = await simulator.startController('lb1', { port }).catch((reason: unknown) => reason);
    expect(error).to.be.an('error').with.property('message', `port ${port} is in use: choose another one`);
    await new Promise((resolve) => other.close(resolve));
    expect((await simulator.startController('lb1', { port })).url).to.equal(`https://127.0.0.1:${port}`);
    await simulator.close();
  });

  it('ends connections when it closes', async () => {
    const simulator = await Simulator.start();
    const { url } = await simulator.startController('lb1');
    const client = new RawClient(simulator.ca);
    expect((await client.send('GET', `${url}/api/cloud/`)).status).to.equal(200);
    await simulator.close();
    const error: unknown = await client.send('GET', `${url}/api/cloud/`).catch((reason: unknown) => reason);
    expect(error).to.be.an('error');
    await client.close();
  });

  it('can run a thousand controllers', async () => {
    const simulator = await Simulator.start({ log: false });
    const names = Array.from({ length: 1000 }, (_, index) => `lb${index}`);
    const urls = new Set(await Promise.all(names.map(async (name) => (await simulator.startController(name)).url)));
    expect(urls.size).to.equal(1000);
    await simulator.close();
  });
});
