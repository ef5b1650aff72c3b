import { expect } from 'chai';
import {
  controllerVariables,
  inventoryForJson,
  inventoryForYaml,
  inventoryGraph,
} from '../../src/inventory/ansible_inventory.js';
import { readInventory } from '../rig/inventory.js';

/** Variables of Ansible that each run sets: not those of an inventory, whatever that says. */
const SET_BY_RUNS = [
  'ansible_config_file',
  'ansible_diff_mode',
  'ansible_facts',
  'ansible_forks',
  'ansible_inventory_sources',
  'ansible_limit',
  'ansible_playbook_python',
  'ansible_run_tags',
  'ansible_skip_tags',
  'ansible_verbosity',
  'ansible_version',
  'group_names',
  'groups',
  'inventory_dir',
  'inventory_file',
  'inventory_hostname',
  'inventory_hostname_short',
  'omit',
  'playbook_dir',
];

const HOSTS = `all:
  hosts: { lb9: }
  children:
    emea: { children: { fra: { hosts: { lb1: { own: 1 }, lb2: } } }, hosts: { lb1: }, vars: { zone: e } }
    amer: { children: { fra: } }
    empty: {}
`;

describe('what is shown of an inventory', () => {
  it('is every variable but those that runs set', async () => {
    const set = SET_BY_RUNS.map((name) => `${name}: x`).join(', ');
    const { inventory } = await readInventory({
      'hosts.yml': `all: { hosts: { lb1: { own: 1, hostvars: 2, ${set} } } }\n`,
    });
    const controller = inventory.controllers.get('lb1');
    if (controller === undefined) throw new Error('no controller');
    expect(controllerVariables(controller, [])).to.deep.equal({ own: 1, hostvars: 2 });
    const extra = { level: 'extra vars', origin: '-e', values: { own: 3, groups: 4 } } as const;
    expect(controllerVariables(controller, [extra])).to.deep.equal({ own: 3, hostvars: 2 });
  });

  it('is each controller with its variables once, in groups of groups', async () => {
    const { inventory } = await readInventory({ 'hosts.yml': HOSTS });
    const [lb1, lb2] = [{ zone: 'e', own: 1 }, { zone: 'e' }];
    expect(inventoryForJson(inventory, [])).to.deep.equal({
      _meta: { hostvars: { lb1, lb2 } },
      all: { children: ['ungrouped', 'emea', 'amer', 'empty'] },
      ungrouped: { hosts: ['lb9'] },
      emea: { hosts: ['lb1'], children: ['fra'] },
      fra: { hosts: ['lb1', 'lb2'] },
      amer: { children: ['fra'] },
    });
    expect(inventoryForYaml(inventory, [])).to.deep.equal({
      all: {
        children: {
          ungrouped: { hosts: { lb9: {} } },
          emea: { children: { fra: { hosts: { lb1, lb2 } } }, hosts: { lb1: {} } },
          amer: { children: { fra: {} } },
        },
      },
    });
  });

  it('is a tree, from the group that is asked for', async () => {
    const { inventory } = await readInventory({ 'hosts.yml': HOSTS });
    const graph = (group: string, vars = false) =>
      inventoryGraph(inventory, { group, vars, extraVars: [] })?.split('\n');
    expect(graph('amer')).to.deep.equal(['@amer:', '  |--@fra:', '  |  |--lb1', '  |  |--lb2']);
    expect(graph('emea', true)).to.deep.equal([
      '@emea:',
      '  |--@fra:',
      '  |  |--lb1',
      '  |  |  |--{own = 1}',
      '  |  |  |--{zone = e}',
      '  |  |--lb2',
      '  |  |  |--{zone = e}',
      '  |--lb1',
      '  |  |--{own = 1}',
      '  |  |--{zone = e}',
      '  |--{zone = e}',
    ]);
    expect(graph('all')?.slice(0, 3)).to.deep.equal(['@all:', '  |--@ungrouped:', '  |  |--lb9']);
    expect(graph('gone')).to.equal(undefined);
  });
});
