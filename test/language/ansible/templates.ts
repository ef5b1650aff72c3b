/** Whole texts. A line each, as in the files of expressions. */
export const TEMPLATES = String.raw`
plain
{{ env }}
{{ n }}
{{ n }} items
{{n}}{{n}}
a {{ env }} b {{ n }}
{{ regions }}
{{ config }}
{{ canary }}
{{ nothing }}
x{{ nothing }}y
x {{ canary }} y
{"a": {{ 5 }}}
{"a": {"b": {{ n }}}}
{"a": {{ env }}}x
x{{ {'a': {'b': 1}} }}y
{{ {'a': {'b': {}}}}}
{{n}}}
{{ "a" "b" ~ env }}
x {{ canary }}{{ nothing }} y
{{ canary }}{{ nothing }}
{{ nothing }}{{ nothing }}
{{ canary }}{{ canary }}
x{{ "a" if canary else nothing }}y
x{{ [canary, nothing] | join(",") }}y
a {{ [none, true] }} {{ {"a": canary} }}
x {{ config.c[0] == 1 }} {{ "eu" in regions }} {{ not canary }}
{{ true }}
{{ none }}
{{ "5" }}
{{ 5 }}
{{ 1.5 }}
{{ "true" }}
{{ "[1, 2]" }}
{{ "{'a': 1}" }}
{{ "null" }}
{{ regions | join(",") }}
{{ regions | to_json }}
{{ config | to_json }}
list: {{ regions }}
map: {{ config }}
{{ '{{' }} x {{ '}}' }}
{{ "a" if canary else "b" }}
{{ "a" if canary }}
x{{ "a" if canary }}y
{{ missing }}
x {{ missing }} y
{{ missing | default("d") }}
{{ nested }}
{{ nested_number }}
{{ nested_list }}
{{ nested_text }}
{{ circle }}
{{ uses_missing }}
{{ servers[0] }}
{{ servers[0].name }}:{{ servers[0].port }}
{{ lookup("vars", "n") }}
{{ lookup("vars", "n") }} items
{{ lookup("file", "hello.txt") }}
{{ query("list", 1, 2) }}
{{ lookup("template", "greeting.j2") }}
{{ lookup("template", "list.j2") }}
[{{ n }}, "{{ env }}"]
[{{ n }}, {{ n }}]
[{{ env }}]
{ "a": {{ n }} }
{ "a": {{ config | to_json }} }
{'a': {{ n }}, "b": {{ regions }}}
{"a": "{{ env }}", "b": [{{ n }}, {"c": {{ canary }}}]}
({{ n }}, {{ n }})
["{{ env }}"] x
 [{{ n }}]
[{{ n }}] 
{{ "[" }}{{ n }}]
{{ "[" ~ n ~ "]" }}{{ "" }}
{{ "True" }}{{ "" }}
Tr{{ "ue" }}
T{{ env }}
{"a": {{ nothing }}}
{"a": {{ canary }}, "b": {{ none }}}
{"a": true, "b": null, "c": {{ n }}}
[{{ n }}, {{ missing | default(3) }}]
[1_000, 0x{{ n }}, {{ n }}.5]
[{{ "'a', 'b'" }}]
[{{ n }} + 1]
{{ "{" }}{{ "}" }}
{"a": "{{ env }}
{"a": "{{ multiline_short | replace("\n", " ") }}"}
{"a": {{ servers[0] | to_json }}, "b": {{ regions | to_json }}}
[{% raw %}{{ n }}{% endraw %}, {{ n }}]
["{{ '{{ n }}' }}", {{ n }}]
{"{{ env }}": {{ n }}, "{{ env }}_2": "{{ n }}"}
{{- env -}}
a {{- env -}} b
a {{ env -}} b
a {{- env }} b
{{env}}
{{    env    }}
{{ env }} {{ env | upper }} {{ env | length }}
{{ multiline }}
{{ yaml_text }}
{{ {"a": 1} }}
{{ {"a": {"b": 1}} }}
{{ [1, "two", none, true] }}
{{ dict(a=1) }}
{{ range(3) | list }}
{{ range(3) }}
{{ regions | map("upper") }}
{{ regions | map("upper") | list }}
{{ servers | map(attribute="name") | list | first }}
{{ 1 == 1 }}
{{ not canary }}
{{ env == "prod" and n > 3 }}
{{ n | string }}
{{ n | float }}
{{ 6 / 2 }}
{{ "%05d" | format(n) }}
{{ "a" ~ n }}
{{ inventory_hostname }}
{{ group_names }}
{{ groups["all"] }}
{{ hostvars["localhost"].inventory_hostname }}
{{ playbook_dir }}
{{ ansible_play_hosts }}
{{ ansible_check_mode }}
{{ env
{{ env }
{{ }}
{{ env | }}
{{ | upper }}
{{ env upper }}
{{ "a }}
{{ ( }}
{{ [1, 2 }}
{{ 1 + }}
{{ env == }}
{{ a b c }}
{{ env | nope }}
{{ nope(env) }}
{{ env is nope }}
{{ env.nope }}
{{ env.upper() }}
{{ env.__class__ }}
{{ config.__class__ }}
{{ "".__class__.__mro__ }}
CORP\{{ env }}
CORP\\{{ env }}
CORP\\\{{ env }}
\\{{ env }}\share
\{{ '{{' }} \{{ "\\" }}{{ n }}
`;

/** Bare expressions, as in "when". */
export const CONDITIONS = String.raw`
true
false
n == 5
n > 3 and env == "prod"
env
canary
nothing
flag_text
flag_text | bool
no_text
zero
empty
regions
config
missing
missing is defined
missing | default(false)
"eu" in regions
not canary
result is changed
nested == "prod-5"
nested_number == 5
nested_number | int == 5
uses_missing is defined
condition_text
{{ n == 5 }}
n == {{ n }}
{% if n == 5 %}true{% else %}false{% endif %}
{% if n == 5 %}n == 4{% else %}true{% endif %}
{# note #}n == 5
n = 5
n === 5
n == 5 &&  env
5
0
"text"
""
[]
inventory_hostname == "localhost"
inventory_hostname in groups["all"]
lookup("env", "EVENKEEL_TEST_VALUE") == "from the environment"
"a.b" is match("a\.b")
"a.b" is match("a\\.b")
"a5" is match("a\d")
"a5" is match("a\\d")
"a\nb" == multiline_short
"tab\there" is search("\t")
"it\'s" == "it's"
"a\x41" == "aA"
"\u00e9" == "é"
"aa" is match("(a)\\1")
"abc" | regex_replace("(b)", "[\\1]") == "a[b]c"
"foobar" | regex_search("^(f)(o+)", "\\1", "\\2") == ["f", "oo"]
"{\"a\": 1}" | from_json == {"a": 1}
'a\'b' == "a'b"
`;
