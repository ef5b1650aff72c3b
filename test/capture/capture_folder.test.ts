import { mkdir, readFile, readdir, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { tenantFolder } from '../../src/capture/capture_files.js';
import { checkTargetFolder, isFileName, writeFiles } from '../../src/capture/capture_folder.js';
import { inFolder, type Files } from '../rig/folder.js';
import { mounted, SMALL } from '../rig/mounted.js';

const OWN = '# Captured by evenkeel.\n- hosts: all\n';

/** Left by a capture that was killed. */
const DRAFT = '.capture.yml.0123456789ab';
const WORKING = '.capture.yml.ba9876543210';

/** All files of a folder, with their texts. */
async function filesIn(folder: string): Promise<Files> {
  const names = await readdir(folder, { recursive: true });
  const found = await Promise.all(
    names.sort().map(async (name) => {
      const file = path.join(folder, name);
      return (await stat(file)).isFile() ? [[name, await readFile(file, 'utf8')] as const] : [];
    }),
  );
  return Object.fromEntries(found.flat());
}

describe('the folder of a capture', () => {
  it('has names that are no paths, and tenants beside the folders of variables', () => {
    const names = ['a', 'a b', '..a', '.', '..', 'a/b', 'a\\b', 'a\0'];
    expect(names.map(isFileName)).to.deep.equal([true, true, true, false, false, false, false, false]);
    const tenants = [
      'a b',
      'group_vars',
      'host_vars',
      'capture.yml',
      '.blue',
      '..',
      'a/b',
      '50%',
      'x{{y}}',
      'my_host_vars',
    ];
    expect(tenants.map(tenantFolder).join(' ')).to.equal(
      'a b %67roup_vars %68ost_vars %63apture.yml %2Eblue %2E. a%2Fb 50%25 x%7B%7By%7D%7D my_host_vars',
    );
  });

  it('may be new, empty, or with --force an earlier capture', () =>
    inFolder(
      {
        'full/x': '',
        [`killed/${DRAFT}/capture.yml`]: '',
        'mine/capture.yml': '- hosts: all\n',
        'own/capture.yml': OWN,
        'own/x': '',
        'tenants/blue/capture.yml': OWN,
        'tenants/red/capture.yml': 'mine',
        file: '',
      },
      async (cwd) => {
        const why = async (name: string, force: boolean) =>
          (await checkTargetFolder(path.join(cwd, name), force))?.message;
        const full = 'the folder is not empty; nothing was contacted';
        const foreign = (name: string) =>
          `${name} in this folder is not from a capture, so --force does not replace it`;
        expect([await why('new', false), await why('full', false), await why('full', true)]).to.deep.equal([
          undefined,
          full,
          undefined,
        ]);
        expect([await why('own', false), await why('own', true), await why('mine', true)]).to.deep.equal([
          full,
          undefined,
          foreign('capture.yml'),
        ]);
        expect([await why('killed', false), await why('killed', true)]).to.deep.equal([undefined, undefined]);
        expect([await why('tenants', true), await why('file', true)]).to.deep.equal([
          foreign('red/capture.yml'),
          'it is not a folder',
        ]);
      },
    ));

  it('is written at once if it is new, for its owner only', () =>
    inFolder({}, async (cwd) => {
      const files = { 'capture.yml': OWN, 'group_vars/all/captured.yml': 'a: 1\n' };
      expect(await writeFiles(path.join(cwd, 'deep/new'), new Map(Object.entries(files)))).to.equal(undefined);
      expect(await filesIn(path.join(cwd, 'deep'))).to.deep.equal(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [`new/${name}`, text])),
      );
      const modes = await Promise.all(
        ['', '/capture.yml', '/group_vars'].map((name) => stat(path.join(cwd, `deep/new${name}`))),
      );
      expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).to.deep.equal(['700', '600', '700']);
    }));

  it('loses the draft of a capture that was killed long ago, not that of one at work', () =>
    inFolder(
      { [`own/${DRAFT}/capture.yml`]: '', [`own/${WORKING}/capture.yml`]: '', 'own/.capture.yml.mine': '' },
      async (cwd) => {
        const folder = path.join(cwd, 'own');
        const long = Date.now() / 1000 - 2 * 3600;
        await utimes(path.join(folder, DRAFT), long, long);
        expect(await writeFiles(folder, new Map([['capture.yml', OWN]]))).to.equal(undefined);
        expect(await readdir(folder)).to.have.members([WORKING, '.capture.yml.mine', 'capture.yml']);
      },
    ));

  it('is the same folder as before if it is empty, with its mode, also where a link leads', () =>
    inFolder({ 'far/.keep': '' }, async (cwd) => {
      const files = new Map([['capture.yml', OWN]]);
      const empty = path.join(cwd, 'empty');
      await mkdir(empty, { mode: 0o750 });
      await symlink('empty', path.join(cwd, 'link'));
      await symlink('far/new', path.join(cwd, 'dangling'));
      const before = await stat(empty);
      expect(await writeFiles(path.join(cwd, 'link'), files)).to.equal(undefined);
      const after = await stat(empty);
      expect([after.ino, after.mode]).to.deep.equal([before.ino, before.mode]);
      expect(await writeFiles(path.join(cwd, 'dangling'), files)).to.equal(undefined);
      expect(Object.keys(await filesIn(cwd))).to.deep.equal([
        'dangling/capture.yml',
        'empty/capture.yml',
        'far/.keep',
        'far/new/capture.yml',
        'link/capture.yml',
      ]);
    }));

  it('may be mounted', function () {
    return mounted(this, SMALL, async (disk) => {
      expect(await writeFiles(disk, new Map([['capture.yml', OWN]]))).to.equal(undefined);
      expect(await readdir(disk)).to.deep.equal(['capture.yml']);
    });
  });

  it('loses what only the earlier capture had, and keeps secrets and what is not of a capture', () =>
    inFolder(
      {
        'capture.yml': `${OWN}- import_playbook: blue/capture.yml\n- import_playbook: "50%25/capture.yml"\n- import_playbook: red/capture.yml\n- import_playbook: ../capture.yml\n`,
        'notes.txt': 'mine',
        'group_vars/all/captured.yml': 'old: 1\n',
        'group_vars/all/secrets.yml': 'pw: x\n',
        'group_vars/gone/captured.yml': 'old: 1\n',
        'group_vars/gone/own.yml': 'mine: 1\n',
        'host_vars/lb1/captured.yml': 'old: 1\n',
        'blue/capture.yml': OWN,
        'blue/host_vars/lb2/captured.yml': 'old: 1\n',
        '50%25/capture.yml': OWN,
        'prod/capture.yml': OWN,
        'prod/host_vars/lb2/captured.yml': 'another capture',
        'red/capture.yml': 'mine',
        'red/host_vars/lb2/captured.yml': 'mine',
      },
      async (cwd) => {
        const files = {
          'capture.yml': `${OWN}# new\n`,
          'group_vars/all/captured.yml': 'new: 1\n',
          'group_vars/all/secrets.yml': 'new',
          'host_vars/lb3/captured.yml': 'c: 3\n',
        };
        expect(await writeFiles(cwd, new Map(Object.entries(files)))).to.equal(undefined);
        expect(await filesIn(cwd)).to.deep.equal({
          'capture.yml': `${OWN}# new\n`,
          'notes.txt': 'mine',
          'group_vars/all/captured.yml': 'new: 1\n',
          'group_vars/all/secrets.yml': 'pw: x\n',
          'group_vars/gone/own.yml': 'mine: 1\n',
          'host_vars/lb3/captured.yml': 'c: 3\n',
          'prod/capture.yml': OWN,
          'prod/host_vars/lb2/captured.yml': 'another capture',
          'red/capture.yml': 'mine',
          'red/host_vars/lb2/captured.yml': 'mine',
        });
      },
    ));

  it('does not hide variables of the user, of which a folder is read in place of a file', () =>
    inFolder(
      { 'group_vars/all.yml': 'mine: 1\n', 'host_vars/lb1': 'mine: 1\n', 'blue.yml': '', 'capture.yml': OWN },
      async (cwd) => {
        const before = await filesIn(cwd);
        const write = (...names: readonly string[]) =>
          writeFiles(cwd, new Map(['capture.yml', ...names].map((name) => [name, `${OWN}# new\n`])));
        const why = (name: string) => `a folder would be read in place of ${name}: move that file into the folder`;
        expect([
          await write('group_vars/all/captured.yml'),
          await write('host_vars/lb1/captured.yml', 'group_vars/emea/captured.yml'),
        ]).to.deep.equal([why('group_vars/all.yml'), why('host_vars/lb1')]);
        expect(await filesIn(cwd)).to.deep.equal(before);
        expect(await write('group_vars/emea/captured.yml', 'blue/group_vars/all/captured.yml')).to.equal(undefined);
        expect(Object.keys(await filesIn(cwd))).to.include.members(['group_vars/all.yml', 'blue.yml']);
      },
    ));

  it('takes links to files of variables as files', () =>
    inFolder({ 'capture.yml': OWN, 'host_vars/lb1/captured.yml': '', 'shared.yml': 'mine: 1\n' }, async (cwd) => {
      const write = (name: string) => writeFiles(cwd, new Map(['capture.yml', name].map((one) => [one, OWN])));
      await symlink('../shared.yml', path.join(cwd, 'host_vars/lb9.yml'));
      expect(await write('host_vars/lb2/captured.yml')).to.equal(undefined);
      expect(await write('host_vars/lb9/captured.yml')).to.include('in place of host_vars/lb9.yml');
    }));

  it('says why it cannot be written, and leaves nothing behind', () =>
    inFolder({ file: '' }, async (cwd) => {
      expect(await writeFiles(path.join(cwd, 'file/deep'), new Map([['a', 'b']]))).to.be.a('string');
      expect(await readdir(cwd)).to.deep.equal(['file']);
    }));
});
