import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet } from '../rig/simulated.js';

const FILES = {
  'evenkeel.yml': `environments:
  production:
    inventory: inv.yml
    extra_vars: [vars.yml]
    limit: '!lb3'
    confirm: true
`,
  'inv.yml': 'all: { hosts: { lb1: , lb2: , lb3: } }\n',
  'vars.yml': 'greeting: hello\n',
  // Never contacts a controller.
  'writes.yml': '- hosts: all\n  tasks: [{ cloud_present: { name: a }, when: false }]\n',
  'in_check.yml': '- hosts: all\n  tasks: [{ cloud_present: { name: a }, when: false, check_mode: false }]\n',
};
const WRITES = ['run', 'writes.yml', '--env', 'production'];
const TASK = ['task', 'all', '-m', 'debug', '-a', 'msg="{{greeting}} {{evenkeel_environment}}"', '--env', 'production'];

describe('environments', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
  });
  after(() => project.remove());

  it('sets inventory, variables, limit and evenkeel_environment', async () => {
    const { stdout, code } = await evenkeel([...TASK, '--yes'], { cwd: project.directory });
    expect(code).to.equal(0);
    expect(stdout.match(/hello production/g)).to.have.lengthOf(2);
    expect(stdout).to.not.include('lb3');
  });

  it('are those whose inventory -i names, without --env', async () => {
    const inventory = 'all: { hosts: { lb1: } }\n';
    const other = await emptyProject({
      'evenkeel.yml': 'environments: { one: { inventory: 1.yml }, two: { inventory: 2.yml } }\n',
      '1.yml': inventory,
      '2.yml': inventory,
      '3.yml': inventory,
    });
    try {
      const named = async (file: string): Promise<unknown> => {
        const args = ['task', 'all', '-m', 'debug', '-i', file, '-o', 'json'];
        const { stdout } = await evenkeel(args, { cwd: other.directory });
        return (JSON.parse(stdout.split('\n')[0] ?? '') as { environment: unknown }).environment;
      };
      expect([await named('1.yml'), await named('2.yml'), await named('3.yml')]).to.deep.equal(['one', 'two', null]);
    } finally {
      await other.remove();
    }
  });

  it('is told of settings of ansible.cfg once, by commands that use them', async () => {
    const other = await emptyProject({
      'ansible.cfg': '[defaults]\ninventory = inv.yml\n',
      'inv.yml': 'all: { hosts: { lb1: } }\n',
    });
    try {
      const told = async (...args: string[]): Promise<number> => {
        const { stderr } = await evenkeel(args, { cwd: other.directory });
        return stderr.split('ansible.cfg sets inventory').length - 1;
      };
      for (const args of [
        ['task', 'all', '-m', 'debug'],
        ['inventory', '--graph'],
      ])
        expect(await told(...args), args[0]).to.equal(1);
      for (const args of [['runs'], ['report', 'last'], ['doc', '-l'], ['config'], ['lint']])
        expect(await told(...args), args[0]).to.equal(0);
    } finally {
      await other.remove();
    }
  });

  it('does not run unconfirmed without a terminal', async () => {
    const { stdout, stderr, code } = await evenkeel(WRITES, { cwd: project.directory });
    expect({ stdout, code }).to.deep.equal({ stdout: '', code: 1 });
    expect(stderr).to.equal(
      'About to run writes.yml on 2 controllers of production: lb1, lb2\n' +
        'evenkeel: production needs confirmation, but stdin is not a terminal: pass --yes, or run in a terminal\n',
    );
  });

  it('names other controllers to which tasks are delegated, before it asks', async () => {
    for (const file of ['away.yml', 'lb1.yml', 'lb2.yml']) await project.write(file, '- debug:\n  delegate_to: lb3\n');
    await project.write(
      'delegated.yml',
      `- hosts: all
  tasks:
    - debug:
      delegate_to: localhost
    - debug:
      delegate_to: lb1
    - debug:
      delegate_to: '{{ groups.all | last }}'
    - debug:
      delegate_to: '{{ inventory_hostname }}'
    - debug:
      delegate_to: "lb9\\e[2K"
    - include_tasks: away.yml
    - include_tasks: '{{ inventory_hostname }}.yml'
- hosts: elsewhere
  tasks:
    - debug:
      delegate_to: lb5
`,
    );
    const { stderr } = await evenkeel(['run', 'delegated.yml', '--env', 'production'], { cwd: project.directory });
    expect(stderr).to.include(
      'About to run delegated.yml on 2 controllers of production: lb1, lb2\n' +
        'Its tasks also act on {{ groups.all | last }} (delegated.yml:8:20), lb9, lb3\n' +
        'Tasks of files that are chosen during the run may act on others, too: delegated.yml:14:7\n',
    );
  });

  it('does not ask for a simulation or a check', async () => {
    for (const harmless of ['--simulate', '--check']) {
      expect((await evenkeel([...WRITES, harmless], { cwd: project.directory })).code).to.equal(0);
    }
  });

  it('does not ask for tasks that only read', async () => {
    const { stdout, stderr, code } = await evenkeel(TASK, { cwd: project.directory });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.include('hello production');
  });

  it('lets no module write without a question because it declares no writes', async () => {
    const fleet = await startFleet();
    const strict = await emptyProject({
      'evenkeel.yml': `environments: { live: { inventory: ${fleet.inventoryFile}, require_plan: true } }\n`,
      'modules/sly.js': `export default {
  type: 'action', name: 'sly', summary: 'writes', args: { type: 'object' }, examples: ['- sly: {}'], check: true,
  run: async (args, context) => {
    await context.request({ method: 'POST', path: '/api/cloud/', body: { name: 'a' } });
    return { status: 'changed' };
  },
};
`,
    });
    try {
      const task = ['task', 'lb1', '-m', 'sly', '--env', 'live'];
      const { stdout, code } = await evenkeel(task, { cwd: strict.directory });
      expect(code).to.equal(2);
      expect(stdout).to.include(
        'its environment allows writes only after a question or from a plan, and this module declares none: add "writes: true" to the module',
      );
      expect(fleet.controller('lb1').requests.map(({ method }) => method)).to.not.include('POST');
    } finally {
      await Promise.all([strict.remove(), fleet.dispose()]);
    }
  });

  it('asks before a check in which a task writes', async () => {
    const { stdout, stderr, code } = await evenkeel(['run', 'in_check.yml', '--env', 'production', '--check'], {
      cwd: project.directory,
    });
    expect({ stdout, code }).to.deep.equal({ stdout: '', code: 1 });
    expect(stderr).to.include('production needs confirmation');
  });

  it('searches includes for such a task, and asks if it cannot know', async () => {
    const write = (tasks: string): Promise<void> =>
      project.write('includes.yml', `- hosts: all\n  tasks: [${tasks}]\n`);
    const check = ['run', 'includes.yml', '--env', 'production', '--check', '-e', 'name=read'];
    await project.write('written.yml', '- { debug: , check_mode: false }\n');
    await project.write('read.yml', '- { debug: }\n- { include_tasks: read.yml, when: false }\n');
    await write('{ include_tasks: read.yml }');
    expect((await evenkeel(check, { cwd: project.directory })).code).to.equal(0);
    for (const included of ['written.yml', '"{{name}}.yml"']) {
      await write(`{ block: [{ include_tasks: ${included} }] }`);
      const { stderr, code } = await evenkeel(check, { cwd: project.directory });
      expect(code).to.equal(1);
      expect(stderr).to.include('production needs confirmation');
    }
  });

  it('writes nothing in an environment that accepts only plans', async () => {
    const strict = await emptyProject({
      ...FILES,
      'evenkeel.yml': 'environments: { live: { inventory: inv.yml, require_plan: true } }\n',
    });
    try {
      const task = ['run', 'writes.yml', '--env', 'live', '--yes'];
      const { stderr, code } = await evenkeel(task, { cwd: strict.directory });
      expect(code).to.equal(1);
      expect(stderr).to.equal(
        'evenkeel: live accepts changes only from a plan (require_plan): make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"\n',
      );
      expect((await evenkeel([...task, '--check'], { cwd: strict.directory })).code).to.equal(0);
      expect((await evenkeel([...task, '--simulate'], { cwd: strict.directory })).code).to.equal(0);
      await strict.write('x.yml', '- debug:\n');
      await strict.write('includes.yml', '- { hosts: lb1, tasks: [{ include_tasks: "{{name}}.yml" }] }\n');
      const check = await evenkeel(['run', 'includes.yml', '--env', 'live', '--check', '-e', 'name=x'], {
        cwd: strict.directory,
      });
      expect(check).to.include({
        code: 1,
        stderr:
          'evenkeel: live accepts changes only from a plan (require_plan), and what is included at includes.yml:1:25 is known only during the run: it might write even in a check\n',
      });
    } finally {
      await strict.remove();
    }
  });

  describe('whose inventory a run uses without --env', () => {
    const ignored = (settings: string): string =>
      `warning: this run ignores ${settings} of production, whose inventory it uses: pass --env production\n\n1 warning\n`;
    for (const [what, args, env, expected] of [
      ['-i', ['-i', 'inv.yml'], {}, ignored('confirm, limit and extra_vars')],
      ['-i beside others', ['-i', 'inv.yml', '-i', 'more.yml'], {}, ignored('confirm, limit and extra_vars')],
      ['EVENKEEL_INVENTORY', [], { EVENKEEL_INVENTORY: 'inv.yml' }, ignored('confirm, limit and extra_vars')],
      ['a setting', [], {}, ignored('confirm, limit and extra_vars')],
      ['-i of another environment', ['-i', 'inv.yml', '--env', 'lab'], {}, ignored('confirm, limit and extra_vars')],
      ['--yes', ['-i', 'inv.yml', '--yes'], {}, ignored('limit and extra_vars')],
      ['--env, too', ['-i', 'inv.yml', '--env', 'production', '--yes'], {}, ''],
      ['a check', ['-i', 'inv.yml', '--check'], {}, ''],
      ['a simulation', ['-i', 'inv.yml', '--simulate'], {}, ''],
      ['an environment that sets nothing else', ['-i', 'more.yml'], {}, ''],
    ] as const)
      it(`${expected === '' ? 'needs no' : 'gives a'} warning: ${what}`, async () => {
        await project.write('more.yml', 'all: { hosts: { lb4: } }\n');
        const usual = what.includes('setting') ? 'inventory: inv.yml\n' : '';
        await project.write('evenkeel.yml', `${usual}${FILES['evenkeel.yml']}  lab: { inventory: more.yml }\n`);
        const ended = await evenkeel(['run', 'writes.yml', ...args], { cwd: project.directory, env });
        expect({ code: ended.code, stderr: ended.stderr }).to.deep.equal({ code: 0, stderr: expected });
      });

    it('gives no warning if it only reads', async () => {
      const { stderr } = await evenkeel(['task', 'lb1', '-m', 'debug', '-i', 'inv.yml'], { cwd: project.directory });
      expect(stderr).to.equal('');
    });
  });

  it('lets an option narrow the limit of the environment, never widen it', async () => {
    const { stdout } = await evenkeel([...TASK, '--yes', '-l', 'lb2:lb3'], { cwd: project.directory });
    expect(stdout).to.include('lb2').and.to.not.include('lb1').and.to.not.include('lb3');
  });
});
