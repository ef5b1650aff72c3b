import type { Play } from '../../core/model/playbook/playbook.js';
import { playArea } from '../../core/model/playbook/step_place.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { BUILT_IN_LIBRARY } from '../../language/library.js';
import type { ReadyPlay } from '../input/ready_play.js';
import { ControllerPreview } from './controller_preview.js';
import type { RunFinding } from './findings.js';
import { PlayPreview } from './play_preview.js';
import type { ControllerView } from './play_views.js';
import { previewLibrary } from './preview_library.js';
import { type PreflightInput, RunPreview } from './run_preview.js';

/**
 * Finds certain failures that do not depend on the controllers' answers: undefined variables, invalid connection settings.
 * Evaluates what the run would evaluate, with the same code, and skips what is only known during the run. Contacts nothing, runs no
 * commands and reads no files but those of variables and certificates.
 */
export async function preflight(given: PreflightInput) {
  const unset = new Set<string>();
  const library = previewLibrary(given.sources.library ?? BUILT_IN_LIBRARY, (name) => unset.add(name));
  const input = { ...given, sources: { ...given.sources, library } };
  const run = new RunPreview(input, unset);
  const found: (readonly RunFinding[])[] = [];
  let play: PlayPreview | undefined;
  for (const ready of input.selection.plays) {
    play = new PlayPreview(run, ready);
    found.push(await playFindings(run, play, ready));
  }
  if (play !== undefined) await addUnselected(run, play);
  const { equal, owners } = run.addresses;
  return { findings: found.flat(), equalAddresses: equal, owners };
}

async function playFindings(run: RunPreview, play: PlayPreview, ready: ReadyPlay): Promise<readonly RunFinding[]> {
  const { controllers } = ready;
  await play.open();
  const found: (readonly RunFinding[])[] = [];
  for (const name of controllers) {
    if (run.input.drain.aborted) return [];
    await run.loopYielder.yieldLoop();
    found.push(await controllerFindings(run, play, ready, name));
  }
  const certain = found.flat().filter((finding) => play.isCertain(finding));
  return onlyCertain(certain, controllers.length);
}

async function controllerFindings(
  run: RunPreview,
  play: PlayPreview,
  ready: ReadyPlay,
  name: string,
): Promise<readonly RunFinding[]> {
  if (run.failed.has(name)) return [];
  const view = await play.views.view(name);
  if ('findings' in view) return view.findings;
  const { scope: own, layers, later } = view;
  if (play.views.find(name) !== undefined) noteAddress(run, ready.play, name, view);
  const hasBegun = run.input.past?.reached(name, playArea(ready.number)) !== undefined;
  const preview = new ControllerPreview(play, name, own, later, hasBegun);
  const failed = await preview.through(play.steps, play.checks);
  if (failed && !hasBegun) run.failed.add(name);
  if (preview.findings.length > 0) run.secrets.learnLayers(layers, own);
  return preview.findings;
}

/** A play without variables of its own changes no address. */
function noteAddress(run: RunPreview, play: Play, name: string, { scope, later }: ControllerView): void {
  const { addresses, input } = run;
  const { layers, groupLayers, controllerLayers, variableFiles } = play;
  const isPlain = layers.length + groupLayers.size + controllerLayers.size + variableFiles.length === 0;
  const isKnown = addresses.has(name) && isPlain;
  // A rollback restores what was written, also through two names.
  if (!isKnown && input.restores !== true) addresses.add(name, scope.child(later.layers), true);
}

/** A task that one controller runs for its batch certainly fails only if it would fail on every controller of the batch. */
function onlyCertain(findings: readonly RunFinding[], everyone: number): readonly RunFinding[] {
  const key = ({ message, source }: RunFinding): string => JSON.stringify([message, source]);
  const counts = new Map<string, Set<string>>();
  for (const finding of findings.filter(({ once }) => once === true))
    getOrAdd(counts, key(finding), () => new Set()).add(finding.controller);
  return findings.filter((finding) => finding.once !== true || counts.get(key(finding))?.size === everyone);
}

/** A controller of the run may have the address of one that is not part of it. */
async function addUnselected({ addresses, input, loopYielder }: RunPreview, play: PlayPreview): Promise<void> {
  for (const name of input.sources.inventory.controllers.keys()) {
    if (input.drain.aborted) return;
    const scope = addresses.has(name) ? undefined : play.views.other(name);
    if (scope === undefined) continue;
    await loopYielder.yieldLoop();
    addresses.add(name, scope);
  }
}
