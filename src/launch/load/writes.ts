import type { Inventory } from '../../core/model/inventory/inventory.js';
import { tasksIn } from '../../core/model/playbook/playbook.js';
import type { Include, Task } from '../../core/model/playbook/step.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import { mayWrite } from '../../engine/keywords/may_write.js';
import { isDelegatedHere } from '../../engine/keywords/whole_fleet.js';
import { needsRendering } from '../../language/render.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { RunRequest } from '../request/run_request.js';
import { type PreparedRun, selectedControllers, type SelectedPlay } from './prepared_run.js';
import { callsAhead } from './read_ahead.js';

/** Whether something writes to a controller. `unknown`: the file to include at the place is chosen during the run. */
export type PossibleWrites =
  | { readonly type: 'none' }
  | { readonly type: 'task' }
  | { readonly type: 'unknown'; readonly place: string };

const NONE: PossibleWrites = { type: 'none' };

interface WritingRun extends Pick<PreparedRun, 'selected'> {
  readonly request: Pick<RunRequest, 'check' | 'readOnly' | 'simulate'>;
}

/** Whether a run may write to a controller, as far as that is known before it. */
export async function runMayWrite(run: WritingRun): Promise<boolean> {
  return (await findWrites(run)).type !== 'none';
}

/** A simulation writes to no controller. */
export async function findWrites({ selected, request }: WritingRun): Promise<PossibleWrites> {
  const { check, readOnly, simulate } = request;
  if (simulate === true || readOnly === true) return NONE;
  return check === true ? writesInCheck(selected) : { type: 'task' };
}

/** Whether a run that may write has tasks that write, as far as their modules say. */
export async function somePlayMayWrite({
  loaded,
  selected,
}: Pick<PreparedRun, 'loaded' | 'selected'>): Promise<boolean> {
  for (const play of selected) if (await playMayWrite(play, loaded.catalogue)) return true;
  return false;
}

/**
 * Whether tasks of a play write outside check mode, as far as their modules say. Tasks that are included during the run
 * may write. Most actions that run in check mode write nothing.
 */
export async function playMayWrite({ steps, checks, play }: SelectedPlay, catalogue: Catalogue): Promise<boolean> {
  for (const call of tasksIn([...steps, ...checks, ...play.handlers])) {
    if (await callMayWrite(call, catalogue)) return true;
  }
  return false;
}

async function callMayWrite(call: Task | Include, catalogue: Catalogue): Promise<boolean> {
  return call.type === 'include' || mayWrite(await catalogue.load(call.module).catch(() => undefined), call.args);
}

/**
 * Whether a check of these plays may write: a task with `check_mode: false` does. A check runs no gates. Reads the
 * files that includes name without templates.
 *
 * @param catalogue if given, tasks count whose modules say that they may write
 */
export async function writesInCheck(selected: readonly SelectedPlay[], catalogue?: Catalogue): Promise<PossibleWrites> {
  let found = NONE;
  for (const { steps, play } of selected)
    for await (const { call, isUnknown } of callsAhead([...steps, ...play.handlers])) {
      const isChecked = call.checkMode === undefined || call.checkMode.value === true;
      if (!isChecked && (catalogue === undefined || (await callMayWrite(call, catalogue)))) return { type: 'task' };
      if (isUnknown && found.type === 'none') found = { type: 'unknown', place: placeText(call.source) };
    }
  return found;
}

/** Whether a check may write all the same, as far as the modules say. */
export async function checkMayWrite({ loaded, selected }: Pick<PreparedRun, 'loaded' | 'selected'>): Promise<boolean> {
  return (await writesInCheck(selected, loaded.catalogue)).type !== 'none';
}

/** The other controllers to which tasks are delegated, as far as that is known before the run. */
export interface Delegates {
  /** Names, and templates with their places. */
  readonly known: readonly string[];
  /** The places of includes whose files are chosen during the run: their tasks may be delegated, too. */
  readonly unknown: readonly string[];
}

export async function findDelegates(
  selected: readonly SelectedPlay[],
  { controllers }: Pick<Inventory, 'controllers'>,
): Promise<Delegates> {
  const own = selectedControllers(selected);
  const [known, unknown] = [new Set<string>(), new Set<string>()];
  for (const { steps, checks, play } of selected.filter((one) => one.controllers.length > 0))
    for await (const { call, isUnknown } of callsAhead([...steps, ...checks, ...play.handlers])) {
      if (isUnknown) unknown.add(placeText(call.source));
      const { delegateTo } = call;
      const name = delegateTo?.value;
      if (delegateTo === undefined || typeof name !== 'string' || own.has(name)) continue;
      if (isDelegatedHere(name, (one) => controllers.has(one))) continue;
      known.add(needsRendering(name) ? `${name} (${placeText(delegateTo.source)})` : name);
    }
  return { known: [...known], unknown: [...unknown] };
}
