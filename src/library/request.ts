import { requestProblems } from '../app/request/invocation.js';
import type { RunOptions, RunRequest } from '../app/request/run_request.js';
import type { InventorySource } from '../load/inventory/load.js';
import { didYouMean } from '../model/source/suggestion.js';
import { isMapping } from '../model/values/value.js';
import type {
  ConductOptions,
  ResumeOptions,
  RollbackOptions,
  RunPlaybookOptions,
  RunTaskOptions,
  TargetOptions,
} from './options.js';
import { InvalidInputError } from './result.js';

type Names<T> = { readonly [K in keyof T]-?: true };

const TARGET: Names<TargetOptions> = {
  ...{ cwd: true, env: true, inventory: true, environment: true, limit: true, extraVars: true, vaultIds: true },
};
const CONDUCT: Names<ConductOptions> = {
  ...{ forks: true, maxRegistered: true, simulate: true, apiVersions: true, verbosity: true, wait: true },
  ...{ reason: true, ticket: true, onEvent: true, signal: true },
};
const START = { ...TARGET, ...CONDUCT, check: true, modules: true, modulePath: true, state: true } as const;

/** The options of each function: a program in JavaScript may misspell one. */
const NAMES = {
  loadInventory: TARGET,
  runPlaybook: {
    ...{ ...START, playbooks: true, answers: true, tags: true, skipTags: true },
    ...{ strategy: true, startAtTask: true, forceHandlers: true },
  } satisfies Names<RunPlaybookOptions>,
  runTask: { ...START, pattern: true, module: true, args: true } satisfies Names<RunTaskOptions>,
  resume: {
    ...{ ...CONDUCT, cwd: true, env: true, run: true, force: true, vaultIds: true, modules: true },
  } satisfies Names<ResumeOptions>,
  rollback: { ...TARGET, ...CONDUCT, run: true, check: true, allowLockout: true } satisfies Names<RollbackOptions>,
};

/** Throws an `InvalidInputError` if an option is unknown or has a wrong value. */
export function playbookRequest(options: RunPlaybookOptions): RunRequest {
  const { playbooks, tags, skipTags, strategy, startAtTask, forceHandlers } = options;
  const own = { ...startOf(options), tags, skipTags, strategy, startAtTask, forceHandlers };
  return checked('runPlaybook', options, { ...own, command: { type: 'run', playbooks } });
}

export function taskRequest(options: RunTaskOptions): RunRequest {
  const { pattern, module, args = {} } = options;
  const name = typeof module === 'string' ? module : module.name;
  const command = { type: 'task', pattern, module: name, args: JSON.stringify(args) } as const;
  return checked('runTask', options, { ...startOf(options), command });
}

export function resumeRequest(options: ResumeOptions): RunOptions {
  return checked('resume', options, {});
}

export function rollbackRequest(options: RollbackOptions): RunOptions {
  return checked('rollback', options, { check: options.check });
}

export function inventoryRequest(options: TargetOptions): RunOptions {
  return checked('loadInventory', options, {});
}

function startOf({ check, modulePath, state }: RunPlaybookOptions | RunTaskOptions): RunOptions {
  return { check, modulePath, state };
}

/** Adds to `own` what several functions take. */
function checked<T extends RunOptions>(
  caller: keyof typeof NAMES,
  options: TargetOptions & ConductOptions,
  own: T,
): RunOptions & T {
  const { inventory, environment: env, limit, extraVars, vaultIds: vaultId, apiVersions: apiVersion } = options;
  const { forks, maxRegistered, simulate, verbosity, wait, reason, ticket } = options;
  const request = {
    ...{ forks, maxRegistered, simulate, verbosity, wait, reason, ticket, env, limit, vaultId, apiVersion, yes: true },
    inventory: inventory && sourcesOf(inventory),
    extraVars: extraVars && [JSON.stringify(extraVars)],
    ...own,
  };
  const problems = [...unknownOptions(caller, options), ...requestProblems(request)];
  if (problems.length > 0) throw new InvalidInputError(problems.map((message) => ({ severity: 'error', message })));
  return request;
}

function unknownOptions(caller: keyof typeof NAMES, options: object): readonly string[] {
  const known = Object.keys(NAMES[caller]);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const hint = didYouMean(name, known);
    return `${caller} has no option "${name}"${hint === undefined ? '' : ` (${hint})`}`;
  });
}

function sourcesOf(inventory: NonNullable<TargetOptions['inventory']>): readonly InventorySource[] {
  return [inventory].flat().map((source) => (typeof source === 'string' ? source : dataOf(source)));
}

/** As plain data: without what JSON cannot hold. */
function dataOf(groups: object): InventorySource {
  const data: unknown = JSON.parse(JSON.stringify(groups));
  return isMapping(data) ? data : {};
}
