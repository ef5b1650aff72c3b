import type { Value } from '../../../core/model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { currentLoop, Cycler, Joiner, Loop, Namespace } from '../../runtime/loop.js';
import { describe } from '../../runtime/text.js';

/** Helpers that only templates with `{% for %}` and `{% set %}` call. */
export const loops = {
  /** `loop.cycle("odd", "even")`: takes turns. */
  cycle: helper('loop, first, ...others', (args) => {
    const values = [args.value(1), ...args.rest];
    return values[loopOf(args).index % values.length] ?? null;
  }),
  /** `loop.changed(item.zone)`: whether it differs from the last call. */
  has_changed: helper('loop, ...values', (args) => loopOf(args).changed(args.rest)),
  /** `loop(item.children)`: the text of a recursive loop, for other items. */
  loop: helper('items', (args) => {
    const loop = currentLoop(args.frame);
    if (loop?.recurse === undefined)
      throw args.error('only a recursive loop can be called', 'write {% for item in list recursive %}');
    return loop.recurse(args.value(0));
  }),
  cycler: helper('first, ...others', (args) => new Cycler([args.value(0), ...args.rest])),
  joiner: helper('separator?', (args) => new Joiner(args.text(0, ', '))),
  /** `row.next()` of a cycler; `comma()` of a joiner. */
  next: helper('value', (args) => {
    const value = args.value(0);
    if (value instanceof Cycler || value instanceof Joiner) return value.next();
    throw args.error(`it works on a cycler() or joiner(), not on ${describe(value)}`);
  }),
  reset: helper('cycler', (args) => {
    const value = args.value(0);
    if (!(value instanceof Cycler)) throw args.error(`it works on a cycler(), not on ${describe(value)}`);
    value.reset();
    return null;
  }),
  /** Values that `{% set ns.name = value %}` changes, inside loops too. */
  namespace: helper('**', (args) => new Namespace(args.named)),
} satisfies Family;

function loopOf(args: Arguments): Loop {
  const value: Value = args.value(0);
  if (value instanceof Loop) return value;
  throw args.error(`it belongs to "loop" inside {% for %}, not to ${describe(value)}`);
}
