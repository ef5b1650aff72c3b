import { randomBytes } from 'node:crypto';
import type { LoadedRun } from '../load/load_run.js';
import type { ExecutionOptions, RunOptions } from './options.js';
import type { Command, Invocation, SavedAnswer } from './invocation.js';

/** How a run was asked for. */
export interface Request {
  readonly command: Command;
  readonly options: Omit<ExecutionOptions, 'verbosity'> &
    Pick<RunOptions, 'tags' | 'skipTags' | 'strategy' | 'startAtTask' | 'step' | 'forceHandlers'>;
  readonly loaded: LoadedRun;
  readonly answers: readonly SavedAnswer[];
  readonly cwd: string;
}

/** What it takes to ask for the same run again, wherever that happens: what variables and the project file said is filled in. */
export function invocationOf({ command, options, loaded, answers, cwd }: Request): Invocation {
  const { project, environment, limit, limitPattern, library } = loaded.target;
  return withoutAbsent({
    cwd,
    fingerprintKey: randomBytes(32).toString('base64url'),
    command,
    config: project.named,
    noExec: library.withheld === undefined ? undefined : true,
    inventory: options.inventory ?? environment?.inventory ?? project.inventory,
    env: options.env,
    limit: limitPattern,
    limitedTo: limit && [...limit],
    extraVars: options.extraVars,
    vaultId: options.vaultId,
    vaultPasswordFile: options.vaultPasswordFile,
    askVaultPass: options.askVaultPass,
    modulePath: options.modulePath ?? project.modulePaths,
    tags: options.tags,
    skipTags: options.skipTags,
    forks: options.forks ?? project.forks,
    maxRegistered: options.maxRegistered ?? project.maxRegistered,
    strategy: options.strategy ?? project.strategy,
    startAtTask: options.startAtTask,
    step: options.step,
    forceHandlers: options.forceHandlers,
    check: options.check,
    diff: options.diff,
    simulate: options.simulate,
    apiVersion: options.apiVersion,
    user: options.user,
    askPass: options.askPass,
    answers: [...answers],
  });
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** What is absent has no place in a file. */
function withoutAbsent<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}
