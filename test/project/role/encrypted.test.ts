import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadPlaybooks } from '../../../src/project/playbook/playbook.js';
import { encrypt } from '../../../src/project/vault/cipher.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { catalogue, worded } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';
import { password, PASSWORD, vaultOf } from '../../rig/vault.js';

function encrypted(content: string): Promise<string> {
  return encrypt(Buffer.from(content), password('default', PASSWORD));
}

describe('The files of a role', () => {
  it('can all be encrypted', async () => {
    const files: Files = {
      'site.yml': '- hosts: all\n  roles: [web]\n',
      'roles/web/tasks/main.yml': await encrypted('- { name: work, debug: }\n'),
      'roles/web/handlers/main.yml': await encrypted('- { name: reload, debug: }\n'),
      'roles/web/defaults/main.yml': await encrypted('size: 1\n'),
      'roles/web/vars/main/secret.yml': await encrypted('token: s3cr3t\n'),
      'roles/web/meta/main.yml': await encrypted('allow_duplicates: true\n'),
    };
    await inFolder(files, async (cwd) => {
      const diagnostics = new Diagnostics();
      const { vault } = vaultOf({ default: PASSWORD });
      const [playbook] = await loadPlaybooks(['site.yml'], { cwd, catalogue, diagnostics, vault });
      expect(diagnostics.list.map(worded)).to.deep.equal([]);
      const [play] = playbook?.plays ?? [];
      expect(outline(play?.tasks ?? [])).to.deep.equal([{ 'role web': ['work'] }]);
      expect(play?.handlers.map(({ name }) => name?.value)).to.deep.equal(['reload']);
      expect(play?.layers.map(({ values, secret }) => [values, secret])).to.deep.equal([
        [{ size: 1 }, true],
        [{ token: 's3cr3t' }, true],
      ]);
      const [run] = play?.tasks ?? [];
      expect(run?.type === 'role' && run.repeatable).to.equal(true);
    });
  });
});
