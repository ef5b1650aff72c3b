import type { Effect } from '../../rollback/effects.js';
import type { Undo } from '../../rollback/undo.js';
import type { Undos } from './rollback_playbook.js';

/** What a rollback comes to on the controllers that it is for. */
export interface RollbackPlan {
  /** What nobody can undo. */
  readonly final: readonly Extract<Effect, { type: 'final' }>[];
  /** Controllers that are left alone, and why: a sentence that goes on where the name ends. */
  readonly barred: ReadonlyMap<string, string>;
  readonly undos: Undos;
}

/**
 * The effects of a run by what is to be done about them.
 * @param bar why a controller must not be written to for that; undefined if it may
 */
export function planRollback(
  effects: readonly Effect[],
  bar: (controller: string, undo: Undo) => string | undefined,
): RollbackPlan {
  const final: Extract<Effect, { type: 'final' }>[] = [];
  const barred = new Map<string, string>();
  const undos = new Map<string, Undo[]>();
  for (const effect of effects) {
    const { controller } = effect;
    const reason = effect.type === 'undo' ? bar(controller, effect.undo) : undefined;
    if (effect.type === 'final') final.push(effect);
    else if (reason !== undefined) barred.set(controller, reason);
    else undos.set(controller, [...(undos.get(controller) ?? []), effect.undo]);
  }
  return { final, barred, undos };
}

export function isEmpty({ final, barred, undos }: RollbackPlan): boolean {
  return final.length + barred.size + undos.size === 0;
}
