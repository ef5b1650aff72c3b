import path from 'node:path';
import { expect } from 'chai';
import { EXIT } from '../../src/core/model/exit_code.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { decode, encode } from '../../src/core/model/values/value_codec.js';
import { rollback } from '../../src/index.js';
import { readKey } from '../../src/record/journal/disk/key_file.js';
import { runFolder } from '../../src/record/journal/disk/run_folders.js';
import { readHeader, writeHeader } from '../../src/record/journal/disk/run_header.js';
import { Sealer } from '../../src/record/journal/disk/sealer.js';
import { Scene } from '../launch/undo/rig.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const ROUTES = 'reach sites through controller_proxy or routes, see docs/scaling.md';

describe('what earlier versions had for workers', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({
      'site.yml': '- { hosts: all, tasks: [{ cloud_present: { name: a } }] }\n',
      'inventory.yml': `all:
  vars: { controller_username: admin, controller_password: x, controller_api_version: 22.1.3, evenkeel_site: madrid }
  hosts: { lb1: { controller_url: "https://127.0.0.1:1" }, lb2: { controller_url: "https://127.0.0.1:2" } }
`,
      'old.yml': `nats: tls://broker:4222
nats_creds: coordinator.creds
nats_ca: ca.pem
worker_keys: madrid=XCEF
environments: { staging: { nats: tls://staging:4222 } }
`,
    });
  });
  after(() => project.remove());

  function command(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return evenkeel(line.split(' '), { cwd: project.directory, env });
  }

  it('says what replaced an option', async () => {
    for (const options of [
      '--nats tls://broker:4222',
      '--nats=tls://ann:hunter22@broker:4222',
      '--nats-creds a.creds',
      '--nats-ca ca.pem',
      '--no-nats',
      '--site-timeout 5',
    ])
      for (const start of ['run site.yml', 'task all -m debug', 'plan site.yml', 'apply site.plan', 'drift site.yml']) {
        const { code, stderr } = await command(`${start} ${options}`);
        const [name = ''] = options.split(/[= ]/);
        const said = stderr.split('\n')[0];
        expect({ code, said }).to.deep.equal({ code: EXIT.usage, said: `error: ${name} was removed: ${ROUTES}` });
        expect(stderr).to.not.include('hunter22');
      }
  });

  it('says what replaced --workers, and the commands of workers', async () => {
    expect((await command('run site.yml --workers 4')).stderr).to.match(
      /^error: --workers was removed: one process drives a whole fleet, and --shard divides it among machines/,
    );
    for (const line of ['worker --site madrid', 'workers', 'help worker', 'help workers'])
      expect((await command(line)).stderr, line).to.match(/^error: evenkeel workers? was removed: reach sites through/);
  });

  it('refuses the settings and the variables that name a broker', async () => {
    const { code, stderr } = await command('run site.yml -i inventory.yml --config old.yml', {
      EVENKEEL_NATS: 'tls://other:4222',
    });
    expect(code).to.equal(EXIT.usage);
    for (const name of ['nats', 'nats_creds', 'nats_ca', 'worker_keys', 'EVENKEEL_NATS'])
      expect(stderr).to.include(`${name} was removed: ${ROUTES}`);
    expect(stderr).to.include('old.yml:5:').and.include('unset EVENKEEL_NATS');
  });

  it('contacts no controller whose variables name a site', async () => {
    const { code, stderr } = await command('run site.yml -i inventory.yml');
    expect(code).to.equal(EXIT.usage);
    expect(stderr)
      .to.include(`evenkeel_site was removed: ${ROUTES} (on 2 controllers: lb1, lb2)`)
      .and.include('delete the variable');
  });

  it('refuses the option of programs', async () => {
    const options = { run: 'last', noNats: true, cwd: project.directory };
    const [refused] = await Promise.allSettled([rollback(options)]);
    expect(refused).to.have.nested.property('reason.message', `noNats was removed: ${ROUTES}`);
  });
});

describe('a run of an earlier version', () => {
  let scene: Scene;
  let run: string;
  beforeEach(async () => {
    scene = await Scene.open({
      'site.yml': `- hosts: all
  gate: { checks: [{ name: Portal answers, assert: { that: answers | default(true) } }] }
  tasks: [{ cloud_present: { name: edge, mtu: 9000 } }]
`,
    });
    expect((await scene.evenkeel('run', 'site.yml', '-e', '{answers: false}')).code).to.equal(6);
    [run = ''] = await scene.runs();
    scene.forgetRequests();
  });
  afterEach(async () => {
    await scene.close();
  });

  /** The request of the run also has what an earlier version kept. */
  async function requested(more: Mapping): Promise<void> {
    const state = path.join(scene.project.directory, '.evenkeel');
    const sealer = new Sealer((await readKey(state)) ?? Buffer.alloc(0), run);
    const { header, sealed = '' } = await readHeader(state, run);
    const request = { ...(decode(sealer.open(sealed)) as Mapping), ...more };
    await writeHeader(runFolder(state, run), { header, sealed: sealer.seal(encode(request)) });
  }

  it('resumes and rolls back if it had no workers', async () => {
    await requested({ noNats: true, siteTimeout: 60 });
    const resumed = await scene.evenkeel('resume', run);
    expect(resumed.code, resumed.stderr).to.equal(6);
    expect(scene.writes()).to.deep.equal([]);
    const undone = await scene.evenkeel('rollback', run, '--yes');
    expect(undone.code, undone.stderr).to.equal(0);
    expect(scene.edge('lb1')).to.equal(JSON.stringify({ mtu: 1500 }));
  });

  it('is refused if workers at sites carried it out', async () => {
    await requested({ nats: 'tls://broker:4222', natsCreds: '/creds' });
    for (const args of [
      ['resume', run],
      ['run', '--rerun', `${run}:failed,unstarted`],
      ['rollback', run, '--yes'],
    ]) {
      const { code, stderr } = await scene.evenkeel(...args);
      expect(stderr, args.join(' ')).to.include(
        `run ${run} was carried out by workers at sites (--nats), which were removed: finish it, or roll it back, with the version that started it`,
      );
      expect(code).to.equal(EXIT.usage);
    }
    expect(scene.writes()).to.deep.equal([]);
  });
});
