import { mapValues, valueAt } from '../../core/model/values/value.js';
import type { Structure } from '../../kinds/kind_table.js';
import { isJsonList, isJsonObject, type JsonObject, type SimulatedJson } from '../protocol/exchange.js';

const MASKED = '<sensitive>';

const SECRET_NAME =
  /(^|_)(password|passphrase|pass_phrase|secret|secret_key|secret_access|secret_access_key|private_key|token)$/;

/** The object as it is read back: its secrets are `<sensitive>`. */
export function withoutSecrets(object: JsonObject, structure: Structure | undefined): JsonObject {
  return mapSecrets(object, structure, () => MASKED);
}

/** The object with stored secrets in place of `<sensitive>`; the path of the first placeholder without a stored secret. */
export function withStoredSecrets(
  object: JsonObject,
  stored: JsonObject | undefined,
  structure: Structure | undefined,
): JsonObject | string {
  const unknown: string[] = [];
  const merged = mapSecrets(object, structure, (value, path) => {
    if (value !== MASKED) return value;
    const kept = valueAt(stored, path);
    if (typeof kept === 'string') return kept;
    unknown.push(path.join('.'));
    return value;
  });
  return unknown[0] ?? merged;
}

type Replace = (value: string, path: readonly string[]) => string;

function mapSecrets(
  object: JsonObject,
  structure: Structure | undefined,
  replace: Replace,
  path: readonly string[] = [],
): JsonObject {
  return mapValues(object, (value, name) => {
    const field = structure?.fields.get(name);
    const at = [...path, name];
    const isSecret = field?.secret ?? SECRET_NAME.test(name);
    return typeof value === 'string' && isSecret ? replace(value, at) : mapWithin(value, field?.structure, replace, at);
  });
}

function mapWithin(
  value: SimulatedJson,
  structure: Structure | undefined,
  replace: Replace,
  path: readonly string[],
): SimulatedJson {
  if (isJsonList(value))
    return value.map((element, at) => mapWithin(element, structure, replace, [...path, String(at)]));
  return isJsonObject(value) ? mapSecrets(value, structure, replace, path) : value;
}
