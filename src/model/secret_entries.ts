import { isPairOfNameAndSecret, isPluralOfSecret, isSecretName } from './secret_names.js';
import { isList, isMapping, type Mapping, type Value } from './values/value.js';

/** What `auth` may be other than a secret. */
const WAY_TO_SIGN_IN =
  /^(?:basic|bearer|certificate|digest|disabled|enabled|kerberos|key|ldap|local|md5|negotiate|none|ntlm|oauth2?|optional|password|radius|required|saml|sha\d*|tacacs(?:_plus|\+)?|token)$/i;

/** `65001:100` and names of well-known communities; a `community` of SNMP is another text. */
const COMMUNITY_OF_BGP =
  /^(?:\d+(?::\d+)*|internet|local[-_]as|no[-_](?:advertise|export|peer)|graceful[-_]shutdown)$/i;

/**
 * Whether the entry's name makes its value a secret. Pairs of name and value, as `dict2items` makes them, are judged by the
 * name that they hold: `{key: mtu, value: 1500}` is none, `{key: password, value: …}` is.
 */
export function holdsSecret(name: string, value: Value | undefined, among: Mapping): boolean {
  if (name === 'key' && (Object.hasOwn(among, 'value') || Object.hasOwn(among, 'values'))) return false;
  if (name === 'value')
    return [among['key'], among['name']].some((one) => typeof one === 'string' && secret(one, value));
  return secret(name, value);
}

function secret(name: string, value: Value | undefined): boolean {
  if (name === 'community') return typeof value === 'string' && !COMMUNITY_OF_BGP.test(value);
  if (isSecretName(name)) return !isPairOfNameAndSecret(name) || isOwnSecret(value);
  return (isList(value) || isMapping(value)) && isPluralOfSecret(name);
}

function isOwnSecret(value: Value | undefined): boolean {
  return typeof value === 'string' ? !WAY_TO_SIGN_IN.test(value) : !isMapping(value);
}
