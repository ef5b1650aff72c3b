import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  isGone,
  isInside,
  fileTypeAt,
  linkLoopText,
  makeFolder,
  namesIn,
  relativeName,
  syncFolder,
} from '../../../src/core/files/paths.js';
import {
  acceptDraft,
  draftFile,
  draftName,
  linkedFile,
  readBeginning,
  replaceFile,
} from '../../../src/core/files/replace_file.js';
import { whatOthersCan, whyNotPrivate } from '../../../src/core/files/trust.js';
import { inFolder } from '../../rig/folder.js';
import { mounted, SMALL } from '../../rig/mounted.js';
import { makePipe } from '../../rig/pipe.js';

const failure = (of: Promise<unknown>): Promise<string> =>
  of.then(
    () => 'none',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );

describe('what is at a path', () => {
  it('is gone only if nothing is there, not if it cannot be examined', () =>
    inFolder({ file: 'x' }, async (folder) => {
      await symlink('link', path.join(folder, 'link'));
      const gone = ['file', '.', 'other', 'file/below', 'link'].filter((name) => isGone(path.join(folder, name)));
      expect(gone).to.deep.equal(['other', 'file/below']);
    }));

  it('is a file, a folder, or something else', () =>
    inFolder({ 'b/file': 'x', 'a/file': 'y' }, async (folder) => {
      const at = (name: string) => fileTypeAt(path.join(folder, name));
      await symlink('link', path.join(folder, 'link'));
      expect([
        at('b'),
        at('b/file'),
        at('none'),
        at('link'),
        at('b/file/x'),
        at('a\0'),
        fileTypeAt('/dev/null'),
      ]).to.deep.equal(['folder', 'file', undefined, undefined, undefined, undefined, undefined]);
      expect([namesIn(folder), namesIn(path.join(folder, 'none')), namesIn(path.join(folder, 'b/file'))]).to.deep.equal(
        [['a', 'b', 'link'], [], []],
      );
    }));

  it('is inside of a folder, or not', () => {
    const inside = ['/a/b', '/a/b/c/d', '/a/b/..c', '/a/b/../b/c'];
    const outside = ['/a', '/a/bc', '/a/b/..', '/a/b/../c', '/', '/x/b/c'];
    expect(inside.filter((name) => !isInside('/a/b', name))).to.deep.equal([]);
    expect(outside.filter((name) => isInside('/a/b', name))).to.deep.equal([]);
    const names = ['/a/b', '/a', '/a/b/c', '/b', '/ab'];
    expect(names.map((name) => relativeName(name, '/a'))).to.deep.equal(['b', '.', 'b/c', '/b', '/ab']);
    expect(linkLoopText('x')).to.equal('x links back to a folder that contains it: ignored');
  });
});

describe('a new folder', () => {
  it('has its parents, which only the owner can read', () =>
    inFolder({ file: '' }, async (folder) => {
      const [deep, open] = [path.join(folder, 'a/b/c'), path.join(folder, 'd/e')];
      expect([await makeFolder(deep), await makeFolder(deep), await makeFolder(open, 0o755)]).to.deep.equal([
        true,
        false,
        true,
      ]);
      await mkdir(path.join(folder, 'usual'), 0o755);
      const modes = await Promise.all(
        ['a', 'a/b', 'a/b/c', 'd', 'd/e', 'usual'].map((one) => stat(path.join(folder, one))),
      );
      const [a, b, c, d, e, usual] = modes.map(({ mode }) => mode & 0o777);
      expect([a, b, c, d, e]).to.deep.equal([0o700, 0o700, 0o700, usual, usual]);
      expect(await failure(makeFolder(path.join(folder, 'file/x')))).to.equal('ENOTDIR');
      await symlink('nowhere/else', path.join(folder, 'link'));
      expect(await failure(makeFolder(path.join(folder, 'link/x')))).to.equal('ENOENT');
      await syncFolder(path.join(folder, 'none'));
      await syncFolder(folder);
    }));
});

describe('a file that is replaced', () => {
  it('has the new content as a whole, for its owner only', () =>
    inFolder({ kept: 'old' }, async (folder) => {
      const file = path.join(folder, 'kept');
      await chmod(file, 0o644);
      const seen: unknown[] = [];
      await replaceFile(file, 'new', async (draft) => {
        seen.push(await readFile(file, 'utf8'), (await draft.stat()).size, await readdir(folder));
      });
      const [old, size, names] = seen as [string, number, string[]];
      expect([old, size, names.length]).to.deep.equal(['old', 3, 2]);
      expect(names[0]).to.match(/^\.kept\.[0-9a-f]{12}$/);
      await replaceFile(path.join(folder, 'other'), Buffer.from([255]));
      expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).to.deep.equal(['new', 0o600]);
      expect([...(await readFile(path.join(folder, 'other')))]).to.deep.equal([255]);
      expect(await readdir(folder)).to.deep.equal(['kept', 'other']);
      expect(draftName(file)).not.to.equal(draftName(file));
      expect(path.dirname(draftName(file))).to.equal(folder);
    }));

  it('is no pipe, which others use', () =>
    inFolder({}, async (folder) => {
      const pipe = path.join(folder, 'pipe');
      makePipe(pipe);
      const other = await open(pipe, 'r+');
      await other.write('x');
      expect(await failure(draftFile(pipe, 'new'))).to.equal('Error: it is not a regular file');
      expect(await failure(readBeginning(pipe, 1))).to.equal('Error: it is not a regular file');
      await other.close();
      expect([(await stat(pipe)).isFIFO(), await readdir(folder)]).to.deep.equal([true, ['pipe']]);
    }));

  it('is where links lead, also if nothing is there yet', () =>
    inFolder({ kept: 'old', 'folder/x': '' }, async (folder) => {
      const at = (name: string): string => path.join(folder, name);
      await symlink('../kept', at('folder/one'));
      await symlink('folder/two', at('first'));
      await symlink('../new', at('folder/two'));
      await symlink('loop', at('loop'));
      await mkdir(at('deep/inner'), { recursive: true });
      await symlink('deep/inner', at('out'));
      await symlink('../up', at('deep/inner/three'));
      await symlink('out/../four', at('four'));
      await symlink('none/../out', at('out of none'));
      const names = ['kept', 'other', 'none/x', 'folder/one', 'first', 'out/three', 'four'];
      const found = await Promise.all(names.map((name) => linkedFile(at(name))));
      expect(found).to.deep.equal(['kept', 'other', 'none/x', 'kept', 'new', 'deep/up', 'deep/four'].map(at));
      expect(await failure(linkedFile(at('loop')))).to.equal('ELOOP');
      expect(await failure(linkedFile(at('out of none')))).to.equal('ENOENT');
    }));

  it('is overwritten if it is mounted by itself, and its draft is kept if that fails', function () {
    return mounted(this, SMALL, async (disk) => {
      const [inside, file] = [path.join(disk, 'inside'), `${disk}.json`];
      await Promise.all([inside, file].map((name) => writeFile(name, 'old text', { mode: 0o644 })));
      await promisify(execFile)('mount', ['--bind', inside, file]);
      try {
        await (await draftFile(file, 'new')).accept();
        const names = await readdir(path.dirname(file));
        expect([await readFile(inside, 'utf8'), names]).to.deep.equal(['new', ['disk', 'disk.json']]);
        expect((await stat(inside)).mode & 0o777).to.equal(0o644);
        expect(await failure(replaceFile(file, 'newer'))).to.equal('EBUSY');
        const long = 'x'.repeat(100_000);
        const [why, kept] = (await failure((await draftFile(file, long)).accept())).split('; the new content is in ');
        expect(why).to.equal('Error: no space left on device');
        expect(await readFile(kept ?? '', 'utf8')).to.equal(long);
        expect(await readdir(path.dirname(file))).to.have.members([path.basename(kept ?? ''), 'disk', 'disk.json']);
      } finally {
        await promisify(execFile)('umount', [file]);
      }
    });
  });

  it('is overwritten from a draft that a process does not remove when it exits', function () {
    return mounted(this, SMALL, async (disk) => {
      const [inside, file] = [`${disk}.fifo`, `${disk}.json`];
      await promisify(execFile)('mkfifo', [inside]);
      await writeFile(file, '');
      await promisify(execFile)('mount', ['--bind', inside, file]);
      try {
        const long = 'x'.repeat(200_000);
        const draft = draftName(file);
        await writeFile(draft, long);
        const accepted = failure(acceptDraft(draft, file));
        const reader = createReadStream(inside);
        // It has begun, and cannot end before all is read.
        await once(reader, 'readable');
        await rm(draft, { force: true });
        const [kept = ''] = (await readdir(path.dirname(file))).filter((name) => name.startsWith('.'));
        expect(await readFile(path.join(path.dirname(file), kept), 'utf8')).to.equal(long);
        reader.resume();
        expect(await accepted).to.match(/; the new content is in /);
        await once(reader, 'close');
      } finally {
        await promisify(execFile)('umount', [file]);
      }
    });
  });

  it('stays as it is after a failure, without a draft', () =>
    inFolder({ kept: 'old', 'folder/x': '' }, async (folder) => {
      const file = path.join(folder, 'kept');
      const failing = replaceFile(file, 'new', () => Promise.reject(new Error('no sync')));
      expect(await failure(failing)).to.equal('Error: no sync');
      expect(await failure(replaceFile(path.join(folder, 'folder'), 'new'))).to.equal('EISDIR');
      expect(await failure(replaceFile(path.join(folder, 'none/x'), 'new'))).to.equal('ENOENT');
      expect([await readFile(file, 'utf8'), await readdir(folder)]).to.deep.equal(['old', ['folder', 'kept']]);
    }));

  it('is read from its beginning', () =>
    inFolder({ long: 'abcdef', short: 'ab' }, async (folder) => {
      const beginning = async (name: string) => (await readBeginning(path.join(folder, name), 3))?.toString();
      expect([await beginning('long'), await beginning('short'), await beginning('none')]).to.deep.equal([
        'abc',
        'ab',
        undefined,
      ]);
      expect(await failure(beginning('.'))).to.equal('EISDIR');
      const descriptors = '/proc/self/fd'; // On Linux only.
      const links = (await readdir(descriptors).catch(() => [])).map((name) =>
        readlink(path.join(descriptors, name)).catch(() => ''),
      );
      expect(await Promise.all(links)).not.to.include(path.join(folder, 'long'));
    }));
});

describe('a private file', () => {
  it('tells what other users can do with it', () =>
    inFolder({ file: '' }, async (folder) => {
      const file = path.join(folder, 'file');
      const said: unknown[] = [];
      for (const mode of [0o600, 0o640, 0o604, 0o622, 0o666, 0o620, 0o711]) {
        await chmod(file, mode);
        said.push(whatOthersCan(file));
      }
      const [read, write] = ['read', 'write to'];
      expect(said).to.deep.equal([undefined, read, read, write, `${read} and ${write}`, write, undefined]);
      expect(whatOthersCan(path.join(folder, 'none'))).to.equal(undefined);
    }));

  it('is not private if others can write it, unless its folder is sticky', () =>
    inFolder({ file: '' }, async (folder) => {
      const [file, made] = [path.join(folder, 'file'), path.join(folder, 'made')];
      await mkdir(made);
      await chmod(file, 0o602);
      await chmod(made, 0o1777);
      expect([whyNotPrivate(file), whyNotPrivate(made), whyNotPrivate(path.join(folder, 'none'))]).to.deep.equal([
        'it is world-writable',
        undefined,
        undefined,
      ]);
      await chmod(file, 0o600);
      expect(whyNotPrivate(file)).to.equal(undefined);
    }));
});
