import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadPlaybooks } from '../../../src/project/playbook/playbook.js';
import { inFolder } from '../../rig/folder.js';
import { catalogue, worded } from '../../rig/loaded.js';
import { LockedFolders } from '../../rig/locked_folders.js';

describe('the folders of variables of a role', () => {
  it('are reported if their folder cannot be read', () =>
    inFolder({ 'p.yml': '- hosts: all\n  roles: [r]\n', 'roles/r/defaults/main/a.yml': 'a: 1' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      await loadPlaybooks(['p.yml'], { cwd, catalogue, diagnostics, sources: new LockedFolders() });
      expect(diagnostics.list.map(worded)).to.deep.equal(['cannot read roles/r/defaults/main: permission denied']);
    }));

  it('are reported as folders of tasks are if they cannot be read: the role would do nothing', () =>
    inFolder({ 'p.yml': '- hosts: all\n  roles: [r]\n', 'roles/r/README.md': '' }, async (cwd) => {
      for (const part of ['tasks', 'vars']) await symlink(part, path.join(cwd, 'roles/r', part));
      const diagnostics = new Diagnostics();
      await loadPlaybooks(['p.yml'], { cwd, catalogue, diagnostics });
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'p.yml:2:11 cannot read roles/r/vars: its links form a loop',
        'p.yml:2:11 cannot read roles/r/tasks: its links form a loop',
      ]);
    }));

  it('are read to their depth, and not followed if they lead back to one above', () =>
    inFolder(
      {
        'p.yml': '- hosts: all\n  roles: [r]\n',
        'roles/r/vars/main/a.yml': 'a: 1',
        'roles/r/vars/main/deep/b.yml': 'b: 2',
      },
      async (cwd) => {
        await symlink('..', path.join(cwd, 'roles/r/vars/main/deep/up'));
        const diagnostics = new Diagnostics();
        const loaded = await loadPlaybooks(['p.yml'], {
          cwd,
          catalogue,
          inventory: undefined,
          extraVars: [],
          diagnostics,
        });
        expect(diagnostics.list.map(worded)).to.deep.equal([
          'warning: roles/r/vars/main/deep/up links back to a folder that contains it: ignored',
        ]);
        expect(JSON.stringify(loaded)).to.include('"a":1').and.include('"b":2');
      },
    ));
});
