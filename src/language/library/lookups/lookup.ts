import type { Value } from '../../../core/model/values/value.js';
import { isNumeric } from '../../../core/model/values/whole_number.js';
import { maskDocument } from '../../../core/secrets/mask_value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import type { SearchFolder } from '../../runtime/frame.js';

/** The arguments of a lookup: `lookup("name", ...terms, option=value)`. */
export interface LookupCall {
  readonly terms: readonly Value[];
  readonly options: ReadonlyMap<string, Value>;
  readonly args: CallableArguments;
  /** The folder of a role or playbook to search first for files, if it is not `files`. */
  readonly folder?: SearchFolder | undefined;
}

export interface LookupFunction {
  /** The names of its options; `any` for those of a plugin, which checks them itself. */
  readonly options: readonly string[] | 'any';
  /** What `with_NAME` takes. Absent: a list, or any other value as its only item. */
  readonly takes?: 'list' | 'mapping' | 'text or mapping';
  /** Whether `with_NAME` passes null for a term that names an undefined variable. */
  readonly skipsUndefined?: true;
  /** Any number of results. Throws a TemplateError if it fails. */
  run(call: LookupCall): readonly Value[];
}

export type Lookups = Readonly<Record<string, LookupFunction>>;

/** A lookup that has a result for each term; of lists, for each item. */
export function forEach(options: readonly string[], find: (term: Value, call: LookupCall) => Value): LookupFunction {
  return { options, run: (call) => flattenTerms(call).map((term) => find(term, call)) };
}

export function flattenTerms({ terms }: LookupCall): readonly Value[] {
  return terms.flat();
}

/** An option as text; the fallback if it is missing or null. */
export function textOption({ options, args }: LookupCall, name: string, fallback: string): string {
  const value = options.get(name) ?? null;
  if (value === null) return fallback;
  if (typeof value === 'string' || isNumeric(value) || typeof value === 'boolean') return String(value);
  throw args.error(`"${name}" must be a text`);
}

/** Ansible's older way of writing options, in the term itself: `"lb1 file=fleet.csv delimiter=,"`. */
export function inlineOptions(
  term: string,
  call: LookupCall,
  names: readonly string[],
): { readonly key: string; readonly call: LookupCall } {
  const options = new Map(call.options);
  const key = term.split(/\s+/).filter((word) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    if (!names.includes(name)) return true;
    options.set(name, value);
    return false;
  });
  return { key: key.join(' '), call: { ...call, options } };
}

/** The output of a failed command, or why something could not be read. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error && Buffer.isBuffer(error.stderr) ? error.stderr.toString().trim() : '';
  const status = 'status' in error && typeof error.status === 'number' ? `exit code ${error.status}` : error.message;
  return said === '' ? status : `${status}: ${maskDocument(said)}`;
}
