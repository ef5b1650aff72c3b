import { createHash, timingSafeEqual } from 'node:crypto';
import { compareVersions } from '../../core/model/version.js';
import type { AccountCredentials } from '../behaviour/behaviour.js';
import { refusal, type SimulatedAnswer, type SimulatedRequest } from '../protocol/exchange.js';

/** The default credentials. */
export const DEFAULT_CREDENTIALS: AccountCredentials = { username: 'admin', password: 'simulated' };

const CHALLENGE = { 'www-authenticate': 'Basic realm="controller"' };

/** The refusal if the request does not sign in with exactly one of these accounts (API document, section 5). */
export function refuseCredentials(
  request: SimulatedRequest,
  accounts: readonly AccountCredentials[],
  basicAllowed: boolean,
): SimulatedAnswer | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return refusal(401, 'Authentication credentials were not provided.', CHALLENGE);
  if (!basicAllowed) {
    return refusal(401, 'Basic authentication is disabled (portal_configuration.allow_basic_authentication).');
  }
  const match = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization);
  const given = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8');
  const isKnown = accounts.some(({ username, password }) => same(given, `${username}:${password}`));
  return isKnown ? undefined : refusal(401, 'Invalid credentials.', CHALLENGE);
}

export function same(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const VERSION = /^\d+\.\d+\.\d+$/;

/**
 * The refusal if the version header is absent, is not `n.n.n` (API document, section 9), or names a version that is not in
 * `versions`. An empty list allows any version.
 */
export function refuseVersion(
  request: SimulatedRequest,
  header: string,
  versions: readonly string[],
): SimulatedAnswer | undefined {
  const version = request.headers[header.toLowerCase()];
  if (version === undefined) return refusal(400, `Header ${header} is required.`);
  if (typeof version !== 'string' || !VERSION.test(version))
    return refusal(400, `Header ${header} must be <major>.<minor>.<patch>, not "${String(version)}".`);
  if (versions.length === 0 || versions.includes(version)) return undefined;
  const newest = versions.toSorted(compareVersions).at(-1) ?? '';
  const supported =
    compareVersions(version, newest) > 0 ? `Supported upto ${newest}` : `Supported: ${versions.join(', ')}`;
  return refusal(400, `Invalid version ${version} in header ${header}. ${supported}.`);
}
