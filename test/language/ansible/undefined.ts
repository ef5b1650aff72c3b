/** Expressions with undefined variables. One expression a line. */
export const UNDEFINED = String.raw`
missing
missing.attribute
missing | upper
missing | default
missing | default("x") | upper
missing.a.b.c | default("deep")
missing["a"]["b"] | default("deep")
missing[0] | default("deep")
config.zz.yy | default("deep")
config["zz"]["yy"] | default("deep")
regions[9].name | default("deep")
servers[0].nope | default("none")
nothing | default("x")
nothing | default("x", true)
0 | default(5)
0 | default(5, true)
[] | default([1], true)
missing | default(missing2) | default("end")
missing | default(missing2)
missing is defined
missing is undefined
missing is not defined
missing.a is defined
config.zz is defined
config.zz.yy is defined
config.a is defined
config["a"] is defined
regions[0] is defined
regions[9] is defined
nothing is defined
nothing is undefined
missing | mandatory
n | mandatory
missing | mandatory("needed")
[missing | default(1), n]
{"a": missing | default(1)}
[missing]
{"a": missing}
"x" if missing is defined else "y"
missing if false else "y"
"yes" if canary
missing == ""
missing | bool
missing | int
missing | length
missing | list
missing | join(",")
missing | ternary("a", "b")
(missing | default(false)) | ternary("a", "b")
uses_missing | default("x")
uses_missing is defined
uses_missing
not missing
missing is none
missing is string
missing is iterable
servers | map(attribute="tls") | list
servers | map(attribute="tls") | select("defined") | list
servers | selectattr("tls") | list | length
servers | selectattr("nope", "undefined") | list | length
servers | rejectattr("tls", "undefined") | map(attribute="name") | list
servers | map(attribute="tls", default="?") | list
servers | map(attribute="nope.deeper", default="?") | list
[] | first
[] | first | default("none")
[] | last | default("none")
[] | max | default("none")
[] | min | default(0)
[] | random | default("none")
missing is number
missing is mapping
missing is boolean
missing is integer
missing is float
missing is sequence
missing is true
missing is lower
missing is sameas none
servers | map(attribute="tls") | select("undefined") | list
servers | map(attribute="tls") | map("default", false) | list
servers | map(attribute="tls") | first
servers | map(attribute="tls") | list | length
servers | map(attribute="tls") | join(",")
servers | map(attribute="tls") is defined
servers | map(attribute="tls") | reject("undefined") | list
first_of_none is defined
first_of_none | default("none")
first_of_none.name | default("none")
first_of_none
largest_of_none is defined
nothing_extracted | default("none")
`;
