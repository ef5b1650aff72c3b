import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { loadInventory } from '../../src/project/inventory/load.js';
import { loadPlaybooks } from '../../src/project/playbook/playbook.js';
import { inFolder } from '../rig/folder.js';
import { catalogue, worded } from '../rig/loaded.js';

/** Each folder has two links to itself. Following them would give 2^40 folders. */
async function circle(folder: string): Promise<void> {
  for (const name of ['one', 'two']) await symlink('.', path.join(folder, name));
}

describe('folders that lead back into themselves', () => {
  it('are reported and not followed in inventories and group_vars', () =>
    inFolder({ 'inv/hosts.yml': 'all: { hosts: { lb1: } }', 'inv/group_vars/all/a.yml': 'a: 1' }, async (cwd) => {
      await circle(path.join(cwd, 'inv'));
      await circle(path.join(cwd, 'inv/group_vars/all'));
      const diagnostics = new Diagnostics();
      const inventory = await loadInventory(['inv'], { cwd, diagnostics });
      expect([...inventory.controllers.keys()]).to.deep.equal(['lb1']);
      expect(diagnostics.list.map(worded)).to.deep.equal(
        ['inv/one', 'inv/two', 'inv/group_vars/all/one', 'inv/group_vars/all/two'].map(
          (name) => `warning: ${name} links back to a folder that contains it: ignored`,
        ),
      );
    }));

  it('are reported and not followed in the variables of roles', () =>
    inFolder({ 'p.yml': '- hosts: all\n  roles: [r]\n', 'roles/r/vars/main/a.yml': 'a: 1' }, async (cwd) => {
      await circle(path.join(cwd, 'roles/r/vars/main'));
      const diagnostics = new Diagnostics();
      await loadPlaybooks(['p.yml'], { cwd, catalogue, inventory: undefined, extraVars: [], diagnostics });
      expect(diagnostics.list.map(worded)).to.deep.equal(
        ['one', 'two'].map(
          (name) => `warning: roles/r/vars/main/${name} links back to a folder that contains it: ignored`,
        ),
      );
    }));
});
