import { expect } from 'chai';
import { evenkeel as built, emptyProject, type Project } from '../rig/command.js';
import { freePort } from '../rig/free_port.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { SocksServer } from '../rig/socks_server.js';

describe('evenkeel routes', () => {
  let fleet: Fleet;
  let project: Project;
  let socks: SocksServer;
  let other: SocksServer;
  let dead: number;
  let gone: number;

  before(async () => {
    [fleet, socks, other, dead, gone] = await Promise.all([
      startFleet({ controllers: 6 }),
      SocksServer.start({ user: ['ann', 'swordfish-77'] }),
      SocksServer.start({ refusal: 4 }),
      freePort(),
      freePort(),
    ]);
    project = await emptyProject({
      'evenkeel.yml': `
inventory: [${fleet.inventoryFile}, routes.yml]
routes:
  madrid: [socks5h://${socks.address}, socks5h://127.0.0.1:${dead}]
  lisbon: socks5h://${other.address}
  spare: http://127.0.0.1:${gone}
`,
      'routes.yml': `
madrid:
  vars: { controller_route: madrid, controller_proxy_username: ann, controller_proxy_password: swordfish-77 }
  hosts: { lb1: {}, lb2: {} }
lisbon: { vars: { controller_route: lisbon }, hosts: { lb3: {} } }
own: { vars: { controller_proxy: "socks5h://ann:swordfish-77@localhost:${socks.port}" }, hosts: { lb4: {} } }
`,
    });
  });
  after(() => Promise.all([fleet.dispose(), project.remove(), socks.close(), other.close()]));

  const run = (...args: readonly string[]) => evenkeel(['routes', ...args], { cwd: project.directory });
  const timeless = (text: string): string => text.replaceAll(/[\d.]+ ms/g, 'N ms').replaceAll(/ +/g, ' ');

  it('shows each route with its proxies and its controllers, and ends with 4 if one is down', async () => {
    const before = socks.asked.length;
    const { code, stdout } = await run();
    expect(timeless(stdout)).to.equal(`\
madrid 2 controllers
 ${socks.address} up N ms
 127.0.0.1:${dead} down refuses connections
lisbon 1 controller
 ${other.address} up N ms
spare 0 controllers
 127.0.0.1:${gone} down refuses connections
localhost:${socks.port} 1 controller
 localhost:${socks.port} up N ms
direct 2 controllers
`);
    expect(code).to.equal(4);
    expect(socks.asked).to.have.length(before);
  });

  it('contacts one controller through each proxy with --check, without signing in', async () => {
    const { code, stdout } = await run('--check');
    const target = new URL(fleet.url('lb3')).host;
    expect(timeless(stdout)).to.include(` ${socks.address} up N ms lb1 answers in N ms\n`);
    expect(timeless(stdout)).to.include(
      ` ${other.address} up N ms lb3: route lisbon: ${other.address} cannot reach ${target}: host unreachable\n`,
    );
    expect(code).to.equal(4);
    const [request] = fleet.controller('lb1').log.entries;
    expect(request).to.include({ method: 'GET', path: '/' });
    expect(request?.headers).not.to.have.property('authorization');
    expect(fleet.controller('lb2').log.entries).to.deep.equal([]);
  });

  it('prints JSON, for the selected controllers', async () => {
    const { code, stdout } = await run('--json', '--check', '--limit', 'lb4,lb5');
    const { routes, direct } = JSON.parse(stdout) as { routes: readonly Record<string, unknown>[]; direct: unknown };
    expect(direct).to.deep.equal(['lb5']);
    expect(routes.map(({ route, named }) => [route, named])).to.deep.equal([
      ['madrid', true],
      ['lisbon', true],
      ['spare', true],
      [`localhost:${socks.port}`, false],
    ]);
    expect(routes[2]).to.deep.equal({
      route: 'spare',
      named: true,
      controllers: [],
      proxies: [{ proxy: `127.0.0.1:${gone}`, status: 'down', message: 'refuses connections' }],
    });
    expect(routes[3]).to.have.nested.property('proxies[0].controller.status', 'reached');
    expect(stdout).not.to.include('swordfish');
    expect(code).to.equal(4);
  });

  it('ends with 0 if all proxies work, and says that there are none', async () => {
    const all = await emptyProject({});
    const one = await built(['routes', '-i', fleet.inventoryFile], { cwd: all.directory });
    expect(one.stdout).to.equal('direct  6 controllers\n');
    expect(one.code).to.equal(0);
    const proxied = ['-i', fleet.inventoryFile, '-e', `controller_proxy=socks5h://ann:swordfish-77@${socks.address}`];
    const { code, stdout } = await built(['routes', '--check', ...proxied], { cwd: all.directory });
    expect(timeless(stdout)).to.equal(
      `${socks.address} 6 controllers\n ${socks.address} up N ms lb1 answers in N ms\n`,
    );
    expect(code).to.equal(0);
    await all.remove();
  });

  it('warns of a misspelt variable, as a run does', async () => {
    const { stderr } = await run('-e', 'controller_rotue=madrid', '-l', 'lb5');
    expect(stderr).to.equal(
      'warning: "controller_rotue" is not a connection variable (on lb5)\n  = hint: did you mean "controller_route"?\n\n1 warning\n',
    );
  });

  it('refuses a route that does not exist', async () => {
    const { code, stderr } = await run('-e', 'controller_route=madird');
    expect(stderr).to.match(
      /^error: controller_route: there is no route "madird" \(\d+ controllers: lb1, .* and \d+ more\)\n/,
    );
    expect(stderr)
      .to.include(`did you mean "madrid"?`)
      .and.to.include(' (lb4)\n')
      .and.to.match(/\n2 errors\n$/);
    expect(code).to.equal(1);
  });
});
