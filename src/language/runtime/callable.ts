import type { CallableArguments } from './arguments.js';
import type { Evaluate, TemplateFrame } from './frame.js';
import type { Result } from './undefined.js';

/** What a template can call. */
export type Callable = FunctionCallable | FormCallable;

export interface FunctionCallable extends WithSignature {
  readonly type: 'function';
  /** Accepts a list with undefined items as its first argument; `args.results()` returns them. */
  readonly acceptsUndefined: boolean;
  run(args: CallableArguments): Result;
}

/** Decides itself which of its arguments are evaluated, and may accept undefined ones: `default`, `and`, `ternary`. */
export interface FormCallable extends WithSignature {
  readonly type: 'form';
  /** Whether it runs code in Python. */
  readonly isPlugin?: boolean;
  run(args: Bound, frame: TemplateFrame): Result;
}

/** Arguments in the order of the parameters, not evaluated. */
export interface Bound {
  readonly slots: readonly (Evaluate | undefined)[];
  readonly rest: readonly Evaluate[];
  /** Only for a callable that takes any names. */
  readonly named: readonly (readonly [string, Evaluate])[];
}

interface WithSignature {
  /** Read when it is first asked for: a run uses few of the hundreds of callables. */
  signature(): Signature;
}

export interface Signature {
  /** As in the documentation: `list, separator?, ...others`. */
  readonly text: string;
  readonly parameters: readonly string[];
  /** Ansible's names of parameters that have another one here. */
  readonly aliases: ReadonlyMap<string, string>;
  /** How many of the parameters must be given. */
  readonly required: number;
  /** Takes any number of further arguments. */
  readonly variadic: boolean;
  /** Takes named arguments of any name. */
  readonly open: boolean;
}

export type Family = Readonly<Record<string, Callable>>;

/**
 * Declares a callable: parameters in order, `?` for optional ones, `...rest` for any number, `**` for any named ones; `by|num` if Ansible
 * calls it `num`.
 */
export function callable(signature: string, run: (args: CallableArguments) => Result): FunctionCallable {
  return { type: 'function', acceptsUndefined: false, signature: once(signature), run };
}

/** The same for one that accepts a list with undefined items. */
export function callableForUndefined(signature: string, run: (args: CallableArguments) => Result): FunctionCallable {
  return { ...callable(signature, run), acceptsUndefined: true };
}

export function form(signature: string, run: FormCallable['run']): FormCallable {
  return { type: 'form', signature: once(signature), run };
}

function once(signature: string): () => Signature {
  let parsed: Signature | undefined;
  return () => (parsed ??= parseSignature(signature));
}

function parseSignature(signature: string): Signature {
  const words = signature === '' ? [] : signature.split(', ');
  const plain = words.filter((word) => !word.startsWith('...') && word !== '**');
  const names = plain.map((word) => word.replace('?', '').split('|'));
  return {
    text: signature.replaceAll(/\|\w+/g, ''),
    parameters: names.map(([name = '']) => name),
    aliases: new Map(names.flatMap(([name = '', ...others]) => others.map((other) => [other, name]))),
    required: plain.filter((word) => !word.endsWith('?')).length,
    variadic: words.some((word) => word.startsWith('...')),
    open: words.includes('**'),
  };
}
