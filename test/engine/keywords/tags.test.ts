import { expect } from 'chai';
import { isSelected } from '../../../src/engine/keywords/selected_steps.js';

// own tags, --tags, --skip-tags, whether it runs; each line was checked against ansible-core 2.14's evaluate_tags.
const table: readonly [string, string, string, boolean][] = [
  ['', '', '', true],
  ['a', '', '', true],
  ['a', 'a', '', true],
  ['a b', 'b', '', true],
  ['a', 'b', '', false],
  ['', 'a', '', false],
  ['', 'untagged', '', true],
  ['a', 'untagged', '', false],
  ['a', 'tagged', '', true],
  ['', 'tagged', '', false],
  ['a', 'all', '', true],
  ['always', 'a', '', true],
  ['always', 'untagged', '', true],
  ['always', '', 'always', false],
  ['always', 'a', 'always', false],
  ['never', '', '', false],
  ['never', 'all', '', false],
  ['never', 'tagged', '', false],
  ['never', 'never', '', true],
  ['never a', 'a', '', true],
  ['never a', 'b', '', false],
  ['never always', 'b', '', true],
  ['a', '', 'a', false],
  ['a b', 'a', 'b', false],
  ['', '', 'a', true],
  ['a', '', 'tagged', false],
  ['', '', 'tagged', true],
  ['', '', 'untagged', false],
  ['a', '', 'all', false],
  ['always', '', 'all', true],
  ['always', '', 'all always', false],
  ['always a', '', 'all a', true],
  ['a', '', 'all always', false],
];

describe('tags', () => {
  const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');
  for (const [own, tags, skipTags, runs] of table) {
    it(`[${own}] --tags [${tags}] --skip-tags [${skipTags}]: ${runs ? 'runs' : 'stays out'}`, () => {
      expect(isSelected(words(own), { tags: words(tags), skipTags: words(skipTags) })).to.equal(runs);
    });
  }
});
