/** Filters over lists. One expression a line. */
export const LISTS = String.raw`
regions | length > 3
words | sort
words | sort(reverse=true)
words | sort(case_sensitive=true)
["a","A","b"] | unique
["a","A","b"] | unique(case_sensitive=true)
servers | sort(attribute="port") | map(attribute="name") | list
servers | map(attribute="name") | join(",")
servers | selectattr("port", "gt", 80) | map(attribute="name") | list
servers | selectattr("tls", "defined") | map(attribute="name") | list
servers | rejectattr("tls", "defined") | map(attribute="name") | list
servers | selectattr("name", "match", "b") | list | length
servers | map(attribute="tls", default=false) | list
servers | groupby("zone")
servers | sum(attribute="port")
servers | max(attribute="port")
regions | map("upper") | list
regions | map("replace", "e", "E") | list
[1,2,3,4] | select("even") | list
[1,2,3,4] | reject("even") | list
[0,1,"",2] | select | list
[3,1,2] | min
[3,1,2] | max
["b","A"] | min
[1,2,3] | sum
[1,2,3] | first
[1,2,3] | last
[1,[2,[3,[4]]]] | flatten
[1,[2,[3,[4]]]] | flatten(levels=1)
[1,null_value,2] | flatten
[1,2] | union([2,3])
[1,2,2] | intersect([2,3])
[1,2,1] | difference([2])
[1,2] | symmetric_difference([2,3])
[1,2] | zip(["a","b"]) | list
[1,2,3] | zip_longest(["a"], fillvalue="-") | list
range(3) | list
range(1, 10, 3) | list
range(5, 0, -2) | list
[1,2,3,4,5] | batch(2) | list
[1,2,3] | batch(2, 0) | list
servers | map("extract", {"a":1}) | list if false else 3
["a"] | map("extract", {"a":1}) | list
servers | subelements("tags", skip_missing=true) | length
[1,2,3] | reverse | list
"abc" | reverse
"abc" | list
"abc" | first
[[2,"b"],[1,"a"]] | sort
[1,2,3] | join("-")
"a\tb" | length
regions | length == 3 and regions[0] == "eu"
(regions | length) * 2
[3, 1, 2] | sort
[3, 1, 2] | sort(reverse=true)
["b", "a"] | sort(true)
["b", "A", "a", "B"] | sort
[1, "a"] | sort
servers | sort(attribute="zone,name") | map(attribute="name") | list
servers | sort(attribute="zone", reverse=true) | map(attribute="name") | list
[[3], [1, 2]] | sort
"hello" | sort
{"b": 1, "a": 2} | sort
[1, 1.0, true, "1"] | unique
["b", "a", "b"] | unique
[[1], [1], [2]] | unique
[{"a": 1}, {"a": 1}] | unique
servers | unique(attribute="zone") | map(attribute="name") | list
["a", "B", "b"] | unique
[1, 2] | union([2, 3])
["a"] | union(["A"])
[1, 2, 2, 3] | intersect([2, 3, 3])
[1, 2, 2, 3] | difference([2])
[1, 2, 3] | symmetric_difference([3, 4])
[[1, 2], [3, [4]]] | flatten
[[1, 2], [3, [4]]] | flatten(1)
[1, [none, 2]] | flatten(skip_nulls=false)
["None", "null", [1]] | flatten
"abc" | flatten
[1, 2, 3] | max
["a", "B"] | max
["a", "B"] | max(case_sensitive=true)
servers | min(attribute="port")
{"a": 1, "b": 2} | max
[1, 2.5] | sum
["a", "b"] | sum
["a", "b"] | sum(start="")
[[1], [2]] | sum(start=[])
servers | sum(attribute="port", start=10)
[] | sum
[1, 2] | zip([3, 4], [5, 6]) | list
[1, 2] | zip([3]) | list
[1] | zip_longest([2, 3]) | list
[1] | zip_longest([2, 3], fillvalue=0) | list
"ab" | zip([1, 2]) | list
range(5) | list
range(2, 8, 2) | list
range(3, 0, -1) | list
range(0) | list
range(0, 3) | sum
range(1, 4) | map("string") | join("-")
[1, 2, 3, 4, 5] | batch(2) | list
[1, 2, 3, 4, 5] | batch(2, "x") | list
[1, 2, 3, 4, 5] | slice(2) | list
[1, 2, 3, 4, 5] | slice(3, "x") | list
[1, 2, 3, 4, 5, 6, 7] | slice(3) | list
[] | slice(2) | list
[1, 2, 3] | combinations(2) | list
[1, 2, 3] | permutations(2) | list
[1, 2, 3] | permutations | list | length
"ab" | permutations | map("join") | list
[1, 2] | product([3, 4]) | list
["a", "b"] | product([1, 2], ["x"]) | list
[0, 1] | product(repeat=2) | list
["a", "b"] | product(["c"]) | map("join", "-") | list
[1, 2, 3] | first
[1, 2, 3] | last
"abc" | last
{"a": 1} | first
[1, 2, 3] | reverse | list
regions | join(", ")
regions | join
[1, none, true] | join(",")
servers | join(",", attribute="name")
"abc" | join("-")
{"a": 1, "b": 2} | join(",")
regions | map("upper") | join(",")
regions | map("regex_replace", "^", "lb-") | list
regions | map("length") | list
[[1, 2], [3]] | map("sum") | list
["1", "2"] | map("int") | sum
servers | map(attribute="tags", default=[]) | flatten
servers | map(attribute="name") | map("upper") | list
servers | map(attribute="tags.0", default="-") | list
[[1, 2], [3, 4]] | map(attribute=1) | list
[{"a": [5]}] | map(attribute="a.0") | list
["x", "y"] | map("default", "z") | list
regions | map("nope") | list
[1, 2, 3, 4] | select("odd") | list
[1, 2, 3, 4] | select("gt", 2) | list
[1, 2, 3, 4] | select(">", 2) | list
[1, 2, 3, 4] | select("divisibleby", 2) | list
[1, 2, 3, 4] | reject("in", [1, 2]) | list
["a1", "b2"] | select("match", "a") | list
["a1", "b2"] | select("search", "[0-9]$") | list
["a1", "b2"] | reject("regex", "^b") | list
["a", 1, none, [1]] | select("string") | list
["a", 1, none, [1]] | select("number") | list
["", "a", none, 0] | select | list
["", "a", none, 0] | reject | list
[true, "yes", 1] | select("true") | list
[1, 2, 2] | select("eq", 2) | list | length
[1, 2] | select("nope") | list
servers | selectattr("port", "==", 80) | map(attribute="name") | first
servers | selectattr("port", "!=", 80) | map(attribute="name") | list
servers | selectattr("port", "ge", 443) | map(attribute="name") | list
servers | selectattr("zone", "equalto", "z2") | list | length
servers | selectattr("name", "in", ["a", "c"]) | map(attribute="port") | list
servers | selectattr("tags", "defined") | selectattr("tags", "contains", "t3") | map(attribute="name") | list
servers | rejectattr("zone", "eq", "z2") | map(attribute="name") | list
servers | rejectattr("tags", "defined") | map(attribute="name") | list
servers | selectattr("name", "regex", "^[ab]$") | list | length
servers | groupby("zone") | map("first") | list
servers | groupby("zone") | map(attribute=0) | list
servers | groupby("zone") | map(attribute="grouper") | list
servers | groupby("tls", default=false) | map("first") | list
[{"n": "b"}, {"n": "A"}, {"n": "B"}] | groupby("n") | map("first") | list
(servers | groupby("zone"))[0].list | map(attribute="name") | list
servers | items2dict(key_name="name", value_name="port")
[1, 2, 3] | random(seed="lb1")
["a", "b", "c", "d"] | random(seed=inventory_hostname)
100 | random(seed="lb1")
59 | random(seed="edge-01.example.com")
100 | random(1, 10, seed="x")
100 | random(start=50, seed=7)
[1, 2, 3, 4, 5] | shuffle(seed="lb1")
["a", "b", "c"] | shuffle(seed=42)
[1, 2, 3] | contains(2)
[1, 2, 3].index(2)
[1, 2, 1].count(1)
(1, 2) | list
"a,b" | split(",") | map("upper") | list
servers | length
none | length
5 | length
5 | list
none | list
{"a": 1} | list
[3, 1] | sort | first
[{"a": 2}, {"a": 1}] | sort(attribute="a") | map(attribute="a") | list
[{"a": 2}, {"b": 1}] | sort(attribute="a")
servers | subelements("tags") | list
servers | subelements("tags", skip_missing=true) | map("last") | list
servers | subelements("tags", {"skip_missing": true}) | length
[{"a": {"b": [1, 2]}}] | subelements("a.b") | map(attribute=1) | list
["a", "b"] | map("extract", {"a": 1, "b": 2}) | list
[0, 2] | map("extract", regions) | list
["x"] | map("extract", {"x": {"y": {"z": 3}}}, ["y", "z"]) | list
["x"] | map("extract", {"x": {"y": 3}}, "y") | list
["nope"] | map("extract", {"a": 1}) | list
servers | ansible.utils.index_of("eq", 80, "port")
servers | ansible.utils.index_of("eq", "z2", "zone")
servers | ansible.utils.index_of("!=", "z2", "zone")
servers | ansible.utils.index_of("not eq", "z2", "zone")
servers | ansible.utils.index_of("defined", none, "tls")
servers | ansible.utils.index_of("eq", true, "tls", fail_on_missing=true)
servers | ansible.utils.index_of("eq", 80, "port", wantlist=true)
servers | ansible.utils.index_of("in", [80, 443], "port")
regions | ansible.utils.index_of("eq", "us")
regions | ansible.utils.index_of("in", "us")
regions | ansible.utils.index_of("eq", "xx")
[1, 2, 3, 4] | ansible.utils.index_of("odd")
[1, 2] | ansible.utils.index_of("nope", 1)
n | ansible.utils.index_of("eq", 5)
["1","2","3"] | ansible.utils.param_list_compare(["!all","2","4"])
["3","1","2"] | ansible.utils.param_list_compare(["all","!2","4"])
["3","1","2"] | ansible.utils.param_list_compare(target=["4","3","1","3"])
["3","1"] | ansible.utils.param_list_compare(["!3","3"])
["3","1"] | ansible.utils.param_list_compare([])
["a", "A"] | unique(case_sensitive=false)
[[1], [1]] | unique(case_sensitive=false)
[{"a": 1}] | unique(false)
[[1], [1]] | unique(case_sensitive=true)
[{"a": [1]}, {"a": [1]}] | unique(attribute="a")
[1, none, true] | unique(case_sensitive=false)
["Ab", "c"] | map("regex_replace", "a", "x", ignorecase=true) | list
["A1", "b"] | select("match", "a", ignorecase=true) | list
["A1", "b"] | reject("search", "a", ignorecase=True) | list
[{"n": "1.10"}, {"n": "1.9"}] | selectattr("n", "version", "1.9", operator=">") | list
[{"n": "1.10"}, {"n": "1.9"}] | rejectattr("n", "version", "1.9", operator=">") | list
["1.10", "1.9"] | select("version", "1.9", ">", version_type="loose") | list
["a b", "c"] | map("replace", old="a", new="x") | list
[{"b": 1, "a": 2}] | map("dict2items") | map("map", attribute="key") | map("sort") | map("join", ",") | list
[[{"x": 1}], [{"x": 2}]] | map("map", attribute="x") | map("first") | list
[[{"x": 1}], [{}]] | map("map", attribute="x", default=0) | map("first") | list
["a", "z"] | map("extract", {"a": 1}) | select("defined") | list
["a", "z"] | map("extract", {"a": 1}) | reject("undefined") | list
["a", "z"] | map("extract", {"a": 1}) | map("default", 0) | list
["a", "z"] | map("extract", {"a": {"x": 1}}, "x") | map("default", 0) | list
["a", "z"] | map("extract", {"a": {"x": 1}}) | map(attribute="x") | map("default", 0) | list
["a", "z"] | map("extract", {"a": {"x": 1}}) | map(attribute="x", default=0) | list
["a", "z"] | map("extract", {"a": 1}) | first
["a", "z"] | map("extract", {"a": 1}) | last
["a", "z"] | map("extract", {"a": 1}) | list
["z"] | map("extract", {"a": 1}) | join
[[1], []] | map("first") | map("default", 0) | list
[[1], []] | map("first") | list
["a"] | map("upper", wrong=1) | list
["a"] | map("nofilter") | list
[1, 2] | map("float") | list
["1f"] | map("int", base=16) | list
["1f"] | map("int", 0, base=16) | list
[1] | zip_longest([2, 3], [4], fillvalue="x") | list
[1] | zip_longest([2, 3], fill="x") | list
[{"a": 1}] | max
[{"a": 1}] | min
[{"n": 1, "v": "x"}, {"n": 1, "v": "y"}] | max(attribute="n")
`;
