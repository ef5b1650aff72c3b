import { LazyMapping, type Value } from '../../core/model/values/value.js';
import type { TemplateError } from './errors.js';

/**
 * The value of an expression that names something undefined. `default` and `defined` accept it, everything else raises it (Ansible:
 * a strict undefined whose attributes are undefined, too).
 */
export class Undefined {
  constructor(
    /** Makes the error that names the missing variable and similar names. Called only when the message is needed. */
    readonly explain: () => TemplateError,
    /** The value that replaces it in output, as in Ansible: `x if y` without `else` is empty text. */
    readonly substitute?: Value,
    /** The items, if it is a list with undefined items: `map(attribute="tls")`. */
    readonly items?: readonly Result[],
  ) {}
}

/** The result of an expression. */
export type Result = Value | Undefined;

/** Whether it is undefined as a whole. */
export function isUndefined(result: Result): result is Undefined {
  return result instanceof Undefined && result.items === undefined;
}

function isValue(result: Result): result is Value {
  return !(result instanceof Undefined);
}

/** The list of these items; if some are undefined, only filters that accept undefined items may use it. */
export function toListResult(items: readonly Result[]): Result {
  if (items.every(isValue)) return items;
  const [missing] = items.filter((one) => one instanceof Undefined);
  return missing === undefined ? [] : new Undefined(missing.explain, undefined, items);
}

/** The value, or the error that names what is undefined. */
export function requireDefined(result: Result): Value {
  if (!(result instanceof Undefined)) return result;
  if (result.substitute !== undefined) return result.substitute;
  throw result.explain();
}

class Omit extends LazyMapping {
  get(): undefined {
    return undefined;
  }

  keys(): readonly string[] {
    return [];
  }
}

/** The value of the variable `omit`: a key or list item with this value is left out, as if it had never been written. */
export const OMIT: LazyMapping = new Omit();
