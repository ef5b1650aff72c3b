import { hash } from 'node:crypto';

/** 96 bits: enough that no two controllers of any fleet share one. */
const LENGTH = 16;

/**
 * What stands for a controller in a claim: the same for every way to write its URL. Nobody who reads a claim learns the URL.
 *
 * @param url as settings have it: no default port, no capitals in the host, no slash at the end
 */
export function placeKey(url: string): string {
  return hash('sha256', withoutRootDot(url), 'base64url').slice(0, LENGTH);
}

/** `lb1.example.com.` is the same host; ports and ways that differ lead to different places. */
function withoutRootDot(url: string): string {
  return url.replace(/^(https?:\/\/[^/:]+)\.(?=[/:]|$)/, '$1');
}
