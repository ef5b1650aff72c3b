import { expect } from 'chai';
import fc from 'fast-check';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';

describe('references of a strict simulated controller', () => {
  let lb1: AviController;

  before(async () => {
    lb1 = await startAviController();
    await lb1.client.object('POST', '/api/cloud', { name: 'edge', vtype: 'CLOUD_NONE' });
    await lb1.client.object('POST', '/api/cloud', { name: 'core', vtype: 'CLOUD_NONE' });
  });

  after(() => lb1.close());

  let count = 0;
  const create = (body: JsonObject): Promise<JsonObject> =>
    lb1.client.object('POST', '/api/pool', { name: `pool ${(count += 1)}`, ...body });

  async function one(path: string): Promise<JsonObject & { readonly url: string; readonly uuid: string }> {
    const { results } = await lb1.client.object('GET', path);
    const [first] = results as unknown as readonly (JsonObject & { readonly url: string; readonly uuid: string })[];
    if (first === undefined) throw new Error(`nothing at ${path}`);
    return first;
  }

  async function refusal(body: JsonObject): Promise<readonly unknown[]> {
    const { status, json } = await lb1.client.send('POST', '/api/pool', { name: 'refused', ...body });
    return [status, (json() as JsonObject)['error']];
  }

  it('are full URLs, with the name in replies to writes and if a GET requests it', async () => {
    const { url } = await one('/api/healthmonitor?name=System-TCP');
    const created = await create({ health_monitor_refs: ['/api/healthmonitor?name=System-TCP'] });
    expect(created['health_monitor_refs']).to.deep.equal([`${url}#System-TCP`]);
    const path = `/api/pool/${textOrEmpty(created['uuid'])}`;
    expect((await lb1.client.object('GET', path))['health_monitor_refs']).to.deep.equal([url]);
    expect(await lb1.client.object('GET', path)).to.include({ tenant_ref: `${lb1.url}/api/tenant/admin` });
    const named = await lb1.client.object('GET', `${path}?include_name`);
    expect(named['health_monitor_refs']).to.deep.equal([`${url}#System-TCP`]);
    expect(named['url']).to.equal(`${lb1.url}${path}#${textOrEmpty(created['name'])}`);
  });

  it('by name mean the object in the cloud of the referring object, or in the cloud that they name', async () => {
    const inEdge = await one('/api/vrfcontext?name=global&cloud_ref.name=edge');
    const inCore = await one('/api/vrfcontext?name=global&cloud_ref.name=core');
    const own = await create({ cloud_ref: '/api/cloud?name=edge', vrf_ref: '/api/vrfcontext?name=global' });
    expect(own['vrf_ref']).to.equal(`${inEdge.url}#global`);
    const other = await create({ vrf_ref: '/api/vrfcontext/?name=global&cloud=core' });
    expect(other['vrf_ref']).to.equal(`${inCore.url}#global`);
  });

  it('to an object that does not exist are refused with 404, and nothing is created', async () => {
    const expected = [404, 'HealthMonitor object not found!'];
    for (const reference of [
      '/api/healthmonitor?name=nope',
      '/api/healthmonitor/healthmonitor-00000000-0000-4000-8000-000000000000',
      'System-HTTP',
    ]) {
      expect(await refusal({ health_monitor_refs: [reference] }), reference).to.deep.equal(expected);
    }
    expect(await refusal({ cloud_ref: '/api/cloud?name=nope' })).to.deep.equal([404, 'Cloud object not found!']);
    expect((await lb1.client.object('GET', '/api/pool?name=refused'))['count']).to.equal(0);
  });

  it('to another kind are refused', async () => {
    expect(await refusal({ vrf_ref: '/api/pool?name=web' })).to.deep.equal([
      400,
      'Invalid reference "/api/pool?name=web" in field "vrf_ref": must refer to VrfContext.',
    ]);
  });

  it('that are ambiguous are refused', async () => {
    const body = {
      name: 'ipam',
      type: 'IPAMDNS_TYPE_INTERNAL',
      internal_profile: { usable_networks: [{ nw_ref: '/api/network?name=n' }] },
    };
    for (const cloud of ['edge', 'core']) {
      await lb1.client.object('POST', '/api/network', { name: 'n', cloud_ref: `/api/cloud?name=${cloud}` });
    }
    const { status, text } = await lb1.client.send('POST', '/api/ipamdnsproviderprofile', body);
    expect([status, text]).to.deep.equal([
      400,
      '{"error":"Reference \\"/api/network?name=n\\" in field \\"nw_ref\\" is ambiguous: 2 objects have this name."}',
    ]);
  });

  it('mean the same however they are written, and can be sent back as read', async () => {
    const { url, uuid } = await one('/api/vrfcontext?name=global&cloud_ref.name=edge');
    const cloud = await one('/api/cloud?name=edge');
    const ways = (kind: string, name: string, at: string, full: string): readonly string[] => [
      `/api/${kind}?name=${name}`,
      `/api/${kind}/?name=${name}&cloud=edge`,
      `/api/${kind}/${at}`,
      full,
      `${full}#${name}`,
      `https://another.example:9443/api/${kind}/${at}`,
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ways('vrfcontext', 'global', uuid, url)),
        fc.constantFrom(...ways('cloud', 'edge', cloud.uuid, cloud.url)),
        async (vrf_ref, cloud_ref) => {
          const created = await create({ cloud_ref, vrf_ref });
          expect(created).to.include({ vrf_ref: `${url}#global`, cloud_ref: `${cloud.url}#edge` });
          const path = `/api/pool/${textOrEmpty(created['uuid'])}`;
          const read = await lb1.client.object('GET', path);
          const before = { ...read, _last_modified: '' };
          await lb1.client.object('PUT', path, read);
          const after = { ...(await lb1.client.object('GET', path)), _last_modified: '' };
          expect(after).to.deep.equal(before);
        },
      ),
      { numRuns: 20 },
    );
  });
});
