import { expect } from 'chai';
import { captureFiles, playbookOfTenants } from '../../src/capture/capture_files.js';
import { captureControllers } from '../../src/capture/playbook/capture.js';
import { referenceKey, type FleetObject } from '../../src/capture/playbook/fleet_object.js';
import { Levels } from '../../src/capture/playbook/levels.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';

describe('the files of a capture', () => {
  it('are the playbook, the variables of each level that has some, and the secrets to fill in', () => {
    const levels = new Levels(['lb1', 'lb2', 'lb3'], [{ name: 'emea', members: ['lb1', 'lb2'] }]);
    levels.set({ type: 'all' }, 'a', 1);
    levels.set({ type: 'group', name: 'emea' }, 'b', 2);
    levels.set({ type: 'controller', name: 'lb2' }, 'c', 'x');
    const secrets = [
      { variable: 'captured_secret', object: 'cloud "a\nb\ufeff"', path: 'x.password', controllers: 2 },
      { variable: 'captured_other', object: 'pool "c"', path: 'y', controllers: 1 },
    ];
    const project = { playbook: [{ hosts: 'all' }], levels, secrets, objects: 1, leftOut: 0, circular: [] };
    const names = { groups: ['apac', 'emea'], controllers: ['lb1', 'lb2', 'lb3'] };
    expect(Object.fromEntries(captureFiles(project, names))).to.deep.equal({
      'capture.yml': '# Captured by evenkeel.\n---\n- hosts: all\n',
      'group_vars/all/captured.yml': '# Captured by evenkeel: what all controllers have in common.\n---\na: 1\n',
      'group_vars/emea/captured.yml': '# Captured by evenkeel: what emea has in common.\n---\nb: 2\n',
      'host_vars/lb2/captured.yml': '# Captured by evenkeel: what only lb2 has.\n---\nc: x\n',
      'group_vars/all/secrets.yml': `# Captured by evenkeel: secrets to fill in. Fields without a value here are not declared.
# A value that differs belongs in group_vars or host_vars of its controllers.
# Encrypt the file when it is filled in: evenkeel vault encrypt

# cloud "a b ": x.password, on 2 controllers
# captured_secret:

# pool "c": y, on 1 controller
# captured_other:
`,
    });
    expect([...captureFiles({ ...project, secrets: [] }, names).keys()]).to.not.include('group_vars/all/secrets.yml');
  });

  it('have a playbook of all tenants, in their order', () => {
    expect(playbookOfTenants([{ tenant: 'red' }, { tenant: undefined }, { tenant: 'blue' }])).to.equal(
      '# Captured by evenkeel: a folder for each tenant.\n---\n- import_playbook: red/capture.yml\n- import_playbook: blue/capture.yml\n',
    );
  });
});

describe('the tasks of a capture', () => {
  const object = (kind: string, name: string, ...refers: readonly string[]): FleetObject => ({
    ...{ kind, name, cloud: undefined, fields: { name }, builtIn: false },
    refers: refers.map((one) => referenceKey({ kind: 'healthmonitor', name: one })),
  });

  it('declare a kind as soon as all of it can be, so that few tasks are needed', () => {
    const pools = ['a', 'b', 'c'].map((name) => object('pool', name));
    const objects = [
      ...pools,
      object('pool', 'd', 'one'),
      object('healthmonitor', 'one'),
      object('healthmonitor', 'two'),
    ];
    const { playbook } = captureControllers({
      controllers: [{ name: 'lb1', kinds: new Set(['pool', 'healthmonitor']), objects, place: {} }],
      groups: [],
      table: builtInKinds(),
      all: false,
      hosts: undefined,
    });
    const [play] = playbook as readonly { readonly tasks: readonly { readonly name: string }[] }[];
    expect(play?.tasks.map(({ name }) => name)).to.deep.equal(['healthmonitor', 'pool']);
  });
});
