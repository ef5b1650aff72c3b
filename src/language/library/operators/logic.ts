import type { Arguments } from '../../runtime/arguments.js';
import { contains, equals, isTrue, order } from '../../runtime/comparison.js';
import { TemplateError } from '../../runtime/errors.js';
import type { Evaluate, Frame } from '../../runtime/frame.js';
import { form, helper, type Bound, type Family } from '../../runtime/helper.js';
import { asText } from '../../runtime/text.js';
import { isUndefined, requireDefined, Undefined, type Result } from '../../runtime/undefined.js';

/** Helpers that decide which of their arguments are evaluated, or that accept undefined ones. */
export const logic = {
  /** An undefined value, for a default that must be set: `url: '{{undef(hint="set url")}}'`. */
  undef: helper('hint?', undefine),
  /** The first false argument, or the last argument. */
  and: form('first, second, ...others', (args, frame) => firstThat(args, frame, (value) => !value)),
  /** The first true argument, or the last argument. */
  or: form('first, second, ...others', (args, frame) => firstThat(args, frame, (value) => value)),
  not: helper('value', (args) => !isTrue(args.value(0))),
  default: form('value, fallback?, boolean?', fallBack),
  d: form('value, fallback?, boolean?', fallBack),
  ternary: form('condition, yes, no?, none?', chooseOne),
  /** The value itself; an undefined value is an error with that message. */
  mandatory: form('value, message?', ({ slots: [value, message] }, frame) => {
    const result = get(value, frame);
    if (!(result instanceof Undefined) || message === undefined) return requireDefined(result);
    throw new TemplateError(asText(requireDefined(message(frame))), { undefinedName: result.explain().undefinedName });
  }),
} satisfies Family;

/** `default` and `is defined` accept it, like a missing variable. */
function undefine(args: Arguments): Result {
  const message = args.value(0) === null ? 'it is undefined on purpose' : args.text(0);
  return new Undefined(() => new TemplateError(message, { undefinedName: 'undef' }));
}

function get(evaluate: Evaluate | undefined, frame: Frame): Result {
  return evaluate === undefined ? null : evaluate(frame);
}

function firstThat({ slots, rest }: Bound, frame: Frame, wanted: (value: boolean) => boolean): Result {
  let last: Result = null;
  for (const evaluate of [...slots, ...rest]) {
    last = requireDefined(get(evaluate, frame));
    if (wanted(isTrue(last))) return last;
  }
  return last;
}

/** With `boolean=true`, the fallback also replaces false values. */
function fallBack({ slots: [value, fallback, boolean] }: Bound, frame: Frame): Result {
  const result = get(value, frame);
  const missing =
    isUndefined(result) ||
    (boolean !== undefined && isTrue(requireDefined(boolean(frame))) && !isTrue(requireDefined(result)));
  if (!missing) return result;
  return fallback === undefined ? '' : fallback(frame);
}

/** `none` is the result for a null condition; without it, null is false. */
function chooseOne({ slots: [condition, yes, no, none] }: Bound, frame: Frame): Result {
  const value = requireDefined(get(condition, frame));
  if (value === null && none !== undefined) return none(frame);
  return isTrue(value) ? get(yes, frame) : get(no, frame);
}

export const comparisons = {
  eq: helper('left, right', (args) => equals(args.value(0), args.value(1))),
  ne: helper('left, right', (args) => !equals(args.value(0), args.value(1))),
  lt: helper('left, right', (args) => order(args.value(0), args.value(1)) < 0),
  le: helper('left, right', (args) => order(args.value(0), args.value(1)) <= 0),
  gt: helper('left, right', (args) => order(args.value(0), args.value(1)) > 0),
  ge: helper('left, right', (args) => order(args.value(0), args.value(1)) >= 0),
  /** `in "eu" regions`, `"eu" in regions` */
  in: helper('item, container', (args) => contains(args.value(1), args.value(0))),
} satisfies Family;
