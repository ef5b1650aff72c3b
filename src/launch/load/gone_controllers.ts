import { findController, type Inventory } from '../../core/model/inventory/inventory.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { count, nameSome } from '../../reporting/text/words.js';
import type { Within } from '../request/run_request.js';

const MOST_NAMES = 20;

/** Without a message, a rerun could end with 0 although they are left out. */
export function reportGone(inventory: Inventory, { controllers, known = [] }: Within, diagnostics: Diagnostics): void {
  const gone = known.filter((name) => findController(inventory, name) === undefined);
  if (gone.length === 0) return;
  const is = gone.length === 1 ? 'is' : 'are';
  const message = `--rerun: ${count(gone.length, 'controller')} of that run ${is} no longer in the inventory: ${nameSome(gone, MOST_NAMES)}`;
  const hint = 'a renamed controller needs a run of its own, such as: evenkeel run PLAYBOOK --limit NAME';
  if (gone.length === controllers.length) diagnostics.error(message, undefined, hint);
  else diagnostics.warn(message, undefined, hint);
}
