import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';
import { startSimulation } from '../../../src/launch/simulation/simulation.js';
import { JournalError } from '../../../src/record/journal/format/run_folders.js';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { connections, settingsOf } from '../../rig/controllers.js';
import { EventMaker } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';
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

describe('the state of simulated controllers that cannot be kept at the end', () => {
  /** The events of a run with this exit code, and why the end of its simulation failed. */
  const ended = (exitCode: 0 | 2 | undefined): Promise<readonly unknown[]> =>
    inFolder({}, async (state) => {
      const simulation = await startSimulation({
        stateDirectory: state,
        apiVersions: ['22.1.3'],
        target: { inventory: { controllers: new Map() } } as never,
        kinds: () => Promise.resolve(builtInKinds()),
        controllers: [],
      });
      const all = connections();
      const connect = simulation.wrap((settings) => Promise.resolve(all.open(settings)));
      const open = (controller: string) =>
        connect(settingsOf(`https://${controller}`, undefined, { controller }), {
          get: () => undefined,
          home: undefined,
        } as never);
      const sessions = [await open('lb1'), await open('lb2')];
      const folder = path.join(state, 'simulator');
      await rm(folder, { recursive: true });
      await writeFile(folder, '');
      for (const session of sessions) await session.create('/api/cloud/', 'edge', { name: 'edge' });
      await all.close();
      const events: string[] = [];
      const emit = simulation.emitter((event: Event) => {
        events.push(event.type === 'warning' ? event.message.replace(state, 'STATE') : event.type);
      });
      const make = new EventMaker();
      emit(make.runStarted());
      if (exitCode !== undefined) emit(make.runFinished({ exitCode }));
      const error: unknown = await simulation.close().catch((reason: unknown) => reason);
      return [events, error instanceof JournalError ? error.message.replace(state, 'STATE') : error];
    });

  it('is an error after a run that was fine, else a warning, and comes before the end of the run', async () => {
    const said = 'cannot keep the state of simulated controllers in STATE/simulator: not a directory';
    expect(await ended(0)).to.deep.equal([['run-started', 'run-finished'], said]);
    expect(await ended(2)).to.deep.equal([['run-started', said, 'run-finished'], undefined]);
    expect(await ended(undefined)).to.deep.equal([['run-started'], undefined]);
  });
});
