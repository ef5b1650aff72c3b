import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { ProxyServer } from '../../rig/proxy_server.js';

const REFUSED = 'cannot be reached: with --simulate, only simulated controllers can';

describe('a simulated run', () => {
  let server: Server;
  let connections: number;
  let port: number;
  let project: Project;
  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined).destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    project = await emptyProject({
      'inventory.yml': `all:
  hosts:
    lb1: { controller_url: 'https://127.0.0.1:${port}' }
    lb2: { controller_url: 'https://lb2.invalid' }
  vars: { controller_api_version: 22.1.3 }
`,
    });
  });
  afterEach(async () => {
    server.close();
    await once(server, 'close');
    await project.remove();
  });

  async function run(
    tasks: string,
    env: Readonly<Record<string, string>> = {},
    more: readonly string[] = [],
  ): Promise<Ended> {
    await project.write('site.yml', `- hosts: all\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`);
    const args = ['run', 'site.yml', '-i', 'inventory.yml', '--simulate', '-o', 'lines', ...more];
    const ended = await evenkeel(args, { cwd: project.directory, env });
    expect(connections).to.equal(0);
    return ended;
  }

  it('lets wait_for reach a simulated controller, before and after first contact', async () => {
    const { code, stdout } = await run(`
- wait_for: { port: "{{ ${port} if inventory_hostname == 'lb1' else 443 }}", timeout: 20 }
- cloud_present: { name: edge }
- wait_for: { host: LB2.invalid, port: 443, timeout: 20 }
  delegate_to: lb2
`);
    expect(code, stdout).to.equal(0);
  });

  it('lets wait_for reach nothing else, and reports it', async () => {
    const { code, stdout } = await run(`
- wait_for: { host: localhost, port: ${port}, timeout: 20 }
  when: inventory_hostname == 'lb2'
- wait_for: { port: 22, timeout: 20, state: stopped }
  when: inventory_hostname == 'lb1'
`);
    expect(code).to.equal(2);
    expect(stdout).to.include(`failed       lb2  wait_for: localhost:${port} ${REFUSED}`);
    expect(stdout).to.include(`failed       lb1  wait_for: 127.0.0.1:22 ${REFUSED}`);
    expect(stdout).to.include('= hint: a controller is simulated at host and port of its controller_url;');
  });

  it('lets no module reach anything else', async () => {
    await project.write(
      'modules/dial.js',
      `export default {
  type: 'action', name: 'dial', summary: '', examples: [], check: true, args: { type: 'object', properties: {} },
  run: async (_args, context) => { (await context.connect({ host: '127.0.0.1', port: ${port} })).destroy(); return { status: 'ok' }; },
};
`,
    );
    const { code, stdout } = await run("- dial: {}\n  when: inventory_hostname == 'lb2'");
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include(REFUSED);
  });

  it('uses no proxy, neither of the environment nor of the inventory', async () => {
    const proxy = await ProxyServer.start();
    try {
      const env = { HTTPS_PROXY: `http://${proxy.address}`, ALL_PROXY: `http://${proxy.address}` };
      const { code, stdout } = await run(
        `- cloud_present: { name: edge }\n- cloud_present: { name: more }\n  vars: { controller_proxy: 'http://${proxy.address}' }`,
        env,
      );
      expect(code, stdout).to.equal(0);
      expect(proxy.tunnels).to.deep.equal([]);
    } finally {
      await proxy.close();
    }
  });

  it('refuses another API version than that of the inventory, unless --api-version names it', async () => {
    const task = '- cloud_present: { name: edge }';
    const newer = ['-e', 'controller_api_version=30.1.1', '-l', 'lb2'];
    const refused = await run(task, {}, newer);
    expect(refused.code).to.equal(2);
    expect(refused.stdout).to.include('Invalid version 30.1.1 in header X-Vendor-Version. Supported upto 22.1.3.');
    expect(refused.stdout).to.include('hint: check controller_api_version: "30.1.1" was sent as X-Vendor-Version');
    const accepted = await run(task, {}, [...newer, '--api-version', '30.1.1,31.1.1']);
    expect(accepted.code, accepted.stdout).to.equal(0);
    const older = await run(task, {}, ['-l', 'lb2', '--api-version', '21.1.1', '--api-version', '20.1.1']);
    expect(older.stdout).to.include('Supported upto 21.1.1.');
    const wrong = await run(task, {}, ['--api-version', '22.1']);
    expect([wrong.code, wrong.stderr]).to.deep.equal([
      1,
      `error: --api-version "22.1": "22.1" is not three numbers such as 22.1.3\n(add --help for the options and examples)\n`,
    ]);
  });
});
