import { createHash } from 'node:crypto';

/** 96 bits: enough that no two controllers of any fleet share one. */
const LENGTH = 16;

/**
 * What stands for a controller in a claim: the same for every way to write its URL. Nobody who reads a claim learns the URL.
 *
 * @param url absolute; throws a `TypeError` if it is none
 */
export function placeKey(url: string): string {
  return createHash('sha256').update(canonicalUrl(url)).digest('base64url').slice(0, LENGTH);
}

/** Without a default port, a dot or slash at the end, or capitals in the host; ways that differ lead to different places. */
function canonicalUrl(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${pathname.replace(/\/+$/, '')}`;
}
