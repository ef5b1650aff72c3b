import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import {
  builtInKindNames,
  kindModules,
  loadKindModule,
  modulesOfKind,
  kindModulesIn,
  vendorModules,
  vendorModulesIn,
} from '../../../modules/kinds/index.js';
import { writeExample } from '../../../modules/kinds/kind_modules.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { builtInKinds, KindTable } from '../../../src/kinds/kind_table.js';
import { secretArguments, validateArguments } from '../../../src/module/arguments/validation.js';
import type { Module, ResourceModule } from '../../../src/module/contract.js';
import { mistakes, playOf } from '../../rig/loaded.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { runTasks } from '../../rig/task_run.js';

async function ofKind(name: string): Promise<ResourceModule> {
  const module = await loadKindModule(name, builtInKinds());
  if (module?.type !== 'resource') throw new Error(`there is no ${name}`);
  return module;
}

function problems(module: Module, args: Mapping, mode: 'static' | 'rendered' = 'static'): readonly string[] {
  const checked = validateArguments(module, args, mode);
  const found = 'problems' in checked ? checked.problems : checked.warnings;
  return found.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
}

describe('the modules of kinds', () => {
  it('are listed without the table, and match the table', async () => {
    expect(builtInKindNames).to.deep.equal(builtInKinds().names);
    const loaded = await Promise.all(kindModules.map((name) => loadKindModule(name, builtInKinds())));
    expect(loaded.map((module) => module?.name)).to.deep.equal(kindModules);
    const candidates = builtInKindNames.flatMap((name) => [`${name}_present`, `${name}_absent`]);
    const found = await Promise.all(candidates.map((name) => loadKindModule(name, builtInKinds())));
    expect(found.flatMap((module) => module?.name ?? []).sort()).to.deep.equal([...kindModules].sort());
  });

  it('are described in docs/kinds.md with their required fields and the scope of their names', async () => {
    const rows = builtInKinds().names.flatMap((name) => {
      const kind = builtInKinds().kind(name);
      if (kind === undefined) return [];
      const required = kind.single || kind.upload ? [] : kind.structure.required.map((one) => `\`${one}\``);
      const scope = kind.single ? 'once per controller' : kind.scope;
      return `| \`${name}\` | ${kind.about ?? ''} | ${required.join(', ')} | ${scope} |\n`;
    });
    const file = path.join(import.meta.dirname, '../../../docs/kinds.md');
    const page = await readFile(file, 'utf8');
    const [, head = '', described = ''] = /(\| kind [^\n]*\n\|[-| ]*\n)((?:\|.*\n)*)/.exec(page) ?? [];
    if (process.env['UPDATE_DOCS'] !== undefined)
      await writeFile(
        file,
        page.replace(head + described, () => head + rows.join('')),
      );
    else expect(described.replaceAll(/ +/g, ' ')).to.equal(rows.join('').replaceAll(/ +/g, ' '));
  });

  it('exclude kinds that have their own module, cannot be deleted, or are uploaded', () => {
    const names = ['cloud_present', 'systemconfiguration_present', 'cluster_absent', 'image_present'];
    expect(names.filter((name) => kindModules.includes(name))).to.deep.equal([]);
    expect(kindModules).to.include.members(['cluster_present', 'image_absent', 'pool_present', 'pool_absent']);
  });

  it('have valid examples', async () => {
    for (const name of kindModules) {
      const { examples, kind } = await ofKind(name);
      expect(name.startsWith(`${kind ?? ''}_`)).to.equal(true);
      for (const example of examples) expect(await mistakes(playOf(example.trim())), example).to.deep.equal([]);
    }
  });

  const slips: readonly (readonly [what: string, args: Record<string, Value>, ...messages: string[]])[] = [
    ['swapped letters', { srevers: [] }, '"srevers" is not a field of Pool (did you mean "servers"?)'],
    [
      'a singular name',
      { health_monitor_ref: '' },
      '"health_monitor_ref" is not a field of Pool (did you mean "health_monitor_refs"?)',
    ],
    ['a hyphen', { 'lb-algorithm': '' }, '"lb-algorithm" is not a field of Pool (did you mean "lb_algorithm"?)'],
    [
      'a typo deep inside',
      { servers: [{ ip: { adr: '10.0.0.1', type: 'V4' } }] },
      '"servers[0].ip.adr" is not a field of IpAddr (did you mean "addr"?)',
    ],
    [
      'typos in patterns of elements to remove',
      { without: { srevers: [{ port: 80 }], servers: [{ ip: { adr: '10.0.0.1' } }] } },
      '"without.srevers" is not a field of Pool (did you mean "servers"?)',
      '"without.servers[0].ip.adr" is not a field of IpAddr (did you mean "addr"?)',
    ],
    [
      'a wrong type',
      { servers: [{ port: 'eighty' }], enabled: 'maybe' },
      '"servers[0].port" must be an integer, not "eighty"',
      '"enabled" must be true or false, not "maybe"',
    ],
    [
      'a choice in lower case',
      { fail_action: { type: 'fail_action_close_conn' } },
      '"fail_action.type" must be "FAIL_ACTION_HTTP_REDIRECT", "FAIL_ACTION_HTTP_LOCAL_RSP", "FAIL_ACTION_CLOSE_CONN" or "FAIL_ACTION_BACKUP_POOL", not "fail_action_close_conn" (did you mean "FAIL_ACTION_CLOSE_CONN"?)',
    ],
  ];
  for (const [what, args, ...messages] of slips) {
    it(`refuse ${what} before the first request`, async () => {
      const pool = await ofKind('pool_present');
      expect(problems(pool, { name: 'web', ...args })).to.deep.equal(messages);
      expect(problems(pool, { name: 'web', ...args }, 'rendered')).to.deep.equal(messages);
    });
  }

  it('warn of lists with more elements than known, and name few of many choices', async () => {
    const profile = { local_as: 1, ibgp: true, community: Array.from({ length: 17 }, String) };
    expect(problems(await ofKind('vrfcontext_present'), { name: 'web', bgp_profile: profile })).to.deep.equal([
      '"bgp_profile.community" should have at most 16 elements; sent unchanged',
    ]);
    const backup = { name: 'web', email_configuration: { smtp_type: 'SMTP_NONE', email_timezone: 'Mars' } };
    const [warning] = problems(await ofKind('avi_systemconfiguration'), backup);
    expect(warning).to.match(/ should be (?:"[^"]+", ){4}"[^"]+" or one of 587 other values; sent unchanged/);
  });

  it('pass on values similar to choices of one release, and warn of them', async () => {
    const policy = await ofKind('httppolicyset_present');
    const redirect = { protocol: 'HTTPS', status_code: 'HTTP_REDIRECT_STATUS_CODE_308' };
    const rules = {
      http_request_policy: { rules: [{ name: 'a', index: 1, enable: true, redirect_action: redirect }] },
    };
    const [warning, ...others] = problems(policy, { name: 'web', ...rules });
    expect(others).to.deep.equal([]);
    expect(warning).to.match(
      /status_code" should be .*; sent unchanged \(did you mean "HTTP_REDIRECT_STATUS_CODE_30[127]"\?\)$/,
    );
  });

  it('pass on fields that are not in the table, and warn of values that one release rejected', async () => {
    const pool = await ofKind('pool_present');
    expect(problems(pool, { name: 'web', quantum_tunnels: 3 })).to.deep.equal([]);
    expect(
      problems(pool, { name: 'web', graceful_disable_timeout: 9000, fail_action: { type: 'FAIL_ACTION_SLEEP' } }),
    ).to.deep.equal([
      '"graceful_disable_timeout" should be an integer from 1 to 7200, or 0, or -1; sent unchanged',
      '"fail_action.type" should be "FAIL_ACTION_HTTP_REDIRECT", "FAIL_ACTION_HTTP_LOCAL_RSP", "FAIL_ACTION_CLOSE_CONN" or "FAIL_ACTION_BACKUP_POOL"; sent unchanged',
    ]);
    expect(problems(pool, { name: 'web', graceful_disable_timeout: -1 })).to.deep.equal([]);
    const [short] = problems(pool, { name: 'web', lb_algorithm: 'ROUND_ROBIN' });
    expect(short).to.match(/; sent unchanged \(did you mean "LB_ALGORITHM_ROUND_ROBIN"\?\)$/);
  });

  it('accept templates where values are checked, and convert texts', async () => {
    const pool = await ofKind('pool_present');
    const args = {
      name: 'web',
      default_server_port: '{{ port }}',
      lb_algorithm: '{{ algorithm }}',
      servers: '{{ all }}',
    };
    expect(problems(pool, args)).to.deep.equal([]);
    const checked = validateArguments(pool, { name: 'web', default_server_port: '8080', enabled: 'no' }, 'rendered');
    expect(checked).to.have.property('args').that.deep.includes({ default_server_port: 8080, enabled: false });
  });

  it('mask the secrets of the table: not every "key" is a secret', async () => {
    const group = secretArguments(await ofKind('stringgroup_present'), {
      name: 'a',
      kv: [{ key: 'text/html', value: 'x' }],
    });
    expect(group).to.deep.equal([]);
    const certificate = secretArguments(await ofKind('sslkeyandcertificate_present'), {
      name: 'a',
      key: 'PRIVATE',
      enckey_base64: 'HSM',
      certificate: { certificate: 'PUBLIC' },
    });
    expect(certificate).to.deep.equal(['PRIVATE', 'HSM']);
    const user = secretArguments(await ofKind('cloudconnectoruser_present'), {
      name: 'a',
      gcp_credentials: { service_account_keyfile_data: '{}' },
      azure_userpass: { azure_username: 'me', password: 'mine' },
    });
    expect(user).to.deep.equal(['{}', 'mine']);
  });

  describe('on a controller', () => {
    let fleet: Fleet;
    beforeEach(async () => {
      fleet = await startFleet();
    });
    afterEach(() => fleet.dispose());

    const outcomes = async (...tasks: Mapping[]): Promise<readonly string[]> => {
      const { results } = await runTasks(
        fleet,
        tasks.map((one) => ({ name: 'it', ignore_errors: true, ...one })),
      );
      return results.map(({ status, message = '' }) => (status === 'failed' ? message : status));
    };

    it('report the missing fields of a new object, and write nothing', async () => {
      const before = fleet.controller('lb1');
      const found = await outcomes(
        { healthmonitor_present: { name: 'web' } },
        { pool_present: { name: 'web', servers: [{ port: 80 }, { ip: { addr: '10.0.0.1' } }] } },
      );
      expect(found).to.deep.equal([
        'healthmonitor "web" does not exist, and a new healthmonitor needs "type"',
        'pool "web" does not exist, and a new pool needs "servers[0].ip", "servers[1].ip.type"',
      ]);
      expect(before.requests.every(({ method }) => method === 'GET')).to.equal(true);
    });

    it('are not created if the next run would not find them', async () => {
      const lb1 = fleet.controller('lb1');
      lb1.setObjects('/api/pool/', [{ uuid: 'pool-1', name: 'web' }]);
      lb1.clearRequests();
      const found = await outcomes(
        { pool_present: { name: 'web', match: { uuid: 'pool-2' } } },
        { resource_present: { kind: 'pool', name: 'web', match: { description: 'x' } } },
        { avi_pool: { name: 'web', uuid: 'pool-2' } },
        { avi_pool: { name: 'web', uuid: 'pool-2', state: 'absent' } },
      );
      const unlike = 'with the fields of "match" does not exist, and a new one would not have this';
      expect(found).to.deep.equal([
        `pool "web" ${unlike} "uuid": leave it out of "match" to create one`,
        `/api/pool/ "web" ${unlike} "description": declare the same value as in "match" to create one`,
        'there is no pool with the uuid "pool-2", and a new one gets its own: leave the uuid out to use or create "web"',
        'ok',
      ]);
      expect(lb1.requests.every(({ method }) => method === 'GET')).to.equal(true);
    });

    it('need only the name for an existing object', async () => {
      fleet
        .controller('lb1')
        .setObjects('/api/healthmonitor/', [{ uuid: 'hm-1', name: 'web', type: 'HEALTH_MONITOR_TCP' }]);
      const found = await outcomes(
        { healthmonitor_present: { name: 'web' } },
        { healthmonitor_present: { name: 'web', send_interval: 5 } },
        { healthmonitor_absent: { name: 'web' } },
        { healthmonitor_absent: { name: 'web' } },
      );
      expect(found).to.deep.equal(['ok', 'changed', 'changed', 'ok']);
    });

    it('set an object that exists once', async () => {
      fleet.controller('lb1').setObject('/api/cluster', { uuid: 'c-1', name: 'cluster-0-1', nodes: [] });
      const nodes = [{ ip: { type: 'V4', addr: '10.0.0.1' } }];
      expect(await outcomes({ cluster_present: { nodes } }, { cluster_present: { nodes } })).to.deep.equal([
        'changed',
        'ok',
      ]);
      expect(fleet.controller('lb1').object('/api/cluster')).to.deep.include({ name: 'cluster-0-1', nodes });
    });
  });
});

describe('the example of a kind', () => {
  const table = new KindTable({
    kinds: { door: 'Door', gate: { structure: 'Gate', single: true }, network: 'Gate' },
    structures: {
      Door: {
        required: ['name', 'colour', 'width', 'height', 'open', 'tags', 'hinge', 'more', 'note', 'labels', 'lost'],
        fields: {
          name: 'string',
          note: 'any',
          labels: 'mapping',
          open: 'boolean',
          tags: '[Hinge]',
          hinge: 'Hinge',
          colour: { type: 'string', choices: ['RED', 'BLUE'] },
          width: { type: 'integer', range: [3, 9] },
          height: 'number',
          more: { type: 'integer', default: 7 },
        },
      },
      Hinge: { required: ['metal'], fields: { metal: 'string', optional: 'string' } },
      Gate: { fields: { name: 'string' } },
    },
  });
  const example = (name: string) => {
    const kind = table.kind(name);
    return kind && writeExample(kind, `${name}_present`);
  };

  it('has a sample of each field that is required', () => {
    expect(example('door')).to.equal(`
- name: A door exists
  door_present:
    name: web
    colour: "RED"
    width: 3
    height: 1
    open: true
    tags: []
    hinge: {"metal":"text"}
    more: 7
    note: "text"
    labels: {}
    lost: "text"
`);
    expect(example('gate')).to.equal('\n- name: The gate is configured\n  gate_present:\n');
    expect(example('network')).to.match(
      /^\n- name: A network exists\n {2}network_present:\n {4}name: web\n {4}configured_subnets:\n/,
    );
  });
});

describe('the modules of kinds', () => {
  it('are two for most kinds, and one where there is nothing to create or delete', () => {
    const of = (kind: object) => kindModulesIn({ kinds: { x: 'X', y: { structure: 'Y', ...kind } } });
    expect(of({})).to.deep.equal(['x_present', 'x_absent', 'y_present', 'y_absent']);
    expect(of({ single: true })).to.deep.equal(['x_present', 'x_absent', 'y_present']);
    expect(of({ upload: true })).to.deep.equal(['x_present', 'x_absent', 'y_absent']);
    expect(kindModulesIn({ kinds: { cloud: 'X', backup: 'X', systemconfiguration: 'X' } })).to.deep.equal([]);
    expect(vendorModulesIn({ kinds: { x: 'X', y: 'Y' } })).to.deep.equal(['avi_x', 'avi_y']);
    expect([modulesOfKind('x'), modulesOfKind('systemconfiguration')]).to.deep.equal([
      ['x_present', 'x_absent'],
      ['system_config'],
    ]);
  });

  it('are those of the built-in kinds', () => {
    expect(builtInKindNames).to.deep.equal(builtInKinds().names);
    const has = (...names: readonly string[]) => names.map((name) => kindModules.includes(name));
    expect(has('pool_present', 'pool_absent', 'cluster_present', 'image_absent')).to.deep.equal([
      true,
      true,
      true,
      true,
    ]);
    expect(has('cluster_absent', 'image_present', 'cloud_present', 'backup_absent')).to.deep.equal(
      Array(4).fill(false),
    );
    expect(new Set(vendorModules).size).to.equal(vendorModules.length);
    const vendor = (...names: readonly string[]) => names.map((name) => vendorModules.includes(name));
    expect(vendor('avi_pool', 'avi_cloud', 'avi_webapput', 'avi_api_session', 'avi_useraccount')).to.deep.equal(
      Array(5).fill(true),
    );
    expect(vendor('avi_backup', 'avi_image', 'pool')).to.deep.equal([false, false, false]);
  });

  it('are loaded by their names', async () => {
    const table = builtInKinds();
    const names = ['pool_present', 'pool_absent', 'cluster_present', 'avi_pool'];
    const loaded = await Promise.all(names.map((name) => loadKindModule(name, table)));
    expect(loaded.map((module) => module?.name)).to.deep.equal(names);
    expect(loaded.map((module) => (module?.type === 'resource' ? module.kind : undefined))).to.deep.equal([
      'pool',
      'pool',
      'cluster',
      'pool',
    ]);
    for (const name of ['cluster_absent', 'image_present', 'pool_other', 'none_present', 'pool', 'cloud_present'])
      expect(await loadKindModule(name, table), name).to.equal(undefined);
  });
});
