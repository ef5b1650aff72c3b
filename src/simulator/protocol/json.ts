import { parseJson as parseValue } from '../../core/model/values/json.js';

/** What travels on the wire, both ways. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** A field that holds text, such as `uuid`; empty if it does not. */
export function textOrEmpty(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** @throws SyntaxError if the text is not JSON */
export function readJson(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values of JSON have no other types
  return parseValue(text) as Json;
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
