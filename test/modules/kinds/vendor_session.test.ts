import { expect } from 'chai';
import type { Mapping } from '../../../src/model/values/value.js';
import { textOf } from '../../../src/simulator/protocol/json.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { runText } from '../../rig/run_text.js';

describe("requests in the style of the vendor's collection", () => {
  let controller: AviController;
  beforeEach(async () => {
    controller = await startAviController();
  });
  afterEach(() => controller.close());

  /** The status of the task, and its requests, with `UUID` for the one of the object `web`. */
  async function send(http_method: string, path: string, data?: Mapping): Promise<readonly string[]> {
    controller.take();
    const play = [{ hosts: 'all', tasks: [{ avi_api_session: { http_method, path, ...(data && { data }) } }] }];
    const { tasks } = await runText(JSON.stringify(play), controller.textInventory());
    const [uuid] = controller.all('pool').flatMap((pool) => (pool['name'] === 'web' ? [textOf(pool['uuid'])] : []));
    const requests = controller.takeApi().map((line) => line.replace(uuid ?? 'UUID', 'UUID'));
    return [...tasks.map(({ status }) => status), ...requests];
  }

  it('write only what differs: POST becomes PUT for an object that exists, and PUT becomes POST for one that does not', async () => {
    const created = await send('put', 'pool', { name: 'web' });
    expect(created).to.deep.equal(['changed', 'GET /api/pool?name=web', 'POST /api/pool']);
    expect(await send('post', 'pool', { name: 'web' })).to.deep.equal(['ok', 'GET /api/pool?name=web']);
    const updated = await send('post', 'pool', { name: 'web', default_server_port: 8080 });
    expect(updated).to.deep.equal(['changed', 'GET /api/pool?name=web', 'PUT /api/pool/UUID']);
    // As in the collection, although this controller has no POST at this path.
    const missing = await send('put', 'pool/pool-1', { name: 'web' });
    expect(missing).to.deep.equal(['failed', 'GET /api/pool/pool-1', 'POST /api/pool/pool-1']);
  });

  it('delete nothing twice', async () => {
    await send('post', 'pool', { name: 'web' });
    const path = `pool/${textOf(controller.one('pool', 'web')['uuid'])}`;
    const gone = [];
    for (let time = 0; time < 2; time++) gone.push((await send('delete', path))[0]);
    expect(gone).to.deep.equal(['changed', 'ok']);
  });
});
