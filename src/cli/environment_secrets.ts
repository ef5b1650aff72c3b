import { passwordsInUrls } from '../secrets/values.js';
import { isSecretName } from '../secrets/names.js';
import type { Secrets } from '../secrets/secrets.js';

/** The environment's secrets: values under names such as `DB_PASSWORD`, and passwords in URLs, as those of proxies have. */
export function learnEnvironment(env: Readonly<Record<string, string | undefined>>, secrets: Secrets): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (isSecretName(name)) secrets.add(value);
    for (const password of passwordsInUrls(value)) secrets.add(password);
  }
}
