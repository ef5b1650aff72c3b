import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';

/** Nothing listens there. Of two shards, the first has lb1 and lb3, the second lb2 and lb4. */
const INVENTORY = `all:
  vars: { controller_username: admin, controller_password: secret, controller_api_version: 22.1.3 }
  hosts:
    lb1: { controller_url: 'https://127.0.0.1:1' }
    lb2: { controller_url: 'https://127.0.0.1:2' }
    lb3: { controller_url: 'https://127.0.0.1:3' }
    lb4: { controller_url: 'https://127.0.0.1:4' }
`;

const RUN_ONCE = 'run_once would run in each shard, with its own result and handlers';
const DELEGATED = 'delegate_to may lead to a controller at which another shard is at work';
const HOSTVARS = 'hostvars of another controller: a shard does not know what other shards set';
const listed = (name: string): string => `"${name}" would list the controllers of this shard only`;

/** What the only play has besides its controllers, and the place and reason of the refusal. */
const REFUSED: Readonly<Record<string, readonly [play: string, place: string, why: string]>> = {
  'more than one batch': [
    'serial: [1, 3]',
    '2:12',
    'serial makes 2 batches, and a shard cannot wait for the batches of the others',
  ],
  'batches that only the whole fleet needs': [
    'serial: 2',
    '2:11',
    'serial makes 2 batches, and a shard cannot wait for the batches of the others',
  ],
  'a gate': ['gate: { checks: [{ debug: }] }', '2:3', 'the gate would check the controllers of this shard only'],
  max_fail_percentage: [
    'max_fail_percentage: 0',
    '2:24',
    'max_fail_percentage would count the failures of this shard only',
  ],
  'any_errors_fatal of a play': [
    'any_errors_fatal: true\n  tasks: [{ debug: }, { debug: }]',
    '2:21',
    'any_errors_fatal would not end the other shards',
  ],
  'any_errors_fatal of a task in a block': [
    'tasks:\n    - block: [{ debug: }]\n      always:\n        - debug:\n          any_errors_fatal: "{{ fatal }}"',
    '6:29',
    'any_errors_fatal would not end the other shards',
  ],
  add_host: ['tasks: [{ add_host: { name: lb9 } }]', '2:11', 'the other shards would not know what add_host adds'],
  'run_once with a result': ['tasks: [{ debug: , register: it, run_once: true }]', '2:46', RUN_ONCE],
  'run_once with facts': ['tasks: [{ set_fact: { a: 1 }, run_once: yes }]', '2:43', RUN_ONCE],
  'run_once that writes': ['tasks: [{ cloud_present: { name: x }, run_once: true }]', '2:51', RUN_ONCE],
  'run_once that may be true': ['tasks: [{ cloud_present: { name: x }, run_once: "{{ it }}" }]', '2:51', RUN_ONCE],
  'a handler with run_once': [
    'handlers: [{ name: Tell, api_request: { path: /api/cloud/ }, run_once: true }]',
    '2:74',
    RUN_ONCE,
  ],
  'delegation to a controller': ['tasks: [{ debug: , delegate_to: lb1 }]', '2:35', DELEGATED],
  'delegation to a controller that a template names': [
    'tasks: [{ debug: , delegate_to: "{{ peer }}", when: false }]',
    '2:35',
    DELEGATED,
  ],
  'hostvars in an argument': ['tasks:\n    - debug: { msg: ["a", "{{ hostvars[\'lb1\'].x }}"] }', '3:27', HOSTVARS],
  'hostvars in a task that may not run': [
    'tasks:\n    - { debug: , register: it }\n    - { debug: , when: [it is changed, hostvars.lb2.x is defined] }',
    '4:40',
    HOSTVARS,
  ],
  'hostvars in a loop': ['tasks: [{ debug: , loop: "{{ hostvars | dict2items }}" }]', '2:28', HOSTVARS],
  'hostvars in a bare expression': ['tasks: [{ assert: { that: hostvars.lb1.x == 1 } }]', '2:29', HOSTVARS],
  'an election among the controllers of the play': [
    'tasks: [{ debug: , when: "inventory_hostname == ansible_play_hosts[0]" }]',
    '2:28',
    listed('ansible_play_hosts'),
  ],
  'the length of a batch': [
    'tasks: [{ debug: { msg: "{{ ansible_play_batch | length }}" } }]',
    '2:27',
    listed('ansible_play_batch'),
  ],
  'the end of the play': ['tasks: [{ meta: end_play }]', '2:11', 'meta end_play would end the play in this shard only'],
  'the end of the batch': [
    'tasks: [{ block: [{ meta: end_batch }] }]',
    '2:21',
    'meta end_batch would end the play in this shard only',
  ],
};

const ACCEPTED: Readonly<Record<string, string>> = {
  'one batch of the whole fleet': "serial: '100%'",
  'a batch size that no play reaches': 'serial: 50',
  'any_errors_fatal that is switched off': 'any_errors_fatal: false',
  'run_once that only prints': 'tasks: [{ debug: { msg: hello }, run_once: true }]',
  'run_once that is switched off': 'tasks: [{ set_fact: { a: 1 }, run_once: false }]',
  'delegation to this machine': 'tasks: [{ debug: , delegate_to: localhost }]',
  'delegation to the controller itself': 'tasks: [{ debug: , delegate_to: "{{ inventory_hostname }}" }]',
  'its own hostvars': 'tasks: [{ debug: { msg: "{{ hostvars[inventory_hostname].controller_url }}" } }]',
  'groups of the inventory': 'tasks: [{ debug: { msg: "{{ groups.all | length }}" } }]',
  'text about hostvars': 'tasks: [{ debug: { msg: hostvars and play_hosts } }]',
  'the end of the play for one controller': 'tasks: [{ meta: end_host }]',
  'a task that the tags leave out': 'tasks: [{ add_host: { name: lb9 }, tags: never }]',
};

describe('a shard', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({ 'inventory.yml': INVENTORY });
  });
  afterEach(() => project.remove());

  async function evenkeelIn(...args: readonly string[]): Promise<Ended> {
    return evenkeel([...args, '-i', 'inventory.yml', '--no-color'], { cwd: project.directory });
  }

  /** The refusals of both shards, which must be the same: `site.yml:2:3 message`. */
  async function refusals(command: string): Promise<readonly string[]> {
    const both = await Promise.all(['1/2', '2/2'].map((shard) => evenkeelIn(command, 'site.yml', '--shard', shard)));
    expect(both.map(({ code }) => code)).to.deep.equal([1, 1]);
    expect(both[0]?.stderr).to.equal(both[1]?.stderr);
    const { stderr = '' } = both[0] ?? {};
    return [...stderr.matchAll(/^error: (--shard: .*)\n(?: +--> (.*)\n)?/gm)].map(
      ([, message = '', place]) => `${place ?? ''} ${message}`,
    );
  }

  for (const [what, [play, place, why]] of Object.entries(REFUSED))
    it(`refuses ${what}, and names its place`, async () => {
      await project.write('site.yml', `- hosts: all\n  ${play}\n`);
      expect(await refusals('run')).to.deep.equal([`site.yml:${place} --shard: ${why}`]);
    });

  for (const [what, play] of Object.entries(ACCEPTED))
    it(`accepts ${what}`, async () => {
      await project.write('site.yml', `- hosts: all\n  ${play}\n`);
      const { code, stderr } = await evenkeelIn('run', 'site.yml', '--shard', '1/2');
      expect(code, stderr).to.equal(0);
    });

  it('refuses in plans and in comparisons what it refuses in runs, all at once, with a hint', async () => {
    await project.write('site.yml', '- hosts: all\n  serial: 1\n  tasks: [{ add_host: { name: lb9 } }]\n');
    for (const command of ['run', 'plan', 'drift'])
      expect(await refusals(command), command).to.deep.equal([
        'site.yml:2:11 --shard: serial makes 4 batches, and a shard cannot wait for the batches of the others',
        'site.yml:3:11 --shard: the other shards would not know what add_host adds',
      ]);
    const { stderr } = await evenkeelIn('run', 'site.yml', '--shard', '1/2');
    expect(stderr.match(/hint: .*/g)).to.deep.equal([
      'hint: run it without --shard, on one machine',
      'hint: run it without --shard, on one machine',
    ]);
  });

  it('refuses several playbooks, because a failure elsewhere would not stop the next one', async () => {
    await project.write('site.yml', '- { hosts: all, tasks: [{ debug: }] }\n');
    expect((await evenkeelIn('run', 'site.yml', 'site.yml', '--shard', '1/2')).stderr).to.equal(
      'error: --shard: a failure in another shard would not keep the next playbook from starting\n' +
        '  = hint: run one playbook at a time\n\n1 error\n',
    );
  });

  it('refuses two names of one controller that are in different shards', async () => {
    await project.write('site.yml', '- { hosts: all, tasks: [{ cloud_present: { name: x } }] }\n');
    const shared = INVENTORY.replace('admin,', 'admin, controller_shared: true,');
    await project.write('inventory.yml', shared.replace("'https://127.0.0.1:2'", "'https://127.0.0.1:1/'"));
    expect(await refusals('run')).to.deep.equal([
      ' --shard: lb1 and lb2 have the same address, and are in different shards',
    ]);
    const both = shared.replace("'https://127.0.0.1:3'", "'https://127.0.0.1:1'");
    await project.write('inventory.yml', both);
    expect((await evenkeelIn('run', 'site.yml', '--shard', '1/2')).code).to.equal(4);
  });

  it('refuses what included files need, as far as they are known', async () => {
    await project.write('site.yml', '- hosts: all\n  tasks: [{ include_tasks: "{{ which }}.yml" }]\n');
    await project.write('group_vars/all.yml', 'which: more\n');
    await project.write('more.yml', '- add_host: { name: lb9 }\n');
    const { code, stderr } = await evenkeelIn('run', 'site.yml', '--shard', '1/2');
    expect(code).to.equal(1);
    expect(stderr).to.include(
      'error: --shard: the other shards would not know what add_host adds (on 2 controllers: lb1',
    );
    expect(stderr).to.include('--> more.yml:1:3\n');
  });

  it('fails an include that needs the whole fleet, if its file is known only during the run', async () => {
    await project.write(
      'site.yml',
      '- hosts: all\n  tasks: [{ set_fact: { which: more } }, { include_tasks: "{{ which }}.yml" }]\n',
    );
    await project.write('more.yml', '- debug:\n- meta: end_play\n');
    const { code, stdout } = await evenkeelIn('run', 'site.yml', '--shard', '1/2');
    expect(code).to.equal(2);
    expect(stdout).to.include('--shard: meta end_play would end the play in this shard only');
    expect(stdout).to.include('more.yml:2:3');
    expect(stdout).to.not.include('Hello world!');
  });

  it('refuses variables of other controllers behind a variable, and fails the task if that is known too late', async () => {
    await project.write('group_vars/all.yml', 'first: "{{ hostvars[groups.all[0]].controller_url }}"\n');
    await project.write('site.yml', '- { hosts: all, tasks: [{ debug: { msg: "{{ first }}" } }] }\n');
    const refused = await evenkeelIn('run', 'site.yml', '--shard', '2/2');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('--shard: hostvars of lb1: a shard does not know what other shards set');
    expect(refused.stderr).to.include('--> group_vars/all.yml:1:8\n');
    const late = '[{ debug: , register: it }, { debug: { msg: "{{ first }}" }, when: it is success }]';
    await project.write('site.yml', `- { hosts: all, tasks: ${late} }\n`);
    const failed = await evenkeelIn('run', 'site.yml', '--shard', '2/2');
    expect(failed.code).to.equal(2);
    expect(failed.stdout).to.include('--shard: hostvars of lb1: a shard does not know what other shards set');
    expect((await evenkeelIn('run', 'site.yml')).code).to.equal(0);
  });

  it('creates no password that another shard would create, too', async () => {
    const task = "debug: { msg: \"{{ lookup('password', 'shared') | length }}\" }";
    await project.write('site.yml', `- { hosts: all, tasks: [{ ${task} }] }\n`);
    const { code, stdout } = await evenkeelIn('run', 'site.yml', '--shard', '1/2');
    expect(code).to.equal(2);
    expect(stdout).to.match(/--shard: the password file ".*shared" does not exist, and each shard would write another/);
    await project.write('shared', 'correct-horse\n');
    expect((await evenkeelIn('run', 'site.yml', '--shard', '1/2')).stdout).to.include('13');
  });
});
