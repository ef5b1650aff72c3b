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
`;
