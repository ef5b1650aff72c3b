import type { ConnectionSettings } from '../model/inventory/connection.js';

/** Flat name-value lists, as undici takes them fastest; made once for a controller. */
export interface RequestHeaders {
  readonly bare: string[];
  readonly withBody: string[];
}

/** What every request carries (API document, sections 5 and 9): credentials without waiting for a challenge, and the API version. */
export function requestHeaders(settings: ConnectionSettings): RequestHeaders {
  const own: Record<string, string> = { accept: 'application/json', 'user-agent': 'evenkeel' };
  for (const [name, value] of Object.entries(settings.headers)) own[name.toLowerCase()] = value;
  own['authorization'] = `Basic ${Buffer.from(`${settings.username}:${settings.password}`).toString('base64')}`;
  own[settings.versionHeader.toLowerCase()] = settings.apiVersion;
  const bare = Object.entries(own).flat();
  return { bare, withBody: [...bare, 'content-type', 'application/json'] };
}
