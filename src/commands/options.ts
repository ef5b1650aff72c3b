/** What to run against, shared by every command that takes an inventory. Absent: the environment variable's or the project file's. */
export interface TargetOptions {
  readonly inventory?: readonly string[];
  readonly env?: string;
  readonly limit?: string;
  readonly extraVars?: readonly string[];
}

export type OutputName = 'live' | 'lines' | 'json' | 'quiet';

/** How `run` and `task` execute. */
export interface ExecutionOptions extends TargetOptions {
  readonly check?: boolean;
  readonly diff?: DiffMode;
  readonly forks?: number;
  readonly output?: OutputName;
  readonly verbosity: number;
  readonly detailedExitcode?: boolean;
  readonly simulate?: boolean;
  readonly yes?: boolean;
  readonly user?: string;
  readonly askPass?: boolean;
  readonly modulePath?: readonly string[];
  readonly color?: boolean;
}

export type DiffMode = 'auto' | 'host' | 'fleet';

export interface RunOptions extends ExecutionOptions {
  readonly playbooks: readonly string[];
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
  readonly strategy?: 'host_pinned' | 'linear' | 'free';
  readonly listHosts?: boolean;
  readonly listTasks?: boolean;
  readonly listTags?: boolean;
  readonly syntaxCheck?: boolean;
}

export interface TaskOptions extends ExecutionOptions {
  readonly pattern: string;
  readonly module: string;
  readonly args?: string;
}
