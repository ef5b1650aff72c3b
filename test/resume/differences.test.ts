import { expect } from 'chai';
import type { Fingerprint } from '../../src/launch/request/invocation.js';
import { differencesSince, otherPlays } from '../../src/resume/differences.js';
import { worded } from '../rig/loaded.js';

const THEN: Fingerprint = {
  version: '1.0.0',
  files: { 'site.yml': 'a', 'vars.yml': 'b' },
  programs: { './one': 'c', './two': 'd' },
  controllers: ['lb1', 'lb2'],
};
const names = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `lb${from + at}`);

describe('what has changed since a run started', () => {
  for (const [what, now, expected] of [
    ['nothing', {}, []],
    ['the version', { version: '1.1.0' }, ['this is evenkeel 1.1.0, and the run was started with 1.0.0']],
    [
      'files',
      { files: { 'vars.yml': 'x', 'new.yml': 'y' } },
      ['site.yml is no longer read', 'vars.yml has changed', 'new.yml was not read when the run started'],
    ],
    ['the output of a program', { programs: { './one': 'c', './two': 'x' } }, ['"./two" prints different output now']],
    ['a program less', { programs: { './two': 'd', './three': 'e' } }, ['"./one" prints different output now']],
    [
      'controllers',
      { controllers: ['lb3', 'lb2'] },
      ['1 controller is new in the inventory: lb3', '1 controller is gone from the inventory: lb1'],
    ],
    [
      'many controllers',
      { controllers: names(3, 8) },
      [
        '6 controllers are new in the inventory: lb3, lb4, lb5, lb6, lb7 and 1 more',
        '2 controllers are gone from the inventory: lb1, lb2',
      ],
    ],
    ['the order of the inventory', { controllers: ['lb2', 'lb1'] }, []],
  ] as const)
    it(what, () => {
      expect(differencesSince(THEN, { ...THEN, ...now } as Fingerprint)).to.deep.equal(expected);
    });

  it('files, of which an encrypted one may have another password only', () => {
    const now = { ...THEN, files: { 'site.yml': 'x', 'vars.yml': 'x' } };
    expect(differencesSince(THEN, now, new Set(['vars.yml']))).to.deep.equal([
      'site.yml has changed',
      'vars.yml has changed; if only its vault password has (vault rekey), --force resumes the run as it was',
    ]);
  });
});

describe('the plays that a run had started', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[], number, number | undefined])[] = [
    ['are the same', ['a', 'b', 'c'], ['a', 'b', 'c'], 3, undefined],
    ['may be followed by others', ['a', 'b'], ['a', 'b', 'c'], 2, undefined],
    ['may be followed by others in place of those that had not started', ['a', 'b'], ['a', 'c'], 1, undefined],
    ['are not in their places', ['a', 'b'], ['b', 'a'], 2, 1],
    ['lack the second', ['a', 'b'], ['a', 'c'], 2, 2],
    ['are gone', ['a', 'b'], [], 1, 1],
    ['have a new one of the same name', ['a', 'b'], ['a', 'b', 'a'], 1, 1],
    ['were none', ['a', 'b'], [], 0, undefined],
    ['were not recorded', [], ['a'], 0, undefined],
  ];
  for (const [what, then, now, begun, wrong] of cases)
    it(what, () => {
      const said = otherPlays({ plays: [...then] }, { plays: [...now] }, begun).map(worded);
      expect(said).to.deep.equal(
        wrong === undefined
          ? []
          : [
              `play ${wrong} had started, but cannot be identified now: plays were added, removed, renamed or moved — restore the order of the plays that had started; add new plays after them, with other names`,
            ],
      );
    });

  it('are nothing where a version recorded none', () => {
    expect(otherPlays({}, { plays: ['a'] }, 1)).to.deep.equal([]);
    expect(otherPlays({ plays: ['a'] }, {}, 1)).to.have.lengthOf(1);
  });
});
