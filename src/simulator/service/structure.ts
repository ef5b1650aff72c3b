import { SERVER_FIELDS } from '../../core/model/run/result.js';
import { jsonText } from '../../core/model/values/value.js';
import type { Field, Structure } from '../../kinds/kind_table.js';
import { isJsonList, isJsonObject, type JsonObject, type SimulatedJson } from '../protocol/exchange.js';

/** What is wrong with an object of this structure, in the words of the product; undefined if nothing is. */
export function firstFault(object: JsonObject, structure: Structure): string | undefined {
  const known = Object.entries(object).filter(([name]) => !SERVER_FIELDS.includes(name));
  const fault = faultIn(Object.fromEntries(known), structure);
  return fault === undefined ? undefined : fault.parse ? `Json Parse Error: ${fault.message}` : fault.message;
}

/** `parse`: the body is not an object of its kind; otherwise its values are not allowed. */
interface FieldFault {
  readonly parse: boolean;
  readonly message: string;
}

/** @param inner whether it is a part of another object: then defaults stand in for fields that it needs */
function faultIn(object: JsonObject, structure: Structure, inner = false): FieldFault | undefined {
  for (const [name, value] of Object.entries(object)) {
    const field = structure.fields.get(name);
    if (field === undefined) return parseFault(`Message type "${structure.name}" has no field named "${name}".`);
    const fault = fieldFault(value, field);
    if (fault !== undefined) return fault;
  }
  const isFilled = (name: string): boolean => inner && structure.fields.get(name)?.default !== undefined;
  const missing = structure.required.find(
    (name) => object[name] === '' || (object[name] === undefined && !isFilled(name)),
  );
  return missing === undefined
    ? undefined
    : { parse: false, message: `Message type "${structure.name}" is missing required field "${missing}".` };
}

function fieldFault(value: SimulatedJson, field: Field): FieldFault | undefined {
  if (!field.list) return inField(field, elementFault(value, field));
  if (!isJsonList(value)) return inField(field, parseFault(`repeated field ${field.name} must be in [].`));
  for (const element of value) {
    const fault = elementFault(element, field);
    if (fault !== undefined) return inField(field, fault);
  }
  return undefined;
}

function inField({ name }: Field, fault: FieldFault | undefined): FieldFault | undefined {
  return fault?.parse === true ? parseFault(`Failed to parse ${name} field: ${fault.message}`) : fault;
}

function elementFault(value: SimulatedJson, field: Field): FieldFault | undefined {
  switch (field.type) {
    case 'any':
      return undefined;
    case 'string':
      if (typeof value !== 'string') return parseFault(`Couldn't parse string: ${jsonText(value)}.`);
      return choiceFault(value, field);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : parseFault(`Couldn't parse boolean: ${jsonText(value)}.`);
    case 'integer':
      return typeof value === 'bigint' || isWhole(value) || Number.isInteger(value)
        ? rangeFault(Number(value), field)
        : notA('integer', value);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' || isWhole(value)
        ? rangeFault(Number(value), field)
        : notA('number', value);
    case 'mapping':
      if (!isJsonObject(value)) return parseFault(`Couldn't parse object: ${jsonText(value)}.`);
      return field.structure === undefined ? undefined : faultIn(value, field.structure, true);
  }
}

/** A text of digits, which controllers take for a number: templates of other tools send them. */
function isWhole(value: SimulatedJson): value is string {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value);
}

function notA(type: string, value: SimulatedJson): FieldFault {
  return parseFault(`Couldn't parse ${type}: ${jsonText(value)}.`);
}

function choiceFault(value: string, { name, choices, openChoices }: Field): FieldFault | undefined {
  if (choices === undefined || choices.includes(value)) return undefined;
  // A real controller may know it.
  if (openChoices === true && /^[A-Z0-9_]+$/.test(value)) return undefined;
  return parseFault(`Invalid enum value ${value} for ${name}.`);
}

function rangeFault(value: number, { name, range, special = [] }: Field): FieldFault | undefined {
  if (range === undefined || special.includes(value) || (value >= range[0] && value <= range[1])) return undefined;
  return { parse: false, message: `Value ${value} of field "${name}" is out of range: ${range[0]}-${range[1]}.` };
}

function parseFault(message: string): FieldFault {
  return { parse: true, message };
}

/** The object with the defaults of its structure filled in, including those of its mappings and elements of lists. */
export function withStructureDefaults(object: JsonObject, structure: Structure): JsonObject {
  const filled: Record<string, SimulatedJson> = {};
  for (const [name, field] of structure.fields) {
    const given = object[name];
    if (given !== undefined) filled[name] = filledField(given, field);
    else if (field.default !== undefined && !field.list) filled[name] = field.default;
  }
  return { ...object, ...filled };
}

/** An object that lacks nothing that it needs, with defaults. */
export function smallestObject(structure: Structure): JsonObject {
  const needed = structure.required.map((name) => [name, smallestValue(structure.fields.get(name))] as const);
  return withStructureDefaults(Object.fromEntries(needed), structure);
}

function smallestValue(field: Field | undefined): SimulatedJson {
  if (field?.list === true) return [];
  if (field?.structure !== undefined) return smallestObject(field.structure);
  if (field?.default !== undefined) return field.default;
  if (field?.type === 'boolean') return false;
  return field?.type === 'integer' || field?.type === 'number'
    ? (field.range?.[0] ?? 0)
    : (field?.choices?.[0] ?? 'unset');
}

function filledField(value: SimulatedJson, { list, structure, type }: Field): SimulatedJson {
  if (type === 'integer' || type === 'number') return isJsonList(value) ? value.map(stored) : stored(value);
  if (structure === undefined) return value;
  const fill = (one: SimulatedJson): SimulatedJson => (isJsonObject(one) ? withStructureDefaults(one, structure) : one);
  return list && Array.isArray(value) ? value.map(fill) : fill(value);
}

function stored(value: SimulatedJson): SimulatedJson {
  return isWhole(value) ? Number(value) : value;
}

/** Without fields that are null, which count as absent. */
export function withoutNullFields(object: JsonObject): JsonObject {
  const given = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, withoutNullsWithin(value)]));
}

function withoutNullsWithin(value: SimulatedJson): SimulatedJson {
  if (Array.isArray(value)) return value.map(withoutNullsWithin);
  return isJsonObject(value) ? withoutNullFields(value) : value;
}
