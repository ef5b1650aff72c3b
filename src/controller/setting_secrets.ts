import type { ConnectionSettings } from '../model/connection.js';
import type { Secrets } from '../model/secrets.js';

const TELLING = /auth|token|key|secret|pass|cookie|session/i;

/** Everything in the settings that must be masked wherever it comes out: the password, a proxy's, and headers that sign in. */
export function addSecrets(settings: ConnectionSettings, secrets: Secrets): void {
  secrets.addCredentials(settings.username, settings.password);
  const { username, password } = proxyCredentials(settings.proxy);
  if (password !== '') secrets.addCredentials(username, password);
  for (const [name, value] of Object.entries(settings.headers)) {
    if (TELLING.test(name)) secrets.add(value);
  }
}

function proxyCredentials(proxy: string | undefined): { readonly username: string; readonly password: string } {
  if (proxy === undefined || !URL.canParse(proxy)) return { username: '', password: '' };
  const { username, password } = new URL(proxy);
  return { username: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
