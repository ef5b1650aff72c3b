import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';
import { holdsSecret, isSecretName, namesIn, VALUE_FIELDS } from './names.js';

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

/**
 * @param among the mapping that contains the entry
 * @param above what the names above the mapping make of it
 */
export function coverOf(name: string, among: Mapping, above: Cover = 'open'): Cover {
  const value = among[name];
  if (above !== 'open' && !isCollection(value) && isPublic(name, among, above)) return 'open';
  if (!holdsSecret(name, value, among)) return above;
  return above !== 'secret' && isNameOfCredentials(name, among) && isCollection(value) ? 'credentials' : 'secret';
}

function isPublic(name: string, among: Mapping, above: Cover): boolean {
  if (PUBLIC_PART_OF_KEY.test(name)) return true;
  return above === 'credentials' && PUBLIC_CREDENTIAL.test(name) && Object.keys(among).some(isPart);
}

function isPart(name: string): boolean {
  return NAMES_PART.test(name) || isSecretName(name);
}

/** As `dict2items` writes it, the name is a value itself. */
function isNameOfCredentials(name: string, among: Mapping): boolean {
  const names = VALUE_FIELDS.has(name) ? namesIn(among) : [name];
  return names.every((one) => typeof one === 'string' && CREDENTIALS.test(one));
}

function isCollection(value: Value | undefined): boolean {
  return isList(value) || isMapping(value);
}
