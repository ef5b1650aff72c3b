/** Filters of `ansible.utils` and `ansible.netcommon` over addresses and VLANs. One expression a line. */
export const ADDRESSES = String.raw`
"1a:2b:3c:4d:5e:6f" | ansible.utils.hwaddr
"1A-2B-3C-4D-5E-6F" | ansible.utils.hwaddr
"1a2b.3c4d.5e6f" | ansible.utils.hwaddr
"nope" | ansible.utils.hwaddr
"nope" | ansible.utils.hwaddr("bool")
"nope" | ansible.utils.hwaddr("linux")
"1a:2b:3c:4d:5e:6f" | ansible.utils.hwaddr("bool")
"1a:2b:3c:4d:5e:6f" | ansible.utils.hwaddr("int")
"1:2:3:4:5:a" | ansible.utils.macaddr("unix")
"01:02:00:04:05:0a" | ansible.utils.macaddr("unix")
"1:2:3:4:5:a" | ansible.utils.macaddr("linux")
"1:2:3:4:5:a" | ansible.utils.macaddr("bare")
"1:2:3:4:5:a" | ansible.utils.macaddr("cisco")
"1:2:3:4:5:a" | ansible.utils.macaddr("pgsql")
"1:2:3:4:5:a" | ansible.utils.macaddr("postgresql")
"1:2:3:4:5:a" | ansible.utils.macaddr("win")
"1:2:3:4:5:a" | ansible.utils.macaddr("eui48")
"1:2:3:4:5:a" | ansible.utils.macaddr("other")
"1:2:3:4:5" | ansible.utils.macaddr
"1a2b3c:4d5e6f" | ansible.utils.macaddr("linux")
"1:2:3" | ansible.utils.macaddr("linux")
"001122334455" | ansible.utils.macaddr("linux")
"1122334455a" | ansible.utils.macaddr("linux")
"5" | ansible.utils.macaddr("linux")
"00:11:22:33:44:55:66:77" | ansible.utils.macaddr
"00:11:22:33:44:55:66:77" | ansible.utils.macaddr("bool")
"00:11:22:33:44:55:66:77" | ansible.utils.macaddr("linux")
"1a:2b:3c:4d:5e:6g" | ansible.utils.macaddr("linux")
"fdcf:1894:23b5:d38c::" | ansible.utils.slaac("c2:31:b3:83:bf:2b")
"fdcf:1894:23b5:d38c::/64" | ansible.utils.slaac("c2:31:b3:83:bf:2b")
"fdcf:1894:23b5:d38c::5/64" | ansible.utils.slaac("c0:31:b3:83:bf:2b")
"10.0.0.0/8" | ansible.utils.slaac("c2:31:b3:83:bf:2b")
"fdcf:1894:23b5:d38c::" | ansible.utils.slaac("x")
"fdcf:1894:23b5:d38c::" | ansible.utils.slaac
"x" | ansible.utils.slaac("c2:31:b3:83:bf:2b")
["192.168.0.0/17","192.168.128.0/17","192.168.128.1","10.0.0.1","10.0.0.2/31"] | ansible.utils.cidr_merge
["10.0.0.1","10.0.0.2","10.0.0.3","10.0.0.4"] | ansible.utils.cidr_merge
["10.0.0.0/24","10.0.0.5"] | ansible.utils.cidr_merge
["10.0.1.0/24","10.0.0.0/24","10.0.3.0/24"] | ansible.utils.cidr_merge("merge")
["2001:db8::/33","192.0.2.0/24","2001:db8:8000::/33"] | ansible.utils.cidr_merge
[] | ansible.utils.cidr_merge
["x"] | ansible.utils.cidr_merge
["10.0.0.0/24"] | ansible.utils.cidr_merge("other")
["192.168.0.0/17","192.168.128.1"] | ansible.utils.cidr_merge("span")
["10.0.0.1","10.0.0.6","10.0.0.2"] | ansible.utils.cidr_merge("span")
["10.0.0.1","192.168.0.1"] | ansible.utils.cidr_merge("span")
["10.0.0.1"] | ansible.utils.cidr_merge("span")
["10.0.0.1","10.0.0.1"] | ansible.utils.cidr_merge("span")
["10.0.0.1","::1"] | ansible.utils.cidr_merge("span")
["2001:db8::1","2001:db8::ff"] | ansible.utils.cidr_merge("span")
[] | ansible.utils.cidr_merge("span")
"10.0.0.0/30" | ansible.utils.usable_range
"10.0.0.1/30" | ansible.utils.usable_range
"10.0.0.1" | ansible.utils.usable_range
"2001:db8::/126" | ansible.utils.usable_range
"x" | ansible.utils.usable_range
0 | ansible.utils.ipaddr
[[],[[]],["10.0.0.1"]] | ansible.utils.ipaddr
"abc" | ansible.utils.ipsubnet(24)
"abc" | ansible.utils.nthhost(1)
"abc" | ansible.utils.previous_nth_usable(1)
"abc" | ansible.utils.network_in_network("10.0.0.1")
"10.0.0.0/8" | ansible.utils.network_in_usable("abc")
["10.0.0.1"] | ansible.utils.reduce_on_network("abc")
"abc" is ansible.utils.in_network "10.0.0.0/8"
"10.0.0.1" is ansible.utils.in_any_network ["abc"]
"abc" is ansible.utils.in_one_network ["10.0.0.0/8"]
"2001:db8::1" is ansible.utils.ipv6
"abc" is ansible.utils.ipv4
[1,2,3,9,5,6] | ansible.netcommon.vlan_parser
range(1,120,2) | list | ansible.netcommon.vlan_parser
range(1,60,2) | list | ansible.netcommon.vlan_parser(20, 10)
range(1,60,2) | list | ansible.netcommon.vlan_parser(first_line_len=5)
[3,3,2] | ansible.netcommon.vlan_parser
[4094,4093,4092] | ansible.netcommon.vlan_parser
[5,5000] | ansible.netcommon.vlan_parser
[0] | ansible.netcommon.vlan_parser
[] | ansible.netcommon.vlan_parser
"1,10-13,5" | ansible.netcommon.vlan_expander
"7" | ansible.netcommon.vlan_expander
"1, 10 - 13" | ansible.netcommon.vlan_expander
"5-3" | ansible.netcommon.vlan_expander
"1,x" | ansible.netcommon.vlan_expander
"1-2-3" | ansible.netcommon.vlan_expander
"" | ansible.netcommon.vlan_expander
`;
