import { expect } from 'chai';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';

describe('lists of a strict simulated controller', () => {
  let lb1: AviController;
  const pools = new Map<string, JsonObject>();

  before(async () => {
    lb1 = await startAviController();
    const clouds = (await list('/api/cloud')).results;
    for (const [index, name] of ['web', 'Web-2', 'api', 'db,1'].entries()) {
      const body = {
        name,
        enabled: index !== 2,
        default_server_port: 8080 + index,
        cloud_ref: clouds[0]?.['url'] ?? '',
      };
      pools.set(name, await lb1.client.object('POST', '/api/pool', body));
    }
  });
  after(() => lb1.close());

  interface Listed {
    readonly count: number;
    readonly next?: string;
    readonly results: readonly JsonObject[];
  }
  const list = async (path: string): Promise<Listed> => (await lb1.client.object('GET', path)) as unknown as Listed;
  const names = async (query: string): Promise<readonly string[]> =>
    (await list(`/api/pool?${query}`)).results.map(({ name }) => textOrEmpty(name));

  it('are filtered by fields, in each form that a field can be compared', async () => {
    const all = ['web', 'Web-2', 'api', 'db,1'];
    const uuid = textOrEmpty(pools.get('api')?.['uuid']);
    for (const [query, found] of [
      ['name=web', ['web']],
      ['name=WEB', []],
      ['name.contains=eb', ['web', 'Web-2']],
      ['name.contains=web', ['web']],
      ['name.icontains=WEB', ['web', 'Web-2']],
      ['name.in=web,api,gone', ['web', 'api']],
      ['name.in=db', []],
      ['enabled=false', ['api']],
      ['enabled=true', ['web', 'Web-2', 'db,1']],
      ['default_server_port=8081', ['Web-2']],
      ['default_server_port=808', []],
      [`uuid=${uuid}`, ['api']],
      ['cloud_ref.name=Default-Cloud', all],
      ['cloud_ref.name=Other', []],
      ['description=x', []],
      ['nothing=x', all],
      ['name.unknown=x', all],
      ['enabled=true&name.icontains=web', ['web', 'Web-2']],
    ] as const)
      expect(await names(query), query).to.deep.equal(found);
  });

  it('come in pages, each with the address of the next', async () => {
    const first = await list('/api/pool?page_size=3');
    expect([first.count, first.results.length, first.next]).to.deep.equal([
      4,
      3,
      `${lb1.url}/api/pool?page_size=3&page=2`,
    ]);
    const second = await list('/api/pool?page_size=3&page=2');
    expect([second.count, second.results.map(({ name }) => name), second.next]).to.deep.equal([4, ['db,1'], undefined]);
    expect((await list('/api/pool?page_size=4')).next).to.equal(undefined);
    expect((await list('/api/pool?page_size=2&page=2')).next).to.equal(undefined);
    expect((await list('/api/pool?name=gone')).results).to.deep.equal([]);
  });

  it('have no pages beyond the last one, and none of an impossible size', async () => {
    const status = async (query: string) => (await lb1.client.send('GET', `/api/pool?${query}`)).status;
    for (const [query, expected] of [
      ['page=1', 200],
      ['page=2', 404],
      ['page_size=2&page=2', 200],
      ['page_size=2&page=3', 404],
      ['page=0', 400],
      ['page=1.5', 400],
      ['page_size=0', 400],
      ['page_size=1', 200],
      ['page_size=x', 400],
      ['name=gone&page=1', 200],
    ] as const)
      expect(await status(query), query).to.equal(expected);
  });

  it('show only the fields that are asked for, and those that name an object', async () => {
    const [shown = {}] = (await list('/api/pool?name=web&fields=enabled')).results;
    expect(Object.keys(shown).sort()).to.deep.equal(['enabled', 'name', 'url', 'uuid']);
    const [named = {}] = (await list('/api/pool?name=web&include_name')).results;
    expect(textOrEmpty(named['cloud_ref'])).to.match(/^https:.*\/api\/cloud\/cloud-[-0-9a-f]+#Default-Cloud$/);
    const [plain = {}] = (await list('/api/pool?name=web')).results;
    expect(textOrEmpty(plain['cloud_ref'])).to.match(/^https:.*\/api\/cloud\/cloud-[-0-9a-f]+$/);
  });
});
