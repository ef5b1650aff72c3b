import ipaddr from 'ipaddr.js';

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

export function netmask({ bits, prefix }: Network): bigint {
  return ((1n << BigInt(prefix)) - 1n) << BigInt(bits - prefix);
}

export function hostmask(network: Network): bigint {
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
export function networkRange(network: Network): string {
  return ipaddr.parse(addressText(network, network.address)).range();
}

function toInteger(bytes: readonly number[]): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function toBytes(value: bigint, length: number): number[] {
  return Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 255n));
}
