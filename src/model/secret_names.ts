/** Names that say by themselves that their value is a secret. */
const SECRET_WORDS = new Set(
  'password passwd passphrase passcode secret token credential authorization cookie apikey secretkey privatekey accesskey'.split(
    ' ',
  ),
);
/** What may follow such a word without changing what it is. */
const SAME_THING = new Set(
  'value text plain plaintext base64 b64 old new current previous confirm confirmation hash'.split(' '),
);
/** `key` alone is one, and after these words; after others (`tag_key`, `public_key`) it is a name or public. */
const SECRET_KEYS = new Set(
  'api private access secret encryption signing auth authentication shared preshared master hmac account'.split(' '),
);

/**
 * Whether a value under this name has to be masked: `password`, `vca_password`, `secret_access_key`, `apiKey`, `token`, `key`;
 * but not `key_number`, `tag_key`, `keys`, `password_strength_check`, `sslkeyandcertificate_refs`.
 */
export function isSecretName(name: string): boolean {
  return verdictOn(name).secret;
}

/** `passwords`, `tokens`, `secrets`: each entry of such a list or mapping is a secret, while `secrets: always` is an option. */
export function isPluralOfSecret(name: string): boolean {
  return verdictOn(name).plural;
}

interface Verdict {
  readonly secret: boolean;
  readonly plural: boolean;
}

// A name's verdict never changes, and the same few hundred names come with every event.
const verdicts = new Map<string, Verdict>();
const MOST_VERDICTS = 10_000;

function verdictOn(name: string): Verdict {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const parts = words(name);
  const last = parts.at(-1) ?? '';
  const plural = last !== 'keys' && last.endsWith('s') && judge([last.slice(0, -1)]);
  const verdict = { secret: judge(parts), plural };
  if (verdicts.size < MOST_VERDICTS) verdicts.set(name, verdict);
  return verdict;
}

function judge(parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? '';
  const before = parts.at(-2);
  if (SECRET_WORDS.has(last)) return true;
  if (last === 'pass') return before !== undefined;
  if (last === 'key') return before === undefined || SECRET_KEYS.has(before);
  return SAME_THING.has(last) && before !== undefined && SECRET_WORDS.has(before);
}

function words(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/\d+$/, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
