import { settingIdentity } from '../../controller/settings/url.js';
import { magicLayer, type Controller, type Inventory } from '../../core/model/inventory/inventory.js';
import type { Routes } from '../../core/model/inventory/route.js';
import { LoadError, orElse, type Diagnostic } from '../../core/model/source/diagnostic.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { Addresses, type EqualAddresses } from '../../engine/preflight/addresses.js';
import { previewLibrary } from '../../engine/preflight/preview_library.js';
import type { Library } from '../../language/library.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { Variables } from '../../language/scope.js';
import { displayPlace } from '../../reporting/text/source_files.js';
import { grouped } from '../../reporting/text/words.js';
import type { LoadedTarget } from './target.js';

/** The variables of a controller before a run, as far as its files show them. */
export function variablesInFiles(
  controller: Controller,
  layers: readonly VariableLayer[],
  playbookDirectory: string,
  { extraVars, library }: { readonly extraVars: readonly VariableLayer[]; readonly library: Library },
): Variables {
  const own = magicLayer(controller, { playbook_dir: playbookDirectory });
  return new Variables([...layers, ...extraVars, own], undefined, undefined, library);
}

/**
 * The identity of a controller; undefined if it is not known yet or invalid, which the run reports when it reaches the
 * controller.
 *
 * @param layers of its inventory and its play
 */
export function identityInFiles(
  controller: Controller,
  layers: readonly VariableLayer[],
  playbookDirectory: string,
  { extraVars, library, project }: Pick<LoadedTarget, 'extraVars' | 'library' | 'project'>,
): string | undefined {
  const variables = variablesInFiles(controller, layers, playbookDirectory, { extraVars, library });
  return orElse(
    undefined,
    () => settingIdentity((name) => variables.get(name), controller.name, project.routes),
    TemplateError,
    LoadError,
  );
}

const MOST_NAMES = 4;

/** Names the controllers, and the lines with their addresses. */
export function equalAddressError({ address, names }: EqualAddresses, cwd: string): Diagnostic {
  const shown = names.slice(0, MOST_NAMES).map(({ name, locate }) => ({ name, source: locate() }));
  const written = shown.map(({ name, source }) =>
    source === undefined ? name : `${name} (${displayPlace(source, cwd)})`,
  );
  const last = names.length > MOST_NAMES ? `${grouped(names.length - MOST_NAMES)} more` : (written.pop() ?? '');
  return {
    severity: 'error',
    message: `${written.join(', ')} and ${last} have the same address ${address}: what is meant for one would be written to ${names.length > 2 ? 'another' : 'the other'}`,
    source: shown.findLast(({ source }) => source !== undefined)?.source,
    hint: 'correct the address of one of them; if they are names of one controller, set controller_shared: true for each',
  };
}

interface AddressOptions {
  readonly cwd: string;
  readonly routes: Routes;
  readonly extraVars?: readonly VariableLayer[];
  /** Absent: all. */
  readonly selected?: ReadonlySet<string> | undefined;
}

/** The errors of the selected controllers of an inventory, as far as it says where they are. Executes nothing. */
export function equalAddressErrors(
  inventory: Inventory,
  given: Library,
  { cwd, routes, extraVars = [], selected }: AddressOptions,
): readonly Diagnostic[] {
  const library = previewLibrary(given, () => undefined);
  const addresses = new Addresses(routes, library);
  for (const controller of inventory.controllers.values()) {
    const variables = variablesInFiles(controller, controller.layers, cwd, { extraVars, library });
    addresses.add(controller.name, variables, selected?.has(controller.name) !== false);
  }
  return addresses.equal.map((one) => equalAddressError(one, cwd));
}
