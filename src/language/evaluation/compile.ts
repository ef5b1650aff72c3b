import { errorMessage } from '../../core/model/source/diagnostic.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import { lookupNamed, runLookup } from '../library/lookups/lookups.js';
import { CallableArguments, type FurtherArguments, type Invoke, CommandOutputs } from '../runtime/arguments.js';
import type { Bound, CallableTable, FormCallable, FunctionCallable } from '../runtime/callable.js';
import { isTrue } from '../runtime/comparison.js';
import { NotKnownYet, TemplateError } from '../runtime/errors.js';
import type { Evaluate, LookupServices, Preview, SearchFolder, TemplateFrame } from '../runtime/frame.js';
import type { Plugins } from '../runtime/plugins.js';
import { describe, evaluateLazy, requireDefined, Undefined, type Result } from '../runtime/result.js';
import {
  call,
  isUnpacked,
  type Expression,
  type MappingPair,
  type SubExpression,
} from '../syntax/expressions/nodes.js';
import { bind, type BoundCall } from './binding.js';
import { evaluatePath } from './path.js';

const NOTHING = new Undefined(() => new TemplateError('undefined has no value'), '');

const NO_OPTIONS: ReadonlyMap<string, Value> = new Map();

/** Compiles syntax trees to functions, so that each evaluation is fast. */
export class Compiler implements Invoke {
  readonly commands: CommandOutputs;
  readonly unsavedPasswords = new Map<string, string>();

  /** @param mayExecute whether templates may run commands and send requests */
  constructor(
    private readonly table: CallableTable,
    readonly template: Invoke['template'],
    mayExecute: boolean,
    readonly preview: Preview | undefined,
    readonly services: LookupServices,
  ) {
    this.commands = new CommandOutputs(mayExecute);
  }

  get plugins(): Plugins | undefined {
    return this.table.plugins;
  }

  /** Throws a TemplateError for unknown filters and wrong arguments. */
  compile(node: Expression): Evaluate {
    if (node.type === 'PathExpression')
      return evaluatePath(node, this.#callWithoutArguments(node.original), this.table.has(node.parts[0] ?? ''));
    if (node.type === 'SubExpression') {
      const run = isUnpacked(node)
        ? this.#compileUnpacked(node)
        : this.#compileBound(node.name, bound(node, this.table));
      // A filter may be a test, too: `is ipv4`.
      return node.test ? (frame) => isTrue(requireDefined(run(frame))) : run;
    }
    if (node.type === 'UndefinedLiteral') return () => NOTHING;
    return constant(node.type === 'NullLiteral' ? null : node.value);
  }

  filter(name: string, given: FurtherArguments, frame: TemplateFrame): (first: Result) => Result {
    return this.#bound(call(this.table.plain(name)), given, frame);
  }

  test(name: string, given: FurtherArguments, frame: TemplateFrame): (first: Result) => boolean {
    const run = this.#bound({ ...call(this.table.plain(name)), test: true }, given, frame);
    return (first) => isTrue(requireDefined(run(first)));
  }

  /** The results of a lookup, for `with_NAME`. */
  lookUp(name: string, terms: readonly Value[], frame: TemplateFrame, folder: SearchFolder): readonly Value[] {
    const args = new CallableArguments(`with_${name}`, [name], terms, NO_OPTIONS, frame, this);
    return guarded(args, () => runLookup(lookupNamed(args), { terms, options: NO_OPTIONS, args, folder }));
  }

  /** `{{now}}`: a filter that needs no arguments, unless a variable has its name. */
  #callWithoutArguments(name: string): Evaluate | undefined {
    // Binding would search for the nearest name, and most names are variables.
    if (this.table.filter(name) === undefined) return undefined;
    const found = bind(call(name), this.table);
    return 'problem' in found ? undefined : this.#compileBound(name, found);
  }

  /** `f(a, *list, **mapping)`: the arguments are only known when it is called. */
  #compileUnpacked(node: SubExpression): Evaluate {
    const params = node.params.map((one) => this.compile(one));
    const hash = node.hash.map(({ key, value }) => [key, this.compile(value)] as const);
    return (frame) => {
      const given = new GivenArguments();
      const positional = params.map((one) => given.add(one));
      const named: MappingPair[] = [];
      for (const [key, evaluate] of hash) {
        if (!key.startsWith('*')) named.push({ key, value: given.add(evaluate) });
        else if (key === '*') positional.push(...iterate(evaluate(frame)).map((one) => given.add(constant(one))));
        else
          for (const [name, one] of mappingEntries(evaluate(frame)))
            named.push({ key: name, value: given.add(constant(one)) });
      }
      const call = bound({ ...node, params: positional, hash: named }, this.table);
      return this.#compileBound(node.name, call, given.compile)(frame);
    };
  }

  #compileBound(
    name: string,
    { callable, slots, rest, named }: BoundCall,
    compile = (node: Expression): Evaluate => this.compile(node),
  ): Evaluate {
    const given = slots.map((slot) => slot && compile(slot));
    const others = rest.map((one) => compile(one));
    const options = named.map(({ key, value }) => [key, compile(value)] as const);
    if (callable.type === 'form') return compileForm(callable, given, others, options);
    return this.#compileFunction(name, callable, given, others, options);
  }

  #compileFunction(
    name: string,
    callable: FunctionCallable,
    slots: readonly (Evaluate | undefined)[],
    rest: readonly Evaluate[],
    named: readonly (readonly [string, Evaluate])[],
  ): Evaluate {
    return (frame) => {
      const first = slots[0]?.(frame);
      const itemsOrUndefined = callable.acceptsUndefined && first instanceof Undefined ? first.items : undefined;
      const values = slots.map((slot, index) => {
        if (index > 0) return slot && requireDefined(slot(frame));
        if (itemsOrUndefined !== undefined) return [];
        return first === undefined ? undefined : requireDefined(first);
      });
      const others = rest.map((one) => requireDefined(one(frame)));
      const options =
        named.length === 0 ? NO_OPTIONS : new Map(named.map(([key, one]) => [key, requireDefined(one(frame))]));
      const args = new CallableArguments(name, values, others, options, frame, this, itemsOrUndefined);
      return guarded(args, () => callable.run(args));
    };
  }

  /** A filter or test that another one calls, perhaps for each of many items. */
  #bound(
    node: SubExpression,
    { rest, named = NO_OPTIONS }: FurtherArguments,
    frame: TemplateFrame,
  ): (first: Result) => Result {
    const given = new GivenArguments();
    let current: Result = null;
    const params = [given.add(() => current), ...rest.map((value) => given.add(() => value))];
    const hash = Array.from(named, ([key, value]): MappingPair => ({ key, value: given.add(constant(value)) }));
    const evaluate = this.#compileBound(node.name, bound({ ...node, params, hash }, this.table), given.compile);
    return (first) => {
      current = first;
      return evaluate(frame);
    };
  }
}

/** Arguments that are known only when a call is made: it is bound with places for them. */
class GivenArguments {
  readonly #values = new Map<Expression, Evaluate>();

  add(value: Evaluate): Expression {
    const place: Expression = { type: 'NullLiteral' };
    this.#values.set(place, value);
    return place;
  }

  readonly compile = (place: Expression): Evaluate => this.#values.get(place) ?? constant(null);
}

function bound(node: SubExpression, table: CallableTable): BoundCall {
  const found = bind(node, table);
  if ('problem' in found) throw new TemplateError(found.problem.message, { hint: found.problem.hint });
  return found;
}

function iterate(result: Result): readonly Value[] {
  const value = requireDefined(result);
  if (isList(value)) return value;
  throw new TemplateError(`the value after * must be a list, not ${describe(value)}`);
}

function mappingEntries(result: Result): readonly (readonly [string, Value])[] {
  const value = evaluateLazy(requireDefined(result));
  if (isMapping(value)) return Object.entries(value);
  throw new TemplateError(`the value after ** must be a mapping, not ${describe(value)}`);
}

function constant(value: Value): Evaluate {
  return () => value;
}

function compileForm(
  callable: FormCallable,
  slots: readonly (Evaluate | undefined)[],
  rest: readonly Evaluate[],
  named: Bound['named'] = [],
): Evaluate {
  const args = { slots, rest, named };
  return (frame) => callable.run(args, frame);
}

/** If a library rejects an argument (a width below zero, an impossible date), the template is wrong. */
function guarded<T>(args: CallableArguments, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof TemplateError || error instanceof NotKnownYet) throw error;
    throw new TemplateError(`${args.called}: ${errorMessage(error)}`, { cause: error });
  }
}

export type Compile = (node: Expression) => Evaluate;

/** A part of a template, compiled: what it adds to the text. */
export type WriteText = (frame: TemplateFrame) => string;
