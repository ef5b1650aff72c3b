import { expect } from 'chai';
import { loadKindModule } from '../../../modules/kinds/index.js';
import { vendorConnection } from '../../../modules/kinds/vendor_requests.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import type { Mapping, Plan, Reader, ResourceModule, Value, Writer } from '../../../src/module/contract.js';

async function vendor(name: string): Promise<ResourceModule> {
  const module = await loadKindModule(name, builtInKinds());
  if (module?.type !== 'resource') throw new Error(`there is no ${name}`);
  return module;
}

async function plan(name: string, args: Mapping, before: unknown): Promise<Plan> {
  const module = await vendor(name);
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return module.plan({ ...checked.args }, before);
}

/** The object after the plan, or why there is none. */
async function after(name: string, args: Mapping, before: unknown): Promise<unknown> {
  const { change, refusal } = await plan(name, args, before);
  return refusal ?? (change.kind === 'update' || change.kind === 'create' ? change.after : change.kind);
}

const ip = (addr: string): Mapping => ({ ip: { addr, type: 'V4' } });

describe('a patch of the vendor', () => {
  const server = (addr: string, more: Mapping = {}): Mapping => ({ ...ip(addr), ...more });
  const [one, two] = [server('10.0.0.1', { port: 80 }), server('10.0.0.2', { port: 80 })];
  const POOL = { uuid: 'p-1', name: 'web', ratio: 3, description: 'old', servers: [one, two] };
  const pool = (op: string, args: Mapping, before: Mapping = POOL) =>
    after('avi_pool', { name: 'web', avi_api_update_method: 'patch', avi_api_patch_op: op, ...args }, before);
  const at = (op: string, path: string, value: Value, before: Mapping = POOL) =>
    pool(op, { avi_patch_path: path, avi_patch_value: value }, before);

  const lists: readonly (readonly [string, string, Mapping, unknown, Mapping?])[] = [
    ['adds only what is missing', 'add', { servers: [two, server('10.0.0.3')] }, [one, two, server('10.0.0.3')]],
    ['adds to nothing', 'add', { servers: [one] }, [one], { name: 'web' }],
    ['adds a part of an element that is there not again', 'add', { servers: [ip('10.0.0.1')] }, 'none'],
    ['replaces a list', 'replace', { servers: [two] }, [two]],
    ['takes several away', 'delete', { servers: [ip('10.0.0.2'), ip('10.0.0.1')] }, []],
    ['takes one of two away', 'remove', { servers: [ip('10.0.0.2')] }, [one]],
    ['takes nothing from nothing', 'remove', { servers: [ip('10.0.0.2')] }, 'none', { name: 'web' }],
    ['takes away only what matches in full', 'delete', { servers: [server('10.0.0.1', { port: 81 })] }, 'none'],
  ];
  for (const [title, op, args, expected, before] of lists)
    it(title, async () => {
      const found = await pool(op, args, before);
      expect(typeof found === 'object' && found !== null && 'servers' in found ? found.servers : found).to.deep.equal(
        expected,
      );
    });

  it('sets fields that are no lists, and keeps the others', async () => {
    for (const op of ['add', 'replace']) expect(await pool(op, { ratio: 4 })).to.deep.equal({ ...POOL, ratio: 4 });
  });

  it('keeps the hidden secrets of other elements, also in mappings', async () => {
    const [first, second] = [
      { key_number: 1, key: '<sensitive>' },
      { key_number: 2, key: 'new' },
    ];
    const keys = (...ntp_authentication_keys: readonly Mapping[]): Mapping => ({
      ntp_configuration: { ntp_authentication_keys },
    });
    const found = { status: 'found', signIn: 'session', object: keys(first) };
    const args = { avi_api_update_method: 'patch', ...keys(second) };
    const { keeping } = await plan('avi_systemconfiguration', args, found);
    expect(keeping?.after).to.deep.equal(keys(first, second));
  });

  it('is a plan that takes away only if it deletes', async () => {
    const taking = async (avi_api_patch_op: string, method = 'patch') =>
      (
        await plan(
          'avi_pool',
          { name: 'web', servers: [ip('10.0.0.1')], avi_api_update_method: method, avi_api_patch_op },
          POOL,
        )
      ).takesAway;
    expect(await taking('delete')).to.equal(true);
    expect(await taking('remove')).to.equal(true);
    expect([await taking('add'), await taking('replace'), await taking('delete', 'put')]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes from lists only: a name, a cloud and a tenant mean the object', async () => {
    const taken = { ...POOL, servers: [two] };
    const identity = { cloud_ref: '/api/cloud?name=a', tenant_ref: '/api/tenant?name=b' };
    expect(await pool('delete', { ...identity, servers: [ip('10.0.0.1')] })).to.be.a('object');
    expect(await pool('delete', { servers: [ip('10.0.0.1')] })).to.deep.equal(taken);
    const not = (field: string) => `avi_api_patch_op: delete takes elements from lists, and "${field}" is not a list`;
    expect(await pool('delete', { servers: [ip('10.0.0.1')], ratio: 3 })).to.equal(not('ratio'));
    expect(await pool('remove', { description: 'old', ratio: 3 })).to.equal(not('description'));
    expect(await pool('remove', { analytics_policy: { a: [], b: { c: 1 } } })).to.equal(not('analytics_policy.b.c'));
    expect(await pool('delete', { servers: [{}] })).to.match(/^avi_api_patch_op: delete: /);
    // A path says what is taken away.
    expect(await pool('delete', { ratio: 3, avi_patch_path: '/description' })).to.deep.equal({
      uuid: 'p-1',
      name: 'web',
      ratio: 3,
      servers: [one, two],
    });
  });

  const paths: readonly (readonly [op: string, path: string, value: Value, expected: unknown])[] = [
    ['add', 'servers/0', server('10.0.0.9'), [server('10.0.0.9'), one, two]],
    ['add', '/servers/1', server('10.0.0.9'), [one, server('10.0.0.9'), two]],
    ['add', '/servers/2', server('10.0.0.9'), [one, two, server('10.0.0.9')]],
    ['add', '/servers/-', ip('10.0.0.1'), 'none'],
    ['add', '/servers/3', server('10.0.0.9'), null],
    ['add', '/servers/01x', server('10.0.0.9'), null],
    ['add', '/servers/0/port', 81, [{ ...one, port: 81 }, two]],
    ['add', '/servers/1/ip/addr', '10.0.0.7', [one, server('10.0.0.7', { port: 80 })]],
    ['add', '/servers/1/ratio', 5, [one, { ...two, ratio: 5 }]],
    ['replace', '/servers/0', two, [two, two]],
    ['replace', '/servers/2', two, null],
    ['replace', '/servers/-', two, null],
    ['replace', '/servers', [two], [two]],
    ['remove', '/servers/0', null, [two]],
    ['remove', '/servers/0/port', null, [ip('10.0.0.1'), two]],
    ['remove', '/servers/0/ip/addr', null, [{ port: 80, ip: { type: 'V4' } }, two]],
    ['remove', '/servers', null, undefined],
    ['delete', '/servers/2/port', null, null],
    ['delete', '/ratio/x', null, null],
    ['add', '/markers/x', null, null],
  ];
  for (const [op, path, value, expected] of paths)
    it(`${expected === null ? 'finds nothing to' : 'can'} ${op} at ${path}${op === 'remove' || op === 'delete' ? '' : ` ${JSON.stringify(value)}`}`, async () => {
      const found = await at(op, path, value);
      const shown = path.startsWith('/') ? path : `/${path}`;
      if (expected === null) expect(found).to.equal(`pool "web" has nothing at avi_patch_path ${shown}`);
      else if (expected === 'none') expect(found).to.equal('none');
      else {
        const { servers, ...rest } = POOL;
        expect(servers).to.have.length(2);
        expect(found).to.deep.equal(expected === undefined ? rest : { ...rest, servers: expected });
      }
    });

  it('reads a text as YAML, and the escapes of a path', async () => {
    expect(await at('replace', '/ratio', '0x10')).to.deep.equal({ ...POOL, ratio: 16 });
    expect(await at('add', '/description', '"7"')).to.deep.equal({ ...POOL, description: '7' });
    const before = { ...POOL, 'a/b~1': { c: 1 } };
    expect(await at('replace', '/a~1b~01/c', 2, before)).to.deep.equal({ ...before, 'a/b~1': { c: 2 } });
    expect(await at('replace', '/ratio', '{ip: ')).to.match(/^avi_patch_value is not YAML: /);
  });

  it('changes nothing but its place, whatever other fields say', async () => {
    expect(await pool('replace', { ratio: 9, avi_patch_path: '/description', avi_patch_value: 'new' })).to.deep.equal({
      ...POOL,
      description: 'new',
    });
    const put = {
      name: 'web',
      ratio: 9,
      avi_api_update_method: 'put',
      avi_patch_path: '/description',
      avi_patch_value: 'new',
    };
    expect(await after('avi_pool', put, POOL)).to.deep.equal({ ...POOL, ratio: 9 });
    expect(await pool('replace', { ratio: 9, avi_patch_path: '' })).to.deep.equal({ ...POOL, ratio: 9 });
  });

  it('adds to the end of a list that the controller omits because it is empty', async () => {
    const [ref, path] = ['/api/healthmonitor/hm-1', '/health_monitor_refs/-'];
    expect(await at('add', path, ref)).to.deep.equal({ ...POOL, health_monitor_refs: [ref] });
    for (const op of ['replace', 'remove'])
      expect(await at(op, path, ref)).to.equal(`pool "web" has nothing at avi_patch_path ${path}`);
  });

  it('keeps what is beside its place in a mapping', async () => {
    const before = { ...POOL, analytics_policy: { a: 1, b: { c: 2, d: 3 } } };
    expect(await at('replace', '/analytics_policy/b/c', 5, before)).to.deep.equal({
      ...before,
      analytics_policy: { a: 1, b: { c: 5, d: 3 } },
    });
    expect(await at('remove', '/analytics_policy/b/c', null, before)).to.deep.equal({
      ...before,
      analytics_policy: { a: 1, b: { d: 3 } },
    });
    expect(await at('remove', '/analytics_policy/z', null, before)).to.equal('none');
  });
});

describe('a module of the vendor', () => {
  it('declares what a missing object needs, unless elements are taken away or only its uuid is given', async () => {
    const monitor = (args: Mapping) => after('avi_healthmonitor', args, undefined);
    expect(await monitor({ name: 'hm', type: 'HEALTH_MONITOR_PING' })).to.include({ name: 'hm' });
    expect(await monitor({ name: 'hm', avi_api_update_method: 'patch', avi_api_patch_op: 'remove' })).to.equal('none');
    expect(await monitor({ uuid: 'hm-1', type: 'HEALTH_MONITOR_PING' })).to.equal(
      'there is no healthmonitor "hm-1": give "name" to create one',
    );
    expect(await monitor({ uuid: 'hm-1', name: 'hm', type: 'HEALTH_MONITOR_PING' })).to.equal(
      'there is no healthmonitor with the uuid "hm-1", and a new one gets its own: leave the uuid out to use or create "hm"',
    );
    expect(await monitor({ uuid: '(known after apply)', name: 'hm', type: 'HEALTH_MONITOR_PING' })).to.include({
      name: 'hm',
    });
    expect(await monitor({ uuid: 'hm-1', name: 'hm', state: 'absent' })).to.equal('none');
    expect(await monitor({ uuid: '', type: 'HEALTH_MONITOR_PING' })).to.equal(
      'avi_healthmonitor finds objects by name or uuid: give one of them',
    );
    expect(await monitor({ uuid: '', name: 'hm', state: 'absent' })).to.equal('none');
  });

  it('takes nulls and empty lists for what the collection takes them for, at any depth', async () => {
    const pool = (args: Mapping, before?: Mapping) => after('avi_pool', { name: 'web', ...args }, before);
    const gone = { state: 'absent' };
    const before = { name: 'web', servers: [{ ...ip('10.0.0.1'), ratio: 2 }], analytics_policy: { enable: true } };
    const same = { servers: [{ ...ip('10.0.0.1'), ratio: null }], analytics_policy: { enable: null } };
    expect(await pool(same, before)).to.equal('none');
    expect(await pool({ servers: [{ ...ip('10.0.0.1'), ratio: gone }] }, before)).to.deep.equal({
      ...before,
      servers: [ip('10.0.0.1')],
    });
    expect(await pool({ servers: gone, analytics_policy: gone }, before)).to.deep.equal({ name: 'web' });
    // A new object gets the list, because it may need it.
    expect(await pool({ servers: [], description: null, ratio: gone })).to.deep.equal({ name: 'web', servers: [] });
    expect(await pool({ servers: [], ratio: 3 }, before)).to.deep.equal({ ...before, ratio: 3 });
  });

  it('finds an object by its uuid alone, else by its name', async () => {
    const pools = await vendor('avi_pool');
    const asked: unknown[] = [];
    const reader = {
      find: (...query: unknown[]) => {
        asked.push(query);
        return Promise.resolve(undefined);
      },
    } as unknown as Reader;
    for (const args of [
      { name: 'web', uuid: 'p-1' },
      { name: 'web', uuid: 'p-1', state: 'absent' },
      { name: 'web', uuid: '' },
      { name: 'web', state: 'absent' },
    ])
      await pools.read({ state: 'present', ...args }, reader);
    expect(asked).to.deep.equal([
      ['/api/pool/', 'p-1', undefined, { by: 'uuid' }],
      ['/api/pool/', 'p-1', undefined, { by: 'uuid' }],
      ['/api/pool/', 'web', undefined],
      ['/api/pool/', 'web', undefined, { names: true }],
    ]);
  });

  it('deletes, replaces and creates what was planned', async () => {
    const pools = await vendor('avi_pool');
    const written: unknown[] = [];
    const note =
      (method: string) =>
      (...rest: unknown[]): Promise<undefined> => {
        written.push([method, ...rest]);
        return Promise.resolve(undefined);
      };
    const writer = { create: note('create'), replace: note('replace'), remove: note('remove') } as unknown as Writer;
    const object = 'pool "web"';
    const [web, given] = [
      { name: 'web', uuid: 'p-1' },
      { name: 'web', state: 'present' },
    ];
    await pools.apply(
      { ...given, state: 'absent' },
      { change: { kind: 'delete', object, before: web, after: null } },
      web,
      writer,
    );
    await pools.apply(given, { change: { kind: 'update', object, before: web, after: { a: 1 } } }, web, writer);
    await pools.apply(given, { change: { kind: 'create', object, before: null, after: { a: 2 } } }, undefined, writer);
    expect(written).to.deep.equal([
      ['remove', '/api/pool/p-1'],
      ['replace', '/api/pool/p-1', { a: 1 }],
      ['create', '/api/pool/', 'web', { a: 2 }, undefined],
    ]);
  });

  it('takes fields that are arguments under other names', async () => {
    const user = (args: Mapping, before?: Mapping) => after('avi_user', args, before);
    expect(await user({ name: 'Alice', obj_username: 'alice', obj_password: 'x', obj_state: 'S' })).to.deep.equal({
      full_name: 'Alice',
      name: 'alice',
      username: 'alice',
      password: 'x',
      state: 'S',
    });
    expect(await user({ name: 'Alice', full_name: 'A. Example', obj_username: 'alice', obj_password: 'x' })).to.include(
      {
        full_name: 'A. Example',
        name: 'alice',
      },
    );
    const before = { uuid: 'u-1', name: 'Alice', username: 'alice' };
    expect(await user({ name: 'Alice', access: [] }, before)).to.equal('none');
    expect(await user({ uuid: 'u-1', obj_username: 'bob' }, before)).to.deep.equal({ ...before, username: 'bob' });
    const pool = { name: 'web', obj_username: 'x', obj_password: 'y' };
    expect(await after('avi_pool', pool, { name: 'web' })).to.deep.equal({ name: 'web', username: 'x', password: 'y' });
  });

  it('refuses to delete what exists once, and patches it', async () => {
    const found = {
      status: 'found',
      signIn: 'session',
      object: { uuid: 'c-1', name: 'cluster', nodes: [{ name: 'a' }] },
    };
    expect(await after('avi_cluster', { state: 'absent' }, found)).to.equal('the cluster cannot be deleted');
    const patch = { avi_api_update_method: 'patch', avi_api_patch_op: 'add', nodes: [{ name: 'b' }] };
    expect(await after('avi_cluster', patch, found)).to.deep.equal({
      ...found.object,
      nodes: [{ name: 'a' }, { name: 'b' }],
    });
    expect(
      await after('avi_cluster', { ...patch, avi_api_patch_op: 'delete', name: 'cluster', virtual_ip: {} }, found),
    ).to.equal('avi_api_patch_op: delete takes elements from lists, and "virtual_ip" is not a list');
    const hidden = { status: 'hidden', signIn: 'session', written: { name: 'kept' } };
    expect(await after('avi_cluster', { nodes: [{ name: 'b' }] }, hidden)).to.deep.equal({
      name: 'kept',
      nodes: [{ name: 'b' }],
    });
  });

  it('guards the sign-in only of the system configuration', async () => {
    const object = { portal_configuration: { enable_https: true } };
    const found = { status: 'found', signIn: 'session', object };
    const off = { portal_configuration: { enable_https: false } };
    expect(await after('avi_systemconfiguration', off, found)).to.equal(
      'this sets portal_configuration.enable_https to false, and Evenkeel signs in over HTTPS: it would lock itself out; nothing was written. Use system_config with allow_lockout: true if that is intended',
    );
    expect(await after('avi_controllerproperties', off, found)).to.deep.equal(off);
    expect(await after('avi_systemconfiguration', { portal_configuration: { enable_https: true } }, found)).to.equal(
      'none',
    );
    const placeholder = { ...off, email_configuration: { auth_password: '<sensitive>' } };
    expect(await after('avi_systemconfiguration', placeholder, found)).to.match(
      /^"email_configuration.auth_password" is declared as/,
    );
  });

  it('says what it is for, with an example', async () => {
    const told = async (name: string) => {
      const { summary, description, examples } = await vendor(name);
      return { summary, description, examples };
    };
    const note = (means: string) =>
      `For playbooks of the collection \`vmware.alb\`: means ${means}. Undeclared fields keep their values, also with \`avi_api_update_method: put\`. A field that is null is not declared; \`{state: absent}\` removes it.`;
    const credentials = `avi_credentials: { controller: lb1.example.com, username: admin, password: '{{vault_password}}' }`;
    expect(await told('avi_pool')).to.deep.equal({
      summary: "declares or deletes a pool, as the vendor's collection does",
      description: note('`pool_present` or `pool_absent`'),
      examples: [`\n- name: A pool is gone\n  avi_pool:\n    ${credentials}\n    name: web\n    state: absent\n`],
    });
    expect(await told('avi_cluster')).to.deep.equal({
      summary: "sets the cluster, as the vendor's collection does",
      description: note('`cluster_present`'),
      examples: [`\n- name: The cluster is unchanged\n  avi_cluster:\n    ${credentials}\n    state: present\n`],
    });
    expect(await told('avi_systemconfiguration')).to.have.property('description', note('`system_config`'));
  });
});

describe('a group of a GSLB service', () => {
  const member = (more: Mapping): Mapping => ({ ratio: 1, ...more });
  const [a, b] = [member({ fqdn: 'a.example.com' }), member(ip('192.0.2.2'))];
  const [emea, apac] = [
    { name: 'emea', priority: 10, members: [a, b] },
    { name: 'apac', members: [a] },
  ];
  const SERVICE = { uuid: 'g-1', name: 'shop', domain_names: ['x'], groups: [emea, apac] };
  const groups = async (group: Mapping, state = 'present', before: Mapping | undefined = SERVICE) => {
    const found = await after('avi_gslbservice_patch_member', { name: 'shop', state, data: { group } }, before);
    return typeof found === 'object' && found !== null && 'groups' in found ? found.groups : found;
  };

  it('gets members and fields, and leaves other groups alone', async () => {
    const c = member({ fqdn: 'c.example.com' });
    expect(await groups({ name: 'emea', members: [c] })).to.deep.equal([{ ...emea, members: [a, b, c] }, apac]);
    expect(await groups({ name: 'emea', priority: 20 })).to.deep.equal([{ ...emea, priority: 20 }, apac]);
    expect(await groups({ name: 'apac', members: [{ fqdn: 'a.example.com', ratio: 7 }, c] })).to.deep.equal([
      emea,
      { name: 'apac', members: [{ ...a, ratio: 7 }, c] },
    ]);
    expect(await groups({ name: 'emea', members: [{ ...ip('192.0.2.2'), ratio: 7 }] })).to.deep.equal([
      { ...emea, members: [a, { ...b, ratio: 7 }] },
      apac,
    ]);
    expect(await groups({ name: 'emea', members: [a, b] })).to.equal('none');
    expect(await groups({ name: 'new', members: [a] })).to.deep.equal([emea, apac, { name: 'new', members: [a] }]);
  });

  it('changes the first member that has the name or the address, and takes away only what is named the same', async () => {
    const both = { fqdn: 'b.example.com', ...ip('192.0.2.2') };
    expect(await groups({ name: 'emea', members: [both] })).to.deep.equal([
      { ...emea, members: [a, { ...b, ...both }] },
      apac,
    ]);
    const old = member({ fqdn: 'old.example.com', ...ip('192.0.2.2') });
    const named = { ...SERVICE, groups: [{ ...emea, members: [a, old, b] }] };
    expect(await groups({ name: 'emea', members: [both] }, 'present', named)).to.deep.equal([
      { ...emea, members: [a, { ...old, ...both }, b] },
    ]);
    expect(await groups({ name: 'emea', members: [ip('192.0.2.2')] }, 'absent', named)).to.deep.equal([
      { ...emea, members: [a, old] },
    ]);
    expect(await groups({ name: 'emea', members: [both] }, 'absent', named)).to.equal('none');
    const none = { ratio: 2 };
    expect(await groups({ name: 'emea', members: [none] })).to.deep.equal([{ ...emea, members: [a, b, none] }, apac]);
  });

  it('keeps each declared member, even if another has its address', async () => {
    const moved = { ...ip('192.0.2.1'), fqdn: 'b.example.com' };
    const first = { ...a, ...ip('192.0.2.1') };
    const second = { ...b, fqdn: 'b.example.com' };
    const changed = [first, { ...second, ...moved }];
    const before = { ...SERVICE, groups: [{ ...emea, members: [first, second] }] };
    expect(await groups({ name: 'emea', members: [moved] }, 'present', before)).to.deep.equal([
      { ...emea, members: changed },
    ]);
    const after = { ...SERVICE, groups: [{ ...emea, members: changed }] };
    expect(await groups({ name: 'emea', members: [moved] }, 'present', after)).to.equal('none');
    expect(await groups({ name: 'emea', members: changed }, 'present', after)).to.equal('none');
  });

  it('loses members, and goes with the last', async () => {
    expect(await groups({ name: 'emea', members: [{ fqdn: 'a.example.com' }] }, 'absent')).to.deep.equal([
      { ...emea, members: [b] },
      apac,
    ]);
    expect(await groups({ name: 'emea', members: [ip('192.0.2.2'), { fqdn: 'z' }] }, 'absent')).to.deep.equal([
      { ...emea, members: [a] },
      apac,
    ]);
    expect(await groups({ name: 'apac', members: [a] }, 'absent')).to.deep.equal([emea]);
    for (const group of [{ name: 'emea' }, { name: 'emea', members: [] }, { name: 'other', members: [a] }])
      expect(await groups(group, 'absent')).to.equal('none');
  });

  it('creates the service with it, and deletes none', async () => {
    const missing = (state: string) =>
      after(
        'avi_gslbservice_patch_member',
        { name: 'shop', state, data: { group: { name: 'emea', members: [a] } } },
        undefined,
      );
    expect(await missing('present')).to.deep.equal({ name: 'shop', groups: [{ name: 'emea', members: [a] }] });
    expect(await missing('absent')).to.equal('none');
    expect(await groups({ name: 'emea', members: [a] }, 'present', { name: 'shop' })).to.deep.equal([
      { name: 'emea', members: [a] },
    ]);
  });
});

describe('the interfaces of a service engine', () => {
  const ENGINE = {
    uuid: 'e-1',
    name: 'se-1',
    data_vnics: [
      { if_name: 'eth1', mtu: 1500 },
      { if_name: 'eth2', mtu: 1500 },
    ],
  };
  const change = (...data_vnics_config: readonly Mapping[]) =>
    after('avi_update_se_data_vnics', { se_name: 'se-1', data_vnics_config }, ENGINE);

  it('are changed by their names, each by its own', async () => {
    expect(await change({ if_name: 'eth2', mtu: 9000 })).to.deep.equal({
      ...ENGINE,
      data_vnics: [ENGINE.data_vnics[0], { if_name: 'eth2', mtu: 9000 }],
    });
    expect(await change({ if_name: 'eth2', mtu: 9000 }, { if_name: 'eth1', enabled: true })).to.deep.equal({
      ...ENGINE,
      data_vnics: [
        { if_name: 'eth1', mtu: 1500, enabled: true },
        { if_name: 'eth2', mtu: 9000 },
      ],
    });
    expect(await change({ if_name: 'eth1', mtu: 1500 }, { if_name: 'eth7' })).to.equal(
      'serviceengine "se-1" has no interface "eth7"',
    );
    expect(await change()).to.equal('none');
  });
});

describe('the connection arguments of the vendor', () => {
  const cases: readonly (readonly [Mapping, Mapping])[] = [
    // Null also overrides a token of the inventory.
    [
      { password: 'p', token: 't' },
      { controller_password: 'p', controller_token: null },
    ],
    [{ avi_credentials: { token: 't' } }, { controller_token: 't' }],
    [
      { password: '', avi_credentials: { password: 'p', token: 't' } },
      { controller_password: 'p', controller_token: null },
    ],
    [
      { timeout: 9, api_version: '18.2' },
      { controller_api_version: '18.2.0', controller_timeout: 9 },
    ],
    [{ api_version: '18.2.3' }, { controller_api_version: '18.2.3' }],
    [{ api_version: 'a18.2' }, { controller_api_version: 'a18.2' }],
    [{ api_version: true }, {}],
    [{ username: null, avi_credentials: { username: 'u' } }, { controller_username: 'u' }],
    [{ avi_credentials: 'none', username: 'u' }, { controller_username: 'u' }],
  ];
  for (const [args, expected] of cases)
    it(`become variables: ${JSON.stringify(args)}`, () => {
      expect(vendorConnection(args)).to.deep.equal(expected);
    });

  for (const [controller, port, url] of [
    ['lb1', undefined, 'https://lb1'],
    ['lb1', '', 'https://lb1'],
    ['lb1', '8443', 'https://lb1:8443'],
    ['http://lb1', 80, 'http://lb1:80'],
    ['HTTPS://lb1/x?y#z', 1, 'HTTPS://lb1:1/x?y#z'],
    ['fd00::1', 443, 'https://[fd00::1]:443'],
    ['[fd00::1]', 443, 'https://[fd00::1]:443'],
    ['lb1:9443', undefined, 'https://lb1:9443'],
    ['lb1\\x', 1, 'https://lb1:1\\x'],
    ['lb1', true, 'https://lb1:'],
  ] as const)
    it(`become ${url}: ${controller}${port === undefined ? '' : ` with port ${JSON.stringify(port)}`}`, () => {
      expect(vendorConnection({ controller, ...(port !== undefined && { port }) })).to.deep.equal({
        controller_url: url,
        controller_dialect: 'avi',
        controller_auth: 'session',
      });
    });
});
