import * as Type from 'typebox';
import type { Static, TOptional, TSchema, TSchemaOptions, TUnsafe } from 'typebox';

/**
 * A mapping with any names, whose values match a schema. Equals `Type.Record(Type.String(), values)`, which would load
 * typebox's whole type language at the start of every command.
 */
export function recordSchema<Values extends TSchema>(
  values: Values,
  options: TSchemaOptions = {},
): TUnsafe<Record<string, Static<Values>>> {
  return Type.Unsafe({ type: 'object', patternProperties: { '^.*$': values }, ...options });
}

export function optionalRecord<Values extends TSchema>(
  values: Values,
  description: string,
): TOptional<TUnsafe<Record<string, Static<Values>>>> {
  return Type.Optional(recordSchema(values, { description }));
}
