import { isWhole, toWholeNumber } from '../../../core/model/values/json.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { asText, describe } from '../../runtime/result.js';
import {
  first,
  isWithin,
  last,
  networkFromInteger,
  parseNetwork,
  networkSize,
  usable,
  addressText,
  queryAddress,
} from './network.js';
import type { Network } from './network.js';

/** The filters of Ansible's `ipaddr` family. A value that is not an address gives false; of a list, the matching items remain. */
export const addresses = {
  ipaddr: callable('value, query?, version?', (args) => query(readable(args), args.text(1, ''), version(args))),
  ipv4: callable('value, query?', (args) => query(readable(args), args.text(1, ''), 4)),
  ipv6: callable('value, query?', (args) => query(readable(args), args.text(1, ''), 6)),
  /** Puts IPv6 addresses in brackets, as in URLs. Returns other texts unchanged. */
  ipwrap: callable('value', (args) => each(readable(args, false), (value) => wrapped(value))),
  ipsubnet: callable('value, prefix?, index?', subnet),
  nthhost: callable('network, index', (args) => ofNetworks([args.value(0)], (it) => hostAt(it, BigInt(args.whole(1))))),
  next_nth_usable: callable('value, offset', (args) =>
    ofNetworks([args.value(0)], (it) => usableAt(it, BigInt(args.whole(1)))),
  ),
  previous_nth_usable: callable('value, offset', (args) =>
    ofNetworks([args.value(0)], (it) => usableAt(it, -BigInt(args.whole(1)))),
  ),
  network_in_network: callable('outer, inner', (args) =>
    ofNetworks([args.value(1), args.value(0)], (inner, outer) => isWithin(inner, outer)),
  ),
  network_in_usable: callable('outer, inner', (args) =>
    ofNetworks([args.value(0), args.value(1)], (outer, inner) => inUsable(outer, inner)),
  ),
  reduce_on_network: callable('addresses, network', (args) =>
    asList(args.value(0)).filter((value) => ofNetworks([value, args.value(1)], isWithin)),
  ),
  ipmath: callable('address, amount', (args) => {
    const network = needNetwork(args);
    return addressText(network, network.address + BigInt(args.whole(1)));
  }),
  ip4_hex: callable('address, delimiter?', (args) => {
    const octets = args.plainText(0).split('.');
    if (octets.length !== 4 || needNetwork(args).explicit)
      throw args.error(`"${args.plainText(0)}" is not an IPv4 address`);
    return octets.map((octet) => Number(octet).toString(16).padStart(2, '0')).join(args.text(1, ''));
  }),
} satisfies Family;

/** A single value is a list of one. */
export function asList(value: Value): readonly Value[] {
  return isList(value) ? value : [value];
}

/** Of other types, nothing is an address: a mistake, as in Ansible. */
function readable(args: CallableArguments, numbers = true): Value {
  const value = args.value(0);
  if (typeof value === 'string' || typeof value === 'boolean' || isList(value)) return value;
  if (numbers && isWhole(value)) return value;
  throw args.error(`an address is needed, not ${describe(value)}`);
}

/** The tests after `is`. */
function query(value: Value, text: string, wanted?: 4 | 6): Value {
  if (isList(value))
    return value
      .map((one) => query(one, text, wanted))
      .filter((one) => one !== false && !(isList(one) && one.length === 0));
  if (value === 0) return false;
  const network = readAddress(typeof value === 'string' ? withAllBytes(value) : value, wanted);
  if (network === undefined || (wanted !== undefined && network.version !== wanted)) return false;
  return queryAddress(network, value, text) ?? false;
}

/** `10.1` is `10.1.0.0`, as for Python's `netaddr`. */
function withAllBytes(text: string): string {
  return text.replace(/^(\d+(?:\.\d+){1,2})(?=$|\/\d+$)/, (bytes) =>
    [...bytes.split('.'), '0', '0'].slice(0, 4).join('.'),
  );
}

function wrapped(value: Value): Value {
  const address = query(value, '');
  return address === false ? value : query(address, 'wrap');
}

function each(value: Value, change: (value: Value) => Value): Value {
  return isList(value) ? value.map(change) : change(value);
}

function version(args: CallableArguments): 4 | 6 | undefined {
  const wanted = args.number(2, 0);
  return wanted === 4 || wanted === 6 ? wanted : undefined;
}

/** Reads a value as an address or network; undefined if it is neither. */
export function readAddress(value: Value, wanted?: 4 | 6): Network | undefined {
  if (isWhole(value)) return networkFromInteger(BigInt(value), wanted);
  if (typeof value !== 'string') return undefined;
  return /^\d+$/.test(value) ? networkFromInteger(BigInt(value), wanted) : parseNetwork(value);
}

/** What `use` makes of addresses and networks; false, as in Ansible, if a value is neither. */
export function ofNetworks<T>(values: readonly Value[], use: (one: Network, other: Network) => T): T | false {
  const [one, other] = values.map((value) => readAddress(value));
  if (one === undefined || (values.length > 1 && other === undefined)) return false;
  return use(one, other ?? one);
}

export function needNetwork(args: CallableArguments): Network {
  const network = readAddress(args.value(0));
  if (network === undefined) throw args.error(`"${asText(args.value(0))}" is not an address or network`);
  return network;
}

/**
 * With an index: the subnet of that number. Without: the number of subnets, or for a single address its network of that
 * prefix.
 */
function subnet(args: CallableArguments): Value {
  const network = readAddress(args.value(0));
  if (network === undefined) return false;
  if (args.optional(1) === undefined) return `${addressText(network, first(network))}/${network.prefix}`;
  const prefix = args.number(1);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > network.bits)
    throw args.error(`there is no prefix /${prefix}`);
  if (networkSize(network) === 1n) return `${addressText(network, first({ ...network, prefix }))}/${prefix}`;
  if (prefix < network.prefix) throw args.error(`a /${network.prefix} network has no /${prefix} in it`);
  const count = 1n << BigInt(prefix - network.prefix);
  if (args.optional(2) === undefined) return toWholeNumber(count);
  const index = BigInt(args.whole(2));
  const place = index < 0n ? index + count : index;
  if (place < 0n || place >= count) return false;
  return `${addressText(network, first(network) + (place << BigInt(network.bits - prefix)))}/${prefix}`;
}

function hostAt(network: Network, index: bigint): Value {
  const address = index < 0n ? last(network) + 1n + index : first(network) + index;
  return address < first(network) || address > last(network) ? false : addressText(network, address);
}

function usableAt(network: Network, offset: bigint): Value {
  const [lowest, highest] = usable(network);
  const address = network.address + offset;
  return networkSize(network) > 1n && address >= lowest && address <= highest ? addressText(network, address) : false;
}

function inUsable(outer: Network, inner: Network): boolean {
  const [lowest, highest] = usable(outer);
  return outer.version === inner.version && first(inner) >= lowest && last(inner) <= highest;
}

/** Hardware (MAC) addresses of 48 bits, as Python's `netaddr` reads and writes them. */
export const hardwareAddresses = {
  hwaddr: callable('value, query?', convertHardware),
  macaddr: callable('value, query?', convertHardware),
  /** The address that a host with this hardware address configures for itself in an IPv6 network. */
  slaac: callable('network, mac?', slaac),
} satisfies Family;

const HARDWARE_NOTATIONS = [
  /^(?:[0-9a-f]{1,2}:){5}[0-9a-f]{1,2}$/i,
  /^(?:[0-9a-f]{1,2}-){5}[0-9a-f]{1,2}$/i,
  /^(?:[0-9a-f]{1,4}:){2}[0-9a-f]{1,4}$/i,
  /^(?:[0-9a-f]{1,4}-){2}[0-9a-f]{1,4}$/i,
  /^(?:[0-9a-f]{1,4}\.){2}[0-9a-f]{1,4}$/i,
  /^[0-9a-f]{5,6}[-:][0-9a-f]{5,6}$/i,
  /^[0-9a-f]{11,12}$/i,
];

/** Addresses with 64 bits: recognized, but not converted. */
const LONG_HARDWARE = /^(?:[0-9a-f]{1,2}[-:]){7}[0-9a-f]{1,2}$/i;

type HardwareQuery = (digits: string, value: Value) => Value;

const HARDWARE_QUERIES: ReadonlyMap<string, HardwareQuery> = new Map<string, HardwareQuery>([
  ['', (_, value) => asText(value)],
  ['bool', () => true],
  ['int', (digits) => parseInt(digits, 16)],
  ['bare', (digits) => digits.toUpperCase()],
  ['cisco', (digits) => groups(digits, 4).join('.')],
  ['linux', (digits) => groups(digits, 2).join(':')],
  [
    'unix',
    (digits) =>
      groups(digits, 2)
        .map((group) => group.replace(/^0(?=.)/, ''))
        .join(':'),
  ],
  ...['pgsql', 'postgresql', 'psql'].map((name) => [name, (digits: string) => groups(digits, 6).join(':')] as const),
  ...['eui48', 'win'].map((name) => [name, (digits: string) => groups(digits.toUpperCase(), 2).join('-')] as const),
]);

/** Returns null for a value that is not a hardware address; throws if the query asks for another notation. */
function convertHardware(args: CallableArguments): Value {
  const name = args.text(1, '');
  const query = HARDWARE_QUERIES.get(name);
  if (query === undefined)
    throw args.error(`there is no query "${name}"`, `use one of ${[...HARDWARE_QUERIES.keys()].join(', ')}`);
  const text = asText(args.value(0));
  const digits = hexDigits(text);
  if (digits !== undefined) return query(digits, args.value(0));
  if (name === '' || name === 'bool') return LONG_HARDWARE.test(text) ? query(text, args.value(0)) : null;
  throw args.error(`"${text}" is not a hardware address of 48 bits`);
}

/** Its twelve digits in lower case; undefined if it is not a hardware address. */
function hexDigits(text: string): string | undefined {
  if (HARDWARE_NOTATIONS.some((notation) => notation.test(text))) {
    const parts = text.toLowerCase().split(/[-:.]/);
    return parts.map((part) => part.padStart(12 / parts.length, '0')).join('');
  }
  if (!/^\d+$/.test(text)) return undefined;
  const digits = BigInt(text).toString(16).padStart(12, '0');
  return digits.length === 12 ? digits : undefined;
}

function groups(digits: string, size: number): readonly string[] {
  return digits.match(new RegExp(`.{${size}}`, 'g')) ?? [];
}

/** The hardware address with `ff:fe` in the middle and its universal bit inverted, after the network's own bits. */
function slaac(args: CallableArguments): Value {
  const network = readAddress(args.value(0));
  const digits = hexDigits(args.text(1, ''));
  if (network?.version !== 6 || digits === undefined) return false;
  const host = BigInt(`0x${digits.slice(0, 6)}fffe${digits.slice(6)}`) ^ (1n << 57n);
  const address = first(network) + host;
  return address < 1n << 128n ? addressText(network, address) : false;
}
