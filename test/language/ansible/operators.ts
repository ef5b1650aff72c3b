/** Operators, literals and paths. One expression a line. */
export const OPERATORS = String.raw`
env == "prod" and not canary
"eu" in regions
"eu" not in regions
n * 2 + 1
7 // 2
-7 // 2
-7 % 3
2 ** 3 ** 2
1 < 2 < 3
1 < 3 < 2
not 1 == 2
"a" ~ 1 ~ "b"
servers[0].name
servers[-1]["name"]
regions[1:]
regions[::-1]
"abcdef"[1:3]
"abcdef"[::-1]
"abcdef"[-2:]
true | ternary("a", "b")
none | ternary("a", "b", "c")
false | ternary("a", "b")
"a" in "abc"
1 in [1.0]
true == 1
[1,2] == [1,2]
{"a":1} == {"a":1}
"1" == 1
[1] + [2]
"a" + "b"
"-" * 3
1 / 4
5 % 3
'\d'
"C:\x"
'a\\b'
(1, 2)
(1, 2)[0]
"x" in ("x", "y")
{"a": 1}.a
{"a": 1}["a"]
[{"a": 1}][0].a
not nothing
nothing or "x"
n and "x"
0 or ""
[] or {}
1e3
1_000
0x1f
"a" < "b"
[1,2] < [1,3]
"B" < "a"
servers[0].tags[0]
servers.0.name
servers[n - 5].name
config["a"]
1 + 2 * 3
(1 + 2) * 3
10 - 2 - 3
2 ** -1
-2 ** 2
7 / 2
6 / 2
-7 / 2
7.5 // 2
-7.5 % 2
1.5 + 1.5
0.1 + 0.2
1e21
1e20 + 1
9007199254740993
10 % 3.5
"a" * 0
"ab" * 2
2 * "ab"
[1] * 3
"a" + 1
1 + "a"
"a" ~ none ~ true ~ [1]
"x" ~ 1.0
1 == 1.0
"1" == "1"
none == none
none == false
"" == none
[] == ()
{"a": 1, "b": 2} == {"b": 2, "a": 1}
1 != 2
"a" != "b"
1 < 2 == true
3 > 2 > 1
3 > 2 < 1
not true
not not 1
not []
not {}
not "false"
true and false or true
false or false
1 and 2
0 and missing
1 or missing
missing and 1
missing or 1
none or "x"
"a" if true else "b"
"a" if 0 else "b" if 1 else "c"
("a" if false else "b") ~ "c"
"x" in []
"x" not in ["x"]
1 in {"a": 1}
"a" in {"a": 1}
"1" in [1]
2 in "123"
none in [none]
true in [1]
1 in 5
missing in [1]
"a" in missing
regions[0]
regions[-1]
regions[5]
regions[5] | default("none")
regions[0:2]
regions[-2:]
regions[:-1]
regions[::2]
regions[2:0:-1]
regions[5:]
"hello"[1]
"hello"[-1]
"hello"[10]
"hello"[1:-1]
config.a
config["b"]
config["zz"]
config.zz
config.c[1]
config.c.0
config[canary]
servers[1]["port"]
servers[0].tags | first
servers[1].tags
servers[1].tags | default([])
nothing.x
nothing.x | default("d")
{"a": {"b": [1, {"c": "deep"}]}}.a.b[1].c
[1, 2, 3,]
{"a": 1,}
{"a": 1, "a": 2}
{1: "a"}
{"k" ~ n: 1}
()
(1,)
[[1, 2], [3]][0][1]
"a" "b"
"it's"
'say "hi"'
"\\d"
"tab\there"
'a\'b'
"ä" ~ "€"
"😀" | length
"😀"[0]
1_000 + 1
0b11
0o17
0xff
.5
5.
-5 | abs
- 5
+5
--5
5 is defined and 6
n == 5 or missing == 1
n != 5 or missing == 1
env == "prod" if n > 3 else missing
a.b.c is defined
true == "true"
True
False
None
null
"a" < 1
[1] < [1, 2]
"10" < "9"
1 < none
{"a": 1} < {"b": 1}
[3, 1] + [2]
[1] + (2,)
{"a": 1} + {"b": 2}
[1] - [1]
5 // 0
5 / 0
5 % 0
"%d items" % 3
"%s and %s" % ("a", "b")
"%5.1f|" % 3.14159
"%-5s|" % "ab"
"%05d" % 42
"%x" % 255
"%%" % ()
"%s" % [1, 2]
"%(a)s-%(b)d" % {"a": "x", "b": 2}
"%s %s" % "one"
"{} and {}".format("a", "b")
"{0}-{1}-{0}".format("a", "b")
"{name}".format(name="x")
"{!r} {!s} {!a}".format("it's", "b", "ü")
"{!r:>6}|".format("a")
"{!x}".format("a")
"{:,} {:_}".format(1234567, -1234567)
"{:,.2f} {:>12,}|{:+,}".format(1234567.891, 1234, 9999)
"{:,}".format(123)
"{:,}".format("a")
"{: d} {: }{:-d}".format(5, 5, 5)
"{:=+6d}|{:x=6}".format(5, -5)
"{:G} {:g}".format(0.0000012, 0.0000012)
d ['k']
d . k
d. k
d .k
d . list . 1
(d) ['k']
[1,2] [0]
(1, 2) [0]
{"a": 1} ["a"]
"abc" [1]
d.get ('k')
d . get ( 'k' )
d ['list'] [0] + d . list [1 :] [0]
(d).list [ : : -1 ]
d ['missing'] | default ('x')
missing ['k'] | default ('x')
count -1
count - 1 -1
range (5) | list
range (5) [2]
query ("items", [1, 2]) [1]
lookup ("env", "EVENKEEL_TEST_VALUE") [0]
dict (a = 1) ["a"]
1 is in d ['list']
env | ansible . builtin . b64encode
"a" . upper ()
("a" or "b" if true or false if true)
("a" or "b" if true or false if false) | default("none")
("a" if false if true) | default("none")
("a" if true if true else "c")
("a" if false else "b" if false else "c")
("a" if false else "b" if true if false) | default("none")
missing | default(default_value="x")
"" | default(default_value="x", boolean=true)
true | ternary(true_val="a", false_val="b")
none | ternary(true_val="a", false_val="b", none_val="c")
missing | d("x") | mandatory(msg="m")
"a" | hash(hashtype="md5")
["a", "b"] | join(d="-")
["a", "b"] | batch(linecount=1) | list
["a", "b", "c"] | batch(linecount=2, fill_with="x") | list
["a", "b", "c"] | slice(slices=2, fill_with="x") | list
"http://a/b" | urlsplit(query="hostname")
"a" | regex_findall(regex="a", multiline=true, ignorecase=true)
2 | pow(y=2)
"a" | extract(container={"a": {"b": 1}}, morekeys="b")
"xax" | trim(chars="x")
[1] is subset(b=[1])
[1] is superset(b=[1])
4 is divisibleby(num=2)
1 is in(seq=[1])
[{"a": [1]}] | subelements(subelements="a") | length
{"a": 1} | to_json(indent=2, separators=[",", ":"])
{"a": 1} | to_json(separators=[",", ":"])
"a b" | split(sep=" ")
[1, 2] | union(b=[3])
[1, 2] | difference(b=[1])
[1, 2] | intersect(b=[1])
[1, 2] | symmetric_difference(b=[1])
`;
