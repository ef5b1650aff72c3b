import { expect } from 'chai';
import { evaluate } from '../../../src/language/condition.js';
import { evaluateLazy } from '../../../src/language/runtime/access.js';
import { HERE, variables } from '../scopes.js';

/** An expression, the whole message, and the hint if there is one. */
const REFUSED: readonly (readonly [expression: string, message: string, hint?: string])[] = [
  ['5[1:2]', 'cut: only lists and texts can be cut, not the number 5'],
  ['[1, 2][0:2:0]', 'cut: the step is 0'],
  ['range(0, 5, 0)', 'range: the step is 0'],
  ['-"a"', 'negate: the text "a" cannot be negated'],
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
    'it is one of equality, starts_with, ends_with, regex',
  ],
  ['5 | keep_keys(target=["a"])', 'keep_keys: a list or a mapping is needed, not the number 5'],
  ['[{"a": 1}] | replace_keys(target=[{"before": "a"}])', 'replace_keys: every target needs "before" and "after"'],
  ['[{"a": 1}] | replace_keys(target=[{"after": "a"}])', 'replace_keys: every target needs "before" and "after"'],
  ['{"a": 1} | community.general.keep_keys("a")', 'community.general.keep_keys: a list is needed, not a mapping'],
  [
    '["a"] | community.general.remove_keys("a")',
    'community.general.remove_keys: the items must be mappings, not the text "a"',
  ],
  ['[] | community.general.keep_keys([])', 'community.general.keep_keys: the target must name a key'],
  ['{"a": 1} | counter', 'counter: a list is needed, not a mapping'],
  ['1 | dict_kv([])', 'dict_kv: a key cannot be a list'],
  ['[["id", 80, 1]] | dict', 'dict: every item must be a pair'],
  ['0 | to_seconds', 'to_seconds: a text is needed, not the number 0'],
  ['["1"] | version_sort(reverse="x")', 'version_sort: "reverse" must be true or false'],
  ['[1] | lists_union("a")', 'lists_union: a list is needed, not the text "a"'],
  ['lookup("vars", name="x")', 'lookup: "vars" has no option "name"'],
  ['{"a": 1} | ipaddr', 'ipaddr: an address is needed, not a mapping'],
  ['"1.2.3" | ip4_hex', 'ip4_hex: "1.2.3" is not an IPv4 address'],
  ['"5" | usable_range', 'usable_range: "5" is not an address or network'],
  [
    '[{"a": 1}] | json_query("[")',
    'json_query: the query "[" cannot be used: Syntax error: invalid token (EOF): ""',
    'see https://jmespath.org',
  ],
  ['"x" | round', 'round: a number is needed, not the text "x"', 'write value | float'],
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

describe('A helper refuses what it cannot use:', () => {
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

it('A helper takes what the newest collections take', () => {
  for (const [expression, value] of TAKEN)
    expect(evaluateLazy(evaluate(expression, variables({}), HERE)), expression).to.deep.equal(value);
});
