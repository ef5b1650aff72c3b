import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { evaluate } from '../../../src/language/render.js';
import { failure, HERE, variables } from '../scopes.js';

const scope = variables({});

/** Values from the documentation of Ansible's collection `ansible.utils`. */
const CASES: readonly (readonly [expression: string, value: Value])[] = [
  ['"192.0.2.7" | ipaddr', '192.0.2.7'],
  ['"192.0.2.7/24" | ipaddr', '192.0.2.7/24'],
  ['"not an address" | ipaddr', false],
  ['"10.1" | ipaddr', '10.1.0.0'],
  ['"10.1.2/24" | ipaddr("network")', '10.1.2.0'],
  ['"1.2.3.4.5" | ipaddr', false],
  ['"300.1.1.1" | ipaddr', false],
  ['"192.0.2.7/33" | ipaddr', false],
  ['["192.0.2.7", "x", "2001:db8::1"] | ipaddr', ['192.0.2.7', '2001:db8::1']],
  ['["192.0.2.7", "2001:db8::1"] | ipv4', ['192.0.2.7']],
  ['["192.0.2.7", "2001:db8::1"] | ipv6', ['2001:db8::1']],
  ['"192.0.2.7/24" | ansible.utils.ipaddr("address")', '192.0.2.7'],
  ['"192.0.2.7/24" | ipaddr("network")', '192.0.2.0'],
  // The other names of these queries.
  ['"192.0.2.7/24" | ipaddr("ip")', '192.0.2.7'],
  ['"192.0.2.7/24" | ipaddr("network_id")', '192.0.2.0'],
  ['"192.0.2.7/24" | ipaddr("wildcard")', '0.0.0.255'],
  ['"192.0.2.7/24" | ipaddr("cidr")', '192.0.2.7/24'],
  ['"192.0.2.7/24" | ipaddr("hostnet")', '192.0.2.7/24'],
  ['"192.0.2.7/24" | ipaddr("gateway")', '192.0.2.7/24'],
  ['"192.0.2.7/24" | ipaddr("gw")', '192.0.2.7/24'],
  ['"192.0.2.7/24" | ipaddr("router")', '192.0.2.7/24'],
  ['["10.0.0.1", "127.0.0.1"] | ipaddr("lo")', ['127.0.0.1']],
  ['"192.0.2.7/24" | ipaddr("subnet")', '192.0.2.0/24'],
  ['"192.0.2.7/24" | ipaddr("netmask")', '255.255.255.0'],
  ['"192.0.2.7/24" | ipaddr("hostmask")', '0.0.0.255'],
  ['"192.0.2.7/24" | ipaddr("broadcast")', '192.0.2.255'],
  ['"192.0.2.7/24" | ipaddr("prefix")', 24],
  ['"192.0.2.7/255.255.255.0" | ipaddr("prefix")', 24],
  ['"192.0.2.7/24" | ipaddr("size")', 256],
  ['"192.0.2.7/24" | ipaddr("size_usable")', 254],
  ['"192.0.2.7/24" | ipaddr("first_usable")', '192.0.2.1'],
  ['"192.0.2.7/24" | ipaddr("last_usable")', '192.0.2.254'],
  ['"192.0.2.7/24" | ipaddr("range_usable")', '192.0.2.1-192.0.2.254'],
  ['"192.0.2.7/24" | ipaddr("next_usable")', '192.0.2.8'],
  ['"192.0.2.1/24" | ipaddr("previous_usable")', false],
  ['"192.0.2.7/24" | ipaddr("net")', false],
  ['"192.0.2.0/24" | ipaddr("net")', '192.0.2.0/24'],
  ['"192.0.2.7/24" | ipaddr("host")', '192.0.2.7/24'],
  ['"192.0.2.0/24" | ipaddr("host")', false],
  ['"192.0.2.7" | ipaddr("host")', '192.0.2.7/32'],
  ['"192.0.2.7/24" | ipaddr("type")', 'address'],
  ['"192.0.2.0/24" | ipaddr("type")', 'network'],
  ['"192.0.2.0/24" | ipaddr("1")', '192.0.2.1/24'],
  ['"192.0.2.0/24" | ipaddr(-1)', '192.0.2.255/24'],
  ['"192.0.2.0/31" | ipaddr("peer")', '192.0.2.1'],
  ['"192.0.2.1/30" | ipaddr("peer")', '192.0.2.2'],
  ['"192.0.2.7" | ipaddr("int")', 3221225991],
  ['3221225991 | ipaddr', '192.0.2.7'],
  ['"192.0.2.7" | ipaddr("revdns")', '7.2.0.192.in-addr.arpa.'],
  ['"2001:db8::1" | ipaddr("revdns")', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.'],
  ['"192.0.2.7" | ipaddr("ipv6")', '::ffff:192.0.2.7/128'],
  ['["10.0.0.1", "8.8.8.8", "127.0.0.1", "fe80::1"] | ipaddr("public")', ['8.8.8.8']],
  ['["10.0.0.1", "8.8.8.8", "fd00::1"] | ipaddr("private")', ['10.0.0.1', 'fd00::1']],
  ['["10.0.0.1", "127.0.0.1"] | ipaddr("loopback")', ['127.0.0.1']],
  ['["192.0.2.7", "198.51.100.1"] | ipaddr("192.0.2.0/24")', ['192.0.2.7']],
  ['"2001:db8::1" | ipwrap', '[2001:db8::1]'],
  ['"2001:db8::1/64" | ipwrap', '[2001:db8::1]/64'],
  ['["192.0.2.7", "::1", "lb.example.com"] | ipwrap', ['192.0.2.7', '[::1]', 'lb.example.com']],
  ['"2001:0DB8:0:0::0001" | ipaddr', '2001:db8::1'],
  ['"192.168.0.0/16" | ipsubnet(20)', 16],
  ['"192.168.0.0/16" | ipsubnet(20, 0)', '192.168.0.0/20'],
  ['"192.168.0.0/16" | ipsubnet(20, -1)', '192.168.240.0/20'],
  ['"192.168.0.0/16" | ipsubnet(20, 16)', false],
  ['"192.168.144.5" | ipsubnet(20)', '192.168.144.0/20'],
  ['"10.0.0.0/8" | nthhost(305)', '10.0.1.49'],
  ['"10.0.0.0/30" | nthhost(4)', false],
  ['"192.0.2.7/24" | next_nth_usable(5)', '192.0.2.12'],
  ['"192.0.2.7/24" | previous_nth_usable(5)', '192.0.2.2'],
  ['"192.0.2.0/24" | network_in_network("192.0.2.128/25")', true],
  ['"192.0.2.0/24" | network_in_usable("192.0.2.255")', false],
  ['["192.0.2.7", "198.51.100.1"] | reduce_on_network("192.0.2.0/24")', ['192.0.2.7']],
  ['"192.0.2.255" | ipmath(1)', '192.0.3.0'],
  ['"192.0.2.7" | ip4_hex', 'c0000207'],
  ['"192.0.2.7" is ip_address and "::1" is ipv6_address and "x" is not ip_address', true],
  ['"192.0.2.7" is in_network("192.0.2.0/24")', true],
];

/** Every query of `ipaddr`, with the answer of `ansible.utils`. */
const QUERIES: Readonly<Record<string, readonly [address: string, value: Value]>> = {
  address: ['192.0.2.7/24', '192.0.2.7'],
  ip: ['192.0.2.7/24', '192.0.2.7'],
  host: ['192.0.2.7/24', '192.0.2.7/24'],
  'address/prefix': ['192.0.2.7/24', '192.0.2.7/24'],
  'host/prefix': ['192.0.2.7/24', '192.0.2.7/24'],
  hostnet: ['192.0.2.7/24', '192.0.2.7/24'],
  gateway: ['192.0.2.7/24', '192.0.2.7/24'],
  gw: ['192.0.2.7/24', '192.0.2.7/24'],
  router: ['192.0.2.7/24', '192.0.2.7/24'],
  'ip/prefix': ['192.0.2.7/24', '192.0.2.7/24'],
  ip_netmask: ['192.0.2.7/24', '192.0.2.7 255.255.255.0'],
  cidr: ['192.0.2.7/24', '192.0.2.7/24'],
  net: ['192.0.2.0/24', '192.0.2.0/24'],
  network: ['192.0.2.7/24', '192.0.2.0'],
  network_id: ['192.0.2.7/24', '192.0.2.0'],
  subnet: ['192.0.2.7/24', '192.0.2.0/24'],
  'network/prefix': ['192.0.2.7/24', '192.0.2.0/24'],
  network_netmask: ['192.0.2.7/24', '192.0.2.0 255.255.255.0'],
  network_wildcard: ['192.0.2.7/24', '192.0.2.0 0.0.0.255'],
  netmask: ['192.0.2.7/24', '255.255.255.0'],
  hostmask: ['192.0.2.7/24', '0.0.0.255'],
  wildcard: ['192.0.2.7/24', '0.0.0.255'],
  prefix: ['192.0.2.7/24', 24],
  broadcast: ['192.0.2.7/24', '192.0.2.255'],
  size: ['192.0.2.7/24', 256],
  size_usable: ['192.0.2.7/24', 254],
  first_usable: ['192.0.2.7/24', '192.0.2.1'],
  last_usable: ['192.0.2.7/24', '192.0.2.254'],
  range_usable: ['192.0.2.7/24', '192.0.2.1-192.0.2.254'],
  next_usable: ['192.0.2.253/24', '192.0.2.254'],
  previous_usable: ['192.0.2.2/24', '192.0.2.1'],
  peer: ['192.0.2.1/30', '192.0.2.2'],
  int: ['192.0.2.7', 3_221_225_991],
  bool: ['192.0.2.7', true],
  type: ['192.0.2.7/24', 'address'],
  version: ['192.0.2.7', 4],
  ipv4: ['192.0.2.7', '192.0.2.7'],
  v4: ['192.0.2.7', '192.0.2.7'],
  ipv6: ['192.0.2.7', '::ffff:192.0.2.7/128'],
  v6: ['192.0.2.7', '::ffff:192.0.2.7/128'],
  private: ['10.0.0.1', '10.0.0.1'],
  public: ['8.8.8.8', '8.8.8.8'],
  loopback: ['127.0.0.1', '127.0.0.1'],
  lo: ['127.0.0.1', '127.0.0.1'],
  'link-local': ['fe80::1', 'fe80::1'],
  multicast: ['224.0.0.1', '224.0.0.1'],
  unicast: ['192.0.2.7', '192.0.2.7'],
  revdns: ['192.0.2.7', '7.2.0.192.in-addr.arpa.'],
  wrap: ['::1', '[::1]'],
};

/** Queries at the boundaries of ranges and networks. */
const BOUNDARIES: readonly (readonly [expression: string, value: Value])[] = [
  ['"224.0.0.1" | ipaddr("unicast")', false],
  ['"223.255.255.255" | ipaddr("multicast")', false],
  ['"239.255.255.255" | ipaddr("multicast")', '239.255.255.255'],
  ['"192.0.2.254/24" | ipaddr("next_usable")', false],
  ['"10.1.0.0/16" | ipsubnet(16)', 1],
  ['"10.1.2.3/16" | ipsubnet(16, 0)', '10.1.0.0/16'],
  ['"10.1.0.0/16" | ipsubnet(16, 1)', false],
  ['"10.1.0.0/16" | ipsubnet(32, 65535)', '10.1.255.255/32'],
  ['"10.1.0.0/16" | ipsubnet(24, -256)', '10.1.0.0/24'],
  ['"10.1.0.0/16" | ipsubnet(24, -257)', false],
  ['"10.1.2.3" | ipsubnet(32)', '10.1.2.3/32'],
  ['"10.1.2.3" | ipsubnet(0)', '0.0.0.0/0'],
  ['"192.0.2.0/24" | nthhost(255)', '192.0.2.255'],
  ['"192.0.2.0/24" | nthhost(256)', false],
  ['"192.0.2.0/24" | nthhost(-256)', '192.0.2.0'],
  ['"192.0.2.0/24" | nthhost(-257)', false],
  ['"192.0.2.0/24" | next_nth_usable(254)', '192.0.2.254'],
  ['"192.0.2.0/24" | next_nth_usable(255)', false],
  ['"192.0.2.0/24" | network_in_network("192.0.2.0/23")', false],
  ['"192.0.2.0/24" | network_in_usable("192.0.2.0")', false],
  ['"192.0.2.0/24" | network_in_usable("192.0.2.1")', true],
  ['"2001:db8::/32" | ipaddr("address")', '2001:db8::'],
  ['4294967295 | ipaddr', '255.255.255.255'],
  ['4294967296 | ipaddr', '::1:0:0'],
];

/** An address of each range that has a meaning of its own, and whether it is private. */
const RANGES: readonly (readonly [address: string, isPrivate: boolean])[] = [
  ['10.0.0.1', true],
  ['fd00::1', true],
  ['169.254.0.1', true],
  ['100.64.0.1', true],
  ['2001:2::1', true],
  ['127.0.0.1', false],
  ['224.0.0.1', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['240.0.0.1', false],
];

describe('the ipaddr family', () => {
  for (const [address, isPrivate] of RANGES)
    it(`${address} is ${isPrivate ? 'private' : 'neither private'}, ${isPrivate ? 'not' : 'nor'} public`, () => {
      const answers = ['private', 'public'].map((query) => evaluate(`"${address}" | ipaddr("${query}")`, scope, HERE));
      expect(answers).to.deep.equal([isPrivate && address, false]);
    });

  for (const [expression, value] of [...CASES, ...BOUNDARIES]) {
    it(expression, () => {
      expect(evaluate(expression, scope, HERE)).to.deep.equal(value);
    });
  }

  for (const [query, [address, answer]] of Object.entries(QUERIES)) {
    it(`answers the query ${query}`, () => {
      expect(evaluate('address | ipaddr(query)', variables({ address, query }), HERE)).to.deep.equal(answer);
    });
  }

  it('has no other queries', () => {
    expect(failure(() => evaluate('"192.0.2.7" | ipaddr("none")', scope, HERE))).to.have.property(
      'hint',
      `it is a network, a number, or one of ${Object.keys(QUERIES).join(', ')}`,
    );
  });

  it('reports mistakes', () => {
    expect(() => evaluate('"192.0.2.7" | ipaddr("netmusk")', scope, HERE)).to.throw(
      'ipaddr: there is no query "netmusk"',
    );
    expect(() => evaluate('"192.0.2.7" | ipaddr("first_usable")', scope, HERE)).to.throw(
      'ipaddr: 192.0.2.7 is not a network',
    );
    expect(() => evaluate('"x" | ipmath(1)', scope, HERE)).to.throw('ipmath: "x" is not an address or network');
  });
});
