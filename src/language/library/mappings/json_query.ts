import { search } from '@jmespath-community/jmespath';
import { errorMessage } from '../../../core/model/error_message.js';
import { isList, isMapping, Unsafe, type Value } from '../../../core/model/values/value.js';
import { isNumeric } from '../../../core/model/values/whole_number.js';
import { evaluateLazy } from '../../runtime/access.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';

/** `servers | json_query("[?tls].name")`: JMESPath. */
export const queries = {
  json_query: helper('value, query', (args) => query(args)),
} satisfies Family;

/** The package's own types refer to themselves so deeply that no tool can follow them. */
interface Jmespath {
  search(data: unknown, query: string, options: { readonly enable_legacy_literals: boolean }): unknown;
}
const JMESPATH: Jmespath = { search };

/** A literal that is not JSON is text, as for Python's package: playbooks write name==`web`. */
const OPTIONS = { enable_legacy_literals: true };

function query(args: Arguments): Value {
  try {
    return plain(JMESPATH.search(plain(evaluateLazy(args.value(0))), args.text(1), OPTIONS));
  } catch (error) {
    const why = errorMessage(error);
    throw args.error(`the query "${args.text(1)}" cannot be used: ${why}`, 'see https://jmespath.org');
  }
}

/** Converts marked text to plain text, and values that JSON does not have to null. */
function plain(value: unknown): Value {
  if (value instanceof Unsafe) return value.text;
  if (isList(value)) return value.map(plain);
  if (isMapping(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  return typeof value === 'string' || isNumeric(value) || typeof value === 'boolean' ? value : null;
}
