import { expect } from 'chai';
import type { Value } from '../../src/core/model/values/value.js';
import { renderText } from '../../src/language/render.js';
import type { Gap } from '../../src/language/runtime/frame.js';
import { Variables } from '../../src/language/scope.js';
import { layer } from './scopes.js';

class Watching extends Variables {
  readonly gaps: Gap[] = [];

  override gap(one: Gap): void {
    this.gaps.push(one);
  }
}

/** The parts of a text that gave nothing. */
function gapsOf(text: string): readonly Gap[] {
  const scope = new Watching([layer({ empty: '', nil: null, name: 'x', zero: 0, on: { a: '', b: 'y' } })]);
  renderText(text, scope);
  return scope.gaps;
}

describe('an expression in a text that gives nothing', () => {
  const cases: readonly [
    text: string,
    gaps: readonly (readonly [written: string, value: Value, path?: readonly string[]])[],
  ][] = [
    ['a{{ empty }}b{{ name }}', [['empty', '', ['empty']]]],
    [
      '{{ nil }}-{{ empty }}',
      [
        ['nil', null, ['nil']],
        ['empty', '', ['empty']],
      ],
    ],
    ['a{{ on.a }}{{ on.b }}{{ zero }}', [['on.a', '', ['on', 'a']]]],
    ['a{{ empty | upper }}', [['empty | upper', '']]],
    ['a{{ missing | default(empty) }}', [['missing | default(empty)', '']]],
    ['a{{ name if zero else empty }}', [['name if zero else empty', '']]],
    ["a{{ missing | default('') }}", []],
    ["a{{ missing | default('') | upper }}", []],
    ["a{{ '' }}", []],
    ['a{{ empty | default }}', []],
    ['a{{ empty | d }}', []],
    ["a{{ empty | default('', true) }}", []],
    ["a{{ name if zero else '' }}", []],
    ['a{{ name if zero }}', []],
    ['a{% if name %}{{ empty }}{% endif %}b', [['empty', '', ['empty']]]],
    ['a{% if zero %}{{ empty }}{% endif %}b', []],
    ['a{% if zero %}{{ name }}{% elif name %}{{ nil }}{% else %}{{ empty }}{% endif %}', [['nil', null, ['nil']]]],
  ];
  for (const [text, gaps] of cases)
    it(`is in ${text}: ${gaps.map(([written]) => written).join(', ') || 'nowhere'}`, () => {
      expect(gapsOf(text).map(({ written, value, path }) => [written, value, path])).to.deep.equal(
        gaps.map(([written, value, path]) => [written, value, path]),
      );
    });
});
