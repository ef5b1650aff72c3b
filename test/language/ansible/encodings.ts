/** JSON, YAML, hashes, URLs, paths and dates. One expression a line. */
export const ENCODINGS = String.raw`
config | to_json
config | to_nice_json
{"b":[1,{"a":[]}],"c":{}} | to_nice_json
config | to_yaml
"hello" | b64encode
"aGVsbG8=" | b64decode
"hello" | hash
"hello" | hash("sha256")
"hello" | md5
"hello" | checksum
{"a b": "c/d", "e": 1} | urlencode
"a b" | quote
"it's" | quote
"" | quote
"abc" | quote
"hello" | to_uuid
"/a/b.txt" | basename
"/a/b.txt" | dirname
"a/b.tar.gz" | splitext
["/a", "b", "c"] | path_join
"%Y-%m-%d %H:%M:%S" | strftime(0, utc=true)
"%j %U %W %V %u %w %a %A %b %B %y %I %p %%" | strftime(1700000000, utc=true)
"%j %U %W %V %G %e %D %T %R" | strftime(1609459200, utc=true)
"%c" | strftime(1609459200, utc=true)
{"a": none} | to_json
{"a": 1} | to_json
[1, "a", none, true, 1.5] | to_json
{"b": 1, "a": 2} | to_json(sort_keys=true)
{"a": 1} | to_json(indent=2)
"é€" | to_json
"é€" | to_json(ensure_ascii=false)
{"b": 1, "a": [1, {"c": 2}]} | to_nice_json
{"b": 1, "a": 2} | to_nice_json(indent=2)
{"b": 1, "a": 2} | to_nice_json(sort_keys=false)
[] | to_nice_json
{} | to_nice_json
{"b": "<x>", "a": "'"} | tojson
"[1, 2]" | from_json
"{\"a\": true}" | from_json
"{bad" | from_json
"5" | from_json
{"a": 1, "b": [1, 2]} | to_yaml
{"a": {"b": {"c": 1}}} | to_yaml
[{"a": 1}, {"b": 2}] | to_yaml
[1, 2] | to_yaml
"abc" | to_yaml
5 | to_yaml
none | to_yaml
true | to_yaml
"yes" | to_yaml
"5" | to_yaml
"a: b" | to_yaml
{"a": 1, "b": [1, 2]} | to_nice_yaml
{"a": {"b": [1, {"c": "x y"}]}} | to_nice_yaml
{"a": {"b": 1}} | to_nice_yaml(indent=2)
[{"name": "x", "port": 80}] | to_nice_yaml
{"a": "multi\nline"} | to_nice_yaml
{"t": multiline} | to_nice_yaml
{"a": "", "b": none, "c": [], "d": {}} | to_nice_yaml
{"n": "null", "t": "true", "d": "2024-01-01", "f": "1.5", "h": "0x1f", "o": "010"} | to_nice_yaml
{"e": "é", "q": "it's", "s": " x", "h": "# no", "c": "a #b", "m": "- x", "b": "{x}"} | to_nice_yaml
{"b": 1, "a": 2} | to_nice_yaml(sort_keys=false)
"a: 1\nb: [1, 2]" | from_yaml
yaml_text | from_yaml
yaml_text | from_yaml | to_json
"a: [" | from_yaml
"yes" | from_yaml
"[1, 2]" | from_yaml
yaml_documents | from_yaml_all | list
"é" | b64encode
"w6k=" | b64decode
"" | b64encode
"x" | hash("sha1")
"x" | hash("sha512") | length
"x" | hash("md5")
"x" | hash("nope")
"x" | md5
"x" | sha1
"x" | checksum
"a b&c=d/e" | urlencode
{"a": "b c", "d": 1} | urlencode
[["a", 1], ["b", "x y"]] | urlencode
"é" | urlencode
"a%20b%2Fc+d" | urldecode
5 | quote
"a;b" | quote
"http://user:secret@www.example.com:9000/dir/index.html?query=term#fragment" | urlsplit
"http://www.example.com:9000/dir/" | urlsplit("hostname")
"http://www.example.com:9000/dir/" | urlsplit("port")
"http://www.example.com/" | urlsplit("port")
"https://www.example.com/x?y=1" | urlsplit("query")
"https://www.example.com/x?y=1" | urlsplit("nope")
"x" | to_uuid
"x" | to_uuid(namespace="361E6D51-FAEC-444A-9079-341386DA8E2E")
"/etc/hosts.conf" | basename
"/etc/hosts.conf" | dirname
"hosts.conf" | dirname
"/" | basename
"/etc/" | basename
"/etc/" | dirname
".bashrc" | splitext
"noext" | splitext
["a", "b"] | path_join
["a", "/b", "c"] | path_join
"a" | path_join
["a/", "../b"] | path_join
"/a/b/c" | relpath("/a")
"/a/b" | relpath("/a/c/d")
"a/b" | relpath("a")
"~nobody_like_this/x" | expanduser
"%Y-%m-%d" | strftime(1700000000, utc=true)
"%H:%M:%S" | strftime(0, true)
"%s" | strftime(5)
("2024-01-02 03:04:05" | to_datetime).year
(("2024-01-02 00:00:00" | to_datetime) - ("2024-01-01 00:00:00" | to_datetime)).days
(("2024-01-02 00:00:00" | to_datetime) - ("2024-01-01 00:00:00" | to_datetime)).total_seconds()
("2024-01-02" | to_datetime("%Y-%m-%d")).strftime("%d.%m.%Y")
"nope" | to_datetime
("Nov 30 20:00:00 2026" | to_datetime("%b %d %H:%M:%S %Y")).strftime("%d.%m.%Y")
("Nov  5 20:00:00 2026" | to_datetime("%b %d %H:%M:%S %Y")).strftime("%d.%m.%Y")
("Nov  5 20:00:00 2026 GMT" | to_datetime("%b %d %H:%M:%S %Y %Z")).strftime("%d.%m.%Y")
("Nov 30  20:00:00 2026 UTC" | to_datetime("%b %d %H:%M:%S %Y %Z")).strftime("%d.%m.%Y")
(("Nov  5 20:00:00 2026 GMT" | to_datetime("%b %d %H:%M:%S %Y %Z")) - ("Nov  4 20:00:00 2026 GMT" | to_datetime("%b %d %H:%M:%S %Y %Z"))).total_seconds()
("Mon Nov 30 20:00:00 2026" | to_datetime("%c")).strftime("%d.%m.%Y")
("11/30/26 23:59:59" | to_datetime("%x %X")).strftime("%d.%m.%Y %H:%M:%S")
("2024 060" | to_datetime("%Y %j")).strftime("%d.%m.%Y")
("2359 59" | to_datetime("%H%M %S")).strftime("%H:%M:%S")
("2024-02-29" | to_datetime("%Y-%m-%d")).strftime("%d.%m.%Y")
("2026-02-30" | to_datetime("%Y-%m-%d")).strftime("%d.%m.%Y")
("2026-02-29" | to_datetime("%Y-%m-%d")).strftime("%d.%m.%Y")
("2026-01-00" | to_datetime("%Y-%m-%d")).strftime("%d.%m.%Y")
("2026-13-01" | to_datetime("%Y-%m-%d")).strftime("%d.%m.%Y")
("2026-04-31" | to_datetime("%Y-%m-%d")).strftime("%d.%m.%Y")
("31 Xyz 2026" | to_datetime("%d %b %Y")).strftime("%d.%m.%Y")
("24:00:00" | to_datetime("%H:%M:%S")).strftime("%H")
("25:61:00" | to_datetime("%H:%M:%S")).strftime("%H")
("23:60:00" | to_datetime("%H:%M:%S")).strftime("%H")
("23:59:60" | to_datetime("%H:%M:%S")).strftime("%H")
("13 PM" | to_datetime("%I %p")).strftime("%H")
("2026 367" | to_datetime("%Y %j")).strftime("%d.%m.%Y")
now() | string | length > 5
long_text | to_yaml
{"t": long_text} | to_nice_yaml
{"t": [long_text, "x"]} | to_nice_yaml
{"t": "'" ~ long_text} | to_nice_yaml
{"t": "\t" ~ long_text} | to_nice_yaml
{"t": control_text ~ long_text} | to_nice_yaml
[control_text] | to_yaml
[[1, [2, 3]], [[4], "a"]] | to_yaml
[[1, [2, 3]], [[4], "a"]] | to_nice_yaml
[[1, [2, 3]], [[4], {"a": [5, {"b": 6}]}]] | to_nice_yaml(indent=2)
{"a": [[{"b": {"c": []}}]]} | to_nice_yaml
{"a": [[{"b": {"c": []}}]]} | to_yaml
{"a": {"b": [1, {"c": 2}], "d": {}}} | to_yaml
range(60) | list | to_yaml
{"k": range(60) | map("string") | list} | to_yaml
servers | to_yaml
servers | to_nice_yaml
{"b": true, "n": none, "f": 1.5, "i": -3, "e": 1e25, "s": 1e-7, "z": 0.1} | to_nice_yaml
["yes", "No", "on", "~", "", "null", "1.0", "1_000", "0o7", "07", "1:30", "12e3", "1e3", ".5", "-", "- a", "?", ":", "a:", ":a", "a: b", "a #b", "a#b", "=", "<<", "!x", "&a", "*a", "@a", "%a", "|", ">", "'q'", "[", "]", "{", "}", ",", "a,b", "a]", "---", "...", "--", "+1", "0x", "0xg", "2024-13-45", "12:30:45", ".", "..", "a'b", " a", "a ", "a  b"] | to_nice_yaml
["yes", "No", "on", "~", "", "null", "1.0", "1_000", "0o7", "07", "1:30", "-", "- a", "?", ":", "a:", ":a", "a: b", "a #b", "a#b", "a,b", "a]", "a[", "a?b", "?a", "a{", "a  b", "a'b"] | to_yaml
{"yes": 1, "": 2, "a b": 3, "a: b": 4, "[": 5, "1": 6, "a'b": 7} | to_nice_yaml
{"yes": 1, "": 2, "a b": 3, "a: b": 4, "[": 5, "1": 6, "a'b": 7, "a,b": 8} | to_yaml
{multiline: 1, long_text: 2} | to_nice_yaml
{multiline: 1} | to_yaml
[multiline_short, multiline_short ~ " ", " " ~ multiline_short, multiline_spaced] | to_nice_yaml
{"a": multiline ~ "x: y"} | to_yaml
"é€😀" | to_yaml
["é€😀", "\u00a0"] | to_nice_yaml
odd_yaml | from_yaml
"e5" | from_yaml
"." | from_yaml
"0:0" | from_yaml
"1:30" | from_yaml
"1e3" | from_yaml
"1.0e+3" | from_yaml
"0o7" | from_yaml
"017" | from_yaml
"-0x1F" | from_yaml
"1_000" | from_yaml
"2024-01-01" | from_yaml
"~" | from_yaml
"" | from_yaml
"{a: 1, b: [c, d]}" | from_yaml
{multiline: {"a": [1, {multiline: long_text}]}} | to_nice_yaml
{multiline: {"a": [1, {multiline: long_text}]}} | to_nice_yaml(indent=2)
{multiline: 1, long_text: 2, "k" * 128: 3, "k" * 129: 4, "é" * 65: 5, "": 6} | to_yaml
[{multiline: long_text}, {multiline_short: [multiline_short], "c": [[], {}]}] | to_nice_yaml(indent=3, sort_keys=false)
{multiline_spaced: multiline_spaced, multiline_short: [multiline_short], control_text: control_text, " " ~ multiline: 1} | to_nice_yaml
{multiline_spaced: multiline_spaced, multiline_short: [multiline_short], control_text: control_text, " " ~ multiline: 1} | to_yaml
{"t": long_text, long_text: [long_text, 1]} | to_nice_yaml(width=20)
{"t": long_text, "u": long_text} | to_yaml(width=20, indent=5)
{"t": long_text, "u": {"v": long_text}} | to_nice_yaml(width=1000)
{"t": long_text} | to_nice_yaml(width=-1)
{"t": long_text} | to_nice_yaml(width=0)
{"a": {"b": [{"c": 1, "d": 2}]}} | to_nice_yaml(indent=1)
{"a": {"b": [{"c": 1, "d": 2}]}} | to_nice_yaml(indent=9)
{"a": {"b": [{"c": 1, "d": 2}]}} | to_nice_yaml(indent=10)
{"￮": 1, "😀": 2, "a": 3} | to_nice_yaml
{"￮": 1, "😀": 2, "a": 3} | to_nice_json
[1e25, 1e-7, 0.00001, 1.5e-10, 2.5e300] | to_yaml
[1e25, 1e-7, 0.00001, 1.5e-10, 2.5e300] | to_json
csv_texts[0] | community.general.from_csv
csv_texts[1] | community.general.from_csv(delimiter=";")
csv_texts[2] | community.general.from_csv(fieldnames=["x", "y"])
csv_texts[3] | community.general.from_csv(skipinitialspace=true)
csv_texts[3] | community.general.from_csv
csv_texts[4] | community.general.from_csv
csv_texts[5] | community.general.from_csv
csv_texts[2] | community.general.from_csv("excel-tab")
csv_texts[0] | community.general.from_csv(dialect="unix")
csv_texts[0] | community.general.from_csv("klingon")
"" | community.general.from_csv
"$6$salt$hash" | ansible.netcommon.hash_salt
"$6$rounds=5000$salt$hash" | ansible.netcommon.hash_salt
"plain" | ansible.netcommon.hash_salt
{"class": "a<b&'c'", "n": none, "id": 5, "b": true, "l": '"q"'} | xmlattr
{"a b": 1} | xmlattr
{"a=b": 1} | xmlattr
{"<a": 1} | xmlattr
{"ab": 1} | xmlattr(false)
{"ab": 1} | xmlattr(autospace=true)
{} | xmlattr
{"a": none} | xmlattr
"x" | xmlattr
"é" | b64encode(encoding="latin-1")
"é" | b64encode("utf-16")
"é" | b64encode(encoding="utf-16-le")
"é" | b64encode(encoding="utf_16_be")
"a" | b64encode(encoding="ascii")
"é" | b64encode(encoding="ascii")
"€" | b64encode(encoding="latin1")
"a" | b64encode(encoding="no-such")
"6Q==" | b64decode(encoding="latin-1")
"6QA=" | b64decode(encoding="utf-16-le")
"AOk=" | b64decode("utf-16-be")
"//7pAA==" | b64decode(encoding="utf-16")
"/v8A6Q==" | b64decode(encoding="utf-16")
"YQ==" | b64decode(encoding="no-such")
`;
