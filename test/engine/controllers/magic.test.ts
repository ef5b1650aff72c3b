import { expect } from 'chai';
import { runText, type TextOptions } from '../../rig/run_text.js';

const INVENTORY =
  'all: { hosts: { lb1.example.com: { site: fra }, lb2.example.com: }, children: { eu: { hosts: { lb1.example.com: } } } }';

/** What `debug` shows of a text on lb1. */
async function shown(text: string, options: TextOptions = {}): Promise<string | undefined> {
  const playbook = `- hosts: all\n  name: p\n  tasks:\n    - debug: { msg: '${text.replaceAll("'", "''")}' }\n`;
  return (await runText(playbook, { inventory: INVENTORY, ...options })).said[0];
}

describe('magic variables', () => {
  it('provide every variable by name in vars', async () => {
    expect(
      await shown(`{{vars['site']}} {{vars.inventory_hostname_short}} {{vars[name] | default('none')}}`, {
        extraVars: { name: 'nobody' },
      }),
    ).to.equal('fra lb1 none');
    expect(await shown('{{vars}}', { extraVars: { vars: 'mine' } })).to.equal('mine');
  });

  it('show the options of the command line', async () => {
    const options = { limitPattern: 'lb1*', inventorySources: ['/x/inventory.yml', 'a,b'] };
    expect(await shown('{{ansible_limit}} {{ansible_inventory_sources | join(" ")}}', options)).to.equal(
      'lb1* /x/inventory.yml a,b',
    );
    expect(await shown('{{ansible_limit is defined}}')).to.equal('false');
  });

  it('have the members of each group, and new ones as soon as they are added', async () => {
    const both = '{{groups.eu | join(",")}} {{groups.all | join(",")}} {{groups.eu | join(",")}}';
    const [eu, all] = ['lb1.example.com', 'lb1.example.com,lb2.example.com'];
    expect(await shown(both)).to.equal(`${eu} ${all} ${eu}`);
    const tasks = [{ debug: { msg: both } }, { add_host: { name: 'lb3', groups: 'eu' } }, { debug: { msg: both } }];
    const { said } = await runText(JSON.stringify([{ hosts: 'lb1*', tasks }]), { inventory: INVENTORY });
    expect(said.at(-1)).to.equal(`${eu},lb3 ${all},lb3 ${eu},lb3`);
  });

  it('say what runs, where and how', async () => {
    const names = [
      'inventory_hostname',
      'inventory_hostname_short',
      'group_names',
      'ansible_check_mode',
      'ansible_diff_mode',
      'ansible_verbosity',
      'ansible_forks',
      'ansible_play_name',
      'ansible_play_hosts_all',
      'ansible_play_hosts',
      'ansible_play_batch',
      'play_hosts',
      'ansible_play_role_names',
      'role_names',
      'ansible_dependent_role_names',
      'ansible_role_names',
      'ansible_run_tags',
      'ansible_skip_tags',
      'ansible_version',
      'ansible_config_file',
      'ansible_playbook_python',
    ];
    const all = `- hosts: all
  name: p
  serial: 2
  strategy: linear
  roles: [web]
  tasks:
    - debug: { msg: '{{ [${names.join(', ')}] | to_json }}' }
`;
    const hosts = '{ lb1.example.com: , lb2.example.com: , lb3: }';
    const files = {
      'roles/web/meta/main.yml': 'dependencies: [base]\n',
      'roles/web/tasks/main.yml': '- { meta: end_host, when: inventory_hostname == "lb2.example.com" }\n',
      'roles/base/tasks/main.yml': '[]\n',
    };
    const inventory = `all: { hosts: ${hosts}, children: { zone: { hosts: { lb3: } }, eu: { hosts: { lb3: } } } }`;
    const { said } = await runText(all, { inventory, files, verbosity: 2, forks: 7 });
    const all3 = ['lb1.example.com', 'lb2.example.com', 'lb3'];
    const version = { full: '2.14.0', string: '2.14.0', major: 2, minor: 14, revision: 0 };
    // A controller that end_host ended is none of the play, until its batch is over.
    const [run, left] = [[false, false, 2, 7, 'p', all3], all3.toSpliced(1, 1)];
    const rest = [['web'], ['web'], ['base'], ['base', 'web'], ['all'], [], version, '', process.execPath];
    expect(said.map((text) => JSON.parse(text) as unknown)).to.deep.equal([
      ['lb1.example.com', 'lb1', ['ungrouped'], ...run, left, left.slice(0, 1), left.slice(0, 1), ...rest],
      ['lb3', 'lb3', ['eu', 'zone'], ...run, all3, ['lb3'], ['lb3'], ...rest],
    ]);
    const tasks = [
      { debug: { msg: '{{ [ansible_run_tags, ansible_skip_tags, ansible_check_mode] | to_json }}' }, tags: 'a' },
    ];
    const options = { tags: ['a', 'c'], skipTags: ['b'], check: true };
    const tagged = await runText(JSON.stringify([{ hosts: 'all', tasks }]), options);
    expect(JSON.parse(tagged.said[0] ?? '')).to.deep.equal([['a', 'c'], ['b'], true]);
  });

  it('have the variables of other controllers, with what tasks have set there, and mask what these mask', async () => {
    const other = "hostvars['lb2.example.com']";
    const { said } = await runText(
      `- hosts: all
  tasks:
    - { set_fact: { made: here }, when: inventory_hostname_short == 'lb2' }
    - { set_fact: { word: production }, no_log: true, when: inventory_hostname_short == 'lb2' }
    - { debug: { msg: "{{ ${other}.made }} {{ ${other}.hostvars is defined }} {{ ${other}.of_all }} {{ hostvars.lb9 is defined }}" } }
    - { debug: { msg: "{{ ${other}.word }}" } }
    - { debug: { msg: "{{ hostvars | list | join(' ') }}" } }
`,
      { inventory: INVENTORY, extraVars: { of_all: 'typed' }, strategy: 'linear' },
    );
    const names = 'lb1.example.com lb2.example.com';
    expect(said.slice(0, 2)).to.deep.equal(Array(2).fill('here False typed False'));
    expect(said.slice(2, 4)).to.deep.equal(Array(2).fill('********'));
    expect(said.slice(-2)).to.deep.equal([names, names]);
  });

  it('have only what a shard knows of its own controllers', async () => {
    const shard = { index: 1, count: 2 };
    const failed = async (text: string) => {
      const playbook = `- hosts: lb1*\n  tasks: [{ debug: { msg: "{{ ${text} }}" } }]\n`;
      const { tasks, said } = await runText(playbook, { inventory: INVENTORY, shard });
      const [first] = tasks;
      return first?.status === 'failed' ? [first.message, first.hint] : said[0];
    };
    const hint = 'run it without --shard, on one machine';
    expect(await failed("hostvars['lb2.example.com'].site")).to.deep.equal([
      '--shard: hostvars of lb2.example.com: a shard does not know what other shards set',
      hint,
    ]);
    for (const name of ['play_hosts', 'ansible_play_hosts', 'ansible_play_batch', 'ansible_play_hosts_all'])
      expect(await failed(name)).to.deep.equal([
        `--shard: "${name}" would list the controllers of this shard only`,
        hint,
      ]);
    expect(await failed('hostvars[inventory_hostname].site')).to.equal('fra');
    expect(await failed("hostvars | list | join(' ')")).to.equal('lb1.example.com');
    expect(await failed('inventory_hostname_short')).to.equal('lb1');
  });

  it('include play_hosts for older playbooks', async () => {
    expect(await shown('{{play_hosts | join(",")}}')).to.equal('lb1.example.com,lb2.example.com');
  });
});
