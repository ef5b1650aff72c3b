import type { Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { asText } from '../../runtime/result.js';
import { readAddress } from './addresses.js';
import { first, addressText } from './network.js';

/** Hardware (MAC) addresses of 48 bits, as Python's `netaddr` reads and writes them. */
export const hardwareAddresses = {
  hwaddr: callable('value, query?', convert),
  macaddr: callable('value, query?', convert),
  /** The address that a host with this hardware address configures for itself in an IPv6 network. */
  slaac: callable('network, mac?', slaac),
} satisfies Family;

const NOTATIONS = [
  /^(?:[0-9a-f]{1,2}:){5}[0-9a-f]{1,2}$/i,
  /^(?:[0-9a-f]{1,2}-){5}[0-9a-f]{1,2}$/i,
  /^(?:[0-9a-f]{1,4}:){2}[0-9a-f]{1,4}$/i,
  /^(?:[0-9a-f]{1,4}-){2}[0-9a-f]{1,4}$/i,
  /^(?:[0-9a-f]{1,4}\.){2}[0-9a-f]{1,4}$/i,
  /^[0-9a-f]{5,6}[-:][0-9a-f]{5,6}$/i,
  /^[0-9a-f]{11,12}$/i,
];

/** Addresses with 64 bits: recognized, but not converted. */
const LONG = /^(?:[0-9a-f]{1,2}[-:]){7}[0-9a-f]{1,2}$/i;

type Query = (digits: string, value: Value) => Value;

const QUERIES: ReadonlyMap<string, Query> = new Map<string, Query>([
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
  ...['pgsql', 'postgresql', 'psql'].map((name): [string, Query] => [name, (digits) => groups(digits, 6).join(':')]),
  ...['eui48', 'win'].map((name): [string, Query] => [name, (digits) => groups(digits.toUpperCase(), 2).join('-')]),
]);

/** Returns null for a value that is not a hardware address; throws if the query asks for another notation. */
function convert(args: CallableArguments): Value {
  const name = args.text(1, '');
  const query = QUERIES.get(name);
  if (query === undefined)
    throw args.error(`there is no query "${name}"`, `use one of ${[...QUERIES.keys()].join(', ')}`);
  const text = asText(args.value(0));
  const digits = hexDigits(text);
  if (digits !== undefined) return query(digits, args.value(0));
  if (name === '' || name === 'bool') return LONG.test(text) ? query(text, args.value(0)) : null;
  throw args.error(`"${text}" is not a hardware address of 48 bits`);
}

/** Its twelve digits in lower case; undefined if it is not a hardware address. */
function hexDigits(text: string): string | undefined {
  if (NOTATIONS.some((notation) => notation.test(text))) {
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
