import { hash } from 'node:crypto';

/** 96 bits: enough that no two controllers of any fleet share one. */
const LENGTH = 16;

/**
 * Identifies a controller in a lock file: the same for every spelling of its URL. Hashed, so that the file does not reveal the URL.
 *
 * @param url normalized, as in settings: no default port, lower-case host, no trailing slash
 */
export function placeKey(url: string): string {
  return hash('sha256', withoutRootDot(url), 'base64url').slice(0, LENGTH);
}

/** `lb1.example.com.` is the same host. Different ports and paths are different controllers. */
function withoutRootDot(url: string): string {
  return url.replace(/^(https?:\/\/[^/:]+)\.(?=[/:]|$)/, '$1');
}
