import type { Inventory } from '../../core/model/inventory/inventory.js';
import type { Routes } from '../../core/model/inventory/route.js';
import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { Addresses, type EqualAddresses } from '../../engine/preflight/addresses.js';
import { previewLibrary } from '../../engine/preflight/preview_library.js';
import type { Library } from '../../language/library.js';
import { displayPlace } from '../../reporting/text/source_files.js';
import { grouped } from '../../reporting/text/words.js';
import { variablesInFiles } from './controller_identity.js';

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
