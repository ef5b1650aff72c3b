import { expect } from 'chai';
import { Diagnostics, placeText } from '../../../src/core/model/source/diagnostic.js';
import { readLimit, type LimitPart } from '../../../src/launch/load/limits.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

interface Read {
  /** The patterns; those from a file follow their position. */
  readonly parts: readonly string[] | undefined;
  readonly said: readonly string[];
}

function read(limit: string): Promise<Read> {
  return inFolder({ failed: 'lb1\n\n  lb2  \n# a comment\n!lb3\r\n', empty: '\n# nothing\n' }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const parts = await readLimit(limit, cwd, diagnostics);
    return { parts: parts?.map(partText), said: diagnostics.list.map(worded) };
  });
}

function partText({ pattern, source }: LimitPart): string {
  return source === undefined ? pattern : `${placeText(source)} ${pattern}`;
}

describe('--limit', () => {
  const table: readonly (readonly [string, string])[] = [
    ['emea', 'emea'],
    ['emea:!lb7', 'emea\n!lb7'],
    ['emea[1', 'emea[1'],
    ['all,!fd00::7', 'all\n!fd00::7,'],
    ['@failed', 'failed:1:1 lb1\nfailed:3:3 lb2\nfailed:5:1 !lb3'],
    ['emea:@failed', 'emea\nfailed:1:1 lb1\nfailed:3:3 lb2\nfailed:5:1 !lb3'],
    ['@empty,lb9', 'lb9'],
  ];
  for (const [limit, pattern] of table) {
    it(`${limit} → ${pattern.replaceAll('\n', ' | ')}`, async () => {
      expect(await read(limit)).to.deep.equal({ parts: pattern.split('\n'), said: [] });
    });
  }

  const mistakes: readonly (readonly [string, string])[] = [
    ['', 'the limit is empty: it names no controllers — omit --limit to select all of them'],
    [' , ', 'the limit is empty: it names no controllers — omit --limit to select all of them'],
    ['@empty', 'the limit is empty: it names no controllers — omit --limit to select all of them'],
    ['@', '"@" in a limit must be followed by the name of a file'],
    ...['gone', 'retry', 'site-retry', 'site.retry.txt'].map(
      (file) => [`lb1,@${file}`, `cannot read the limit file ${file}: there is no such file`] as const,
    ),
    ...['.retry', 'site.retry'].map(
      (file) =>
        [
          `@${file}`,
          `cannot read the limit file ${file}: there is no such file — no run writes it: --rerun last runs where the last run failed`,
        ] as const,
    ),
  ];
  for (const [limit, message] of mistakes) {
    it(`"${limit}": ${message}`, async () => {
      expect(await read(limit)).to.deep.equal({ parts: undefined, said: [message] });
    });
  }
});
