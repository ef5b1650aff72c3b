import type { Value } from '../../../core/model/values/value.js';
import { LONGEST, type Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { asText } from '../../runtime/text.js';
import { needNetwork, readAddress } from './addresses.js';
import { first, last, size, write, type Network } from './network.js';

/** Several networks at once, and all addresses of one. */
export const addressRanges = {
  /** The fewest networks with the same addresses; with `span`, the smallest network that contains all. */
  cidr_merge: helper('networks, action?', merge),
  usable_range: helper('network', addressesOf),
} satisfies Family;

function merge(args: Arguments): Value {
  const action = args.text(1, 'merge');
  const networks = args.list(0).map((value) => {
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
    at += size({ ...network, prefix });
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
function addressesOf(args: Arguments): Value {
  const network = needNetwork(args, 0);
  const count = size(network);
  if (network.address !== first(network)) throw args.error(`"${asText(args.value(0))}" is an address within a network`);
  if (count > LONGEST) throw args.error(`${count} addresses are too many`, `at most ${LONGEST}`);
  const usable_ips = Array.from({ length: Number(count) }, (_, index) =>
    write(network, network.address + BigInt(index)),
  );
  return { usable_ips, number_of_ips: Number(count) };
}

function cidr(network: Network, address: bigint): string {
  return `${write(network, address)}/${network.prefix}`;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
