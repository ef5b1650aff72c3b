import { isNumeric, isWhole, type WholeNumber } from '../../../core/model/values/json.js';
import { isList, isMapping, LazyMapping, parseFlag, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { form, callable, type Family, type Callable } from '../../runtime/callable.js';
import { contains, isTrue } from '../../runtime/comparison.js';
import { asString, describe, isUndefined, requireDefined, step, Undefined } from '../../runtime/result.js';
import { isIn } from '../lists/selection.js';
import { versionHolds } from '../texts/versions.js';
import { comparisons } from './logic.js';

const isChanged = result('changed');
const isFailed = result('failed');
const isSucceeded = result('failed', (failed) => !failed);
const isSkipped = result('skipped');
const version = callable('value, version, operator?, strict?, version_type?', (args) => {
  const type = args.flag(3) ? 'strict' : args.value(4) === null ? 'loose' : args.text(4);
  return versionHolds(args.text(0), args.text(1), args.text(2, 'eq'), type);
});

const isNan = type((value) => Number.isNaN(value));

/** The tests after `is`: Jinja's and Ansible's. */
export const tests = {
  defined: form('value', ({ slots: [value] }, frame) => !isUndefined(value?.(frame) ?? null)),
  undefined: form('value', ({ slots: [value] }, frame) => isUndefined(value?.(frame) ?? null)),
  none: type((value) => value === null),
  string: type((value) => typeof value === 'string'),
  number: type((value) => isNumeric(value) || typeof value === 'boolean'),
  integer: type((value) => typeof value === 'bigint' || Number.isInteger(value)),
  float: type((value) => typeof value === 'number' && !Number.isInteger(value)),
  boolean: type((value) => typeof value === 'boolean'),
  true: type((value) => value === true),
  false: type((value) => value === false),
  mapping: type((value) => isMapping(value) || value instanceof LazyMapping),
  sequence: type((value) => typeof value === 'string' || (typeof value === 'object' && value !== null)),
  iterable: kind((value) => typeof value === 'string' || (typeof value === 'object' && value !== null)),
  lower: kind(
    (value) => asString(value) === asString(value).toLowerCase() && asString(value) !== asString(value).toUpperCase(),
  ),
  upper: kind(
    (value) => asString(value) === asString(value).toUpperCase() && asString(value) !== asString(value).toLowerCase(),
  ),
  even: callable('number', (args) => remainder(args, 2) === 0),
  odd: callable('number', (args) => Math.abs(remainder(args, 2)) === 1),
  divisibleby: callable('number, by|num', (args) => remainder(args, args.whole(1)) === 0),
  truthy: callable('value, convert_bool?', (args) => isTrue(converted(args))),
  falsy: callable('value, convert_bool?', (args) => !isTrue(converted(args))),
  nan: isNan,
  isnan: isNan,
  sameas: form(
    'value, other',
    ({ slots: [value, other] }, frame) => value?.(frame) === requireDefined(other?.(frame) ?? null),
  ),
  contains: callable('container, item', (args) => contains(args.value(0), args.value(1))),
  subset: callable('list, other|b', (args) => args.list(0).every(isIn(args.list(1)))),
  issubset: callable('list, other|b', (args) => args.list(0).every(isIn(args.list(1)))),
  superset: callable('list, other|b', (args) => args.list(1).every(isIn(args.list(0)))),
  issuperset: callable('list, other|b', (args) => args.list(1).every(isIn(args.list(0)))),
  any: callable('list', (args) => args.items(0).some(isTrue)),
  all: callable('list', (args) => args.items(0).every(isTrue)),
  equalto: comparisons.eq,
  '==': comparisons.eq,
  greaterthan: comparisons.gt,
  '!=': comparisons.ne,
  '<=': comparisons.le,
  '>=': comparisons.ge,
  '>': comparisons.gt,
  lessthan: comparisons.lt,
  '<': comparisons.lt,
  version,
  version_compare: version,
  changed: isChanged,
  change: isChanged,
  failed: isFailed,
  failure: isFailed,
  succeeded: isSucceeded,
  success: isSucceeded,
  successful: isSucceeded,
  skipped: isSkipped,
  skip: isSkipped,
  unreachable: result('unreachable'),
  reachable: result('unreachable', (unreachable) => !unreachable),
  finished: result('finished', (finished) => finished, true),
  started: result('started', (started) => started, true),
} satisfies Family;

/** An undefined value has no type; that is not an error, as in Jinja. */
function type(test: (value: Value) => boolean): Callable {
  return form('value', ({ slots: [evaluate] }, frame) => {
    const result = evaluate?.(frame) ?? null;
    return !(result instanceof Undefined) ? test(result) : result.substitute !== undefined && test(result.substitute);
  });
}

function kind(test: (value: Value) => boolean): Callable {
  return callable('value', (args) => test(args.value(0)));
}

/** A test of a registered result's flag. */
function result(flag: string, holds: (value: boolean) => boolean = (value) => value, missing = false): Callable {
  return callable('result', (args) => {
    const value = args.value(0);
    const found = isMapping(value) ? step(value, flag) : undefined;
    if (isMapping(value)) return holds(found === undefined ? missing : isTrue(found));
    const given = isList(value) ? 'a list' : describe(value);
    throw args.error(`the result of a task is needed, not ${given}`, 'register: a name, and test that');
  });
}

function remainder(args: CallableArguments, divisor: WholeNumber): number {
  const value = args.whole(0);
  return isWhole(value) && isWhole(divisor) && Number(divisor) !== 0
    ? Number(BigInt(value) % BigInt(divisor))
    : Number(value) % Number(divisor);
}

/** With `convert_bool`, words that mean true or false are converted; other values are unchanged. */
function converted(args: CallableArguments): Value {
  const value = args.value(0);
  return typeof value === 'string' && args.flag(1) ? (parseFlag(value.trim()) ?? value) : value;
}
