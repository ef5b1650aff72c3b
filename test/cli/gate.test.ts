import { expect } from 'chai';
import { emptyProject, type Ended, exampleProject, type Project, STARTED } from '../rig/command.js';
import { eventsOf, finishedOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet } from '../rig/simulated.js';
import { Terminal } from '../rig/terminal.js';

describe('the canary of the example project', () => {
  let project: Project;
  before(async () => {
    project = await exampleProject();
  });
  after(() => project.remove());

  const run = (...args: readonly string[]): Promise<Ended> =>
    evenkeel(['run', 'playbooks/canary.yml', '--simulate', ...args], { cwd: project.directory });

  it('passes the gate with each batch', async () => {
    const { code, stdout, stderr } = await run('--output', 'json');
    expect(code, stderr).to.equal(0);
    const gates = eventsOf(stdout).flatMap((event) => (event.type === 'gate-finished' ? [event.status] : []));
    expect(gates).to.deep.equal(['passed', 'passed', 'passed']);
  });

  it('rolls back its first batch when the gate fails, and ends with 6', async () => {
    const { code, stdout, stderr } = await run('-e', 'cloud_mtu=9000');
    expect(code, stderr).to.equal(6);
    expect(stdout).to.include(
      'ended early: the gate of batch 1 of 3 failed: "Packets fit through the network" on lb01.dev.example.com; the batch was rolled back\n',
    );
    expect(stdout.replaceAll(/\b\d{8}T\d{6}Z-\w+/g, 'RUN')).to.match(/\n\ncontinue with: evenkeel resume RUN\n$/);
    expect(stdout).to.include('  = gate: of batch 1, round 1\n');
    const after = await run('--check', '--detailed-exitcode');
    expect(after.code, 'nothing is left of it').to.equal(0);
  });

  it('starts a rolled back batch again when the run is resumed', async () => {
    const failed = await run('-e', 'cloud_mtu=9000', '--output', 'json');
    const again = await evenkeel(['resume', finishedOf(failed.stdout).run, '--output', 'json'], {
      cwd: project.directory,
    });
    expect(again.code, again.stderr).to.equal(6);
    const changed = eventsOf(again.stdout).flatMap((event) =>
      event.type === 'task-finished' && event.status === 'changed' ? [event.task] : [],
    );
    expect(changed).to.include('Cloud exists');
    expect(finishedOf(again.stdout).unstarted).to.deep.equal(['lb02.dev.example.com', 'lb03.dev.example.com']);
  });

  it('does not run its gate in check mode', async () => {
    const { code, stdout, stderr } = await run('--check', '-e', 'cloud_mtu=9000');
    expect(code).to.equal(0);
    expect(stdout).to.not.include('gate');
    expect(stderr).to.equal(
      'warning: check mode changes nothing that a gate could check, so its checks are not run (playbooks/canary.yml:9:3)\n',
    );
  });

  it('lists the checks', async () => {
    const { stdout } = await evenkeel(['run', 'playbooks/canary.yml', '--list-tasks'], { cwd: project.directory });
    expect(stdout).to.equal(`
playbook: playbooks/canary.yml

  play #1 (all): Larger packets, step by step	TAGS: []
    tasks:
      Cloud exists	TAGS: []
    gate:
      Ask for the cloud	TAGS: []
      Packets fit through the network	TAGS: []
`);
  });
});

describe('the rollback of a batch', () => {
  const ROLL = `
- hosts: lb1
  gate: { on_fail: rollback, checks: [{ assert: { that: false } }] }
  tasks:
    - cloud_present: { name: edge, mtu: 9000 }
    - cloud_present: { name: edge, mtu: 9000 }
      delegate_to: lb2
`;

  it('connects as the variables beside the playbook say, and repeats what it restored elsewhere', async () => {
    const fleet = await startFleet({ controllers: 2 });
    const logins = `controller_username: ${fleet.username}\ncontroller_password: ${fleet.password}\n`;
    const project = await emptyProject({
      'inventory.yml': fleet.inventory.replace(/ +controller_username.*\n +controller_password.*\n/, ''),
      'roll/site.yml': ROLL,
      'roll/group_vars/all.yml': logins,
    });
    const clouds = (): unknown => fleet.names.map((name) => fleet.controller(name).objects('/api/cloud/')[0]?.['mtu']);
    try {
      for (const name of fleet.names)
        fleet.controller(name).setObjects('/api/cloud/', [{ uuid: `cloud-${name}`, name: 'edge', mtu: 1500 }]);
      for (const args of [
        ['run', 'roll/site.yml', '-i', 'inventory.yml'],
        ['resume', 'last'],
      ]) {
        const { code, stdout } = await evenkeel(args, { cwd: project.directory });
        expect(code, stdout).to.equal(6);
        expect(stdout).to.include('"assert" on lb1; the batch was rolled back\n');
        expect(clouds()).to.deep.equal([1500, 1500]);
      }
    } finally {
      await fleet.dispose();
      await project.remove();
    }
  });
});

const SITE = `
- name: Roll out
  hosts: all
  serial: 1
  gate: { on_fail: pause, checks: [{ name: Portal answers, fail: { msg: it does not } }] }
  tasks: [{ name: Work, debug: { msg: work } }]
`;

const WAITING = `
- hosts: all
  gate: { interval: 3600, passes: 2, checks: [{ name: Fine, debug: }] }
`;

describe('a gate in a terminal', () => {
  let project: Project;
  let terminal: Terminal | undefined;
  before(async () => {
    project = await emptyProject({ 'site.yml': SITE, 'waiting.yml': WAITING });
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
  });
  after(() => project.remove());

  function start(playbook = 'site.yml'): Terminal {
    const args = [...STARTED, 'run', playbook, '-i', 'lb1,lb2,'];
    terminal = new Terminal(process.execPath, args, { columns: 140, rows: 40, cwd: project.directory });
    return terminal;
  }

  const question = (batch: number): string =>
    `the gate of batch ${batch} of 2 failed: "Portal answers" on lb${batch}. How to continue? (c)ontinue/(s)top/(r)ollback:`;

  it('asks what to do, and does it', async () => {
    const typed = start();
    await typed.shows(question(1));
    typed.press('c\r');
    await typed.shows(question(2));
    typed.press('s\r');
    expect(await typed.exited, typed.screen.text).to.equal(6);
    expect(typed.screen.text).to.include('continuing with the next batch');
    expect(typed.screen.text).to.include('ended early: the gate of batch 2 of 2 failed: "Portal answers" on lb2');
  });

  it('rolls back a batch that has changed nothing', async () => {
    const typed = start();
    await typed.shows(question(1));
    typed.press('r\r');
    expect(await typed.exited, typed.screen.text).to.equal(6);
    expect(typed.screen.text).to.include('on lb1; the batch had changed nothing');
  });

  it('can be interrupted while it asks', async () => {
    const typed = start();
    await typed.shows(question(1));
    typed.press('\u0003');
    expect(await typed.exited, typed.screen.text).to.equal(130);
  });

  it('shows what it waits for, and can be interrupted', async () => {
    const typed = start('waiting.yml');
    await typed.shows(/gate {2}next round in (?:59 min \d+ s|1 h) · 1 of 2 passed/);
    typed.press('\u0003');
    expect(await typed.exited, typed.screen.text).to.equal(130);
    expect(typed.screen.text).to.not.include('gate passed');
  });

  it('stops without a terminal', async () => {
    const { code, stdout } = await evenkeel(['run', 'site.yml', '-i', 'lb1,lb2,', '-o', 'json'], {
      cwd: project.directory,
    });
    expect(code).to.equal(6);
    expect(finishedOf(stdout)).to.deep.include({
      status: 'failed',
      exitCode: 6,
      reason: 'the gate of batch 1 of 2 failed: "Portal answers" on lb1',
      unstarted: ['lb2'],
    });
  });
});
