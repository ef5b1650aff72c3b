import { toWholeNumber } from '../../core/model/values/json.js';
import { isList, isMapping, mapValues, type Value } from '../../core/model/values/value.js';
import { callBreakably, WaitInterrupted } from '../../core/programs/side_thread.js';
import type { CallableArguments } from './arguments.js';
import { callable, type Callable } from './callable.js';
import { Interrupted, type TemplateError } from './errors.js';
import { evaluatePlain } from './result.js';

/** A filter of a project, as its file in `filters/` declares it. */
export interface FilterDefinition {
  /** Equal to the name of the file. */
  readonly name: string;
  /** The parameters in order: `service, zone?, ...others`. `?` marks those that may be left out. */
  readonly signature: string;
  /**
   * Gets plain values in the order of the signature, undefined for omitted ones, and returns a plain value synchronously. An exception
   * fails the task, with its message and the position of the template.
   */
  readonly run: (...values: never[]) => unknown;
}

/** Declares a filter. A file in `filters/` exports nothing else. */
export function defineFilter(definition: FilterDefinition): FilterDefinition & { readonly type: 'filter' } {
  return { ...definition, type: 'filter' };
}

/** The filter that templates call. Throws an Error with a sentence if the definition is invalid. */
export function userFilter(definition: unknown): { readonly name: string; readonly callable: Callable } {
  if (!isDefinition(definition)) throw new Error('it does not export a filter: export default defineFilter({ … })');
  const { name, signature, run } = definition;
  if (!FILTER_NAME.test(name)) throw new Error(`"${name}" is not a valid name: write letters, digits and _`);
  checkSignature(signature);
  return { name, callable: callable(signature, (args) => call(run, args)) };
}

const FILTER_NAME = /^[a-z_]\w*$/i;

interface Checked {
  readonly name: string;
  readonly signature: string;
  // oxlint-disable-next-line typescript/no-unsafe-function-type -- what a file exports has no other type
  readonly run: Function;
}

function isDefinition(value: unknown): value is Checked {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'filter') return false;
  if (!('name' in value) || typeof value.name !== 'string') return false;
  if (!('signature' in value) || typeof value.signature !== 'string') return false;
  return 'run' in value && typeof value.run === 'function';
}

/** Required parameters, then optional ones, then `...rest`. */
const SIGNATURE = /^(?:[a-z_]\w*(?:, |$))*(?:[a-z_]\w*\?(?:, |$))*(?:\.\.\.[a-z_]\w*)?$/i;

function checkSignature(signature: string): void {
  const words = signature.split(', ').map((word) => word.replace('?', ''));
  if (SIGNATURE.test(signature) && !signature.endsWith(', ') && new Set(words).size === words.length) return;
  throw new Error(`the signature "${signature}" cannot be read: write it like "service, zone?, ...others"`);
}

/** Copies the arguments, because the function must not change values that several controllers share. */
function call(run: Checked['run'], args: CallableArguments): Value {
  const given = args.given().map((one) => (one === undefined ? undefined : structuredClone(evaluatePlain(one))));
  let result: unknown;
  try {
    result = callBreakably((): unknown => Reflect.apply(run, undefined, given));
  } catch (error) {
    if (error instanceof WaitInterrupted) throw new Interrupted('interrupted during a filter of the project');
    throw error;
  }
  return plain(result, args);
}

function plain(value: unknown, args: CallableArguments): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return toWholeNumber(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isList(value)) return value.map((one) => plain(one, args));
  if (isMapping(value) && isPlainObject(value)) {
    return mapValues(value, (one) => plain(one, args));
  }
  throw unfit(value, args);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function unfit(value: unknown, args: CallableArguments): TemplateError {
  if (value instanceof Promise) return args.error('it returned a promise', 'a filter must be synchronous');
  const object = typeof value === 'object' && value !== null ? value.constructor.name : String(value);
  const kind = value === undefined ? 'nothing' : typeof value === 'function' ? 'a function' : object;
  const hint = 'a filter returns text, numbers, true, false, null, and lists and mappings of them';
  return args.error(`it returned ${kind}`, hint);
}
