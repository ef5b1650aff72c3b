import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { isDecodable } from '../values/uri.js';

const BRACKETED_WITH_PORT = /^\[(.+)\]:([0-9]+)$/;
const WITH_PORT = /^((?:[^:[\]]|\[[^\]]*\])*):([0-9]+)$/;
const NUMERIC_RANGE = /\[[0-9a-f]+:[0-9a-f]+(?::[0-9]+)?\]/gi;
const RANGE = String.raw`\[(?:[a-z]:[a-z]|[0-9]+:[0-9]+)(?::[0-9]+)?\]`;
const LABEL = String.raw`(?:[\p{L}\p{N}_]|${RANGE})(?:[\p{L}\p{N}_-]|${RANGE})*(?<![_-])`;
/** Tried first, because most names are ASCII, and the pattern with the letters of all languages takes milliseconds to compile. */
const ASCII_HOST_NAME = /^(?!-)[\w-]*[a-z0-9](?:\.(?!-)[\w-]*[a-z0-9])*$/i;

export interface ParsedAddress {
  /** May contain ranges, such as `lb[1:3]`. */
  readonly host: string;
  readonly port: number | undefined;
}

/**
 * Splits `host`, `host:port` or `[host]:port`; a host is a name or an IP address, with or without ranges.
 * Undefined if the text is none of these. An IPv6 address takes a port only in brackets, as in Ansible.
 */
export function parseAddress(text: string): ParsedAddress | undefined {
  const [, host = text, port] = BRACKETED_WITH_PORT.exec(text) ?? WITH_PORT.exec(text) ?? [];
  if (!isHostName(host) && !isIPv6(host.replaceAll(NUMERIC_RANGE, '0'))) return undefined;
  return { host, port: port === undefined ? undefined : Number(port) };
}

function isHostName(text: string): boolean {
  return ASCII_HOST_NAME.test(text) || new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*$`, 'iu').test(text);
}

/** What is wrong with an address, in words that follow the name of a variable, and what to do. */
export interface AddressFault {
  readonly what: string;
  readonly hint: string;
}

const NAME_LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_])?`;
/** Tried first: compiling the pattern with the letters of all languages takes milliseconds. */
const ASCII_DOTTED_NAME = /^\w(?:[\w-]*\w)?(?:\.\w(?:[\w-]*\w)?)*\.?$/;
/** URLs read a name that ends so as an IPv4 address: `75` as 0.0.0.75, `0x7f.1` as 127.0.0.1. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/i;

/** What is wrong with a host, which is a name or an address without a port; undefined if nothing is. */
export function hostFault(host: string): AddressFault | undefined {
  if (isIPv4(host)) return undefined;
  if (isIPv6(host)) {
    const zone = host.indexOf('%');
    if (zone < 0) return undefined;
    const hint = `use a name, or an address that needs no "${host.slice(zone)}"`;
    return { what: 'has an IPv6 zone, which a URL cannot contain', hint };
  }
  if (!isDottedName(host) || !keepsName(host))
    return {
      what: 'is not a host',
      hint: 'a host is a name such as lb1.example.com, or an IPv4 or IPv6 address, and nothing else',
    };
  if (!ENDS_IN_NUMBER.test(host)) return undefined;
  const hint = 'an IPv4 address has four numbers from 0 to 255; a name does not end with a number';
  return { what: 'is not an address', hint };
}

function isDottedName(text: string): boolean {
  return ASCII_DOTTED_NAME.test(text) || new RegExp(String.raw`^${NAME_LABEL}(?:\.${NAME_LABEL})*\.?$`, 'u').test(text);
}

/** Names are looked up in an ASCII form. Some letters become others in it: a fullwidth "ａ" becomes "a". */
function keepsName(host: string): boolean {
  if (PLAIN_NAME.test(host)) return true;
  const ascii = domainToASCII(host);
  return ascii !== '' && [ascii, domainToUnicode(ascii)].includes(host.toLowerCase());
}

const PLAIN_NAME = /^(?!.*xn--)[\w.-]+$/i;

export const GREATEST_PORT = 65_535;

/** Whether a number can be the port of an address. */
export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= GREATEST_PORT;
}

/** What a URL may have besides host and port. */
interface Allowed {
  readonly schemes: readonly string[];
  readonly credentials: boolean;
  readonly path: boolean;
}

const PARTS = /^(?<scheme>[a-z][a-z0-9]*):\/\/(?:(?<credentials>[^/?#\\]*)@)?(?<authority>[^/?#\\]*)(?<rest>[^]*)$/i;
const AUTHORITY = /^(?:\[(?<address>[^\]]*:[^\]]*)\]|(?<name>[^:[\]]*))(?::(?<port>[^:]*))?$/;

/**
 * What is wrong with the URL of a controller or a proxy; undefined if nothing is. Stricter than `new URL`, which leaves
 * out tabs and line breaks, reads "\" as "/" and `https:lb1` as `https://lb1`, and resolves `..`: what is written must
 * be what requests are sent to.
 */
function urlFault(text: string, allowed: Allowed): AddressFault | undefined {
  const { scheme = '', credentials, authority = '', rest = '' } = PARTS.exec(text)?.groups ?? {};
  if (authority === '' || !allowed.schemes.includes(scheme.toLowerCase()))
    return { what: 'is not a URL', hint: 'it looks like https://lb1.example.com:8443' };
  // A "/", "?" or "#" in a password ends what looks like the host: it must not be quoted.
  const isHost = credentials !== undefined || authorityFault(authority) === undefined;
  const isPassword = rest.includes('@') && !(allowed.path && isHost);
  if ((credentials !== undefined || isPassword) && !allowed.credentials)
    return { what: 'must not contain credentials', hint: 'set controller_username and controller_password' };
  if (isPassword) return NOT_ENCODED;
  return authorityFault(authority) ?? restFault(rest, text, allowed) ?? credentialsFault(credentials);
}

/** As `urlFault`, of a controller. */
export function controllerFault(text: string): AddressFault | undefined {
  return urlFault(text, { schemes: ['https', 'http'], credentials: false, path: true });
}

/** As `urlFault`, of a proxy, which may want credentials. */
export function proxyFault(text: string, schemes: readonly string[]): AddressFault | undefined {
  return urlFault(text, { schemes, credentials: true, path: false });
}

function credentialsFault(credentials = ''): AddressFault | undefined {
  if (/^[\x21-\x7e]*$/.test(credentials) && isDecodable(credentials)) return undefined;
  return NOT_ENCODED;
}

export const NOT_ENCODED: AddressFault = {
  what: 'has credentials that are not encoded',
  hint: 'in a user name and a password, write "@" as %40, "/" as %2F, "%" as %25, and so on',
};

function authorityFault(authority: string): AddressFault | undefined {
  const { address, name, port } = AUTHORITY.exec(authority)?.groups ?? {};
  if (address === undefined && name === undefined)
    return { what: 'is not a URL', hint: 'an IPv6 address is in brackets: https://[fd00::7]:8443' };
  const fault = hostFault(address ?? name ?? '');
  if (fault !== undefined) return { ...fault, what: `names a host that ${fault.what}` };
  if (port === undefined || (/^[1-9][0-9]*$/.test(port) && isPort(Number(port)))) return undefined;
  return { what: `has the port "${port}"`, hint: 'a port is a number from 1 to 65535' };
}

function restFault(rest: string, text: string, allowed: Allowed): AddressFault | undefined {
  if (/[?#]/.test(rest))
    return { what: 'must not have a query or a fragment', hint: 'leave out what follows the path' };
  if (!URL.canParse(text) || (rest !== '' && new URL(text).pathname !== rest))
    return {
      what: 'has a path that is not valid in a URL',
      hint: 'leave out blanks, line breaks, "\\" and "..", and write other characters as in %C3%BC',
    };
  if (!allowed.path && rest !== '' && rest !== '/')
    return { what: 'has a path', hint: 'leave out what follows the port' };
  return undefined;
}
