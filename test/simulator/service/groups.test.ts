import { expect } from 'chai';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { bareController } from '../../rig/bare_controller.js';

const server = (addr: string, fields: JsonObject = {}): JsonObject => ({ ip: { type: 'V4', addr }, ...fields });

/** A virtual service with a pool of its own, whose server is disabled, and a group of two others. */
function withGroup() {
  const { controller, object, ask } = bareController('avi');
  const create = (kind: string, body: JsonObject): string => textOrEmpty(object('POST', `/api/${kind}`, body)['uuid']);
  const monitors = { health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] };
  const pool = (name: string, ...servers: readonly JsonObject[]) => create('pool', { name, servers, ...monitors });
  const [one, two] = [pool('one', server('10.0.0.1'), server('10.0.0.2')), pool('two', server('10.0.1.1'))];
  const own = pool('own', server('10.0.2.1', { enabled: false }));
  const members = [one, two].map((uuid) => ({ pool_ref: `/api/pool/${uuid}` }));
  const group = create('poolgroup', { name: 'both', members });
  const refs = { pool_ref: `/api/pool/${own}`, pool_group_ref: `/api/poolgroup/${group}` };
  const service = create('virtualservice', { name: 'web', ...refs });
  const seen = (...down: string[]) => {
    controller.behaviour = { basic: true, servers_down: down };
    const { runtime, health_score: health } = object('GET', `/api/virtualservice-inventory/${service}`) as {
      readonly runtime: { readonly oper_status: JsonObject };
      readonly health_score: JsonObject;
    };
    return [runtime.oper_status['state'], health['health_score']];
  };
  const connections = (path: string, name = '') => {
    const query = `metric_id=l4_client.avg_open_conns${name === '' ? '' : `&obj_id=${name}`}`;
    const { series } = object('GET', `/api/analytics/metrics/${path}?${query}`);
    return (series as unknown as readonly { readonly data: readonly JsonObject[] }[]).map(({ data }) =>
      data.map(({ value }) => value),
    );
  };
  return { ask, one, two, own, group, service, seen, connections };
}

describe('a simulated virtual service with several pools', () => {
  it('is up while a server of one of them is, and as healthy as all of their servers', () => {
    const { seen } = withGroup();
    expect(seen()).to.deep.equal(['OPER_UP', 75]);
    expect(seen('10.0.0.1')).to.deep.equal(['OPER_UP', 50]);
    expect(seen('10.0.0.1', '10.0.0.2')).to.deep.equal(['OPER_UP', 25]);
    expect(seen('10.0.0.2:80', '10.0.1.1:80', '10.0.0.1:8080')).to.deep.equal(['OPER_UP', 25]);
    expect(seen('10.0.0.1', '10.0.0.2', '10.0.1.1')).to.deep.equal(['OPER_DOWN', 0]);
  });

  it('has the connections of all of them, or those of one server', () => {
    const { one, two, own, service, seen, connections } = withGroup();
    seen('10.0.0.1');
    expect(connections(`virtualservice/${service}`)).to.deep.equal([[20]]);
    expect(connections(`virtualservice/${service}`, '10.0.1.1:80')).to.deep.equal([[10]]);
    expect(connections(`virtualservice/${service}`, '10.0.0.1:80')).to.deep.equal([[0]]);
    expect(connections(`pool/${one}`, '10.0.1.1:80')).to.deep.equal([[]]);
    expect([one, two, own].map((uuid) => connections(`pool/${uuid}`))).to.deep.equal([[[10]], [[10]], [[0]]]);
  });

  it('lets go of none of them: each is referred to by what has it', () => {
    const { ask, one, own, group } = withGroup();
    for (const [path, by] of [
      [`pool/${one}`, "'PoolGroup both'"],
      [`pool/${own}`, "'VirtualService web'"],
      [`poolgroup/${group}`, "'VirtualService web'"],
    ] as const) {
      const { status, body } = ask('DELETE', `/api/${path}`);
      expect([status, body]).to.deep.equal([403, { error: `Cannot delete, object is referred by: [${by}]` }]);
    }
  });
});

describe('names in references to a simulated controller', () => {
  it('mean the object of the own tenant before a shared one, and are ambiguous for all tenants', () => {
    const { ask, object, list } = bareController('avi');
    for (const name of ['blue', 'green']) object('POST', '/api/tenant', { name });
    const as = (tenant: string) => ({ 'x-avi-tenant': tenant });
    const name = 'System-Own';
    const shared = object('POST', '/api/healthmonitor', { name, type: 'HEALTH_MONITOR_TCP' });
    const blue = object('POST', '/api/healthmonitor', { name, type: 'HEALTH_MONITOR_TCP' }, as('blue'));
    const used = (tenant: string): unknown => {
      const body = { name: 'p', health_monitor_refs: [`/api/healthmonitor?name=${name}`] };
      const answer = ask('POST', '/api/pool', body, as(tenant));
      const made = answer.body as JsonObject;
      return answer.status === 201
        ? (made['health_monitor_refs'] as readonly string[])[0]?.split('#')[0]
        : made['error'];
    };
    expect(used('blue')).to.equal(textOrEmpty(blue['url']).split('#')[0]);
    expect(used('green')).to.equal(textOrEmpty(shared['url']).split('#')[0]);
    expect(used('admin')).to.equal(textOrEmpty(shared['url']).split('#')[0]);
    expect(used('*')).to.equal(
      `Reference "/api/healthmonitor?name=${name}" in field "health_monitor_refs" is ambiguous: 2 objects have this name.`,
    );
    expect(list('/api/pool?name=p', as('blue')).map((one) => one['tenant_ref'])).to.have.length(1);
    expect(list('/api/pool?name=p', as('*'))).to.have.length(3);
  });
});
