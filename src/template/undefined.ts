import type { Value } from '../model/value.js';
import type { TemplateError } from './errors.js';

/**
 * What an expression gives when it names something that is not there. `default` and `defined` take it, everything else
 * raises it (Ansible: a strict undefined whose attributes are undefined too).
 */
export class Undefined {
  constructor(
    /** Says what is missing, with the nearest names; made only when somebody needs the message. */
    readonly explain: () => TemplateError,
    /** What stands for it in the end, where Ansible has something: `x if y` without `else` is an empty text. */
    readonly stand?: Value,
  ) {}
}

/** What evaluating an expression gives. */
export type Result = Value | Undefined;

/** The value, or the error that says what is not defined. */
export function demand(result: Result): Value {
  if (!(result instanceof Undefined)) return result;
  if (result.stand !== undefined) return result.stand;
  throw result.explain();
}
