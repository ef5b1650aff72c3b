/** Null as an item, an entry, an argument and a result, in all filters. One expression a line. */
export const NULLS = String.raw`
{"a": none}["a"] is none
{"a": none}[env | replace("prod", "a")] is none
{"a": none}[env | replace("prod", "a")] is defined
{"a": none}[env | replace("prod", "a")] | default("x")
[none, 1][zero]
([{"p": none}] | first).p is none
([{"p": none}] | first).p | default("x")
[none, 1] | first
[none, 1] | first | default("x")
[1, none] | last
[1, none] | last | default("x")
{"a": none}.get("a", "x")
{"a": none}.get("a")
{"a": none}.get("b", none)
[1, none] | zip_longest(["a", "b"], fillvalue="-") | list
[1] | zip_longest(["a", "b"], fillvalue=none) | list
"x" | int(none)
"x" | float(none)
none | int(none)
none | float(none)
none | int(3)
[none] | min
[none] | max
[none, none] | unique
[none, 1] | intersect([none])
[none, 1] | difference([1])
[[none, 1], none] | flatten
[[none, 1], none] | flatten(skip_nulls=false)
[none, 1] | reverse | list
[none, 1] | batch(1) | list
[1] | batch(2, none) | list
[1, 2, 3] | slice(2, none) | list
[none, none] | slice(1) | list
[1, none] | sum
[none] | join(",")
[none, "a"] | join("-")
[none] | map("string") | list
[none] | map("default", 5) | list
[none] | map("default", 5, true) | list
[{"a": none}] | map(attribute="a") | list
[{"a": none}] | map(attribute="a", default=5) | list
[{"a": none}] | selectattr("a", "none") | list
[{"a": none}] | selectattr("a", "defined") | list
[{"a": none}] | groupby("a") | list
[{"a": none}] | map("extract", {"x": 1}) | list
["a"] | map("extract", {"a": none}) | list
["a"] | map("extract", {"a": none}) | map("default", 3) | list
[none] | select | list
[none, 1] | reject("none") | list
{"a": none} | dict2items
[{"key": "a", "value": none}] | items2dict
{"a": none} | dictsort
{"a": none} | dictsort(by="value")
{"a": none}.items() | list
{"a": none}.values() | list
{"a": 1} | combine({"a": none})
{"a": none} | combine({"a": 1})
{"a": {"b": 1}} | combine({"a": none}, recursive=true)
{"a": none} | combine({"a": {"b": 1}}, recursive=true)
[{"a": none}] | subelements("a", skip_missing=true)
[{"n": none}] | rekey_on_member("n")
none | ternary(1, 2)
none | ternary(1, 2, 3)
none | ternary(1, 2, none)
true | ternary(none, 2)
none | default(5)
none | default(5, true)
missing | default(none)
none | first
none | to_json
none in [1]
[none] is contains(none)
[none] | product([none]) | list
[none, 1] | combinations(2) | list
[none, 1] | permutations(2) | list
[1, none] | sort
[none, 1][0]
[none, 1][:1]
[none, 1] | random(seed="x")
[none] | shuffle(seed="x")
{"a": {"b": none}} | json_query("a.b")
{"a": none} | community.general.json_query("a")
[none] | community.general.counter
{"a": none} | ansible.utils.to_paths
[none, 1] | ansible.utils.index_of("eq", 1)
[none, 1] | ansible.utils.index_of("none")
{"a": none, "b": 1} | ansible.utils.remove_keys(target=["b"])
{"a": none} | ansible.utils.keep_keys(target=["a"])
{"a": none} | ansible.utils.replace_keys(target=[{"before": "a", "after": "z"}])
[{"n": "a", "v": none}] | community.general.lists_mergeby([{"n": "a"}], "n")
[{"n": "a", "v": 1}] | community.general.lists_mergeby([{"n": "a", "v": none}], "n")
[{"n": "a", "v": none}] | community.general.groupby_as_dict("n")
none | community.general.dict_kv("x")
[none] | community.general.dict
[["a", none]] | community.general.dict
[none] == [none]
[none] == []
{"a": none} == {}
{"a": none} == {"b": none}
{"a": none} == {"a": none}
"{}".format(none)
"%s" | format(none)
{"a": none} | to_nice_yaml
{"a": none} | urlencode
{"a": none, "b": 1} | xmlattr
none ~ "x"
[none] is any
[none] is all
[none] is subset([none])
lookup("dict", {"a": none})
query("dict", {"a": none})
query("items", [none])
query("list", [none])
query("flattened", [none, [none]])
query("together", [none], [3])
query("nested", [none], [3])
query("indexed_items", [none])
query("subelements", [{"a": none}], "a", {"skip_missing": true})
query("vars", "nothing")
lookup("vars", "nothing", default=3)
query("random_choice", [none])
none | human_readable
"x" | regex_search("y") is none
"x" | regex_replace("x", none)
none | regex_replace("None", "y")
[none, 2] | ansible.netcommon.ipaddr
none | ipaddr
[none] | ipaddr
"null" | from_json
"null" | from_yaml
"[null]" | from_json | first
("[null]" | from_json)[zero] is none
dict(a=none)
dict([["a", none]])
none is sameas none
none | pow(2)
none | mandatory
[none] | select("none") | list
config[nothing]
{"None": 5}[none]
[{"a": 1}, {"a": 2}] | map(attribute="a") | join(",", none)
[2, 1] | sort(attribute=none)
[2, 1] | min(attribute=none)
[2, 1] | max(attribute=none)
[2, 1] | sum(attribute=none)
[2, 2] | unique(attribute=none)
["a", "A"] | unique(case_sensitive=none)
[[1, [2]]] | flatten(levels=none)
" a " | trim(none)
"a b c" | truncate(3, leeway=none)
"aXaX" | replace("X", "", none)
100 | log(none)
"a b" | wordwrap(5, wrapstring=none)
range(3, none) | list
10 | random(seed="x", start=none)
10 | random(seed="x", start=none, step=none)
"x" | password_hash("sha512", salt="abcdefgh", rounds=none) | length
[1, 2] | permutations(none) | list | length
"a b" | split(none)
"a b c" | split(none, 1)
"a b c".split(none, 1)
" a ".strip(none)
5.5 | round(none)
"a" | comment(prefix=none)
{"b": 1} | dictsort(by=none)
lookup("env", "EVK_ABSENT", default=none)
lookup("env", "EVK_ABSENT", default=none) is none
lookup("csvfile", "zz", file="files/fleet.csv", delimiter=",", default=none)
lookup("ini", "zz", section="web", file="settings.ini", default=none)
lookup("file", "padded.txt", rstrip=none)
lookup("file", "padded.txt", lstrip=none)
lookup("first_found", files=["zz"], skip=none, errors="ignore")
lookup("template", "greeting.j2", template_vars={"who": none})
lookup("template", "greeting.j2", template_vars=none)
{"finished": none} is finished
{"started": none} is started
{"failed": none} is succeeded
[none] | map("int", none) | list
{"a": none} is contains("a")
"a" in {"a": none}
[1, none] | last is none
{"x": {"a": none}} | json_query("x.a") is none
[{"a": none}] | sum(attribute="a")
[{"a": none}, {"a": 1}] | map(attribute="a") | select | list
[{"a": none}] | rejectattr("a") | list
[{"a": none}] | rejectattr("a", "none") | list
[{"a": none}] | selectattr("a", "equalto", none) | list
[{"a": none}] | sort(attribute="a") | list
[{"a": none}] | unique(attribute="a") | list
[{"a": none}] | min(attribute="a")
[{"a": [none]}] | map(attribute="a.0") | list
[{"a": none}] | map(attribute="a.b", default=3) | list
[{"a": none}] | map(attribute="a.b") | list
[{"a": none}] | selectattr("a.b", "defined") | list
[[none, 2]] | map("first") | list
[[none, 2]] | map("first") | map("default", 1) | list
[none, 2] | first | default("x", true)
([none, 2] | first) or "x"
([none, 2] | first) is none
config.get("zz") is none
config.get("zz", none) is none
[none, [none]] | flatten(1)
missing | default(none) is none
"%s" % [none]
{"null": 5}[none]
[{"a": none}, {}] | map(attribute="a", default=none) | list
[{"a": none}, {}] | groupby("a", default=none) | list
lookup("vars", "absent", default=none)
{"a": 1} | to_json(indent=none)
`;
