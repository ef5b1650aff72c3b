import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const PLAYBOOK = '- hosts: all\n  tasks: [{ cloud_present: { name: edge } }]\n';
const VENDOR = `- hosts: localhost
  tasks:
    - avi_cloud:
        name: edge
        avi_credentials: { controller: "{{ given }}", port: PORT, username: admin, password: secret, api_version: 22.1.3 }
`;

describe('what is not the address of a controller', () => {
  let server: Server;
  let port: number;
  let project: Project;
  const connections: Socket[] = [];

  before(async () => {
    server = createServer((socket) => {
      connections.push(socket);
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    project = await emptyProject({ 'p.yml': PLAYBOOK, 'vendor.yml': VENDOR.replace('PORT', `${port}`) });
  });
  beforeEach(() => {
    connections.length = 0;
  });
  after(async () => {
    server.close();
    await project.remove();
  });

  /** Two controllers: a good one, and one with these variables of its own on line 9. */
  const inventory = (variables: string): string => `all:
  vars: { controller_username: admin, controller_password: secret, controller_api_version: 22.1.3, controller_timeout: 1 }
  hosts:
    lb1: { controller_url: "https://127.0.0.1:${port}" }
    lb2:
      controller_dialect: avi
      controller_auth: session
      controller_api_version: 22.1.3
      ${variables}
`;

  for (const [variables, says, column] of [
    ['ansible_host: "127.0.0.1/"', 'ansible_host is not a host: "127.0.0.1/"', 21],
    [String.raw`ansible_host: "127.0.0.1\\"`, String.raw`ansible_host is not a host: "127.0.0.1\"`, 21],
    ['ansible_host: "local\\thost"', String.raw`ansible_host is not a host: "local\thost"`, 21],
    [String.raw`ansible_host: "local\u200bhost"`, String.raw`ansible_host is not a host: "local\u200bhost"`, 21],
    ['ansible_host: "fe80::1%lo"', 'ansible_host has an IPv6 zone, which a URL cannot contain: "fe80::1%lo"', 21],
    ['ansible_host: ""', 'ansible_host of lb2 is empty', 21],
    ['controller_url: https:localhost', 'controller_url is not a URL: "https:localhost"', 23],
    ['controller_url: https://127.0.0.1:0', 'controller_url has the port "0": "https://127.0.0.1:0"', 23],
    ['controller_tenant: ""', 'controller_tenant of lb2 is empty', 26],
    ['controller_ca_file: ""', 'controller_ca_file of lb2 is empty', 27],
  ] as const)
    it(`is refused with its position before anything is contacted: ${variables}`, async () => {
      const url = /host|url/.test(variables) ? '' : `\n      controller_url: "https://127.0.0.1:${port}"`;
      await project.write('inv.yml', inventory(`${variables}${url}`));
      const { code, stderr } = await evenkeel(['run', 'p.yml', '-i', 'inv.yml'], { cwd: project.directory });
      expect(code).to.equal(1);
      expect(stderr).to.include(`error: ${says}`).and.to.include(`\n  --> inv.yml:9:${column}\n`);
      expect(stderr).to.include('evenkeel: no controller was contacted');
      expect(connections).to.have.length(0);
    });

  for (const name of ['lb1:0', 'lb1:65536', '[fd00::7]:99999'])
    it(`is refused as a name of the inventory: ${name}`, async () => {
      await project.write('inv.ini', `lb0\n${name}\n`);
      const { code, stderr } = await evenkeel(['run', 'p.yml', '-i', 'inv.ini'], { cwd: project.directory });
      expect(code).to.equal(1);
      expect(stderr).to.match(/^error: ".*" has the port \d+\n {2}--> inv\.ini:2:1\n/);
    });

  it('is refused in the environment, but not where no proxy is used', async () => {
    await project.write('inv.yml', inventory(`controller_url: "https://localhost:${port}"`));
    const run = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      evenkeel(['run', 'p.yml', '-i', 'inv.yml', ...args], { cwd: project.directory, env });
    const refused = await run({ HTTPS_PROXY: `http://127.0.0.1:${port}/x` });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(
      /^error: the environment variable HTTPS_PROXY must be a URL such as .* \(on 2 controllers/,
    );
    expect(connections).to.have.length(0);
    const simulated = await run({ HTTPS_PROXY: 'http://a b' }, '--simulate', '-l', 'lb1');
    expect(simulated.code, simulated.stderr).to.equal(0);
  });

  for (const given of ['127.0.0.1\\', 'https:127.0.0.1', '127.0.0.1@evil', '127.1', 'a b', '127.0.0.1:1', 'https://'])
    it(`is refused in the arguments of the vendor's modules: ${given}`, async () => {
      const args = ['run', 'vendor.yml', '-i', 'localhost,', '-e', JSON.stringify({ given })];
      const { code, stdout, stderr } = await evenkeel(args, { cwd: project.directory });
      expect(code, stdout + stderr).to.be.oneOf([1, 2]);
      expect(stdout + stderr).to.match(/controller_url (?:is not|must not|names a host|has)/);
      expect(connections).to.have.length(0);
    });

  it('does not lose the port of the vendor’s modules behind a slash', async () => {
    const args = [
      'run',
      'vendor.yml',
      '-i',
      'localhost,',
      '-e',
      JSON.stringify({ given: '127.0.0.1/', controller_patience: 1 }),
    ];
    const { stdout } = await evenkeel(args, { cwd: project.directory });
    expect(stdout).to.include(`https://127.0.0.1:${port}`);
    expect(connections.length).to.be.above(0);
  });

  it('is not where wait_for connects', async () => {
    await project.write('wait.yml', '- hosts: all\n  tasks: [{ wait_for: { port: 1, timeout: 1 } }]\n');
    await project.write('inv.yml', inventory('ansible_host: "localhost/"'));
    const { stdout, stderr } = await evenkeel(['run', 'wait.yml', '-i', 'inv.yml'], { cwd: project.directory });
    expect(stdout + stderr).to.include('ansible_host is not a host: "localhost/"');
  });
});
