import { expect } from 'chai';
import { readLimit } from '../../src/load/limit.js';
import { Diagnostics } from '../../src/model/diagnostic.js';
import { inFolder } from '../rig/folder.js';
import { worded } from '../rig/loaded.js';

function read(limit: string): Promise<{ pattern: string | undefined; said: readonly string[] }> {
  return inFolder({ failed: 'lb1\n\n  lb2  \n# a comment\n!lb3\r\n', empty: '\n# nothing\n' }, async (cwd) => {
    const diagnostics = new Diagnostics();
    return { pattern: await readLimit(limit, cwd, diagnostics), said: diagnostics.list.map(worded) };
  });
}

describe('--limit', () => {
  const table: readonly (readonly [string, string])[] = [
    ['emea', 'emea'],
    ['emea:!lb7', 'emea\n!lb7'],
    ['@failed', 'lb1\nlb2\n!lb3'],
    ['emea:@failed', 'emea\nlb1\nlb2\n!lb3'],
    ['@empty,lb9', 'lb9'],
  ];
  for (const [limit, pattern] of table) {
    it(`${limit} → ${pattern.replaceAll('\n', ' | ')}`, async () => {
      expect(await read(limit)).to.deep.equal({ pattern, said: [] });
    });
  }

  const mistakes: readonly (readonly [string, string])[] = [
    ['', 'the limit is empty: it names no controllers — leave --limit out to mean all of them'],
    [' , ', 'the limit is empty: it names no controllers — leave --limit out to mean all of them'],
    ['@empty', 'the limit is empty: it names no controllers — leave --limit out to mean all of them'],
    ['@', '"@" in a limit must be followed by the name of a file'],
    ['lb1,@gone', 'cannot read the limit file gone: there is no such file'],
  ];
  for (const [limit, message] of mistakes) {
    it(`"${limit}": ${message}`, async () => {
      expect(await read(limit)).to.deep.equal({ pattern: undefined, said: [message] });
    });
  }
});
