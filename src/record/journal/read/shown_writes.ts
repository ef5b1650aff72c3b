import { isRollback } from '../../../core/model/playbook/step_place.js';
import type { PastWrite } from '../../../core/model/run/past.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { MASK } from '../../../core/secrets/secrets.js';
import { recordText, shownText } from './entry.js';
import { reachedIn, type KeptWrite, type PastWrites } from './past_writes.js';
import type { WholeRecords } from './whole_record.js';

/** The parts of a write that can be read without the key. */
export interface ShownWrite {
  readonly controller: string;
  readonly target: string;
  readonly task: string;
  readonly module: string;
  /** Absent if `no_log` masks it. */
  readonly object?: string | undefined;
  readonly method: string;
  readonly outcome: PastWrite['outcome'];
  /** It rolled a batch back, or was undone by that. */
  readonly undone?: true;
}

/**
 * All of them, in the order of the intents.
 *
 * @param whole tells which objects masked writes are to, if the key is there
 */
export function shownWrites(writes: PastWrites, whole: WholeRecords): readonly ShownWrite[] {
  const all = writes.all.map((write) => ({
    write,
    shown: shownWrite(write),
    isUndo: isRollback(recordText(write.intent, 'place')),
  }));
  const objectKey = ({ intent }: KeptWrite, { object: shown }: ShownWrite): string | undefined => {
    const isWhole = shown !== undefined && !shown.includes(MASK);
    const object = isWhole ? shown : orElse(shown, () => whole.intended(intent).object);
    return object === undefined ? undefined : JSON.stringify([reachedIn(intent, 'controller'), object]);
  };
  const restored = new Set(
    all.flatMap(({ write, shown, isUndo }) =>
      isUndo && shown.outcome === 'applied' ? (objectKey(write, shown) ?? []) : [],
    ),
  );
  const isRestored = (key: string | undefined): boolean => key !== undefined && restored.has(key);
  return all.map(({ write, shown, isUndo }) => {
    const isUndone = isUndo || (writes.forgottenAfter(write) !== undefined && isRestored(objectKey(write, shown)));
    return isUndone ? { ...shown, undone: true } : shown;
  });
}

function shownWrite({ intent, outcome }: KeptWrite): ShownWrite {
  const text = (name: string): string => recordText(intent, name);
  return {
    controller: text('controller'),
    target: text('target'),
    task: text('task'),
    module: text('module'),
    object: shownText(intent, 'object'),
    method: text('method'),
    outcome,
  };
}
