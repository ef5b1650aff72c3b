import { expect } from 'chai';
import { upToList } from '../../../src/reporting/diff/change_groups.js';
import { commonItems, differences } from '../../../src/reporting/diff/differences.js';

/** All lists of these letters up to a length. */
function lists(letters: readonly string[], length: number): readonly (readonly string[])[] {
  if (length === 0) return [[]];
  const shorter = lists(letters, length - 1);
  const longest = shorter.filter((one) => one.length === length - 1);
  return [...shorter, ...longest.flatMap((one) => letters.map((letter) => [...one, letter]))];
}

/** The length of the longest common subsequence, by its definition. */
function longest([a, ...left]: readonly string[], [b, ...right]: readonly string[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a === b) return 1 + longest(left, right);
  return Math.max(longest([a, ...left], right), longest(left, [b, ...right]));
}

const shown = (before: readonly string[], after: readonly string[]): readonly string[] =>
  differences({ kind: 'update', object: 'x', before: { l: before }, after: { l: after } }).map((one) => {
    const old = 'before' in one ? `-${JSON.stringify(one.before)}` : '';
    const now = 'after' in one ? `+${JSON.stringify(one.after)}` : '';
    return `${one.type} ${one.path.join('.')} ${old}${now}`.replaceAll('"', '');
  });

describe('the differences of two lists', () => {
  it('leave as many elements as possible, each with its equal, in order', () => {
    const all = [...lists(['a', 'b', 'c'], 3), ...lists(['a', 'b'], 4)];
    for (const before of all)
      for (const after of all) {
        const common = commonItems(before, after);
        const about = `${before.join('')} ${after.join('')}`;
        expect(common.length, about).to.equal(longest(before, after));
        let last: readonly [number, number] = [-1, -1];
        for (const pair of common) {
          const [left, right] = pair;
          if (before[left] !== after[right] || left <= last[0] || right <= last[1]) expect.fail(about);
          last = pair;
        }
      }
  });

  it('have the places of removed elements in the old list, and of others in the new one', () => {
    const list = (text: string): readonly string[] => text.split('');
    for (const [before, after, expected] of [
      ['abcd', 'axcd', ['replaced l.1 -b+x']],
      ['abcd', 'acd', ['removed l.1 -b']],
      ['acd', 'abcd', ['added l.1 +b']],
      ['abcde', 'xbyde', ['replaced l.0 -a+x', 'replaced l.2 -c+y']],
      ['abc', 'xyzbc', ['replaced l.0 -a+x', 'added l.1 +y', 'added l.2 +z']],
      ['xyzbc', 'abc', ['replaced l.0 -x+a', 'removed l.1 -y', 'removed l.2 -z']],
      ['xabyc', 'abzwc', ['removed l.0 -x', 'replaced l.2 -y+z', 'added l.3 +w']],
      ['abc', 'abcxy', ['added l.3 +x', 'added l.4 +y']],
      ['abcxy', 'abc', ['removed l.3 -x', 'removed l.4 -y']],
      ['aab', 'ab', ['removed l.1 -a']],
      ['abc', 'abc', []],
    ] as const)
      expect(shown(list(before), list(after)), `${before} ${after}`).to.deep.equal(expected);
    expect([upToList(['l', 3, 'x']), upToList(['l', 'x'])]).to.deep.equal([['l'], ['l', 'x']]);
  });
});
