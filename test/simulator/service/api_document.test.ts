import { expect } from 'chai';
import { isJsonObject, type JsonObject, type SimulatedJson } from '../../../src/simulator/protocol/exchange.js';
import { Simulator } from '../../../src/simulator/simulator.js';
import { RawClient } from '../../rig/raw_client.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

function uuidOf(value: JsonObject): string {
  const { uuid } = value;
  if (typeof uuid !== 'string') throw new Error('it has no uuid');
  return uuid;
}

function object(value: SimulatedJson | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error(`not an object: ${JSON.stringify(value)}`);
  return value;
}

describe('a simulated controller, by the API document', () => {
  let fleet: Fleet;
  let client: RawClient;
  let url: string;
  let clouds: string;
  let system: string;

  beforeEach(async () => {
    fleet = await startFleet();
    client = new RawClient(fleet.ca);
    url = fleet.url('lb1');
    clouds = `${url}/api/cloud/`;
    system = `${url}/api/systemconfiguration`;
  });

  afterEach(async () => {
    await client.close();
    await fleet.dispose();
  });

  async function create(name: string): Promise<JsonObject> {
    return object((await client.send('POST', clouds, { body: { name } })).json());
  }

  describe('clouds', () => {
    it('lists none with count 0', async () => {
      const reply = await client.send('GET', `${clouds}?name=edge`);
      expect(reply.status).to.equal(200);
      expect(reply.json()).to.deep.equal({ count: 0, results: [] });
    });

    it('creates with 201, a new uuid and the defaults', async () => {
      const reply = await client.send('POST', clouds, { body: { name: 'edge', mtu: 9000, shoe_size: 43 } });
      expect(reply.status).to.equal(201);
      const created = object(reply.json());
      expect(created).to.include({ name: 'edge', mtu: 9000, shoe_size: 43, vtype: 'CLOUD_NONE', dhcp_enabled: false });
      expect(created['uuid']).to.match(/^cloud-[0-9a-f-]{36}$/);
      expect((await client.send('GET', `${clouds}?name=edge`)).json()).to.deep.equal({ count: 1, results: [created] });
    });

    it('filters by the exact name', async () => {
      for (const name of ['edge', 'edge-1', 'Edge', 'a&b=c d']) await create(name);
      for (const name of ['edge', 'a&b=c d']) {
        const found = object((await client.send('GET', `${clouds}?name=${encodeURIComponent(name)}`)).json());
        expect(found['count']).to.equal(1);
      }
    });

    it('replaces with PUT: absent fields are lost, except defaults and fields of the server', async () => {
      const uuid = uuidOf(
        object((await client.send('POST', clouds, { body: { name: 'edge', mtu: 9000, note: 'x' } })).json()),
      );
      const reply = await client.send('PUT', `${clouds}${uuid}`, {
        body: { name: 'edge', dhcp_enabled: true },
      });
      expect(reply.status).to.equal(200);
      expect(reply.json())
        .to.include({ uuid, name: 'edge', mtu: 1500, dhcp_enabled: true })
        .and.not.have.property('note');
    });

    it('refuses a second cloud of the same name with 409', async () => {
      await create('edge');
      const { status, text } = await client.send('POST', clouds, { body: { name: 'edge' } });
      expect(status).to.equal(409);
      expect(JSON.parse(text)).to.deep.equal({ error: 'cloud object with name "edge" already exists.' });
    });

    it('refuses to rename to an existing name', async () => {
      await create('edge');
      const uuid = uuidOf(await create('core'));
      expect((await client.send('PUT', `${clouds}${uuid}`, { body: { name: 'edge' } })).status).to.equal(409);
    });

    for (const [what, request, status, error] of [
      ['a uuid', { body: { name: 'edge', uuid: 'x' } }, 400, 'uuid is made by the controller and must not be sent.'],
      ['no name', { body: { mtu: 1500 } }, 400, 'name is required.'],
      ['a name that is no text', { body: { name: 7 } }, 400, 'name must be of type string.'],
      ['no JSON', { text: '{"name": ' }, 400, 'The body is not valid JSON.'],
      ['a list', { body: [] }, 400, 'The body must be a JSON object.'],
      [
        'a form',
        { text: 'name=edge', headers: { 'content-type': 'text/plain' } },
        415,
        'The body must be application/json.',
      ],
    ] as const) {
      it(`refuses a create with ${what}`, async () => {
        const reply = await client.send('POST', clouds, request);
        expect(reply.status).to.equal(status);
        expect(reply.json()).to.deep.equal({ error });
        expect(fleet.controller('lb1').objects('/api/cloud/')).to.be.empty;
      });
    }

    it('answers 404 to an unknown uuid', async () => {
      const { status, text } = await client.send('PUT', `${clouds}nobody`, { body: { name: 'edge' } });
      expect(status).to.equal(404);
      expect(JSON.parse(text)).to.deep.equal({ error: 'cloud object nobody not found.' });
    });

    it('has no other operation except DELETE', async () => {
      const uuid = uuidOf(await create('edge'));
      expect((await client.send('DELETE', clouds)).status).to.equal(405);
      expect((await client.send('PUT', clouds, { body: {} })).status).to.equal(405);
      expect((await client.send('GET', `${clouds}${uuid}`)).status).to.equal(405);
      expect((await client.send('PATCH', `${clouds}${uuid}`, { body: {} })).status).to.equal(405);
      expect((await client.send('GET', `${url}/api/cloud`)).status).to.equal(404);
      expect((await client.send('GET', `${url}/`)).status).to.equal(404);
    });
  });

  describe('the system configuration', () => {
    it('is replaced as a whole, and both success codes occur', async () => {
      const body = {
        dns_configuration: { search_domain: 'example.com', server_list: [{ type: 'V4', addr: '10.0.0.53' }] },
      };
      const first = await client.send('PUT', system, { body });
      expect(first.status).to.equal(201);
      expect(first.json()).to.deep.include(body).and.not.have.property('email_configuration');
      expect((await client.send('PUT', system, { body })).status).to.equal(200);
      expect((await client.send('GET', system)).json()).to.deep.include(body);
    });

    it('refuses wrong types of the listed fields, and accepts any type of others', async () => {
      const wrong = await client.send('PUT', system, { body: { dns_configuration: { server_list: [{ addr: 7 }] } } });
      expect(wrong.status).to.equal(400);
      expect(wrong.json()).to.deep.equal({ error: 'dns_configuration.server_list[0].addr must be of type string.' });
      const port = await client.send('PUT', system, { body: { portal_configuration: { http_port: '80' } } });
      expect(port.json()).to.deep.equal({ error: 'portal_configuration.http_port must be of type integer.' });
      expect((await client.send('PUT', system, { body: { fips_mode: 'no' } })).status).to.equal(201);
    });

    it('can lock out: without Basic authentication, nobody can sign in', async () => {
      await client.send('PUT', system, { body: { portal_configuration: { allow_basic_authentication: false } } });
      const { status, text } = await client.send('GET', system);
      expect(status).to.equal(401);
      expect(JSON.parse(text)).to.deep.equal({
        error: 'Basic authentication is disabled (portal_configuration.allow_basic_authentication).',
      });
    });

    it('has no POST, and no slash at its end', async () => {
      expect((await client.send('POST', system, { body: {} })).status).to.equal(405);
      expect((await client.send('GET', `${system}/`)).status).to.equal(404);
    });
  });

  it('handles any other collection and singleton in the same way', async () => {
    const pools = `${url}/api/pool/`;
    const created = object((await client.send('POST', pools, { body: { name: 'web' } })).json());
    expect(created).to.have.keys('name', 'uuid', 'url', '_last_modified');
    expect((await client.send('PUT', `${pools}${uuidOf(created)}`, { body: { name: 'web' } })).status).to.equal(200);
    expect((await client.send('PUT', `${url}/api/backup/scheduler`, { body: { hour: 3 } })).status).to.equal(201);
    expect((await client.send('GET', `${url}/api/backup/scheduler`)).json()).to.include({ hour: 3 });
  });

  it('is trusted as localhost and as 127.0.0.1, but only through its authority', async () => {
    expect((await client.send('GET', clouds.replace('127.0.0.1', 'localhost'))).status).to.equal(200);
    const stranger = await Simulator.start();
    const distrustful = new RawClient(stranger.ca);
    const error: unknown = await distrustful.send('GET', clouds).catch((reason: unknown) => reason);
    await distrustful.close();
    await stranger.close();
    expect(error).to.be.an('error').with.property('code', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  it('remembers its requests', async () => {
    await client.send('GET', `${clouds}?name=edge`);
    await client.send('POST', clouds, { body: { name: 'edge' } });
    const lb1 = fleet.controller('lb1');
    expect(
      lb1.requests.map(({ method, path, query, body, status }) => ({ method, path, query, body, status })),
    ).to.deep.equal([
      { method: 'GET', path: '/api/cloud/', query: { name: 'edge' }, body: '', status: 200 },
      { method: 'POST', path: '/api/cloud/', query: {}, body: '{"name":"edge"}', status: 201 },
    ]);
    lb1.clearRequests();
    expect(lb1.requests).to.be.empty;
  });
});
