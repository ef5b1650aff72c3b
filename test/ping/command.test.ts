import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { emptyProject, type Project } from '../rig/command.js';
import { freePort } from '../rig/free_port.js';
import { evenkeel } from '../rig/in_process.js';
import { RudeServer } from '../rig/rude_server.js';
import { SocksServer } from '../rig/socks_server.js';

describe('evenkeel ping', () => {
  let avi: AviController;
  let project: Project;
  let socks: SocksServer;
  let other: AviController;
  let untrusted: RudeServer;
  let clear: Server;
  let clearPort: number;
  let dead: number;

  before(async () => {
    [avi, other, socks, untrusted, dead] = await Promise.all([
      startAviController(),
      startAviController(),
      SocksServer.start(),
      RudeServer.start((socket) => socket.end()),
      freePort(),
    ]);
    clear = createServer((socket) => socket.end('hello\n')).listen(0, '127.0.0.1');
    await once(clear, 'listening');
    clearPort = (clear.address() as AddressInfo).port;
    project = await emptyProject({ 'ca.pem': avi.ca, 'other.pem': other.ca });
  });
  after(async () => {
    clear.close();
    await Promise.all([avi.close(), other.close(), project.remove(), socks.close(), untrusted.close()]);
  });

  /** @param hosts name and variables beside those of a controller that can be used */
  async function ping(hosts: Readonly<Record<string, object>>, ...args: readonly string[]) {
    const vars = {
      controller_dialect: 'avi',
      controller_auth: 'session',
      controller_username: 'admin',
      controller_shared: true,
      controller_password: 'simulated',
      controller_url: avi.url,
      controller_ca_file: 'ca.pem',
    };
    await project.write('inventory.yml', JSON.stringify({ all: { vars, hosts } }));
    avi.take();
    const ended = await evenkeel(['ping', ...args, '-i', 'inventory.yml'], { cwd: project.directory });
    const stdout = ended.stdout.replaceAll(/\d[\d.–]* ms/g, 'N ms').replaceAll(/simulator [-0-9a-f]{36}/g, 'simulator');
    return { ...ended, stdout };
  }
  const closed = (): string => `https://127.0.0.1:${dead}`;

  it('counts controllers that it did not contact apart, if it is interrupted', async () => {
    await ping({ lb1: {}, lb2: {} });
    const args = ['ping', '-i', 'inventory.yml'];
    const { code, stdout } = await evenkeel(args, { cwd: project.directory, drain: AbortSignal.abort() });
    expect([code, stdout]).to.deep.equal([
      130,
      '2 controllers: lb1, lb2: the command ended before it was contacted\n2 controllers · 0 ok · 2 not contacted\n',
    ]);
  });

  it('contacts nothing if a term of its pattern matches nothing', async () => {
    const { code, stdout, stderr } = await ping({ lb1: {} }, 'lb1,lb02');
    expect(code, stdout).to.equal(1);
    expect(stderr).to.include('error: ping: "lb02" matches no controller of the inventory');
    expect(avi.take()).to.have.lengthOf(0);
  });

  it('names each setting that is missing, and what to do about it', async () => {
    const own = {
      ansible_host: null,
      controller_url: '',
      controller_username: '',
      controller_password: '{{ env("NO_SUCH") }}',
    };
    const { code, stdout } = await ping({ lb1: own, lb2: own });
    expect(code).to.equal(2);
    const hint = 'if it comes from the environment, export that variable';
    expect(stdout.split('\n').slice(0, 4)).to.deep.equal([
      '2 controllers: lb1, lb2: controller_url is empty; controller_username is empty; controller_password is empty',
      `  controller_url: set it to https:// and the address of the controller; ${hint}`,
      `  controller_username: set it in the inventory, or pass -u; ${hint}`,
      `  controller_password: set it in the inventory, or pass -k; ${hint}`,
    ]);
  });

  it('warns of a misspelt variable, and contacts the controllers', async () => {
    const { code, stdout, stderr } = await ping({ lb1: { controller_tennant: 'blue' }, lb2: { controller_auth: '' } });
    expect(stderr).to.match(
      /^warning: "controller_tennant" is not a connection variable \(on lb1\)\n.*\n {2}= hint: did you mean "controller_tenant"\?\n\n1 warning\n$/s,
    );
    expect([code, stdout.includes('lb1  ok '), stdout.includes('lb2: controller_auth is empty')]).to.deep.equal([
      2,
      true,
      true,
    ]);
  });

  it('shows the facts of each controller, and writes nothing', async () => {
    const { code, stdout, stderr } = await ping({ lb1: {}, lb12: { controller_api_version: '22.1.1' } });
    expect(stderr).to.equal('');
    expect(stdout).to.equal(`\
lb1   ok  127.0.0.1 · TLSv1.3, certificate of Evenkeel simulator, 364 days left · admin (session) · version 22.1.3 · tenant admin · N ms
lb12  ok  127.0.0.1 · TLSv1.3, certificate of Evenkeel simulator, 364 days left · admin (session) · version 22.1.3, API version 22.1.1 · tenant admin · N ms
2 controllers · 2 ok
`);
    expect(code).to.equal(0);
    expect(avi.take().filter((request) => !/^(?:GET|POST \/log(?:in|out))/.test(request))).to.deep.equal([]);
  });

  it('says in which step each controller failed', async () => {
    const { code, stdout } = await ping({
      name: { controller_url: 'https://no-such-name.invalid' },
      tcp: { controller_url: closed() },
      tls: { controller_url: `https://127.0.0.1:${clearPort}` },
      trust: { controller_url: untrusted.url },
      password: {
        controller_url: other.url,
        controller_ca_file: 'other.pem',
        controller_password: 'wrong-horse',
      },
      version: { controller_api_version: '99.1.1' },
      tenant: { controller_tenant: 'acme' },
      proxy: { controller_proxy: `socks5h://127.0.0.1:${dead}` },
    });
    const steps = stdout.split('\n').map((line) => /^(\w+): ([\w-]+): /.exec(line)?.slice(1).join(': '));
    expect(steps.filter((line) => line !== undefined)).to.deep.equal([
      'name: name',
      'tcp: TCP',
      'tls: TLS',
      'trust: TLS',
      'password: sign-in',
      'version: version',
      'tenant: tenant',
      'proxy: route',
    ]);
    expect(stdout).to.contain(`tcp: TCP: no connection to ${closed()} (ECONNREFUSED)\n  is the controller up`);
    expect(stdout).to.not.contain('wrong-horse');
    expect(code).to.equal(2);
  });

  it('groups controllers that failed for the same cause, and ends with 4 if none answered', async () => {
    const { code, stdout } = await ping({
      lb1: { controller_url: closed() },
      lb2: { controller_url: `${closed()}/two` },
    });
    expect(stdout).to.equal(`\
2 controllers: lb1, lb2: TCP: no connection to ${closed()} (ECONNREFUSED)
  is the controller up, and are the address and port right?
2 controllers · 0 ok · 2 unreachable
`);
    expect(code).to.equal(4);
  });

  it('shows a large fleet in groups', async () => {
    const hosts = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`lb${at + 1}`, {}]));
    const { code, stdout } = await ping({ ...hosts, old: { controller_api_version: '20.1.1' } });
    expect(stdout).to.equal(`\
21 controllers: lb1, lb2, lb3, lb4, lb5 and 16 more  ok  TLSv1.3, certificate of Evenkeel simulator, 364 days left · admin (session) · version 22.1.3 · tenant admin · N ms
old                                                  ok  127.0.0.1 · TLSv1.3, certificate of Evenkeel simulator, 364 days left · admin (session) · version 22.1.3, API version 20.1.1 · tenant admin · N ms
22 controllers · 22 ok
`);
    expect(code).to.equal(0);
  });

  it('goes through the route of a controller, and prints JSON', async () => {
    const host = { controller_proxy: `socks5h://${socks.address}` };
    const { code, stdout } = await ping({ lb1: host, lb2: { ...host, controller_url: closed() } }, 'all', '--json');
    const { controllers } = JSON.parse(stdout) as { readonly controllers: readonly object[] };
    expect(controllers[0]).to.deep.include({
      controller: 'lb1',
      status: 'ok',
      address: null,
      route: `the proxy ${socks.address}`,
      version: '22.1.3',
      username: 'admin',
      sign_in: 'session',
      tenant: 'admin',
      url: avi.url,
    });
    expect(controllers[1]).to.include({ controller: 'lb2', step: 'TCP', status: 'unreachable' });
    expect(code).to.equal(4);
  });

  it('selects controllers by a pattern', async () => {
    const { stdout } = await ping({ lb1: {}, lb2: { controller_url: closed() } }, 'all:!lb2');
    expect(stdout).to.match(/^lb1 {2}ok .*\n1 controller · 1 ok\n$/);
  });
});
