import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { evaluate } from '../../../src/language/condition.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import { evaluateLazy } from '../../../src/language/runtime/access.js';
import { HERE, variables } from '../scopes.js';

type Answers = Readonly<Record<string, readonly [expression: string, value: Value]>>;

const SERVERS = [
  { name: 'a', port: 80, zone: 'z1' },
  { name: 'b', port: 8443, zone: 'z2', tls: true },
];

/** A call of every filter, with the result of Ansible's filter or Python's method, if there is one. */
const FILTERS: Answers = {
  eq: ['1 | eq(1)', true],
  ne: ['1 | ne(1)', false],
  lt: ['1 | lt(1)', false],
  le: ['1 | le(1)', true],
  gt: ['1 | gt(1)', false],
  ge: ['1 | ge(1)', true],
  in: ['2 | in([1, 2])', true],
  and: ['and(1, 0, 2)', 0],
  or: ['or(0, 1, 2)', 1],
  not: ['not(1)', false],
  default: ['missing | default(5)', 5],
  d: ['"" | d(5, true)', 5],
  ternary: ['none | ternary(1, 2, 3)', 3],
  mandatory: ['5 | mandatory', 5],
  add: ['2 | add(3)', 5],
  subtract: ['2 | subtract(3)', -1],
  multiply: ['2 | multiply(3)', 6],
  divide: ['3 | divide(2)', 1.5],
  floordiv: ['-7 | floordiv(2)', -4],
  modulo: ['-7 | modulo(3)', 2],
  power: ['2 | power(10)', 1024],
  negate: ['5 | negate', -5],
  concat: ['"a" | concat(1, "b")', 'a1b'],
  array: ['array(1, 2)', [1, 2]],
  object: ['object("k", 1)', { k: 1 }],
  item: ['item([1, 2], -1)', 2],
  cut: ['[1, 2, 3, 4] | cut(1, 3)', [2, 3]],
  length: ['"abc" | length', 3],
  count: ['[1, 2] | count', 2],
  first: ['[1, 2] | first', 1],
  last: ['[1, 2] | last', 2],
  join: ['[1, 2] | join("-")', '1-2'],
  sort: ['["b", "A", "c"] | sort', ['A', 'b', 'c']],
  reverse: ['"abc" | reverse', 'cba'],
  flatten: ['[1, [2, [3]]] | flatten(1)', [1, 2, [3]]],
  min: ['[2, 1, 3] | min', 1],
  max: ['[2, 1, 3] | max', 3],
  sum: ['servers | sum("port")', 8523],
  range: ['range(3)', [0, 1, 2]],
  zip: [
    '[1, 2, 3] | zip([4, 5])',
    [
      [1, 4],
      [2, 5],
    ],
  ],
  zip_longest: [
    '[1, 2] | zip_longest([3], fillvalue=0)',
    [
      [1, 3],
      [2, 0],
    ],
  ],
  batch: [
    '[1, 2, 3] | batch(2, 0)',
    [
      [1, 2],
      [3, 0],
    ],
  ],
  namespace: ['namespace(a=1)', { a: 1 }],
  cycler: ['cycler(1, 2)', { current: 1 }],
  joiner: ['joiner("|")', {}],
  next: ['cycler(1, 2) | next', 1],
  reset: ['cycler(1, 2) | reset', null],
  slice: ['[1, 2, 3] | slice(2)', [[1, 2], [3]]],
  list: ['"ab" | list', ['a', 'b']],
  map: ['servers | map(attribute="name")', ['a', 'b']],
  select: ['[1, 2, 3] | select("odd")', [1, 3]],
  reject: ['[1, 2, 3] | reject("odd")', [2]],
  selectattr: ['servers | selectattr("port", "gt", 80) | map(attribute="name")', ['b']],
  rejectattr: ['servers | rejectattr("tls", "defined") | map(attribute="name")', ['a']],
  groupby: ['servers | groupby("zone") | map("first")', ['z1', 'z2']],
  unique: ['[1, 2, 1] | unique', [1, 2]],
  union: ['[1, 2] | union([2, 3])', [1, 2, 3]],
  intersect: ['[1, 2] | intersect([2, 3])', [2]],
  difference: ['[1, 2] | difference([2, 3])', [1]],
  symmetric_difference: ['[1, 2] | symmetric_difference([2, 3])', [1, 3]],
  combinations: [
    '[1, 2, 3] | combinations(2)',
    [
      [1, 2],
      [1, 3],
      [2, 3],
    ],
  ],
  permutations: [
    '[1, 2] | permutations',
    [
      [1, 2],
      [2, 1],
    ],
  ],
  product: [
    '[1, 2] | product([3])',
    [
      [1, 3],
      [2, 3],
    ],
  ],
  random: ['60 | random(seed="lb1")', 6],
  shuffle: ['[1, 2, 3] | shuffle(seed="lb1")', [3, 2, 1]],
  dict: ['dict([["a", 1]], b=2)', { a: 1, b: 2 }],
  keys: ['{"a": 1} | keys', ['a']],
  values: ['{"a": 1} | values', [1]],
  items: ['{"a": 1} | items', [['a', 1]]],
  get: ['{"a": 1} | get("b", 2)', 2],
  dict2items: ['{"a": 1} | dict2items', [{ key: 'a', value: 1 }]],
  items2dict: ['[{"key": "a", "value": 1}] | items2dict', { a: 1 }],
  dictsort: [
    '{"b": 1, "a": 2} | dictsort',
    [
      ['a', 2],
      ['b', 1],
    ],
  ],
  rekey_on_member: ['[{"n": "a"}] | rekey_on_member("n")', { a: { n: 'a' } }],
  combine: ['{"a": 1} | combine({"b": 2})', { a: 1, b: 2 }],
  extract: ['1 | extract(["x", "y"])', 'y'],
  subelements: ['[{"l": [1, 2]}] | subelements("l") | map("last")', [1, 2]],
  string: ['5 | string', '5'],
  upper: ['"aB" | upper', 'AB'],
  lower: ['"aB" | lower', 'ab'],
  capitalize: ['"aB c" | capitalize', 'Ab c'],
  title: ['"aB c" | title', 'Ab C'],
  trim: ['" a " | trim', 'a'],
  lstrip: ['lstrip(" a ")', 'a '],
  rstrip: ['rstrip(" a ")', ' a'],
  replace: ['"aaa" | replace("a", "b", 2)', 'bba'],
  indent: ['"a\\nb" | indent(2)', 'a\n  b'],
  split: ['"a,b,c" | split(",", 1)', ['a', 'b,c']],
  splitlines: ['splitlines("a\\nb")', ['a', 'b']],
  startswith: ['startswith("lb1", "lb")', true],
  endswith: ['endswith("lb1", "lb")', false],
  find: ['find("abc", "x")', -1],
  index: ['index("abc", "c")', 2],
  occurrences: ['occurrences("abcabc", "bc")', 2],
  truncate: ['"abcdefghijkl" | truncate(6, true, "..", 0)', 'abcd..'],
  center: ['"a" | center(3)', ' a '],
  wordcount: ['"a b  c" | wordcount', 3],
  format: ['"%s-%03d" | format("a", 7)', 'a-007'],
  fill: ['"{0[b][c]}-{1:03d}-{name.x}" | fill({"b": {"c": "a"}}, 7, name={"x": 1})', 'a-007-1'],
  rsplit: ['rsplit("a.b.c", ".", 1)', ['a.b', 'c']],
  partition: ['partition("a.b.c", ".")', ['a', '.', 'b.c']],
  rpartition: ['rpartition("a.b.c", ".")', ['a.b', '.', 'c']],
  ljust: ['ljust("a", 3, "-")', 'a--'],
  rjust: ['rjust("a", 3, "-")', '--a'],
  zfill: ['zfill("-5", 4)', '-005'],
  swapcase: ['swapcase("aB")', 'Ab'],
  isalnum: ['isalnum("a1")', true],
  isalpha: ['isalpha("a1")', false],
  isdigit: ['isdigit("12")', true],
  isspace: ['isspace(" ")', true],
  islower: ['islower("a1")', true],
  isupper: ['isupper("aB")', false],
  comment: ['"a" | comment', '#\n# a\n#'],
  wordwrap: ['"aa bb cc" | wordwrap(5)', 'aa bb\ncc'],
  escape: ['"<&>" | escape', '&lt;&amp;&gt;'],
  e: ['"<" | e', '&lt;'],
  forceescape: ['"<" | forceescape', '&lt;'],
  safe: ['"<" | safe', '<'],
  regex_replace: ['"lb01" | regex_replace("[0-9]+", "x")', 'lbx'],
  regex_search: ['"lb01" | regex_search("[0-9]+")', '01'],
  regex_findall: ['"a1b22" | regex_findall("[0-9]+")', ['1', '22']],
  regex_escape: ['"a.b" | regex_escape', 'a\\.b'],
  int: ['"0x1f" | int(0, 16)', 31],
  float: ['"1.5" | float', 1.5],
  bool: ['"yes" | bool', true],
  type_debug: ['{} | type_debug', 'dict'],
  round: ['2.5 | round', 2],
  abs: ['-5 | abs', 5],
  pow: ['2 | pow(3)', 8],
  root: ['27 | root(3) | round(6)', 3],
  log: ['8 | log(2)', 3],
  human_readable: ['1024 | human_readable', '1.00 KB'],
  human_to_bytes: ['".5M" | human_to_bytes', 524_288],
  filesizeformat: ['1000 | filesizeformat', '1.0 kB'],
  to_json: ['{"a": [1]} | to_json', '{"a": [1]}'],
  to_nice_json: ['{"a": 1} | to_nice_json', '{\n    "a": 1\n}'],
  tojson: ['"<" | tojson', '"\\u003c"'],
  from_json: ['"[1]" | from_json', [1]],
  to_yaml: ['{"a": [1]} | to_yaml', 'a: [1]\n'],
  to_nice_yaml: ['{"a": [1]} | to_nice_yaml', 'a:\n- 1\n'],
  from_yaml: ['"a: [1]" | from_yaml', { a: [1] }],
  from_yaml_all: ['"--- 1\\n--- 2\\n" | from_yaml_all', [1, 2]],
  b64encode: ['"lb" | b64encode', 'bGI='],
  b64decode: ['"bGI=" | b64decode', 'lb'],
  hash: ['"a" | hash("md5")', '0cc175b9c0f1b6a831c399e269772661'],
  checksum: ['"a" | checksum', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
  md5: ['"a" | md5', '0cc175b9c0f1b6a831c399e269772661'],
  sha1: ['"a" | sha1', '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
  urlencode: [`"a b/c!'()*~" | urlencode`, 'a%20b/c%21%27%28%29%2A~'],
  quote: ['"a b" | quote', "'a b'"],
  to_uuid: ['"a" | to_uuid', '9b6d1a0c-51b1-5093-93fc-cf09a700edff'],
  urldecode: ['"a%20b" | urldecode', 'a b'],
  urlsplit: ['"https://lb1:8443/api" | urlsplit("port")', 8443],
  basename: ['"/a/b.c" | basename', 'b.c'],
  dirname: ['"/a/b.c" | dirname', '/a'],
  splitext: ['"/a/b.c" | splitext', ['/a/b', '.c']],
  path_join: ['["/a", "b"] | path_join', '/a/b'],
  relpath: ['"/a/b" | relpath("/a/c")', '../b'],
  expanduser: ['"~/a" | expanduser == env("HOME") ~ "/a"', true],
  expandvars: ['"$HOME/a" | expandvars == env("HOME") ~ "/a"', true],
  ipaddr: ['"192.0.2.7/24" | ipaddr("network")', '192.0.2.0'],
  ipv4: ['["192.0.2.7", "::1"] | ipv4', ['192.0.2.7']],
  ipv6: ['["192.0.2.7", "::1"] | ipv6', ['::1']],
  ipwrap: ['"::1" | ipwrap', '[::1]'],
  ipsubnet: ['"10.1.0.0/16" | ipsubnet(24, 3)', '10.1.3.0/24'],
  nthhost: ['"192.0.2.0/24" | nthhost(5)', '192.0.2.5'],
  next_nth_usable: ['"192.0.2.7/24" | next_nth_usable(2)', '192.0.2.9'],
  previous_nth_usable: ['"192.0.2.7/24" | previous_nth_usable(2)', '192.0.2.5'],
  network_in_network: ['"192.0.2.0/24" | network_in_network("192.0.2.0/24")', true],
  network_in_usable: ['"192.0.2.0/24" | network_in_usable("192.0.2.254")', true],
  reduce_on_network: ['["192.0.2.7", "::1"] | reduce_on_network("192.0.2.0/24")', ['192.0.2.7']],
  ipmath: ['"192.0.2.7" | ipmath(-8)', '192.0.1.255'],
  ip4_hex: ['"192.0.2.7" | ip4_hex(":")', 'c0:00:02:07'],
  now: ['now(true, "%Z")', 'UTC'],
  strftime: ['"%F" | strftime(0, utc=true)', '1970-01-01'],
  format_date: ['0 | format_date("%F", utc=true)', '1970-01-01'],
  to_datetime: ['"1970-01-02 00:00:00" | to_datetime - ("1970-01-01 00:00:00" | to_datetime)', 86_400],
  env: ['env("EVENKEEL_NOT_SET", "x")', 'x'],
  file: ['file("motd")', 'hello'],
  vars: ['vars("zo" ~ "ne")', 'z1'],
  pipe: ['pipe("echo a")', 'a'],
  first_found: ['first_found(["none", "motd"]) | basename', 'motd'],
  fileglob: ['fileglob("mot*") | map("basename")', ['motd']],
  lookup: ['lookup("items", [1], [2])', [1, 2]],
  query: ['query("items", [1])', [1]],
  q: ['q("items", [1])', [1]],
  undef: ['undef("x") | default(1)', 1],
  version_sort: ['["1.10", "1.9"] | version_sort', ['1.9', '1.10']],
  keep_keys: ['{"a": 1, "b": {"a": 2, "c": 3}} | keep_keys(target=["a"])', { a: 1, b: { a: 2 } }],
  remove_keys: ['{"a": 1, "b": {"a": 2, "c": 3}} | remove_keys(target=["a"])', { b: { c: 3 } }],
  replace_keys: ['{"a": 1} | replace_keys(target=[{"before": "a", "after": "b"}])', { b: 1 }],
  'community.general.keep_keys': [
    '[{"a": {"b": 1}, "b": 2}] | community.general.keep_keys(target=["a"])',
    [{ a: { b: 1 } }],
  ],
  'community.general.remove_keys': [
    '[{"a": {"b": 1}, "b": 2}] | community.general.remove_keys("b")',
    [{ a: { b: 1 } }],
  ],
  'community.general.replace_keys': [
    '[{"a": {"a": 1}, "b": 2}] | community.general.replace_keys([{"before": "a", "after": "c"}])',
    [{ c: { a: 1 }, b: 2 }],
  ],
  lists_mergeby: [
    '[{"n": "b", "v": 1}, {"n": "a"}] | lists_mergeby([{"n": "b", "w": 2}], "n")',
    [{ n: 'a' }, { n: 'b', v: 1, w: 2 }],
  ],
  dict_kv: ['1 | dict_kv("a")', { a: 1 }],
  groupby_as_dict: ['[{"n": "a"}] | groupby_as_dict("n")', { a: { n: 'a' } }],
  get_path: ['{"a": [1, {"b": 2}]} | get_path("a[1].b")', 2],
  to_paths: ['{"a": [1, {"b": 2}]} | to_paths', { 'a[0]': 1, 'a[1].b': 2 }],
  index_of: ['[1, 2, 3] | index_of("even")', 1],
  param_list_compare: ['[1, 2] | param_list_compare(["all", "!2"])', { actionable: ['1'], unsupported: [] }],
  win_basename: ['"C:\\\\a\\\\b" | win_basename', 'b'],
  win_dirname: ['"C:\\\\a\\\\b" | win_dirname', 'C:\\a'],
  win_splitdrive: ['"C:\\\\a" | win_splitdrive', ['C:', '\\a']],
  xmlattr: ['{"a": "<"} | xmlattr', ' a="&lt;"'],
  hash_salt: ['"$6$salt$hash" | hash_salt', 'salt'],
  cidr_merge: ['["10.0.0.0/25", "10.0.0.128/25"] | cidr_merge', ['10.0.0.0/24']],
  usable_range: ['"10.0.0.0/31" | usable_range', { usable_ips: ['10.0.0.0', '10.0.0.1'], number_of_ips: 2 }],
  hwaddr: ['"1a2b.3c4d.5e6f" | hwaddr("linux")', '1a:2b:3c:4d:5e:6f'],
  macaddr: ['"1a2b.3c4d.5e6f" | macaddr("unix")', '1a:2b:3c:4d:5e:6f'],
  slaac: ['"fd00::/64" | slaac("c2:31:b3:83:bf:2b")', 'fd00::c031:b3ff:fe83:bf2b'],
  vlan_parser: ['[1, 2, 3, 7] | vlan_parser', ['1-3,7']],
  vlan_expander: ['"1-3,7" | vlan_expander', [1, 2, 3, 7]],
  lists_union: ['[1, 2] | lists_union([2, 3], [4])', [1, 2, 3, 4]],
  lists_intersect: ['[[1, 2], [2, 3]] | lists_intersect(flatten=true)', [2]],
  lists_difference: ['[1, 2, 3] | lists_difference([2], [3])', [1]],
  lists_symmetric_difference: ['[1, 2] | lists_symmetric_difference([2, 3])', [1, 3]],
  random_mac: ['"52:54:00" | random_mac(seed="lb1") | length', 17],
  crc32: ['"hello" | crc32', '3610a686'],
  from_csv: ['"a,b" | from_csv(fieldnames=["x", "y"])', [{ x: 'a', y: 'b' }]],
  unicode_normalize: ['"e\u0301" | unicode_normalize', 'é'],
  to_time_unit: ['"1y" | to_time_unit("d", year=360)', 360],
  to_milliseconds: ['"1s" | to_milliseconds', 1000],
  to_seconds: ['"1m 1s" | to_seconds', 61],
  to_minutes: ['"1h" | to_minutes', 60],
  to_hours: ['"1d" | to_hours', 24],
  to_days: ['"1mo" | to_days(month=31)', 31],
  to_weeks: ['"14d" | to_weeks', 2],
  to_months: ['"60d" | to_months', 2],
  to_years: ['"365d" | to_years', 1],
  counter: ['["a", "b", "a"] | counter', { a: 2, b: 1 }],
  json_query: ['servers | json_query("[?tls].name")', ['b']],
  realpath: ['"/nowhere/../at" | realpath', '/at'],
  password_hash: [
    '"x" | password_hash("sha512", "saltsalt", rounds=5000)',
    '$6$saltsalt$8RWsOfwR6M6PpnoeQiEiWzNTPo1f0HjVYjDnLZhGx16aBFRkeqiHAzfXP/LgrOWMBMXqiU2pLrXsSOHNUyUm91',
  ],
  removeprefix: ['"lb1".removeprefix("lb")', '1'],
  removesuffix: ['"lb1".removesuffix("1")', 'lb'],
  rfind: ['"aba".rfind("a")', 2],
  rindex: ['"aba".rindex("a")', 2],
  casefold: ['"Straße".casefold()', 'strasse'],
  expandtabs: ['"a\\tb".expandtabs(4)', 'a   b'],
  titlecase: ['"o.neil a1b" | titlecase', 'O.Neil A1B'],
  istitle: ['"Ab Cd".istitle()', true],
  isascii: ['"ä".isascii()', false],
  isidentifier: ['"a-b".isidentifier()', false],
};

/** Every test, with an example that just passes and one that just fails. */
const TESTS: Readonly<Record<string, readonly [holds: string, holdsNot: string]>> = {
  defined: ['zone is defined', 'missing is defined'],
  undefined: ['missing is undefined', 'zone is undefined'],
  none: ['none is none', '0 is none'],
  string: ['"" is string', '5 is string'],
  number: ['1.5 is number', '"1" is number'],
  integer: ['1 is integer', '1.5 is integer'],
  float: ['1.5 is float', '1 is float'],
  boolean: ['false is boolean', '0 is boolean'],
  true: ['true is true', '1 is true'],
  false: ['false is false', '0 is false'],
  mapping: ['{} is mapping', '[] is mapping'],
  sequence: ['[] is sequence', '5 is sequence'],
  iterable: ['"" is iterable', '5 is iterable'],
  lower: ['"a1" is lower', '"aB" is lower'],
  upper: ['"A1" is upper', '"aB" is upper'],
  even: ['-2 is even', '1 is even'],
  odd: ['-1 is odd', '2 is odd'],
  divisibleby: ['6 is divisibleby 3', '7 is divisibleby 3'],
  truthy: ['"no" is truthy', '"no" is truthy(convert_bool=true)'],
  falsy: ['"no" is falsy(convert_bool=true)', '"no" is falsy'],
  nan: ['("nan" | float) is nan', '1 is nan'],
  isnan: ['("nan" | float) is isnan', '1 is isnan'],
  sameas: ['true is sameas true', '1 is sameas true'],
  contains: ['[1, 2] is contains 2', '[1, 2] is contains 3'],
  subset: ['[1, 2] is subset [1, 2]', '[1, 2, 3] is subset [1, 2]'],
  issubset: ['[1] is issubset [1, 2]', '[1, 2] is issubset [1]'],
  superset: ['[1, 2] is superset [1, 2]', '[1, 2] is superset [1, 2, 3]'],
  issuperset: ['[1, 2] is issuperset [1]', '[1] is issuperset [1, 2]'],
  any: ['[0, 1] is any', '[0, 0] is any'],
  all: ['[1, 1] is all', '[0, 1] is all'],
  equalto: ['1 is equalto 1', '1 is equalto 2'],
  '==': ['[1] | select("==", 1) | any', '[1] | select("==", 2) | any'],
  '!=': ['[1] | select("!=", 2) == [1]', '[1] | select("!=", 1) == [1]'],
  greaterthan: ['2 is greaterthan 1', '1 is greaterthan 1'],
  '>': ['[2] | select(">", 1) == [2]', '[2] | select(">", 2) == [2]'],
  '>=': ['[2] | select(">=", 2) == [2]', '[2] | select(">=", 3) == [2]'],
  lessthan: ['1 is lessthan 2', '1 is lessthan 1'],
  '<': ['[2] | select("<", 3) == [2]', '[2] | select("<", 2) == [2]'],
  '<=': ['[2] | select("<=", 2) == [2]', '[2] | select("<=", 1) == [2]'],
  version: ['"2.10" is version("2.9", ">")', '"2.10" is version("2.10", ">")'],
  version_compare: ['"2.10" is version_compare("2.10", ">=")', '"2.9" is version_compare("2.10", ">=")'],
  changed: ['{"changed": true} is changed', '{} is changed'],
  change: ['{"changed": true} is change', '{} is change'],
  failed: ['{"failed": true} is failed', '{} is failed'],
  failure: ['{"failed": true} is failure', '{} is failure'],
  succeeded: ['{} is succeeded', '{"failed": true} is succeeded'],
  success: ['{} is success', '{"failed": true} is success'],
  successful: ['{} is successful', '{"failed": true} is successful'],
  skipped: ['{"skipped": true} is skipped', '{} is skipped'],
  skip: ['{"skipped": true} is skip', '{} is skip'],
  unreachable: ['{"unreachable": true} is unreachable', '{} is unreachable'],
  reachable: ['{} is reachable', '{"unreachable": true} is reachable'],
  finished: ['{"finished": 1} is finished', '{"finished": 0} is finished'],
  started: ['{"started": 1} is started', '{"started": 0} is started'],
  match: ['"lb1" is match "lb"', '"lb1" is match "b1"'],
  search: ['"lb1" is search "b1"', '"lb1" is search "c"'],
  regex: ['"lb1" is regex("b1")', '"lb1" is regex("b1", match_type="match")'],
  ip_address: ['"::1" is ip_address', '"::1/64" is ip_address'],
  ipv4_address: ['"192.0.2.7" is ipv4_address', '"::1" is ipv4_address'],
  ipv6_address: ['"::1" is ipv6_address', '"192.0.2.7" is ipv6_address'],
  in_network: ['"192.0.2.255" is in_network "192.0.2.0/24"', '"192.0.3.0" is in_network "192.0.2.0/24"'],
  abs: ['"/a" is abs', '"a" is abs'],
  is_abs: ['"/a" is is_abs', '"a" is is_abs'],
  url: ['"https://lb1/" is url', '"mailto:a" is url'],
  uri: ['"mailto:a" is uri', '"mailto:a" is uri(["https"])'],
  urn: ['"urn:isbn:1" is urn', '"https://lb1/" is urn'],
  file: ['"/etc/passwd" is file', '"/etc" is file'],
  is_file: ['"/etc/passwd" is is_file', '"/etc" is is_file'],
  directory: ['"/etc" is directory', '"/etc/passwd" is directory'],
  is_dir: ['"/etc" is is_dir', '"/etc/passwd" is is_dir'],
  link: ['link is link', '"/etc" is link'],
  is_link: ['link is is_link', '"/etc" is is_link'],
  link_exists: ['link is link_exists', '"/nowhere" is link_exists'],
  exists: ['"/etc" is exists', 'link is exists'],
  mount: ['"/" is mount', '"/etc/passwd" is mount'],
  is_mount: ['"/" is is_mount', '"/etc/passwd" is is_mount'],
  same_file: ['"/etc/passwd" is same_file("/etc/../etc/passwd")', '"/etc/passwd" is same_file("/etc")'],
  is_same_file: ['"/etc" is is_same_file("/etc/.")', '"/etc/passwd" is is_same_file("/etc")'],
  ip: ['"10.1.0.0/16" is ip', '"10.1.0.7/16" is ip'],
  mac: ['"02:16:3E:e4:16:f3" is mac', '"02:16:3e" is mac'],
  public: ['"8.8.8.8" is public', '"10.1.0.7" is public'],
  private: ['"10.1.0.7" is private', '"8.8.8.8" is private'],
  loopback: ['"::1" is loopback', '"10.1.0.7" is loopback'],
  multicast: ['"224.0.0.1" is multicast', '"10.1.0.7" is multicast'],
  unspecified: ['"0.0.0.0" is unspecified', '"10.1.0.7" is unspecified'],
  in_any_network: [
    '"10.1.0.7" is in_any_network(["10.0.0.0/8", "10.1.0.0/16"])',
    '"10.1.0.7" is in_any_network(["11.0.0.0/8"])',
  ],
  in_one_network: [
    '"10.1.0.7" is in_one_network(["10.0.0.0/8", "11.0.0.0/8"])',
    '"10.1.0.7" is in_one_network(["10.0.0.0/8", "10.1.0.0/16"])',
  ],
  subnet_of: ['"10.1.0.0/16" is subnet_of("10.0.0.0/8")', '"10.0.0.0/8" is subnet_of("10.1.0.0/16")'],
  supernet_of: ['"10.0.0.0/8" is supernet_of("10.1.0.0/16")', '"10.1.0.0/16" is supernet_of("10.0.0.0/8")'],
};

/** Amounts of data at the edges of their units. */
const SIZES: readonly (readonly [expression: string, value: Value])[] = [
  ['1023 | human_readable', '1023.00 Bytes'],
  ['1048576 | human_readable', '1.00 MB'],
  ['"1." | human_to_bytes', 1],
  ['"1.5 KB" | human_to_bytes', 1536],
  ['"8Kb" | human_to_bytes(isbits=true)', 8192],
  ['999 | filesizeformat', '999 Bytes'],
  ['1024 | filesizeformat(true)', '1.0 KiB'],
  ['1023 | filesizeformat(true)', '1023 Bytes'],
];

/** Filters that work only in `{% for %}`: see statements.test.ts. */
const IN_LOOPS = ['change', 'loop', 'cycle', 'has_changed'];

describe('Every filter', () => {
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-filters-'));
    await writeFile(join(folder, 'motd'), 'hello\n');
    await symlink('nowhere', join(folder, 'link'));
  });

  after(() => rm(folder, { recursive: true }));

  const value = (expression: string): Value =>
    evaluateLazy(
      evaluate(
        expression,
        variables({ playbook_dir: folder, link: join(folder, 'link'), zone: 'z1', servers: SERVERS }),
        HERE,
      ),
    );

  it('is in this table, with its aliases', () => {
    expectSame([...Object.keys(FILTERS), ...IN_LOOPS], BUILT_IN.filterNames());
    for (const [name, [expression]] of Object.entries(FILTERS))
      expect(expression).to.match(new RegExp(`\\b${name}\\b`));
  });

  it('is in the table of tests if it is a test, with its aliases', () => {
    expectSame(Object.keys(TESTS), BUILT_IN.testNames());
    for (const [name, both] of Object.entries(TESTS)) {
      for (const one of both) expect(one.split(/[ "()]+/)).to.include(name);
    }
  });

  for (const [expression, answer] of [...Object.values(FILTERS), ...SIZES]) {
    it(expression, () => {
      expect(value(expression)).to.deep.equal(answer);
    });
  }

  for (const [holds, holdsNot] of Object.values(TESTS)) {
    it(`${holds}, but not ${holdsNot}`, () => {
      expect([value(holds), value(holdsNot)]).to.deep.equal([true, false]);
    });
  }
});

/** A failure names only what differs: each list has hundreds of names. */
function expectSame(listed: readonly string[], declared: readonly string[]): void {
  const without = (names: readonly string[], others: readonly string[]): readonly string[] =>
    names.filter((name) => !others.includes(name));
  expect({ missing: without(declared, listed), unknown: without(listed, declared) }).to.deep.equal({
    missing: [],
    unknown: [],
  });
}
