import path from 'node:path';
import { resolveName } from '../../core/files/paths.js';
import { type Inventory, LOCALHOST_NAMES } from '../../core/model/inventory/inventory.js';
import type { Playbook } from '../../core/model/playbook/playbook.js';
import type { Shard } from '../../core/model/run/shard.js';
import type { Diagnostics, Source } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { SecretFinder } from '../../core/secrets/secret_finder.js';
import { Secrets } from '../../core/secrets/secrets.js';
import type { Library } from '../../language/library.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { ProjectSources } from '../../project/document/project_sources.js';
import { INVENTORY_OBJECT, type InventorySource, loadInventory } from '../../project/inventory/load.js';
import { type Environment, loadProject, type Project } from '../../project/project/project.js';
import { parseExtraVars, readExtraVarsFiles } from '../../project/variables/written_variables.js';
import { collectPasswords } from '../../project/vault/collect_passwords.js';
import type { Vault } from '../../project/vault/vault.js';
import type { Workspace } from '../request/invocation.js';
import type { RequestedTarget } from '../request/run_request.js';
import { readShard } from '../request/shard.js';
import type { UserCodeOptions } from '../user_code/user_files.js';
import { openLibrary } from '../user_code/user_filters.js';
import { collectLimits, inShard, selectLimited } from './limits.js';
import { type AskSecret, findPasswordSources, noAnswer } from './vault_passwords.js';

/** The controllers of a command: the inventory, the selected part of it, and its variables. */
export interface LoadedTarget {
  readonly project: Project;
  readonly environment: Environment | undefined;
  /** For people: the environment of `--env`, else the only one with this inventory. */
  readonly environmentName: string | undefined;
  readonly inventory: Inventory;
  readonly extraVars: readonly VariableLayer[];
  /** Absolute paths, and lists of names as they were given. */
  readonly inventorySources: readonly string[];
  /** `--limit` as it was given. */
  readonly limitPattern: string | undefined;
  /** The controllers of the shard within all limits. Absent: all controllers. */
  readonly limit: ReadonlySet<string> | undefined;
  /** Absent: this run has the whole fleet. */
  readonly shard: Shard | undefined;
  /** The controllers of all shards within all limits. Absent: no limit. */
  readonly limitOfAllShards: ReadonlySet<string> | undefined;
  /** The filters for templates: built-in ones and the project's. */
  readonly library: Library;
  readonly vault: Vault;
  /** What is read now and during the run. */
  readonly sources: ProjectSources | undefined;
  /** The known secrets: passwords and decrypted values. */
  readonly secrets: Secrets;
}

export interface LoadingWorkspace extends Workspace {
  /** Asks for vault passwords. Absent: the caller is a program, which cannot be asked. */
  readonly askSecret?: AskSecret | undefined;
  /** Known secrets. Reading adds to them. */
  readonly secrets?: Secrets;
  /** Absent: everything is read now, and nothing is recorded. */
  readonly sources?: ProjectSources | undefined;
}

/**
 * Precedence: options, the environment of `--env`, `EVENKEEL_*` variables, the project file.
 *
 * @param folders where filters may be besides the project's folder: those of the playbooks
 * @param workspace `mayLackInventory`: the caller calls `requireInventory` when it knows the playbooks; `isUnlimited`: the limit of the
 *   environment does not apply
 */
export async function loadTarget(
  options: RequestedTarget,
  workspace: LoadingWorkspace & { readonly mayLackInventory?: boolean; readonly isUnlimited?: boolean },
  diagnostics: Diagnostics,
  folders: readonly string[] = [],
): Promise<LoadedTarget> {
  const { cwd, env, sources, secrets = new Secrets(), askSecret: ask = noAnswer } = workspace;
  const project = await loadProject(cwd, env, diagnostics);
  const { trust, ansible, ofAnsible } = project;
  if (ofAnsible !== undefined) diagnostics.add([ofAnsible]);
  const code = { cwd, env, trust, ansible, diagnostics, onRead: sources?.noteCode };
  const filters = await openLibrary([...folders, project.directory], code);
  const environment = pickEnvironment(options.env, project, diagnostics);
  const passwords = findPasswordSources({ options, project, environment }, cwd, diagnostics);
  const vault = await collectPasswords(passwords, { cwd, env, ask, secrets, diagnostics });
  const shard = readShard(options.shard, env, diagnostics);
  const library = filters.with({
    inShard: shard !== undefined,
    cwd,
    secrets: { decrypt: (envelope) => vault.decryptText(envelope), learn: (secret) => secrets.add(secret) },
  });
  if (workspace.mayLackInventory !== true) requireInventory(options, { project, environment }, [], diagnostics);
  const read = await readTarget(options, { project, environment, library, vault, sources }, code);
  const { inventory, extraVars, inventorySources } = read;
  secrets.learnLater(() =>
    new SecretFinder(secrets, inventory, hasTemplate).learnFiles({ inventory, extraVars, plays: [] }),
  );
  const limiting = workspace.isUnlimited === true ? undefined : environment;
  const limits = { within: options.within, limits: collectLimits(options, limiting) };
  const limitOfAllShards = await selectLimited(inventory, limits, cwd, diagnostics);
  const limit = shard === undefined ? limitOfAllShards : inShard(limitOfAllShards, shard, inventory);
  const limitPattern = options.limit ?? options.within?.pattern;
  return {
    project,
    environment,
    inventory,
    inventorySources,
    extraVars,
    limit,
    limitPattern,
    library,
    vault,
    secrets,
    shard,
    limitOfAllShards,
    sources,
    environmentName: environment?.name ?? environmentWith(inventorySources, project, cwd),
  };
}

function environmentWith(sources: readonly string[], { environments }: Project, cwd: string): string | undefined {
  const list = (inventory: readonly string[]): string => JSON.stringify(inventory.map((one) => shownSource(one, cwd)));
  const known = JSON.stringify(sources);
  const same = [...environments.values()].filter(
    ({ inventory }) => inventory !== undefined && list(inventory) === known,
  );
  return same.length === 1 ? same[0]?.name : undefined;
}

type TargetReading = Pick<LoadedTarget, 'project' | 'environment' | 'library' | 'vault' | 'sources'>;
/** Reads the inventory and the extra variables. */
async function readTarget(
  options: RequestedTarget,
  { project, environment, library, vault, sources: from }: TargetReading,
  code: UserCodeOptions,
): Promise<Pick<LoadedTarget, 'inventory' | 'inventorySources' | 'extraVars'>> {
  const { cwd, diagnostics } = code;
  const services = { library: from?.lookups(library) ?? library, vault, sources: from, diagnostics };
  const ofEnvironment = (): Environment['extraVars'] => environment?.extraVars ?? [];
  const files = from?.recall('setting', 'extra_vars', ofEnvironment) ?? ofEnvironment();
  const sources = options.inventory ?? environment?.inventory ?? project.inventory;
  const extraVars = [
    ...(await readExtraVarsFiles(files, cwd, services)),
    ...(await parseExtraVars(options.extraVars ?? [], cwd, services)),
  ];
  const inventory = await loadInventory(sources ?? [], {
    ...code,
    place: inventoryPlace(options, environment, project),
    ...services,
    stateDirectory: project.stateDirectory,
    extraVars,
  });
  return { inventory, inventorySources: (sources ?? []).map((source) => shownSource(source, cwd)), extraVars };
}

/** Playbooks whose plays all run on this machine need no inventory. */
export function requireInventory(
  options: RequestedTarget,
  { project, environment }: Pick<LoadedTarget, 'project' | 'environment'>,
  playbooks: readonly Playbook[],
  diagnostics: Diagnostics,
): void {
  if ((options.inventory ?? environment?.inventory ?? project.inventory) !== undefined) return;
  if (hasMistakes(project, diagnostics)) return;
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  if (plays.length > 0 && plays.every(({ hosts }) => LOCALHOST_NAMES.includes(hosts.value.replace(/,$/, '')))) return;
  const named = [...project.environments.keys()];
  const hint =
    named.length === 0
      ? 'pass -i FILE, or name one in evenkeel.yml or EVENKEEL_INVENTORY'
      : `pass --env NAME (${named.join(', ')}) or -i FILE`;
  diagnostics.error('no inventory was given', undefined, hint);
}

/** Once its mistakes are corrected, the project file may name what is missing. */
function hasMistakes({ file, named }: Project, { list }: Diagnostics): boolean {
  // A file that is named and cannot be read has no place.
  return file === undefined
    ? named !== undefined
    : list.some(({ severity, source }) => severity === 'error' && source?.file === file);
}

export function shownSource(source: InventorySource, cwd: string): string {
  if (typeof source !== 'string') return INVENTORY_OBJECT;
  return source.includes(',') ? source : resolveName(cwd, source);
}

/** The position at which the inventory is named. */
export function inventoryPlace(
  { inventory }: RequestedTarget,
  environment: Environment | undefined,
  project: Project,
): Source | string | undefined {
  return inventory === undefined ? (environment?.inventoryPlace ?? project.inventoryPlace) : '-i';
}

/** The environment of `--env`. Undefined without `--env`, or if there is no such environment. */
export function pickEnvironment(
  name: string | undefined,
  project: Project,
  diagnostics: Diagnostics,
): Environment | undefined {
  if (name === undefined) return undefined;
  const environment = project.environments.get(name);
  const known = [...project.environments.keys()];
  if (environment === undefined && (known.length > 0 || !hasMistakes(project, diagnostics))) {
    const where =
      project.file === undefined
        ? 'there is no evenkeel.yml'
        : `${path.basename(project.file)} has ${known.length === 0 ? 'none' : known.join(', ')}`;
    diagnostics.error(
      `there is no environment "${name}" (${where})`,
      undefined,
      known.length === 0 ? 'environments are named there; "evenkeel init" writes one' : didYouMean(name, known),
    );
  }
  return environment;
}
