import type { Included } from '../../model/playbook/step.js';
import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { ActionResult } from '../../module/contract.js';
import type { TaskRun } from './task_run.js';
import type { VariableReader } from './variable_reader.js';

/** What came of an action's effect. */
export interface EffectDone {
  /** Whether the inventory is another now. */
  readonly changed: boolean;
  readonly included?: Included | undefined;
  readonly variables: readonly VariableLayer[];
}

const UNCHANGED: EffectDone = { changed: false, variables: [] };

/** Carries out what an action asks of the run. What an include names is read as a part of its task, and fails with it. */
export async function effectOf(
  { task, state, context: { run } }: TaskRun,
  { effect }: Extract<ActionResult, { status: 'ok' | 'changed' }>,
  args: Mapping,
  files: VariableReader,
): Promise<EffectDone> {
  if (effect === undefined) return UNCHANGED;
  switch (effect.type) {
    case 'host':
      return { ...UNCHANGED, changed: await run.inventory.addHost(effect) };
    case 'group':
      return { ...UNCHANGED, changed: await run.inventory.joinGroup(state.controller, effect) };
    case 'variables':
      return { ...UNCHANGED, variables: [files.layer(effect.values)] };
    case 'include':
      return task.type === 'include' ? { ...UNCHANGED, included: await task.read(args) } : UNCHANGED;
    default:
      return effect satisfies never;
  }
}
