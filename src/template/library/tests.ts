import { isList, isMapping, LazyMapping, type Value } from '../../model/value.js';
import { contains, equals, isTrue, order } from '../comparison.js';
import { Undefined } from '../undefined.js';
import type { Arguments } from './arguments.js';
import { form, helper, type Family, type Helper } from './helper.js';

/** What stands after `is`. */
export const tests: Family = {
  defined: form('value', ({ slots: [value] }, frame) => !(value?.(frame) instanceof Undefined)),
  undefined: form('value', ({ slots: [value] }, frame) => value?.(frame) instanceof Undefined),
  none: kind((value) => value === null),
  string: kind((value) => typeof value === 'string'),
  number: kind((value) => typeof value === 'number'),
  integer: kind((value) => Number.isInteger(value)),
  float: kind((value) => typeof value === 'number' && !Number.isInteger(value)),
  boolean: kind((value) => typeof value === 'boolean'),
  true: kind((value) => value === true),
  false: kind((value) => value === false),
  mapping: kind((value) => isMapping(value) || value instanceof LazyMapping),
  sequence: kind((value) => isList(value) || typeof value === 'string'),
  iterable: kind((value) => typeof value === 'string' || (typeof value === 'object' && value !== null)),
  truthy: kind(isTrue),
  falsy: kind((value) => !isTrue(value)),
  sameas: helper('value, other', (args) => args.value(0) === args.value(1)),
  contains: helper('container, item', (args) => contains(args.value(0), args.value(1))),
  equalto: helper('left, right', (args) => equals(args.value(0), args.value(1))),
  greaterthan: helper('left, right', (args) => order(args.value(0), args.value(1)) > 0),
  lessthan: helper('left, right', (args) => order(args.value(0), args.value(1)) < 0),
};

function kind(test: (value: Value) => boolean): Helper {
  return helper('value', (args: Arguments) => test(args.value(0)));
}
