import type { Schema } from '../../src/module/schema.js';

/**
 * One line for each declared field: its name (`?`: may be left out), its type or choices, and every other fact about it but its
 * description. Nested fields follow: `server_list.addr`.
 */
export function fieldLines(schema: Schema, parent = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${parent}${name}`;
    const mark = schema.required?.includes(name) === true ? '' : '?';
    return [`${path}${mark}: ${factsText(field) || 'any'}`, ...fieldLines(elements(field), `${path}.`)];
  });
}

/** The facts about a schema itself, not about its fields: `additionalProperties false`. */
export function ownFacts(schema: Schema): string {
  return factsText({ ...schema, type: [] });
}

function elements(schema: Schema): Schema {
  return schema.items === undefined ? schema : elements(schema.items);
}

function factsText(schema: Schema): string {
  const { description: _, properties: _fields, required: _names, ...facts } = schema;
  const { type = [], const: only, items, anyOf = [], enum: choices = [only], patternProperties, ...others } = facts;
  const types = Object.values(patternProperties ?? {}).map((values) => `{${alternativeText(values)}}`);
  if (types.length === 0 && choices[0] !== undefined) types.push(...choices.map(String));
  else if (types.length === 0) types.push(...(items === undefined ? [type].flat() : [`[${factsText(items)}]`]));
  const written = [...types, ...anyOf.map(alternativeText)].join(' | ');
  return [...(written === '' ? [] : [written]), ...Object.entries(others).map(factText)].join(', ');
}

/** With the fields of a mapping, which no line of their own shows. */
function alternativeText(schema: Schema): string {
  const fields = fieldLines(schema);
  return fields.length === 0 ? factsText(schema) : `${factsText(schema)} (${fields.join('; ')})`;
}

function factText([name, value]: readonly [string, unknown]): string {
  if (value === true && name !== 'default') return name;
  return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
