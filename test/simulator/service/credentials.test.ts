import { expect } from 'chai';
import { basic, RawClient } from '../../rig/raw_client.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

describe('signing in to a simulated controller', () => {
  let fleet: Fleet;
  let client: RawClient;
  let clouds: string;
  let system: string;

  beforeEach(async () => {
    fleet = await startFleet();
    client = new RawClient(fleet.ca);
    clouds = `${fleet.url('lb1')}/api/cloud/`;
    system = `${fleet.url('lb1')}/api/systemconfiguration`;
  });

  afterEach(async () => {
    await client.close();
    await fleet.dispose();
  });

  it('answers 401 without credentials', async () => {
    const { status, headers, text } = await client.send('GET', clouds, { headers: { authorization: undefined } });
    expect(status).to.equal(401);
    expect(headers['www-authenticate']).to.equal('Basic realm="controller"');
    expect(text).to.equal('{"error":"Authentication credentials were not provided."}');
  });

  for (const [what, authorization] of [
    ['another password', basic('admin', 'wrong')],
    ['another user', basic('root', 'simulated')],
    ['another scheme', 'Bearer c2ltdWxhdGVk'],
    ['broken base64', 'Basic ???'],
  ] as const) {
    it(`answers 401 to ${what}`, async () => {
      const { status, text } = await client.send('GET', clouds, { headers: { authorization } });
      expect(status).to.equal(401);
      expect(text).to.equal('{"error":"Invalid credentials."}');
    });
  }

  it('answers 400 without the version header, on reads and on writes', async () => {
    const headers = { 'x-vendor-version': undefined };
    const replies = [
      await client.send('GET', clouds, { headers }),
      await client.send('POST', clouds, { headers, body: { name: 'edge' } }),
      await client.send('PUT', system, { headers, body: {} }),
    ];
    for (const { status, text } of replies) {
      expect(status).to.equal(400);
      expect(text).to.equal('{"error":"Header X-Vendor-Version is required."}');
    }
  });

  it('answers 400 to versions that it does not support', async () => {
    const { url } = await fleet.simulator.startController('old', { apiVersions: ['20.1.4', '22.1.3', '9.9.9'] });
    const answers = ['22.1.3', '22.1.10', '18.2.6'].map(async (version) => {
      const headers = { 'x-vendor-version': version };
      const { status, text } = await client.send('GET', `${url}/api/cloud/`, { headers });
      return status === 200 ? status : [status, (JSON.parse(text) as { error: string }).error];
    });
    expect(await Promise.all(answers)).to.deep.equal([
      200,
      [400, 'Invalid version 22.1.10 in header X-Vendor-Version. Supported upto 22.1.3.'],
      [400, 'Invalid version 18.2.6 in header X-Vendor-Version. Supported: 20.1.4, 22.1.3, 9.9.9.'],
    ]);
  });

  for (const version of ['22.1', '22.1.3.4', 'v22.1.3', '22.1.x', '']) {
    it(`answers 400 to the version "${version}"`, async () => {
      const { status, text } = await client.send('GET', clouds, { headers: { 'x-vendor-version': version } });
      expect(status).to.equal(400);
      expect(JSON.parse(text)).to.deep.equal({
        error: `Header X-Vendor-Version must be <major>.<minor>.<patch>, not "${version}".`,
      });
    });
  }

  it('uses the credentials, the version header and the path that it was given', async () => {
    const other = await fleet.simulator.startController('other', {
      username: 'ops',
      password: 'pä:ss',
      versionHeader: 'X-Other-Version',
      prefix: '/lb/7',
    });
    const headers = {
      authorization: basic('ops', 'pä:ss'),
      'x-vendor-version': undefined,
      'x-other-version': '1.2.3',
    };
    expect(other.url).to.match(/^https:\/\/127\.0\.0\.1:\d+\/lb\/7$/);
    expect((await client.send('GET', `${other.url}/api/cloud/`, { headers })).status).to.equal(200);
    expect((await client.send('GET', `${new URL(other.url).origin}/api/cloud/`, { headers })).status).to.equal(404);
  });
});
