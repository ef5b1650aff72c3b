import { expect } from 'chai';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

const INVENTORY = `
all:
  vars: { level: all, enable_password: sesame-open }
  children:
    eu:
      vars: { level: eu }
      hosts:
        lb1.example.com: { level: lb1 }
        lb2.example.com:
    us:
      hosts:
        lb3.example.com:
`;

/** What `debug` shows of a text on lb1. */
async function shown(
  text: string,
  options: TextOptions & { readonly play?: string } = {},
): Promise<string | undefined> {
  const { said } = await show(text, options);
  return said[0];
}

function show(text: string, { play = '', ...options }: TextOptions & { readonly play?: string } = {}): Promise<Ran> {
  const quoted = text.replaceAll("'", "''");
  const playbook = `- hosts: lb1.example.com\n  name: p\n${play}  tasks:\n    - debug: { msg: '${quoted}' }\n`;
  return runText(playbook, { inventory: INVENTORY, ...options });
}

describe('variables of a run', () => {
  it('keep a copy of hostvars in set_fact, as in Ansible: it does not contain that fact', async () => {
    const { said, tasks } = await runText(
      `
- hosts: lb1.example.com
  tasks:
    - { debug: { var: hostvars }, register: shown }
    - set_fact: { all_of: '{{hostvars}}', known: '{{groups}}' }
    - debug: { msg: "{{shown.hostvars['lb2.example.com'].level}} {{all_of['lb1.example.com'].level}} {{known.us}}" }
    - debug: { msg: "{{shown.hostvars['lb1.example.com'].shown is defined}}" }
    - debug: { msg: "{{all_of['lb1.example.com'].all_of is defined}}" }
    - { debug: { var: vars }, register: again }
`,
      { inventory: INVENTORY },
    );
    expect(said.slice(1, 4)).to.deep.equal(['eu lb1 ["lb3.example.com"]', 'false', 'false']);
    expect(tasks.every(({ status }) => status === 'ok')).to.be.true;
  });

  it('have the value of the strongest level: inventory, playbook folder, play, files, task, facts, extra', async () => {
    const value = '{{level}}';
    expect(await shown(value)).to.equal('lb1');
    const files = { 'host_vars/lb1.example.com.yml': 'level: beside', 'more.yml': 'level: file' };
    expect(await shown(value, { files })).to.equal('beside');
    expect(await shown(value, { files, play: '  vars: { level: play }\n' })).to.equal('play');
    const play = '  vars: { level: play }\n  vars_files: ["{{inventory_hostname_short}}.yml"]\n';
    expect(await shown(value, { files: { ...files, 'lb1.yml': 'level: dynamic' }, play })).to.equal('dynamic');
    const withFile = { ...files, 'lb1.yml': 'level: dynamic' };
    expect(await shown(value, { files: withFile, play, extraVars: { level: 'extra' } })).to.equal('extra');
  });

  it('come from the first file that exists, in "vars" before the folder of the playbook, for each controller', async () => {
    const files = {
      'vars/lb1.yml': 'level: in vars',
      'lb1.yml': 'level: beside',
      'lb2.yml': 'level: beside',
      'vars/other.yml': 'more: other',
      'other.yml': 'more: beside',
    };
    const both = (names: string) =>
      runText(
        `- hosts: [lb1.example.com, lb2.example.com]
  vars: { ending: yml }
  vars_files: ${names}
  tasks: [{ debug: { msg: '{{level}} {{more | default("none")}}' } }]
`,
        { inventory: INVENTORY, files },
      ).then(({ said }) => said);
    const short = '{{inventory_hostname_short}}.{{ending}}';
    expect(await both(`["${short}"]`)).to.have.members(['in vars none', 'beside none']);
    expect(await both(`[["gone.{{ending}}", "${short}"]]`)).to.have.members(['in vars none', 'beside none']);
    expect(await both(`["${short}", "vars/other.{{ending}}"]`)).to.have.members(['in vars other', 'beside other']);
  });

  it('let facts override task variables, and extra variables override facts', async () => {
    const playbook = `
- hosts: all
  tasks:
    - set_fact: { level: fact, other: fact }
    - debug: { msg: '{{level}} {{other}}' }
      vars: { level: task, other: task }
`;
    expect((await runText(playbook, { extraVars: { other: 'extra' } })).said).to.deep.equal(['fact extra']);
  });

  it('keep facts and results after the play, and treat their text as data', async () => {
    const { said } = await runText(`
- hosts: all
  tasks:
    - debug: { msg: !unsafe '{{nobody}}' }
      register: r
    - set_fact: { a: 1 }
- hosts: all
  tasks:
    - debug: { msg: '{{r.msg}} {{a}}' }
`);
    expect(said.at(-1)).to.equal('{{nobody}} 1');
  });

  it('change with the result that they refer to', async () => {
    const { said } = await runText(`
- hosts: all
  vars: { last: '{{r.msg | default("none")}}' }
  tasks:
    - { debug: { msg: one }, register: r }
    - debug: { msg: '{{last}}' }
    - { debug: { msg: two }, register: r }
    - debug: { msg: '{{last}}' }
`);
    expect(said).to.deep.equal(['one', 'one', 'two', 'two']);
  });

  const magic: readonly [string, string][] = [
    ['{{inventory_hostname}} {{inventory_hostname_short}}', 'lb1.example.com lb1'],
    ['in {{group_names}}', 'in ["eu"]'],
    ['eu: {{groups.eu}}', 'eu: ["lb1.example.com","lb2.example.com"]'],
    ['{{groups["all"] | length}} {{groups | length}}', '3 4'],
    ['{{hostvars["lb2.example.com"].level}}', 'eu'],
    ['{{hostvars["lb2.example.com"].inventory_hostname}}', 'lb2.example.com'],
    ['{{hostvars["lb9"] is defined}}', 'false'],
    ['{{hostvars["lb2.example.com"].hostvars is defined}}', 'false'],
    ['{{(hostvars | to_json | from_json)["lb2.example.com"].level}}', 'eu'],
    ['{{(vars | to_json | from_json).hostvars["lb2.example.com"].level}}', 'eu'],
    ['{{ansible_check_mode}} {{ansible_diff_mode}} {{ansible_verbosity}}', 'False False 0'],
    ['{{ansible_play_name}} {{ansible_play_hosts}}', 'p ["lb1.example.com"]'],
    ['{{ansible_run_tags}} {{ansible_skip_tags}}', '["all"] []'],
    ['{{ansible_config_file == ""}} {{ansible_playbook_python}}', `True ${process.execPath}`],
    ['{{ansible_version.major}}.{{ansible_version.minor}}', '2.14'],
    ['{{evenkeel_version}} {{evenkeel_run_id}} {{evenkeel_environment | default("none")}}', '0.0.0 test-run none'],
    ['{{inventory_dir == playbook_dir}}', 'true'],
  ];
  for (const [text, expected] of magic) {
    it(text, async () => {
      expect(await shown(text)).to.equal(expected);
    });
  }

  it('include the environment if there is one', async () => {
    expect(await shown('{{evenkeel_environment}}', { environment: 'staging' })).to.equal('staging');
  });

  it('show facts of other controllers and extra variables in hostvars, but no variables of the play', async () => {
    const { said } = await runText(
      `
- hosts: all
  vars: { mine: play }
  strategy: linear
  tasks:
    - set_fact: { fact: '{{inventory_hostname_short}}' }
    - debug: { msg: '{{hostvars["lb3.example.com"].fact}} {{hostvars["lb3.example.com"].mine is defined}} {{hostvars["lb3.example.com"].more}}' }
`,
      { inventory: INVENTORY, extraVars: { more: 'extra' } },
    );
    expect(new Set(said)).to.deep.equal(new Set(['lb3 False extra']));
  });

  it('leave an argument out with omit', async () => {
    const { tasks } = await runText(`
- hosts: all
  tasks:
    - assert: { that: true, success_msg: '{{wanted | default(omit)}}' }
`);
    expect(tasks[0]?.message).to.equal('All assertions passed');
  });

  it('use the first existing file of a vars_files entry that depends on the controller, or fail the controller', async () => {
    const playbook = `
- hosts: all
  vars_files:
    - ['{{inventory_hostname_short}}.yml', 'default-{{group_names[0]}}.yml']
  tasks:
    - { name: t, debug: { msg: '{{origin}}' } }
`;
    const files = { 'lb1.yml': 'origin: own', 'default-eu.yml': 'origin: default' };
    const { lines, said, tasks, finished } = await runText(playbook, { inventory: INVENTORY, files });
    expect(said).to.deep.equal(['own', 'default']);
    expect(lines).to.include('lb3.example.com vars_files: failed');
    expect(tasks.find(({ status }) => status === 'failed')?.message).to.equal(
      'none of the variables files exists: vars/lb3.yml, lb3.yml, vars/default-us.yml, default-us.yml',
    );
    expect(finished.stats['lb3.example.com']?.failed).to.equal(1);
  });

  it('register secrets from variables, arguments and results at any depth', async () => {
    const { secrets } = await runText(
      `
- hosts: lb1.example.com
  vars: { api_token: 'tok-{{inventory_hostname_short}}' }
  tasks:
    - set_fact: { service: { password: 'pw-{{1 + 1}}-long' } }
    - debug: { msg: hi }
`,
      { inventory: INVENTORY },
    );
    expect(secrets.mask('sesame-open tok-lb1 pw-2-long')).to.equal('******** ******** ********');
  });
});
