import { isPort, parseAddress } from '../../core/model/inventory/address.js';

/** The maximum number of names of one pattern. */
const MOST_NAMES = 1_000_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

type Expansion =
  | { readonly type: 'names'; readonly names: readonly string[]; readonly port: number | undefined }
  | { readonly type: 'problem'; readonly message: string; readonly hint?: string };

/**
 * The controllers that a name in an inventory expands to: `lb[01:12:2].example.com` counts from 01 to 12 in steps of 2,
 * `x[a:c]` from a to c; several ranges multiply; a port may follow (`lb1:8443`).
 */
export function expandNames(pattern: string): Expansion {
  if (!pattern.includes('[') && !pattern.includes(':')) return { type: 'names', names: [pattern], port: undefined };
  const address = parseAddress(pattern);
  const { host, port } = address ?? { host: pattern, port: undefined };
  if (address === undefined && /:\s*$/.test(pattern))
    return { type: 'problem', message: `"${pattern}" ends in ":" without a port` };
  if (port !== undefined && !isPort(port))
    return {
      type: 'problem',
      message: `"${pattern}" has the port ${port}`,
      hint: 'a port is a number from 1 to 65535',
    };
  const names = expandRanges(host);
  return typeof names === 'string'
    ? { type: 'problem', message: names, ...advice(host) }
    : { type: 'names', names, port };
}

function advice(host: string): { hint?: string } {
  if (host.startsWith('[') && parseAddress(`${host}:1`) !== undefined)
    return { hint: `an IPv6 address has brackets only before a port: ${host.slice(1, -1)}, ${host}:443` };
  return /\[[^\]]*-[^\]]*\]/.test(host) ? { hint: 'a range is written with a colon: [1:3]' } : {};
}

/** The names, or an error message. */
function expandRanges(host: string): readonly string[] | string {
  const parts = host.split(/(\[[^\]]*\])/);
  let names: readonly string[] = [''];
  for (const [index, part] of parts.entries()) {
    const steps = index % 2 === 1 ? expandRange(part, host) : [part];
    if (typeof steps === 'string') return steps;
    if (names.length * steps.length > MOST_NAMES) return `"${host}" expands to more than ${MOST_NAMES} controllers`;
    names = names.flatMap((name) => steps.map((step) => name + step));
  }
  return parts.length === 1 && host.includes('[') ? `"${host}" has "[" but no "]"` : names;
}

function expandRange(part: string, host: string): readonly string[] | string {
  const bounds = part.slice(1, -1).split(':');
  const [from = '', to = '', step = '1'] = bounds;
  const wrong = (why: string): string => `the range ${part} in "${host}" ${why}`;
  if (bounds.length < 2 || bounds.length > 3) return wrong('is not [first:last] or [first:last:step]');
  if (to === '') return wrong('has no end');
  if (!/^[0-9]+$/.test(step) || Number(step) < 1) return wrong('needs a step of 1 or more');
  const named = { from: from === '' ? '0' : from, to, step: Number(step) };
  return isLetter(from) && isLetter(to) ? letters(named, wrong) : numbers(named, wrong);
}

interface Bounds {
  readonly from: string;
  readonly to: string;
  readonly step: number;
}

type Wrong = (why: string) => string;

function isLetter(text: string): boolean {
  return text.length === 1 && LETTERS.includes(text);
}

function backwards({ from, to, step }: Bounds): string {
  return `goes backwards; write [${to}:${from}${step === 1 ? '' : `:${step}`}]`;
}

function letters({ from, to, step }: Bounds, wrong: Wrong): readonly string[] | string {
  const found = [];
  for (let at = LETTERS.indexOf(from); at <= LETTERS.indexOf(to); at += step) found.push(LETTERS.charAt(at));
  return found.length === 0 ? wrong(backwards({ from, to, step })) : found;
}

function numbers({ from, to, step }: Bounds, wrong: Wrong): readonly string[] | string {
  if (!/^[0-9]+$/.test(from) || !/^[0-9]+$/.test(to))
    return wrong('has bounds that are neither two numbers nor two letters');
  const width = from.length > 1 && from.startsWith('0') ? from.length : 0;
  if (width > 0 && width !== to.length)
    return wrong('needs bounds of the same length, because the first begins with 0');
  if (Number(from) > Number(to)) return wrong(backwards({ from, to, step }));
  if ((Number(to) - Number(from)) / step >= MOST_NAMES) return wrong(`expands to more than ${MOST_NAMES} controllers`);
  const found = [];
  for (let at = Number(from); at <= Number(to); at += step) found.push(String(at).padStart(width, '0'));
  return found;
}
