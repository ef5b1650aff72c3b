import path from 'node:path';
import { expect } from 'chai';
import { Trust } from '../../../src/core/files/trust.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { openLibrary } from '../../../src/launch/user_code/user_filters.js';
import { inFolder } from '../../rig/folder.js';

describe('the folders of collections', () => {
  it("are the project's own, then those that the environment names, in its order", async () => {
    const folders = ['a', 'b', 'c', 'site/collections'];
    const files = Object.fromEntries(folders.map((one) => [`${one}/ansible_collections/x`, '']));
    await inFolder(files, async (cwd) => {
      const found = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
        const code = { cwd, env, trust: new Trust(cwd, {}), diagnostics: new Diagnostics() };
        const { table } = await openLibrary([path.join(cwd, 'site')], code);
        const all = table.plugins?.collections ?? [];
        return all.filter((one) => one.startsWith(cwd)).map((one) => path.relative(cwd, one));
      };
      expect(await found({})).to.deep.equal(['site/collections']);
      expect(await found({ ANSIBLE_COLLECTIONS_PATH: 'b:no:a' })).to.deep.equal(['site/collections', 'b', 'a']);
      const both = { ANSIBLE_COLLECTIONS_PATH: 'c/ansible_collections', ANSIBLE_COLLECTIONS_PATHS: 'a' };
      expect(await found(both)).to.deep.equal(['site/collections', 'c']);
    });
  });
});
