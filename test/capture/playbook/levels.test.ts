import { expect } from 'chai';
import { Levels, type CaptureGroup, type CaptureLevel } from '../../../src/capture/playbook/levels.js';
import type { Content } from '../../../src/capture/playbook/yaml_file.js';

const ALL = ['a', 'b', 'c', 'd', 'e', 'f'];
const group = (name: string, members: string): CaptureGroup => ({ name, members: members.split('') });
const shown = (level: CaptureLevel): string => (level.type === 'all' ? 'all' : `${level.type} ${level.name}`);

describe('the levels that contain some controllers', () => {
  const groups = [
    group('everything', 'abcdef'),
    group('abc', 'abc'),
    group('bc', 'bc'),
    group('also-bc', 'bc'),
    group('one', 'd'),
    group('ef', 'ef'),
  ];
  const covering = (members: string): readonly string[] =>
    new Levels(ALL, groups).covering(new Set(members)).map(shown);
  for (const [members, levels] of [
    ['abcdef', ['all']],
    ['abc', ['group abc']],
    ['abcd', ['group abc', 'controller d']],
    // Of two groups with the same members, the most specific.
    ['bc', ['group also-bc']],
    ['bcd', ['group also-bc', 'controller d']],
    ['abcef', ['group abc', 'group ef']],
    ['ae', ['controller a', 'controller e']],
    ['', []],
  ] as const)
    it(`are ${levels.join(', ')} for "${members}"`, () => {
      expect(covering(members)).to.deep.equal(levels);
    });

  it('are those of the majority with more than half', () => {
    const levels = new Levels(ALL, groups);
    expect(['abc', 'abcd', 'abcdef'].map((members) => levels.isMajority(new Set(members)))).to.deep.equal([
      false,
      true,
      true,
    ]);
  });
});

describe('the level of a value', () => {
  const groups = [group('abcd', 'abcd'), group('abc', 'abc'), group('ef', 'ef'), group('def', 'def')];
  /** @param values `1` of each controller in order; `0`: null; `-`: none; ` `: it is not asked about */
  const placed = (values: string): Readonly<Record<string, Content>> => {
    const levels = new Levels(ALL, groups);
    const own = values
      .split('')
      .flatMap((value, at) =>
        value === ' ' ? [] : [[ALL[at] ?? '', value === '-' ? undefined : Number(value) || null] as const],
      );
    levels.set({ type: 'all' }, 'other', 'x');
    levels.place('v', new Map(own), 'nothing');
    const all = [
      { type: 'all' } as const,
      ...groups.map(({ name }) => ({ type: 'group', name }) as const),
      ...ALL.map((name) => ({ type: 'controller', name }) as const),
    ];
    const found = all.flatMap((level) => {
      const { v } = levels.contentByName(level);
      return v === undefined ? [] : [[shown(level), v] as const];
    });
    return Object.fromEntries(found);
  };
  const ones = (names: string, value: Content) =>
    Object.fromEntries(names.split('').map((name) => [`controller ${name}`, value]));

  for (const [what, values, expected] of [
    ['all, if all share it', '111111', { all: 1 }],
    ['all, if more than half share it, and each exception', '111123', { all: 1, 'controller e': 2, 'controller f': 3 }],
    [
      'each controller, if no more than two share it',
      '123123',
      { ...ones('ad', 1), ...ones('be', 2), ...ones('cf', 3) },
    ],
    ['a group that shares another', '111122', { all: 1, 'group ef': 2 }],
    ['groups that share it, if it is not that of more than half', '111222', { 'group abc': 1, 'group def': 2 }],
    ['nothing for those that must not see it', '1111--', { all: 1, 'group ef': 'nothing' }],
    ['nothing for one that must not see it', '11111-', { all: 1, 'controller f': 'nothing' }],
    ['null for those that have that', '00001-', { all: null, 'controller e': 1, 'controller f': 'nothing' }],
    ['those alone that have it, if few have', '1-----', { 'controller a': 1 }],
    ['a group of those that have it', '----22', { 'group ef': 2 }],
    [
      'a group, and an exception in it',
      '211134',
      { 'group abcd': 1, ...ones('a', 2), ...ones('e', 3), ...ones('f', 4) },
    ],
    [
      'a group, and nothing for one in it that must not see it',
      '-22234',
      { 'group abcd': 2, ...ones('a', 'nothing'), ...ones('e', 3), ...ones('f', 4) },
    ],
    [
      'a group with only one exception in three, which costs as much',
      '211334',
      { ...ones('a', 2), ...ones('bc', 1), ...ones('de', 3), ...ones('f', 4) },
    ],
    ['those that are asked about', '11  22', { 'group abcd': 1, 'group def': 2 }],
    ['all, of those that are asked about', '111 2 ', { all: 1, 'controller e': 2 }],
  ] as const)
    it(`is ${what}: ${values}`, () => {
      expect(placed(values)).to.deep.equal(expected);
    });

  it('is in the order of names, beside other variables of its level', () => {
    const levels = new Levels(ALL, groups);
    for (const name of ['b', 'a', 'c']) levels.set({ type: 'group', name: 'abc' }, name, name);
    levels.set({ type: 'controller', name: 'abc' }, 'd', 1);
    levels.set({ type: 'group', name: 'abc' }, 'a', 'new');
    expect(Object.entries(levels.contentByName({ type: 'group', name: 'abc' }))).to.deep.equal([
      ['a', 'new'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
    expect(levels.contentByName({ type: 'controller', name: 'abc' })).to.deep.equal({ d: 1 });
    expect(levels.contentByName({ type: 'all' })).to.deep.equal({});
  });
});
