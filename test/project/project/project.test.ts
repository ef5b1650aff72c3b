import { homedir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadProject, type Project } from '../../../src/project/project/project.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

interface Result {
  readonly project: Project;
  readonly diagnostics: readonly string[];
  /** The folder of all files. */
  readonly root: string;
}

function project(files: Files, env: Record<string, string> = {}, from = '.'): Promise<Result> {
  return inFolder({ 'below/deep/x': '', ...files }, async (root) => {
    const diagnostics = new Diagnostics();
    const loaded = await loadProject(path.join(root, from), env, diagnostics);
    const { ofAnsible } = loaded;
    if (ofAnsible !== undefined) diagnostics.add([ofAnsible]);
    return { project: loaded, diagnostics: diagnostics.list.map(worded), root };
  });
}

const EVERYTHING = `
inventory: [inventory/a, "x,y"]
forks: 7
strategy: linear
state_dir: state
modules_path: [below, acme-modules]
roles_path: shared/roles
output: lines
vault_ids: [dev@secrets/dev, prod@prompt]
vault_password_file: secrets/any
environments:
  staging: {inventory: inventory/staging, extra_vars: [vars/s.yml], limit: "!lb01", confirm: true}
  bare: {vault_ids: [below/id]}
lint: {skip: name, warn: [no-handler, literal-compare]}
max_registered: 9MB
collections: vendor.controller
routes: {madrid: [socks5h://bastion:1081, http://bastion:3128]}
`;

describe('loadProject', () => {
  for (const [yaml, ...expected] of [
    ['state_dir: "\\0"', '1:12 "state_dir" contains a zero byte'],
    ['inventory: [a, "b\\0"]', '1:16 an entry of "inventory" contains a zero byte'],
    ['roles_path: "a\\0b"', '1:13 "roles_path" contains a zero byte'],
    ['vault_password_file: "\\0x"', '1:22 "vault_password_file" contains a zero byte'],
    ['environments: { x: { extra_vars: ["\\0"] } }', '1:35 an entry of "extra_vars" contains a zero byte'],
    ['environments: { "": { inventory: a } }', '1:17 an environment needs a name, such as production'],
    ['environments: { "x\\0": { inventory: a } }', '1:17 the name contains a zero byte'],
  ] as const)
    it(`refuses a zero byte in ${yaml}`, async () => {
      const { diagnostics } = await project({ 'evenkeel.yml': `${yaml}\n` });
      expect(diagnostics).to.deep.equal(expected.map((text) => `evenkeel.yml:${text}`));
    });

  it('has defaults', async () => {
    const { project: loaded, diagnostics, root } = await project({});
    expect(diagnostics).to.deep.equal([]);
    expect(loaded).to.deep.equal({
      file: undefined,
      named: undefined,
      trust: loaded.trust,
      directory: root,
      inventory: undefined,
      inventoryPlace: undefined,
      forks: undefined,
      maxRegistered: 16 * 2 ** 20,
      strategy: undefined,
      stateDirectory: path.join(root, '.evenkeel'),
      modulePaths: [],
      rolesPath: [path.join(root, 'roles')],
      collections: [],
      output: undefined,
      vaultIds: undefined,
      vaultPasswordFile: undefined,
      environments: new Map(),
      dialects: DIALECTS,
      routes: new Map(),
      lint: { skip: [], warn: [] },
      ansible: undefined,
      ofAnsible: undefined,
      findOrigin: loaded.findOrigin,
    });
  });

  it('finds evenkeel.yml in a parent folder, and resolves names relative to it', async () => {
    const { project: loaded, diagnostics, root } = await project({ 'evenkeel.yml': EVERYTHING }, {}, 'below/deep');
    expect(diagnostics).to.deep.equal([]);
    const { environments, findOrigin, lint, dialects, routes, ansible: _, ofAnsible: __, ...rest } = loaded;
    expect(dialects).to.equal(DIALECTS);
    expect([...routes]).to.deep.equal([['madrid', ['socks5h://bastion:1081', 'http://bastion:3128']]]);
    expect(lint.skip.map(({ value }) => value)).to.deep.equal(['name']);
    expect(lint.warn.map(({ value }) => value)).to.deep.equal(['no-handler', 'literal-compare']);
    expect(rest).to.deep.equal({
      file: '../../evenkeel.yml',
      named: undefined,
      trust: loaded.trust,
      directory: root,
      inventory: ['../../inventory/a', 'x,y'],
      inventoryPlace: { file: '../../evenkeel.yml', line: 2, column: 12 },
      forks: 7,
      maxRegistered: 9 * 2 ** 20,
      strategy: 'linear',
      stateDirectory: path.join(root, 'state'),
      modulePaths: [path.join(root, 'below'), 'acme-modules'],
      rolesPath: [path.join(root, 'shared/roles')],
      collections: ['vendor.controller'],
      output: 'lines',
      vaultIds: [
        {
          type: 'file',
          label: 'dev',
          path: path.join(root, 'secrets/dev'),
          shown: '../../secrets/dev',
          place: { file: '../../evenkeel.yml', line: 9, column: 13 },
        },
        { type: 'prompt', label: 'prod', named: true },
      ],
      vaultPasswordFile: {
        type: 'file',
        label: 'default',
        path: path.join(root, 'secrets/any'),
        shown: '../../secrets/any',
        place: { file: '../../evenkeel.yml', line: 10, column: 22 },
      },
    });
    expect(findOrigin('forks')).to.deep.include({ file: '../../evenkeel.yml' });
    expect(findOrigin('environments', 'staging', 'limit')).to.deep.include({ line: 12, column: 69 });
    expect([...environments.values()]).to.deep.equal([
      {
        name: 'staging',
        inventory: ['../../inventory/staging'],
        inventoryPlace: { file: '../../evenkeel.yml', line: 12, column: 24 },
        extraVars: [{ value: '../../vars/s.yml', source: { file: '../../evenkeel.yml', line: 12, column: 56 } }],
        limit: { value: '!lb01', source: { file: '../../evenkeel.yml', line: 12, column: 76 } },
        vaultIds: undefined,
        vaultPasswordFile: undefined,
        confirm: true,
        requirePlan: false,
      },
      {
        name: 'bare',
        inventory: undefined,
        inventoryPlace: undefined,
        extraVars: [],
        limit: undefined,
        vaultIds: [
          {
            type: 'file',
            label: 'default',
            path: path.join(root, 'below/id'),
            shown: '../id',
            place: { file: '../../evenkeel.yml', line: 13, column: 22 },
          },
        ],
        vaultPasswordFile: undefined,
        confirm: false,
        requirePlan: false,
      },
    ]);
  });

  it('prefers variables, and resolves their names relative to the working directory', async () => {
    const env = {
      EVENKEEL_INVENTORY: 'inv',
      EVENKEEL_FORKS: '3',
      EVENKEEL_STRATEGY: 'free',
      EVENKEEL_STATE_DIR: 's',
      EVENKEEL_OUTPUT: 'json',
      EVENKEEL_MODULE_PATH: `deep${path.delimiter}pkg`,
      EVENKEEL_ROLES_PATH: `r1${path.delimiter}r2`,
    };
    const { project: loaded, diagnostics, root } = await project({ 'evenkeel.yml': EVERYTHING }, env, 'below');
    expect(diagnostics).to.deep.equal([]);
    const { inventory, forks, strategy, stateDirectory, modulePaths, rolesPath, output, findOrigin } = loaded;
    expect({ inventory, forks, strategy, stateDirectory, modulePaths, rolesPath, output }).to.deep.equal({
      inventory: ['inv'],
      forks: 3,
      strategy: 'host_pinned',
      stateDirectory: path.join(root, 'below/s'),
      modulePaths: [path.join(root, 'below/deep'), 'pkg'],
      rolesPath: [path.join(root, 'below/r1'), path.join(root, 'below/r2')],
      output: 'json',
    });
    expect([findOrigin('forks'), findOrigin('modules_path')]).to.deep.equal(['EVENKEEL_FORKS', 'EVENKEEL_MODULE_PATH']);
  });

  it('reports mistakes in the file, even if a variable overrides them', async () => {
    const text = `
inventry: x
forks: 0
strategy: liner
output: jsno
state_dir: [a]
environments:
  a: {inventory: x, confrm: yes, vault_ids: [x@]}
  b: [x]
  c: {confirm: maybe}
  d: {inventory: []}
  e: {extra_vars: [{a: 1}]}
`;
    const { diagnostics } = await project({ 'evenkeel.yml': text }, { EVENKEEL_FORKS: '3' });
    expect(diagnostics).to.deep.equal([
      'evenkeel.yml:2:1 "inventry" is not a keyword of evenkeel.yml — did you mean "inventory"?',
      'evenkeel.yml:3:8 "forks" must be a whole number from 1, or auto, not 0',
      'evenkeel.yml:4:11 there is no strategy "liner" — did you mean "linear"?',
      'evenkeel.yml:5:9 "output" must be live, grouped, lines, json or quiet, not "jsno" — did you mean "json"?',
      'evenkeel.yml:6:12 "state_dir" must be text, not a list',
      'evenkeel.yml:8:21 "confrm" is not a keyword of an environment — did you mean "confirm"?',
      'evenkeel.yml:8:46 the vault id "x@" does not say where its password comes from — write LABEL@FILE or LABEL@prompt',
      'evenkeel.yml:9:6 the environment "b" must be a mapping of settings, not a list',
      'evenkeel.yml:10:16 "confirm" must be true or false, not "maybe"',
      'evenkeel.yml:11:18 "inventory" is an empty list — name an inventory, or leave the setting out',
      'evenkeel.yml:12:20 an entry of "extra_vars" must be text, not a mapping — write the variables into a file, and its name here',
    ]);
  });

  it('reports a wrong time limit for plugins', async () => {
    for (const [written, expected] of [
      ['x', ['"EVENKEEL_PLUGIN_TIMEOUT" must be a number of seconds above 0, not "x"']],
      ['0', ['"EVENKEEL_PLUGIN_TIMEOUT" must be a number of seconds above 0, not "0"']],
      ['0.5', []],
      ['', []],
    ] as const)
      expect((await project({}, { EVENKEEL_PLUGIN_TIMEOUT: written })).diagnostics).to.deep.equal(expected);
  });

  it('reports mistakes in the variables', async () => {
    const env = { EVENKEEL_FORKS: 'many', EVENKEEL_OUTPUT: 'xml', EVENKEEL_FORK: '3', EVENKEEL_SOMETHING_ELSE: 'x' };
    expect((await project({}, env)).diagnostics).to.deep.equal([
      'warning: unknown environment variable EVENKEEL_FORK — did you mean "EVENKEEL_FORKS"?',
      '"EVENKEEL_FORKS" must be a whole number from 1, or auto, not "many"',
      '"EVENKEEL_OUTPUT" must be live, grouped, lines, json or quiet, not "xml"',
    ]);
  });

  const CFG = `[defaults]
inventory = hosts, more/
roles_path = shared:~/roles
vault_identity_list = dev@secrets/dev
forks = 7 ; a comment
strategy = mitogen_linear
host_key_checking = False
`;

  it('takes what it has not from the ansible.cfg of the folder, and says so', async () => {
    const { project: loaded, diagnostics, root } = await project({ 'ansible.cfg': CFG });
    expect(diagnostics).to.deep.equal([
      'warning: ansible.cfg:2:1 ansible.cfg sets inventory, forks, roles_path, vault_ids — write them into evenkeel.yml; "evenkeel lint --from-ansible ." shows what else in this file matters',
    ]);
    const { inventory, forks, rolesPath, vaultIds, strategy, findOrigin } = loaded;
    expect({ inventory, forks, strategy }).to.deep.equal({
      inventory: ['hosts', 'more'],
      forks: 7,
      strategy: undefined,
    });
    expect(rolesPath).to.deep.equal([path.join(root, 'shared'), path.join(homedir(), 'roles')]);
    expect(vaultIds?.map(({ label }) => label)).to.deep.equal(['dev']);
    expect(findOrigin('forks')).to.deep.equal({ file: 'ansible.cfg', line: 5, column: 1 });
    expect(loaded.ansible?.values.get('defaults.host_key_checking')?.value).to.equal('False');
  });

  it('prefers evenkeel.yml to ansible.cfg, and never takes its inventory where environments decide', async () => {
    const env = { ANSIBLE_CONFIG: 'below', EVENKEEL_STRATEGY: 'linear' };
    const files = { 'evenkeel.yml': 'forks: 3\nenvironments: { prod: { inventory: prod } }\n' };
    const { project: loaded, diagnostics } = await project({ ...files, 'below/ansible.cfg': CFG }, env);
    expect([loaded.inventory, loaded.forks, loaded.strategy]).to.deep.equal([undefined, 3, 'linear']);
    expect(diagnostics.join()).to.match(
      /^warning: below\/ansible.cfg:3:1 below\/ansible.cfg sets roles_path, vault_ids — /,
    );
    const { project: named, root } = await project({ 'ansible.cfg': CFG }, { ANSIBLE_ROLES_PATH: 'other:/r' });
    expect(named.rolesPath).to.deep.equal([path.join(root, 'other'), '/r']);
    const wrong = await project({ 'ansible.cfg': '[defaults]\nforks = many\n' });
    expect(wrong.diagnostics[0]).to.equal('ansible.cfg:2:1 "forks" must be a whole number from 1, or auto, not "many"');
  });

  it('takes variables of Ansible before its ansible.cfg, but not where environments decide', async () => {
    const env = {
      ANSIBLE_INVENTORY: 'lab, more',
      ANSIBLE_VAULT_PASSWORD_FILE: 'secrets/vault',
      ANSIBLE_VAULT_IDENTITY_LIST: 'prod@secrets/prod,wrong@',
      ANSIBLE_FORKS: 'some',
      ANSIBLE_STRATEGY: 'mitogen_linear',
    };
    const { project: loaded, diagnostics } = await project({ 'ansible.cfg': CFG }, env);
    expect(diagnostics).to.deep.equal([
      '"ANSIBLE_FORKS" must be a whole number from 1, or auto, not "some"',
      'the vault id "wrong@" does not say where its password comes from — write LABEL@FILE or LABEL@prompt',
      'warning: ansible.cfg:3:1 ansible.cfg sets roles_path — write them into evenkeel.yml; "evenkeel lint --from-ansible ." shows what else in this file matters',
    ]);
    const { inventory, inventoryPlace, vaultIds, vaultPasswordFile, findOrigin } = loaded;
    expect([inventory, inventoryPlace, findOrigin('inventory')]).to.deep.equal([
      ['lab', 'more'],
      'ANSIBLE_INVENTORY',
      'ANSIBLE_INVENTORY',
    ]);
    expect(vaultPasswordFile).to.deep.include({ shown: 'secrets/vault', place: 'ANSIBLE_VAULT_PASSWORD_FILE' });
    expect(vaultIds).to.have.length(1);
    expect(vaultIds?.[0]).to.deep.include({ label: 'prod', place: 'ANSIBLE_VAULT_IDENTITY_LIST' });
    const files = { 'evenkeel.yml': 'vault_password_file: own\nenvironments: { prod: { inventory: prod } }\n' };
    const { project: own } = await project(files, env);
    expect(own.inventory).to.equal(undefined);
    expect(own.vaultPasswordFile).to.deep.include({ shown: 'own' });
  });

  it('reports settings that are no mappings or texts, and environments without any', async () => {
    const text = 'environments: [a]\nlint: [b]\n';
    expect((await project({ 'evenkeel.yml': text })).diagnostics).to.deep.equal([
      'evenkeel.yml:1:15 "environments" must be a mapping of names to settings, not a list',
      'evenkeel.yml:2:7 "lint" must be a mapping of settings, not a list',
    ]);
    const limits = 'environments: { a: { limit: [x] }, b: { limit: y }, c: , " ": }\nlint: { skp: x }\n';
    const { project: loaded, diagnostics } = await project({ 'evenkeel.yml': limits });
    expect(diagnostics).to.deep.equal([
      'evenkeel.yml:1:29 "limit" must be text, not a list',
      'evenkeel.yml:1:58 an environment needs a name, such as production',
      'evenkeel.yml:2:9 "skp" is not a keyword of "lint" — did you mean "skip"?',
    ]);
    expect([...loaded.environments.values()].map(({ name, limit }) => [name, limit?.value])).to.deep.equal([
      ['a', undefined],
      ['b', 'y'],
      ['c', undefined],
      [' ', undefined],
    ]);
  });

  it('warns of an old name of a variable, and of folders that are trusted by a relative name', async () => {
    const { diagnostics } = await project({}, { EVENKEEL_TRUSTED_FOLDERS: `/a${path.delimiter}b` });
    expect(diagnostics).to.deep.equal([
      'EVENKEEL_TRUSTED_FOLDERS: "b" is not an absolute path — name folders from the root, or * for all',
    ]);
  });

  it('takes folders and names of variables of Ansible where it has none of its own', async () => {
    const cfg = '[defaults]\nforks = 5\ninventory = other\n';
    const {
      project: loaded,
      diagnostics,
      root,
    } = await project(
      { 'evenkeel.yml': 'roles_path: own\nstrategy: liner\n', 'ansible.cfg': cfg },
      { ANSIBLE_ROLES_PATH: 'r', EVENKEEL_FORKS: '2', EVENKEEL_STRATEGY: 'linear' },
      'below',
    );
    expect(diagnostics).to.deep.equal([
      '../evenkeel.yml:2:11 there is no strategy "liner" — did you mean "linear"?',
      'warning: ../ansible.cfg:3:1 ../ansible.cfg sets inventory — write them into evenkeel.yml; "evenkeel lint --from-ansible ." shows what else in this file matters',
    ]);
    const { rolesPath, forks, strategy, inventory, findOrigin } = loaded;
    expect([rolesPath, forks, strategy, inventory]).to.deep.equal([
      [path.join(root, 'own')],
      2,
      'linear',
      ['../other'],
    ]);
    expect([
      findOrigin('forks'),
      findOrigin('environments'),
      findOrigin('inventory'),
      findOrigin('output'),
    ]).to.deep.equal(['EVENKEEL_FORKS', undefined, { file: '../ansible.cfg', line: 3, column: 1 }, undefined]);
  });

  it('reports a file that is not a mapping, or not YAML', async () => {
    expect((await project({ 'evenkeel.yml': '- x' })).diagnostics).to.deep.equal([
      'evenkeel.yml:1:1 evenkeel.yml must be a mapping of settings, not a list',
    ]);
    expect((await project({ 'evenkeel.yaml': 'a:\n\tb: 1\n' })).diagnostics).to.deep.equal([
      'evenkeel.yaml:2:1 YAML does not allow tabs for indentation — use spaces',
    ]);
  });
});
