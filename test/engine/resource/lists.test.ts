import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { runText, type Ran } from '../../rig/run_text.js';

describe('lists by key', () => {
  let controller: AviController;
  beforeEach(async () => {
    controller = await startAviController();
  });
  afterEach(() => controller.close());

  const run = (arguments_: Mapping, check = false): Promise<Ran> => {
    const task = { name: 'pool', resource_present: { path: '/api/pool', name: 'web', ...arguments_ } };
    return runText(JSON.stringify([{ hosts: 'all', tasks: [task] }]), { ...controller.textInventory(), check });
  };
  const status = async (arguments_: Mapping, check?: boolean): Promise<string | undefined> =>
    (await run(arguments_, check)).tasks[0]?.status;
  const addresses = (): readonly unknown[] => {
    const { servers } = controller.one('pool', 'web') as unknown as { servers: readonly { ip: { addr: string } }[] };
    return servers.map(({ ip }) => ip.addr);
  };
  const server = (addr: string) => ({ ip: { type: 'V4', addr }, port: 80 });

  it('are changed once, and not in check mode', async () => {
    await controller.add('pool', { name: 'web', servers: [server('10.0.0.1'), server('10.0.0.2')] });
    const add = { properties: { servers: [server('10.0.0.3')] }, merge: { servers: ['ip.addr', 'port'] } };
    expect(await status(add, true)).to.equal('changed');
    expect(addresses()).to.deep.equal(['10.0.0.1', '10.0.0.2']);
    expect([await status(add), await status(add)]).to.deep.equal(['changed', 'ok']);
    expect(addresses()).to.deep.equal(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
    const take = { without: { servers: [{ ip: { addr: '10.0.0.1' } }] } };
    expect([await status(take), await status(take)]).to.deep.equal(['changed', 'ok']);
    expect(addresses()).to.deep.equal(['10.0.0.2', '10.0.0.3']);
  });

  it('can contain references by name, which are added and removed', async () => {
    await controller.add('pool', { name: 'web', health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] });
    const refs = (): number => (controller.one('pool', 'web')['health_monitor_refs'] as readonly string[]).length;
    const add = { properties: { health_monitor_refs: ['System-TCP'] }, merge: { health_monitor_refs: [] } };
    expect([await status(add), await status(add), refs()]).to.deep.equal(['changed', 'ok', 2]);
    const take = { without: { health_monitor_refs: ['System-HTTP', '/api/healthmonitor?name=unheard-of'] } };
    expect([await status(take), await status(take), refs()]).to.deep.equal(['changed', 'ok', 1]);
  });

  it('fail with the place of a bad key before anything is sent', async () => {
    const { tasks } = await run({
      properties: { servers: [server('10.0.0.1'), { port: 1 }] },
      merge: { servers: ['ip.addr'] },
    });
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      message: 'an element of "servers" has no "ip.addr", which "merge" needs to identify an element',
    });
    expect(tasks[0]?.cause).to.include({ line: 1 });
    expect(controller.take()).to.deep.equal([]);
  });
});
