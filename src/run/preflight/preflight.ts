import { BUILT_IN } from '../../template/library/index.js';
import type { HelperTable } from '../../template/runtime/helper_table.js';
import type { Helper } from '../../template/runtime/helper.js';
import type { SettingSources } from '../../controller/settings/settings.js';
import { NotKnownYet } from '../../template/runtime/errors.js';
import { BUILT_IN_LIBRARY, Library } from '../../template/library.js';
import { LoopYielder } from '../control/loop_yielder.js';
import { Fleet } from '../controllers/fleet.js';
import { LiveInventory } from '../controllers/live_inventory.js';
import { SecretFinder } from '../../secrets/secret_finder.js';
import { Start } from '../keywords/selected_steps.js';
import type { Finding } from './findings.js';
import { LaterVariables } from './later_variables.js';
import { LeftOutVariables } from './left_out.js';
import { PlayPreview } from './play_preview.js';
import type { CurrentController, PreflightInput, RunPreview } from './run_preview.js';
import { hasTemplate } from '../../template/language/template.js';

/** Variables that the run itself sets around some tasks. */
const SET_BY_RUN = ['ansible_facts', 'ansible_failed_task', 'ansible_failed_result', 'ansible_delegated_vars'];

/**
 * Finds certain failures that do not depend on the controllers' answers: undefined variables, invalid connection settings.
 * Evaluates what the run would evaluate, with the same code, and skips what is only known during the run. Contacts nothing, runs no
 * commands and reads no files but those of variables and certificates.
 */
export async function preflight(given: PreflightInput): Promise<readonly Finding[]> {
  const unset = new Set<string>();
  const current: CurrentController = { isAtSite: false };
  const library = previewLibrary(given.sources.library ?? BUILT_IN_LIBRARY, (name) => {
    // The worker that carries out the task may have the variable.
    if (current.isAtSite) throw new NotKnownYet(`the environment variable ${name}`);
    unset.add(name);
  });
  const input = { ...given, sources: { ...given.sources, library } };
  const run = runPreview(input, unset, current);
  const found: (readonly Finding[])[] = [];
  for (const target of input.selection.targets) {
    found.push(await new PlayPreview(run, target).findings());
  }
  return found.flat();
}

/** Creates the state that the previews of all plays share. */
export function runPreview(
  input: PreflightInput,
  unset: Set<string>,
  current: CurrentController = { isAtSite: false },
): RunPreview {
  const { identity, selection, sources, connections } = input;
  const shared = new LaterVariables(SET_BY_RUN);
  const secrets = new SecretFinder(sources.secrets, sources.inventory, hasTemplate);
  return {
    input,
    magic: {
      input: { ...input, identity: { ...identity, id: '' } },
      fleet: new Fleet(new LiveInventory(sources.inventory)),
    },
    connection: { ...connections, settingSources: withFilesOfSites(connections.settingSources, current), unset },
    current,
    start: new Start(selection.startAtTask),
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

/** A certificate that is not here may be on the machines of the controller's site. */
function withFilesOfSites({ readCa, ...others }: SettingSources, current: CurrentController): SettingSources {
  if (readCa === undefined) return others;
  const read = (file: string): string => {
    try {
      return readCa(file);
    } catch (error) {
      if (!current.isAtSite || !/^[/~]/.test(file)) throw error;
      return '-----BEGIN ';
    }
  };
  return { ...others, readCa: read };
}

/** Project helpers are not called, because they may have side effects; only their names and arguments are checked. */
function previewLibrary({ table, withheld }: Library, unset: (name: string) => void): Library {
  const own = table.helperNames().filter((name) => !BUILT_IN.has(name));
  return new Library(notCalling(own, table), withheld, { unset, readsLocal: false });
}

/** The table, with unknown results for these helpers. */
export function notCalling(names: Iterable<string>, table: HelperTable): HelperTable {
  const replaced = [...names].flatMap((name): (readonly [string, Helper])[] => {
    const helper = table.helper(name);
    const run = (): never => {
      throw new NotKnownYet(`the result of ${name}`);
    };
    return helper?.type === 'function' ? [[name, { ...helper, run }]] : [];
  });
  return table.with(new Map(replaced));
}
