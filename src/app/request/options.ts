/** Where the passwords of encrypted files and values come from, besides the project file. */
export interface VaultOptions {
  /** `label@prompt`, `label@file` or `file`. */
  readonly vaultId?: readonly string[] | undefined;
  readonly vaultPasswordFile?: readonly string[] | undefined;
  readonly askVaultPass?: boolean | undefined;
}

/** What to run against, shared by every command that takes an inventory. Absent: the environment variable's or the project file's. */
export interface TargetOptions extends VaultOptions {
  readonly inventory?: readonly string[] | undefined;
  readonly env?: string | undefined;
  readonly limit?: string | undefined;
  /** In place of an environment's limit: whom an earlier run was for. `limit` can narrow it. */
  readonly within?: Within | undefined;
  readonly extraVars?: readonly string[] | undefined;
}

export interface Within {
  readonly controllers: readonly string[];
  /** The `--limit` of that run. */
  readonly pattern?: string | undefined;
}

export type OutputName = 'live' | 'lines' | 'json' | 'quiet';

/** How `run` and `task` execute. */
export interface ExecutionOptions extends TargetOptions {
  readonly check?: boolean | undefined;
  readonly diff?: DiffMode | undefined;
  readonly forks?: number | undefined;
  /** In bytes. */
  readonly maxRegistered?: number | undefined;
  readonly output?: OutputName | undefined;
  readonly verbosity: number;
  readonly detailedExitcode?: boolean | undefined;
  readonly simulate?: boolean | undefined;
  /** What simulated controllers speak. */
  readonly apiVersion?: readonly string[] | undefined;
  readonly yes?: boolean | undefined;
  readonly wait?: boolean | undefined;
  readonly user?: string | undefined;
  readonly askPass?: boolean | undefined;
  readonly modulePath?: readonly string[] | undefined;
  readonly color?: boolean | undefined;
}

/** The options of a run. */
export type RunSettings = ExecutionOptions &
  Pick<RunOptions, 'tags' | 'skipTags' | 'strategy' | 'startAtTask' | 'step' | 'forceHandlers'>;

export type DiffMode = 'auto' | 'host' | 'fleet';

export interface RunOptions extends ExecutionOptions {
  readonly playbooks: readonly string[];
  /** `RUN` or `RUN:failed,unstarted`: the run to repeat where it did not succeed. */
  readonly rerun?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly skipTags?: readonly string[] | undefined;
  readonly strategy?: 'host_pinned' | 'linear' | 'free' | undefined;
  readonly startAtTask?: string | undefined;
  readonly step?: boolean | undefined;
  readonly forceHandlers?: boolean | undefined;
  readonly listHosts?: boolean | undefined;
  readonly listTasks?: boolean | undefined;
  readonly listTags?: boolean | undefined;
  readonly syntaxCheck?: boolean | undefined;
}

/** Options that may differ when a run is resumed. */
export interface ResumeOptions
  extends
    VaultOptions,
    Pick<
      ExecutionOptions,
      | 'forks'
      | 'maxRegistered'
      | 'output'
      | 'verbosity'
      | 'diff'
      | 'detailedExitcode'
      | 'simulate'
      | 'apiVersion'
      | 'yes'
      | 'wait'
      | 'user'
      | 'askPass'
      | 'color'
    > {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  /** Resume even if the playbooks, variables or inventory have changed. */
  readonly force?: boolean | undefined;
}

export interface TaskOptions extends ExecutionOptions {
  readonly pattern: string;
  readonly module: string;
  readonly args?: string | undefined;
}
