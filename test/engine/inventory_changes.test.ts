import { expect } from 'chai';
import { Recorder } from '../rig/recorder.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';
import { startFleet } from '../rig/simulated.js';

const INVENTORY = `
all:
  children:
    eu: { hosts: { lb1: { region: eu west }, lb2: { region: us } } }
`;

function runs(playbook: string, options: TextOptions = {}): Promise<Ran> {
  return runText(playbook, { inventory: INVENTORY, ...options });
}

describe('add_host', () => {
  it('adds controllers for the plays that follow, once for all', async () => {
    const { lines, said, finished } = await runs(`
- hosts: all
  tasks:
    - name: add
      add_host: { name: '{{item}}', groups: 'new, eu', site: fra }
      loop: [lb7, lb8]
- hosts: new
  tasks:
    - name: say
      debug: { msg: '{{inventory_hostname}} {{group_names}} {{site}}' }
- hosts: eu
  tasks: [{ name: all, debug: { msg: '{{inventory_hostname}} {{groups.new}}' } }]
`);
    expect(lines.filter((line) => line.includes(' add'))).to.deep.equal([
      'lb1 add [lb7]: changed',
      'lb1 add [lb8]: changed',
      'lb1 add: changed',
    ]);
    expect(said).to.deep.equal([
      'lb7 ["eu","new"] fra',
      'lb8 ["eu","new"] fra',
      'lb1 ["lb7","lb8"]',
      'lb2 ["lb7","lb8"]',
      'lb7 ["lb7","lb8"]',
      'lb8 ["lb7","lb8"]',
    ]);
    expect(finished.stats['lb7']).to.deep.include({ ok: 2 });
  });

  it('changes nothing the second time, and adds to existing controllers', async () => {
    const { tasks, said } = await runs(`
- hosts: lb1
  tasks:
    - add_host: { hostname: 'lb7:8443', groupname: new, a: 1 }
      register: r
    - add_host: { hostname: 'lb7:8443', groupname: new, a: 1 }
    - add_host: { name: lb7, b: 2 }
    - add_host: { name: lb7, groups: [new, newer] }
    - debug:
        msg: '{{r.add_host.host_name}} {{r.changed}} {{hostvars.lb7.a}}{{hostvars.lb7.b}} {{hostvars.lb7.ansible_port}} {{hostvars.lb7.group_names}} {{groups.ungrouped}}'
`);
    expect(tasks.slice(0, 4).map(({ status }) => status)).to.deep.equal(['changed', 'ok', 'changed', 'changed']);
    expect(said).to.deep.equal(['lb7 True 12 8443 ["new","newer"] []']);
  });

  it('reads group_vars and host_vars of new controllers and groups', async () => {
    const files = {
      'group_vars/new.yml': 'a: of the group\nb: of the group',
      'host_vars/lb7.yml': 'b: of lb7',
    };
    const { said } = await runs(
      `
- hosts: lb1
  tasks: [{ add_host: { name: lb7, groups: new, a: of the task, c: of the task } }]
- hosts: new
  tasks: [{ debug: { msg: '{{a}}, {{b}}, {{c}}' } }]
`,
      { files },
    );
    expect(said).to.deep.equal(['of the task, of lb7, of the task']);
  });

  it('refuses misleading names, and adds nothing for them', async () => {
    const { lines, tasks, finished } = await runs(`
- hosts: lb1
  tasks:
    - { name: controller, add_host: { name: "lb7\\e[2J" }, ignore_errors: true }
    - { name: group, add_host: { name: lb7, groups: ["a\\nb"] }, ignore_errors: true }
    - { name: key, group_by: { key: "a\\u202eb" }, ignore_errors: true }
    - { name: half, add_host: { name: "lb7\\ud800" }, ignore_errors: true }
    - { name: half key, group_by: { key: "a\\udc00" }, ignore_errors: true }
- hosts: all
  tasks: [{ name: next, debug: }]
`);
    expect(tasks.slice(0, 5).map(({ message }) => message)).to.deep.equal([
      String.raw`the name of a controller must not contain control characters: "lb7\u001b[2J"`,
      String.raw`the name of a group must not contain control characters: "a\nb"`,
      String.raw`the name of a group must not contain control characters: "a\u202eb"`,
      String.raw`the name of a controller contains \ud800, which is half of a character`,
      String.raw`the name of a group contains \udc00, which is half of a character`,
    ]);
    expect(lines.slice(5)).to.have.members(['lb1 next: ok', 'lb2 next: ok']);
    expect(finished.exitCode).to.equal(0);
  });

  it('reports to changed_when whether it changed something', async () => {
    const { lines } = await runs(`
- hosts: lb1
  tasks:
    - { name: one, add_host: { name: lb7 }, changed_when: false }
`);
    expect(lines).to.deep.equal(['lb1 one: ok']);
  });

  it('adds in check mode too: later plays need it', async () => {
    const { said } = await runs(
      `
- hosts: lb1
  tasks: [{ add_host: { name: lb7 } }]
- hosts: lb7
  tasks: [{ debug: { msg: hi } }]
`,
      { check: true },
    );
    expect(said).to.deep.equal(['hi']);
  });
});

describe('group_by', () => {
  const GROUPED = `
- hosts: eu
  tasks:
    - { name: group, group_by: { key: 'in_{{region}}', parents: regions } }
    - { name: here, debug: { msg: '{{inventory_hostname}} {{group_names}} {{of | default("none")}}' } }
    - { name: again, group_by: { key: 'in_{{region}}', parents: [regions] } }
- hosts: regions:!in_us
  tasks:
    - { name: later, debug: { msg: '{{inventory_hostname}} {{groups.regions}} {{of}}' } }
`;

  it('puts controllers into groups with their variables, from the next task on', async () => {
    const files = {
      'group_vars/in_us.yml': 'of: us',
      'inventory_group_vars/x.yml': '',
      'group_vars/regions.yml': 'of: regions',
    };
    const { said, lines } = await runs(GROUPED, { files });
    expect(said).to.have.members([
      'lb1 ["eu","in_eu-west","regions"] regions',
      'lb2 ["eu","in_us","regions"] us',
      'lb1 ["lb1","lb2"] regions',
    ]);
    expect(lines.filter((line) => / group:| again:/.test(line)).sort()).to.deep.equal([
      'lb1 again: ok',
      'lb1 group: changed',
      'lb2 again: ok',
      'lb2 group: changed',
    ]);
  });

  it('fails if groups would contain each other', async () => {
    const { tasks } = await runs(`
- hosts: lb1
  tasks:
    - group_by: { key: a, parents: b }
    - group_by: { key: b, parents: a }
`);
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ['changed', undefined],
      ['failed', 'group "b" cannot be a child of "a": they would contain each other'],
    ]);
  });

  it('does not change the loaded inventory', async () => {
    const twice = `
- hosts: eu
  tasks: [{ group_by: { key: mine } }]
- hosts: mine
  tasks: [{ debug: { msg: hi } }]
`;
    expect((await runs(twice)).said).to.deep.equal(['hi', 'hi']);
  });
});

describe('the writes to controllers', () => {
  it('keep the whole connection of those that only the run knows, with the variables of their groups', async () => {
    const fleet = await startFleet({ controllers: ['lb1', 'lb7'] });
    const url = fleet.url('lb7');
    const journal = new Recorder();
    const inventory = fleet.inventory
      .replace(/ +lb7: .*\n/, '    far: { vars: { controller_headers: { X-Site: far } } }\n')
      .replace('  vars:\n', `  vars:\n    controller_url: ${fleet.url('lb1')}\n`);
    const playbook = `
- hosts: lb1
  tasks:
    - add_host: { name: lb7, groups: far, controller_url: '${url}' }
    - cloud_present: { name: first }
- hosts: lb7,localhost
  tasks: [{ cloud_present: { name: second } }]
`;
    try {
      const { finished } = await runText(playbook, { inventory, journal, forks: 1 });
      expect(finished.exitCode).to.equal(0);
    } finally {
      await fleet.dispose();
    }
    const kept = journal
      .of('write-intended')
      .map(({ controller, connection }) => [controller, connection !== undefined]);
    expect(kept).to.have.deep.members([
      ['lb1', false],
      ['lb7', true],
      ['localhost', false],
    ]);
    const added = journal.of('write-intended').find(({ controller }) => controller === 'lb7');
    expect(added?.reached.url).to.equal(url);
    expect(added?.connection).to.deep.equal({
      controller_username: 'admin',
      controller_password: 'simulated',
      controller_api_version: '22.1.3',
      controller_ca_file: fleet.caFile,
      controller_headers: { 'X-Site': 'far' },
      controller_url: url,
    });
  });
});

describe('a later play', () => {
  const warnings = ({ events }: Ran): readonly string[] =>
    events.flatMap((event) =>
      event.type === 'warning'
        ? [`${String(event.source?.line)}:${String(event.source?.column)} ${event.message}`]
        : [],
    );

  it('reports the part of the pattern that matches nothing, at the position of hosts', async () => {
    const ran = await runs(
      `
- hosts: eu
  tasks: [{ group_by: { key: 'x_{{ 1 == 1 }}' } }]
- hosts: x_true
  tasks: [{ debug: { msg: never } }]
- hosts: '{{ target }}:lb1'
  tasks: [{ debug: { msg: lb1 } }]
- hosts: eu:!x_True
  tasks: [{ debug: { msg: never } }]
- hosts: x_True
  tasks: [{ debug: { msg: there } }]
`,
      { extraVars: { target: 'lb77' } },
    );
    expect(ran.said).to.deep.equal(['lb1', 'there', 'there']);
    expect(warnings(ran)).to.deep.equal([
      '4:10 "x_true" matches no controller and no group; did you mean "x_True"?',
      '6:10 "lb77" matches no controller and no group; did you mean "lb1"?',
      '8:10 "eu:!x_True" matches no controller',
    ]);
  });

  it('does not start in the next playbook if an added controller failed', async () => {
    const { said, finished } = await runs(
      `
- hosts: lb1
  tasks: [{ add_host: { name: '{{ item }}', groups: new }, loop: [lb7, lb8] }]
- hosts: new
  tasks: [{ fail: , when: inventory_hostname == 'lb7' }]
`,
      {
        files: { 'second.yml': '- hosts: new\n  tasks: [{ debug: { msg: second } }]\n' },
        playbooks: ['site.yml', 'second.yml'],
      },
    );
    expect(said).to.deep.equal([]);
    expect(finished).to.deep.include({ reason: 'lb7 failed in site.yml', cutOff: ['lb8'] });
  });

  it('sees in check mode what an earlier one would leave on the controllers that it grouped', async () => {
    const fleet = await startFleet({ controllers: ['lb1'] });
    const task = '{ cloud_present: { name: edge } }';
    const playbook = `
- hosts: lb1
  tasks: [{ group_by: { key: new } }, ${task}]
- hosts: new
  tasks: [${task}]
`;
    try {
      const { tasks } = await runText(playbook, { inventory: fleet.inventory, check: true });
      expect(tasks.map(({ status }) => status)).to.deep.equal(['changed', 'changed', 'ok']);
    } finally {
      await fleet.dispose();
    }
  });

  it('does not mention controllers outside the limit', async () => {
    const playbook =
      '\n- hosts: lb1\n  tasks: [{ debug: { msg: hi } }]\n- hosts: lb2\n  tasks: [{ debug: { msg: hi } }]\n';
    expect(warnings(await runs(playbook, { limit: new Set(['lb1']) }))).to.deep.equal([]);
  });
});
