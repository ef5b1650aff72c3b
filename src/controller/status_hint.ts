import type { ConnectionSettings } from '../model/inventory/connection.js';

const VERSION_STATUSES = new Set([400, 406, 417, 426]);

/** What to do about an answer, where its cause is known. `text` is what the controller said. */
export function statusHint(status: number, text: string, settings: ConnectionSettings): string | undefined {
  if (VERSION_STATUSES.has(status) && /version/i.test(text)) {
    return `check controller_api_version: "${settings.apiVersion}" was sent as ${settings.versionHeader}`;
  }
  switch (status) {
    case 401:
      return 'check controller_username and controller_password; on a fresh controller Basic authentication is off until allow_basic_authentication is set in its portal settings';
    case 403:
      return `the user "${settings.username}" may not do this on the controller`;
    case 404:
      return 'check controller_url, and the path';
    case 429:
      return 'the controller wants fewer requests: set controller_requests_per_second, or try again later';
    case 503:
      return 'the controller may be starting or being upgraded: run again when it is up';
    default:
      return undefined;
  }
}
