import { expect } from 'chai';
import { EXIT } from '../../src/core/model/exit_code.js';
import { rollback } from '../../src/index.js';
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
