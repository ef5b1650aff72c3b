/** Tests after `is`. One expression a line. */
export const TESTS = String.raw`
nothing is none
"foobar" is match("foo")
"foobar" is match("bar")
"foobar" is search("bar")
"foobar" is regex("^f")
"FOO" is match("foo", ignorecase=true)
missing | default("x")
missing.a.b | default("x")
config.zz | default("x")
"" | default("x")
"" | default("x", true)
false | default("x", boolean=true)
missing | d("y")
result is changed
result is failed
result is succeeded
result is success
result is skipped
n is number
n is string
"x" is string
config is mapping
regions is sequence
regions is iterable
n is even
n is odd
n is divisibleby 5
true is boolean
1 is boolean
1 is sameas true
"2.10" is version("2.9", ">")
"2.10" is version("2.10", "==")
"2.10.1" is version("2.10", ">=")
"1.0rc1" is version("1.0rc2", "lt")
[1,2] is subset([1,2,3])
[1,2,3] is superset([1,2])
regions is contains("eu")
"eu" is in regions
[true, true] is all
[false, true] is any
"abc" is lower
"ABC" is upper
n is eq 5
n is ge 5
n is integer
1.5 is float
1.5 is integer
5 is not none
missing is not defined or missing == 1
n is defined and n == 5
"" is string
[] is sequence
"a" is sequence
{} is sequence
5 is sequence
{} is iterable
5 is iterable
none is iterable
{} is mapping
[] is mapping
5 is number
5.5 is number
"5" is number
true is number
true is integer
5 is integer
5.0 is float
5.0 is integer
5 is float
none is none
true is true
1 is true
false is false
0 is false
"x" is sameas "x"
n is sameas 5
4 is even
3 is odd
"a" is even
9 is divisibleby(3)
9 is divisibleby 2
"aBc" is lower
"123" is upper
5 is eq(5)
5 is ne 6
5 is lt 6
5 is le 5
5 is gt 4
5 is ge 6
5 is equalto 5
5 is greaterthan 4
5 is lessthan 4
5 is in [5, 6]
5 is not in [5, 6]
"a" is in "abc"
[1, 2] is contains 1
"abc" is contains("b")
{"a": 1} is contains("a")
[1] is subset([1, 2])
[1, 3] is subset([1, 2])
[1, 2] is superset([2])
[1] is issubset [1]
[true, 1] is all
[true, 0] is all
[] is all
[0, ""] is any
[] is any
"x" is truthy
"" is truthy
"no" is truthy
"no" is truthy(convert_bool=true)
"yes" is falsy(convert_bool=true)
0 is falsy
"1.2.3" is version("1.2", ">")
"1.2.3" is version("1.2.3", "eq")
"1.2.3" is version("1.10", "<")
"1.2" is version("1.2.0", "==")
"2.0-beta" is version("2.0", "<")
"v1.2" is version("v1.3", "lt")
"1.2.3" is version("1.2.3", ">=", strict=true)
"1.0.0-rc.1" is version("1.0.0", "<", version_type="semver")
"1.0.0" is version("1.0.0+build", "==", version_type="semver")
"1.2" is version("1.2", "~")
"" is version("1.0", ">")
1.5 is version("1.4", ">")
result is change
result is successful
result is unreachable
result is reachable
skipped_result is skipped
skipped_result is succeeded
failed_result is failed
failed_result is not failed
failed_result is success
config is changed
"x" is changed
"/a/b" is abs
"a/b" is abs
"a/b" is is_abs
"https://example.com/x" is url
"example.com" is url
"example.com" is uri
"urn:isbn:12" is urn
"https://example.com" is uri(["ftp"])
"https://example.com" is url(schemes=["https"])
("x" | float) is nan
5 is isnan
n is defined and n is not none and n > 3
not (n is defined)
n is not defined or n == 5
"a" is match("a") and "b" is match("b")
5 is divisibleby 5 and 6 is even
[1, 2] is sequence and [1, 2] is not string
5 is nope
5 is not nope
"no" is truthy(convert_bool=True)
"yes" is truthy(convert_bool=True)
"maybe" is truthy(convert_bool=True)
"off" is falsy(convert_bool=True)
"on" is truthy(convert_bool=true)
"0" is truthy(convert_bool=True)
"y" is truthy(convert_bool=True)
"n" is falsy(convert_bool=True)
"" is truthy(convert_bool=True)
none is truthy(convert_bool=True)
5 is truthy(convert_bool=True)
"2" is truthy(convert_bool=True)
[1] is truthy(convert_bool=True)
("nan" | float) is isnan
("nan" | float) is nan
"NaN" is isnan
"a" is isnan
none is isnan
"1.0.dev1" is version("1.0", "<", version_type="pep440")
"1.0" is version("1.0.0", "==", version_type="pep440")
"1.0rc1" is version("1.0", "<", version_type="pep440")
"1.0.post1" is version("1.0", ">", version_type="pep440")
"1!1.0" is version("2.0", ">", version_type="pep440")
"1.0+local" is version("1.0", ">", version_type="pep440")
"1.0a1" is version("1.0b1", "<", version_type="pep440")
"1.0.dev1" is version("1.0a1", "<", version_type="pep440")
"v1.10" is version("1.9", ">", version_type="pep440")
"1.0-1" is version("1.0.post1", "==", version_type="pep440")
"1.0.alpha-2" is version("1.0a2", "==", version_type="pep440")
"abc" is version("1.0", "<", version_type="pep440")
"1.0a1.dev2" is version("1.0a1", "<", version_type="pep440")
"1.0+a.1" is version("1.0+a.10", "<", version_type="pep440")
"1.0+1" is version("1.0+a", ">", version_type="pep440")
"1.0.0.0" is version("1", "==", version_type="pep440")
"1.0c1" is version("1.0rc1", "==", version_type="pep440")
"1.0.post1.dev1" is version("1.0.post1", "<", version_type="pep440")
missing | type_debug
missing.a | type_debug
config.nope | type_debug
'a' 'b' 'c'
"a" 'b' ~ "c"
("a" "b") | upper
["a" "b", "c"]
"a" "b" == "ab"
{"x" "y": "a" "b"}
regions | map("ansible.builtin.upper") | list
["/a/b"] | map("ansible.builtin.basename") | list
["a", ""] | select("ansible.builtin.truthy") | list
[1, 2] | reject("ansible.builtin.divisibleby", 2) | list
["10.0.0.1", "x"] | map("ansible.utils.ipaddr") | list
["ab", "b"] | select("ansible.builtin.match", "a") | list
["ab", "b"] | reject("ansible.builtin.match", "a") | list
servers | selectattr("name", "ansible.builtin.match", "a") | map(attribute="port") | list
servers | rejectattr("name", "ansible.builtin.match", "a") | map(attribute="port") | list
servers | selectattr("tls", "ansible.builtin.defined") | map(attribute="port") | list
"a" "b".upper()
"/" is directory
"/etc/passwd" is file
"/etc/passwd" is exists
"/nowhere/at/all" is exists
"/nowhere/at/all" is ansible.builtin.file
"/etc" is file
"/proc" is mount
"/etc" is mount
"/proc/self/exe" is link
"/proc/self/exe" is link_exists
"/etc" is link
"/etc/passwd" is same_file("/etc/../etc/passwd")
"/etc/passwd" is same_file("/etc/hostname")
"/etc/../etc/passwd" | realpath
"/nowhere/../at/./all" | realpath
"/a" is abs
"a" is abs
"10.1.0.7" is ansible.utils.public
"8.8.8.8" is ansible.utils.public
"::1" is ansible.utils.public
"2001:db8::1" is ansible.utils.public
"2a00:1450::1" is ansible.utils.public
"fe80::1" is ansible.utils.public
"224.0.0.1" is ansible.utils.public
"ff02::1" is ansible.utils.public
"0.0.0.0" is ansible.utils.public
"100.64.0.1" is ansible.utils.public
"192.0.2.7" is ansible.utils.public
"x" is ansible.utils.public
"10.0.0.0/8" is ansible.utils.public
"10.1.0.7" is ansible.utils.private
"8.8.8.8" is ansible.utils.private
"::1" is ansible.utils.private
"2001:db8::1" is ansible.utils.private
"2a00:1450::1" is ansible.utils.private
"fe80::1" is ansible.utils.private
"224.0.0.1" is ansible.utils.private
"ff02::1" is ansible.utils.private
"0.0.0.0" is ansible.utils.private
"100.64.0.1" is ansible.utils.private
"192.0.2.7" is ansible.utils.private
"x" is ansible.utils.private
"10.0.0.0/8" is ansible.utils.private
"10.1.0.7" is ansible.utils.loopback
"8.8.8.8" is ansible.utils.loopback
"::1" is ansible.utils.loopback
"2001:db8::1" is ansible.utils.loopback
"2a00:1450::1" is ansible.utils.loopback
"fe80::1" is ansible.utils.loopback
"224.0.0.1" is ansible.utils.loopback
"ff02::1" is ansible.utils.loopback
"0.0.0.0" is ansible.utils.loopback
"100.64.0.1" is ansible.utils.loopback
"192.0.2.7" is ansible.utils.loopback
"x" is ansible.utils.loopback
"10.0.0.0/8" is ansible.utils.loopback
"10.1.0.7" is ansible.utils.multicast
"8.8.8.8" is ansible.utils.multicast
"::1" is ansible.utils.multicast
"2001:db8::1" is ansible.utils.multicast
"2a00:1450::1" is ansible.utils.multicast
"fe80::1" is ansible.utils.multicast
"224.0.0.1" is ansible.utils.multicast
"ff02::1" is ansible.utils.multicast
"0.0.0.0" is ansible.utils.multicast
"100.64.0.1" is ansible.utils.multicast
"192.0.2.7" is ansible.utils.multicast
"x" is ansible.utils.multicast
"10.0.0.0/8" is ansible.utils.multicast
"10.1.0.7" is ansible.utils.unspecified
"8.8.8.8" is ansible.utils.unspecified
"::1" is ansible.utils.unspecified
"2001:db8::1" is ansible.utils.unspecified
"2a00:1450::1" is ansible.utils.unspecified
"fe80::1" is ansible.utils.unspecified
"224.0.0.1" is ansible.utils.unspecified
"ff02::1" is ansible.utils.unspecified
"0.0.0.0" is ansible.utils.unspecified
"100.64.0.1" is ansible.utils.unspecified
"192.0.2.7" is ansible.utils.unspecified
"x" is ansible.utils.unspecified
"10.0.0.0/8" is ansible.utils.unspecified
"10.1.0.7" is ansible.utils.ip
"8.8.8.8" is ansible.utils.ip
"::1" is ansible.utils.ip
"2001:db8::1" is ansible.utils.ip
"2a00:1450::1" is ansible.utils.ip
"fe80::1" is ansible.utils.ip
"224.0.0.1" is ansible.utils.ip
"ff02::1" is ansible.utils.ip
"0.0.0.0" is ansible.utils.ip
"100.64.0.1" is ansible.utils.ip
"192.0.2.7" is ansible.utils.ip
"x" is ansible.utils.ip
"10.0.0.0/8" is ansible.utils.ip
"0216.3ee4.16f3" is ansible.utils.mac
"02163ee416f3" is ansible.utils.mac
"02-16-3e-e4-16-F3" is ansible.utils.mac
"x" is ansible.utils.mac
"10.1.0.0/16" is ansible.utils.subnet_of("10.0.0.0/8")
"10.1.0.1/16" is ansible.utils.subnet_of("10.0.0.0/8")
"10.0.0.0/8" is ansible.utils.supernet_of("10.1.0.0/16")
"10.1.0.7" is ansible.utils.in_any_network(["10.0.0.0/8", "11.0.0.0/8"])
"10.1.0.7" is ansible.utils.in_one_network(["10.0.0.0/8", "10.1.0.0/16"])
"10.1.0.7" is ansible.utils.in_one_network(["10.0.0.0/8"])
`;
