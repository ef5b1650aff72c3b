import { Diagnostics, type Diagnostic } from '../core/model/source/diagnostic.js';
import type { Mapping } from '../core/model/values/value.js';
import { NO_EXEC } from '../core/programs/programs.js';
import { maskDiagnostics } from '../core/secrets/mask_source.js';
import { maskText } from '../core/secrets/mask_text.js';
import { Secrets } from '../core/secrets/secrets.js';
import { controllerVariables, restrict } from '../inventory/ansible_inventory.js';
import { loadTarget } from '../launch/load/target.js';
import type { TargetOptions } from './options.js';
import { inventoryRequest, InvalidInputError } from './request.js';

/** An inventory as it was understood. */
export interface LoadedInventory {
  /** By name, in the order of the inventory; with `limit`, only those that it selects. */
  readonly controllers: Readonly<Record<string, LoadedController>>;
  /** By name; `all` and `ungrouped` are among them. */
  readonly groups: Readonly<Record<string, LoadedGroup>>;
  readonly warnings: readonly Diagnostic[];
}

export interface LoadedController {
  /** Every group it belongs to, but `all`: weakest first. */
  readonly groups: readonly string[];
  /**
   * Variables of the inventory and `extraVars`; the strongest value wins. Templates are as written, and encrypted
   * values stay encrypted.
   */
  readonly variables: Mapping;
}

export interface LoadedGroup {
  /** Direct members. */
  readonly controllers: readonly string[];
  readonly children: readonly string[];
}

/**
 * Reads an inventory, as `evenkeel inventory` does. Contacts nothing.
 *
 * @throws InvalidInputError
 */
export async function loadInventory(options: TargetOptions = {}): Promise<LoadedInventory> {
  const request = inventoryRequest(options);
  const { cwd = process.cwd(), env = process.env } = options;
  const diagnostics = new Diagnostics();
  const secrets = new Secrets();
  const target = await loadTarget(request, { cwd, env, secrets }, diagnostics);
  diagnostics.raiseToErrors(NO_EXEC);
  const list = maskDiagnostics(diagnostics.list, (text) => maskText(text, secrets));
  if (diagnostics.failed()) throw new InvalidInputError(list);
  const { limit, extraVars } = target;
  const inventory = limit === undefined ? target.inventory : restrict(target.inventory, limit);
  const controllers = [...inventory.controllers].map(
    ([name, one]) => [name, { groups: one.groups, variables: controllerVariables(one, extraVars) }] as const,
  );
  const groups = [...inventory.groups].map(
    ([name, group]) => [name, { controllers: group.controllers, children: group.children }] as const,
  );
  return { controllers: Object.fromEntries(controllers), groups: Object.fromEntries(groups), warnings: list };
}
