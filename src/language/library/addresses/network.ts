import ipaddr from 'ipaddr.js';
import { toWholeNumber } from '../../../core/model/values/json.js';
import type { Value } from '../../../core/model/values/value.js';
import { TemplateError } from '../../runtime/errors.js';

/** An address together with its network's prefix: `192.0.2.7/24`, or `192.0.2.7` alone (all bits are prefix then). */
export interface Network {
  readonly version: 4 | 6;
  /** 32 or 128. */
  readonly bits: number;
  readonly address: bigint;
  readonly prefix: number;
  /** Whether the prefix was written. */
  readonly explicit: boolean;
}

/** Reads an address, or an address and a prefix or mask; undefined if it is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', suffix, ...more] = text.trim().split('/');
  if (more.length > 0 || !isAddress(address)) return undefined;
  const parsed = ipaddr.parse(address);
  const version = parsed.kind() === 'ipv4' ? 4 : 6;
  const bits = version === 4 ? 32 : 128;
  const prefix = suffix === undefined ? bits : parsePrefix(suffix, bits);
  if (prefix === undefined) return undefined;
  return { version, bits, address: toInteger(parsed.toByteArray()), prefix, explicit: suffix !== undefined };
}

/** The four-part or the colon notation; `10.1` and `0x7f.1` are typing mistakes, not addresses. */
function isAddress(text: string): boolean {
  return (
    ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text))
  );
}

function parsePrefix(text: string, bits: number): number | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text) <= bits ? Number(text) : undefined;
  if (bits !== 32 || !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  return ipaddr.IPv4.parse(text).prefixLengthFromSubnetMask() ?? undefined;
}

/** An integer as an address: IPv4 as long as it fits. */
export function networkFromInteger(value: bigint, wanted?: 4 | 6): Network | undefined {
  const version = wanted ?? (value < 1n << 32n ? 4 : 6);
  const bits = version === 4 ? 32 : 128;
  if (value < 0n || value >= 1n << BigInt(bits)) return undefined;
  return { version, bits, address: value, prefix: bits, explicit: false };
}

export function networkSize({ bits, prefix }: Network): bigint {
  return 1n << BigInt(bits - prefix);
}

/** The lowest address of the network. */
export function first(network: Network): bigint {
  return network.address - (network.address % networkSize(network));
}

export function last(network: Network): bigint {
  return first(network) + networkSize(network) - 1n;
}

/**
 * The first and last address for hosts: excludes the network's own address and the broadcast address, if they exist.
 */
export function usable(network: Network): readonly [bigint, bigint] {
  return networkSize(network) <= 2n ? [first(network), last(network)] : [first(network) + 1n, last(network) - 1n];
}

function netmask({ bits, prefix }: Network): bigint {
  return ((1n << BigInt(prefix)) - 1n) << BigInt(bits - prefix);
}

function hostmask(network: Network): bigint {
  return networkSize(network) - 1n;
}

export function isWithin(inner: Network, outer: Network): boolean {
  return inner.version === outer.version && first(inner) >= first(outer) && last(inner) <= last(outer);
}

/** An address of the network's version as text. */
export function addressText(network: Network, address: bigint): string {
  const bytes = toBytes(address, network.bits / 8);
  if (network.version === 4) return bytes.join('.');
  if (address >> 32n === 0xffffn) return `::ffff:${bytes.slice(12).join('.')}`;
  return new ipaddr.IPv6(bytes).toRFC5952String();
}

/** An address of the network with its prefix. */
export function cidr(network: Network, address: bigint): string {
  return `${addressText(network, address)}/${network.prefix}`;
}

/** `unicast`, `private`, `linkLocal`, `loopback`, … */
function networkRange(network: Network): string {
  return ipaddr.parse(addressText(network, network.address)).range();
}

function toInteger(bytes: readonly number[]): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function toBytes(value: bigint, length: number): number[] {
  return Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 255n));
}

type Query = (network: Network, value: Value) => Value | undefined;

const PRIVATE = new Set(['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat', 'benchmarking']);
const NOT_PUBLIC = new Set([...PRIVATE, 'loopback', 'multicast', 'unspecified', 'broadcast', 'reserved']);

/** The queries of `ipaddr`, as in Ansible's collection `ansible.utils`; undefined: the value does not fit the query. */
const QUERIES: ReadonlyMap<string, Query> = new Map<string, Query>([
  ...alias(['address', 'ip'], (it) => (isHost(it) || it.version === 6 ? addressText(it, it.address) : undefined)),
  ...alias(['host'], (it) =>
    networkSize(it) === 1n ? cidr(it, it.address) : isHost(it) ? cidr(it, it.address) : undefined,
  ),
  ...alias(['address/prefix', 'host/prefix', 'hostnet', 'gateway', 'gw', 'router'], (it) =>
    networkSize(it) > 2n && (it.address === first(it) || it.address === last(it)) ? undefined : cidr(it, it.address),
  ),
  ...alias(['ip/prefix'], (it) => (networkSize(it) > 1n && isHost(it) ? cidr(it, it.address) : undefined)),
  ...alias(['ip_netmask'], (it) =>
    networkSize(it) > 1n && isHost(it) ? `${addressText(it, it.address)} ${addressText(it, netmask(it))}` : undefined,
  ),
  ...alias(['cidr'], (it) => cidr(it, it.address)),
  ...alias(['net'], (it) => (networkSize(it) > 1n && it.address === first(it) ? cidr(it, first(it)) : undefined)),
  ...alias(['network', 'network_id'], (it) => addressText(it, first(it))),
  ...alias(['subnet', 'network/prefix'], (it) => cidr(it, first(it))),
  ...alias(['network_netmask'], (it) => `${addressText(it, first(it))} ${addressText(it, netmask(it))}`),
  ...alias(['network_wildcard'], (it) => `${addressText(it, first(it))} ${addressText(it, hostmask(it))}`),
  ...alias(['netmask'], (it) => addressText(it, netmask(it))),
  ...alias(['hostmask', 'wildcard'], (it) => addressText(it, hostmask(it))),
  ...alias(['prefix'], (it) => it.prefix),
  ...alias(['broadcast'], (it) => (networkSize(it) > 2n ? addressText(it, last(it)) : undefined)),
  ...alias(['size'], (it) => toWholeNumber(networkSize(it))),
  ...alias(['size_usable'], (it) =>
    networkSize(it) === 1n ? 0 : networkSize(it) === 2n ? 2 : toWholeNumber(networkSize(it) - 2n),
  ),
  ...alias(['first_usable'], (it) => addressText(it, usable(asNetwork(it))[0])),
  ...alias(['last_usable'], (it) => addressText(it, usable(asNetwork(it))[1])),
  ...alias(['range_usable'], (it) =>
    usable(asNetwork(it))
      .map((address) => addressText(it, address))
      .join('-'),
  ),
  ...alias(['next_usable'], (it) => neighbour(asNetwork(it), 1n)),
  ...alias(['previous_usable'], (it) => neighbour(asNetwork(it), -1n)),
  ...alias(['peer'], (it) => peer(asNetwork(it))),
  ...alias(['int'], (it) => (it.explicit ? `${it.address}/${it.prefix}` : toWholeNumber(it.address))),
  ...alias(['bool'], () => true),
  ...alias(['type'], (it) => (networkSize(it) === 1n || it.address !== first(it) ? 'address' : 'network')),
  ...alias(['version'], (it) => it.version),
  ...alias(['ipv4', 'v4'], (it, value) => (it.version === 4 ? value : undefined)),
  ...alias(['ipv6', 'v6'], (it, value) =>
    it.version === 6
      ? value
      : cidr({ ...it, version: 6, bits: 128, prefix: it.prefix + 96 }, (0xffffn << 32n) | it.address),
  ),
  ...alias(['private'], (it, value) => (PRIVATE.has(networkRange(it)) ? value : undefined)),
  ...alias(['public'], (it, value) => (NOT_PUBLIC.has(networkRange(it)) ? undefined : value)),
  ...alias(['loopback', 'lo'], (it, value) => (networkRange(it) === 'loopback' ? value : undefined)),
  ...alias(['link-local'], (it, value) => (networkRange(it) === 'linkLocal' ? value : undefined)),
  ...alias(['multicast'], (it, value) => (networkRange(it) === 'multicast' ? value : undefined)),
  ...alias(['unicast'], (it, value) => (networkRange(it) === 'multicast' ? undefined : value)),
  ...alias(['revdns'], (it) => reverseName(it)),
  ...alias(['wrap'], wrap),
]);

function alias(names: readonly string[], query: Query): readonly (readonly [string, Query])[] {
  return names.map((name) => [name, query] as const);
}

/** The result of a query for an address; undefined if the address does not match. Throws for an unknown query. */
export function queryAddress(network: Network, value: Value, query: string): Value | undefined {
  if (query === '') return network.explicit ? cidr(network, network.address) : addressText(network, network.address);
  const known = QUERIES.get(query);
  if (known) return known(network, value);
  if (/^-?\d+$/.test(query)) return nth(network, BigInt(query));
  const outer = parseNetwork(query);
  if (outer) return isWithin(network, outer) ? value : undefined;
  const hint = `it is a network, a number, or one of ${[...QUERIES.keys()].join(', ')}`;
  throw new TemplateError(`ipaddr: there is no query "${query}"`, { hint });
}

/** An address of the network, counted from its start or, below zero, from its end; with the prefix. */
function nth(network: Network, index: bigint): Value | undefined {
  if (networkSize(network) === 1n)
    return network.explicit ? cidr(network, network.address) : addressText(network, network.address);
  const address = index < 0n ? last(network) + 1n + index : first(network) + index;
  return address < first(network) || address > last(network) ? undefined : cidr(network, address);
}

/** Whether it is the address of a host, not of the network; both addresses of a pair are hosts. */
function isHost(network: Network): boolean {
  return networkSize(network) <= 2n || network.address !== first(network);
}

function asNetwork(network: Network): Network {
  if (network.explicit) return network;
  throw new TemplateError(`ipaddr: ${addressText(network, network.address)} is not a network`, {
    hint: 'write it with its prefix: 192.0.2.1/24',
  });
}

function neighbour(network: Network, step: bigint): Value | undefined {
  const [lowest, highest] = usable(network);
  const address = network.address + step;
  return address >= lowest && address <= highest ? addressText(network, address) : undefined;
}

/** The other end of a point-to-point network. */
function peer(network: Network): Value {
  if (networkSize(network) === 2n) return addressText(network, network.address ^ 1n);
  if (networkSize(network) !== 4n || !isHost(network) || network.address === last(network))
    throw new TemplateError('ipaddr: only a host of a /31 or /30 network has a peer');
  return addressText(network, network.address ^ 3n);
}

function reverseName({ version, bits, address }: Network): string {
  const width = version === 4 ? 8 : 4;
  const mask = BigInt((1 << width) - 1);
  const parts = Array.from({ length: bits / width }, (_, index) => (address >> BigInt(index * width)) & mask);
  return version === 4
    ? `${parts.join('.')}.in-addr.arpa.`
    : `${parts.map((part) => part.toString(16)).join('.')}.ip6.arpa.`;
}

function wrap(network: Network, value: Value): Value {
  if (network.version === 4) return value;
  return `[${addressText(network, network.address)}]${network.explicit ? `/${network.prefix}` : ''}`;
}
