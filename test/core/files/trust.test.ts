import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Trust } from '../../../src/core/files/trust.js';
import { atHome, inFolder } from '../../rig/folder.js';

/** Two folders that everybody can write, each with a file, and a link from the first to the second. */
const inShared = (use: (shared: string, other: string) => Promise<void> | void): Promise<void> =>
  inFolder({}, async (folder) => {
    const [shared, other] = [path.join(folder, 'shared'), path.join(folder, 'other')];
    for (const one of [shared, other]) {
      await mkdir(one);
      await writeFile(path.join(one, 'file'), '');
      await chmod(one, 0o777);
    }
    await symlink(path.join(other, 'file'), path.join(shared, 'link'));
    await use(shared, other);
  });

describe('trust in files that other users may have written', () => {
  const trusted = (folders: string, cwd = '/') => new Trust(cwd, { EVENKEEL_TRUSTED_FOLDERS: folders });

  it('is refused in a folder that everybody can write', () =>
    inShared((shared) => {
      const trust = new Trust('/', {});
      expect(trust.refusal(path.join(shared, 'file'))).to.equal(`${shared} is world-writable`);
      expect(trust.refusal(path.join(path.dirname(shared), 'none'))).to.equal(undefined);
      expect([trust.folder(shared), trust.foreign(path.join(shared, 'file')), trust.relativeFolders]).to.deep.equal([
        undefined,
        undefined,
        [],
      ]);
    }));

  it('is refused for a file that everybody can write, and where a link leads to', () =>
    inFolder({ 'safe/file': '', 'safe/plain': '' }, async (folder) => {
      const [file, plain] = ['file', 'plain'].map((name) => path.join(folder, 'safe', name));
      await chmod(file ?? '', 0o606);
      await mkdir(path.join(folder, 'open'));
      await writeFile(path.join(folder, 'open/file'), '');
      await chmod(path.join(folder, 'open'), 0o777);
      await symlink(path.join(folder, 'open/file'), path.join(folder, 'safe/link'));
      const trust = new Trust('/', {});
      expect(trust.refusal(file ?? '')).to.equal(`${file} is world-writable`);
      expect(trust.refusal(plain ?? '')).to.equal(undefined);
      expect(trust.refusal(path.join(folder, 'safe/link'))).to.equal(`${path.join(folder, 'open')} is world-writable`);
    }));

  it('is given to folders that are named in the home folder', () =>
    inShared((shared) =>
      atHome(path.dirname(shared), () => {
        const file = path.join(shared, 'file');
        const byProject = new Trust('/', { EVENKEEL_CONFIG: '~/shared/evenkeel.yml' });
        expect([trusted('~/shared').refusal(file), byProject.refusal(file)]).to.deep.equal([undefined, undefined]);
      }),
    ));

  it('is given to the folders that the user names, but not to what links lead to outside of them', () =>
    inShared((shared, other) => {
      const [file, link] = [path.join(shared, 'file'), path.join(shared, 'link')];
      const one = trusted(`relative${path.delimiter}${path.delimiter}${shared}${path.delimiter}*x`);
      expect(one.relativeFolders).to.deep.equal(['relative', '*x']);
      expect([one.refusal(file), one.refusal(path.join(other, 'file'))]).to.deep.equal([
        undefined,
        `${other} is world-writable`,
      ]);
      expect(one.refusal(link)).to.equal(`${shared} is world-writable`);
      const both = trusted([shared, other].join(path.delimiter));
      expect([file, path.join(other, 'file')].map((name) => both.refusal(name))).to.deep.equal([undefined, undefined]);
      expect([file, link].map((name) => trusted('*').refusal(name))).to.deep.equal([undefined, undefined]);
    }));

  it('is given to the folder of the project file that the user names', () =>
    inShared((shared, other) => {
      const named = (config: string, cwd: string) => new Trust(cwd, { EVENKEEL_CONFIG: config });
      const refusals = (trust: Trust) => [shared, other].map((one) => trust.refusal(path.join(one, 'file')));
      const onlyOther = [undefined, `${other} is world-writable`];
      expect(refusals(named(path.join(shared, 'evenkeel.yml'), '/'))).to.deep.equal(onlyOther);
      expect(refusals(named('evenkeel.yml', shared))).to.deep.equal(onlyOther);
      expect(refusals(named('', shared))[0]).to.equal(`${shared} is world-writable`);
    }));
});
