import { isRollback } from '../core/model/playbook/step_place.js';
import type { ObjectWrites, RecordedWrite } from './object_writes.js';

/**
 * Selects the writes to an object that a rollback of a batch undoes: those of the tasks of its controllers since the
 * object was last restored for all of them, and rollbacks that may have been cut off. Batches can have other controllers
 * after an edit, so an earlier rollback may have restored what others did, too.
 */
export function writesOfBatch(controllers: ReadonlySet<string>): (writes: ObjectWrites) => readonly RecordedWrite[] {
  return (writes) => {
    let left: RecordedWrite[] = [];
    for (const write of writes) {
      const { place, controller } = write.intent;
      if (!isRollback(place)) {
        if (controllers.has(controller)) left.push(write);
        continue;
      }
      const tasks = left.filter((one) => !isRollback(one.intent.place));
      const undone = tasks.filter(({ forgottenAfter = Infinity }) => forgottenAfter < write.intent.write);
      // It restored what others did.
      if (undone.length === 0) continue;
      left = write.outcome === 'applied' && undone.length === tasks.length ? [] : [...left, write];
    }
    return left;
  };
}
