import { lazily } from '../../../core/model/values/groups.js';
import type { Value } from '../../../core/model/values/value.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family, type Callable } from '../../runtime/callable.js';
import { asText } from '../../runtime/result.js';
import { asList, needNetwork, ofNetworks, readAddress } from './addresses.js';
import { cidr, first, isWithin, last, parseNetwork, networkSize, addressText, type Network } from './network.js';

/** Several networks at once, and all addresses of one. */
export const addressRanges = {
  /** The fewest networks with the same addresses; with `span`, the smallest network that contains all. */
  cidr_merge: callable('networks, action?', merge),
  usable_range: callable('network', listAddresses),
} satisfies Family;

function merge(args: CallableArguments): Value {
  const action = args.text(1, 'merge');
  const networks = asList(args.value(0)).map((value) => {
    const network = readAddress(value);
    if (network === undefined) throw args.error(`"${asText(value)}" is not an address or network`);
    return network;
  });
  if (action === 'merge') return merged(networks);
  if (action !== 'span') throw args.error(`there is no action "${action}"`, 'it is merge or span');
  const [one, ...others] = networks;
  if (one === undefined) return null;
  if (others.some(({ version }) => version !== one.version)) throw args.error('IPv4 and IPv6 have no common network');
  return others.length === 0 ? cidr(one, one.address) : span(networks, one);
}

interface Range {
  readonly network: Network;
  readonly from: bigint;
  readonly to: bigint;
  /** True for one network, which keeps its notation. */
  readonly single: boolean;
}

function merged(networks: readonly Network[]): readonly string[] {
  const ranges: Range[] = [];
  const ordered = networks.map((network) => ({ network, from: first(network), to: last(network), single: true }));
  for (const next of ordered.sort((a, b) => a.network.version - b.network.version || compare(a.from, b.from))) {
    const before = ranges.at(-1);
    if (before?.network.version !== next.network.version || next.from > before.to + 1n) ranges.push(next);
    else ranges[ranges.length - 1] = { ...before, to: next.to > before.to ? next.to : before.to, single: false };
  }
  return ranges.flatMap((range) => (range.single ? [cidr(range.network, range.network.address)] : cut(range)));
}

/** The largest networks that fill the range. */
function cut({ network, from, to }: Range): readonly string[] {
  const found: string[] = [];
  for (let at = from; at <= to;) {
    let prefix = network.bits;
    const grown = (): Network => ({ ...network, address: at, prefix: prefix - 1 });
    while (prefix > 0 && first(grown()) === at && last(grown()) <= to) prefix -= 1;
    found.push(cidr({ ...network, prefix }, at));
    at += networkSize({ ...network, prefix });
  }
  return found;
}

function span(networks: readonly Network[], any: Network): string {
  const lowest = networks.map(first).reduce((a, b) => (a < b ? a : b));
  const highest = networks.map(last).reduce((a, b) => (a > b ? a : b));
  const prefix = any.bits - (lowest ^ highest).toString(2).replace(/^0$/, '').length;
  const whole = { ...any, address: lowest, prefix };
  return cidr(whole, first(whole));
}

/** All addresses, including the network's own and the broadcast address, as in `ansible.utils`. */
function listAddresses(args: CallableArguments): Value {
  const network = needNetwork(args);
  if (!/[.:]/.test(asText(args.value(0)))) throw args.error(`"${asText(args.value(0))}" is not an address or network`);
  const count = networkSize(network);
  if (network.address !== first(network)) throw args.error(`"${asText(args.value(0))}" is an address within a network`);
  if (count > MOST_ITEMS) throw args.error(`${count} addresses are too many`, `at most ${MOST_ITEMS}`);
  const usable_ips = Array.from({ length: Number(count) }, (_, index) =>
    addressText(network, network.address + BigInt(index)),
  );
  return { usable_ips, number_of_ips: Number(count) };
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const MAC = /^(?:(?:[\da-f]{2}[:-]){5}[\da-f]{2}|(?:[\da-f]{4}\.){2}[\da-f]{4}|[\da-f]{12})$/i;

/** Python's private networks, documentation and reserved ones among them. */
const PRIVATE = ranges(
  '0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/29 192.0.2.0/24 192.168.0.0/16',
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 ::/127 ::ffff:0:0/96 100::/64 2001:db8::/32 fc00::/7 fe80::/10',
);
/** For providers: neither private nor public. */
const SHARED = ranges('100.64.0.0/10');
const LOOPBACK = ranges('127.0.0.0/8 ::1');
const MULTICAST = ranges('224.0.0.0/4 ff00::/8');
const UNSPECIFIED = ranges('0.0.0.0 ::');

/** Tests of Ansible's collection `ansible.utils`. */
export const addressTests = {
  ip_address: callable('value', (args) => addressIn(args) !== undefined),
  ipv4_address: callable('value', (args) => addressIn(args)?.version === 4),
  ipv6_address: callable('value', (args) => addressIn(args)?.version === 6),
  /** An address, or a network without bits beyond its prefix. */
  ip: callable('value', (args) => isNetwork(readAddress(args.value(0)))),
  mac: callable('value', (args) => MAC.test(args.text(0))),
  public: addressTest((one) => !isIn(one, PRIVATE()) && !isIn(one, SHARED())),
  private: addressTest((one) => isIn(one, PRIVATE())),
  loopback: addressTest((one) => isIn(one, LOOPBACK())),
  multicast: addressTest((one) => isIn(one, MULTICAST())),
  unspecified: addressTest((one) => isIn(one, UNSPECIFIED())),
  in_network: callable('address, network', (args) => ofNetworks([args.value(0), args.value(1)], isWithin)),
  in_any_network: callable('address, networks', (args) => containing(args) > 0),
  in_one_network: callable('address, networks', (args) => containing(args) === 1),
  subnet_of: callable('network, outer', (args) => isPart(args.value(0), args.value(1))),
  supernet_of: callable('network, inner', (args) => isPart(args.value(1), args.value(0))),
} satisfies Family;

/** Parsed on first use, because every command loads this file. */
function ranges(...texts: readonly string[]): () => readonly Network[] {
  return lazily(() => texts.flatMap((text) => text.split(' ')).flatMap((one) => parseNetwork(one) ?? []));
}

function isIn(address: Network, networks: readonly Network[]): boolean {
  return networks.some((range) => isWithin(address, range));
}

function addressIn(args: CallableArguments): Network | undefined {
  const network = readAddress(args.value(0));
  return network?.explicit === false ? network : undefined;
}

/** A value that is not an address passes none of them. */
function addressTest(holds: (address: Network) => boolean): Callable {
  return callable('value', (args) => {
    const address = addressIn(args);
    return address !== undefined && holds(address);
  });
}

function isNetwork(network: Network | undefined): network is Network {
  if (network === undefined) return false;
  return network.address === first(network);
}

function isPart(inner: Value, outer: Value): boolean {
  const [part, whole] = [readAddress(inner), readAddress(outer)];
  return isNetwork(part) && isNetwork(whole) && isWithin(part, whole);
}

function containing(args: CallableArguments): number {
  return asList(args.value(1)).filter((one) => ofNetworks([args.value(0), one], isWithin)).length;
}
