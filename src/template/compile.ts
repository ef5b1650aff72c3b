import type { Value } from '../model/value.js';
import { bind, type BoundCall } from './binding.js';
import { isTrue } from './comparison.js';
import { TemplateError } from './errors.js';
import type { Evaluate, Frame } from './frame.js';
import { Arguments, type Invoke } from './library/arguments.js';
import type { FormHelper, FunctionHelper } from './library/helper.js';
import { call, type Expression, type SubExpression } from './nodes.js';
import { evaluatePath } from './path_value.js';
import { demand, Undefined, type Result } from './undefined.js';

const NOTHING = new Undefined(() => new TemplateError('undefined has no value'), '');

/** Turns a tree into a function, so that evaluating it many times decides nothing twice. Throws for unknown helpers and wrong arguments. */
export function compile(node: Expression): Evaluate {
  switch (node.type) {
    case 'PathExpression':
      return evaluatePath(node, callWithoutArguments(node.original));
    case 'SubExpression':
      return compileCall(node);
    case 'StringLiteral':
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return constant(node.value);
    case 'NullLiteral':
      return constant(null);
    case 'UndefinedLiteral':
      return () => NOTHING;
    default:
      return node satisfies never;
  }
}

function constant(value: Value): Evaluate {
  return () => value;
}

/** `{{now}}`: a helper that needs nothing, where no variable has its name. */
function callWithoutArguments(name: string): Evaluate | undefined {
  const bound = bind(call(name));
  return 'problem' in bound ? undefined : compileBound(name, bound);
}

function compileCall(node: SubExpression): Evaluate {
  const bound = bind(node);
  if ('problem' in bound) throw new TemplateError(bound.problem.message, { hint: bound.problem.hint });
  return compileBound(node.name, bound);
}

function compileBound(name: string, bound: BoundCall): Evaluate {
  const slots = bound.slots.map((slot) => slot && compile(slot));
  const rest = bound.rest.map(compile);
  const { helper } = bound;
  if (helper.type === 'form') return compileForm(helper, slots, rest);
  const named = bound.named.map(({ key, value }) => [key, compile(value)] as const);
  return compileFunction(name, helper, slots, rest, named);
}

function compileForm(
  helper: FormHelper,
  slots: readonly (Evaluate | undefined)[],
  rest: readonly Evaluate[],
): Evaluate {
  const bound = { slots, rest };
  return (frame) => helper.run(bound, frame);
}

function compileFunction(
  name: string,
  helper: FunctionHelper,
  slots: readonly (Evaluate | undefined)[],
  rest: readonly Evaluate[],
  named: readonly (readonly [string, Evaluate])[],
): Evaluate {
  return (frame) => {
    const values = slots.map((slot) => slot && demand(slot(frame)));
    const others = rest.map((one) => demand(one(frame)));
    const options = named.length === 0 ? NO_OPTIONS : new Map(named.map(([key, one]) => [key, demand(one(frame))]));
    return run(helper, new Arguments(name, values, others, options, frame, invoke));
  };
}

/** What a library throws for an argument that it cannot take (a width below zero, an impossible date) is the template's fault. */
function run(helper: FunctionHelper, args: Arguments): Result {
  try {
    return helper.run(args);
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError(`${args.helper}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

const NO_OPTIONS: ReadonlyMap<string, Value> = new Map();

/** Calls by name, for helpers that take the name of another. */
const invoke: Invoke = {
  helper: (name, values, frame) => invokeNode(call(name), values, frame),
  test: (name, values, frame) => isTrue(invokeNode({ ...call(name), test: true }, values, frame)),
};

function invokeNode(node: SubExpression, values: readonly Result[], frame: Frame): Value {
  const params = values.map((): Expression => ({ type: 'NullLiteral' }));
  const bound = bind({ ...node, params });
  if ('problem' in bound) throw new TemplateError(bound.problem.message, { hint: bound.problem.hint });
  const { helper } = bound;
  const size = helper.parameters.length;
  if (helper.type === 'form') {
    const evaluators = values.map(
      (value): Evaluate =>
        () =>
          value,
    );
    return demand(helper.run({ slots: evaluators.slice(0, size), rest: evaluators.slice(size) }, frame));
  }
  const given = values.map(demand);
  const slots = helper.parameters.map((_, index) => given[index]);
  return demand(run(helper, new Arguments(node.name, slots, given.slice(size), NO_OPTIONS, frame, invoke)));
}
