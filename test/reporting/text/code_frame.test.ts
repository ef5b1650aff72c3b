import { expect } from 'chai';
import { codeFrame, type FrameWriter } from '../../../src/reporting/text/code_frame.js';
import { colourWanted, createPalette } from '../../../src/reporting/text/palette.js';
import { oneLine, plain, safeJson } from '../../../src/reporting/text/plain.js';
import { displayPath, displayPlace, SourceFiles } from '../../../src/reporting/text/source_files.js';
import { inFolder } from '../../rig/folder.js';

function frame(
  lines: readonly string[],
  place: string,
  given: Partial<FrameWriter> = {},
  from?: number,
): readonly string[] {
  const [line = 0, column = 0] = place.split(':').map(Number);
  const writer = { palette: createPalette(false), mask: (text: string) => text, ...given };
  return codeFrame(lines, { file: 'x.yml', line, column }, writer, from);
}

const LINES = ['one: 1', '', 'three: "a b"', '  four: {{ x }}', '\tfive', '', ''];

describe('the frame of a position', () => {
  const cases: readonly [
    what: string,
    place: string,
    given: Partial<FrameWriter>,
    from: number | undefined,
    shown: readonly string[],
  ][] = [
    [
      'has two lines around it',
      '3:8',
      {},
      undefined,
      ['  |', '1 | one: 1', '2 |', '3 | three: "a b"', '  |        ^^^^^', '4 |   four: {{ x }}', '5 |   five'],
    ],
    ['begins with the first line', '1:1', {}, undefined, ['  |', '1 | one: 1', '  | ^^^', '2 |', '3 | three: "a b"']],
    [
      'leaves out blank lines at its end',
      '5:2',
      {},
      undefined,
      ['  |', '3 | three: "a b"', '4 |   four: {{ x }}', '5 |   five', '  |   ^^^^'],
    ],
    [
      'underlines a template',
      '4:9',
      {},
      undefined,
      ['  |', '2 |', '3 | three: "a b"', '4 |   four: {{ x }}', '  |         ^^^^^^^', '5 |   five'],
    ],
    [
      'has one mark where there is no word',
      '2:1',
      {},
      undefined,
      ['  |', '1 | one: 1', '2 |', '  | ^', '3 | three: "a b"', '4 |   four: {{ x }}'],
    ],
    [
      'begins earlier if asked',
      '4:3',
      {},
      1,
      ['  |', '1 | one: 1', '2 |', '3 | three: "a b"', '4 |   four: {{ x }}', '  |   ^^^^', '5 |   five'],
    ],
    [
      'does not begin later',
      '3:1',
      {},
      3,
      ['  |', '1 | one: 1', '2 |', '3 | three: "a b"', '  | ^^^^^', '4 |   four: {{ x }}', '5 |   five'],
    ],
    [
      'underlines a text in quotes, with quotes in it',
      '1:4',
      { brief: false },
      undefined,
      ['  |', '1 | one: 1', '  |    ^', '2 |', '3 | three: "a b"'],
    ],
    ['is the line alone if brief', '3:8', { brief: true }, undefined, ['3 | three: "a b"']],
    ['is empty for a line that is not there', '8:1', {}, undefined, []],
  ];
  for (const [what, place, given, from, shown] of cases)
    it(what, () => {
      expect(frame(LINES, place, given, from)).to.deep.equal(shown);
    });

  it('has numbers of equal width', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `l${at + 1}`);
    expect(frame(lines, '9:1').map((line) => line.slice(0, 5))).to.deep.equal([
      '   |',
      ' 7 | ',
      ' 8 | ',
      ' 9 | ',
      '   | ',
      '10 | ',
      '11 | ',
    ]);
  });

  it('shows the part of a long line around the position', () => {
    const line = Array.from({ length: 30 }, (_, at) => `word${at + 10}`).join(' ');
    const shown = (column: number, columns?: number) => frame([line], `1:${column}`, { columns }).slice(1);
    expect(shown(1)).to.deep.equal([`1 | ${line.slice(0, 120)}…`, '  | ^^^^^^']);
    expect(shown(99)).to.deep.equal([`1 | ${line.slice(0, 120)}…`, `  | ${' '.repeat(98)}^^^^^^`]);
    expect(shown(106)).to.deep.equal([`1 | …${line.slice(46, 166)}…`, `  | ${' '.repeat(60)}^^^^^^`]);
    expect(shown(205)).to.deep.equal([`1 | …${line.slice(145)}`, `  | ${' '.repeat(60)}^^^^^`]);
    expect(shown(1, 60)[0]).to.equal(`1 | ${line.slice(0, 51)}…`);
    expect(shown(1, 20)[0]).to.equal(`1 | ${line.slice(0, 40)}…`);
    expect(shown(21, 20)).to.deep.equal([`1 | …${line.slice(1, 41)}…`, `  | ${' '.repeat(20)}^`]);
    expect(frame([`a: ${'x'.repeat(100)}`], '1:4', { columns: 40 }).slice(1)).to.deep.equal([
      `1 | a: ${'x'.repeat(37)}…`,
      `  |    ${'^'.repeat(37)}`,
    ]);
    expect(frame(['x'.repeat(120)], '1:1').at(1)).to.equal(`1 | ${'x'.repeat(120)}`);
    expect(frame([`${'x'.repeat(99)} ${'y'.repeat(20)}`], '1:101').at(1)).to.equal(
      `1 | ${'x'.repeat(99)} ${'y'.repeat(20)}`,
    );
    expect(frame([`${'x '.repeat(50)}${'y'.repeat(40)}`], '1:100').slice(1)).to.deep.equal([
      `1 | ${'x '.repeat(50)}${'y'.repeat(20)}…`,
      `  | ${' '.repeat(99)}^`,
    ]);
  });

  it('finds the position behind a masked secret', () => {
    const mask = (text: string): string => text.replaceAll('hunter2', '********');
    const line = 'cmd: run hunter2 x then hunter2 x end';
    expect(frame([line], '1:18', { mask }).slice(1)).to.deep.equal([
      '1 | cmd: run ******** x then ******** x end',
      '  |                   ^',
    ]);
    expect(frame([line], '1:33', { mask })[2]).to.equal('  |                                   ^');
    expect(frame(['hunter2 x hunter2 x hunter2'], '1:9', { mask })[2]).to.equal('  |          ^');
    expect(frame(['a: hunter2'], '1:4', { mask })[2]).to.equal('  |    ^^^^^^^^');
    // Of each word, however often it is there, on either side of the secrets.
    for (const text of ['x hunter2 y x hunter2 z x', 'ab hunter2 hunter2 ab cd ab', 'hun x hunter2 hun hunter2 hunt x'])
      for (const { index, 0: word } of text.matchAll(/\b(?!hunter2)\w+/g)) {
        const shown = mask(word);
        const before = ' '.repeat(mask(text.slice(0, index)).length);
        const caret = `  | ${before}${'^'.repeat(shown.length)}`;
        expect(frame([text], `1:${index + 1}`, { mask })[2], `${text} ${index}`).to.equal(caret);
      }
    expect(frame(['user: x', 'password: abc'], '2:11')[2]).to.equal('2 | password: ********');
  });
});

describe('text from elsewhere', () => {
  for (const [given, shown, line] of [
    ['plain', 'plain', 'plain'],
    ['a\tb\r\n  c', 'a\tb\n  c', 'a b c'],
    ['\n a \n', '\n a \n', 'a'],
    ['\u001b[31mred\u001b[0m\u0007', 'red', 'red'],
    ['a\u202eb\u2028c\u0085', 'abc', 'abc'],
    ['ü\rx', 'üx', 'üx'],
  ] as const)
    it(`is safe for a terminal: ${JSON.stringify(given)}`, () => {
      expect([plain(given), oneLine(given)]).to.deep.equal([shown, line]);
    });

  it('is safe as JSON', () => {
    expect(safeJson({ a: 'x\u007f\u2028\u202e\u009f', b: [1] })).to.equal(
      String.raw`{"a":"x\u007f\u2028\u202e\u009f","b":[1]}`,
    );
  });
});

describe('colours', () => {
  const tty = { isTTY: true };
  for (const [stream, env, option, wanted] of [
    [tty, {}, undefined, true],
    [tty, {}, true, true],
    [tty, {}, false, false],
    [{}, {}, undefined, false],
    [{ isTTY: false }, {}, true, false],
    [tty, { NO_COLOR: '' }, undefined, true],
    [tty, { NO_COLOR: '1', FORCE_COLOR: '1' }, undefined, false],
    [{}, { FORCE_COLOR: '' }, undefined, true],
    [{}, { FORCE_COLOR: '1' }, false, false],
    [tty, { FORCE_COLOR: '0' }, undefined, false],
    [tty, { FORCE_COLOR: 'false' }, undefined, false],
    [tty, { TERM: 'dumb' }, undefined, false],
    [tty, { TERM: 'xterm', CI: '' }, undefined, false],
  ] as const)
    it(`are ${wanted ? '' : 'not '}wanted: ${JSON.stringify([stream, env, option])}`, () => {
      expect(colourWanted(stream, env, option)).to.equal(wanted);
    });

  it('are one for each meaning', () => {
    const { good, changed, bad, warning, faint, strong, place } = createPalette(true);
    const codes = [good, changed, bad, warning, faint, strong, place].map((paint) =>
      paint('x').split('x')[0]?.slice(2),
    );
    expect(codes).to.deep.equal(['32m', '33m', '31m', '35m', '2m', '1m', '36m']);
    expect(createPalette(false).bad('x')).to.equal('x');
  });
});

describe('files in messages', () => {
  it('are named from the working directory if they are inside', () => {
    const names = [
      '/work/a.yml',
      '/work',
      '/',
      '/other/a.yml',
      '/work/../x',
      '/work/..a',
      'a/b.yml',
      '/work/\u001b[1mx',
    ];
    expect(names.map((name) => displayPath(name, '/work'))).to.deep.equal([
      'a.yml',
      '/work',
      '/',
      '/other/a.yml',
      '/work/../x',
      '..a',
      'a/b.yml',
      'x',
    ]);
    expect(displayPlace({ file: '/work/a.yml', line: 3, column: 7 }, '/work')).to.equal('a.yml:3:7');
  });

  it('are left out if the run has read another text', () =>
    inFolder({ 'a.yml': '\uFEFFone', 'b.yml': 'two', 'vault.yml': '$ANSIBLE_VAULT;1.1;AES256\n61\n' }, (cwd) => {
      const files = new SourceFiles(cwd, (path, text) => path !== `${cwd}/a.yml` || text !== 'one');
      const shown = ['a.yml', 'b.yml', 'vault.yml', 'missing'].map((name) => [
        files.isChanged(name),
        files.lines(name),
      ]);
      expect(shown).to.deep.equal([
        [false, ['one']],
        [true, undefined],
        [false, undefined],
        [false, undefined],
      ]);
      return Promise.resolve();
    }));

  it('are read once, unless they are encrypted or no files', () =>
    inFolder({ 'a.yml': 'one\r\ntwo\n', 'vault.yml': '$ANSIBLE_VAULT;1.1;AES256\n61\n', 'folder/x': '' }, (cwd) => {
      const files = new SourceFiles(cwd);
      expect(files.lines('a.yml')).to.deep.equal(['one', 'two', '']);
      expect(files.lines(`${cwd}/a.yml`)).to.equal(files.lines('a.yml'));
      expect(['vault.yml', 'folder', 'missing'].map((name) => files.lines(name))).to.deep.equal(
        Array(3).fill(undefined),
      );
      return Promise.resolve();
    }));
});
