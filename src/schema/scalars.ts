import type { JsonSchema } from './json_schema.js';

const TEMPLATE = String.raw`\{\{`;
const FLAG = '^(?:[Tt]rue|TRUE|[Yy]es|YES|[Oo]n|ON|[Ff]alse|FALSE|[Nn]o|NO|[Oo]ff|OFF|[YyTtNnFf01])$';
const WHOLE_NUMBER = String.raw`^\s*[+-]?\d+\s*$`;
const NUMBER = String.raw`^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$`;

/** A text that contains a template, or matches one of these patterns. */
function text(...patterns: readonly string[]): JsonSchema {
  return { type: 'string', pattern: patterns.join('|') };
}

/** A text with a template, whose value is known only during the run. */
export const template: JsonSchema = text(TEMPLATE);

/** Numbers count as what they look like. */
export const anyText: JsonSchema = { type: ['string', 'number'] };

export const variableName: JsonSchema = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' };

/** Editors read YAML 1.2, where `yes` is a text. */
export const boolean: JsonSchema = { anyOf: [{ type: 'boolean' }, text(FLAG)] };

export const flag: JsonSchema = {
  anyOf: [{ type: ['boolean'] }, { type: 'integer', enum: [0, 1] }, text(TEMPLATE, FLAG)],
};

export const wholeNumber: JsonSchema = { anyOf: [{ type: 'integer' }, text(TEMPLATE, WHOLE_NUMBER)] };

export const number: JsonSchema = { anyOf: [{ type: 'number' }, text(TEMPLATE, NUMBER)] };

const ANY_CASE_FLAG = ['true', 'yes', 'on', 'y', 't', 'false', 'no', 'off', 'n', 'f', '0', '1']
  .map((word) => word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .join('|');

/**
 * Arguments of a type may be written as text, as in `port="8080"`; JSON counts for mappings and lists. What the loader
 * converts (`module/coercion.ts`), except that no pattern can look into JSON.
 */
export function asText(type: string): JsonSchema {
  switch (type) {
    case 'boolean':
      return text(TEMPLATE, String.raw`^\s*(?:${ANY_CASE_FLAG})\s*$`);
    case 'integer':
      return text(TEMPLATE, String.raw`^\s*[+-]?\d{1,15}\s*$`);
    case 'number':
      return text(TEMPLATE, String.raw`^\s*[+-]?\d+(?:\.\d+)?\s*$`);
    case 'object':
      return text(TEMPLATE, String.raw`^\s*\{`);
    case 'array':
      return text(TEMPLATE, String.raw`^\s*\[`);
    default:
      return template;
  }
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function oneOrMore(item: JsonSchema): JsonSchema {
  return { anyOf: [item, listOf(item)] };
}
