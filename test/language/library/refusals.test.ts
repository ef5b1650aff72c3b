import { expect } from 'chai';
import { evaluate } from '../../../src/language/render.js';
import { evaluateLazy } from '../../../src/language/runtime/result.js';
import { HERE, variables } from '../scopes.js';

/** An expression, the whole message, and the hint if there is one. */
const REFUSED: readonly (readonly [expression: string, message: string, hint?: string])[] = [
  ['"a" | password_hash("md5")', 'password_hash: unknown hash type "md5"', 'MD5 is broken: use sha512'],
  ['"a" | password_hash("crc")', 'password_hash: unknown hash type "crc"', 'use sha512, sha256 or bcrypt'],
  [
    '"a" | password_hash("sha512", "a b")',
    'password_hash: invalid salt "a b"',
    'use at most 16 letters, digits, "." and "/"',
  ],
  [
    '"a" | password_hash("bcrypt", "short")',
    'password_hash: invalid salt "short"',
    'use 22 letters, digits, "." and "/"',
  ],
  [
    '"a" | password_hash("sha512", "ab", rounds=10)',
    'password_hash: rounds must be a whole number from 1000 to 999999999, not 10',
  ],
  ['"a" | password_hash("bcrypt", rounds=3)', 'password_hash: bcrypt takes from 4 to 31 rounds, not 3'],
  ['"a" | password_hash("bcrypt", ident="3")', 'password_hash: ident must be one of 2, 2a, 2b, 2y, not "3"'],
  ['"a" | password_hash("sha512", salt_size=2000000)', 'password_hash: 2000000 are too many', 'at most 1000000'],
  ...['[","]', '[",", 5]', '[5, ":"]', '[",", ":", ""]'].map(
    (separators) =>
      [
        `[] | to_json(separators=${separators})`,
        'to_json: separators must be two texts',
        'write separators=[",", ":"]',
      ] as const,
  ),
  ['"a" | hash("crc")', 'hash: there is no algorithm "crc"', 'use one of md5, sha1, sha256, sha512, …'],
  [
    '"a" | b64encode("ebcdic")',
    'b64encode: cannot write the encoding "ebcdic"',
    'it is utf8, utf16le, utf16be, utf16, latin1, ascii',
  ],
  ['"192.0.2.1/24" | ipaddr("peer")', 'ipaddr: only a host of a /31 or /30 network has a peer'],
  ['["10.0.0.1"] | cidr_merge("sum")', 'cidr_merge: there is no action "sum"', 'it is merge or span'],
  [
    '{"a": [1]} | combine({"a": [2]}, list_merge="mix")',
    'combine: there is no list_merge "mix"',
    'use one of replace, keep, append, prepend, append_rp, prepend_rp',
  ],
  [
    '[{"a": 1}] | rekey_on_member("a", duplicates="x")',
    'rekey_on_member: duplicates cannot be "x"',
    'it is error or overwrite',
  ],
  ['"5 apples" | to_seconds', 'to_seconds: "5 apples" is not a time', 'write numbers with units, such as "1h 30m"'],
  ['"1h" | to_hours(day=24)', 'to_hours: there is no argument "day"', 'there are month and year'],
  ['"%c" | format("ab")', '%c needs one character or its number, not a text'],
  ['"%d" | format("x")', '%d needs a number, not a text', 'write value | int'],
  ['"%*d" | format("a", 5)', '* in a format needs a whole number, not a text'],
  ['"%d" | format("1.5")', '%d needs a number, not a text', 'write value | int'],
  ['"%x" | format(1.5)', '%x needs a whole number, not the number 1.5', 'write value | int'],
  ['"a" | regex_replace("a", "b", mandatory_count=3)', 'regex_replace: "a" should match 3 times, but matches 1 times'],
  ['"a" | regex_escape("perl")', 'regex_escape: there is no re_type "perl"', 'it is python or posix_basic'],
  ['"{!x}".format(1)', 'there is no conversion !x'],
  ['"{:q}".format(1)', '"q" is not a format', 'write it like :>10 or :.2f'],
  ['"1" is version("2", "~")', 'version: there is no operator "~"', 'use one of ==, !=, <, <=, >, >='],
  ['"" is version("2", "<")', 'version: one of the versions is empty'],
  [
    '"1" is version("2", "<", version_type="x")',
    'version: there is no version_type "x"',
    'use one of loose, strict, semver, pep440',
  ],
  ['"x.y" is version("2", "<", version_type="pep440")', 'version: "x.y" is not a PEP 440 version'],
  ['5 in "a5"', 'a text can only contain a text, not the number 5', 'write value | string'],
  ['5 in 5', '"in" needs a list, a mapping or a text on its right, not the number 5'],
  ['[1] | log("x")', 'log: a number is needed, not a list'],
  ['[1, 2] | zip(5)', 'zip: a list is needed, not the number 5'],
  ['lookup("sequence", "start=1 count=x")', 'with_sequence: count must be a whole number, not "x"'],
  [
    'lookup("sequence", "end=3 format=%q")',
    'with_sequence cannot use the format "%q"',
    'one of %d, %x, %o, such as "lb%02d"',
  ],
  ['query("subelements", 5, "a")', 'query: a mapping is needed, not the number 5'],
  ['vars("nope")', 'vars: variable "nope" is not defined', 'write vars(name, default) where it may be missing'],
  ['lookup("vars", "nope")', 'lookup: variable "nope" is not defined', 'write default=… where it may be missing'],
  ['[1] | subelements("a")', 'an item has no "a"'],
  ['[{"a": 1}] | subelements(5)', 'an item has no "5"; it has a'],
  ['"1 parsec" | to_seconds', 'to_seconds: "1 parsec" is not a time', 'write numbers with units, such as "1h 30m"'],
  ['[5] | round(method="x")', 'round: a number is needed, not a list', 'write value | float'],
  ['5 | round(0, "up")', 'round: there is no method "up"', 'use one of common, ceil, floor'],
  [
    '("2024-03-01 00:00:00" | to_datetime).days',
    'there is no "days" in the number 1709251200',
    'dates are seconds: for days, write (a - b) // 86400',
  ],
  ['range(*5)', 'the value after * must be a list, not the number 5'],
  ['dict(**5)', 'the value after ** must be a mapping, not the number 5'],
  ['[1].index(5)', 'index: the list does not contain "5"'],
  ['5[1:2]', 'cut: only lists and texts can be cut, not the number 5'],
  ['[1, 2][0:2:0]', 'cut: the step is 0'],
  ['range(0, 5, 0)', 'range: the step is 0'],
  ['-"a"', 'negate: a text cannot be negated'],
  ['5 | length', 'length: the number 5 has no length'],
  ['[] | first', 'first: the list is empty', 'add | default(value)'],
  ['[] | last', 'last: the list is empty', 'add | default(value)'],
  ['[] | max', 'max: the list is empty', 'add | default(value)'],
  ['[] | min', 'min: the list is empty', 'add | default(value)'],
  ['[1] | map', 'map: a filter is needed', 'write map("upper") or map(attribute="name")'],
  [
    '[[1]] | unique(case_sensitive=false)',
    'unique: unique with "case_sensitive=false" or "attribute" cannot compare a list',
  ],
  ['[{"a": 1}] | groupby("b")', 'an item has no "b"; it has a'],
  ['"zz" | random_mac', 'random_mac: "zz" is not the beginning of a MAC address', 'write up to five bytes: "52:54:00"'],
  ['"a" | regex_findall("(")', '"(" is not a regular expression: /(/g: Unterminated group'],
  ['"a".split("")', 'split: the separator is empty', 'write text | list for its characters'],
  ['"abc".index("x")', 'index: the text does not contain "x"'],
  ['"a" | unicode_normalize("X")', 'unicode_normalize: "X" is not one of NFC, NFD, NFKC, NFKD'],
  ['"https://a" | urlsplit("nope")', 'urlsplit: a URL has no part "nope"'],
  ['[{"key": 1}] | items2dict', 'items2dict: every item needs "key" and "value"'],
  ['[{"value": 1}] | items2dict', 'items2dict: every item needs "key" and "value"'],
  ['{"a": 1} | combine(5)', 'combine: only mappings can be combined, not the number 5'],
  ['[{"a": 1}] | rekey_on_member("b")', 'rekey_on_member: every item needs "b"'],
  ['[{"a": 1}, {"a": 1}] | rekey_on_member("a")', 'rekey_on_member: "1" occurs twice', 'write duplicates="overwrite"'],
  [
    '[{"a": 1}] | keep_keys(target=["a"], matching_parameter="x")',
    'keep_keys: matching_parameter cannot be "x"',
    'use one of equality, starts_with, ends_with, regex',
  ],
  ['5 | keep_keys(target=["a"])', 'keep_keys: a list or a mapping is needed, not the number 5'],
  ['[{"a": 1}] | replace_keys(target=[{"before": "a"}])', 'replace_keys: every target needs "before" and "after"'],
  ['[{"a": 1}] | replace_keys(target=[{"after": "a"}])', 'replace_keys: every target needs "before" and "after"'],
  ['{"a": 1} | community.general.keep_keys("a")', 'community.general.keep_keys: a list is needed, not a mapping'],
  [
    '["a"] | community.general.remove_keys("a")',
    'community.general.remove_keys: the items must be mappings, not a text',
  ],
  ['[] | community.general.keep_keys([])', 'community.general.keep_keys: the target must name a key'],
  ['{"a": 1} | counter', 'counter: a list is needed, not a mapping'],
  ['1 | dict_kv([])', 'dict_kv: a key cannot be a list'],
  ['[["id", 80, 1]] | dict', 'dict: every item must be a pair'],
  ['0 | to_seconds', 'to_seconds: a text is needed, not the number 0'],
  ['["1"] | version_sort(reverse="x")', 'version_sort: "reverse" must be true or false'],
  ['[1] | lists_union("a")', 'lists_union: a list is needed, not a text'],
  ['lookup("vars", name="x")', 'lookup: "vars" has no option "name"'],
  ['{"a": 1} | ipaddr', 'ipaddr: an address is needed, not a mapping'],
  ['"1.2.3" | ip4_hex', 'ip4_hex: "1.2.3" is not an IPv4 address'],
  ['"5" | usable_range', 'usable_range: "5" is not an address or network'],
  [
    '[{"a": 1}] | json_query("[")',
    'json_query: the query "[" cannot be used: Syntax error: invalid token (EOF): ""',
    'see https://jmespath.org',
  ],
  ['"x" | round', 'round: a number is needed, not a text', 'write value | float'],
  ['5.5 | round(1.5)', 'round: the precision 1.5 is not a whole number'],
  ['"x" | to_datetime', 'to_datetime: "x" is not in the format "%Y-%m-%d %H:%M:%S"'],
  ['"10.0.0.0/8" | ipsubnet(4, 0)', 'ipsubnet: a /8 network has no /4 in it'],
  ['"10.0.0.0/8" | ipsubnet(64)', 'ipsubnet: there is no prefix /64'],
  [
    '"a" | b64encode("nope")',
    'b64encode: cannot write the encoding "nope"',
    'it is utf8, utf16le, utf16be, utf16, latin1, ascii',
  ],
  ['"ä" | b64encode("ascii")', 'b64encode: the encoding "ascii" has no character "ä"'],
  ['{"a": 1} | get_path("a[")', 'get_path: "a[" is not a path', `write it like a.b[0]['c']`],
  ['({"a": 1} | get_path("b.c")) + 1', 'get_path: there is no "b.c"'],
];

// One value that needs no list, as the collections' own filters take it.
const TAKEN: readonly (readonly [expression: string, value: unknown])[] = [
  ['"a" | lists_union', 'a'],
  ['["b", "a"] | lists_difference([])', ['b', 'a']],
  ['"10.0.0.1" | cidr_merge', ['10.0.0.1/32']],
  ['"10.0.0.1" | reduce_on_network("10.0.0.0/8")', ['10.0.0.1']],
  ['[] | from_csv', []],
];

describe('A filter refuses what it cannot use:', () => {
  for (const [expression, message, hint] of REFUSED) {
    it(expression, () => {
      let refusal: unknown;
      try {
        refusal = evaluateLazy(evaluate(expression, variables({}), HERE));
      } catch (error) {
        refusal = error;
      }
      expect(refusal).to.include({ message, hint });
    });
  }
});

it('A filter takes what the newest collections take', () => {
  for (const [expression, value] of TAKEN)
    expect(evaluateLazy(evaluate(expression, variables({}), HERE)), expression).to.deep.equal(value);
});
