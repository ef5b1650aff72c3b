import type { ConnectionSettings } from '../model/inventory/connection.js';
import { isSecretHeader, passwordsInUrls, secretsInHeader } from '../model/secret_values.js';
import type { Secrets } from '../model/secrets.js';

/** Everything in the settings that must be masked wherever it comes out: the password, a proxy's, and headers that sign in. */
export function addSecrets(settings: ConnectionSettings, secrets: Secrets): void {
  secrets.addCredentials(settings.username, settings.password);
  addProxy(settings.proxy ?? '', secrets);
  for (const [name, value] of Object.entries(settings.headers)) {
    if (isSecretHeader(name)) for (const secret of secretsInHeader(value)) secrets.add(secret);
  }
}

function addProxy(proxy: string, secrets: Secrets): void {
  for (const password of passwordsInUrls(proxy)) secrets.add(password);
  if (!URL.canParse(proxy)) return;
  const { username, password } = new URL(proxy);
  if (password !== '') secrets.addCredentials(decoded(username), decoded(password));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
