import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { playbookFolder, type PlaybookFolder } from '../../rig/playbook_file.js';
import { reported } from '../../rig/report.js';

const CONFIGURE = {
  task: 'Configure',
  module: 'system_config',
  source: { file: 'playbooks/rollout.yml', line: 9, column: 7 },
};
const CREATED = { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge' } } as const;
const UPDATED = {
  kind: 'update',
  object: 'system configuration',
  before: {},
  after: { dns_configuration: { search_domain: 'x' } },
} as const;

describe('the failure summary', () => {
  let folder: PlaybookFolder;
  before(async () => {
    folder = await playbookFolder();
  });
  after(() => folder.dispose());

  it('lists what the run wrote before the resume, and does not count tasks that are unknown', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      [
        make.runStarted({ resumed: true }),
        make.playStarted(['lb1', 'lb2'], { tasks: 3 }),
        make.taskFinished('lb1', 'changed', { change: CREATED }),
        make.taskFinished('lb1', 'failed', { message: 'broken' }),
        make.runFinished({ status: 'failed', exitCode: 6 }),
      ],
      {
        output: 'quiet',
        cwd: folder.cwd,
        commandFor: (way) => `evenkeel ${way}`,
        writtenBefore: [
          { controller: 'lb1', object: 'cloud "core"' },
          { controller: 'lb1', object: 'cloud "edge"' },
          { controller: 'lb2', object: 'cloud "other"' },
        ],
      },
    );
    expect(stdout).to.include(`
  = controller: lb1
  = written before: cloud "core", cloud "edge"
`);
    expect(stdout).to.match(/\n\ncontinue with: evenkeel resume\nor roll back with: evenkeel rollback\n$/);
  });

  it('shows message, places, hint, controllers, what was written and the command that continues', async () => {
    const make = new EventMaker();
    const failure = {
      ...CONFIGURE,
      message: 'undefined variable "zone"',
      hint: 'did you mean "zones"?',
      cause: { file: 'group_vars/all.yml', line: 3, column: 9 },
    };
    const { stdout } = await reported(
      [
        make.runStarted(),
        make.playStarted(['lb1', 'lb2', 'lb3'], { tasks: 3 }),
        make.taskFinished('lb1', 'changed', { change: CREATED }),
        make.taskFinished('lb2', 'ok'),
        make.taskFinished('lb3', 'changed', { change: CREATED }),
        make.taskFinished('lb1', 'failed', failure),
        make.taskFinished('lb2', 'failed', failure),
        make.pass(2).runFinished({ status: 'failed', exitCode: 2 }),
      ],
      {
        output: 'quiet',
        cwd: folder.cwd,
        commandFor: (way) => `evenkeel ${way}`,
      },
    );
    expect(stdout).to.equal(`failed: undefined variable "zone"
  --> playbooks/rollout.yml:9:7 Configure (system_config)
     |
   7 |         mtu: '{{mtu}}'
   8 |     - name: Configure
   9 |       system_config:
     |       ^^^^^^^^^^^^^
  10 |         dns_configuration:
  11 |           search_domain: '{{domain}}'
  because of group_vars/all.yml:3:9
    |
  1 | mtu: 1500
  2 | controller_password: ********
  3 | domain: '{{zone}}.example.com'
    |         ^^^^^^^^^^^^^^^^^^^^^^
  = 2 controllers: lb1, lb2
  = hint: did you mean "zones"?
  = written before: cloud "edge" (1 controller)
  = not run: 1 task after it

3 controllers · 1 changed · 2 failed · 2.0 s

continue with: evenkeel rerun
`);
  });

  it('shows the task and the cause in it in one frame', async () => {
    const make = new EventMaker();
    const cause = { file: 'playbooks/rollout.yml', line: 7, column: 14 };
    const { stdout } = await reported(
      [
        make.playStarted(['lb1'], { tasks: 1 }),
        make.taskFinished('lb1', 'failed', { message: 'variable "mtu" is not defined', cause }),
        make.runFinished(),
      ],
      { output: 'quiet', cwd: folder.cwd },
    );
    expect(stdout).to.include(`failed: variable "mtu" is not defined
  --> playbooks/rollout.yml:7:14 Create the cloud (cloud_present)
    |
  4 |     - name: Create the cloud
  5 |       cloud_present:
  6 |         name: edge
  7 |         mtu: '{{mtu}}'
    |              ^^^^^^^^^
  8 |     - name: Configure
  9 |       system_config:
  = controller: lb1
`);
  });

  it('groups unreachable controllers by cause, whatever their addresses', async () => {
    const make = new EventMaker();
    const names = controllerNames(12);
    const { stdout } = await reported(
      [
        make.playStarted(names, { tasks: 2 }),
        ...names.map((name, index) =>
          make.taskFinished(name, 'unreachable', { message: `connect ECONNREFUSED 10.0.0.${index}:9443 (${name})` }),
        ),
        make.runFinished({ status: 'unreachable', exitCode: 4 }),
      ],
      { output: 'quiet' },
    );
    expect(stdout).to.equal(`unreachable: connect ECONNREFUSED 10.0.0.0:9443 (<controller>)
  --> playbooks/rollout.yml:4:7 Create the cloud (cloud_present)
  = 12 controllers: lb01, lb02, lb03, lb04, lb05, lb06, lb07, lb08, lb09, lb10, lb11, lb12
  = written before: nothing
  = not run: 1 task after it

12 controllers · 12 unreachable · 0.0 s
`);
  });

  it('lists writes with an unknown outcome, and no writes in check mode', async () => {
    const make = new EventMaker();
    const failure = { ...CONFIGURE, message: 'not converged:\n  search_domain', change: UPDATED };
    const events = [make.playStarted(['lb1']), make.taskFinished('lb1', 'failed', failure), make.runFinished()];
    expect((await reported(events, { output: 'quiet' })).stdout).to.equal(`failed: not converged:
    search_domain
  --> playbooks/rollout.yml:9:7 Configure (system_config)
  = controller: lb1
  = written before: nothing
  = sent, but not confirmed: system configuration
  = not run: 1 task after it

1 controller · 1 failed · 0.0 s
`);
    const checked = await reported([make.runStarted({ check: true }), ...events], { output: 'quiet' });
    expect(checked.stdout).to.not.include('written').and.not.include('confirmed');
  });

  it('names the objects of aborted writes, and their controllers', async () => {
    const make = new EventMaker();
    const given = (name: string, object: string, more = {}): Event =>
      make.taskFinished(name, 'unreachable', {
        message: 'POST /api/cloud/: aborted because the run was interrupted; it may have taken effect',
        change: { kind: 'create', object, before: null, after: {} },
        unconfirmed: true,
        ...more,
      });
    const names = controllerNames(12);
    const events = [
      make.playStarted(['lb1', ...names]),
      given('lb1', 'cloud "core"'),
      ...names.map((name) => given(name, `cloud "edge-${name}"`)),
      make.runFinished({ status: 'interrupted', exitCode: 130 }),
    ];
    const { stdout } = await reported(events);
    expect(stdout).to.include('Create the cloud: may have created cloud "core"; aborted because');
    expect(stdout).to.include(
      '  = sent, but not confirmed: cloud "core" on lb1; cloud "edge-<controller>" on lb01, lb02, lb03, lb04, lb05, lb06, lb07, lb08, lb09, lb10 and 2 more\n',
    );
  });

  it('names writes with an unknown outcome also for failures that do not count', async () => {
    const make = new EventMaker();
    const change = { kind: 'create', object: 'cloud "core"', before: null, after: {} } as const;
    const { stdout } = await reported(
      [
        make.playStarted(['lb1', 'lb2', 'lb3']),
        make.taskFinished('lb1', 'unreachable', { ignored: true, unconfirmed: true, change }),
        make.taskFinished('lb2', 'unreachable', { item: 'a', unconfirmed: true, change }),
        make.taskFinished('lb2', 'interrupted', { message: 'interrupted after 1 of 2 items' }),
        make.taskFinished('lb3', 'interrupted', { unconfirmed: true, message: 'hidden' }),
        make.runFinished({ status: 'interrupted', exitCode: 130 }),
      ],
      { output: 'quiet' },
    );
    expect(stdout).to.match(
      /^sent, but not confirmed: cloud "core" on lb1, lb2; an object that no_log masks on lb3\n\n/,
    );
  });

  it('names the item that failed, not the loop', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      [
        make.playStarted(['lb1'], { tasks: 1 }),
        make.taskFinished('lb1', 'ok', { item: 'a' }),
        make.taskFinished('lb1', 'failed', { item: 'b', message: 'no such cloud' }),
        make.taskFinished('lb1', 'failed', { message: 'one or more items failed' }),
        make.runFinished(),
      ],
      { output: 'quiet' },
    );
    expect(stdout).to.include(
      'failed: no such cloud\n  --> playbooks/rollout.yml:4:7 Create the cloud (cloud_present, item b)\n',
    );
    expect(stdout).to.not.include('one or more');
  });

  it('does not mention ignored and rescued failures', async () => {
    const make = new EventMaker();
    const { stdout } = await reported(
      [
        make.playStarted(['lb1']),
        make.taskFinished('lb1', 'failed', { message: 'no', ignored: true }),
        make.runFinished(),
      ],
      { output: 'quiet' },
    );
    expect(stdout).to.equal('1 controller · 1 ok (1 ignored) · 0.0 s\n');
  });

  it('has a paragraph for the twenty most frequent of many causes, and a line for each other', async () => {
    const make = new EventMaker();
    const names = controllerNames(31);
    const { stdout } = await reported(
      [
        make.playStarted(names, { tasks: 1 }),
        ...names.map((name, index) => make.taskFinished(name, 'failed', { message: `cause ${Math.min(index, 28)}` })),
        make.runFinished(),
      ],
      { output: 'quiet' },
    );
    expect(stdout).to.match(/^failed: cause 28\n/);
    expect(stdout).to.include(
      '\nfailed: cause 27; Create the cloud (playbooks/rollout.yml:4:7) on lb28\n\n31 controllers · 31 failed',
    );
    for (const name of names) expect(stdout.split(name), name).to.have.length(2);
  });
});
