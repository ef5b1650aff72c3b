import { expect } from 'chai';
import type { Inventory } from '../../src/core/model/inventory/inventory.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import {
  inventoryForJson,
  inventoryForYaml,
  inventoryGraph,
  ansibleJson,
} from '../../src/inventory/ansible_inventory.js';
import { yamlText } from '../../src/language/python/yaml/emitter.js';
import { loadInventory } from '../../src/project/inventory/load.js';
import { COLUMN, hasAnsible } from '../rig/ansible.js';
import { PROFILE } from '../rig/columns.js';
import { inFolderWithScripts } from '../rig/scripts.js';
import { WarmAnsible } from '../rig/warm_ansible.js';
import { expected, isRecorded, record, VIEWS, type View } from './expected.js';
import { SAMPLES, type Sample } from './samples.js';

const VIEW_NAMES = Object.keys(VIEWS) as View[];

function shown(inventory: Inventory, view: View): string {
  switch (view) {
    case 'list.json':
      return `${ansibleJson(inventoryForJson(inventory, []))}\n`;
    case 'list.yml':
      return yamlText(inventoryForYaml(inventory, []));
    case 'graph.txt':
      return `${inventoryGraph(inventory, { group: 'all', vars: true, extraVars: [] }) ?? ''}\n`;
    default:
      return view satisfies never;
  }
}

function load(sample: Sample): Promise<Inventory> {
  return inFolderWithScripts(sample.files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const inventory = await loadInventory(sample.sources, { cwd, diagnostics });
    expect(diagnostics.list.filter(({ severity }) => severity === 'error')).to.deep.equal([]);
    return inventory;
  });
}

describe('inventories as ansible-inventory prints them', () => {
  for (const sample of SAMPLES) {
    for (const view of VIEW_NAMES) {
      it(`${sample.name}: ${view}`, async () => {
        expect(shown(await load(sample), view)).to.equal(await expected(sample.name, view, 'ours'));
      });
    }
  }
});

describe('the recorded expectations are what ansible-inventory prints here', () => {
  const installed = hasAnsible();
  const ansible = new WarmAnsible();
  after(() => ansible.close());

  for (const sample of SAMPLES) {
    it(`${sample.name}${installed ? '' : ' (ansible-core 2.14 is not installed)'}`, async function () {
      if (!installed) this.skip();
      this.timeout(120_000);
      await inFolderWithScripts(sample.files, async (cwd) => {
        for (const view of VIEW_NAMES) {
          const sources = sample.sources.flatMap((source) => ['-i', source]);
          const printed = await ansible.run('ansible-inventory', [...sources, ...VIEWS[view]], cwd);
          if (!isRecorded(sample.name, view)) {
            await record(sample.name, view, printed);
            throw new Error('what Ansible printed is recorded now: read it, and commit it');
          }
          expect(printed.replace(PROFILE, '')).to.equal(await expected(sample.name, view, COLUMN));
        }
      });
    });
  }
});
