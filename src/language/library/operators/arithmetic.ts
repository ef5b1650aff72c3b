import { isNumeric, isWhole, toWholeNumber, type WholeNumber } from '../../../core/model/values/json.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { asString, describe } from '../../runtime/result.js';
import { formatText } from '../texts/format.js';

/** The operators `+ - * / // % ** ~`. Text is never converted to numbers. */
export const arithmetic = {
  add: callable('left, right', add),
  subtract: callable('left, right', (args) => numeric(args, '-', (a, b) => a - b)),
  multiply: callable('left, right', multiply),
  divide: callable('left, right', (args) => numeric(args, '/', (a, b) => a / nonZero(args, b))),
  floordiv: callable('left, right', (args) => numeric(args, '//', (a, b) => wholeQuotient(a, nonZero(args, b)))),
  modulo: callable('left, right', modulo),
  power: callable('left, right', (args) => numeric(args, '**', (a, b) => raise(args, a, b))),
  negate: callable('value', (args) => {
    const value = operand(args.value(0));
    if (value === undefined) throw args.error(`${describe(args.value(0))} cannot be negated`);
    return typeof value === 'bigint' ? toWholeNumber(-value) : -value;
  }),
  concat: callable('first, ...others', (args) => [args.value(0), ...args.rest].map(asString).join('')),
} satisfies Family;

/** Numbers are added; two texts, or two lists, are joined. */
function add(args: CallableArguments): Value {
  const left = args.value(0);
  const right = args.value(1);
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isList(left) && isList(right)) return [...left, ...right];
  return numeric(args, '+', (a, b) => a + b);
}

/** `"-" * 10` and `[0] * 3` repeat, as in Python. */
function multiply(args: CallableArguments): Value {
  const left = args.value(0);
  const right = args.value(1);
  if (typeof left === 'number' && isRepeatable(right)) return repeat(args, right, left);
  if (typeof right === 'number' && isRepeatable(left)) return repeat(args, left, right);
  return numeric(args, '*', (a, b) => a * b);
}

function isRepeatable(value: Value): value is string | readonly Value[] {
  return typeof value === 'string' || isList(value);
}

function repeat(args: CallableArguments, what: string | readonly Value[], times: number): Value {
  const length = what.length * times;
  if (!Number.isInteger(times)) throw args.error(`cannot repeat it ${times} times`);
  if (length > MOST_ITEMS) throw args.error(`${length} ${isList(what) ? 'items' : 'characters'} are too many`);
  if (!isList(what)) return what.repeat(Math.max(0, times));
  return Array.from({ length: Math.max(0, times) }, () => what).flat();
}

/** The remainder has the divisor's sign, as in Python. A text on the left is a format: `"%s:%d" % (host, port)`. */
function modulo(args: CallableArguments): Value {
  const left = args.value(0);
  const right = args.value(1);
  if (typeof left === 'string') return formatText(left, isList(right) ? right : [right], right);
  return numeric(args, '%', (a, b) => remainder(a, nonZero(args, b)));
}

function remainder(a: number, b: number): number {
  const rest = a % b;
  return rest === 0 ? 0 : rest < 0 === b < 0 ? rest : rest + b;
}

/** Rounds the exact quotient down, as Python does: `1 // 0.1` is 9, because 0.1 is a little more than a tenth. */
function wholeQuotient(a: number, b: number): number {
  return Math.round((a - remainder(a, b)) / b);
}

/** The remainder with all digits. */
function modulus(a: bigint, b: bigint): bigint {
  return ((a % b) + b) % b;
}

/** The same with all digits. A quotient is a fraction. */
const WHOLE: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '//': (a, b) => (a - modulus(a, b)) / b,
  '%': modulus,
  '**': (a, b) => a ** b,
};

function numeric(args: CallableArguments, symbol: string, compute: (a: number, b: number) => number): WholeNumber {
  const left = operand(args.value(0));
  const right = operand(args.value(1));
  const whole = WHOLE[symbol];
  if (left !== undefined && right !== undefined) {
    const result = compute(Number(left), Number(right));
    const isBig = !Number.isSafeInteger(result) || typeof left === 'bigint' || typeof right === 'bigint';
    if (isBig && whole !== undefined && isWhole(left) && isWhole(right) && Number.isInteger(result))
      return toWholeNumber(whole(BigInt(left), BigInt(right)));
    return finite(args, [left, right].join(` ${symbol} `), result);
  }
  const hint =
    symbol === '+' ? 'write ~ to join texts, | int for a number in a text' : 'write value | int for a number in a text';
  throw args.error(`${symbol} needs numbers, not ${describe(args.value(0))} and ${describe(args.value(1))}`, hint);
}

function raise(args: CallableArguments, base: number, exponent: number): number {
  if (exponent < 0) nonZero(args, base);
  return base ** exponent;
}

/** JSON has no other numbers: they would reach a controller as null. */
function finite(args: CallableArguments, sum: string, result: number): number {
  if (Number.isNaN(result)) throw args.error(`${sum} is not a number`);
  if (!Number.isFinite(result)) throw args.error(`the result of ${sum} is too large`);
  return result;
}

function operand(value: Value): WholeNumber | undefined {
  if (typeof value === 'boolean') return Number(value);
  return isNumeric(value) ? value : undefined;
}

function nonZero(args: CallableArguments, divisor: number): number {
  if (divisor === 0) throw args.error('division by zero');
  return divisor;
}
