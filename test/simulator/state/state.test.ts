import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Simulator } from '../../../src/simulator/simulator.js';
import { RawClient } from '../../rig/raw_client.js';
import { startFleet } from '../../rig/simulated.js';

describe('the state of simulated controllers', () => {
  let stateDirectory: string;

  beforeEach(async () => {
    stateDirectory = path.join(await mkdtemp(path.join(os.tmpdir(), 'evenkeel-state-')), 'simulator');
  });

  afterEach(async () => {
    await rm(path.dirname(stateDirectory), { recursive: true, force: true });
  });

  async function createCloud(controllers: readonly string[]): Promise<void> {
    const fleet = await startFleet({ controllers, stateDirectory });
    const client = new RawClient(fleet.ca);
    for (const name of controllers) {
      const { status } = await client.send('POST', `${fleet.url(name)}/api/cloud/`, {
        body: { name: `cloud of ${name}` },
      });
      expect(status).to.equal(201);
    }
    await client.close();
    await fleet.dispose();
  }

  it('outlives the simulator, in one file per controller that only its owner can read', async () => {
    await createCloud(['lb1', 'lb/2 ü']);
    const files = await readdir(stateDirectory);
    expect(files.sort()).to.deep.equal(['lb%2F2%20%C3%BC.json', 'lb1.json']);
    for (const file of files) expect((await stat(path.join(stateDirectory, file))).mode & 0o777).to.equal(0o600);
    expect((await stat(stateDirectory)).mode & 0o777).to.equal(0o700);
    const fleet = await startFleet({ controllers: ['lb1', 'lb/2 ü'], stateDirectory });
    expect(fleet.controller('lb/2 ü').objects('/api/cloud/')).to.have.length(1);
    expect(fleet.controller('lb1').objects('/api/cloud/')[0]).to.include({ name: 'cloud of lb1' });
    await fleet.dispose();
  });

  it('contains neither credentials nor files of controllers that never changed', async () => {
    const fleet = await startFleet({ controllers: 2, stateDirectory });
    fleet.controller('lb2').setObject('/api/systemconfiguration', {});
    await fleet.dispose();
    expect(await readdir(stateDirectory)).to.deep.equal(['lb2.json']);
    const text = await readFile(path.join(stateDirectory, 'lb2.json'), 'utf8');
    expect(JSON.parse(text)).to.deep.equal({ collections: {}, singletons: { '/api/systemconfiguration': {} } });
  });

  for (const text of ['{"collections": {', '[]', '{"collections": []}']) {
    it(`that cannot be read is an error with a hint: ${text}`, async () => {
      await createCloud(['lb1']);
      const file = path.join(stateDirectory, 'lb1.json');
      await writeFile(file, text);
      const simulator = await Simulator.start({ stateDirectory });
      const error: unknown = await simulator.startController('lb1').catch((reason: unknown) => reason);
      expect(error).to.be.an('error').with.property('message');
      expect(String(error)).to.contain(
        `the state of simulated controller "lb1" cannot be read; delete ${file} to start again: `,
      );
      await rm(file);
      expect((await simulator.startController('lb1')).url).to.be.a('string');
      await simulator.close();
    });
  }
});
