import { SecretFinder } from '../../core/secrets/secret_finder.js';
import { BUILT_IN_LIBRARY, Library } from '../../language/library.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { LoopYielder } from '../control/loop_yielder.js';
import { Fleet } from '../controllers/fleet.js';
import { LiveInventory } from '../controllers/live_inventory.js';
import { StartAt } from '../keywords/selected_steps.js';
import { Addresses, type EqualAddresses, type Owners } from './addresses.js';
import type { RunFinding } from './findings.js';
import { LaterVariables } from './later_variables.js';
import { LeftOutVariables } from './left_out.js';
import { PlayPreview } from './play_preview.js';
import { previewLibrary } from './preview_library.js';
import type { PreflightInput, RunPreview } from './run_preview.js';

/** Variables that the run itself sets around some tasks. */
const SET_BY_RUN = ['ansible_facts', 'ansible_failed_task', 'ansible_failed_result', 'ansible_delegated_vars'];

/**
 * Finds certain failures that do not depend on the controllers' answers: undefined variables, invalid connection settings.
 * Evaluates what the run would evaluate, with the same code, and skips what is only known during the run. Contacts nothing, runs no
 * commands and reads no files but those of variables and certificates.
 */
export async function preflight(given: PreflightInput): Promise<Preflight> {
  const unset = new Set<string>();
  const library = previewLibrary(given.sources.library ?? BUILT_IN_LIBRARY, (name) => unset.add(name));
  const input = { ...given, sources: { ...given.sources, library } };
  const run = runPreview(input, unset);
  const found: (readonly RunFinding[])[] = [];
  let play: PlayPreview | undefined;
  for (const target of input.selection.targets) {
    play = new PlayPreview(run, target);
    found.push(await play.findings());
  }
  if (play !== undefined) await addUnselected(run, play);
  const { equal, owners } = run.addresses;
  return { findings: found.flat(), equalAddresses: equal, owners };
}

interface Preflight {
  readonly findings: readonly RunFinding[];
  readonly equalAddresses: readonly EqualAddresses[];
  readonly owners: Owners;
}

/** A controller of the run may have the address of one that is not part of it. */
async function addUnselected({ addresses, input, loopYielder }: RunPreview, play: PlayPreview): Promise<void> {
  for (const name of input.sources.inventory.controllers.keys()) {
    if (input.signal.aborted) return;
    const scope = addresses.has(name) ? undefined : play.delegate(name);
    if (scope === undefined) continue;
    await loopYielder.yieldLoop();
    addresses.add(name, scope);
  }
}

/** Creates the state that the previews of all plays share. */
export function runPreview(input: PreflightInput, unset: Set<string>): RunPreview {
  const { identity, selection, sources, connections } = input;
  const shared = new LaterVariables(SET_BY_RUN);
  const secrets = new SecretFinder(sources.secrets, sources.inventory, hasTemplate);
  const { table, withheld } = sources.library ?? BUILT_IN_LIBRARY;
  const local =
    connections.plan?.type === 'follow'
      ? new Library(table, withheld, { unset: (name) => unset.add(name), readsLocal: true })
      : undefined;
  return {
    input,
    magic: {
      input: { ...input, identity: { ...identity, id: '' } },
      fleet: new Fleet(new LiveInventory(sources.inventory)),
    },
    connection: { ...connections, unset, local },
    addresses: new Addresses(connections.settingSources.routes ?? new Map(), sources.library ?? BUILT_IN_LIBRARY),
    start: new StartAt(selection.startAtTask),
    loopYielder: new LoopYielder(),
    variables: {
      anywhere: new LaterVariables([], shared),
      shared,
      later: new Map(),
      leftOut: new LeftOutVariables(),
    },
    controllers: { connected: new Set(), failed: new Set() },
    learn: (layers, scope) => {
      secrets.learnLayers(layers, scope);
    },
  };
}
