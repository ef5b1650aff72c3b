import type { Value } from '../../../model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import type { SearchFolder } from '../../runtime/frame.js';

/** What a lookup is asked: `lookup("name", ...terms, option=value)`. */
export interface LookupCall {
  readonly terms: readonly Value[];
  readonly options: ReadonlyMap<string, Value>;
  readonly args: Arguments;
  /** The folder of a role or playbook in which files are looked for first, if it is not `files`. */
  readonly folder?: SearchFolder | undefined;
}

export interface Lookup {
  /** The names of its options. */
  readonly options: readonly string[];
  /** What `with_NAME` takes, unless it is a list, or anything else as the only item of one. */
  readonly takes?: 'list' | 'mapping' | 'text or mapping';
  /** Whether `with_NAME` passes null for a term that names an undefined variable. */
  readonly skipsUndefined?: true;
  /** Any number of results. Throws a TemplateError if it cannot say. */
  run(call: LookupCall): readonly Value[];
}

export type Lookups = Readonly<Record<string, Lookup>>;

/** A lookup that has a result for each term; of lists, for each item. */
export function forEach(options: readonly string[], find: (term: Value, call: LookupCall) => Value): Lookup {
  return { options, run: (call) => termsOf(call).map((term) => find(term, call)) };
}

export function termsOf({ terms }: LookupCall): readonly Value[] {
  return terms.flat();
}

/** An option as text; what was not given, or is null, is the fallback. */
export function textOption({ options, args }: LookupCall, name: string, fallback: string): string {
  const value = options.get(name) ?? null;
  if (value === null) return fallback;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw args.error(`"${name}" must be a text`);
}
