import { Diagnostics } from '../../model/source/diagnostic.js';
import type { Source } from '../../model/source/source.js';
import { sectionsOf, tasksIn } from '../../model/playbook/steps.js';
import { NO_EXEC } from '../../programs/programs.js';
import { mentions } from '../../run/remote/coordinator/shared_variables.js';
import { BUILT_IN } from '../../template/library/index.js';
import type { Allows } from '../../workers/nats/protocol/registry.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { isAllowed } from './allowed_modules.js';
import type { ExecutePorts, Objection } from '../prepare/execute_ports.js';
import { loadRequest } from '../prepare/prepare_run.js';
import type { RunSite } from './run_sites.js';

interface OfferedWorker {
  readonly site: string;
  readonly name: string;
  readonly allows?: Allows | undefined;
}

/** What workers must be allowed to do, as far as it is known before the run. An include may need more. */
export class SiteNeeds {
  private constructor(
    /** The first task with each module, by site. */
    private readonly modules: ReadonlyMap<string, ReadonlyMap<string, Source>>,
    /** Why the run cannot be loaded without project code. */
    private readonly code: { readonly message: string; readonly source?: Source | undefined } | undefined,
  ) {}

  static async of(run: PreparedRun, sites: ReadonlyMap<string, RunSite>, ports: ExecutePorts): Promise<SiteNeeds> {
    return new SiteNeeds(await modulesOf(run, sites), await codeOf(run, ports));
  }

  /** Why a worker is not allowed to work for the run; undefined: it is allowed. */
  objectionTo({ site, name, allows }: OfferedWorker): Objection | undefined {
    if (allows === undefined) return undefined;
    const worker = `worker ${site}/${name}`;
    const missing = [...(this.modules.get(site) ?? [])].filter(
      ([module]) => !isAllowed({ name: module }, allows.modules),
    );
    if (missing.length > 0) return moduleObjection(worker, missing, allows.modules);
    if (allows.code || this.code === undefined) return undefined;
    const { message, source } = this.code;
    return {
      message: `${worker} executes no code of projects: ${message}`,
      source,
      hint: 'start it with --allow-code',
    };
  }
}

/** Names all modules at once, so that the user restarts the worker only once. */
function moduleObjection(
  worker: string,
  missing: readonly (readonly [string, Source])[],
  allowed: readonly string[],
): Objection {
  const names = missing.map(([module]) => module);
  const options = names.map((module) => `--allow-module ${module}`).join(' ');
  return {
    message: `${worker} does not carry out ${names.join(', ')}: its --allow-module names ${allowed.join(', ')}`,
    source: missing[0]?.[1],
    hint: `start it with ${options} as well, if it may carry ${names.length === 1 ? 'that' : 'them'} out`,
  };
}

async function modulesOf(
  { loaded: { catalogue }, selected }: PreparedRun,
  sites: ReadonlyMap<string, RunSite>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Source>>> {
  const found = new Map<string, Map<string, Source>>();
  for (const [site, { plays }] of sites) {
    const modules = new Map<string, Source>();
    for (const { play, steps, checks } of selected) {
      if (!plays.has(play)) continue;
      for (const task of tasksIn([...steps, ...checks, ...play.handlers])) {
        const module = await catalogue.load(task.module).catch(() => undefined);
        if (module !== undefined && !modules.has(module.name)) modules.set(module.name, task.source);
      }
    }
    found.set(site, modules);
  }
  return found;
}

/** Loads the project again, as a worker without `--allow-code` does. */
async function codeOf(run: PreparedRun, { cwd, env }: ExecutePorts): Promise<SiteNeeds['code']> {
  if (!mayNeedCode(run)) return undefined;
  const { vault, secrets } = run.loaded.target;
  const diagnostics = new Diagnostics();
  const inputs = { vaultPasswords: vault.passwords, vaultRules: vault.rules };
  const workspace = { cwd, env: { ...env, EVENKEEL_NO_EXEC: '1' }, secrets, inputs };
  await loadRequest(run.request, workspace, diagnostics);
  diagnostics.raiseToErrors(NO_EXEC);
  return diagnostics.list.find(({ severity }) => severity === 'error');
}

function mayNeedCode({ loaded: { target, playbooks, code, reads } }: PreparedRun): boolean {
  const steps = playbooks.flatMap(({ plays }) => plays.flatMap((play) => [...sectionsOf(play), ...play.handlers]));
  return (
    (code?.files.size ?? 0) > 0 ||
    reads.programs.size > 0 ||
    [...target.library.table.helperNames()].some((name) => !BUILT_IN.has(name)) ||
    steps.some((step) => mentions(step, 'pipe') || mentions(step, 'lines'))
  );
}
