/** A JSON Schema of draft 07, which editors understand best. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema | false>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  /** What editors show in place of their own message. */
  readonly errorMessage?: string;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** A name and its value, for `Object.fromEntries`. */
export type SchemaEntry = readonly [name: string, schema: JsonSchema];

export const DRAFT = 'http://json-schema.org/draft-07/schema#';

export function reference(definition: string): JsonSchema {
  return { $ref: `#/definitions/${definition}` };
}

/** A key without a value (`tags:`) counts as missing. */
export function orNothing(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

const TEMPLATE = String.raw`\{\{`;
const FLAG = '^(?:[Tt]rue|TRUE|[Yy]es|YES|[Oo]n|ON|[Ff]alse|FALSE|[Nn]o|NO|[Oo]ff|OFF|[YyTtNnFf01])$';
const WHOLE_NUMBER = String.raw`^\s*[+-]?\d+\s*$`;
const NUMBER = String.raw`^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$`;

const INTEGER = String.raw`[+-]?\d+`;
const FRACTION = String.raw`[+-]?\d+(?:\.\d+)?`;

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

interface TextLimits {
  readonly items?: readonly string[];
  readonly digits?: number | undefined;
}

/**
 * Arguments of a type may be written as text, as in `port="8080"`; JSON counts for mappings and lists. What the loader
 * converts (`module/coercion.ts`), except that no pattern can look into JSON.
 *
 * @param limits the types of the elements of a list, and the most digits of an integer
 */
export function textSchema(type: string, { items = [], digits }: TextLimits = {}): JsonSchema {
  switch (type) {
    case 'boolean':
      return text(TEMPLATE, String.raw`^\s*(?:${ANY_CASE_FLAG})\s*$`);
    case 'integer':
      return text(TEMPLATE, String.raw`^\s*[+-]?\d${digits === undefined ? '+' : `{1,${digits}}`}\s*$`);
    case 'number':
      return text(TEMPLATE, String.raw`^\s*${FRACTION}\s*$`);
    case 'object':
      return text(TEMPLATE, String.raw`^\s*\{`);
    case 'array':
      return text(TEMPLATE, String.raw`^\s*\[`, ...listed(items));
    default:
      return template;
  }
}

/** A list as one text, with commas between its elements. */
function listed(items: readonly string[]): readonly string[] {
  if (items.includes('string')) return [String.raw`^\s*[^\s{]`];
  if (items.includes('number')) return [String.raw`^\s*${FRACTION}\s*(?:,\s*${FRACTION}\s*)*$`];
  return items.includes('integer') ? [String.raw`^\s*${INTEGER}\s*(?:,\s*${INTEGER}\s*)*$`] : [];
}

export function listSchema(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function oneOrMore(item: JsonSchema): JsonSchema {
  return { anyOf: [item, listSchema(item)] };
}
