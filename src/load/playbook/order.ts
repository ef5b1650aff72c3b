import type { Located } from '../../model/playbook/step.js';
import { didYouMean } from '../../model/source/suggestion.js';
import { hasTemplate } from '../../template/check.js';
import type { Cursor } from '../cursor.js';
import { ORDERS } from '../steps/keyword_table.js';
import { template } from '../templated.js';

/** The order in which a play takes its controllers. */
export function orderOf(cursor: Cursor | undefined): Located<string> | undefined {
  const order = template(cursor);
  if (order === undefined || hasTemplate(order.value) || ORDERS.includes(order.value)) return order;
  const hint = didYouMean(order.value, ORDERS) ?? `it is one of ${ORDERS.join(', ')}`;
  cursor?.error(`there is no order "${order.value}"`, hint);
  return undefined;
}
