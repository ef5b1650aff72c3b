import { expect } from 'chai';
import type { Loop } from '../../../src/model/playbook.js';
import type { Value } from '../../../src/model/value.js';
import { loopItems } from '../../../src/run/loop/loop_items.js';
import { loopVariables } from '../../../src/run/loop/loop_variables.js';
import { sequence } from '../../../src/template/library/sequence.js';

describe('loop items', () => {
  const table: readonly [Loop['kind'], Value, readonly Value[]][] = [
    ['loop', [1, [2, 3]], [1, [2, 3]]],
    ['loop', [], []],
    ['with_list', ['a', ['b']], ['a', ['b']]],
    ['with_items', ['a', ['b', ['c']]], ['a', 'b', ['c']]],
    ['with_items', 'a', ['a']],
    [
      'with_dict',
      { a: 1, b: { c: 2 } },
      [
        { key: 'a', value: 1 },
        { key: 'b', value: { c: 2 } },
      ],
    ],
    [
      'with_dict',
      [{ a: 1 }, { b: 2 }],
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
      ],
    ],
    ['with_sequence', 'start=1 end=3', ['1', '2', '3']],
    ['with_sequence', ['count=2', 'start=7 end=8'], ['1', '2', '7', '8']],
    ['with_sequence', { start: 4, end: 6, stride: 2 }, ['4', '6']],
    ['with_sequence', 2, ['1', '2']],
  ];
  for (const [kind, value, items] of table) {
    it(`${kind}: ${JSON.stringify(value)}`, () => {
      expect(loopItems(kind, value)).to.deep.equal(items);
    });
  }

  const mistakes: readonly [Loop['kind'], Value, string][] = [
    ['loop', 'abc', 'loop needs a list, not the text "abc"'],
    ['loop', { a: 1 }, 'loop needs a list, not a mapping'],
    ['with_list', null, 'with_list needs a list, not null'],
    ['with_dict', [1], 'with_dict needs a mapping, not the number 1'],
    ['with_sequence', true, 'with_sequence needs a text such as "start=1 end=5", not true'],
  ];
  for (const [kind, value, message] of mistakes) {
    it(`${kind}: ${JSON.stringify(value)} is a mistake`, () => {
      expect(() => loopItems(kind, value)).to.throw(message);
    });
  }
});

describe('with_sequence', () => {
  // Recorded from ansible-core 2.14.
  const table: readonly [string, readonly string[]][] = [
    ['5', ['1', '2', '3', '4', '5']],
    ['5-8', ['5', '6', '7', '8']],
    ['2-10/2', ['2', '4', '6', '8', '10']],
    ['4:host%02d', ['host01', 'host02', 'host03', 'host04']],
    ['start=5 end=11 stride=2 format=0x%02x', ['0x05', '0x07', '0x09', '0x0b']],
    ['count=5', ['1', '2', '3', '4', '5']],
    ['start=0x0f00 count=4 format=%04x', ['0f00', '0f01', '0f02', '0f03']],
    ['start=0 count=5 stride=2', ['0', '2', '4', '6', '8']],
    ['start=1 count=5 stride=2', ['1', '3', '5', '7', '9']],
    ['start=3 end=1 stride=-1', ['3', '2', '1']],
    ['start=10 end=0 stride=-5', ['10', '5', '0']],
    ['count=0', []],
    ['start=9 end=11 format="lb%3d.example"', ['lb  9.example', 'lb 10.example', 'lb 11.example']],
    ['start=8 end=9 format=%o', ['10', '11']],
    ['start=-2 end=0 format=%03d', ['-02', '-01', '000']],
  ];
  for (const [term, texts] of table) {
    it(term, () => {
      expect(sequence(term)).to.deep.equal(texts);
    });
  }

  const mistakes: readonly [string, string][] = [
    ['start=1', 'with_sequence needs either end or count'],
    ['end=2 count=3', 'with_sequence needs either end or count'],
    ['start=5 end=1', 'with_sequence: to count backwards make stride negative'],
    ['start=1 end=5 stride=-1', "with_sequence: to count forward don't make stride negative"],
    ['end=x', 'with_sequence: end must be a whole number, not "x"'],
    ['end=5 step=2', 'with_sequence does not know step'],
    ['end=5 format=lb', 'with_sequence cannot use the format "lb"'],
    ['one two', 'with_sequence cannot read "one"'],
  ];
  for (const [term, message] of mistakes) {
    it(`${term} is a mistake`, () => {
      expect(() => sequence(term)).to.throw(message);
    });
  }
});

describe('loop variables', () => {
  const loop: Loop = {
    kind: 'loop',
    over: { value: [], source: { file: 'site.yml', line: 1, column: 1 } },
    variable: 'cloud',
    indexVariable: 'number',
    label: undefined,
    pause: undefined,
    extended: true,
    breakWhen: undefined,
    parallel: undefined,
  };

  it('are the item, its index and, if extended, ansible_loop', () => {
    expect(loopVariables(loop, ['a', 'b', 'c'], 1)).to.deep.equal({
      cloud: 'b',
      ansible_loop_var: 'cloud',
      number: 1,
      ansible_index_var: 'number',
      ansible_loop: {
        allitems: ['a', 'b', 'c'],
        index: 2,
        index0: 1,
        first: false,
        last: false,
        length: 3,
        revindex: 2,
        revindex0: 1,
        previtem: 'a',
        nextitem: 'c',
      },
    });
  });

  it('have no neighbours beyond the ends', () => {
    const { ansible_loop: extended } = loopVariables(loop, ['a'], 0);
    expect(extended).to.include({ first: true, last: true }).and.not.have.any.keys('previtem', 'nextitem');
  });
});
