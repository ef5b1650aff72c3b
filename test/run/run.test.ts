import { expect } from 'chai';
import { exampleProject, type Project } from '../rig/command.js';
import { eventsOf, finishedOf, tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/gate_command.js';

const ROLLOUT = ['run', 'playbooks/rollout.yml', '--simulate'];

describe('evenkeel run', () => {
  let project: Project;
  beforeEach(async () => {
    project = await exampleProject();
  });
  afterEach(() => project.remove());

  const run = (...args: readonly string[]) => evenkeel([...ROLLOUT, ...args], { cwd: project.directory });

  for (const environment of ['development', 'staging', 'production']) {
    it(`changes every controller of ${environment} once, and then nothing`, async () => {
      const first = await run('--env', environment, '-o', 'json');
      expect(first.code, first.stderr).to.equal(0);
      const { stats } = finishedOf(first.stdout);
      expect(Object.keys(stats)).to.not.be.empty;
      for (const one of Object.values(stats)) expect(one).to.include({ changed: 2, failed: 0, unreachable: 0 });

      const second = await run('--env', environment, '-o', 'json', '-vvv');
      expect(second.code, second.stderr).to.equal(0);
      for (const one of Object.values(finishedOf(second.stdout).stats)) expect(one).to.include({ changed: 0, ok: 3 });
      const methods = eventsOf(second.stdout).flatMap((event) =>
        event.type === 'request-finished' ? [event.method] : [],
      );
      expect(methods, 'one read a resource, and no write').to.deep.equal(
        Array.from({ length: 2 * Object.keys(stats).length }, () => 'GET'),
      );
    });
  }

  it('uses the values of each environment', async () => {
    const { stdout } = await run('--env', 'production', '-o', 'json', '-l', 'lb01.apac.example.com');
    const system = tasksOf(stdout).find(({ module }) => module === 'system_config');
    expect(system?.change?.kind).to.equal('update');
    if (system?.change?.kind !== 'update') return;
    expect(system.change.after).to.deep.include({
      dns_configuration: {
        search_domain: 'example.com',
        server_list: [
          { type: 'V4', addr: '10.64.0.53' },
          { type: 'V4', addr: '10.64.1.53' },
        ],
      },
    });
  });

  it('shows in check mode what a run would do, without doing it', async () => {
    const check = await run('--check', '-o', 'json');
    expect(check.code).to.equal(0);
    for (const one of Object.values(finishedOf(check.stdout).stats)) expect(one.changed).to.equal(2);
    const again = await run('--check', '-o', 'json', '-vvv');
    for (const one of Object.values(finishedOf(again.stdout).stats)) expect(one.changed).to.equal(2);
    const methods = eventsOf(again.stdout).flatMap((event) =>
      event.type === 'request-finished' ? [event.method] : [],
    );
    expect(new Set(methods)).to.deep.equal(new Set(['GET']));
  });

  it('exits 3 with --detailed-exitcode when something changed, and 0 when nothing did', async () => {
    expect((await run('--detailed-exitcode', '-o', 'quiet')).code).to.equal(3);
    expect((await run('--detailed-exitcode', '-o', 'quiet')).code).to.equal(0);
  });

  it('runs only the tasks that the tags select', async () => {
    const { stdout } = await run('--tags', 'system', '-o', 'json');
    expect(new Set(tasksOf(stdout).map(({ module }) => module))).to.deep.equal(new Set(['assert', 'system_config']));
    const { stdout: rest } = await run('--skip-tags', 'system,cloud', '-o', 'json');
    expect(new Set(tasksOf(rest).map(({ module }) => module))).to.deep.equal(new Set(['assert']));
  });

  it('runs batch by batch', async () => {
    const { stdout } = await run('-o', 'json');
    const batches = eventsOf(stdout).flatMap((event) =>
      event.type === 'batch-started' ? [event.controllers.length] : [],
    );
    expect(batches).to.deep.equal([1, 1, 1]);
  });

  it('takes extra variables over those of the inventory', async () => {
    const { stdout } = await run('-e', 'cloud_name=mine', '-o', 'json');
    const cloud = tasksOf(stdout).find(({ module }) => module === 'cloud_present');
    expect(cloud?.change).to.include({ kind: 'create', object: 'cloud "mine"' });
  });

  it('lists controllers, tasks and tags without contacting anything', async () => {
    const { stdout, code } = await evenkeel(
      ['run', 'playbooks/rollout.yml', '--list-hosts', '--list-tasks', '--list-tags'],
      { cwd: project.directory },
    );
    expect(code).to.equal(0);
    expect(stdout).to.equal(`
playbook: playbooks/rollout.yml

  play #1 (all): Roll out the base configuration\tTAGS: []
    pattern: ['all']
    hosts (3):
      lb01.dev.example.com
      lb02.dev.example.com
      lb03.dev.example.com
    tasks:
      The inventory names servers for this environment\tTAGS: [always]
      Cloud exists\tTAGS: [cloud]
      DNS, NTP and portal are as agreed\tTAGS: [system]
      TASK TAGS: [always, cloud, system]
`);
  });

  it('checks the syntax and stops', async () => {
    const { stdout, code } = await evenkeel(['run', 'playbooks/rollout.yml', '--syntax-check'], {
      cwd: project.directory,
    });
    expect({ stdout, code }).to.deep.equal({ stdout: '\nplaybook: playbooks/rollout.yml\n', code: 0 });
  });

  it('refuses a listing with an output that only a run has', async () => {
    for (const [listing, ...options] of [
      ['--syntax-check', '--json'],
      ['--list-tags', '-o', 'json', '--log', 'a.log'],
    ] as const) {
      const { stdout, stderr, code } = await evenkeel(['run', 'playbooks/rollout.yml', listing, ...options], {
        cwd: project.directory,
      });
      expect({ stdout, code }).to.deep.equal({ stdout: '', code: 1 });
      expect(stderr).to.include(`error: ${listing} runs nothing: it cannot be used with --output json\n`);
      expect(stderr.includes('cannot be used with --log'), listing).to.equal(options.length > 1);
    }
  });
});
