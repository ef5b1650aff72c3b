import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { findEffects } from '../../../src/undo/effects.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { update } from '../../undo/rig.js';

const EDGE = '/api/cloud?name=edge';
const network = (properties: Mapping, more: Mapping = {}): Mapping => ({
  name: 'network',
  resource_present: { path: '/api/network', name: 'Data Network', properties, ...more },
});

describe('objects of one name in several clouds', () => {
  let controller: AviController;
  beforeEach(async () => {
    controller = await startAviController();
    await controller.add('cloud', { name: 'edge', vtype: 'CLOUD_NONE' });
  });
  afterEach(() => controller.close());

  const run = (tasks: readonly Mapping[], options: TextOptions = {}): Promise<Ran> =>
    runText(JSON.stringify([{ hosts: 'all', tasks }]), { ...controller.textInventory(), ...options });
  const outcomes = ({ tasks }: Ran): readonly string[] =>
    tasks.map(({ status, message = '' }) => (status === 'failed' ? `failed: ${message}` : status));
  const networks = (): readonly string[] =>
    controller.all('network').map((one) => `${cloudOf(one)} ${JSON.stringify(one['dhcp_enabled'])}`);
  const cloudOf = (object: JsonObject): string => {
    const cloud = controller.all('cloud').find(({ uuid }) => `/api/cloud/${textOrEmpty(uuid)}` === object['cloud_ref']);
    return textOrEmpty(cloud?.['name']);
  };

  it('are identified by the declared cloud: the other one is not touched', async () => {
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false });
    const task = network({ cloud_ref: EDGE, dhcp_enabled: true });
    expect(outcomes(await run([task]))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal(['Default-Cloud false', 'edge true']);
    controller.take();
    expect(outcomes(await run([task]))).to.deep.equal(['ok']);
    expect(controller.takeApi()).to.deep.equal(['GET /api/network?name=Data+Network', 'GET /api/cloud?page_size=200']);
  });

  it('are updated in their cloud', async () => {
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false });
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false, cloud_ref: EDGE });
    expect(outcomes(await run([network({ cloud_ref: EDGE, dhcp_enabled: true })]))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal(['Default-Cloud false', 'edge true']);
  });

  it('are identified by fields that are not written', async () => {
    const other = await controller.add('network', { name: 'Data Network', dhcp_enabled: false });
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false, cloud_ref: EDGE });
    const uuid = textOrEmpty(other['uuid']);
    expect(outcomes(await run([network({ dhcp_enabled: true }, { match: { uuid } })]))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal(['Default-Cloud true', 'edge false']);
    expect(outcomes(await run([network({ dhcp_enabled: true }, { match: { cloud_ref: 'edge' } })]))).to.deep.equal([
      'changed',
    ]);
    expect(networks()).to.deep.equal(['Default-Cloud true', 'edge true']);
    expect(controller.all('network')[0]).not.to.have.property('match');
  });

  it('are created where "match" says, by values of other types that mean the same', async () => {
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false });
    const task = network({ dhcp_enabled: true }, { match: { cloud_ref: 'edge', dhcp_enabled: 'yes' } });
    expect(outcomes(await run([task]))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal(['Default-Cloud false', 'edge true']);
    const gone = { network_absent: { name: 'Data Network', match: { dhcp_enabled: 'no' } } };
    expect(outcomes(await run([task, gone]))).to.deep.equal(['ok', 'changed']);
    expect(networks()).to.deep.equal(['edge true']);
  });

  it('need a cloud only if there are several: otherwise the only one is used, whatever its cloud', async () => {
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false, cloud_ref: EDGE });
    const task = network({ dhcp_enabled: true });
    expect(outcomes(await run([task]))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal(['edge true']);
    expect(outcomes(await run([task]))).to.deep.equal(['ok']);
    const gone = { resource_absent: { path: '/api/network', name: 'Data Network' } };
    expect(outcomes(await run([gone]))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal([]);
    expect(outcomes(await run([task]))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal(['Default-Cloud true']);
  });

  it('fail without a cloud or such fields, and the message says what to declare', async () => {
    const first = await controller.add('network', { name: 'Data Network' });
    const second = await controller.add('network', { name: 'Data Network', cloud_ref: EDGE });
    const objects = [
      `${textOrEmpty(first['uuid'])} in cloud "Default-Cloud"`,
      `${textOrEmpty(second['uuid'])} in cloud "edge"`,
    ];
    const { tasks } = await run([network({ dhcp_enabled: true })]);
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      message: `GET /api/network?name=Data%20Network: 2 objects are named "Data Network": ${objects.join(', ')}`,
      hint: 'declare what only one of them has: its cloud_ref, or fields such as uuid under "match"',
    });
  });

  it('are written by requests in the style of the vendor only if the reference is unambiguous', async () => {
    const write = (data: Mapping, http_method = 'post'): Promise<Ran> =>
      run([{ name: 'it', avi_api_session: { http_method, path: 'network', data: { name: 'Data Network', ...data } } }]);
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false });
    const edge = controller.all('cloud').find(({ name }) => name === 'edge');
    const uuid = textOrEmpty(edge?.['uuid']);
    expect(outcomes(await write({ cloud_ref: `/api/cloud/${uuid}`, dhcp_enabled: false }))).to.deep.equal(['changed']);
    expect(networks()).to.deep.equal(['Default-Cloud false', 'edge false']);
    for (const cloud_ref of [EDGE, '/api/cloud/?name=edge']) {
      const changed = await write({ cloud_ref, dhcp_enabled: cloud_ref === EDGE }, 'put');
      expect(outcomes(changed)).to.deep.equal(['changed']);
    }
    expect(networks()).to.deep.equal(['Default-Cloud false', 'edge false']);
    const [failed] = (await write({ dhcp_enabled: true })).tasks;
    expect(failed?.status).to.equal('failed');
    expect(failed?.message).to.match(
      /^\/api\/network: 2 objects are named "Data Network": network-\S+ in cloud "Default-Cloud", network-\S+ in cloud "edge"; give the cloud_ref or uuid of one of them in "data"$/,
    );
    expect(networks()).to.deep.equal(['Default-Cloud false', 'edge false']);
  });

  it('are deleted in the cloud that "match" names', async () => {
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false });
    await controller.add('network', { name: 'Data Network', dhcp_enabled: false, cloud_ref: EDGE });
    const gone = { resource_absent: { path: '/api/network', name: 'Data Network', match: { cloud_ref: EDGE } } };
    expect(outcomes(await run([gone]))).to.deep.equal(['changed']);
    expect(outcomes(await run([gone]))).to.deep.equal(['ok']);
    expect(networks()).to.deep.equal(['Default-Cloud false']);
  });

  it('are each created once in a run', async () => {
    const tasks = [network({ cloud_ref: EDGE }), network({ cloud_ref: '/api/cloud?name=Default-Cloud' })];
    expect(outcomes(await run(tasks))).to.deep.equal(['changed', 'changed']);
    expect(outcomes(await run(tasks))).to.deep.equal(['ok', 'ok']);
    expect(controller.all('network')).to.have.length(2);
  });

  it('are reported as created in a check whose earlier task would create their cloud', async () => {
    const cloud = { name: 'cloud', cloud_present: { name: 'new' } };
    await controller.add('network', { name: 'Data Network' });
    const ran = await run([cloud, network({ cloud_ref: '/api/cloud?name=new' })], { check: true });
    expect(outcomes(ran)).to.deep.equal(['changed', 'changed']);
    expect(ran.tasks[1]?.change).to.have.property('kind', 'create');
  });

  it('are told apart in a check whose earlier tasks would create their clouds', async () => {
    const inNew = { cloud_ref: '/api/cloud?name=new' };
    const gone = { resource_absent: { path: '/api/network', name: 'Data Network', match: inNew } };
    const ran = await run(
      [
        { cloud_present: { name: 'new' } },
        { cloud_present: { name: 'other' } },
        network(inNew),
        network({ cloud_ref: '/api/cloud?name=other' }),
        network({ ...inNew, dhcp_enabled: true }),
        gone,
        gone,
        network({ dhcp_enabled: true }, { match: inNew }),
        network({ dhcp_enabled: false }, { match: inNew }),
      ],
      { check: true },
    );
    const kinds = ran.tasks.map(({ status, change }) => change?.kind ?? status);
    expect(kinds.join(' ')).to.equal('create create create create update delete ok create update');
  });

  it('are rolled back one by one', () => {
    const at = (cloud: string, mtu: number): Mapping => ({
      uuid: `network-${cloud}`,
      name: 'Data Network',
      cloud_ref: `https://lb1/api/cloud/${cloud}`,
      mtu,
    });
    const writes = ['a', 'b'].map((cloud, index) =>
      update(index + 1, at(cloud, 1), at(cloud, 2), { path: `/api/network/network-${cloud}` }),
    );
    expect(findEffects(writes).map((effect) => effect.type === 'undo' && effect.undo.path)).to.deep.equal([
      '/api/network/network-b',
      '/api/network/network-a',
    ]);
  });
});
