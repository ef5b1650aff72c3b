/** Numbers and types. One expression a line. */
export const NUMBERS = String.raw`
-1 | abs
"12" | int
"12.9" | int
"x" | int
"x" | int(5)
"ff" | int(base=16)
"0x1f" | int(base=16)
12.9 | int
"1.5" | float
"x" | float(2.5)
"yes" | bool
"on" | bool
"True" | bool
"1" | bool
1 | bool
"no" | bool
"maybe" | bool
2.5 | round
3.5 | round
2.567 | round(2)
2.1 | round(0, "ceil")
2.9 | round(0, "floor")
-2.5 | round
0.125 | round(2)
1.05 | round(1)
-3 | abs
10 | pow(2)
9 | root
"5" | int
" 7 " | int
"7.9" | int
"-3" | int
"abc" | int
"abc" | int(-1)
none | int
[1] | int
true | int
"0b11" | int(base=2)
"0b11" | int(base=16)
"0b11" | int(base=0)
"0o17" | int(base=0)
"0xff" | int(base=0)
"-0xff" | int(base=16)
"017" | int(base=0)
"12.7" | int(base=16)
"1_000" | int
"_1" | int
"9007199254740991" | int
"9007199254740993" | int
"ffffffffffffffff" | int(base=16)
9007199254740993
9223372036854775807 + 1
-9223372036854775808
9007199254740991 + 2
9007199254740993 == 9007199254740992
9007199254740993 > 9007199254740992
9223372036854775807 - 9223372036854775806
9223372036854775807 // 10
-9223372036854775807 // 10
9223372036854775807 % 10
-9223372036854775807 % 10
9223372036854775807 * 2
9223372036854775807 / 2
2 ** 63
2 ** 64 - 1
0xffffffffffffffff
[9223372036854775807, 5, 9223372036854775806] | sort
[9223372036854775807, 9223372036854775806] | max
[9223372036854775807, 1] | sum
9223372036854775807 | string
"id " ~ 9223372036854775807
{"id": 9223372036854775807} | to_json
{"id": 9223372036854775807} | to_yaml
'{"id": 18446744073709551615}' | from_json
-9223372036854775808 | abs
9223372036854775807 is odd
9223372036854775807 is number
9223372036854775807 is integer
9223372036854775807 is divisibleby 7
9223372036854775807 | type_debug
9223372036854775807 | int
"%d" % 9223372036854775807
"%x" % 18446744073709551615
"{:,}".format(9223372036854775807)
range(9223372036854775805, 9223372036854775807) | list
9223372036854775807 in [9223372036854775807]
[9223372036854775807, 9223372036854775807] | unique
(9223372036854775807 ~ "") | int
9223372036854775807 | round
"18446744073709551616" | float
9223372036854775807 | bool
9223372036854775807 | default(1)
9223372036854775807 | ansible.utils.ipaddr
"a: 12345678901234567890" | from_yaml
"2001:db8::1" | ansible.utils.ipaddr("int")
"2001:db8::/64" | ansible.utils.ipaddr("size")
"077" | int(base=8)
"zz" | int(base=36)
"1e3" | int
"abc" | float
"1e3" | float
true | float
5 | float
"inf" | int
5 | bool
0 | bool
"TRUE" | bool
"" | bool
none | bool
2.4 | round
2.6 | round | int
2.55 | round(1)
1234.567 | round(-2)
2.1 | round(method="ceil")
2.9 | round(method="floor") | int
2.15 | round(1, "ceil")
"2.5" | round
-4.2 | abs
"x" | abs
2 | pow(10)
2 | pow(0.5) | round(3)
8 | root(3)
16 | root
100 | log(10)
2.718281828459045 | log
8 | log(2)
0 | log
-1 | root
1024 | human_readable
1048576 | human_readable
1500 | human_readable
123 | human_readable
1024 | human_readable(isbits=true)
10000 | human_readable(unit="K")
"10M" | human_to_bytes
"1.5GB" | human_to_bytes
"10" | human_to_bytes(default_unit="K")
"10Mb" | human_to_bytes(isbits=true)
"1 KB" | human_to_bytes
"x" | human_to_bytes
1000 | filesizeformat
1500000 | filesizeformat
1048576 | filesizeformat(true)
1 | filesizeformat
0.5 | string
1000000 | string
5 // 2 * 2.0
7 % -3
3 | type_debug
3.5 | type_debug
"a" | lower | type_debug
true | type_debug
none | type_debug
[1] | type_debug
{"a": 1} | type_debug
"5" | int + 1
"5" + 1 | string
[1.5, 2] | max
3.0 | int
1 / 3
"1h 30m" | community.general.to_minutes
"1w 3d 10m 5s" | community.general.to_seconds
"30s -5h" | community.general.to_milliseconds
"1 day" | community.general.to_hours
"1day 2hours" | community.general.to_hours
"36500days" | community.general.to_years
"400d" | community.general.to_months
"10minutes 20sec" | community.general.to_days
"12days" | community.general.to_weeks
"1y" | community.general.to_time_unit("d")
"1000ms" | community.general.to_time_unit
"0" | community.general.to_seconds
"" | community.general.to_seconds
"5x" | community.general.to_seconds
"5s" | community.general.to_time_unit("lightyears")
"5s" | community.general.to_seconds(moon=5)
1152 | human_readable
1250 | filesizeformat
1350 | filesizeformat
123456789 | filesizeformat(true)
1.5 | human_readable
7.7 % 10
-7.7 % 10
7.7 % -10
-6 % 3
0 % -3
1 // 0.1
-5.5 // 2
9007199254740991 // 2
1 % 0.1
"%%F" | strftime(0)
`;
