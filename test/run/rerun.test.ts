import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { finishedOf, tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { DEAD_CONTROLLER } from '../rig/waits.js';

const SITE = `- name: Site
  hosts: all
  tasks:
    - name: Break
      fail: { msg: "{{ why }}" }
      when: inventory_hostname == 'lb1'
    - name: Speak
      cloud_present: { name: x }
      when: inventory_hostname == 'lb2'
    - name: Tell
      debug: { msg: "{{ why }}" }
`;

/** Nothing listens at lb2. */
const INVENTORY = `all:
  vars: { controller_username: admin, controller_password: secret, controller_api_version: 22.1.3 }
  hosts: { lb1: , lb2: { ${DEAD_CONTROLLER} }, lb3: , lb4: }
`;

describe('evenkeel run --rerun', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({ 'site.yml': SITE, 'inventory.yml': INVENTORY });
    expect((await run('site.yml', '-i', 'inventory.yml', '-e', 'why=because', '--tags', 'all')).code).to.equal(2);
  });
  afterEach(() => project.remove());

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(['run', ...args], { cwd: project.directory });
  }

  async function newest(): Promise<string> {
    return (await readdir(path.join(project.directory, '.evenkeel/runs'))).sort().at(-1) ?? '';
  }

  async function first(): Promise<string> {
    return (await readdir(path.join(project.directory, '.evenkeel/runs'))).sort()[0] ?? '';
  }

  async function again(...args: readonly string[]): Promise<readonly string[]> {
    const { stdout, stderr } = await run('--rerun', ...args, '-o', 'json');
    expect(stderr).to.equal('');
    return Object.keys(finishedOf(stdout).stats);
  }

  it('selects controllers that did not succeed, with the options of the run', async () => {
    const first = await newest();
    const { stdout } = await run('--rerun', 'last', '-o', 'json');
    expect(Object.keys(finishedOf(stdout).stats)).to.deep.equal(['lb1', 'lb2']);
    expect(tasksOf(stdout).find(({ status }) => status === 'failed')?.message).to.equal('because');
    expect(await newest()).to.not.equal(first);
  });

  it('selects controllers of one state', async () => {
    const id = await newest();
    expect(await again(`${id}:failed`)).to.deep.equal(['lb1']);
    expect(await again(`${id}:unreachable`)).to.deep.equal(['lb2']);
    expect(await again(`${id}:unreachable,failed`)).to.deep.equal(['lb1', 'lb2']);
  });

  it('passes by the controller that is down, and ended its batch, with the command that the run prints', async () => {
    const play =
      '- hosts: lb2,lb3,lb4\n  serial: 1\n  tasks: [{ cloud_present: { name: x }, when: inventory_hostname == "lb2" }]\n';
    await project.write('serial.yml', play);
    const { stdout } = await run('serial.yml', '-i', 'inventory.yml');
    const id = await newest();
    expect(stdout).to.match(
      new RegExp(
        `\n\ncontinue with: evenkeel run --rerun ${id}\nor leave out the unreachable with: evenkeel run --rerun ${id}:unstarted\n$`,
      ),
    );
    expect(await again(`${id}:unstarted`)).to.deep.equal(['lb3', 'lb4']);
  });

  it('selects controllers that were not started', async () => {
    await project.write('early.yml', '- hosts: all\n  serial: 2\n  tasks: [fail: ]\n');
    await run('early.yml', '-i', 'inventory.yml');
    expect(await again('last:unstarted')).to.deep.equal(['lb3', 'lb4']);
  });

  it('prefers given options and playbooks', async () => {
    await project.write('other.yml', '- hosts: all\n  tasks: [{ name: Other, debug: { msg: "{{ why }}" } }]\n');
    const { stdout } = await run('other.yml', '--rerun', 'last', '-l', '!lb2', '-e', 'why=otherwise', '-o', 'json');
    expect(tasksOf(stdout).map(({ controller, message }) => `${controller}: ${message ?? ''}`)).to.deep.equal([
      'lb1: otherwise',
    ]);
  });

  it('shows which controllers it would select', async () => {
    const { stdout } = await run('--rerun', 'last', '--list-hosts');
    expect(stdout).to.include('    hosts (2):\n      lb1\n      lb2\n');
  });

  it('repeats a single task', async () => {
    await evenkeel(['task', 'lb1,lb3', '-i', 'inventory.yml', '-m', 'fail', '-a', 'msg=broken'], {
      cwd: project.directory,
    });
    const { stdout } = await run('--rerun', 'last:failed', '-l', 'lb3', '-o', 'json');
    expect(tasksOf(stdout).map(({ controller, message }) => `${controller}: ${message ?? ''}`)).to.deep.equal([
      'lb3: broken',
    ]);
  });

  it('names the controllers that the inventory no longer has', async () => {
    const hint =
      '  = hint: a renamed controller needs a run of its own, such as: evenkeel run PLAYBOOK --limit NAME\n\n1 ';
    await project.write('inventory.yml', INVENTORY.replace('lb2:', 'lb9:'));
    const { stdout, stderr } = await run('--rerun', 'last', '-o', 'json');
    expect(stderr).to.equal(
      `warning: --rerun: 1 controller of that run is no longer in the inventory: lb2\n${hint}warning\n`,
    );
    expect(Object.keys(finishedOf(stdout).stats)).to.deep.equal(['lb1']);
    await project.write('inventory.yml', 'all: { hosts: { lb9: } }\n');
    const none = await run('--rerun', await first());
    expect({ code: none.code, stderr: none.stderr }).to.deep.equal({
      code: 1,
      stderr: `error: --rerun: 2 controllers of that run are no longer in the inventory: lb1, lb2\n${hint}error\n`,
    });
  });

  it('reports what it cannot do', async () => {
    const refusal = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await run(...args);
      expect(code).to.equal(1);
      return stderr;
    };
    const id = await newest();
    expect(await refusal('--rerun', 'last:failed,unreachible')).to.equal(
      'error: --rerun: "unreachible" is not a state of a controller\n  = hint: did you mean "unreachable"?\n\n1 error\n',
    );
    expect(await refusal('--rerun', 'last:unstarted')).to.equal(
      `error: no controller of run ${id} is unstarted: there is nothing to rerun\n\n1 error\n`,
    );
    expect(await refusal('--rerun', 'last:unstarted, unstarted')).to.equal(
      `error: no controller of run ${id} is unstarted: there is nothing to rerun\n\n1 error\n`,
    );
    expect(await refusal('--rerun', 'last', '-l', 'lb3')).to.equal(
      'error: --limit "lb3" selects no controller of this run\n\n1 error\n',
    );
    await run('site.yml', '-i', 'inventory.yml', '-l', 'lb3', '-e', 'why=because');
    expect(await refusal('--rerun', 'last')).to.equal(
      `error: no controller of run ${await newest()} is failed, unreachable or unstarted: there is nothing to rerun\n\n1 error\n`,
    );
    expect(await refusal()).to.equal(
      "error: missing required argument 'playbook'\n(for example: evenkeel run playbooks/rollout.yml --simulate)\n(add --help for the options and examples)\n",
    );
  });
});
