import { isDecodable } from '../values/uri.js';
import { hostFault, isPort, type AddressFault } from './address.js';

/** What a URL may have besides host and port. */
interface Allowed {
  readonly schemes: readonly string[];
  readonly credentials: boolean;
  readonly path: boolean;
}

const PARTS = /^(?<scheme>[a-z][a-z0-9]*):\/\/(?:(?<credentials>[^/?#\\]*)@)?(?<authority>[^/?#\\]*)(?<rest>[^]*)$/i;
const AUTHORITY = /^(?:\[(?<address>[^\]]*:[^\]]*)\]|(?<name>[^:[\]]*))(?::(?<port>[^]*))?$/;

/**
 * What is wrong with the URL of a controller or a proxy; undefined if nothing is. Stricter than `new URL`, which leaves
 * out tabs and line breaks, reads "\" as "/" and `https:lb1` as `https://lb1`, and resolves `..`: what is written must
 * be what requests are sent to.
 */
function urlFault(text: string, allowed: Allowed): AddressFault | undefined {
  const { scheme = '', credentials, authority = '', rest = '' } = PARTS.exec(text)?.groups ?? {};
  if (authority === '' || !allowed.schemes.includes(scheme.toLowerCase()))
    return { what: 'is not a URL', hint: 'it looks like https://lb1.example.com:8443' };
  if (credentials !== undefined && !allowed.credentials)
    return { what: 'must not contain credentials', hint: 'set controller_username and controller_password' };
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
  return { what: 'has credentials that are not encoded', hint: 'write "@" as %40, "%" as %25, and so on' };
}

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
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (rest !== '' && url.pathname !== rest))
    return {
      what: 'has a path that a URL cannot have as it is',
      hint: 'leave out blanks, line breaks, "\\" and "..", and write other characters as in %C3%BC',
    };
  if (!allowed.path && rest !== '' && rest !== '/')
    return { what: 'has a path', hint: 'leave out what follows the port' };
  return undefined;
}
