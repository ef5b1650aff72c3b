import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { withoutInvisible } from '../model/invisible.js';
import { BoundedMap, getOrAdd } from '../model/values/groups.js';
import { isNumeric } from '../model/values/json.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';

/** Names that mean a secret on their own. */
const SECRET_WORDS = new Set(
  'password passwd passphrase passcode pwd pw psk otp secret token credential bearer authorization cookie apikey secretkey privatekey accesskey sslkey sshkey authkey bindpw rootpw'.split(
    ' ',
  ),
);
/** `pasword`, `passwrod`: the value of a misspelt name is a secret, too. */
const MISSPELT = /^p[as]{2,4}[word]{2,5}$/;
/** Such a word after another one without a separator: `userpass`, `dbpassword`, `clientsecret`. */
const ENDS_IN_SECRET = /.(?:password|passwd|passphrase|passcode|secret|token|pass)$/;
const NO_SECRET_WORDS = new Set('bypass compass encompass overpass underpass surpass trespass askpass'.split(' '));
/** Words that may follow such a word without changing its meaning. */
const SAME_THING = new Set(
  'value text plain plaintext base64 b64 old new current previous confirm confirmation hash list map dict'.split(' '),
);
/** `key` is a secret alone and after these words; after others (`tag_key`, `public_key`) it is a name or public. */
const SECRET_KEYS = new Set(
  'api private access secret encryption signing auth authentication shared preshared master hmac account aes md5 priv radius session ssh ssl tacacs tls rsa ecdsa pem license licence'.split(
    ' ',
  ),
);
/**
 * Words whose plural is a list of secrets, not a list of objects such as `authentication_keys: [{key: …, key_number:
 * …}]`.
 */
const SECRET_PLURAL_KEYS = new Set('api private access secret shared preshared ssh license licence'.split(' '));
/** `auth` alone is one, and after these words; after others (`client_auth`, `require_auth`) it is an option. */
const SECRET_AUTHS = new Set('basic http https proxy registry user'.split(' '));
/** Words that mean a secret only together. */
const PAIRS = new Set(['pass phrase', 'key content', 'secret access']);
/** Shorter numbers may be anything (a port, a limit) unless the name marks a secret. */
export const FEWEST_DIGITS = 6;
const PAIR = /^(?:auth|\w*userpass)$/;
/** `force_basic_auth` is a flag, not a credential. */
const FLAG = /^(?:allow|enable|force|is|no|require|use)$/;
/** A `community` of SNMP is a credential, one of BGP is not. */
const SECRET_COMMUNITIES = /^(?:snmp|snmpv\d|trap|ro|rw|read|write)$/;
/** The working directory, as shells keep it. */
const SHELL_NAMES = new Set(['PWD', 'OLDPWD']);

/**
 * Whether a value under this name has to be masked: `password`, `vca_password`, `secret_access_key`, `apiKey`, `token`,
 * `key`; but not `key_number`, `tag_key`, `keys`, `auth_type`, `password_strength_check`, `sslkeyandcertificate_refs`.
 */
export function isSecretName(name: string): boolean {
  return verdictOn(name).secret;
}

/**
 * `passwords`, `tokens`, `secrets`: each entry of such a list or mapping is a secret, while `secrets: always` is an
 * option.
 */
export function isPluralOfSecret(name: string): boolean {
  return verdictOn(name).plural;
}

interface NameVerdict {
  /** Such a name never marks a secret, whatever its value and the names beside it are. */
  readonly harmless: boolean;
  readonly secret: boolean;
  readonly plural: boolean;
  /** `auth`, `userpass`: a text is a secret; in a mapping such as `{username: …, password: …}`, the names inside decide. */
  readonly pair: boolean;
}

// A name's verdict never changes, and the same few hundred names come with every event.
const verdicts = new BoundedMap<string, NameVerdict>(10_000);

function verdictOn(name: string): NameVerdict {
  return getOrAdd(verdicts, name, () => judgeName(name));
}

function judgeName(name: string): NameVerdict {
  const parts = SHELL_NAMES.has(name) ? [] : words(withoutInvisible(name));
  const last = parts.at(-1) ?? '';
  const plural = last !== 'keys' && last.endsWith('s') && judge([last.slice(0, -1)]);
  const secret = judge(parts);
  const harmless = !secret && !plural && name !== 'community' && !PASS.test(name) && !VALUE_FIELDS.has(name);
  return { harmless, secret, plural, pair: PAIR.test(last) };
}

function judge(parts: readonly string[]): boolean {
  const last = parts.at(-1) ?? '';
  const before = parts.at(-2);
  if (isSecretWord(last)) return true;
  if (last === 'pass') return before !== undefined;
  if (last === 'key') return before === undefined || SECRET_KEYS.has(before);
  if (last === 'keys') return before !== undefined && SECRET_PLURAL_KEYS.has(before);
  if (last === 'auth') return before === undefined || (SECRET_AUTHS.has(before) && !FLAG.test(parts[0] ?? ''));
  if (last === 'community') return parts.some((part) => SECRET_COMMUNITIES.test(part));
  if (last === 'string') return before === 'community' || isSecretWord(before ?? '');
  if (PAIRS.has(`${before} ${last}`)) return true;
  return before !== undefined && SAME_THING.has(last) && isSecretWord(before.replace(/s$/, ''));
}

function isSecretWord(word: string): boolean {
  return SECRET_WORDS.has(word) || MISSPELT.test(word) || (ENDS_IN_SECRET.test(word) && !NO_SECRET_WORDS.has(word));
}

function words(name: string): readonly string[] {
  const parted = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/\d+$/, '');
  return parted.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/** Values of `auth` that are not secret. */
const WAY_TO_SIGN_IN =
  /^(?:basic|bearer|certificate|digest|disabled|enabled|kerberos|key|ldap|local|md5|negotiate|none|ntlm|oauth2?|optional|password|radius|required|saml|sha\d*|tacacs(?:_plus|\+)?|token)$/i;

/** `65001:100` and names of well-known communities; a `community` of SNMP is another text. */
const COMMUNITY_OF_BGP =
  /^(?:\d+(?::\d+)*|internet|local[-_]as|no[-_](?:advertise|export|peer)|graceful[-_]shutdown)$/i;

/** Fields with the name of a value that another field of the same mapping has. */
export const NAME_FIELDS: ReadonlySet<string> = new Set(
  'key name field parameter param attribute property option setting variable'.split(' '),
);
/** Fields with the value that such a field names. */
export const VALUE_FIELDS: ReadonlySet<string> = new Set(
  'value values val vals new_value old_value rejected_value newValue oldValue rejectedValue'.split(' '),
);

/**
 * Whether the entry's name makes its value a secret. Pairs of name and value, as `dict2items` makes them, are judged by
 * the name that they contain: `{key: mtu, value: 1500}` is not a secret, `{key: password, value: …}` is.
 */
export function holdsSecret(name: string, value: Value | undefined, among: Mapping): boolean {
  if (verdictOn(name).harmless) return false;
  // Without an account beside it, it may be the result of a test.
  if (PASS.test(name)) return isLongEnough(value) && Object.keys(among).some((one) => ACCOUNT.test(one));
  if (name === 'key' && Object.keys(among).some((one) => VALUE_FIELDS.has(one))) return false;
  // The sources of nsswitch.conf: `{passwd: [files, systemd], group: [files, systemd]}`.
  if (name === 'passwd' && isList(value) && value.every((one) => NAME_SOURCES.has(one)) && isList(among['group']))
    return false;
  // The parts of a URL in a policy: `{type: URI_PARAM_TYPE_TOKENIZED, tokens: [{type: URI_TOKEN_TYPE_HOST}]}`.
  if (name === 'tokens' && among['type'] === 'URI_PARAM_TYPE_TOKENIZED') return false;
  // What a policy looks for: `{cookie: {name: SESSION, match_criteria: HDR_EXISTS}}`.
  if (name === 'cookie' && isMapping(value) && value['match_criteria'] !== undefined) return false;
  if (VALUE_FIELDS.has(name)) return namesIn(among).some((one) => secret(one, value));
  return secret(name, value);
}

const PASS = /^pass$/i;
const ACCOUNT = /^(?:user|username|login)$/i;

function isLongEnough(value: Value | undefined): boolean {
  return typeof value === 'string' || (isNumeric(value) && String(value).length >= FEWEST_DIGITS);
}

const NAME_SOURCES = new Set<Value>('files systemd sss ldap compat nis nisplus winbind db altfiles cache'.split(' '));

/** What the fields of a mapping name as the field of its value. */
function namesIn(among: Mapping): readonly string[] {
  const texts = [...NAME_FIELDS].flatMap((field) => among[field] ?? []);
  return texts.flatMap((one) => (typeof one === 'string' ? [one] : []));
}

function secret(name: string, value: Value | undefined): boolean {
  if (name === 'community') return typeof value === 'string' && !COMMUNITY_OF_BGP.test(value);
  if (isSecretName(name))
    return !verdictOn(name).pair || (typeof value === 'string' ? !WAY_TO_SIGN_IN.test(value) : !isMapping(value));
  return isCollection(value) && isPluralOfSecret(name);
}

const SSH = /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[\w-]+|sk-[\w@.-]+) AAAA[A-Za-z0-9+/]+={0,3}(?: [^\n]*)?\n?$/;
const PEM =
  /^\s*(?:-----BEGIN (?:[A-Z]+ )?(?:PUBLIC KEY|CERTIFICATE)-----[^-]*-----END (?:[A-Z]+ )?(?:PUBLIC KEY|CERTIFICATE)-----\s*)+$/;
const LONGEST_PATH = 1024;

export function isPublicKey(text: string): boolean {
  return SSH.test(text) || PEM.test(text);
}

/**
 * Whether a value is no secret although its name marks one: a public key, or the path of a file or folder that contains
 * the secret. Such a path would mask all paths below it.
 */
export function isNoSecret(text: string): boolean {
  return isPublicKey(text) || isPath(text);
}

function isPath(text: string): boolean {
  if (!text.includes('/') || text.length > LONGEST_PATH || /[\0\r\n]/.test(text)) return false;
  return existsSync(text.replace(/^~(?=\/)/, homedir));
}

/**
 * What the names above a value, and its own, make of it: nothing, so it is `open`; a `secret`; or one of the
 * `credentials` such as `avi_credentials: {controller: …, username: …, password: …}`. Each text below the latter two is
 * a secret.
 */
export type Cover = 'open' | 'credentials' | 'secret';

const CREDENTIALS = /credentials?$/i;
/** Below the name of a secret, too: `api_key: {key_id: …, secret: …}`. */
const PUBLIC_PART_OF_KEY = /(?:^|[_-])(?:public[_-]?[kK]ey|key[_-]?(?:id|Id|ID))$|(?:PublicKey|KeyId|KeyID)$/;
/** What credentials say besides secrets: where they are valid, and for whom. All other names may be anything. */
const PUBLIC_CREDENTIAL =
  /^(?:avi_|controller_)?(?:address|api_version|controller|fqdn|host|hostname|ip|port|server|tenant|tenant_name|tenant_uuid|timeout|url|user|username|version)$/;
/** With one of these, the names are those of parts. Else they may be accounts or systems: `{server: …, user: …}`. */
const NAMES_PART = /^(?:avi_|controller_)?(?:api_version|pass|username)$/;

/** @param among the mapping that contains the entry @param above what the names above the mapping make of it */
export function coverFor(name: string, among: Mapping, above: Cover = 'open'): Cover {
  // Without a call for names that were seen before: this runs for everything that is written.
  if (above === 'open' && (verdicts.get(name) ?? verdictOn(name)).harmless) return above;
  const value = among[name];
  if (above !== 'open' && !isCollection(value) && isPublic(name, among, above)) return 'open';
  if (!holdsSecret(name, value, among)) return above;
  return above !== 'secret' && isNameOfCredentials(name, among) && isCollection(value) ? 'credentials' : 'secret';
}

function isPublic(name: string, among: Mapping, above: Cover): boolean {
  if (PUBLIC_PART_OF_KEY.test(name)) return true;
  return (
    above === 'credentials' &&
    PUBLIC_CREDENTIAL.test(name) &&
    Object.keys(among).some((one) => NAMES_PART.test(one) || isSecretName(one))
  );
}

/** As `dict2items` writes it, the name is a value itself. */
function isNameOfCredentials(name: string, among: Mapping): boolean {
  const names = VALUE_FIELDS.has(name) ? namesIn(among) : [name];
  return names.every((one) => CREDENTIALS.test(one));
}

function isCollection(value: Value | undefined): boolean {
  return isList(value) || isMapping(value);
}
