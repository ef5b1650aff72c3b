import { expect } from 'chai';
import { portableObjects, type Traits } from '../../../src/capture/playbook/portable_objects.js';
import { HIDDEN, type Mapping } from '../../../src/core/model/values/value.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';

const AVI: Traits = { referencesByName: true, tenant: 'admin', declaresTenant: false };
const GENERIC: Traits = { referencesByName: false, tenant: undefined, declaresTenant: false };

function portable(found: Readonly<Record<string, readonly Mapping[]>>, traits = AVI, all = false, declarable = true) {
  const table = builtInKinds();
  const kinds = Object.entries(found).map(([name, objects]) => {
    const known = { name, path: `/api/${name}/`, single: false, structure: undefined };
    return { kind: table.kind(name) ?? known, objects };
  });
  return portableObjects({ found: kinds }, traits, {
    table,
    all,
    declarable,
    hide: () => HIDDEN,
    isSecret: (value) => value === 48_392_011 || (typeof value === 'string' && value.includes('Blue-Whale')),
  });
}

function fieldsOf(kind: string, object: Mapping, traits = AVI, all = false): Mapping | undefined {
  return portable({ [kind]: [object] }, traits, all).objects[0]?.fields;
}

const at = (path: string, name?: string): string => `https://lb1/api/${path}${name === undefined ? '' : `#${name}`}`;

describe('objects of a controller for others', () => {
  it('lose the fields that their controller set, unless --all is given', () => {
    const object = {
      name: 'web',
      uuid: 'pool-1',
      url: at('pool/pool-1'),
      _last_modified: '1',
      tenant_ref: at('tenant/a', 'admin'),
    };
    expect(fieldsOf('pool', object)).to.deep.equal({ name: 'web' });
    expect(fieldsOf('pool', object, AVI, true)).to.deep.include({ uuid: 'pool-1', tenant_ref: 'admin' });
  });

  it('lose what only controllers set by the schema of their kind, at any depth, unless --all is given', () => {
    const metadata = { type: 'x', metadata: 'set' };
    const vip = { name: 'web', dns_info: [{ fqdn: 'a.b', ...metadata }], other: metadata };
    const kept = { name: 'web', dns_info: [{ fqdn: 'a.b', type: 'x' }], other: metadata };
    expect(fieldsOf('vsvip', vip)).to.deep.equal(kept);
    expect(fieldsOf('vsvip', vip, AVI, true)).to.deep.equal(vip);
    const zones = (zone: Mapping) => ({ vip_asg: { configuration: { zones: [{ availability_zone: 'a', ...zone }] } } });
    expect(fieldsOf('serviceenginegroup', { name: 'a', ...zones({ fip_capable: true }) })).to.deep.equal({
      name: 'a',
      ...zones({}),
    });
    const answer = { ocsp_response_info: { cert_status: 'x', next_update: 'tomorrow' }, ocsp_error_status: 'x' };
    expect(fieldsOf('sslkeyandcertificate', { name: 'a', ...answer })).to.deep.equal({ name: 'a' });
  });

  it('refer to others by name', () => {
    const found = {
      cloud: [{ name: 'edge', uuid: 'c1' }],
      virtualservice: [{ name: 'dns', uuid: 'v1', cloud_ref: at('cloud/c1') }],
      pool: [
        {
          name: 'web',
          cloud_ref: at('cloud/c1'),
          health_monitor_refs: [at('healthmonitor/h1', 'a/b c'), at('healthmonitor/h2', 'ping')],
          other_ref: at('thing/t1', 'x'),
          vrf_ref: at('vrfcontext/unknown'),
        },
      ],
      systemconfiguration: [{ dns_virtualservice_refs: [at('virtualservice/v1')] }],
    };
    const { objects } = portable(found);
    const [, service, pool, system] = objects;
    expect(pool?.fields).to.deep.equal({
      name: 'web',
      cloud_ref: 'edge',
      health_monitor_refs: ['/api/healthmonitor?name=a%2Fb%20c', 'ping'],
      other_ref: '/api/thing?name=x',
      vrf_ref: '/api/vrfcontext/unknown',
    });
    expect(pool?.cloud).to.equal('edge');
    expect(pool?.refers).to.include(JSON.stringify(['cloud', 'edge']));
    expect(service?.fields['cloud_ref']).to.equal('edge');
    expect(system?.fields).to.deep.equal({ dns_virtualservice_refs: ['/api/virtualservice?name=dns&cloud=edge'] });
  });

  it('refer by path if the dialect has no references by name, unless the controller shows one', () => {
    const object = { name: 'web', a_ref: at('pool/p1'), b_ref: at('pool/p1', 'x y'), c_ref: 'plain' };
    const names = { a_ref: '/api/pool/p1', b_ref: '/api/pool/?name=x%20y', c_ref: 'plain' };
    expect(fieldsOf('cloud', object, GENERIC)).to.deep.equal({ name: 'web', ...names });
  });

  it('hide secrets by field, by name and by text, but no names of objects', () => {
    const ssl = { name: 'Blue-Whale', key: 'private', certificate: { certificate: 'public' } };
    expect(fieldsOf('sslkeyandcertificate', ssl)).to.deep.equal({ ...ssl, key: HIDDEN });
    const unknown = {
      name: 'a',
      api_token: 'x',
      pin_password: 12_345_678,
      note: 'uses Blue-Whale-42',
      list: ['Blue-Whale', 'b', 48_392_011, 1],
      password: '',
      credentials: { user: 'u', list: [true, 'x'] },
      login: { user: 'u', pass: 'x' },
      own_refs: [{ password: 'x' }],
    };
    expect(fieldsOf('gslb', unknown)).to.deep.equal({
      name: 'a',
      api_token: HIDDEN,
      pin_password: HIDDEN,
      note: HIDDEN,
      list: [HIDDEN, 'b', HIDDEN, 1],
      password: '',
      credentials: { user: HIDDEN, list: [true, HIDDEN] },
      login: { user: 'u', pass: HIDDEN },
      own_refs: [{ password: HIDDEN }],
    });
    // What the table says of a field is stronger than its name, at any depth.
    const user = {
      name: 'a',
      tencent_credentials: { secret_id: 'x' },
      gcp_credentials: { service_account_keyfile_data: 'x' },
    };
    expect(fieldsOf('cloudconnectoruser', user)).to.deep.equal({
      name: 'a',
      tencent_credentials: { secret_id: HIDDEN },
      gcp_credentials: { service_account_keyfile_data: HIDDEN },
    });
    const marked = { name: 'a', markers: [{ key: 'owner' }] };
    expect(fieldsOf('pool', marked)).to.deep.equal(marked);
  });

  it('are limited to the tenant', () => {
    const tenant = (name: string) => ({ tenant_ref: at(`tenant/${name}`, name) });
    const pools = [{ name: 'a', ...tenant('web') }, { name: 'b', ...tenant('admin') }, { name: 'c' }];
    expect(portable({ pool: pools }).objects.map(({ name }) => name)).to.deep.equal(['b', 'c']);
  });

  it('are omitted with the reason if no task could find them', () => {
    const cloud = [{ name: 'a', mtu: 1 }, { name: 'b' }, { name: 'a', mtu: 2 }, { mtu: 3 }];
    const { objects, problems } = portable({ cloud }, GENERIC);
    expect(objects.map(({ fields }) => fields)).to.deep.equal([{ name: 'b' }]);
    const compared = portable({ cloud }, GENERIC, false, false).objects;
    expect(compared.map(({ fields }) => fields)).to.deep.equal([{ name: 'a', mtu: 1 }, { name: 'b' }]);
    expect(problems).to.deep.equal([
      { kind: 'cloud', message: 'there are several objects cloud "a", so no task can identify one of them' },
      { kind: 'cloud', message: 'an object of the kind cloud has no name, so no task can identify it' },
    ]);
  });

  it('can be built in', () => {
    const builtIn = (kind: string, name: string, traits = AVI) =>
      portable({ [kind]: [{ name }] }, traits).objects[0]?.builtIn;
    expect(builtIn('healthmonitor', 'System-Ping')).to.equal(true);
    expect(builtIn('cloud', 'Default-Cloud')).to.equal(true);
    expect(builtIn('cloud', 'edge')).to.equal(false);
    expect(builtIn('cloud', 'Default-Cloud', GENERIC)).to.equal(false);
  });

  it('are those of the tenant that is read, which each names if several are', () => {
    const tenant = (name: string) => ({ tenant_ref: at(`tenant/${name}`, name) });
    const found = {
      tenant: [{ name: 'web', uuid: 't1' }],
      pool: [
        { name: 'a', tenant_ref: at('tenant/t1') },
        { name: 'b', tenant_ref: at('tenant/unknown') },
        { name: 'c' },
        { name: 'd', ...tenant('other') },
      ],
    };
    const pools = (traits: Partial<Traits>) =>
      portable(found, { ...AVI, ...traits }).objects.flatMap(({ kind, name, tenant: own }) =>
        kind === 'pool' ? [`${name} ${own}`] : [],
      );
    expect(pools({ tenant: 'web' })).to.deep.equal(['a undefined', 'b undefined', 'c undefined']);
    expect(pools({ tenant: 'admin' })).to.deep.equal(['b undefined', 'c undefined']);
    expect(pools({ tenant: undefined })).to.have.length(4);
    expect(pools({ tenant: 'web', hasCommon: false, isNamed: true })).to.deep.equal(['a web', 'b web']);
    expect(pools({ tenant: 'web', hasCommon: true, isNamed: true })).to.deep.equal(['a web', 'b web', 'c web']);
  });

  it('declare their tenant only where a task must say it', () => {
    const object = { name: 'a', tenant_ref: at('tenant/admin', 'admin'), uuid: 'p1' };
    const kept = (traits: Partial<Traits>) => Object.keys(fieldsOf('pool', object, { ...AVI, ...traits }) ?? {});
    expect(kept({})).to.deep.equal(['name']);
    expect(kept({ declaresTenant: true })).to.deep.equal(['name', 'tenant_ref']);
    expect(kept({ tenant: undefined })).to.deep.equal(['name', 'tenant_ref']);
  });

  it('of a kind that exists once have no name, and need none', () => {
    const { objects, problems } = portable({ systemconfiguration: [{ name: 'x', uuid: 'default', mtu: 1 }] });
    expect(problems).to.deep.equal([]);
    expect(objects[0]).to.deep.include({ name: undefined, fields: { mtu: 1, name: 'x' }, builtIn: false, refers: [] });
  });

  it('refer by path to what has no name that a task can write', () => {
    const found = (name: string, cloud: Mapping = {}) => ({
      pool: [{ name, uuid: 'p1', ...cloud }],
      gslb: [{ name: 'a', pool_ref: at('pool/p1'), text_ref: 'plain', inner_refs: [{ deep: at('pool/p1') }, 7] }],
    });
    const reference = (name: string, cloud?: Mapping) => portable(found(name, cloud)).objects[1]?.fields['pool_ref'];
    expect(reference('web')).to.equal('web');
    for (const name of ['a/b', 'a?b', 'a#b', '{a', 'a}'])
      expect(reference(name), name).to.equal(`/api/pool?name=${encodeURIComponent(name)}`);
    expect(reference('web', { cloud_ref: at('cloud/c1', 'edge one') })).to.equal('/api/pool?name=web&cloud=edge%20one');
    expect(portable(found('web')).objects[1]?.fields['inner_refs']).to.deep.equal([{ deep: at('pool/p1') }, 7]);
    expect(portable(found('web')).objects[1]?.refers).to.deep.equal([JSON.stringify(['pool', 'web'])]);
  });
});
