import { removedText } from '../core/model/removed.js';
import type { Event, RunFinished, TaskFinished } from '../core/model/run/event.js';
import type { Diagnostic } from '../core/model/source/diagnostic.js';
import { placeText } from '../core/model/source/source.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { jsonText, parseJson } from '../core/model/values/json.js';
import { isMapping } from '../core/model/values/value.js';
import { requestProblems } from '../launch/request/invocation.js';
import { runOptions, type RunOptions, type RunRequest } from '../launch/request/run_request.js';
import type { InventorySource } from '../project/inventory/load.js';
import type {
  ConductOptions,
  ResumeOptions,
  RollbackOptions,
  RunPlaybookOptions,
  RunTaskOptions,
  TargetOptions,
} from './options.js';

type Names<T> = { readonly [K in keyof T]-?: true };

const TARGET: Names<TargetOptions> = {
  ...{ cwd: true, env: true, inventory: true, environment: true, limit: true, extraVars: true, vaultIds: true },
};
const CONDUCT: Names<ConductOptions> = {
  ...{ forks: true, maxRegistered: true, simulate: true, apiVersions: true, verbosity: true, wait: true },
  ...{ reason: true, ticket: true, onEvent: true, signal: true },
};
const START = {
  ...TARGET,
  ...CONDUCT,
  check: true,
  modules: true,
  modulePath: true,
  state: true,
  shard: true,
} as const;

/** The options of each function: a program in JavaScript may misspell one. */
const OPTION_NAMES = {
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
  const command = { type: 'run', playbooks: options.playbooks } as const;
  return checked('runPlaybook', options, { command });
}

export function taskRequest(options: RunTaskOptions): RunRequest {
  const { pattern, module, args = {} } = options;
  const name = typeof module === 'string' ? module : module.name;
  const command = { type: 'task', pattern, module: name, args: jsonText(args) } as const;
  return checked('runTask', options, { command });
}

export function resumeRequest(options: ResumeOptions): RunOptions {
  return checked('resume', options, {});
}

export function rollbackRequest(options: RollbackOptions): RunOptions {
  return checked('rollback', options, {});
}

export function inventoryRequest(options: TargetOptions): RunOptions {
  return checked('loadInventory', options, {});
}

/** The options by their names in a request. A program is asked nothing: it has confirmed its environment. */
function checked<T extends object>(
  caller: keyof typeof OPTION_NAMES,
  options: TargetOptions & ConductOptions,
  own: T,
): RunOptions & T {
  const { inventory, environment: env, extraVars, vaultIds: vaultId, apiVersions: apiVersion } = options;
  const renamed = {
    ...{ env, vaultId, apiVersion, yes: true },
    inventory: inventory === undefined ? undefined : inventorySources(inventory),
    extraVars: extraVars && [jsonText(extraVars)],
  };
  const request = { ...runOptions({ ...options, ...renamed }), ...own };
  const problems = [...unknownOptions(caller, options), ...requestProblems(request)];
  if (problems.length > 0) throw new InvalidInputError(problems.map((message) => ({ severity: 'error', message })));
  return request;
}

function unknownOptions(caller: keyof typeof OPTION_NAMES, options: object): readonly string[] {
  const known = Object.keys(OPTION_NAMES[caller]);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const removed = removedText(name);
    if (removed !== undefined) return removed;
    const hint = didYouMean(name, known);
    return `${caller} has no option "${name}"${hint === undefined ? '' : ` (${hint})`}`;
  });
}

function inventorySources(inventory: NonNullable<TargetOptions['inventory']>): readonly InventorySource[] {
  return [inventory].flat().map((source) => (typeof source === 'string' ? source : inlineSource(source)));
}

/** As plain data, without values that JSON cannot contain. A program in JavaScript may give anything. */
function inlineSource(groups: object): InventorySource {
  const data: unknown = parseJson(jsonText(groups));
  if (isMapping(data)) return data;
  const message = 'option "inventory" must be texts, or mappings of groups by name';
  throw new InvalidInputError([{ severity: 'error', message }]);
}

/**
 * The content of the event `run-finished`, and warnings from before the run. Failed controllers are part of the result,
 * never an exception.
 */
export interface RunResult extends RunFinished {
  /** Warnings of loading, with secrets masked. */
  readonly warnings: readonly Diagnostic[];
}

export interface TaskResult extends RunResult {
  /** The result of the task, by controller. */
  readonly tasks: Readonly<Record<string, TaskFinished>>;
}

/** Its `run` is empty if there was nothing to restore. */
export interface RollbackResult extends RunResult {
  readonly notRestored: readonly NotRestored[];
}

export interface NotRestored {
  readonly controller: string;
  /** Absent: the whole controller. */
  readonly object?: string;
  /** Worded to follow the object or controller: `was created: a rollback deletes nothing`. */
  readonly reason: string;
}

/**
 * A run that has started: a promise of its result, and its events for `for await`. Events before the loop are not kept,
 * so begin the loop at once. Leaving the loop does not end the run; the option `signal` does.
 */
export interface Run<R extends RunResult = RunResult> extends Promise<R>, AsyncIterable<Event> {}

/** The input is invalid. No controller was contacted. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(describe).join('\n'));
  }
}

function describe({ message, source, hint }: Diagnostic): string {
  const place = source === undefined ? '' : `${placeText(source)}: `;
  return `${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
}
