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
export type Entry = readonly [name: string, schema: JsonSchema];

export const DRAFT = 'http://json-schema.org/draft-07/schema#';

export function reference(definition: string): JsonSchema {
  return { $ref: `#/definitions/${definition}` };
}

/** A key without a value (`tags:`) counts as missing. */
export function orNothing(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}
