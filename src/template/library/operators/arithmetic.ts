import { isList, type Value } from '../../../model/values/value.js';
import { asString, describe } from '../../runtime/text.js';
import { LONGEST, type Arguments } from '../../runtime/arguments.js';
import { formatText } from '../texts/format.js';
import { helper, type Family } from '../../runtime/helper.js';

/** The helpers of the operators `+ - * / // % ** ~`. Text is never converted to numbers. */
export const arithmetic = {
  add: helper('left, right', add),
  subtract: helper('left, right', (args) => numeric(args, '-', (a, b) => a - b)),
  multiply: helper('left, right', multiply),
  divide: helper('left, right', (args) => numeric(args, '/', (a, b) => a / nonZero(args, b))),
  floordiv: helper('left, right', (args) => numeric(args, '//', (a, b) => Math.floor(a / nonZero(args, b)))),
  modulo: helper('left, right', modulo),
  power: helper('left, right', (args) => numeric(args, '**', (a, b) => raise(args, a, b))),
  negate: helper('value', (args) => {
    const value = operand(args.value(0));
    if (value === undefined) throw args.error(`${describe(args.value(0))} cannot be negated`);
    return -value;
  }),
  concat: helper('first, ...others', (args) => [args.value(0), ...args.rest].map(asString).join('')),
} satisfies Family;

/** Numbers are added; two texts, or two lists, are joined. */
function add(args: Arguments): Value {
  const left = args.value(0);
  const right = args.value(1);
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isList(left) && isList(right)) return [...left, ...right];
  return numeric(args, '+', (a, b) => a + b);
}

/** `"-" * 10` and `[0] * 3` repeat, as in Python. */
function multiply(args: Arguments): Value {
  const left = args.value(0);
  const right = args.value(1);
  if (typeof left === 'number' && isRepeatable(right)) return repeat(args, right, left);
  if (typeof right === 'number' && isRepeatable(left)) return repeat(args, left, right);
  return numeric(args, '*', (a, b) => a * b);
}

function isRepeatable(value: Value): value is string | readonly Value[] {
  return typeof value === 'string' || isList(value);
}

function repeat(args: Arguments, what: string | readonly Value[], times: number): Value {
  const length = what.length * times;
  if (!Number.isInteger(times)) throw args.error(`cannot repeat it ${times} times`);
  if (length > LONGEST) throw args.error(`${length} ${isList(what) ? 'items' : 'characters'} are too many`);
  if (!isList(what)) return what.repeat(Math.max(0, times));
  return Array.from({ length: Math.max(0, times) }, () => what).flat();
}

/** The remainder has the divisor's sign, as in Python. A text on the left is a format: `"%s:%d" % (host, port)`. */
function modulo(args: Arguments): Value {
  const left = args.value(0);
  const right = args.value(1);
  if (typeof left === 'string') return formatText(left, isList(right) ? right : [right], right);
  return numeric(args, '%', (a, b) => ((a % nonZero(args, b)) + b) % b);
}

function numeric(args: Arguments, symbol: string, compute: (a: number, b: number) => number): number {
  const left = operand(args.value(0));
  const right = operand(args.value(1));
  if (left !== undefined && right !== undefined) return exact(args, symbol, [left, right], compute(left, right));
  const hint =
    symbol === '+' ? 'write ~ to join texts, | int for a number in a text' : 'write value | int for a number in a text';
  throw args.error(`${symbol} needs numbers, not ${describe(args.value(0))} and ${describe(args.value(1))}`, hint);
}

function raise(args: Arguments, base: number, exponent: number): number {
  if (exponent < 0) nonZero(args, base);
  return base ** exponent;
}

/** A number that JSON cannot represent exactly would reach a controller as null or as another number. */
function exact(args: Arguments, symbol: string, operands: readonly number[], result: number): number {
  const sum = operands.join(` ${symbol} `);
  if (Number.isNaN(result)) throw args.error(`${sum} is not a number`);
  if (!Number.isFinite(result)) throw args.error(`the result of ${sum} is too large`);
  if (Number.isInteger(result) && !Number.isSafeInteger(result) && operands.every(Number.isSafeInteger))
    throw args.error(`the result of ${sum} has more digits than a number can hold`);
  return result;
}

function operand(value: Value): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

function nonZero(args: Arguments, divisor: number): number {
  if (divisor === 0) throw args.error('division by zero');
  return divisor;
}
