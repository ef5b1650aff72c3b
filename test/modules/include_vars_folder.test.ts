import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { filesIn } from '../../modules/include_vars/folder.js';
import { inFolder } from '../rig/folder.js';

describe('The files of include_vars with dir', () => {
  it('are found through links, which may form cycles', () =>
    inFolder({ 'vars/a.yml': '', 'vars/below/b.yml': '', 'elsewhere/c.yml': '' }, async (root) => {
      await symlink('../elsewhere', path.join(root, 'vars/link'));
      await mkdir(path.join(root, 'vars/empty'));
      for (const name of ['one', 'two']) await symlink('..', path.join(root, 'vars/below', name));
      const choice = {
        depth: 0,
        matching: undefined,
        ignored: [],
        extensions: ['yml'],
        otherExtensions: 'refuse',
      } as const;
      const files = await filesIn(path.join(root, 'vars'), choice);
      expect(typeof files === 'string' ? files : files.map((file) => path.relative(root, file))).to.deep.equal([
        'vars/a.yml',
        'vars/below/b.yml',
        'vars/link/c.yml',
      ]);
    }));
});
