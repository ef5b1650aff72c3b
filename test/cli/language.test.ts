import { expect } from 'chai';
import { emptyProject, exampleProject, type Project } from '../rig/command.js';
import { finishedOf, tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/gate_command.js';

/** The output of the built command for blocks, handlers, includes and runs that end early. */
describe('the whole language', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject();
  });
  afterEach(() => project.remove());

  const run = async (playbook: string, ...args: readonly string[]) => {
    await project.write('site.yml', playbook);
    return evenkeel(['run', 'site.yml', '-i', 'lb1,lb2,', ...args], { cwd: project.directory });
  };

  const withoutSeconds = (text: string): string =>
    text.replaceAll(/\d+\.\d s/g, 'N s').replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{6}/g, 'RUN');

  it('shows a failure as rescued, and succeeds', async () => {
    const { code, stdout } = await run(`
- name: Rescue
  hosts: lb1
  tasks:
    - block:
        - { name: Try, fail: { msg: no luck } }
      rescue:
        - { name: Undo, debug: { msg: 'undone: {{ansible_failed_result.msg}}' } }
`);
    expect(code).to.equal(0);
    expect(withoutSeconds(stdout)).to.match(/^evenkeel .*\n/).and.to.include(`
play Rescue · 1 controller · 1 task
failed       lb1  Try: no luck (rescued)
ok           lb1  Undo: undone: no luck

recap
lb1  ok=1   changed=0   unreachable=0   failed=0   skipped=0   rescued=1   ignored=0
1 controller · 1 ok (1 rescued) · N s
`);
  });

  it('reports why a run stopped early, and how to continue', async () => {
    const { code, stdout } = await run(`
- name: One by one
  hosts: all
  serial: 1
  tasks:
    - { name: Break, fail: { msg: broken } }
`);
    expect(code).to.equal(2);
    expect(withoutSeconds(stdout)).to.include(`
ended early: the only controller of batch 1 of 2 failed

recap
lb1  ok=0   changed=0   unreachable=0   failed=1   skipped=0   rescued=0   ignored=0
lb2  not started
2 controllers · 1 failed · 1 not started · N s

continue with: evenkeel run --rerun RUN
`);
  });

  it('runs handlers on failed controllers with --force-handlers only', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - { name: Change, debug: , changed_when: true, notify: Told }
    - { name: Break, fail: { msg: broken } }
  handlers:
    - { name: Told, debug: { msg: told } }
`;
    const names = (stdout: string): readonly string[] => tasksOf(stdout).map(({ task }) => task);
    expect(names((await run(playbook, '-o', 'json')).stdout)).to.deep.equal(['Change', 'Break']);
    const forced = await run(playbook, '-o', 'json', '--force-handlers');
    expect(names(forced.stdout)).to.deep.equal(['Change', 'Break', 'Told']);
    expect(forced.code).to.equal(2);
  });

  it('names the delegate of a task', async () => {
    const { stdout } = await run(`
- hosts: lb1
  tasks:
    - { name: Tell, debug: { msg: hi }, delegate_to: lb2 }
`);
    expect(stdout).to.include('\nok           lb1 → lb2  Tell: hi\n');
  });
});

describe('playbooks/sites.yml', () => {
  it('creates the edge of every site, and changes nothing in the second run', async () => {
    const project = await exampleProject();
    const run = ['run', 'playbooks/sites.yml', '--simulate', '-o', 'json'];
    try {
      const first = await evenkeel(run, { cwd: project.directory });
      expect(first.code, first.stderr).to.equal(0);
      for (const one of Object.values(finishedOf(first.stdout).stats))
        expect(one).to.include({ changed: 1, failed: 0 });
      const second = await evenkeel(run, { cwd: project.directory });
      for (const one of Object.values(finishedOf(second.stdout).stats))
        expect(one).to.include({ changed: 0, failed: 0 });
      const wrong = await evenkeel([...run, '-e', '{edge_cloud_mtu: large}'], { cwd: project.directory });
      expect(wrong.code).to.equal(2);
      expect(tasksOf(wrong.stdout).find(({ status }) => status === 'failed')?.message).to.include('edge_cloud_mtu');
    } finally {
      await project.remove();
    }
  });
});
