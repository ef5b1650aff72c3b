import * as Type from 'typebox';
import type { Static, TSchema, TSchemaOptions, TUnsafe } from 'typebox';

/**
 * A mapping of any names to such values. The same as `Type.Record(Type.String(), values)`, which would bring all of typebox's
 * type language into the start of every command.
 */
export function recordOf<Values extends TSchema>(
  values: Values,
  options: TSchemaOptions = {},
): TUnsafe<Record<string, Static<Values>>> {
  return Type.Unsafe({ type: 'object', patternProperties: { '^.*$': values }, ...options });
}
