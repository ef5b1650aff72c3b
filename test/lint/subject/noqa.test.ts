import { expect } from 'chai';
import { exemptionsIn, hasReason, isExempt, unknownRulesIn } from '../../../src/lint/subject/noqa.js';

const LINES = [
  'ignore_errors: true # it may be gone', // 1
  'ignore_errors: true', // 2
  '# it may be gone', // 3
  'ignore_errors: true', // 4
  'ignore_errors: true # noqa', // 5
  '  # noqa ignore-errors', // 6
  'ignore_errors: true', // 7
  'ignore_errors: true #', // 8
  'url: https://a/#fragment', // 9
  'setting = on ; it may be gone', // 10
  '   ; it may be gone', // 11
  'setting = on', // 12
  '#!tight', // 13
  '', // 14
  'ignore_errors: true #noqa: it may be gone', // 15
  'ignore_errors: true', // 16
];

function reasons(...places: readonly number[]): boolean {
  return hasReason(
    (file) => (file === 'a.yml' ? LINES : undefined),
    ...places.map((line) => ({ file: 'a.yml', line, column: 1 })),
  );
}

describe('The reason for what a rule finds', () => {
  const rows: readonly (readonly [line: number, why: string, is: boolean])[] = [
    [1, 'a comment on its line', true],
    [2, 'a comment behind the line above is about that line', false],
    [3, 'the comment itself', true],
    [4, 'a comment above it', true],
    [5, 'an exemption is no reason', false],
    [6, 'nor is one with the name of a rule', false],
    [7, 'nor one above it', false],
    [8, 'nor an empty comment', false],
    [9, 'nor a # within a word', false],
    [10, 'a ; starts a comment, too', true],
    [11, 'with blanks in front', true],
    [12, 'and above a line', true],
    [13, 'blanks behind the # may be missing', true],
    [14, 'above an empty line', true],
    [15, 'an exemption with other words is one', false],
    [16, 'also above a line', false],
    [17, 'behind the end', false],
    [40, 'far behind the end', false],
  ];
  for (const [line, why, is] of rows) it(`in line ${line}: ${why}`, () => expect(reasons(line)).to.equal(is));

  it('is in one of several places', () => {
    expect(reasons(2, 1)).to.equal(true);
    expect(reasons(1, 2)).to.equal(true);
    expect(reasons(2, 5)).to.equal(false);
    expect(reasons()).to.equal(false);
  });

  it('is not in a file that was not read', () => {
    expect(hasReason(() => undefined, { file: 'a.yml', line: 1, column: 1 })).to.equal(false);
  });

  it('is looked for in the file of each place', () => {
    const texts: Readonly<Record<string, readonly string[]>> = { 'a.yml': ['x'], 'b.yml': ['x # because'] };
    const inFile = (file: string): boolean => hasReason((name) => texts[name], { file, line: 1, column: 1 });
    expect([inFile('a.yml'), inFile('b.yml')]).to.deep.equal([false, true]);
  });
});

describe('A line that exempts itself', () => {
  const rows: readonly (readonly [rule: string, line: string | undefined, is: boolean])[] = [
    ['name', undefined, false],
    ['name', 'a: 1', false],
    ['name', 'a: 1 # noqa', true],
    ['name', 'a: 1 # noqa name', true],
    ['name', 'a: 1 # noqa names', false],
    ['name', 'a: 1 # noqa yaml name', true],
    ['name-template', 'a: 1 # noqa name', false],
    ['name', 'a: 1 # noqa name[missing]', true],
    ['all', 'a: 1 # noqa name', false],
  ];
  for (const [rule, line, is] of rows)
    it(`from ${rule}: ${JSON.stringify(line)} ${is}`, () => expect(isExempt(rule, line)).to.equal(is));

  it('ends its list at the next comment, and takes blanks and commas between names', () => {
    expect(exemptionsIn('a # noqa: a,b , c\td # e')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(exemptionsIn('a # noqa:')).to.equal('all');
    expect(exemptionsIn('a # noqa-name')).to.equal(undefined);
    expect(exemptionsIn('a #  noqa  name')).to.deep.equal(['name']);
    expect(exemptionsIn('a # why # noqa name')).to.deep.equal(['name']);
  });
});

describe('The misspelt rules of # noqa', () => {
  const RULES = ['name', 'ignore-errors', 'no-handler'];
  const unknown = (...lines: readonly string[]): readonly string[] =>
    unknownRulesIn('a.yml', lines, RULES).map(
      ({ message, hint, source: { file, line, column } }) =>
        `${file}:${line}:${column} ${/noqa (.*?)"/.exec(message)?.[1]} ${/"(.*)"/.exec(hint ?? '')?.[1]}`,
    );

  it('are found where they are, line by line', () => {
    expect(unknown('a # noqa nmae', 'b', '  c # noqa name no-handlr', '# noqa ignore_errors')).to.deep.equal([
      'a.yml:1:10 nmae name',
      'a.yml:3:17 no-handlr no-handler',
      'a.yml:4:8 ignore_errors ignore-errors',
    ]);
  });

  it('are not looked for in front of the comment', () => {
    expect(unknown('nmae: 1 # noqa nmae')).to.deep.equal(['a.yml:1:16 nmae name']);
  });

  it('are neither the rules that there are, nor those of others, nor all', () => {
    expect(unknown('a # noqa', 'a # noqa name', 'a # noqa yaml fqcn', 'a # nmae', '')).to.deep.equal([]);
  });
});
