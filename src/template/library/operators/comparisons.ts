import { contains, equals, order } from '../../runtime/comparison.js';
import { helper, type Family } from '../../runtime/helper.js';

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
