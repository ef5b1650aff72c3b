import type { Value } from '../../../src/core/model/values/value.js';
import type { Kind } from './cases.js';

/** Evenkeel's value for each text; `FAILS` for an error. */
type Ours = Readonly<Record<string, Value>>;

interface Differences {
  readonly why: string;
  readonly cases: Readonly<Partial<Record<Kind, Ours>>>;
}

/** Intended differences from Ansible, and their reasons. */
const DIFFERENCES: readonly Differences[] = [
  {
    why: 'There is one kind of number, so 1.0 is 1.',
    cases: {
      expressions: {
        '"x" ~ 1.0': 'x1',
        '1.0 | string': '1',
        '5.0 is float': false,
        '5.0 is integer': true,
      },
      templates: {},
    },
  },
  {
    why: 'In texts, lists and mappings are JSON.',
    cases: {
      expressions: {
        '"%s" % [1, 2]': '[1,2]',
        '"%s" % [none]': '[null]',
        '[1, "a"] | lower': '[1,"a"]',
        '[1, "a"] | string': '[1,"a"]',
        '{"a": none, "b": true} | upper': '{"A":NULL,"B":TRUE}',
        '{"a": none} | string': '{"a":null}',
        '[none, "N"] | regex_replace("N", "M")': '[null,"M"]',
        '"a" ~ [none, true] ~ {"a": none}': 'a[null,true]{"a":null}',
      },
      templates: {
        'a {{ [none, true] }} {{ {"a": canary} }}': 'a [null,true] {"a":false}',
        "x{{ {'a': {'b': 1}} }}y": 'x{"a":{"b":1}}y',
        '{% set d = {"a": 1, "b": 2} %}{{ d.pop("a") }}{{ d.pop("c", 7) }}{{ d }}': '17{"b":2}',
        'list: {{ regions }}': 'list: ["eu","us","ap"]',
        'map: {{ config }}': 'map: {"b":1,"a":"x y","c":[1,2]}',
        '{% for k, v in config.items() %}{{ k }}={{ v }} {% endfor %}': 'b=1 a=x y c=[1,2] ',
        '{% for k, v in config | dictsort %}{{ k }}={{ v }} {% endfor %}': 'a=x y b=1 c=[1,2] ',
      },
    },
  },
  {
    why: 'An `if` of constants without `else` has its default. The newest computes it when it compiles, and fails; 2.14 does as we do.',
    cases: {
      expressions: {
        '("a" or "b" if true or false if false) | default("none")': 'none',
        '("a" if false if true) | default("none")': 'none',
        '("a" if false else "b" if true if false) | default("none")': 'none',
      },
    },
  },
  {
    why: 'What statements write is read as data, even where to_json wrote all of it.',
    cases: {
      templates: {
        '{%- set out = {} -%}{%- for r in regions -%}{%- set _ = out.update({r: r | length}) -%}{%- endfor -%}{{ out | to_json }}':
          { eu: 2, us: 2, ap: 2 },
      },
    },
  },
  {
    why: 'Tuples are lists, and what groupby gives are pairs: [0] and [1].',
    cases: {
      expressions: {
        '[] == ()': true,
        '[1] + (2,)': [1, 2],
        'servers | groupby("zone") | map(attribute="grouper") | list': 'FAILS',
        '(servers | groupby("zone"))[0].list | map(attribute="name") | list': 'FAILS',
      },
    },
  },
  {
    why: 'Keys of mappings are text.',
    cases: {
      expressions: {
        'true in {"true": 1}': true,
        '{"null": 5}[none]': 5,
      },
    },
  },
  {
    why: 'Dates are numbers of seconds.',
    cases: {
      expressions: {
        '("2024-01-02 03:04:05" | to_datetime).year': 'FAILS',
        '(("2024-01-02 00:00:00" | to_datetime) - ("2024-01-01 00:00:00" | to_datetime)).days': 'FAILS',
      },
    },
  },
  {
    why: 'Templates cannot reach the insides of the program.',
    cases: {
      templates: {},
    },
  },
  {
    why: 'Not worth having here; the message says what to write instead.',
    cases: {
      expressions: {
        '"<b>x</b>" | striptags': 'FAILS',
        '"abc" | urlize': 'FAILS',
      },
    },
  },
  {
    why: 'Ansible overlooks a mistake.',
    cases: {
      expressions: {
        'query("sequence", start=1, end=3, step=1)': 'FAILS',
        'n | ansible.utils.index_of("eq", 5)': 'FAILS',
      },
      templates: {
        '{{ lookup("template", "percent.j2", block_start_string="[#") }}{% if n %}{% endif %}': 'FAILS',
      },
    },
  },
  {
    why: 'Ansible refuses what has a plain meaning.',
    cases: {
      expressions: {
        'query("sequence", start="0x0f", end=17)': ['15', '16', '17'],
        "'a\\'b'": "a'b",
        null: null,
        '"yes" if canary': '',
        '[{"a": none}, {}] | map(attribute="a", default=none) | list': [null, null],
        '[{"a": none}, {}] | groupby("a", default=none) | list': [[null, [{ a: null }, {}]]],
        'lookup("vars", "absent", default=none)': null,
        '["a", "b"] | sum(start="")': 'ab',
        '[1, 2, 3] | contains(2)': true,
        '"foobar" | regex_search("^(f)(o+)", "\\\\1", "\\\\2")': ['f', 'oo'],
        '"foobar" | regex_search("(?P<first>f)(?P<rest>.*)", "\\\\g<rest>", "\\\\g<first>")': ['oobar', 'f'],
        '"key=value" | regex_search("=(.*)$", "\\\\1") | first': 'value',
        '"foo" | regex_search("(f)(x)?", "\\\\2")': [null],
        '"{\\"a\\": true}" | from_json': { a: true },
      },
    },
  },
];

/** Evenkeel's values that differ from Ansible's, by text. */
export function differences(kind: Kind): ReadonlyMap<string, Value> {
  return new Map(DIFFERENCES.flatMap(({ cases }) => Object.entries(cases[kind] ?? {})));
}
