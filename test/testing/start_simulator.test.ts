import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import {
  startSimulator,
  type Behaviour,
  type RunningSimulator,
  type StartSimulatorOptions,
} from '../../src/testing/index.js';

/** Starts controllers, and looks at them and at what is left of them afterwards. */
async function started(
  options: StartSimulatorOptions,
  use: (running: RunningSimulator) => Promise<void>,
): Promise<void> {
  const running = await startSimulator(options);
  try {
    await use(running);
  } finally {
    await running.close();
  }
  expect(existsSync(running.directory), 'its folder').to.equal(false);
}

interface Inventory {
  readonly all: {
    readonly vars: Readonly<Record<string, string>>;
    readonly children: {
      readonly fleet: { readonly hosts: Readonly<Record<string, { readonly controller_url: string }>> };
    };
  };
}

const inventory = async ({ inventoryFile }: RunningSimulator): Promise<Inventory['all']> =>
  (JSON.parse(await readFile(inventoryFile, 'utf8')) as Inventory).all;

describe('startSimulator', () => {
  it('starts one controller, or as many as asked for, each at its own address', async () => {
    await started({}, (running) => {
      expect(running.names).to.deep.equal(['lb1']);
      return Promise.resolve();
    });
    await started({ controllers: 2 }, async (running) => {
      expect(running.names).to.deep.equal(['lb1', 'lb2']);
      const urls = running.names.map((name) => running.url(name));
      expect(new Set(urls).size).to.equal(2);
      for (const url of urls) expect(url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
      const { vars, children } = await inventory(running);
      expect(children.fleet.hosts).to.deep.equal({
        lb1: { controller_url: urls[0], controller_simulated_url: urls[0] },
        lb2: { controller_url: urls[1], controller_simulated_url: urls[1] },
      });
      expect(vars).to.deep.equal({
        controller_username: running.username,
        controller_password: running.password,
        controller_api_version: '22.1.3',
        controller_dialect: 'generic',
        controller_simulated_url: 'none',
        controller_ca_file: `${running.directory}/ca.pem`,
      });
      expect(await readFile(vars['controller_ca_file'] ?? '', 'utf8')).to.equal(running.ca);
      for (const name of ['lb3', 'toString'])
        expect(() => running.url(name)).to.throw(`there is no simulated controller "${name}"`);
      expect(() => running.controller('lb3')).to.throw('lb3');
    });
  });

  it('refuses options and behaviours that are none, and starts nothing', async () => {
    const refused = async (options: unknown): Promise<string> => {
      const error: unknown = await startSimulator(options as StartSimulatorOptions).catch((one: unknown) => one);
      return error instanceof Error ? error.message : 'started';
    };
    const some = 'controllers must be a number from 1, or a list of at least one name, each of them once';
    expect(await refused({ controlers: 2 })).to.equal('startSimulator has no option "controlers"');
    expect(await refused({ controllers: 0 })).to.equal(some);
    expect(await refused({ controllers: ['a', 'b', 'a'] })).to.equal(some);
    expect(await refused({ dialect: 'other' })).to.equal('there is no dialect "other": it is generic or avi');
    const misspelt = 'behaviour: fauts is not known: did you mean "faults"?';
    expect(await refused({ behaviour: { fauts: [] } })).to.equal(misspelt);
    await started({}, (running) => {
      const lb1 = running.controller('lb1');
      expect(() => (lb1.behaviour = { fauts: [] } as Behaviour)).to.throw(misspelt);
      lb1.behaviour = { latency: 1 };
      expect(lb1.behaviour).to.deep.equal({ latency: 1 });
      return Promise.resolve();
    });
  });

  it('leaves no server that listens if it cannot start', async () => {
    const { TMPDIR } = process.env;
    const servers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'TCPServerWrap').length;
    const before = servers();
    process.env['TMPDIR'] = '/nowhere';
    const failed: unknown = await startSimulator().catch(String);
    process.env['TMPDIR'] = TMPDIR;
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    expect(failed).to.match(/^Error: ENOENT/);
    expect(servers()).to.equal(before);
  });

  it('starts controllers of these names, with that behaviour and dialect', async () => {
    const behaviour: Behaviour = { faults: [{ type: 'redirect', when: { method: 'GET' } }] };
    await started({ controllers: ['a', 'b'], behaviour, dialect: 'avi' }, async (running) => {
      expect(running.names).to.deep.equal(['a', 'b']);
      for (const name of running.names) expect(running.controller(name).behaviour).to.deep.include(behaviour);
      const { vars, children } = await inventory(running);
      expect(vars).to.include({ controller_dialect: 'avi', controller_auth: 'session' });
      expect(Object.keys(children.fleet.hosts)).to.deep.equal(['a', 'b']);
    });
  });
});
