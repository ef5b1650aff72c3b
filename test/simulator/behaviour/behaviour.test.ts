import { expect } from 'chai';
import { RateLimit } from '../../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../../src/simulator/controller/controller.js';
import { RawClient, type RawReply } from '../../rig/raw_client.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

describe('a simulated controller that misbehaves', () => {
  let fleet: Fleet;
  let client: RawClient;
  let lb1: SimulatedController;
  let clouds: string;
  let system: string;

  beforeEach(async () => {
    fleet = await startFleet();
    client = new RawClient(fleet.ca);
    lb1 = fleet.controller('lb1');
    clouds = `${fleet.url('lb1')}/api/cloud/`;
    system = `${fleet.url('lb1')}/api/systemconfiguration`;
  });

  afterEach(async () => {
    await client.close();
    await fleet.dispose();
  });

  const create = (name: string): Promise<RawReply> => client.send('POST', clouds, { body: { name } });
  const list = async (name: string): Promise<unknown> => (await client.send('GET', `${clouds}?name=${name}`)).json();
  const names = (): readonly unknown[] => lb1.objects('/api/cloud/').map((object) => object['name']);

  describe('filters', () => {
    beforeEach(() => {
      lb1.setObjects('/api/cloud/', [{ name: 'edge' }, { name: 'edge-2' }, { name: 'EDGE' }, { name: 'core' }]);
    });

    for (const [filter, results] of [
      ['exact', ['edge']],
      ['substring', ['edge', 'edge-2']],
      ['case-insensitive', ['edge', 'EDGE']],
      ['ignored', ['edge', 'edge-2', 'EDGE', 'core']],
    ] as const) {
      it(filter, async () => {
        lb1.behaviour = { filter };
        expect(await list('edge')).to.deep.equal({ count: results.length, results: results.map((name) => ({ name })) });
      });
    }
  });

  it('allows duplicate names, or refuses them with 400', async () => {
    await create('edge');
    lb1.behaviour = { duplicates: 'allow' };
    expect((await create('edge')).status).to.equal(201);
    lb1.behaviour = { duplicates: 400 };
    expect((await create('edge')).status).to.equal(400);
    expect(names()).to.deep.equal(['edge', 'edge']);
  });

  for (const unreadable of [404, 405, 501] as const) {
    it(`refuses the GET of the system configuration: ${unreadable}`, async () => {
      lb1.behaviour = { unreadable };
      expect((await client.send('GET', system)).status).to.equal(unreadable);
      expect((await client.send('PUT', system, { body: {} })).status).to.equal(201);
    });
  }

  describe('pages', () => {
    beforeEach(() => {
      lb1.setObjects('/api/cloud/', [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    });

    const page = async (address: string): Promise<Readonly<Record<string, unknown>>> =>
      JSON.parse((await client.send('GET', address)).text) as Record<string, unknown>;

    for (const next of ['absolute', 'relative'] as const) {
      it(`with ${next} next`, async () => {
        lb1.behaviour = { paging: { size: 2, next } };
        const first = await page(clouds);
        expect(first).to.deep.include({ count: 3, results: [{ name: 'a' }, { name: 'b' }] });
        const address = next === 'absolute' ? `${clouds}?page=2` : '/api/cloud/?page=2';
        expect(first['next']).to.equal(address);
        expect(await page(new URL(address, clouds).href)).to.deep.equal({ count: 3, results: [{ name: 'c' }] });
      });
    }

    it('with a next link to another host, in a loop, or missing', async () => {
      lb1.behaviour = { paging: { size: 2, next: 'foreign' } };
      expect((await page(clouds))['next']).to.equal('https://elsewhere.invalid/api/cloud/?page=2');
      lb1.behaviour = { paging: { size: 2, next: 'loop' } };
      expect((await page(clouds))['next']).to.equal(`${clouds}?page=1`);
      lb1.behaviour = { paging: { size: 2, next: 'missing' } };
      expect(await page(clouds)).to.deep.equal({ count: 3, results: [{ name: 'a' }, { name: 'b' }] });
    });
  });

  it('sends a wrong count', async () => {
    lb1.behaviour = { count: 2 };
    expect(await list('edge')).to.deep.equal({ count: 2, results: [] });
  });

  it('reads secrets back as <sensitive>, at any depth, and keeps them', async () => {
    lb1.behaviour = { sensitive: true };
    const body = {
      name: 'edge',
      vcenter_configuration: { username: 'u', password: 'p4ssw0rd' },
      list: [{ token: 't0ken' }],
    };
    const created = await client.send('POST', clouds, { body });
    expect(created.json()).to.deep.include({
      vcenter_configuration: { username: 'u', password: '<sensitive>' },
      list: [{ token: '<sensitive>' }],
    });
    expect(lb1.objects('/api/cloud/')[0]).to.deep.include(body);
  });

  it('has followers that lag: a number of reads see the old state', async () => {
    lb1.behaviour = { lag: 2 };
    await create('edge');
    const seen = [await list('edge'), await list('edge'), await list('edge')];
    expect(seen.slice(0, 2)).to.deep.equal([
      { count: 0, results: [] },
      { count: 0, results: [] },
    ]);
    expect(seen[2]).to.include({ count: 1 });
    const before = (await client.send('GET', system)).json();
    await client.send('PUT', system, { body: { linux_configuration: { motd: 'hello' } } });
    expect((await client.send('GET', system)).json()).to.deep.equal(before);
  });

  it('refuses a stale _last_modified with 412', async () => {
    lb1.behaviour = { locking: true };
    const stale = lb1.object('/api/systemconfiguration');
    expect((await client.send('PUT', system, { body: stale })).status).to.equal(201);
    const { status, text } = await client.send('PUT', system, { body: stale });
    expect(status).to.equal(412);
    expect(JSON.parse(text)).to.deep.equal({ error: 'Concurrent update: the object was changed since it was read.' });
    expect((await client.send('PUT', system, { body: lb1.object('/api/systemconfiguration') })).status).to.equal(200);
    expect((await client.send('PUT', system, { body: {} })).status).to.equal(200);
  });

  it('counts the requests of each window of the rate anew', () => {
    const limit = new RateLimit();
    const refused = [1000, 1999, 2000, 2001].map((now) => limit.refuse({ requests: 1, seconds: 1 }, now)?.status);
    expect(refused).to.deep.equal([undefined, 429, undefined, 429]);
  });

  it('limits the rate with 429 and Retry-After', async () => {
    lb1.behaviour = { rate: { requests: 2, seconds: 3600 } };
    await list('edge');
    await list('edge');
    const { status, headers } = await client.send('GET', clouds);
    expect(status).to.equal(429);
    expect(Number(headers['retry-after'])).to.be.within(3590, 3600);
  });
});
