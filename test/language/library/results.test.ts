import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { evaluate } from '../../../src/language/render.js';
import { HERE, variables } from '../scopes.js';

const scope = variables({
  m: { keep: 1, other: 2, inner: { keep: 3, x: 4 }, texts: ['a'], mixed: ['a', { keep: 5 }] },
  rows: [{ a: 'X', n: 1 }, { a: 'x', n: 2 }, { n: 3 }],
  l: [{ n: 1, l: [2] }, { n: 3 }],
});

const KEPT = { keep: 1, inner: { keep: 3 }, mixed: ['a', { keep: 5 }] };

describe('filters, tests and operators give', () => {
  const lists: readonly (readonly [expression: string, value: Value])[] = [
    ['rows | selectattr("a", "defined") | groupby("a", case_sensitive=true) | map("first") | list', ['X', 'x']],
    ['rows | groupby("a", default="x") | map("last") | map("length") | list', [3]],
    ['[{"a": 2}, {"a": 1}, {"a": true}, {"a": 1.0}] | groupby("a") | map("last") | map("length") | list', [3, 1]],
    ['[{"a": "x"}, {"a": "b"}, {"a": "X"}] | groupby("a") | map("first") | list', ['b', 'x']],
    ['m | keep_keys(target=["keep"])', KEPT],
    ['[{"a": 1, "b": 2}] | replace_keys(target=[{"before": "a", "after": "b"}])', [{ b: 1 }]],
    ['{"a": {"a": 1}} | replace_keys(target=[{"before": "a", "after": "c"}])', { c: { c: 1 } }],
    ['[[{"k": 1, "a": [1]}], [{"k": 1, "a": [2]}]] | lists_mergeby("k")', [{ k: 1, a: [2] }]],
    ['[[{"k": 1, "a": [1]}], [{"k": 1, "a": [2]}]] | lists_mergeby("k", list_merge="append")', [{ k: 1, a: [1, 2] }]],
    ['[[{"k": 2}], [{"k": 1}, {"x": 1}]] | lists_mergeby("k")', [{ k: 1 }, { k: 2 }]],
    ['{"a": 1} | combine(none, {"b": 2})', { a: 1, b: 2 }],
    ['{"a": {"x": 1}} | combine({"a": 5}, recursive=true)', { a: 5 }],
    ['{"a": {"x": 1}} | combine({"a": {"y": 2}}, recursive=true)', { a: { x: 1, y: 2 } }],
    ['{"a": {"x": 1}} | combine({"a": {"y": 2}})', { a: { y: 2 } }],
    ['l | subelements("l", {"skip_missing": true})', [[{ n: 1, l: [2] }, 2]]],
    ['["a", 1, "a", 1, [1], [1]] | unique', ['a', 1, [1]]],
    [
      '[[true, 1, 2, 0, false] | unique, [0, true, [1], [true], 1] | unique]',
      [
        [true, 2, 0],
        [0, true, [1]],
      ],
    ],
    ['[["A", "a"] | unique, ["A", "a"] | unique(true)]', [['A'], ['A', 'a']]],
    ['["a", "b"] | param_list_compare(["all", "!a", "c"])', { actionable: ['b'], unsupported: ['c'] }],
    ['[[0] * 3, 3 * [0], "ab" * 2, 2 * "ab", 2 * 3]', [[0, 0, 0], [0, 0, 0], 'abab', 'abab', 6]],
  ];
  const texts: readonly (readonly [expression: string, value: Value])[] = [
    [
      '[true, none, 1.5, {}, [], "", 12345678901234567890] | map("type_debug") | join(" ")',
      'bool NoneType float dict list str int',
    ],
    ['["-ffffffffffffffffff" | int(0, 16), "-ff" | int(0, 16)]', [-4722366482869645213695n, -255]],
    ['[true | float, "1_000" | int, "nan" | float | string]', [1, 1000, 'nan']],
    [
      '["%.2r" % "abc", "%a" % "ü", "%.2a" % "ü", "%d" % true]',
      ["'a", String.raw`'\xfc'`, String.raw`'\ `.trim(), '1'],
    ],
    [
      '["%#.0e" % 5, "%#.0f" % 5, "%g" % 0.00001, "%#g" % 1, "%G" % 1e20]',
      ['5.e+00', '5.', '1e-05', '1.00000', '1E+20'],
    ],
    [
      '"%+d % d %05d %-5d|%#x %#o %X %.3d %c%c" % [1, 2, 3, 4, 255, 8, 255, 5, "a", 98]',
      '+1  2 00003 4    |0xff 0o10 FF 005 ab',
    ],
    [
      '["{:.3}".format(3.14159), "{:.2}".format("abc"), "{:5.2}|".format("abc"), "{:.2s}".format("abc")]',
      ['3.14', 'ab', 'ab   |', 'ab'],
    ],
    ['"{:>5}|{:<5}|{:^5}|{:*^7}".format(1, "a", "b", "c")', '    1|a    |  b  |***c***'],
    ['"{:,} {:+} {:.1%} {:05d}".format(1234567.5, 5, 0.256, -3)', '1,234,567.5 +5 25.6% -0003'],
    [
      '["a longword b" | wordwrap(4), "a longword b" | wordwrap(4, false), "aaaa    bbbb" | wordwrap(5)]',
      ['a lo\nngwo\nrd b', 'a\nlongword\nb', 'aaaa\nbbbb'],
    ],
    ['["abc" | removesuffix(""), "abc" | removesuffix("c"), "abc" | removesuffix("b")]', ['abc', 'ab', 'abc']],
    ['["  a  " | trim, "xxaxx" | trim("x"), "" | trim, "  " | trim]', ['a', 'a', '', '']],
    [
      '[".x", "a/.x.y", "a.b/c", "..a", "a.tar.gz"] | map("splitext") | list',
      [
        ['.x', ''],
        ['a/.x', '.y'],
        ['a.b/c', ''],
        ['..a', ''],
        ['a.tar', '.gz'],
      ],
    ],
    ['"${EVENKEEL_NOT_SET} $" | expandvars', '${EVENKEEL_NOT_SET} $'],
    [
      '"HTTP://u:p@[::1]:80/p?q#f" | urlsplit',
      {
        fragment: 'f',
        hostname: '::1',
        netloc: 'u:p@[::1]:80',
        password: 'p',
        path: '/p',
        port: 80,
        query: 'q',
        scheme: 'http',
        username: 'u',
      },
    ],
    [
      '"" | urlsplit',
      {
        fragment: '',
        hostname: null,
        netloc: '',
        password: null,
        path: '',
        port: null,
        query: '',
        scheme: '',
        username: null,
      },
    ],
    [
      '["http://" is url, "mailto:x" is url, "http://a" is url, "mailto:x" is uri, "urn:a:b" is urn]',
      [false, false, true, true, true],
    ],
  ];
  const others: readonly (readonly [expression: string, value: Value])[] = [
    // The bits of the length 12 matter; as `openssl passwd -5` makes it.
    [
      '"Hello world!" | password_hash("sha256", "saltstring", rounds=5000)',
      '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5',
    ],
    ['"x" | password_hash("bcrypt", "aaaaaaaaaaaaaaaaaaaaae", rounds=4) | regex_search("^.{7}")', '$2b$04$'],
    // As Python's module `crypt` makes them.
    [
      '["x" | password_hash("sha256", "saltsalt", rounds=1000), "x" | password_hash("sha256", "other", rounds=1000)]',
      [
        '$5$rounds=1000$saltsalt$z3t6rrtFn3lMdv6AmvXeEFzPOKLJ2JypZJIYx/pmpp/',
        '$5$rounds=1000$other$JDY/SrJBtToTCfSHOa.2C/UYMljYP9Wjoxur00PhVe5',
      ],
    ],
    [
      '["y" | password_hash("sha256", "saltsalt", rounds=1000), "x" | password_hash("sha256", "saltsalt", rounds=1001)]',
      [
        '$5$rounds=1000$saltsalt$pFbEc3DTghpHbeRIuDK8rX/rAB6MYE5GAwttXPaQaX0',
        '$5$rounds=1001$saltsalt$8TSIspaiOKXkO0QJ.bM6c.f7aAt4zGybovXBXl9c802',
      ],
    ],
    [
      '["x" | password_hash("sha512", "saltsalt", rounds=1000), "" | password_hash("sha256", "saltsalt", rounds=1000)]',
      [
        '$6$rounds=1000$saltsalt$w9KQdgZ0Ki6LoC1UHsgXGBQaO4XJhW7upynW4LSaoTX6YuFX0KIqzhQcvdJFwTJS.I2sYmby8LApILDV7m1xF/',
        '$5$rounds=1000$saltsalt$Naw4j7Jsi9DJmo461n8iSYTXTcY98Ufoq.Xsn7KkFN7',
      ],
    ],
    [
      '["a,b,c".rsplit(",", 1), "a,b,c".rsplit(",", 2), "a,b,c".rsplit(",")]',
      [
        ['a,b', 'c'],
        ['a', 'b', 'c'],
        ['a', 'b', 'c'],
      ],
    ],
    ['["a\tb".expandtabs(4), "a\tb".expandtabs(0), "ab\n\tc".expandtabs(4)]', ['a   b', 'ab', 'ab\n    c']],
    [
      '["a=b=c".partition("="), "a=b=c".rpartition("=")]',
      [
        ['a', '=', 'b=c'],
        ['a=b', '=', 'c'],
      ],
    ],
    [
      '["abc".partition("="), "abc".rpartition("=")]',
      [
        ['abc', '', ''],
        ['', '', 'abc'],
      ],
    ],
    ['["Ab Cd".istitle(), "Ab cd".istitle(), "12".istitle()]', [true, false, false]],
    ['["0", "00", "0x1f", "0b11", "0o17"] | map("int", -1, 0) | list', [0, 0, 31, 3, 15]],
    ['["0x1f" | int(-1, 16), "z" | int(-1, 36)]', [31, 35]],
    ['[{"a": 1, "b": none} | xmlattr, {"a": "<x>"} | xmlattr(false), {} | xmlattr]', [' a="1"', 'a="&lt;x&gt;"', '']],
    ['"{a[0].b} {} {}".format(1, 2, a=[{"b": 3}])', '3 1 2'],
    ['["0.0.0.0/1", "128.0.0.0/1"] | cidr_merge', ['0.0.0.0/0']],
    ['["10.0.0.0/32", "10.0.0.1/32", "10.0.0.3"] | cidr_merge', ['10.0.0.0/31', '10.0.0.3/32']],
    ['["10.0.0.0/24", "10.0.0.128/25"] | cidr_merge', ['10.0.0.0/24']],
    ['["::1", "10.0.0.1", "::2"] | cidr_merge', ['10.0.0.1/32', '::1/128', '::2/128']],
    [
      '["10.0.0.1/24", "10.0.0.0/24", "10.0.0.1/32", "10.0.0.1/31"] | ipaddr("ip/prefix")',
      ['10.0.0.1/24', '10.0.0.1/31'],
    ],
    ['["10.0.0.1/24", "10.0.0.0/24", "10.0.0.1/32"] | ipaddr("net")', ['10.0.0.0/24']],
    ['["10.0.0.1/24", "10.0.0.0/31", "10.0.0.1/32"] | ipaddr("size_usable")', [254, 2, 0]],
    [
      '[-1 | ipaddr, 4294967296 | ipaddr, 4294967295 | ipaddr, 4294967296 | ipv4]',
      [false, '::1:0:0', '255.255.255.255', false],
    ],
    [
      '["é" | b64encode("latin-1"), "6Q==" | b64decode("latin_1"), "AGE=" | b64decode("utf-16-be")]',
      ['6Q==', 'é', 'a'],
    ],
    ['[[1] | to_yaml(explicit_start=true), "x" | to_yaml(explicit_start=true)]', ['--- [1]\n', '--- x\n']],
    ['{"a": 1} | to_nice_yaml(explicit_start=true, explicit_end=true)', '---\na: 1\n...\n'],
    ['[5 | from_yaml, "" | from_yaml_all, "---\na: 1\n---\nb: 2" | from_yaml_all]', [5, [], [{ a: 1 }, { b: 2 }]]],
    ['["é" | to_json, "é" | to_json(ensure_ascii=false)]', [String.raw`"\u00e9"`, '"é"']],
  ];
  for (const [expression, value] of [...lists, ...texts, ...others])
    it(expression, () => {
      expect(evaluate(expression, scope, HERE)).to.deep.equal(value);
    });

  const orders: readonly (readonly [left: string, operator: string, right: string, type: string])[] = [
    ['1.0a1', '<', '1.0', 'pep440'],
    ['1!0.1', '>', '9', 'pep440'],
    ['1.0.post1', '>', '1.0', 'pep440'],
    ['1.0.dev1', '<', '1.0a1', 'pep440'],
    ['1.0+a', '>', '1.0', 'pep440'],
    ['1.0.0', '==', '1.0', 'pep440'],
    ['2.0.0-1', '>', '1.0.0-2', 'semver'],
    ['1.0.0-alpha.2', '<', '1.0.0-alpha.10', 'semver'],
    ['1.0.0-1', '<', '1.0.0-a', 'semver'],
    ['1.0.0-a', '<', '1.0.0', 'semver'],
    ['1.2', '==', '1.2.0', 'strict'],
    ['1.2.b', '<', '1.2.1', 'loose'],
    ['1.2a', '>', '1.2', 'loose'],
    ['a', '==', 'a', 'loose'],
  ];
  it('the order of versions of each type', () => {
    for (const [left, operator, right, type] of orders)
      for (const one of ['<', '==', '>'])
        expect(
          evaluate(`"${left}" is version("${right}", "${one}", version_type="${type}")`, scope, HERE),
          `${left} ${one} ${right}`,
        ).to.equal(one === operator);
  });
});
