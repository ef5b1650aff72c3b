import { orElse } from '../../core/model/error_message.js';
import { parseJson as parseValue } from '../../core/model/values/json.js';

/** What travels on the wire, both ways. */
export type SimulatedJson = null | boolean | number | bigint | string | readonly SimulatedJson[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: SimulatedJson;
}

export function isJsonObject(value: SimulatedJson | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: SimulatedJson | undefined): value is readonly SimulatedJson[] {
  return Array.isArray(value);
}

/** A field that holds text, such as `uuid`; empty if it does not. */
export function textOrEmpty(value: SimulatedJson | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** @throws SyntaxError if the text is not JSON */
export function readJson(text: string): SimulatedJson {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values of JSON have no other types
  return parseValue(text) as SimulatedJson;
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): SimulatedJson | undefined {
  return orElse(undefined, () => readJson(text));
}
