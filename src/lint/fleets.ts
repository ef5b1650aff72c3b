import path from 'node:path';
import { fileTypeAt, namesIn } from '../core/files/paths.js';
import { LOCALHOST_NAMES, type Inventory } from '../core/model/inventory/inventory.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { nearestName } from '../core/model/source/suggestion.js';
import type { VariableLayer } from '../core/model/values/variables.js';
import type { Secrets } from '../core/secrets/secrets.js';
import type { Library } from '../language/library.js';
import { collectLimits, selectLimited } from '../launch/load/limits.js';
import { inventoryPlace, pickEnvironment, type LoadingWorkspace } from '../launch/load/target.js';
import { findPasswordSources, noAnswer } from '../launch/load/vault_passwords.js';
import type { RequestedTarget, RunRequest } from '../launch/request/run_request.js';
import { loadInventory, type InventorySource, type LoadInventoryOptions } from '../project/inventory/load.js';
import { GROWING } from '../project/keywords/modules.js';
import type { Environment, Project } from '../project/project/project.js';
import { SUFFIXES } from '../project/role/files.js';
import { parseExtraVars, readExtraVarsFiles } from '../project/variables/written_variables.js';
import { collectPasswords, type PasswordServices } from '../project/vault/collect_passwords.js';
import { passwordKey } from '../project/vault/passwords.js';
import type { Vault } from '../project/vault/vault.js';
import type { LintSubject } from './subject/subject.js';

export type LintFleetOptions = Omit<RequestedTarget, 'limit'> &
  Pick<RunRequest, 'modulePath'> & { readonly playbooks: readonly string[] };

/** The inventories that the playbooks may run against: all of the project, or the given ones. */
export interface Fleets {
  readonly inventories: readonly Inventory[];
  readonly extraVars: readonly VariableLayer[];
  /** The selected inventory, against which patterns of plays can be checked. */
  readonly inventory: Inventory | undefined;
  /** The vault for files that belong to no environment: it has the passwords of all that are read. */
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
  const environments = chooseEnvironments(setting, chosen);
  const services = { ...workspace, given: new Map<string, Buffer>() };
  for (const environment of environments) {
    const vault = await openFleetVault(setting, [environment], services, diagnostics);
    const sources = options.inventory ?? environment?.inventory ?? project.inventory;
    const place = inventoryPlace(options, environment, project);
    const where = { ...workspace, trust: project.trust, place, diagnostics };
    if (sources !== undefined) inventories.push(await readFleet(sources, environment, { ...where, library, vault }));
    extraVars.push(
      ...(await readExtraVarsFiles(environment?.extraVars ?? [], workspace.cwd, { library, vault, diagnostics })),
    );
  }
  // What is wrong with its passwords has been reported.
  const vault = await openFleetVault(setting, environments, services, new Diagnostics());
  extraVars.push(...(await parseExtraVars(options.extraVars ?? [], workspace.cwd, { diagnostics, library, vault })));
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
  environments: readonly (Environment | undefined)[],
  workspace: LoadingWorkspace & Pick<PasswordServices, 'given'>,
  diagnostics: Diagnostics,
): Promise<Vault> {
  const sources = environments.flatMap((environment) =>
    findPasswordSources({ options, project, environment }, workspace.cwd, diagnostics),
  );
  const distinct = new Map(sources.map((source) => [passwordKey(source), source]));
  const silent = [...distinct.values()].filter((source) => source.type !== 'prompt' || options.askVaultPass === true);
  const { askSecret: ask = noAnswer } = workspace;
  return collectPasswords(silent, { ...workspace, secrets, diagnostics, ask });
}

/**
 * Warns about files of `group_vars` and `host_vars` with a name that resembles that of a group or controller. A run ignores
 * them, as Ansible does, so a typo goes unnoticed. Other unknown names may be in an inventory that lint does not know.
 *
 * @param subject its inventories are all of the project
 * @param folders those of the playbooks
 */
export function warnUnusedVariables(
  { inventories, modules, complete }: LintSubject,
  folders: readonly string[],
  cwd: string,
  diagnostics: Diagnostics,
): void {
  const isKnown = complete && !GROWING.some((name) => modules.has(name));
  if (!isKnown || inventories.length === 0 || inventories.some(({ partial }) => partial === true)) return;
  const controllers = inventories.flatMap((one) => [...one.controllers.values()]);
  const directories = controllers.flatMap(({ directory }) => directory ?? []);
  const groups = inventories.flatMap((one) => [...one.groups.keys()]);
  const kinds = [
    { kind: 'group_vars', what: 'group', known: new Set(groups) },
    {
      kind: 'host_vars',
      what: 'controller',
      known: new Set([...controllers.map(({ name }) => name), ...LOCALHOST_NAMES]),
    },
  ];
  for (const folder of new Set([...folders, ...directories]))
    for (const { kind, what, known } of kinds)
      for (const entry of namesIn(path.join(folder, kind))) {
        const file = path.join(folder, kind, entry);
        const name = nameFor(file);
        if (name === undefined || known.has(name) || known.has(entry)) continue;
        const nearest = nearestName(name, [...known]);
        if (nearest === undefined) continue;
        const message = `${path.relative(cwd, file)} has no effect: no inventory of the project has a ${what} "${name}"`;
        diagnostics.warn(message, undefined, `did you mean "${nearest}"?`);
      }
}

/** The group or controller of a file or folder of variables; undefined for other files. */
function nameFor(file: string): string | undefined {
  const { base, name, ext } = path.parse(file);
  if (base.startsWith('.')) return undefined;
  if (SUFFIXES.includes(ext)) return name;
  return ext === '' || fileTypeAt(file) === 'folder' ? base : undefined;
}
