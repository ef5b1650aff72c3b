import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { filesIn } from '../../modules/include_vars/folder.js';
import { inFolder } from '../rig/folder.js';

const ALL = {
  depth: 0,
  matching: undefined,
  ignored: [],
  extensions: ['yml'],
  otherExtensions: 'refuse',
} as const;

describe('The files of include_vars with dir', () => {
  it('are those of some levels of folders', () =>
    inFolder({ 'a.yml': '', 'b/c.yml': '', 'b/d/e.yml': '', 'f/g.yml': '' }, async (root) => {
      const names = async (depth: number): Promise<unknown> => {
        const files = await filesIn(root, { ...ALL, depth });
        return typeof files === 'string' ? files : files.map((file) => path.relative(root, file));
      };
      expect(await names(1)).to.deep.equal(['a.yml']);
      expect(await names(2)).to.deep.equal(['a.yml', 'b/c.yml', 'f/g.yml']);
      expect(await names(3)).to.deep.equal(['a.yml', 'b/c.yml', 'b/d/e.yml', 'f/g.yml']);
    }));

  it('are found through links, which may form cycles', () =>
    inFolder({ 'vars/a.yml': '', 'vars/below/b.yml': '', 'elsewhere/c.yml': '' }, async (root) => {
      await symlink('../elsewhere', path.join(root, 'vars/link'));
      await mkdir(path.join(root, 'vars/empty'));
      for (const name of ['one', 'two']) await symlink('..', path.join(root, 'vars/below', name));
      const files = await filesIn(path.join(root, 'vars'), ALL);
      expect(typeof files === 'string' ? files : files.map((file) => path.relative(root, file))).to.deep.equal([
        'vars/a.yml',
        'vars/below/b.yml',
        'vars/link/c.yml',
      ]);
    }));

  it('match expressions in the notation of Python', () =>
    inFolder({ 'App.yml': '', 'app.yml': '', 'web.yml': '' }, async (root) => {
      const names = async (choice: {
        readonly matching?: string;
        readonly ignored?: readonly string[];
      }): Promise<unknown> => {
        const files = await filesIn(root, { ...ALL, ...choice });
        return typeof files === 'string' ? files : files.map((file) => path.basename(file));
      };
      expect(await names({ matching: String.raw`(?i)\A(?P<name>app)\.yml\Z` })).to.deep.equal(['App.yml', 'app.yml']);
      expect(await names({ ignored: [String.raw`\Aapp.yml`] })).to.deep.equal(['App.yml', 'web.yml']);
      for (const choice of [{ matching: '(' }, { ignored: ['yml', '('] }])
        expect(await names(choice)).to.equal('"(" is not a regular expression');
    }));
});
