import { open, rename } from 'node:fs/promises';
import { expect } from 'chai';
import { whyFailed } from '../../../src/core/files/file_error.js';

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
