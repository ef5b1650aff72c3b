import { isEqual } from '../../core/model/values/value.js';
import { isJsonList, isJsonObject, type JsonObject, type SimulatedJson } from '../protocol/exchange.js';

const OPERATIONS = ['add', 'replace', 'delete'] as const;
type Operation = (typeof OPERATIONS)[number];

/** Applies `{add: {servers: […]}, replace: {enabled: true}, delete: {…}}`; returns a sentence instead if it is invalid. */
export function patched(object: JsonObject, patch: JsonObject): JsonObject | string {
  let result = object;
  for (const [operation, fields] of Object.entries(patch)) {
    if (!isOperation(operation)) return `Invalid patch operation "${operation}": must be add, replace or delete.`;
    if (!isJsonObject(fields)) return `Patch operation "${operation}" must be an object.`;
    result = APPLY[operation](result, fields);
  }
  return result;
}

function isOperation(word: string): word is Operation {
  return OPERATIONS.some((operation) => operation === word);
}

const APPLY: Readonly<Record<Operation, (object: JsonObject, fields: JsonObject) => JsonObject>> = {
  add: added,
  replace: (object, fields) => ({ ...object, ...fields }),
  delete: deleted,
};

/** Lists are appended to, twice if requested twice; mappings get the fields; anything else is set. */
function added(object: JsonObject, fields: JsonObject): JsonObject {
  const result: Record<string, SimulatedJson> = { ...object };
  for (const [name, value] of Object.entries(fields)) {
    const current = object[name];
    if (isJsonList(value) && isJsonList(current)) result[name] = [...current, ...value];
    else if (isJsonObject(value) && isJsonObject(current)) result[name] = added(current, value);
    else result[name] = value;
  }
  return result;
}

/** Elements that agree with a given one are taken from lists; mappings lose the given fields; anything else is removed. */
function deleted(object: JsonObject, fields: JsonObject): JsonObject {
  const kept = Object.entries(object).flatMap(([name, current]): readonly (readonly [string, SimulatedJson])[] => {
    const value = fields[name];
    if (value === undefined) return [[name, current]];
    if (isJsonList(value) && isJsonList(current))
      return [[name, current.filter((element) => !value.some((one) => agrees(element, one)))]];
    return isJsonObject(value) && isJsonObject(current) ? [[name, deleted(current, value)]] : [];
  });
  return Object.fromEntries(kept);
}

/** Whether `element` has everything in `given`. */
function agrees(element: SimulatedJson, given: SimulatedJson): boolean {
  if (!isJsonObject(given) || !isJsonObject(element)) return isEqual(element, given);
  return Object.entries(given).every(([name, value]) => {
    const current = element[name];
    return current !== undefined && agrees(current, value);
  });
}
