import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { parseYaml } from '../../src/project/yaml/parse_yaml.js';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel as built } from '../rig/gate_command.js';
import { evenkeel } from '../rig/in_process.js';
import { SEED } from '../rig/random_seed.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { DEAD_CONTROLLER } from '../rig/waits.js';

type Files = Readonly<Record<string, string>>;

/** The content of a folder, by file. */
async function filesIn(folder: string): Promise<Files> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name));
  const texts = files.sort().map(async (file) => [path.relative(folder, file), await readFile(file, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

const GROUPS = `
  children:
    emea: { children: { berlin: { hosts: { lb1: , lb2: } }, paris: { hosts: { lb3: } } } }
    apac: { hosts: { lb4: } }
`;

const SETUP = `
- hosts: all
  tasks:
    - cloud_present:
        name: edge
        mtu: '{{ {"lb1": 9000, "lb2": 9000, "lb3": 1400}[inventory_hostname] | default(1500) }}'
        description: '{{ {"lb1": "7", "lb2": "true", "lb3": "[1]"}[inventory_hostname] | default("of lb4") }}'
        dhcp_enabled: true
        banner: !unsafe 'Use {{ this }} 😀'
        labels: { '{{ "{{ zone }}" }}': x }
        vcenter_configuration: { username: admin, password: Blue-Whale-42, privilege: WRITE_ACCESS }
    - cloud_present: { name: spare, vtype: CLOUD_NONE }
      when: "'berlin' in group_names or inventory_hostname == 'lb4'"
    - system_config:
        dns_configuration: { search_domain: '{{ inventory_hostname }}.example.com' }
        ssh_ciphers: [aes256-ctr]
`;

describe('evenkeel capture', () => {
  let project: Project;
  let fleet: Fleet;

  before(async () => {
    fleet = await startFleet({ controllers: ['lb1', 'lb2', 'lb3', 'lb4'] });
    const lb9 = `all: { hosts: { lb9: { ${DEAD_CONTROLLER} } } }`;
    project = await emptyProject({ 'setup.yml': SETUP, 'groups.yml': `all:${GROUPS}`, 'lb9.yml': lb9 });
    const { code, stdout } = await here('run', 'setup.yml');
    expect(code, stdout).to.equal(0);
  });
  after(() => Promise.all([fleet.dispose(), project.remove()]));

  function here(command: string, ...args: readonly string[]) {
    const inventory = ['-i', fleet.inventoryFile, '-i', 'groups.yml'];
    return evenkeel([command, ...args, ...inventory], { cwd: project.directory });
  }

  it('writes common values, values of groups, and the rest; a check then changes nothing', async () => {
    const { code, stdout, stderr } = await here('capture', '--out', 'out');
    expect({ code, stderr }, stdout).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.equal(
      `captured 3 objects of 4 controllers in out
1 secret to fill in, in out/group_vars/all/secrets.yml:
  captured_cloud_edge_vcenter_configuration_password_secret: cloud "edge": vcenter_configuration.password, on 4 controllers
check it with: evenkeel run out/capture.yml -i ${fleet.inventoryFile} -i groups.yml --check
`,
    );
    const files = await filesIn(path.join(project.directory, 'out'));
    expect(Object.keys(files)).to.deep.equal([
      'capture.yml',
      'group_vars/all/captured.yml',
      'group_vars/all/secrets.yml',
      'group_vars/berlin/captured.yml',
      ...['lb1', 'lb2', 'lb3', 'lb4'].map((name) => `host_vars/${name}/captured.yml`),
    ]);
    expect(files['group_vars/berlin/captured.yml']).to.equal(
      `# Captured by evenkeel: what berlin has in common.
---
captured_cloud_edge_mtu: 9000
`,
    );
    expect(files['host_vars/lb3/captured.yml']).to.include('captured_cloud_absent:\n  - spare\n');
    expect(files['host_vars/lb4/captured.yml']).to.equal(
      `# Captured by evenkeel: what only lb4 has.
---
captured_cloud_edge_description: of lb4
captured_cloud_edge_mtu: 1500
captured_systemconfiguration_dns_configuration_search_domain: lb4.example.com
`,
    );
    expect(files['group_vars/all/captured.yml']).to.include(`banner: !unsafe "Use {{ this }} 😀"`);
    expect(Object.values(files).join('')).to.not.match(/Blue-Whale|^\s*(?:uuid|url|_last_modified):/m);
    const check = await here('run', 'out/capture.yml', '--check', '--detailed-exitcode');
    expect(check.code, check.stdout).to.equal(0);
    const drift = await here('drift', 'out/capture.yml');
    expect(drift.code, drift.stdout).to.equal(0);
  });

  it('writes no secret that a controller shows as a number in a field with a harmless name', async () => {
    const out = ['--out', 'numbers', '--kind', 'cloud', '-e', 'pin_password=9000'];
    const { code, stdout } = await here('capture', ...out);
    expect(code, stdout).to.equal(0);
    expect(stdout).to.match(/_mtu_secret: cloud "edge": mtu, on 2 controllers$/m);
    const files = await filesIn(path.join(project.directory, 'numbers'));
    expect(Object.values(files).join('')).to.not.include('9000');
  });

  it('writes valid YAML for any name of an object, also into comments', async () => {
    const odd = await startFleet({ controllers: ['lb1', 'lb2'] });
    try {
      const name = 'e\u0000d\u001bg\u0085e\r\nx: "\uffff\ud800"';
      for (const one of odd.names)
        odd
          .controller(one)
          .setObjects('/api/cloud/', [
            { uuid: 'cloud-1', name, vtype: 'CLOUD_VCENTER', vcenter_configuration: { password: 'Blue-Whale-42' } },
          ]);
      const ended = await evenkeel(['capture', '--out', 'odd', '-i', odd.inventoryFile], { cwd: project.directory });
      expect(ended.code, ended.stderr).to.equal(0);
      const files = await filesIn(path.join(project.directory, 'odd'));
      expect(files['group_vars/all/secrets.yml']).to.match(/^# cloud "ede x: "/m);
      for (const [file, text] of Object.entries(files)) {
        // oxlint-disable-next-line no-control-regex -- these are what YAML forbids
        expect(text, file).to.not.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/);
        const diagnostics = new Diagnostics();
        parseYaml(text, file, diagnostics);
        expect(diagnostics.list, file).to.deep.equal([]);
      }
    } finally {
      await odd.dispose();
    }
  });

  it('makes an empty fleet equal', async () => {
    await here('capture', '--out', 'source');
    await project.write('secrets.yml', 'captured_cloud_edge_vcenter_configuration_password_secret: Blue-Whale-42');
    const empty = await startFleet({ controllers: fleet.names });
    try {
      const inventory = ['-i', empty.inventoryFile, '-i', 'groups.yml'];
      const cwd = { cwd: project.directory };
      const run = await evenkeel(['run', 'source/capture.yml', ...inventory, '-e', '@secrets.yml'], cwd);
      expect(run.code, run.stdout).to.equal(0);
      await evenkeel(['capture', '--out', 'copy', ...inventory], cwd);
      const [source, copy] = await Promise.all(
        ['source', 'copy'].map((name) => filesIn(path.join(project.directory, name))),
      );
      expect(copy).to.deep.equal(source);
      await pairOf('lb3', empty);
      const compared = await evenkeel(['compare', '-i', 'pair.yml'], cwd);
      expect(compared.code, compared.stdout).to.equal(0);
    } finally {
      await empty.dispose();
    }
  });

  async function pairOf(name: string, other: Fleet): Promise<void> {
    const host = (one: Fleet) => ({
      controller_url: one.url(name),
      controller_ca_file: one.caFile,
      controller_username: one.username,
      controller_password: one.password,
      controller_api_version: '1.0.0',
    });
    const hosts = { first: host(fleet), second: host(other) };
    await project.write('pair.yml', JSON.stringify({ all: { hosts } }));
  }

  it('writes private files, into the empty folder that is there, and leaves a folder with content alone', async () => {
    await mkdir(path.join(project.directory, 'empty'), { mode: 0o755 });
    expect((await here('capture', '--out', 'empty')).code).to.equal(0);
    const modeOf = async (name: string) => (await stat(path.join(project.directory, name))).mode & 0o777;
    expect(await modeOf('empty')).to.equal(0o755);
    expect(await modeOf('empty/group_vars')).to.equal(0o700);
    expect(await modeOf('empty/group_vars/all/captured.yml')).to.equal(0o600);
    const again = await here('capture', '--out', 'empty');
    expect(again.code).to.equal(1);
    expect(again.stderr).to.include('empty: the folder is not empty; nothing was contacted').and.to.include('--force');
    const file = await here('capture', '--out', 'setup.yml');
    expect(file.stderr).to.include('setup.yml: it is not a folder');
    expect(await readdir(project.directory)).to.satisfy((names: string[]) =>
      names.every((name) => !name.startsWith('.empty')),
    );
  });

  it('replaces an earlier capture with --force, but no other file and no secrets', async () => {
    await here('capture', '--out', 'again');
    const folder = path.join(project.directory, 'again');
    const before = await filesIn(folder);
    await writeFile(path.join(folder, 'group_vars/all/secrets.yml'), 'filled: in\n');
    await mkdir(path.join(folder, 'host_vars/gone'));
    await writeFile(path.join(folder, 'host_vars/gone/captured.yml'), 'a: 1\n');
    await writeFile(path.join(folder, 'host_vars/gone/mine.yml'), 'a: 1\n');
    await writeFile(path.join(folder, 'capture.yml'), '- hosts: mine\n');
    const refused = await here('capture', '--out', 'again', '--force');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('capture.yml in this folder is not from a capture');
    await writeFile(path.join(folder, 'capture.yml'), '# Captured by evenkeel.\nold\n');
    expect((await here('capture', '--out', 'again', '--force')).code).to.equal(0);
    expect(await filesIn(folder)).to.deep.equal({
      ...before,
      'group_vars/all/secrets.yml': 'filled: in\n',
      'host_vars/gone/mine.yml': 'a: 1\n',
    });
  });

  it('captures the rest if a controller or a kind cannot be read, and exits with 4', async () => {
    const away = await here('capture', '--out', 'away', '-i', 'lb9.yml');
    expect(away.code).to.equal(4);
    expect(away.stdout)
      .to.match(/^captured 3 objects of 4 controllers/)
      .and.to.match(/^not read: lb9: .*ECONNREFUSED/m);
    const playbook = await readFile(path.join(project.directory, 'away/capture.yml'), 'utf8');
    expect(playbook).to.include('  hosts:\n    - lb1\n    - lb2\n    - lb3\n    - lb4\n');
    const lb3 = fleet.controller('lb3');
    lb3.behaviour = { unreadable: 405 };
    const silent = await here('capture', '--out', 'silent');
    lb3.behaviour = {};
    expect(silent.code).to.equal(4);
    expect(silent.stdout).to.match(/^not read: lb3: systemconfiguration: .*405/m);
    const check = await here('run', 'silent/capture.yml', '--check', '--detailed-exitcode');
    expect(check.code, check.stdout).to.equal(0);
  });

  it('refuses kinds that cannot be declared', async () => {
    const { code, stderr } = await here('capture', '--out', 'none', '--kind', 'image');
    expect(code).to.equal(1);
    expect(stderr).to.include('objects of the kind "image" are uploaded, so they cannot be captured');
  });

  it('writes nothing if nothing could be read', async () => {
    const { code, stdout } = await evenkeel(['capture', '--out', 'none', '-i', 'lb9.yml'], { cwd: project.directory });
    expect(code).to.equal(4);
    expect(stdout).to.include('nothing was written');
    expect(await readdir(project.directory)).to.not.include('none');
  });
});

/** Names and references as in real projects; some objects are only on some controllers. */
const samples = fc.record({
  monitors: fc.uniqueArray(fc.constantFrom('http', 'http 2', 'ping/1'), { minLength: 1, maxLength: 3 }),
  port: fc.constantFrom(80, 8080),
  odd: fc.subarray(['lb1', 'lb2', 'lb3']),
  name: fc.constantFrom('web', 'Web "1"', '{{ web }}'),
  mtu: fc.constantFrom(1500, 9000),
  servers: fc.array(fc.constantFrom('10.0.0.1', '10.0.0.2'), { maxLength: 2 }),
});

function playbookOf({
  monitors,
  port,
  odd,
  name,
  mtu,
  servers,
}: typeof samples extends fc.Arbitrary<infer T> ? T : never) {
  const unsafe = `!unsafe ${JSON.stringify(name)}`;
  const list = servers.map((addr) => `{ ip: { type: V4, addr: ${addr} }, port: ${port} }`).join(', ');
  return `
- hosts: all
  vars: { name: ${unsafe}, odd: ${JSON.stringify(odd)} }
  tasks:
    - cloud_present: { name: Default-Cloud, mtu: ${mtu} }
    - cloud_present: { name: edge, vtype: CLOUD_NONE }
    - healthmonitor_present: { name: '{{ item }}', type: HEALTH_MONITOR_PING, send_interval: '{{ 10 if inventory_hostname in odd else 20 }}' }
      loop: ${JSON.stringify(monitors)}
    - pool_present:
        name: '{{ name }}'
        default_server_port: ${port}
        health_monitor_refs: ${JSON.stringify(monitors.map((one) => `/api/healthmonitor?name=${encodeURIComponent(one)}`))}
        servers: [${list}]
        cloud_ref: '{{ "edge" if inventory_hostname in odd else "Default-Cloud" }}'
    - pool_present: { name: second, cloud_ref: edge }
      when: inventory_hostname in odd
    - poolgroup_present:
        name: group
        cloud_ref: edge
        members: [{ pool_ref: second, ratio: 1 }]
      when: inventory_hostname in odd
    - healthmonitor_present: { name: System-Ping, send_interval: 7 }
      when: inventory_hostname == 'lb2' and inventory_hostname in odd
    - user_present: { name: ada, password: Blue-Whale-42, access: [{ role_ref: System-Admin, tenant_ref: admin }] }
    - system_config: { email_configuration: { auth_password: Blue-Whale-42, auth_username: me } }
`;
}

describe('evenkeel capture of controllers of the dialect avi', () => {
  const INVENTORY = `
all:
  hosts: { lb1: , lb2: , lb3: }
  children: { pair: { hosts: { lb1: , lb2: } } }
  vars:
    controller_url: 'https://{{ inventory_hostname }}.example'
    controller_dialect: avi
    controller_auth: session
    controller_api_version: 22.1.3
`;
  const KINDS = 'cloud systemconfiguration healthmonitor pool poolgroup user'
    .split(' ')
    .flatMap((kind) => ['--kind', kind]);

  for (const [at, sample] of fc.sample(samples, { seed: SEED, numRuns: 4 }).entries())
    it(`declares what exists, and makes an empty fleet equal: ${at + 1}`, async () => {
      const files = { 'setup.yml': playbookOf(sample), 'inventory.yml': INVENTORY };
      const [source, empty] = await Promise.all([emptyProject(files), emptyProject(files)]);
      const simulated = ['-i', 'inventory.yml', '--simulate'];
      const run = async (where: Project, ...args: readonly string[]) => {
        const { code, stdout, stderr } = await evenkeel([...args, ...simulated], { cwd: where.directory });
        expect(code, `${JSON.stringify(sample)}\n${stdout}${stderr}`).to.equal(0);
        return stdout;
      };
      try {
        await run(source, 'run', 'setup.yml');
        const said = await run(source, 'capture', '--out', 'out', ...KINDS);
        expect(said).to.include('secret');
        await run(source, 'run', 'out/capture.yml', '--check', '--detailed-exitcode');
        const out = path.join(source.directory, 'out');
        const captured = await filesIn(out);
        expect(JSON.stringify(captured)).to.not.include('Blue-Whale');
        const secrets = [...said.matchAll(/^ {2}(captured_\w+_secret):/gm)].map(
          ([, name]) => `${name ?? ''}=Blue-Whale-42`,
        );
        await run(empty, 'run', path.join(out, 'capture.yml'), ...secrets.flatMap((one) => ['-e', one]));
        await run(empty, 'capture', '--out', 'out', ...KINDS);
        expect(await filesIn(path.join(empty.directory, 'out'))).to.deep.equal(captured);
      } finally {
        await Promise.all([source.remove(), empty.remove()]);
      }
    });

  it('captures services with everything they refer to, in several clouds', async () => {
    const setup = `
- hosts: all
  tasks:
    - cloud_present: { name: edge, vtype: CLOUD_NONE }
    - serviceenginegroup_present: { name: Default-Group, cloud_ref: edge, max_vs_per_se: 20 }
    - sslkeyandcertificate_present:
        name: web
        certificate: { certificate: "one\\ntwo\\n" }
        key: Blue-Whale-42
    - pool_present: { name: web, cloud_ref: '{{ item }}' }
      loop: [edge, Default-Cloud]
    - vsvip_present:
        name: web
        cloud_ref: edge
        vip: [{ vip_id: '1', ip_address: { type: V4, addr: "10.0.0.{{ inventory_hostname[-1] }}" } }]
    - virtualservice_present:
        name: web
        cloud_ref: edge
        vsvip_ref: web
        pool_ref: web
        se_group_ref: Default-Group
        ssl_key_and_certificate_refs: [web]
        services: [{ port: 443, enable_ssl: true }]
    - system_config: { dns_virtualservice_refs: ['/api/virtualservice?name=web&cloud=edge'] }
`;
    const kinds =
      'virtualservice vsvip pool sslkeyandcertificate serviceenginegroup cloud systemconfiguration vrfcontext';
    const asked = kinds.split(' ').flatMap((kind) => ['--kind', kind]);
    const files = { 'inventory.yml': INVENTORY, 'setup.yml': setup };
    const [source, empty] = await Promise.all([emptyProject(files), emptyProject(files)]);
    const run = async (where: Project, ...args: readonly string[]) => {
      const { code, stdout } = await evenkeel([...args, '-i', 'inventory.yml', '--simulate'], { cwd: where.directory });
      expect(code, stdout).to.equal(0);
      return stdout;
    };
    try {
      await run(source, 'run', 'setup.yml');
      const said = await run(source, 'capture', '--out', 'out', ...asked);
      expect(said).to.include('captured_sslkeyandcertificate_web_key_secret').and.to.not.include('circle');
      await run(source, 'run', 'out/capture.yml', '--check', '--detailed-exitcode');
      const out = path.join(source.directory, 'out');
      const filled = ['-e', 'captured_sslkeyandcertificate_web_key_secret=Blue-Whale-42'];
      expect(await run(empty, 'run', path.join(out, 'capture.yml'), '-D', ...filled)).to.not.include('Blue-Whale');
      await run(empty, 'capture', '--out', 'out', ...asked);
      expect(await filesIn(path.join(empty.directory, 'out'))).to.deep.equal(await filesIn(out));
      expect(await run(source, 'compare', '--kind', 'pool')).to.include('equal on all 3 controllers');
    } finally {
      await Promise.all([source.remove(), empty.remove()]);
    }
  });

  it('names the clouds of objects that it does not capture', async () => {
    const setup = `
- hosts: all
  tasks:
    - cloud_present: { name: edge, vtype: CLOUD_NONE }
    - cloud_present: { name: edge, se_group_template_ref: '/api/serviceenginegroup?name=Default-Group&cloud=edge' }
    - virtualservice_present: { name: dns, cloud_ref: '{{ item }}', services: [{ port: 53 }] }
      loop: [edge, Default-Cloud]
    - system_config: { dns_virtualservice_refs: ['/api/virtualservice?name=dns&cloud={{ cloud }}'] }
      vars: { cloud: '{{ "edge" if inventory_hostname == "lb1" else "Default-Cloud" }}' }
`;
    const where = await emptyProject({ 'inventory.yml': INVENTORY, 'setup.yml': setup });
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await evenkeel([...args, '-i', 'inventory.yml', '--simulate'], {
        cwd: where.directory,
      });
      return { code, said: stdout + stderr };
    };
    try {
      expect((await run('run', 'setup.yml')).code).to.equal(0);
      expect(await run('capture', '--out', 'out')).to.include({ code: 0 });
      const again = await run('run', 'out/capture.yml', '--check', '--detailed-exitcode');
      expect(again.code, again.said).to.equal(0);
      const compared = await run('compare');
      expect(compared.code, compared.said).to.equal(3);
      expect(compared.said).to.include('+ dns_virtualservice_refs[0]: /api/virtualservice?name=dns&cloud=edge');
    } finally {
      await where.remove();
    }
  });

  it('captures the objects of one tenant', async () => {
    const setup = `
- hosts: all
  tasks:
    - tenant_present: { name: web, tenant: admin }
    - pool_present: { name: own }
    - pool_present: { name: other, tenant: admin }
`;
    const tenant = (name: string) => `all: { vars: { controller_tenant: '${name}' } }`;
    const files = {
      'inventory.yml': INVENTORY,
      'web.yml': tenant('web'),
      'every.yml': tenant('*'),
      'setup.yml': setup,
    };
    const where = await emptyProject(files);
    const run = (...args: readonly string[]) =>
      evenkeel([...args, '-i', 'inventory.yml', '--simulate'], { cwd: where.directory });
    try {
      expect((await run('run', 'setup.yml', '-i', 'web.yml')).code).to.equal(0);
      const web = await run('capture', '--out', 'out', '--kind', 'pool', '--kind', 'healthmonitor', '-i', 'web.yml');
      expect(web.stdout).to.match(/^captured 1 object of 3 controllers/);
      const text = await readFile(path.join(where.directory, 'out/group_vars/all/captured.yml'), 'utf8');
      expect(text).to.include('name: own\n').and.to.include('tenant_ref: web\n').and.to.not.include('other');
      const every = await run('capture', '--out', 'every', '--kind', 'pool', '-i', 'every.yml');
      expect(every.code).to.equal(4);
      expect(every.stdout).to.include('only the objects of one tenant can be read: name the tenant');
    } finally {
      await where.remove();
    }
  });

  it('is the same for the built command', async () => {
    const where = await emptyProject({ 'inventory.yml': INVENTORY });
    try {
      const simulated = ['-i', 'inventory.yml', '--simulate'];
      const captured = await built(['capture', '--out', 'out', ...simulated], { cwd: where.directory });
      expect(captured.code, captured.stderr).to.equal(0);
      expect(captured.stdout).to.match(/^captured 1 object of 3 controllers in out\nleft out: 1 object that came/);
      const args = ['run', 'out/capture.yml', '--check', '--detailed-exitcode', ...simulated];
      expect((await built(args, { cwd: where.directory })).code).to.equal(0);
      expect((await built(['compare', ...simulated], { cwd: where.directory })).code).to.equal(0);
    } finally {
      await where.remove();
    }
  });
});
