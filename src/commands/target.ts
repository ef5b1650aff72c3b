import path from 'node:path';
import { parseExtraVars, readExtraVarsFiles } from '../load/extra_vars.js';
import { loadInventory } from '../load/inventory/load.js';
import { readLimit } from '../load/limit.js';
import { loadProject, type Environment, type Project } from '../load/project.js';
import type { Diagnostics } from '../model/diagnostic.js';
import type { Inventory } from '../model/inventory.js';
import { selectControllers } from '../model/pattern.js';
import { didYouMean } from '../model/suggestion.js';
import type { VariableLayer } from '../model/variables.js';
import type { Library } from '../template/library.js';
import type { CommandContext } from './context.js';
import { openLibrary } from './own_helpers.js';
import type { TargetOptions } from './options.js';

/** Whom a command is about: the inventory, what of it was selected, and the variables that come with it. */
export interface Target {
  readonly project: Project;
  readonly environment: Environment | undefined;
  readonly inventory: Inventory;
  readonly extraVars: readonly VariableLayer[];
  /** Absent: no limit. */
  readonly limit: ReadonlySet<string> | undefined;
  /** What templates may call: the built-in helpers and the project's own. */
  readonly library: Library;
}

/**
 * Options beat `EVENKEEL_*` variables, these the environment of `--env`, and that the project file.
 *
 * @param folders where helpers may lie besides the project's folder: those of the playbooks
 */
export async function loadTarget(
  options: TargetOptions,
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
  diagnostics: Diagnostics,
  folders: readonly string[] = [],
): Promise<Target> {
  const project = await loadProject(cwd, env, diagnostics);
  const library = await openLibrary([...folders, project.directory], cwd, diagnostics);
  const environment = pickEnvironment(options.env, project, diagnostics);
  const sources = options.inventory ?? environment?.inventory ?? project.inventory;
  if (sources === undefined) {
    diagnostics.error(
      'no inventory was given',
      undefined,
      'pass -i FILE, or name one in evenkeel.yml or EVENKEEL_INVENTORY',
    );
  }
  const inventory = await loadInventory(sources ?? [], { cwd, env, diagnostics, library });
  const extraVars = [
    ...(await readExtraVarsFiles(environment?.extraVars ?? [], cwd, diagnostics, library)),
    ...(await parseExtraVars(options.extraVars ?? [], cwd, diagnostics, library)),
  ];
  const limit = await select(inventory, limitsOf(options, environment), cwd, diagnostics);
  return { project, environment, inventory, extraVars, limit, library };
}

function pickEnvironment(
  name: string | undefined,
  project: Project,
  diagnostics: Diagnostics,
): Environment | undefined {
  if (name === undefined) return undefined;
  const environment = project.environments.get(name);
  if (environment === undefined) {
    const known = [...project.environments.keys()];
    const where = project.file === undefined ? 'there is no evenkeel.yml' : path.basename(project.file);
    diagnostics.error(
      `there is no environment "${name}" (${known.length === 0 ? where : `${where} has ${known.join(', ')}`})`,
      undefined,
      didYouMean(name, known),
    );
  }
  return environment;
}

interface Limit {
  /** For messages: who set it, and with the pattern. */
  readonly title: string;
  readonly shown: string;
  readonly pattern: string;
}

function limitsOf(options: TargetOptions, environment: Environment | undefined): readonly Limit[] {
  const limits: Limit[] = [];
  if (environment?.limit !== undefined) {
    const of = `of the environment "${environment.name}"`;
    const pattern = environment.limit;
    limits.push({ title: `the limit ${of}`, shown: `the limit "${pattern}" ${of}`, pattern });
  }
  if (options.limit !== undefined) {
    limits.push({ title: '--limit', shown: `--limit "${options.limit}"`, pattern: options.limit });
  }
  return limits;
}

/** What every limit selects: `--limit` can narrow an environment's own, never widen it. */
async function select(
  inventory: Inventory,
  limits: readonly Limit[],
  cwd: string,
  diagnostics: Diagnostics,
): Promise<ReadonlySet<string> | undefined> {
  let selected: Set<string> | undefined;
  for (const { title, shown, pattern: written } of limits) {
    const pattern = await readLimit(written, cwd, diagnostics);
    if (pattern === undefined) continue;
    const { names, unmatched, error } = selectControllers(inventory, pattern);
    if (error !== undefined) diagnostics.error(`${title}: ${error}`);
    for (const term of unmatched) diagnostics.warn(`${title}: "${term}" matches no controller of the inventory`);
    if (error !== undefined) continue;
    const before = selected;
    selected = new Set(before === undefined ? names : names.filter((name) => before.has(name)));
    if (names.length === 0) diagnostics.error(`${shown} selects no controller`);
    else if (selected.size === 0) diagnostics.error(`${shown} selects no controller of this environment`);
  }
  return selected;
}
