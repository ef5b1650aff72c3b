import { expect } from 'chai';
import { parseSettings } from '../../src/controller/settings/settings.js';
import { CONNECTION_VARIABLES } from '../../src/core/model/inventory/connection_variables.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { removedText } from '../../src/core/model/version.js';
import { loadProject } from '../../src/project/project/project.js';
import { inFolder } from '../rig/folder.js';
import { readInventory } from '../rig/inventory.js';
import { judge, schemasFor, type Judge } from '../rig/schemas.js';

const PROJECTS: readonly (readonly [text: string, fine: boolean])[] = [
  ['', true],
  ['inventory: [inventory/a, "x,y"]\nforks: "7"\nstrategy: free\noutput: json', true],
  ['environments: {staging: {inventory: a, extra_vars: [v.yml], confirm: true}, bare: }', true],
  ['lint: {skip: name, warn: [no-handler]}', true],
  ['vault_ids: [dev@prompt]\nvault_password_file: secret', true],
  ['inventry: a', false],
  ['forks: 0', false],
  ['forks: auto', true],
  ['forks: many', false],
  ['strategy: slow', false],
  ['output: loud', false],
  ['environments: [staging]', false],
  ['environments: {staging: {confrm: true}}', false],
  ['environments: {staging: {confirm: perhaps}}', false],
  ['lint: {ignore: name}', false],
  ['lint: [name]', false],
  ['dialects: {lab: {extends: avi, collection_slash: true, login_path: null}, x: }', true],
  ['dialects: {lab: {login: /x}}', false],
  ['dialects: {lab: {most_per_page: 0}}', false],
  ['dialects: {lab: {version_header: null}}', false],
  ['- a', false],
];

const INVENTORIES: readonly (readonly [text: string, fine: boolean])[] = [
  ['all: {hosts: {lb1: }}', true],
  ['all: {hosts: {"lb[1:3]": {controller_url: "https://a"}}, vars: {controller_timeout: "{{ t }}"}}', true],
  ['all: {children: {emea: {hosts: lb1}, amer: }}\nlab: {vars: {a: [1]}}', true],
  [
    'plugin: constructed\nstrict: false\ngroups: {canary: "tier == 1"}\nkeyed_groups: [{key: site, prefix: site}]',
    true,
  ],
  ['plugin: generator\nhosts: {name: "lb{{ n }}"}\nlayers: {n: [1]}', true],
  ['plugin: {hosts: {lb1: }}', false],
  ['all: {host: {lb1: }}', false],
  ['all: {hosts: [lb1]}', false],
  ['all: {children: {emea: [lb1]}}', false],
  ['all: {vars: [a]}', false],
  ['all: {hosts: {lb1: text}}', false],
  ['- lb1', false],
];

describe('The schemas', () => {
  let errors: Judge;
  before(async () => {
    errors = await judge();
  });

  for (const [text, fine] of PROJECTS) {
    it(`${fine ? 'take' : 'refuse'} evenkeel.yml with ${JSON.stringify(text)}, as the loader does`, async () => {
      const diagnostics = new Diagnostics();
      await inFolder({ 'evenkeel.yml': text }, (cwd) => loadProject(cwd, {}, diagnostics));
      expect(diagnostics.failed()).to.equal(!fine);
      expect(errors('project', text).length > 0).to.equal(!fine);
    });
  }

  it('know the rules of lint', () => {
    expect(errors('project', 'lint: {skip: nmae}')).not.to.deep.equal([]);
  });

  for (const [text, fine] of INVENTORIES) {
    it(`${fine ? 'take' : 'refuse'} an inventory with ${JSON.stringify(text)}, as the loader does`, async () => {
      const { said } = await readInventory({ 'hosts.yml': text });
      expect(said.length > 0).to.equal(!fine);
      expect(errors('inventory', text).length > 0).to.equal(!fine);
    });
  }

  it('check the variables of the connection, and no others', () => {
    expect(errors('variables', 'controller_max_requests: 4\nanything: {else: [1]}')).to.deep.equal([]);
    expect(errors('variables', 'controller_password: !vault x\ncontroller_verify_tls: "{{ v }}"')).to.deep.equal([]);
    expect(errors('variables', 'controller_max_requests: many')).not.to.deep.equal([]);
    expect(errors('variables', 'controller_headers: [a]')).not.to.deep.equal([]);
    expect(errors('variables', '- a')).not.to.deep.equal([]);
  });

  it('declare exactly what a connection asks for', () => {
    const asked = new Set<string>();
    const proxied = { ansible_host: '10.1.0.1', controller_proxy: 'socks5h://bastion:1081' };
    for (const given of [proxied, { ansible_connection: 'httpapi' }])
      parseSettings((name) => {
        asked.add(name);
        return new Map(Object.entries(given)).get(name);
      }, 'lb1');
    const still = [...asked].filter((name) => removedText(name) === undefined);
    expect(CONNECTION_VARIABLES.map(({ name }) => name)).to.have.members(still);
  });

  const files: readonly (readonly [file: string, schemas: readonly string[]])[] = [
    ['evenkeel.yml', ['project']],
    ['playbooks/rollout.yml', ['playbook']],
    ['playbooks/group_vars/all.yml', ['variables']],
    ['playbooks/roles/edge/tasks/deep/clouds.yml', ['tasks']],
    ['playbooks/roles/edge/handlers/main.yml', ['handlers']],
    ['playbooks/roles/edge/defaults/main.yml', ['variables']],
    ['playbooks/roles/edge/meta/main.yml', ['role-meta']],
    ['playbooks/roles/edge/meta/argument_specs.yml', ['argument-specs']],
    ['inventory/hosts.yml', ['inventory']],
    ['inventory/production/controllers.yml', ['inventory']],
    ['inventory/group_vars/all.yml', ['variables']],
    ['inventory/production/host_vars/lb1.yml', ['variables']],
    ['package.json', []],
  ];
  for (const [file, schemas] of files) {
    it(`for ${file}: ${schemas.join() || 'none'}`, () => expect(schemasFor(file)).to.deep.equal(schemas));
  }
});
