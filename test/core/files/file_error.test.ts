import { open, rename } from 'node:fs/promises';
import { expect } from 'chai';
import { isFileError, whyFailed, whyUnreadable, whyUnwritable } from '../../../src/core/files/paths.js';

describe('why an operation on a file failed', () => {
  for (const [what, act] of [
    ['opening', () => open('a\0b')],
    ['renaming', () => rename('/tmp/missing', 'a\0b')],
  ] as const)
    it(`says that its name contains a zero byte: ${what}`, async () => {
      const reason: unknown = await act().then(undefined, (error: unknown) => error);
      expect(whyFailed(reason)).to.equal('the name contains a zero byte');
    });
});

describe('the reason of an error of files', () => {
  const coded = (code: unknown, more: object = {}) => Object.assign(new Error('as it is'), { code }, more);
  const NO_FILE = 'there is no such file';

  for (const [code, unreadable, unwritable] of [
    ['ENOENT', NO_FILE, 'its folder does not exist'],
    ['ENOTDIR', NO_FILE, 'a part of its path is a file, not a folder'],
    ['EISDIR', 'it is a folder', 'it is a folder'],
    ['EACCES', 'permission denied', 'permission denied'],
    ['EPERM', 'permission denied', 'permission denied'],
    ['ELOOP', 'its links form a loop', 'its links form a loop'],
    ['ENAMETOOLONG', 'the name is too long', 'the name is too long'],
    ['ENXIO', 'it is a socket', 'it is a socket'],
    ['EIO', 'reading it failed', 'reading it failed'],
    ['ERR_INVALID_ARG_VALUE', 'the name contains a zero byte', 'the name contains a zero byte'],
    ['ERR_ENCODING_INVALID_ENCODED_DATA', 'it is not UTF-8 text', 'it is not UTF-8 text'],
    ['EOTHER', 'as it is', 'as it is'],
    [5, 'as it is', 'as it is'],
  ] as const)
    it(`is in words for ${code}`, () => {
      expect([whyUnreadable(coded(code)), whyUnwritable(coded(code))]).to.deep.equal([unreadable, unwritable]);
    });

  it('is in the words of the system for files of Evenkeel', () => {
    expect(whyFailed(coded('ENOSPC', { errno: -28 }))).to.equal('no space left on device');
    expect([
      whyUnwritable(coded('ENOSPC', { errno: -28 })),
      whyUnreadable(coded('ENOSPC', { errno: -28 })),
    ]).to.deep.equal(['no space left on device', 'as it is']);
    expect([
      whyFailed(coded('X', { errno: 'x' })),
      whyFailed(coded('X', { errno: 1e9 })),
      whyFailed('text'),
    ]).to.deep.equal(['as it is', 'as it is', 'text']);
    expect([
      isFileError({ code: 'EIO' }, 'EIO'),
      isFileError(coded('EIO'), 'EIO'),
      isFileError(undefined, 'EIO'),
    ]).to.deep.equal([false, true, false]);
  });
});
