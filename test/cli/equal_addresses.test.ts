import { expect } from 'chai';
import { evenkeel as command, emptyProject, type Project } from '../rig/command.js';
import { evenkeel, type EndedInProcess } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const HINT =
  'hint: correct the address of one of them; if they are names of one controller, set controller_shared: true for each';
const MEANT = 'what is meant for one would be written to the other';

const PLAYBOOK = `- hosts: all
  serial: 1
  tasks:
    - name: Cloud
      cloud_present: { name: '{{ inventory_hostname }}', vtype: CLOUD_NONE }
`;

describe('two controllers of an inventory with one address', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'p.yml': PLAYBOOK });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  /** The variables that all hosts need, and the hosts. */
  const inventory = (...hosts: readonly string[]): string => `all:
  vars:
    controller_username: ${fleet.username}
    controller_password: ${fleet.password}
    controller_api_version: 22.1.3
    controller_ca_file: ${fleet.caFile}
  hosts:
${hosts.map((host) => `    ${host}\n`).join('')}`;

  const run = async (hosts: readonly string[], ...args: readonly string[]): Promise<EndedInProcess> => {
    await project.write('inv.yml', inventory(...hosts));
    const [command = 'run', ...options] = args.length === 0 ? ['run', 'p.yml'] : args;
    return evenkeel([command, ...options, '-i', 'inv.yml'], { cwd: project.directory });
  };

  const requests = (): number => fleet.names.flatMap((name) => fleet.controller(name).requests).length;

  /** Three hosts, of which the last has the address of the first. */
  const copied = (): readonly string[] => [
    `lb1: { controller_url: "${fleet.url('lb1')}" }`,
    `lb2: { controller_url: "${fleet.url('lb2')}" }`,
    `lb3: { controller_url: "${fleet.url('lb1')}" }`,
  ];

  for (const args of [
    ['run', 'p.yml'],
    ['run', 'p.yml', '--check'],
    ['run', 'p.yml', '--simulate'],
    ['plan', 'p.yml'],
    ['plan', 'p.yml', '--out', 'a.plan'],
    ['drift', 'p.yml'],
    ['task', 'all', '-m', 'api_request', '-a', 'path=/api/cloud/'],
    ['capture', '--kind', 'cloud', '--out', 'captured'],
    ['lint', 'p.yml'],
  ])
    it(`are named with their lines by ${args.join(' ')}, before the first request`, async () => {
      const { code, stdout, stderr } = await run(copied(), ...args);
      const [url, said] = [fleet.url('lb1'), stdout + stderr];
      expect(said).to.include(`lb1 (inv.yml:8:28) and lb3 (inv.yml:10:28) have the same address ${url}: ${MEANT}\n`);
      expect(said).to.include(HINT);
      expect(said).to.include('--> inv.yml:10:28');
      expect(code).to.equal(1);
      expect(requests()).to.equal(0);
    });

  it('are refused by apply, although they had two addresses when the plan was made', async () => {
    const hosts = [copied()[0] ?? '', `lb2: { controller_url: "{{ lookup('env', 'SECOND') }}" }`];
    await project.write('inv.yml', inventory(...hosts));
    const at = (second: string) => ({ cwd: project.directory, env: { SECOND: second } });
    const plan = await command(['plan', 'p.yml', '-i', 'inv.yml', '--out', 'a.plan'], at(fleet.url('lb2')));
    expect(plan.code).to.equal(0);
    const before = requests();
    const { code, stderr } = await command(['apply', 'a.plan'], at(fleet.url('lb1')));
    expect(stderr).to.include('no controller was contacted');
    expect([code, requests()]).to.deep.equal([1, before]);
  });

  it('are named also if the run has only one of them', async () => {
    const { code, stderr } = await run(copied(), 'run', 'p.yml', '--limit', 'lb3');
    expect(stderr).to.include('lb3 (inv.yml:10:28) and lb1 (inv.yml:8:28) have the same address');
    expect([code, requests()]).to.deep.equal([1, 0]);
    expect((await run(copied(), 'run', 'p.yml', '--limit', 'lb2')).code).to.equal(0);
  });

  it('can be left out of the run together', async () => {
    const { stderr } = await run(copied());
    expect(stderr).to.include("to run the other controller: --limit '!lb1,!lb3'");
    expect((await run(copied(), 'run', 'p.yml', '--limit', '!lb1,!lb3')).code).to.equal(0);
  });

  it('are allowed if both say controller_shared: true', async () => {
    const [first = '', , third = ''] = copied();
    const shared = (host: string): string => host.replace(' }', ', controller_shared: true }');
    expect((await run([first, shared(third)])).code).to.equal(1);
    expect(requests()).to.equal(0);
    expect((await run([shared(first), shared(third)])).code).to.equal(0);
    expect((await run([shared(first), shared(third)], 'lint', 'p.yml')).stdout).not.to.include('same address');
  });

  it('are found in every spelling of the address', async () => {
    const { port } = new URL(fleet.url('lb1'));
    for (const [spelling, other] of [
      [`controller_url: "https://LB.example.com:${port}/"`, `controller_url: "https://lb.example.com:${port}"`],
      ['controller_url: "https://lb.example.com:443"', 'controller_url: "https://lb.example.com"'],
      ['controller_url: "https://lb.example.com/x/"', 'controller_url: "https://lb.example.com/x"'],
      ['ansible_host: lb.example.com', 'controller_url: "https://lb.example.com"'],
      [`ansible_host: lb.example.com, ansible_port: ${port}`, `controller_url: "https://lb.example.com:${port}"`],
      ['controller_url: "https://{{ place }}.example.com", place: lb', 'controller_url: "https://lb.example.com"'],
      [
        `controller_url: "{{ hostvars['lb2'].controller_url }}"`,
        'controller_url: "https://lb.example.com", of: "{{ group_names }}"',
      ],
    ]) {
      const { code, stderr } = await run([`lb1: { ${spelling} }`, `lb2: { ${other} }`]);
      expect(stderr, spelling).to.match(
        /error: lb1 \(inv\.yml:8:\d+\) and lb2 \(inv\.yml:9:\d+\) have the same address/,
      );
      expect(code).to.equal(1);
    }
  });

  it('are different at another port, scheme, path, and behind another proxy', async () => {
    const url = 'https://127.0.0.1:9';
    for (const other of [
      'controller_url: "https://127.0.0.1:10"',
      'controller_url: "http://127.0.0.1:9", controller_allow_http: true',
      `controller_url: "${url}/second"`,
      `controller_url: "${url}", controller_proxy: "http://127.0.0.1:8"`,
      'controller_url: "https://localhost:9"',
    ]) {
      const { stdout } = await run([`lb1: { controller_url: "${url}" }`, `lb2: { ${other} }`], 'lint', 'p.yml');
      expect(stdout, other).not.to.include('same address');
    }
    const proxied = `controller_url: "${url}", controller_proxy: "http://127.0.0.1:8"`;
    const { stdout } = await run([`lb1: { ${proxied} }`, `lb2: { ${proxied} }`], 'lint', 'p.yml');
    expect(stdout).to.include('have the same address');
  });

  it('are found if the address comes from a group, from a play, or from -e', async () => {
    const url = fleet.url('lb1');
    await project.write('group_vars/all.yml', `controller_url: "${url}"\n`);
    expect((await run(['lb1:', 'lb2:'])).stderr).to.include(
      'lb1 (group_vars/all.yml:1:17) and lb2 (group_vars/all.yml:1:17) have the same address',
    );
    await project.write('group_vars/all.yml', '{}\n');
    const two = copied().slice(0, 2);
    expect((await run(two, 'run', 'p.yml', '-e', `controller_url=${url}`)).stderr).to.include(
      `lb1 and lb2 have the same address ${url}`,
    );
    await project.write('p.yml', PLAYBOOK.replace('  tasks:', `  vars: { controller_url: "${url}" }\n  tasks:`));
    expect((await run(two)).stderr).to.include('lb1 (p.yml:3:27) and lb2 (p.yml:3:27) have the same address');
    expect(requests()).to.equal(0);
    // Only the controllers of the run are moved.
    expect((await run(two, 'run', 'p.yml', '--limit', 'lb1', '-e', `controller_url=${url}`)).code).to.equal(0);
  });

  it('are of no interest if they are not controllers', async () => {
    await project.write('p.yml', '- hosts: all\n  tasks:\n    - debug:\n');
    const local = 'ansible_host: 127.0.0.1, ansible_connection: local';
    const hosts = `all: { hosts: { a: { ${local} }, b: { ${local} } } }\n`;
    await project.write('local.yml', hosts);
    const cwd = project.directory;
    expect((await evenkeel(['run', 'p.yml', '-i', 'local.yml'], { cwd })).code).to.equal(0);
    expect((await evenkeel(['lint', 'p.yml', '-i', 'local.yml'], { cwd })).stdout).not.to.include('same address');
  });

  it('are not contacted if that turns out only during the run', async () => {
    const url = fleet.url('lb1');
    const late = `lb3: { controller_url: "{{ lookup('pipe', 'echo ${url}') }}" }`;
    const { code, stdout, stderr } = await run([...copied().slice(0, 2), late]);
    expect(stdout + stderr).to.include(`lb3 is at ${url}, the address of lb1: it was not contacted`);
    expect(code).not.to.equal(0);
    const clouds = fleet.controller('lb1').requests.filter(({ method }) => method === 'POST');
    expect(clouds).to.have.length(1);
  });

  it('are listed together if there are many', async () => {
    const url = fleet.url('lb1');
    const { stderr } = await run(Array.from({ length: 9 }, (_, index) => `lb${index}: { controller_url: "${url}" }`));
    expect(stderr).to.include('lb2 (inv.yml:10:28), lb3 (inv.yml:11:28) and 5 more have the same address');
    expect(stderr).to.include('what is meant for one would be written to another\n');
    expect(stderr).to.include('\n1 error\n');
  });

  it('are not a reason to refuse a rollback of what was written through both names', async () => {
    const [first = '', , third = ''] = copied();
    const shared = (host: string): string => host.replace(' }', ', controller_shared: true }');
    expect((await run([shared(first), shared(third)])).code).to.equal(0);
    await project.write('inv.yml', inventory(first, third));
    const undone = await evenkeel(['rollback', 'last', '--yes'], { cwd: project.directory });
    expect(undone.stdout + undone.stderr).not.to.include('same address');
    expect(undone.code).to.equal(0);
  });
});
