import { hash } from 'node:crypto';

/** 96 bits: enough that no two controllers of any fleet share one. */
const LENGTH = 16;

/**
 * Identifies a controller in a lock file: the same for every spelling of its URL. Hashed, so that the file does not reveal the URL.
 *
 * @param identity the URL, normalized as in settings (no default port, lower-case host, no trailing slash), and the route
 */
export function placeKey(identity: string): string {
  return hash('sha256', withoutRootDot(identity), 'base64url').slice(0, LENGTH);
}

/** `lb1.example.com.` is the same host. Different ports and paths are different controllers. */
function withoutRootDot(identity: string): string {
  return identity.replace(/^(https?:\/\/[^/:]+)\.(?=[/: ]|$)/, '$1');
}
