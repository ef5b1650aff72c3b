import type { Inventory } from '../core/model/inventory/inventory.js';
import type { Diagnostics } from '../core/model/source/diagnostic.js';
import type { VariableLayer } from '../core/model/values/variables.js';
import type { Secrets } from '../core/secrets/secrets.js';
import type { Library } from '../language/library.js';
import { collectLimits, selectLimited } from '../launch/load/limits.js';
import { inventoryPlace, pickEnvironment, type LoadingWorkspace } from '../launch/load/target.js';
import { findPasswordSources, noAnswer } from '../launch/load/vault_passwords.js';
import type { RequestedTarget, RunRequest } from '../launch/request/run_request.js';
import { loadInventory, type InventorySource, type LoadInventoryOptions } from '../project/inventory/load.js';
import type { Environment, Project } from '../project/project/project.js';
import { parseExtraVars, readExtraVarsFiles } from '../project/variables/extra_vars.js';
import { openVault } from '../project/vault/open_vault.js';
import type { Vault } from '../project/vault/vault.js';

/** What lint reads. */
export type LintFleetOptions = Omit<RequestedTarget, 'limit'> &
  Pick<RunRequest, 'modulePath'> & { readonly playbooks: readonly string[] };

/** The inventories that the playbooks may run against: all of the project, or the given ones. */
export interface Fleets {
  readonly inventories: readonly Inventory[];
  readonly extraVars: readonly VariableLayer[];
  /** The selected inventory, against which patterns of plays can be checked. */
  readonly inventory: Inventory | undefined;
  /** The vault for files that belong to no environment. */
  readonly vault: Vault;
}

interface LintSetting {
  readonly options: LintFleetOptions;
  readonly project: Project;
  readonly library: Library;
  readonly secrets: Secrets;
}

export async function readFleets(
  setting: LintSetting,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<Fleets> {
  const { options, project, library } = setting;
  const chosen = pickEnvironment(options.env, project, diagnostics);
  const inventories: Inventory[] = [];
  const extraVars: VariableLayer[] = [];
  for (const environment of chooseEnvironments(setting, chosen)) {
    const vault = await openFleetVault(setting, environment, workspace, diagnostics);
    const services = { library, vault };
    const sources = options.inventory ?? environment?.inventory ?? project.inventory;
    const place = inventoryPlace(options, environment, project);
    const where = { ...workspace, trust: project.trust, place, diagnostics };
    if (sources !== undefined) inventories.push(await readFleet(sources, environment, { ...where, ...services }));
    extraVars.push(...(await readExtraVarsFiles(environment?.extraVars ?? [], workspace.cwd, diagnostics, services)));
  }
  const vault = await openFleetVault(setting, chosen, workspace, diagnostics);
  extraVars.push(...(await parseExtraVars(options.extraVars ?? [], workspace.cwd, diagnostics, { library, vault })));
  const [first] = inventories;
  const isCompared = (options.inventory !== undefined || chosen !== undefined) && first?.partial !== true;
  return { inventories, extraVars, vault, inventory: isCompared ? first : undefined };
}

/** An inventory, and whether the environment's limit fits it. */
async function readFleet(
  sources: readonly InventorySource[],
  environment: Environment | undefined,
  reading: LoadInventoryOptions,
): Promise<Inventory> {
  const { diagnostics, cwd } = reading;
  const inventory = await loadInventory(sources, reading);
  await selectLimited(inventory, { within: undefined, limits: collectLimits({}, environment) }, cwd, diagnostics);
  return inventory;
}

/** Undefined: the inventory of the project or of the command line. */
function chooseEnvironments(
  { options, project }: LintSetting,
  chosen: Environment | undefined,
): readonly (Environment | undefined)[] {
  if (chosen !== undefined) return [chosen];
  return options.inventory === undefined ? [undefined, ...project.environments.values()] : [undefined];
}

/** Lint asks for a password only with `--ask-vault-pass`. */
function openFleetVault(
  { options, project, secrets }: LintSetting,
  environment: Environment | undefined,
  workspace: LoadingWorkspace,
  diagnostics: Diagnostics,
): Promise<Vault> {
  const sources = findPasswordSources({ options, project, environment }, workspace.cwd, diagnostics);
  const silent = sources.filter((source) => source.type !== 'prompt' || options.askVaultPass === true);
  const { askSecret: ask = noAnswer } = workspace;
  return openVault(silent, { ...workspace, secrets, diagnostics, ask });
}
