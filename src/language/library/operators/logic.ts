import { callable, form, type Bound, type Family } from '../../runtime/callable.js';
import { contains, equals, isTrue, order } from '../../runtime/comparison.js';
import { TemplateError } from '../../runtime/errors.js';
import type { Evaluate, TemplateFrame } from '../../runtime/frame.js';
import { asText, isUndefined, requireDefined, Undefined, type Result } from '../../runtime/result.js';

/** Filters that decide which of their arguments are evaluated, or that accept undefined ones. */
export const logic = {
  /** An undefined value, for a default that must be set: `url: '{{undef(hint="set url")}}'`. */
  /** `default` and `is defined` accept it, like a missing variable. */
  undef: callable('hint?', (args) => {
    const message = args.value(0) === null ? 'it is undefined on purpose' : args.text(0);
    return new Undefined(() => new TemplateError(message, { undefinedName: 'undef' }));
  }),
  /** The first false argument, or the last argument. */
  and: form('first, second, ...others', (args, frame) => firstThat(args, frame, (value) => !value)),
  /** The first true argument, or the last argument. */
  or: form('first, second, ...others', (args, frame) => firstThat(args, frame, (value) => value)),
  not: callable('value', (args) => !isTrue(args.value(0))),
  default: form('value, fallback|default_value?, boolean?', fallBack),
  d: form('value, fallback|default_value?, boolean?', fallBack),
  ternary: form('condition, yes|true_val, no|false_val?, none|none_val?', chooseOne),
  /** The value itself; an undefined value is an error with that message. */
  mandatory: form('value, message|msg?', ({ slots: [value, message] }, frame) => {
    const result = get(value, frame);
    if (!(result instanceof Undefined) || message === undefined) return requireDefined(result);
    throw new TemplateError(asText(requireDefined(message(frame))), { undefinedName: result.explain().undefinedName });
  }),
} satisfies Family;

function get(evaluate: Evaluate | undefined, frame: TemplateFrame): Result {
  return evaluate === undefined ? null : evaluate(frame);
}

function firstThat({ slots, rest }: Bound, frame: TemplateFrame, wanted: (value: boolean) => boolean): Result {
  let last: Result = null;
  for (const evaluate of [...slots, ...rest]) {
    last = requireDefined(get(evaluate, frame));
    if (wanted(isTrue(last))) return last;
  }
  return last;
}

/** With `boolean=true`, the fallback also replaces false values. */
function fallBack({ slots: [value, fallback, boolean] }: Bound, frame: TemplateFrame): Result {
  const result = get(value, frame);
  const missing =
    isUndefined(result) ||
    (boolean !== undefined && isTrue(requireDefined(boolean(frame))) && !isTrue(requireDefined(result)));
  if (!missing) return result;
  return fallback === undefined ? '' : fallback(frame);
}

/** `none` is the result for a null condition; without it, or if it is null itself, null is false. */
function chooseOne({ slots: [condition, yes, no, none] }: Bound, frame: TemplateFrame): Result {
  const value = requireDefined(get(condition, frame));
  const ofNull = value === null && none !== undefined ? none(frame) : null;
  if (ofNull !== null) return ofNull;
  return isTrue(value) ? get(yes, frame) : get(no, frame);
}

export const comparisons = {
  eq: callable('left, right', (args) => equals(args.value(0), args.value(1))),
  ne: callable('left, right', (args) => !equals(args.value(0), args.value(1))),
  lt: callable('left, right', (args) => order(args.value(0), args.value(1)) < 0),
  le: callable('left, right', (args) => order(args.value(0), args.value(1)) <= 0),
  gt: callable('left, right', (args) => order(args.value(0), args.value(1)) > 0),
  ge: callable('left, right', (args) => order(args.value(0), args.value(1)) >= 0),
  /** `in "eu" regions`, `"eu" in regions` */
  in: callable('item, container|seq', (args) => contains(args.value(1), args.value(0))),
} satisfies Family;
