import { search } from '@jmespath-community/jmespath';
import { errorMessage } from '../../../core/model/source/diagnostic.js';
import { isNumeric } from '../../../core/model/values/json.js';
import { isList, isMapping, mapValues, Unsafe, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import {
  asKey,
  describe,
  evaluateLazy,
  evaluatePlain,
  step,
  Undefined,
  walk,
  type Result,
} from '../../runtime/result.js';

/** Paths in values and places in lists, as in the collection `ansible.utils`. */
export const valuePaths = {
  get_path: callable('value, path, wantlist?', (args) => listed(args, getPath(args))),
  /** `{"a": {"b": [1]}}` is `{"a.b[0]": 1}`. */
  to_paths: callable('value, prepend?, wantlist?', (args) => listed(args, toPaths(args))),
  /** The index of the items that pass a test: a number if there is one, else a list. */
  index_of: callable('list, test, value?, key?, fail_on_missing?, wantlist?', (args) => {
    const found = args.list(0).flatMap((item, index) => (passes(args, item) ? [index] : []));
    const [only] = found;
    return found.length === 1 && only !== undefined && !args.flag(5) ? only : found;
  }),
} satisfies Family;

/** With `wantlist`, a list of what was found. */
function listed(args: CallableArguments, found: Result): Result {
  return args.flag(2) && !(found instanceof Undefined) ? [found] : found;
}

const PART = /\s*(?:\.?([^.[\]\s]+)|\[\s*(?:(-?\d+)|'([^']*)'|"([^"]*)")\s*\])\s*/y;

function getPath(args: CallableArguments): Result {
  const path = args.text(1);
  const parts: string[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < path.length) {
    const found = PART.exec(path);
    if (found === null) throw args.error(`"${path}" is not a path`, `write it like a.b[0]['c']`);
    parts.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
  }
  const value = walk(args.value(0), parts);
  if (value !== undefined) return value;
  return new Undefined(() => new TemplateError(`get_path: there is no "${path}"`, { undefinedName: path }));
}

function toPaths(args: CallableArguments): Value {
  const value = evaluateLazy(args.value(0));
  const prepend = args.value(1) === null ? '' : args.text(1);
  const found: [string, Value][] = [];
  collect(prepend === '' ? value : { [prepend]: value }, '', found);
  return Object.fromEntries(found);
}

function collect(value: Value, path: string, found: [string, Value][]): void {
  const isEmpty = (isList(value) ? value : isMapping(value) ? Object.keys(value) : [value]).length === 0;
  if (isEmpty && path === '') return;
  if (isEmpty || (!isList(value) && !isMapping(value))) found.push([path, value]);
  else if (isList(value)) for (const [index, one] of value.entries()) collect(one, `${path}[${index}]`, found);
  else for (const [key, one] of Object.entries(value)) collect(one, memberPath(path, key), found);
}

function memberPath(path: string, key: string): string {
  if (path === '') return key;
  return /^[a-z_]\w*$/i.test(key) ? `${path}.${key}` : `${path}['${key}']`;
}

/** `!eq` and `not eq` are the opposite of `eq`. */
function passes(args: CallableArguments, item: Value): boolean {
  const written = args.text(1);
  const inverted = /^(?:!|not )/.test(written);
  const plain = written.replace(/^(?:!+|not )/, '');
  const test = plain === '=' ? '==' : plain;
  const key = args.value(3);
  const value = key === null ? item : readMember(args, item, key);
  if (value === undefined) return false;
  const right = args.value(2);
  const wanted = test === 'in' && !isList(right) ? [right] : right;
  return inverted !== (wanted === null ? args.test(test, value) : args.test(test, value, wanted));
}

function readMember(args: CallableArguments, item: Value, key: Value): Value | undefined {
  const one = evaluateLazy(item);
  if (!isMapping(one)) throw args.error(`with a key, the items must be mappings, not ${describe(item)}`);
  const value = step(one, asKey(key));
  if (value === undefined && args.flag(4)) throw args.error(`an item has no "${asKey(key)}"`);
  return value;
}

/** `servers | json_query("[?tls].name")`: JMESPath. */
export const queries = { json_query: callable('value, query', (args) => query(args)) } satisfies Family;

/** The package's own types refer to themselves so deeply that no tool can follow them. */
interface Jmespath {
  search(data: unknown, query: string, options: { readonly enable_legacy_literals: boolean }): unknown;
}
const JMESPATH: Jmespath = { search };

/** A literal that is not JSON is text, as for Python's package: playbooks write name==`web`. */
const OPTIONS = { enable_legacy_literals: true };

function query(args: CallableArguments): Value {
  try {
    return plain(JMESPATH.search(plain(evaluatePlain(args.value(0))), args.plainText(1), OPTIONS));
  } catch (error) {
    const why = errorMessage(error);
    throw args.error(`the query "${args.text(1)}" cannot be used: ${why}`, 'see https://jmespath.org');
  }
}

/** Converts marked text to plain text, and values that JSON does not have to null. */
function plain(value: unknown): Value {
  if (value instanceof Unsafe) return value.text;
  if (isList(value)) return value.map(plain);
  if (isMapping(value)) return mapValues(value, (one) => plain(one));
  return typeof value === 'string' || isNumeric(value) || typeof value === 'boolean' ? value : null;
}
