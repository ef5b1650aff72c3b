import type { KeptRun } from '../../record/journal/read/read_run.js';
import { placeKey } from '../../record/locks/place_key.js';
import type { UndoEffect } from '../../undo/object_effect.js';
import type { Undo } from '../../undo/undo.js';
import type { Undos } from './rollback_playbook.js';

/** What a rollback does on its controllers. */
export interface RollbackPlan {
  /** What cannot be undone. */
  readonly final: readonly Extract<UndoEffect, { type: 'final' }>[];
  /** Skipped controllers with the reason, worded to follow the name. */
  readonly skipped: ReadonlyMap<string, string>;
  readonly undos: Undos;
}

/**
 * Groups the effects of a run by what the rollback does with them.
 * @param skipReason why a controller must not be written to; undefined: it may be
 */
export function planRollback(
  effects: readonly UndoEffect[],
  skipReason: (controller: string, undo: Undo) => string | undefined,
): RollbackPlan {
  const final: Extract<UndoEffect, { type: 'final' }>[] = [];
  const skipped = new Map<string, string>();
  const undos = new Map<string, Undo[]>();
  for (const effect of effects) {
    const { controller } = effect;
    const reason = effect.type === 'undo' ? skipReason(controller, effect.undo) : undefined;
    if (effect.type === 'final') final.push(effect);
    else if (reason !== undefined) skipped.set(controller, reason);
    else undos.set(controller, [...(undos.get(controller) ?? []), effect.undo]);
  }
  return { final, skipped, undos };
}

export function isEmpty({ final, skipped, undos }: RollbackPlan): boolean {
  return final.length + skipped.size + undos.size === 0;
}

/**
 * Identifies the controller behind a name: equal for all names of one controller. In a simulation each name is a
 * separate controller, even if several share a URL.
 */
export function placesOfTargets({
  header,
  urls,
}: Pick<KeptRun, 'header' | 'urls'>): (target: string) => string | undefined {
  return (target) => {
    const url = header.simulated ? undefined : urls.get(target);
    return url === undefined ? undefined : placeKey(url);
  };
}
