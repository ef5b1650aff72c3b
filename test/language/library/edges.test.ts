import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { evaluate } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { evaluateLazy } from '../../../src/language/runtime/result.js';
import { failure, HERE, variables } from '../scopes.js';

describe('filters, tests and operators at the edges of what they take', () => {
  const values: readonly (readonly [expression: string, value: Value])[] = [
    ['"01:02:03:04:05:06:07:08" | hwaddr("bool")', true],
    ['"01:02:03:04:05:06:07:08" | hwaddr', '01:02:03:04:05:06:07:08'],
    ['"10.0.0.0/24" | slaac("1a:2b:3c:4d:5e:6f")', false],
    ['"fe80::/64" | slaac("x")', false],
    ['"fe80::1%eth0" | ipaddr', false],
    ['"10.0.0.1" | ipaddr("ip/prefix")', false],
    ['"10.0.0.1/32" | ipaddr("ip_netmask")', false],
    ['"10.0.0.0/31" | ipaddr("ip/prefix")', '10.0.0.0/31'],
    ['"10.0.0.0/31" | ipaddr("address")', '10.0.0.0'],
    ['"10.0.0.0/30" | ipaddr("address")', false],
    ['"2001:db8::1" | ipaddr("ipv6")', '2001:db8::1'],
    ['"10.0.0.1" | ipaddr("ipv6")', '::ffff:10.0.0.1/128'],
    ['["::/64", "10.0.1.0/24", "10.0.0.0/24"] | cidr_merge', ['10.0.0.0/23', '::/64']],
    ['["0.0.0.0/1", "128.0.0.0/1"] | cidr_merge', ['0.0.0.0/0']],
    ['["100.64.0.1" is public, "8.8.8.8" is public, "10.0.0.1" is public]', [false, true, false]],
    ['["é" | b64encode(encoding="latin_1"), "6Q==" | b64decode(encoding="latin_1")]', ['6Q==', 'é']],
    ['{"b": 1, "a": 2} | to_nice_json(sort_keys=false, indent=1)', '{\n "b": 1,\n "a": 2\n}'],
    ['{"b": 1, "a": 2} | to_nice_json(sort_keys=true, indent=1)', '{\n "a": 2,\n "b": 1\n}'],
    ['{"a": 1} | to_yaml(explicit_end=true)', '{a: 1}\n...\n'],
    ['"x..." | to_yaml(explicit_end=true)', 'x...\n...\n'],
    ['5 | to_yaml(explicit_start=true, explicit_end=true)', '--- 5\n...\n'],
    ['["x" | quote, "" | quote, "a b" | quote]', ['x', "''", "'a b'"]],
    ['["$6$salt$hash" | hash_salt]', ['salt']],
    ['[1] | product(repeat=1000) | map("length") | list', [1000]],
    [
      '[10 | random(5, 2, "a"), 10 | random(5, 2, "b"), 10 | random(5, 2, "c"), 100 | random(90, seed="a")]',
      [7, 9, 7, 94],
    ],
    ['[1, [none, "None", "null", 2]] | flatten', [1, 2]],
    ['[1, [none, "None", "null", 2]] | flatten(skip_nulls=false)', [1, null, 'None', 'null', 2]],
    ['[{"a": 1, "n": 1}, {"a": 1, "n": 2}] | max(attribute="a")', { a: 1, n: 1 }],
    ['[{"a": 1, "n": 1}, {"a": 1, "n": 2}] | min(attribute="a")', { a: 1, n: 1 }],
    ['range(9007199254740993, 9007199254740990, -1)', [9007199254740993n, 9007199254740992, 9007199254740991]],
    ['range(9007199254740990, 9007199254740993)', [9007199254740990, 9007199254740991, 9007199254740992]],
    ['[[1, 2], 3] | lists_union([3])', [[1, 2], 3]],
    ['[{"b": 1}, {"b": 1}] | unique', [{ b: 1 }]],
    ['{"l": [0, false, none, "", [], {}, 1, "0"], "x": 1} | remove_keys(target=["x"])', { l: [1, '0'] }],
    [
      '{"a": 2, "b": 1} | dictsort(false, "value")',
      [
        ['b', 1],
        ['a', 2],
      ],
    ],
    [
      '{"a": 2, "b": 1} | dictsort(false, "key", true)',
      [
        ['b', 1],
        ['a', 2],
      ],
    ],
    ['{"a": {"b": {"c": 1, "d": 1}}} | combine({"a": {"b": {"c": 2}}}, recursive=true)', { a: { b: { c: 2, d: 1 } } }],
    ['{"a": {"b": [1]}} | combine({"a": {"b": [2]}}, recursive=true, list_merge="replace")', { a: { b: [2] } }],
    [`{"a": {"b c": 1}} | get_path("a['b c']")`, 1],
    [`{"a": {"b c": 1}} | get_path('a["b c"]')`, 1],
    ['{"a": {"b": 1, "c": []}} | to_paths', { 'a.b': 1, 'a.c': [] }],
    ['{"a": {"b": 1}} | to_paths(prepend="x")', { 'x.a.b': 1 }],
    ['{} | to_paths', {}],
    ['[1, 2, 3] | index_of("=", 2)', 1],
    ['["0" | to_seconds, " " | to_seconds, "1m 30s" | to_seconds]', [0, 0, 90]],
    [
      '[1048576 | human_readable(unit="K"), 1048576 | human_readable, 1048576 | human_readable(true)]',
      ['1024.00 KB', '1.00 MB', '1.00 Mb'],
    ],
    [
      '[1.5 | type_debug, 1 | type_debug, 9007199254740993 | type_debug, none | type_debug, {} | type_debug, [] | type_debug]',
      ['float', 'int', 'int', 'NoneType', 'dict', 'list'],
    ],
    ['[536870912 | log(2), 1000 | log(10)]', [29, 3]],
    [
      '["0x1f" | int(7), "0x1f" | int(0, 16), "0b1" | int(0, 16), "0x1f" | int(0, 0), "010" | int(5, 0)]',
      [7, 31, 177, 31, 10],
    ],
    ['[4094, 1] | vlan_parser', ['1,4094']],
    ['[3 * "ab", 2 * [1], "ab" * 2, [1] * 2]', ['ababab', [1, 1], 'abab', [1, 1]]],
    ['("a" * 1000000) | length', 1000000],
    [
      '[9007199254740991 + 2, 9007199254740993 - 9007199254740992, 2 ** 64]',
      [9007199254740993n, 1, 18446744073709551616n],
    ],
    ['[0 ** 0, 2 ** -1]', [1, 0.5]],
    ['[[1, 2, 3][-9:2], [1, 2, 3][:-9], [1, 2, 3][-9:9], [1, 2, 3][9:-9:-1]]', [[1, 2], [], [1, 2, 3], [3, 2, 1]]],
    ['["" | default("x", false), "" | default("x", true), "" | default("x")]', ['', 'x', '']],
    [
      '[none is sequence, none is iterable, "a" is sequence, 5 is sequence, {} is sequence]',
      [false, false, true, false, true],
    ],
    [
      '[5 is divisibleby(0), 1.5 is divisibleby(2), 4 is divisibleby(2), 9007199254740993 is divisibleby(2), 9007199254740993 is odd]',
      [false, false, true, false, true],
    ],
    ['["%s" % [1, 2], "%s-%s" % [1, 2], "plain" % {"a": 1}]', ['[1,2]', '1-2', 'plain']],
    ['"%*d|%.2s|%.*s" % [4, 3, "abc", 1, "xyz"]', '   3|ab|x'],
    ['"%*d|%*s|" % [-4, 3, -3, "a"]', '3   |a  |'],
    ['["%c" % 1114111, "%c" % "x", "%c" % 65]', ['\u{10ffff}', 'x', 'A']],
    [
      '["%d" % -5, "%x" % -255, "%+d" % 5, "% d" % 5, "%05d" % -42, "%-5d|" % 42, "%#x" % 255, "%X" % 255, "%o" % 8, "%i" % 3.9, "%.3d" % 5]',
      ['-5', '-ff', '+5', ' 5', '-0042', '42   |', '0xff', 'FF', '10', '3', '005'],
    ],
    ['"a|b" | comment("plain", newline="|")', '#|# a|# b|#'],
    [String.raw`"a\nb" | comment("c")`, '//\n// a\n// b\n//'],
    [
      '"a" | comment("plain", prefix="x", postfix="y", prefix_count=2, postfix_count=2, decoration="> ", beginning="[", end="]")',
      '[\nx\nx\n> a\ny\ny\n]',
    ],
    [
      '["ab-cd" | wordwrap(4), "ab-cd" | wordwrap(4, true, none, false), "ab-cd ef" | wordwrap(4, false)]',
      ['ab-\ncd', 'ab-c\nd', 'ab-\ncd\nef'],
    ],
    [String.raw`["abc def\n" | wordwrap(3), "abcdef" | wordwrap(4, true, "|")]`, ['abc\ndef', 'abcd|ef']],
    [
      '["ﬁ" | unicode_normalize("NFKC"), "ﬁ" | unicode_normalize("NFC"), "é" | unicode_normalize("NFD") | length, "ﬁ" | unicode_normalize("NFKD")]',
      ['fi', 'ﬁ', 2, 'fi'],
    ],
    [
      String.raw`["a\tb\n\tc\rd\te" | expandtabs(4), "ab\tc" | expandtabs(0), "a\tb" | expandtabs]`,
      ['a   b\n    c\rd   e', 'abc', 'a       b'],
    ],
    [
      String.raw`["C:\\x" | win_dirname, "C:\\a\\b" | win_dirname, "C:\\a\\b" | win_basename, "\\\\h\\s\\d" | win_splitdrive]`,
      ['C:\\', 'C:\\a', 'b', ['\\\\h\\s', '\\d']],
    ],
    [
      '["a.b/c" | splitext, ".bashrc" | splitext, "a.tar.gz" | splitext, "d/..x" | splitext, "abc" | splitext]',
      [
        ['a.b/c', ''],
        ['.bashrc', ''],
        ['a.tar', '.gz'],
        ['d/..x', ''],
        ['abc', ''],
      ],
    ],
    [
      '[["", "b"] | path_join, ["a/", "b"] | path_join, ["a", "/b", "c"] | path_join, "x" | path_join]',
      ['b', 'a/b', '/b/c', 'x'],
    ],
    [
      '["file:///x" is url, "mailto:a" is url, "http://h" is url, "urn:x" is urn, "http://a" is urn, "http://a" is uri(["https"]), "http://a" is uri(["http"])]',
      [true, false, true, true, false, false, true],
    ],
    [
      String.raw`["a1b2" | regex_findall("[a-z]\\d"), "a1b2" | regex_findall("([a-z])\\d"), "a1b2" | regex_findall("([a-z])(\\d)"), "ab" | regex_findall("(x)?b")]`,
      [
        ['a1', 'b2'],
        ['a', 'b'],
        [
          ['a', '1'],
          ['b', '2'],
        ],
        [''],
      ],
    ],
    [
      String.raw`["a\nb" is search("^b", multiline=true), "a\nb" is search("^b"), "a\nb" is match("a$", multiline=true), "a\nb" is match("a$"), "AB" is match("a", ignorecase=true), "AB" is match("b", ignorecase=true)]`,
      [true, false, true, false, true, false],
    ],
    [
      String.raw`["ab" is regex("b"), "ab" is regex("b", match_type="match"), "ab" is regex("a", match_type="fullmatch"), "a\nb" is regex("^b", multiline=true)]`,
      [true, false, false, true],
    ],
    [
      String.raw`["a.a.a" | regex_replace("a", "b", count=2), "aAa" | regex_replace("a", "b", ignorecase=true), "x\ny" | regex_replace("^", "-", multiline=true), "aa" | regex_replace("a", "b", mandatory_count=2)]`,
      ['b.b.a', 'bbb', '-x\n-y', 'bb'],
    ],
    [
      String.raw`["k=v" | regex_search("(\\w)=(\\w)", "\\2", "\\1"), "k=v" | regex_search("(?P<x>\\w)=", "\\g<x>"), "k" | regex_search("z"), "K" | regex_search("k", ignorecase=true)]`,
      [['v', 'k'], ['k'], null, 'K'],
    ],
    [
      '["1.0.post1.dev1" is version("1.0", ">", version_type="pep440"), "1.0.dev1" is version("1.0a1", "<", version_type="pep440"), "1.0a1.dev1" is version("1.0a1", "<", version_type="pep440"), "1.0" is version("1.0.0", "==", version_type="pep440"), "1.0.1" is version("1.0", ">", version_type="pep440"), "1!0.1" is version("9", ">", version_type="pep440")]',
      [true, true, true, true, true, true],
    ],
    [
      '["1.10" is version("1.9", ">"), "1.0" is version("1.a", ">"), "1.0.0-rc.1" is version("1.0.0", "<", version_type="semver"), "1.0.0-2" is version("1.0.0-11", "<", version_type="semver"), "1.0.0-a" is version("1.0.0-1", ">", version_type="semver"), "1.0b2" is version("1.0b10", "<", strict=true)]',
      [true, true, true, true, true, true],
    ],
    [
      '["{:,}".format(1234567), "{:>6}".format("ab"), "{:<6}|".format("ab"), "{:^6}|".format("ab"), "{:06.2f}".format(3.14159), "{:+d}".format(5), "{:x}".format(255), "{:%}".format(0.25), "{0}{1}{0}".format("a", "b"), "{:05d}".format(-3), "{:*^7}".format("x")]',
      ['1,234,567', '    ab', 'ab    |', '  ab  |', '003.14', '+5', 'ff', '25.000000%', 'aba', '-0003', '***x***'],
    ],
  ];
  for (const [expression, value] of values)
    it(expression, () => {
      expect(evaluateLazy(evaluate(expression, variables({}), HERE))).to.deep.equal(value);
    });

  const refusals: readonly (readonly [expression: string, message: string])[] = [
    [
      '"01:02:03:04:05:06:07:08" | hwaddr("cisco")',
      'hwaddr: "01:02:03:04:05:06:07:08" is not a hardware address of 48 bits',
    ],
    ['"10.0.0.1" | ipaddr("peer")', 'ipaddr: 10.0.0.1 is not a network — write it with its prefix: 192.0.2.1/24'],
    ['"10.0.0.0/8" | usable_range', 'usable_range: 16777216 addresses are too many — at most 1000000'],
    ['"$6$salt$hash$more" | hash_salt', 'hash_salt: the hash is not written as $METHOD$SALT$HASH'],
    ['[1] | product(repeat=1001)', 'product: it takes lists, and repeat=number'],
    [
      '[{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, "i": 1}] | map(attribute="zz") | list',
      'an item has no "zz"; it has a, b, c, d, e, f, g, h',
    ],
    [
      '[{"a": {"b": 1}}] | unique(attribute="a")',
      'unique: unique with "case_sensitive=false" or "attribute" cannot compare a mapping',
    ],
    [
      '[{"b": 1}] | unique(case_sensitive=false)',
      'unique: unique with "case_sensitive=false" or "attribute" cannot compare a mapping',
    ],
    ['"5" | to_seconds', 'to_seconds: "5" is not a time — write numbers with units, such as "1h 30m"'],
    ['[4095] | vlan_parser', 'vlan_parser: VLANs have numbers from 1 to 4094'],
    ['"a" * 1000001', 'multiply: 1000001 characters are too many'],
    ['0 ** -1', 'power: division by zero'],
    ['"1.2.3.4" is version("1.2", strict=true)', 'version: "1.2.3.4" is not a strict version'],
    ['"%*d" % [1.5, 3]', '* in a format needs a whole number, not the number 1.5'],
    ['"%c" % 1114112', '%c needs one character or its number, not the number 1114112'],
    ['"%c" % -1', '%c needs one character or its number, not the number -1'],
    ['"x" | unicode_normalize("NFX")', 'unicode_normalize: "NFX" is not one of NFC, NFD, NFKC, NFKD'],
    [
      '"aa" | regex_replace("a", "b", mandatory_count=3)',
      'regex_replace: "a" should match 3 times, but matches 2 times',
    ],
    ['"1.0" is version("1.0", version_type="semver")', 'version: "1.0" is not a semver version'],
    ['"1" is version("", "<")', 'version: one of the versions is empty'],
    ['"1" is version("2", "~")', 'version: there is no operator "~" — use one of ==, !=, <, <=, >, >='],
    [
      '"1" is version("2", version_type="x")',
      'version: there is no version_type "x" — use one of loose, strict, semver, pep440',
    ],
    ['[1] | index_of("eq", 1, "a")', 'index_of: with a key, the items must be mappings, not the number 1'],
    ['"{}{}".format(1)', 'the format "{}{}" has no value for "{}"'],
  ];
  for (const [expression, message] of refusals)
    it(`${expression} is refused`, () => {
      const error = failure(() => evaluate(expression, variables({}), HERE));
      expect(error).to.be.instanceOf(TemplateError);
      const { hint } = error as TemplateError;
      expect(`${(error as TemplateError).message}${hint === undefined ? '' : ` — ${hint}`}`).to.equal(message);
    });
});
