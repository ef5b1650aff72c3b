/** Filters over mappings. One expression a line. */
export const MAPPINGS = String.raw`
config | dict2items
config | dict2items(key_name="k", value_name="v")
[{"key":"a","value":1}] | items2dict
config | combine({"b": 5, "z": 1})
{"a": {"x": 1, "l": [1]}} | combine({"a": {"y": 2, "l": [2]}}, recursive=true)
{"a": {"x": 1, "l": [1]}} | combine({"a": {"y": 2, "l": [2]}}, recursive=true, list_merge="append")
{"l": [1,2]} | combine({"l": [2,3]}, list_merge="append_rp")
{"l": [1,2]} | combine({"l": [2,3]}, list_merge="prepend_rp")
{"l": [1,2]} | combine({"l": [2,3]}, list_merge="prepend")
{"l": [1,2]} | combine({"l": [2,3]}, list_merge="keep")
config.keys() | list
config.values() | list
config.items() | list
config.get("a")
config.get("zz", "none")
config | dictsort
config | length
config | list
dict(a=1, b=2)
dict([["a", 1]])
config | dict2items | map(attribute="key") | list
config | dict2items | selectattr("value", "number") | list
[1] | dict2items
{} | dict2items
[{"k": 1, "v": 2}] | items2dict(key_name="k", value_name="v")
[{"key": "a"}] | items2dict
{"a": 1} | combine({"b": 2}, {"c": 3})
{"a": 1} | combine([{"b": 2}, {"a": 5}])
{"a": {"b": 1}} | combine({"a": {"c": 2}})
{"a": {"b": 1}} | combine({"a": {"c": 2}}, recursive=True)
{"a": [1]} | combine({"a": [2]}, list_merge="append")
{"a": [1]} | combine({"a": [2]}, list_merge="nope")
{"a": {"l": [1, 2]}} | combine({"a": {"l": [2, 3]}}, recursive=true, list_merge="append_rp")
{"a": {"l": [1, 2]}} | combine({"a": {"l": [2, 3]}}, list_merge="append")
{"a": 1} | combine({})
{} | combine({"a": none})
{"a": 1} | combine(none)
{"a": 1} | combine("b")
{"a": 1} | combine({"a": missing | default("d")})
config.keys() | sort
config.values() | list | length
config.items() | list | first
{"b": 1, "a": 2} | dictsort
{"b": 1, "a": 2} | dictsort(by="value")
{"b": 1, "A": 2} | dictsort(true)
{"b": 1, "a": 2} | dictsort(false, "value", true)
{"b": 1} | items | list
config.get("b")
config.get("zz")
config.get("zz", 7)
dict(a=1)
dict([["a", 1], ["b", 2]])
dict({"a": 1}, b=2)
dict(["a", "b"] | zip([1, 2]))
{"a": 1} | length
{"a": {"name": "x"}, "b": {"name": "y"}} | rekey_on_member("name")
[{"id": "x", "v": 1}, {"id": "y", "v": 2}] | rekey_on_member("id")
[{"id": "x", "v": 1}, {"id": "x", "v": 2}] | rekey_on_member("id")
[{"id": "x", "v": 1}, {"id": "x", "v": 2}] | rekey_on_member("id", duplicates="overwrite")
[{"v": 1}] | rekey_on_member("id")
{"a": [{"n": 1, "m": 2}, {"n": 3}]} | community.general.json_query("a[*].n")
{"a": [{"n": 1, "m": 2}, {"n": 3}]} | community.general.json_query("a[?n > to_number('1')].n | [0]")
{"a": [{"n": 1, "m": 2}, {"n": 3}]} | community.general.json_query("a[].{x: n, y: m}")
{"a": {"b": {"c": 1}}} | community.general.json_query("a.*.c")
[{"n": "x", "v": 2}, {"n": "y", "v": 1}] | community.general.json_query("sort_by(@, &v)[*].n")
[{"n": "x", "v": 2}, {"n": "y", "v": 1}] | community.general.json_query("[?n == 'x'].v")
[{"n": "x", "v": 2}, {"n": "y", "v": 1}] | community.general.json_query("max_by(@, &v).n")
[{"n": "lb1.eu"}, {"n": "lb2.us"}] | community.general.json_query("[?contains(n, 'eu')].n")
[{"n": "a b", "v": 1}, {"n": "c", "v": true}] | community.general.json_query("[?n == ${'`'}c${'`'}].v")
[{"n": "a b", "v": 1}, {"n": "c", "v": true}] | community.general.json_query("[?n==${'`'}a b${'`'}].v | [0]")
[{"n": "a b", "v": 1}, {"n": "c", "v": true}] | community.general.json_query('[?n==${'`'}"c"${'`'}].v')
[{"n": "a b", "v": 1}, {"n": "c", "v": true}] | community.general.json_query("[?v==${'`'}1${'`'}].n")
[{"n": "a b", "v": 1}, {"n": "c", "v": true}] | community.general.json_query("[?v==${'`'}true${'`'}].n")
[{"n": "lb1.eu"}, {"n": "lb2.us"}] | community.general.json_query("[?starts_with(n, 'lb2')] | length(@)")
[{"n": [1, 2]}, {"n": [3]}] | community.general.json_query("[].n[]")
{"a": 1} | community.general.json_query("b.c")
{"a": 1} | community.general.json_query("keys(@)")
{"a": 1, "b": none} | community.general.json_query("not_null(b, a)")
[3, 1, 2] | community.general.json_query("sum(@)")
["a", "b"] | community.general.json_query("join(', ', @)")
{"a": 1} | community.general.json_query("a[")
{"a": 1, "b": {"a": 2, "c": [{"a": 3, "d": 4}]}, "e": ["x"]} | ansible.utils.keep_keys(target=["a"])
{"a": 1, "b": {"a": 2, "c": [{"a": 3, "d": 4}]}, "e": ["x"]} | ansible.utils.keep_keys(target=["e", "d"])
[{"abc": 1, "bcd": 2}, {"x": 1}] | ansible.utils.keep_keys(target=["a"], matching_parameter="starts_with")
[{"abc": 1, "bcd": 2}] | ansible.utils.keep_keys(target=["^b.d"], matching_parameter="regex")
{"a": 1, "b": {"a": 2, "c": [{"a": 3, "d": 4}]}, "e": ["x", ""]} | ansible.utils.remove_keys(target=["a"])
{"abc": 1, "b": {"abd": 2}} | ansible.utils.remove_keys(target=["c", "d"], matching_parameter="ends_with")
{"a": 1, "b": {"a": 2, "c": [{"a": 3, "d": 4}]}} | ansible.utils.replace_keys(target=[{"before": "a", "after": "z"}, {"before": "d", "after": "y"}])
{"abc": 1, "x": 2} | ansible.utils.replace_keys(target=[{"before": "ab", "after": "z"}], matching_parameter="starts_with")
[{"n": "b", "v": 1}, {"n": "a", "l": [1]}] | community.general.lists_mergeby([{"n": "a", "l": [2], "w": 1}, {"n": "c"}], "n")
[{"n": "a", "l": [1], "d": {"x": 1}}] | community.general.lists_mergeby([{"n": "a", "l": [2], "d": {"y": 2}}], "n", recursive=true, list_merge="append")
[[{"n": "a", "v": 1}], [{"n": "a", "w": 2}]] | community.general.lists_mergeby("n")
"x" | community.general.dict_kv("name")
[{"n": "a", "v": 1}, {"n": "b", "v": 2}] | community.general.groupby_as_dict("n")
["a", "b", "a"] | community.general.counter
{"b": [1, {"c": "x"}], "a": "long text that is folded if the width is small"} | to_nice_yaml(indent=2, width=20)
{"b": 1, "a": [1, 2]} | to_nice_yaml(sort_keys=false)
{"b": 1, "a": [1, 2]} | to_nice_yaml(explicit_start=true)
{"b": 1, "a": [1, 2]} | to_yaml(explicit_start=true, explicit_end=true)
{"b": 1} | to_yaml(explicit_start=true)
[1, 2] | to_nice_yaml(explicit_start=true, indent=2)
undef(hint="x") | default(5)
undef() is defined
undef(hint="say so") ~ "x"
config | ansible.utils.to_paths
{"a": {"b c": [1, {"d": []}], "e": {}}} | ansible.utils.to_paths
config | ansible.utils.to_paths(prepend="root")
config | ansible.utils.to_paths(wantlist=true)
{} | ansible.utils.to_paths
[1, [2]] | ansible.utils.to_paths
config | ansible.utils.get_path("a")
config | ansible.utils.get_path("c[1]") | int
{"s": servers} | ansible.utils.get_path("s[0].name")
{"a": {"b c": "x"}} | ansible.utils.get_path("a['b c']")
config | ansible.utils.get_path("a", wantlist=true)
config | ansible.utils.get_path("nope") | default("d")
{"l": [1]} | combine({"l": [1]}, list_merge="append")
{"l": [1], "a": 1} | combine({"l": [1]}, list_merge="append")
{"a": {"l": [1]}, "b": 1} | combine({"a": {"l": [1]}, "b": 2}, list_merge="append", recursive=true)
{"a": {"l": [1]}, "b": 1} | combine({"a": {"l": [1]}, "b": 2}, list_merge="prepend", recursive=true)
{"a": [1], "z": 1} | combine({"a": [1], "y": 1}, {"a": [1], "x": 2}, list_merge="append")
{"a": [1]} | combine({"a": [2]}, {"a": [2]}, list_merge="append")
{"a": [1]} | combine({"a": [2]}, {"a": [3]}, list_merge="prepend")
{"a": {"x": 1}} | combine({"a": none}, {"a": {"y": 2}}, recursive=true)
{"a": 1, "b": 2} | combine({"b": 2, "a": 1}) | dict2items
{"c": 1, "a": 2} | combine({"b": 1}, {"a": 3, "d": 4}) | list
{"a": 1} | combine({"b": 1}, recursve=true)
{"a": {"x": 1}} | combine({"a": {"y": 2}}, recursive="yes")
{"a": {"x": 1}} | combine({"a": {"y": 2}}, recursive=0)
{"a": 1} | combine({"b": 1}, list_merge="nope")
{} | combine({}, {})
[{"n": "a", "l": [1]}] | community.general.lists_mergeby([{"n": "a", "l": [1]}], "n", list_merge="append")
[{"n": "a", "l": [1], "w": 1}] | community.general.lists_mergeby([{"n": "a", "l": [1]}], "n", list_merge="append")
[{"n": "a", "v": {"x": 1}}] | community.general.lists_mergeby([{"n": "a", "v": none}], [{"n": "a", "v": {"y": 1}}], "n", recursive=true)
[{"n": "a", "v": 1}] | community.general.lists_mergeby([{"n": "b"}], "n", recursve=true)
`;
