/** Filters over texts, and Python's methods. One expression a line. */
export const TEXTS = String.raw`
2 * 3 | string
"hello World" | upper
"Hello" | lower
"hELLO wORLD" | capitalize
"hello wORLD-foo bar" | title
"  x " | trim
"xxaxx" | trim("x")
"aXbXc" | replace("X", "-")
"aXbXc" | replace("X", "-", 1)
"a,b,c".split(",")
"a b  c" | split
"a,b,c" | split(",", 1)
"a,b" | split(",") | last
",".join(regions)
"abc".startswith("ab")
"abc".endswith("ab")
"a\nb" | indent(2)
"%s-%03d" % ("a", 7)
"%s" % "x"
"%s:%d" | format("h", 80)
"%.2f" | format(2.456)
"a b c d e f" | truncate(7)
"abc" | center(7)
"abcd" | center(7)
"one two" | wordcount
regions | first | upper
"abc" | replace("b", "")
"x" | string | length
"a.b"| split(".") | first
"abc" | upper
5 | upper
"straße" | upper
"ABC def" | lower
"hello world" | capitalize
"hello-world foo_bar it's" | title
"  x  " | trim
"xxabxx" | trim("x")
"a b" | replace(" ", "_")
"aaa" | replace("a", "b", 2)
"a.b" | replace(".", "-")
5 | replace("5", "6")
"a,b,,c" | split(",")
"a b\tc" | split
" a  b " | split
"a-b-c" | split("-", 1)
"abc" | split("")
"a,b".split(",")
"a,b,c".split(",", 1)
"a,b,c".rsplit(",", 1)
"a,b,c".split(",")[1]
"a\nb".splitlines()
"x=1".partition("=")
"Hello".lower()
"hello".upper()
"hello world".title()
"hello".capitalize()
"  x ".strip()
"xxaxx".strip("x")
"  x ".lstrip()
"  x ".rstrip()
"abc".startswith("a")
"abc".startswith(("x", "a"))
"abc".endswith("bc")
"abcabc".find("c")
"abcabc".index("c")
"abc".index("z")
"abcabc".count("b")
"a-b".replace("-", "+")
"abc".isdigit()
"123".isdigit()
"abc".isalpha()
"abc1".isalnum()
"ABC".isupper()
"abc".islower()
"7".zfill(3)
"x".ljust(3) ~ "|"
"x".rjust(3)
"x".center(5) ~ "|"
"-".join(["a", "b"])
", ".join(servers | map(attribute="name"))
"abc".swapcase()
"one two three" | wordcount
"hello world foo bar" | truncate(9)
"hello world foo bar" | truncate(9, true)
"hello world foo bar" | truncate(11, false, "", 0)
"hello" | truncate(3)
"hello world" | truncate(5, true, "..", 0)
"abc" | center(9)
"%s/%s" | format("a", "b")
"%(x)s" | format(x=1)
"line1\nline2" | indent
"a" | indent(2, true)
multiline | indent(4)
multiline | indent(2, true)
multiline | indent(2, false, true)
multiline | indent(">> ")
multiline | length
multiline.split("\n") | length
multiline.splitlines()
5 | string
none | string
true | string
1.0 | string
1.5 | string
[1] | string | length
"a" | list
"hello" | comment
multiline | comment
"hello" | comment("c")
"hello" | comment("cblock")
"hello" | comment("xml")
"hello" | comment("erlang")
"hello" | comment("plain", prefix="#", postfix="#")
"hello" | comment(decoration="! ")
"a b c d e f g h i j" | wordwrap(7)
"The quick brown fox jumps" | wordwrap(10, true, "/")
"<a href=x>" | e
"<b>x</b>" | striptags
"abc" | urlize
"Ab" | reverse
"1,2;3" | regex_replace("[,;]", "|")
"x" | hash
"abc" | first | upper
"abc" | random(seed=1)
"10.1.2.3".split(".") | map("int") | list
"a" < "B"
"ab" in "cabd"
"lb-01.example.com" | regex_search("[0-9]+") | int
"lb-01.example.com".split(".")[0]
none | lower
none | upper
none | title
none | capitalize
none | trim
none | replace("n", "m")
none | center(10)
none | wordcount
none | b64encode
none | hash
none | md5
none | checksum
none | to_uuid
none | urlencode
{"a": none, "b": true} | urlencode
none | quote
true | quote
none | escape
none | regex_replace("N", "M")
none | regex_search("N")
none | regex_findall("N")
none | regex_escape
none | from_yaml
none is lower
none is match("No")
none | indent
none | split
none | truncate(2)
none | basename
none | from_json
none | length
true | lower
true | trim
true | b64encode
true | hash
true | replace("T", "t")
true | regex_replace("T", "t")
false | center(9)
"%s %s %s" | format(true, none, 1)
"%s" % true
"{} {}".format(false, none)
[true, none, "a"] | join("-")
[true, none] | map("string") | list
[{"a": true}] | join("-", attribute="a")
[1, "a"] | lower
[1, "a"] | string
{"a": none} | string
{"a": none, "b": true} | upper
[none, "N"] | regex_replace("N", "M")
"a" ~ [none, true] ~ {"a": none}
canary ~ nothing ~ n
{true: "yes", false: "no"}[canary]
{true: 1, none: 2} | to_json
{true: 1}.get(true)
{"a": 1}.get("b", true) ~ ""
[{"key": true, "value": 1}] | items2dict | to_json
true in {true: 1}
none in {"None": 1}
true in {"true": 1}
"lb01.emea".removeprefix("lb")
"lb01.emea".removeprefix("emea")
"lb01.emea".removesuffix(".emea")
"lb01.emea".removesuffix("")
"a.b.a".rfind("a")
"a.b.a".rfind("z")
"a.b.a".rindex("a")
"a.b.a".rindex("z")
"STRASSE ß".casefold()
"a\tb\n\tc".expandtabs(4)
"a\tb".expandtabs()
"they're a.b.c 3d x_y lb-1".title()
"they're a.b.c 3d x_y lb-1" | title
"Title Case 1".istitle()
"Title case".istitle()
"abc1".isidentifier()
"1abc".isidentifier()
"abc".isascii()
"äbc".isascii()
"".isascii()
"x".copy is defined
{"a": 1}.copy()
[1, 2].copy()
"x" | password_hash("sha512", "saltsalt", rounds=5000)
"x" | password_hash("sha256", "saltsalt", rounds=1000)
"x" | password_hash("sha512", "s", rounds=2000)
"pass wörd" | password_hash(salt="saltsalt", rounds=1500)
"x" | password_hash("bcrypt", "1234567890123456789012", rounds=4)
"x" | password_hash("blowfish", "1234567890123456789012", ident="2b", rounds=5)
"x" | password_hash("sha512", "sa_lt")
"x" | password_hash("nope", "salt")
["1.10", "1.9", "1.2.3", "2"] | community.general.version_sort
["1.10", "1.9"] | community.general.version_sort(reverse=true)
["v1.10", "v1.9"] | community.general.version_sort
"é" | community.general.unicode_normalize("NFD") | length
"ﬁ" | community.general.unicode_normalize(form="NFKC")
"x" | community.general.unicode_normalize("NFX")
"hello" | community.general.crc32
"é" | community.general.crc32
"" | community.general.crc32
"52:54:00" | community.general.random_mac(seed="lb1")
"52:54" | community.general.random_mac(seed=5)
"52:54:00:01:02" | community.general.random_mac(seed="x")
"AA" | community.general.random_mac(seed="x")
"52:54:00:01:02:03" | community.general.random_mac(seed="x")
"zz" | community.general.random_mac(seed="x")
"C:\\a\\b.txt" | win_basename
"C:\\a\\b.txt" | win_dirname
"C:\\a\\b.txt" | win_splitdrive
"C:/a/b.txt" | win_basename
"C:/a//b.txt" | win_dirname
"C:a" | win_dirname
"C:a" | win_basename
"C:\\a" | win_dirname
"C:\\" | win_dirname
"C:\\a\\" | win_basename
"C:\\a\\" | win_dirname
"\\\\host\\share\\x\\y" | win_splitdrive
"\\\\host\\share\\x\\y" | win_dirname
"\\\\host\\share" | win_splitdrive
"\\\\host" | win_splitdrive
"//host/share/x" | win_splitdrive
"//host/share/x/y" | win_dirname
"//host" | win_splitdrive
"\\a\\b" | win_splitdrive
"a" | win_dirname
"" | win_basename
"".splitlines()
"\n".splitlines()
"a\rb\r\nc\n".splitlines()
"a\x0bb\x0cc\x1cd\x85e".splitlines()
"a\n\n".splitlines()
"%s" % [1]
"%s" % (1,)
"%s" % []
"%s" % ("a",)
"%d" % [5]
"%s" % ([1],)
"%s" % (regions | first,)
"%s %s" % (env, n,)
"%d-%d" % (1, 2, )
"a" % []
`;
