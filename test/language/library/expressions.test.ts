import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { evaluate } from '../../../src/language/render.js';
import { evaluateLazy } from '../../../src/language/runtime/result.js';
import { HERE, variables } from '../scopes.js';

const SERVERS = [
  { name: 'a', port: 80, zone: 'z1' },
  { name: 'b', port: 8443, zone: 'z2', tls: true },
  { name: 'c', port: 443, zone: 'z1' },
];

/** What expressions of each form are in Ansible. */
const CALLS: Readonly<Record<string, readonly (readonly [expression: string, value: Value])[]>> = {
  YAML: [
    ['{"b": [1, {"c": null}], "a": "x y"} | to_yaml', 'a: x y\nb:\n- 1\n- {c: null}\n'],
    ['{"b": [1, {"c": none}], "a": "x y"} | to_yaml', 'a: x y\nb:\n- 1\n- {c: null}\n'],
    ['{"b": 1, "a": 2} | to_yaml(sort_keys=false)', '{b: 1, a: 2}\n'],
    ['{"b": [1, [2]], "a": {}} | to_nice_yaml', 'a: {}\nb:\n- 1\n-   - 2\n'],
    ['{"b": [1, [2]], "a": {}} | to_nice_yaml(indent=2)', 'a: {}\nb:\n- 1\n- - 2\n'],
    ['{"a": {"b": {"c": 1}}} | to_nice_yaml(indent=8)', 'a:\n        b:\n                c: 1\n'],
    [
      '{"text": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"} | to_yaml',
      '{text: one two three four five six seven eight nine ten eleven twelve thirteen fourteen\n    fifteen}\n',
    ],
    [
      '{"text": "one two three four five six seven"} | to_yaml(width=20)',
      '{text: one two three four\n    five six seven}\n',
    ],
    ['{"a": 1} | to_yaml(explicit_start=true)', '--- {a: 1}\n'],
    [String.raw`"a\nb\n" | to_yaml`, "'a\n\n  b\n\n  '\n"],
    [String.raw`"a\nb\n" | to_nice_yaml`, "'a\n\n    b\n\n    '\n"],
    ['5 | to_yaml', '5\n'],
    [
      String.raw`"a: 1\nb: [x, 'y', \"z\"]\nc: |\n  one\n  two\nd: >\n  one\n  two\ne: ~\nf: 0x1f\ng: 0o17\nh: 1_000\ni: 12:30\nj: yes\nk: !!str 5\nl: &x 1\nm: *x" | from_yaml`,
      {
        a: 1,
        b: ['x', 'y', 'z'],
        c: 'one\ntwo\n',
        d: 'one two\n',
        e: null,
        f: 31,
        g: '0o17',
        h: 1000,
        i: 750,
        j: true,
        k: '5',
        l: 1,
        m: 1,
      },
    ],
    [
      String.raw`"- 1.5\n- 1e3\n- .inf\n- -5\n- 017\n- 2026-01-01" | from_yaml | map("string")`,
      ['1.5', '1e3', 'inf', '-5', '15', '2026-01-01'],
    ],
    [
      String.raw`["x\u0007\u0000\b\t\n\u000b\f\r\u001b\"\\\u0085\u00a0\u2028\u2029\ufeff"] | to_yaml`,
      '["x\\a\\0\\b\\t\\n\\v\\f\\r\\e\\"\\\\\\N \\L\\P\\uFEFF"]\n',
    ],
    [String.raw`["x\u0007é\u00ad\u200b"] | to_yaml`, '["x\\aé­​"]\n'],
  ],
  'points in time': [
    [
      '"%a %A %b %B %d %e %H %I %M %S %p %y %Y %m %j %Z %z %%" | strftime(86461, true)',
      'Fri Friday Jan January 02  2 00 12 01 01 AM 70 1970 01 002 UTC +0000 %',
    ],
    [
      '"%D|%F|%T|%R|%r|%c|%x|%X|%h|%n|%t|%s" | strftime(86461, true)',
      '01/02/70|1970-01-02|00:01:01|00:01|12:01:01 AM|Fri Jan  2 00:01:01 1970|01/02/70|00:01:01|Jan|\n|\t|86461',
    ],
    ['"%G-W%V" | strftime(1767225600, true)', '2026-W01'],
    ['"%U %W %w %u" | strftime(951782400, true)', '09 09 2 2'],
    ['("2026-03-01 12:30:45" | to_datetime - "2026-02-28 12:30:44" | to_datetime).total_seconds()', 86401],
    ['("01 Mar 26 01:05 PM" | to_datetime("%d %b %y %I:%M %p")).strftime("%Y-%m-%d %H:%M")', '2026-03-01 13:05'],
    ['("60 2026" | to_datetime("%j %Y")).strftime("%m-%d")', '03-01'],
    ['("March 5 2026" | to_datetime("%B %d %Y")).strftime("%a %d")', 'Thu 05'],
  ],
  'lookups and chance': [
    ['[1, 2, 3, 4, 5] | shuffle(seed="a")', [2, 4, 5, 1, 3]],
    ['[1, 2, 3, 4, 5] | random(seed="a")', 3],
    ['100 | random(seed="lb1")', 13],
    ['100 | random(start=10, step=5, seed="lb1")', 25],
    ['"52:54:00" | random_mac(seed="lb1")', '52:54:00:2e:55:fe'],
    ['["a", "b", "c"] | shuffle(seed=5)', ['a', 'b', 'c']],
    ['10 | random(1, 3, "x")', 7],
    ['lookup("sequence", "start=1 end=4")', '1,2,3,4'],
    ['query("sequence", "count=3 format=lb%02d")', ['lb01', 'lb02', 'lb03']],
    ['query("sequence", "start=10 end=4 stride=-3")', ['10', '7', '4']],
    ['query("sequence", "start=0x05 count=2 format=%x")', ['5', '6']],
    [
      'query("nested", [1, 2], ["a"])',
      [
        [1, 'a'],
        [2, 'a'],
      ],
    ],
    [
      'query("together", [1, 2], ["a"])',
      [
        [1, 'a'],
        [2, null],
      ],
    ],
    ['query("flattened", [1, [2]], 3)', [1, 2, 3]],
    [
      'query("indexed_items", ["a", "b"])',
      [
        [0, 'a'],
        [1, 'b'],
      ],
    ],
    ['query("subelements", [{"n": 1, "l": [1, 2]}], "l") | map("last")', [1, 2]],
    ['query("dict", {"a": 1})', [{ key: 'a', value: 1 }]],
    ['query("list", [1], 2)', [[1], 2]],
    ['query("items", [1, [2]], 3)', [1, [2], 3]],
    ['query("varnames", "^serv")', ['servers']],
    ['lookup("vars", "gone", default="x")', 'x'],
    ['lookup("items", [1, 2], wantlist=true)', [1, 2]],
    ['lookup("list", 1, 2)', [1, 2]],
  ],
  expressions: [
    ['"ab"[0]', 'a'],
    ['[1, 2, 3][1]', 2],
    ['{"a": [1, {"b": 2}]}.a[1].b', 2],
    ['{"a b": 1}["a b"]', 1],
    ['[1, 2, 3] | first', 1],
    ['(1, 2)[1]', 2],
    ['1 if 2 > 1 else 3', 1],
    ['"a" if none else "b"', 'b'],
    ['-2 ** 2', 4],
    ['2 * 3 + 4 * 5', 26],
    ['(2 + 3) * 4', 20],
    ['2 + 3 * 4 ** 2', 50],
    ['7 % 4 * 2', 6],
    ['10 - 2 - 3', 5],
    ['100 / 10 / 2', 5],
    ['1 - -1', 2],
    ['not true or true', true],
    ['not (true or true)', false],
    ['true and false or true', true],
    ['true or false and false', true],
    ['1 == 1 and 2 != 2', false],
    ['1 < 2 and 2 < 3', true],
    ['[1, 2] + [3] == [1, 2, 3]', true],
    ['"a" in ["a"] and not "b" in ["a"]', true],
    ['"a" not in "b"', true],
    ['5 is defined and 5 is not none', true],
    ['gone is defined', false],
    ['gone is not defined', true],
    ['servers[9] is defined', false],
    ['servers[0].gone is defined', false],
    ['servers | length > 2', true],
    ['servers | map(attribute="name") | join("-") | upper', 'A-B-C'],
    ['"%s" % "a"', 'a'],
    ['"%s-%d" % ("a", 5)', 'a-5'],
    ['"{0}-{1}".format("a", 5)', 'a-5'],
    ['"{a:>4}|{b:<4}|{c:^5}".format(a=1, b=2, c=3)', '   1|2   |  3  '],
    ['"{:05.1f}|{:+d}|{:x}|{:,}".format(3.14159, 5, 255, 1234567)', '003.1|+5|ff|1,234,567'],
    ['"a-b".split("-")[1]', 'b'],
    ['"a,b".split(",") | map("upper") | list', ['A', 'B']],
    ['"abc".replace("b", "x").upper()', 'AXC'],
    ['"abc".startswith(("x", "a"))', true],
    ['" a ".strip() ~ "|"', 'a|'],
    ['"a".join(["1", "2"])', '1a2'],
    ['"aXbX".count("X")', 2],
    ['"abc".index("c")', 2],
    [String.raw`"a\tb\\n"`, 'a\tb\\n'],
    [String.raw`"\x41\u00e9\101"`, 'AéA'],
    ['0x1f + 0o17 + 0b11 + 1_000', 1049],
    ['1.5e3', 1500],
    ['[1, 2,]', [1, 2]],
    ['{"a": 1,}', { a: 1 }],
    ['(1,)', [1]],
    ['dict(a=1, b=2)', { a: 1, b: 2 }],
    ['range(3) | list', [0, 1, 2]],
    ['namespace(a=1).a', 1],
    ['{"a": 1}.items() | list', [['a', 1]]],
    ['{"b": 1, "a": 2} | dictsort | map("first")', ['a', 'b']],
    ['[1, 2, 3] | map("pow", 2)', [1, 4, 9]],
    ['[[1, 2], [3]] | sum(start=[])', [1, 2, 3]],
  ],
};

describe('expressions and their values', () => {
  const scope = variables({ servers: SERVERS });
  for (const [about, calls] of Object.entries(CALLS))
    it(`are those of Ansible for ${about}`, () => {
      const found = calls.map(([expression]) => [expression, evaluateLazy(evaluate(expression, scope, HERE))]);
      expect(found).to.deep.equal(calls);
    });
});
