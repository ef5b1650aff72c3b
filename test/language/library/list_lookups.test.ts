import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { Library } from '../../../src/language/library.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import { evaluate } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, HERE, layer } from '../scopes.js';

describe('lookups of lists, variables and files', () => {
  let folder = '';
  let scope: Variables;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-lists-'));
    await mkdir(path.join(folder, 'files'));
    await writeFile(path.join(folder, 'files/banner.txt'), '  hello \n\n');
    await writeFile(path.join(folder, 'beside.txt'), 'x');
    const library = new Library(BUILT_IN).with({ cwd: folder });
    const values = { playbook_dir: folder, port_eu: 443, port_us: 80, zone: 'eu' };
    scope = new Variables([layer(values)], undefined, undefined, library);
  });

  after(() => rm(folder, { recursive: true }));

  const results: readonly (readonly [expression: string, value: Value])[] = [
    ['query("items", [1, 2], 3, [[4]])', [1, 2, 3, [4]]],
    ['query("list", [1, 2], 3)', [[1, 2], 3]],
    ['query("flattened", [[1]], [2, [[3, 4]]], 5)', [1, 2, 3, 4, 5]],
    [
      'query("dict", {"a": 1, "b": {"c": 2}})',
      [
        { key: 'a', value: 1 },
        { key: 'b', value: { c: 2 } },
      ],
    ],
    [
      'query("dict", {"a": 1}, {"b": 2})',
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
      ],
    ],
    [
      'query("indexed_items", ["a", "b"], "c")',
      [
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
      ],
    ],
    [
      'query("nested", [1, 2], ["a", ["b"]])',
      [
        [1, 'a'],
        [1, 'b'],
        [2, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'query("cartesian", [1, 2], 3)',
      [
        [1, 3],
        [2, 3],
      ],
    ],
    [
      'query("together", [1, 2, 3], ["a", "b"])',
      [
        [1, 'a'],
        [2, 'b'],
        [3, null],
      ],
    ],
    [
      'query("together", {"x": 1, "y": 2}, "ab")',
      [
        ['x', 'ab'],
        ['y', null],
      ],
    ],
    [
      'query("subelements", [{"n": 1, "l": [2, 3]}, {"n": 4, "l": [5]}], "l")',
      [
        [{ n: 1 }, 2],
        [{ n: 1 }, 3],
        [{ n: 4 }, 5],
      ],
    ],
    ['query("subelements", {"a": {"n": 1, "i": {"l": [2], "m": 3}}}, "i.l")', [[{ n: 1, i: { m: 3 } }, 2]]],
    ['query("subelements", [{"n": 1}, {"n": 2, "l": [3]}], "l", {"skip_missing": true})', [[{ n: 2 }, 3]]],
    [
      'query("subelements", [{"n": 1, "l": [2], "skipped": true}, {"n": 3, "l": [4], "skipped": false}], "l")',
      [[{ n: 3, skipped: false }, 4]],
    ],
    ['query("subelements", {"skipped": true, "l": [1]}, "l")', []],
    ['query("sequence", "5")', ['1', '2', '3', '4', '5']],
    ['query("sequence", "2-10/3")', ['2', '5', '8']],
    ['query("sequence", "0x8-0xa:lb%02x")', ['lb08', 'lb09', 'lb0a']],
    ['query("sequence", "4:host%02d")', ['host01', 'host02', 'host03', 'host04']],
    ['query("sequence", "start=1 end=10 stride=4")', ['1', '5', '9']],
    ['query("sequence", "start=10 end=1 stride=-4")', ['10', '6', '2']],
    ['query("sequence", "count=3 start=0 stride=5")', ['0', '5', '10']],
    ['query("sequence", "count=3 start=10 stride=-5")', ['10', '5', '0']],
    ['query("sequence", "count=0")', []],
    ['query("sequence", "start=5 end=5")', ['5']],
    ['query("sequence", start=1, end=2)', ['1', '2']],
    ['query("sequence", "start=2", start=1, end=3, format="a%d")', ['a2', 'a3']],
    ['query("sequence", {"start": 1, "count": 2}, "3-4")', ['1', '2', '3', '4']],
    ['query("sequence", "start=0o10 end=+9")', ['8', '9']],
    ['query("sequence", "start=1 end=2 stride=0")', []],
    [`query("sequence", "end=2 format='%d'")`, ['1', '2']],
    ['query("sequence", [])', []],
    ['query("varnames", "^port_")', ['port_eu', 'port_us']],
    ['query("varnames", "eu$", "^zone")', ['port_eu', 'zone']],
    ['query("vars", "zone", "port_eu")', ['eu', 443]],
    ['query("vars", "none", "zone", default=5)', [5, 'eu']],
    ['lookup("file", "files/banner.txt", lstrip=true)', 'hello'],
    ['lookup("file", "files/banner.txt", rstrip=false)', '  hello \n\n'],
    ['lookup("file", "files/banner.txt", lstrip=true, rstrip=false)', 'hello \n\n'],
    ['query("first_found", files="gone, beside.txt") | map("basename")', ['beside.txt']],
    ['query("first_found", files=["banner.txt"], paths="gone:files") | map("basename")', ['banner.txt']],
    ['query("first_found", {"files": "gone"}, {"files": "beside.txt"}) | map("basename")', ['beside.txt']],
    [
      'query("first_found", {"files": "beside.txt", "paths": "."}, {"files": "gone", "paths": "files"}) | map("basename")',
      ['beside.txt'],
    ],
    ['query("first_found", "gone", {"files": "gone2", "skip": true})', []],
  ];
  for (const [expression, value] of results)
    it(expression, () => {
      expect(evaluate(expression, scope, HERE)).to.deep.equal(value);
    });

  const refusals: readonly (readonly [expression: string, message: string])[] = [
    ['query("dict", [1])', 'query: a mapping is needed, not the number 1'],
    ['query("cartesian")', 'query: it needs at least one list'],
    ['query("subelements", [{"n": 1}], "l")', 'an item has no "l"; it has n'],
    ['query("subelements", [{"n": 1}], "l", {"skip_missing": false})', 'an item has no "l"; it has n'],
    ['query("subelements", [{"n": 1, "l": 5}], "l")', 'query: "l" must be a list, not the number 5'],
    [
      'query("subelements", [])',
      'query: it needs a list of mappings, the key of a list in them, and perhaps {"skip_missing": true}',
    ],
    [
      'query("subelements", [], "a", {}, 1)',
      'query: it needs a list of mappings, the key of a list in them, and perhaps {"skip_missing": true}',
    ],
    [
      'query("subelements", [], 5)',
      'query: it needs a list of mappings, the key of a list in them, and perhaps {"skip_missing": true}',
    ],
    ['query("sequence", "start=5 end=1")', 'with_sequence: to count backwards make stride negative'],
    ['query("sequence", "start=1 end=5 stride=-1")', "with_sequence: to count forward don't make stride negative"],
    ['query("sequence", "start=1")', 'with_sequence needs either end or count'],
    ['query("sequence", "start=1 end=2 count=2")', 'with_sequence needs either end or count'],
    ['query("sequence", "end=x")', 'with_sequence: end must be a whole number, not "x"'],
    ['query("sequence", "a b")', 'with_sequence cannot read "a" — write it as: start=1 end=10 stride=2'],
    ['query("sequence", "=5")', 'with_sequence cannot read "=5" — write it as: start=1 end=10 stride=2'],
    ['query("sequence", "end=5 step=2")', 'with_sequence does not know step'],
    [
      'query("sequence", "end=2 format=%f")',
      'with_sequence cannot use the format "%f" — one of %d, %x, %o, such as "lb%02d"',
    ],
    [
      'query("sequence", "end=2 format=x")',
      'with_sequence cannot use the format "x" — one of %d, %x, %o, such as "lb%02d"',
    ],
    ['query("sequence", true)', 'query: it needs a text such as "start=1 end=5", not true'],
    ['query("sequence", "end=1000001")', 'with_sequence: 1000001 numbers are too many'],
    [
      'query("first_found", {"files": "gone", "skip": true}, "gone")',
      'query: none of gone, gone exists — looked in files, .',
    ],
    ['query("first_found", {"paths": "files"})', 'query: no file name was given — looked in files, .'],
    ['query("first_found", "gone", nowhere, skip=true)', 'variable "nowhere" is not defined'],
    ['query("first_found", "gone", nowhere)', 'variable "nowhere" is not defined'],
    ['query("first_found", ["gone", "more"])', 'query: none of gone, more exists — looked in files, .'],
  ];
  for (const [expression, message] of refusals)
    it(`${expression} is refused`, () => {
      const error = failure(() => evaluate(expression, scope, HERE));
      expect(error).to.be.instanceOf(TemplateError);
      const { message: said, hint } = error as TemplateError;
      expect(hint === undefined ? said : `${said} — ${hint}`).to.equal(message);
    });

  it('are tests of files, of both paths', () => {
    const test = (name: string, ...paths: readonly string[]): unknown => {
      const [one = '', ...others] = paths.map((one) => JSON.stringify(path.join(folder, one)));
      return evaluate(`${one} is ${name}${others.length === 0 ? '' : `(${others.join()})`}`, scope, HERE);
    };
    for (const [name, file, directory, missing] of [
      ['file', true, false, false],
      ['directory', false, true, false],
      ['exists', true, true, false],
      ['link_exists', true, true, false],
      ['link', false, false, false],
      ['mount', false, false, false],
    ] as const)
      expect(
        ['beside.txt', 'files', 'none'].map((one) => test(name, one)),
        name,
      ).to.deep.equal([file, directory, missing]);
    expect([test('same_file', 'files', './files/.'), test('same_file', 'files', 'beside.txt')]).to.deep.equal([
      true,
      false,
    ]);
    for (const paths of [
      ['none', 'files'],
      ['files', 'none'],
    ])
      expect(() => test('same_file', ...paths)).to.throw(`there is no file "${path.join(folder, 'none')}"`);
    expect(evaluate('"/" is mount', scope, HERE)).to.equal(true);
  });
});
