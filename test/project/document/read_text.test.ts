import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { readText } from '../../../src/project/document/read_file_text.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

describe('readText', () => {
  it('reads UTF-8, without its byte order mark', async () => {
    await inFolder({ 'a.yml': '\ufeffä: 1' }, async (folder) => {
      expect(await readText(path.join(folder, 'a.yml'), new Diagnostics())).to.equal('ä: 1');
    });
  });

  it('suggests a file with a similar name', async () => {
    const files = { 'playbooks/rollout.yml': '', 'playbooks/other.yml': '', 'site.yml': '', 'group_vars/site.yml': '' };
    await inFolder(files, async (folder) => {
      const diagnostics = new Diagnostics();
      for (const name of [
        'playbooks/rolout.yml',
        'playbooks/roll',
        'rollout.yml',
        'playbook/rollout.yml',
        'rollout',
        'site',
      ])
        await readText(path.join(folder, name), diagnostics, name);
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'cannot read playbooks/rolout.yml: there is no such file — did you mean "playbooks/rollout.yml"?',
        'cannot read playbooks/roll: there is no such file — did you mean "playbooks/rollout.yml"?',
        'cannot read rollout.yml: there is no such file — did you mean "playbooks/rollout.yml"?',
        'cannot read playbook/rollout.yml: there is no such file — did you mean "playbooks/rollout.yml"?',
        'cannot read rollout: there is no such file — did you mean "playbooks/rollout.yml"?',
        'cannot read site: there is no such file — did you mean "site.yml"?',
      ]);
    });
  });

  it('reports why a file cannot be read', async () => {
    await inFolder({ 'a/b': '' }, async (folder) => {
      const diagnostics = new Diagnostics();
      await writeFile(path.join(folder, 'latin1'), Buffer.from([0xe4]));
      await writeFile(path.join(folder, 'x.plan'), Buffer.from('evenkeel plan\n{}\n\xe4', 'latin1'));
      await symlink('nowhere', path.join(folder, 'link'));
      for (const name of ['none', 'a/b/c', 'a', 'link', 'latin1', 'x.plan'])
        await readText(path.join(folder, name), diagnostics, name);
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'cannot read none: there is no such file',
        'cannot read a/b/c: there is no such file',
        'cannot read a: it is a folder',
        'cannot read link: there is no such file — it is a link to a file that does not exist',
        'latin1:1:1 cannot read latin1: it is not UTF-8 text (byte 0xE4)',
        'cannot read x.plan: it is a plan — evenkeel apply carries it out',
      ]);
    });
  });
});
