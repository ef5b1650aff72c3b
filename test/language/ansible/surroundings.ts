import { parse } from 'yaml';
import type { Mapping } from '../../../src/core/model/values/value.js';
import type { Files } from '../../rig/folder.js';

/** The variables of all cases, as YAML for Evenkeel and Ansible. */
export const VARIABLES_FILE = String.raw`env: prod
canary: false
n: 5
zero: 0
empty: ''
nothing: null
null_value: null
flag_text: 'false'
no_text: 'no'
condition_text: n == 5
regions: [eu, us, ap]
words: [b, A, c, B]
d: { k: v, list: [1, 2] }
count: 5
config: { b: 1, a: x y, c: [1, 2] }
result: { changed: true, failed: false, rc: 0 }
skipped_result: { changed: false, skipped: true, skip_reason: Conditional result was False }
failed_result: { changed: false, failed: true, msg: it broke }
servers:
  - { name: a, port: 443, zone: z2, tls: true, tags: [t1, t2] }
  - { name: b, port: 80, zone: z1 }
  - { name: c, port: 8080, zone: z2, tags: [t3] }
multiline: "first line\nsecond line\n\nlast line"
multiline_short: "a\nb"
multiline_spaced: "a \n b\n"
long_text: the quick brown fox jumps over the lazy dog while  the controller of the virtual services waits for  its configuration to arrive from another place far away
control_text: "a\tb\x01c \" d\\e"
yaml_text: "a: 1\nb: [x, yes, null]\nc: {d: 1.5}\n"
odd_yaml: "base: &b {x: 1}\nuse: {<<: *b, y: Off}\nkeys: {yes: 1, 2: b}\nfold: >\n  a\n  b\nnone:\ntext: '5'\ntagged: !!str 5\n"
yaml_documents: "---\na: 1\n---\n- b\n"
csv_texts:
  - "a,b\n1,2\n3,\"x, \"\"y\"\"\"\n"
  - "a;b\n1;2"
  - "1,2\n3,4\n"
  - "a,b\n1, 2\n"
  - "a,b\n1\n\n1,2,3\n"
  - "a,b\r\n1,\"l1\nl2\"\r\n"
nested: '{{ env }}-{{ n }}'
nested_number: '{{ n }}'
nested_list: ['{{ n }}', '{{ env }}']
nested_text: 'say {{ nested }}'
uses_missing: '{{ missing_inside }}'
first_of_none: '{{ [] | first }}'
largest_of_none: '{{ [] | max }}'
nothing_extracted: '{{ "a" | extract({}) }}'
circle: '{{ circle_too }}'
circle_too: '{{ circle }}'
`;

/** The files beside the playbook, for lookups. */
export const FILES: Files = {
  'files/hello.txt': 'hello\n\n',
  'files/padded.txt': '  padded  \n',
  'files/sub/b.conf': 'b\n',
  'files/fleet.csv': 'lb1,10.0.0.1,z1\nlb2,10.0.0.2,z2\nquoted,"a, ""b""",z3\n',
  'files/more.ini':
    '[DEFAULT]\nbase = /srv\n[web]\nPath = %(base)s/www\npercent = 50%%\nlong = a\n  b\nempty =\ndeep = %(path)s/x\n[other]\nbroken = 50%\n',
  'files/flags.ini': '[global]\nflag\nother = 1\n',
  'files/twice.ini': '[global]\na = 1\na = 2\n',
  'files/app.properties': '# comment\nname=x y\npath: /srv\n',
  'files/latin.csv': 'a,b\n',
  'files/settings.ini': '[global]\nhost = h\n\n[web]\n; a comment\nport = 80\nname: web one\n',
  'templates/greeting.j2': 'Hello {{ who | default("world") }}, {{ n }} times\n',
  'templates/square.j2':
    "#jinja2: variable_start_string: '[[', variable_end_string: ']]', block_start_string: '[%', block_end_string: '%]', comment_start_string: '[#', comment_end_string: '#]'\n" +
    'map \\textbf{[[ n ]]} {{ n }} {% if %} {# not #}\n[# a\ncomment -#]\n[% for r in regions -%]\n{[[- r -]]}[[ {"a": {"b": r}}.a.b ]]\n[%- endfor %]\n[% raw %][[ n ]]{{[% endraw %]\n[[ regions[0] ]]{\n',
  'templates/latex.j2':
    "#jinja2: variable_start_string:'<<', variable_end_string:'>>', trim_blocks: False\n{% if n %}\n<< n >>{# c #}\n{% endif %}\n{{{<< env >>}}}\n",
  'templates/slash.j2': "#jinja2: comment_start_string: '/*', comment_end_string: '*/'\na /* b */ {# c #} {{ n }}\n",
  'templates/percent.j2': 'a [% n %] {# c #} {{ n }} [# d #]\n',
  'templates/list.j2': '["{{ env }}", {{ n }}]',
};

export const ENVIRONMENT = { EVENKEEL_TEST_VALUE: 'from the environment' };

export function variables(): Mapping {
  return parse(VARIABLES_FILE) as Mapping;
}
