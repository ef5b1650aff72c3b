import { isJsonObject, type Json } from '../protocol/json.js';

/** How real controllers show what they will not tell. */
const SENSITIVE = '<sensitive>';

const SECRET_NAMES = new Set([
  'password',
  'secret_access_key',
  'secret_key',
  'vca_password',
  'nuage_password',
  'marathon_password',
  'service_account_token',
  'se_image_pull_secret',
  'token',
]);

/** The value as it is read back: every text under a secret's name masked, at any depth. */
export function hideSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((element: Json) => hideSecrets(element));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET_NAMES.has(key) && typeof inner === 'string' ? SENSITIVE : hideSecrets(inner),
    ]),
  );
}
