import type { ForkCount } from '../core/model/run/choices.js';
import type { Event } from '../core/model/run/event.js';
import type { Mapping } from '../core/model/values/value.js';
import type { Module } from '../module/contract.js';

/** Where a program runs Evenkeel. */
export interface ProgramOptions {
  /** Default: the working directory of the process. File names are relative to it. */
  readonly cwd?: string;
  /** Default: the environment of the process, which the lookup `env` and commands of templates have in any case. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** An inventory as an object, with the content of a YAML inventory: groups by name. */
export type InventoryGroups = Readonly<Record<string, InventoryGroup | null>>;

export interface InventoryGroup {
  /** Variables by controller. */
  readonly hosts?: Readonly<Record<string, Mapping | null>>;
  readonly vars?: Mapping;
  readonly children?: InventoryGroups;
}

/** Which controllers, and with which variables. */
export interface TargetOptions extends ProgramOptions {
  /**
   * A file, folder, program or `host,host`; an object; or several of these, later ones being stronger. Default: that of
   * `evenkeel.yml`.
   */
  readonly inventory?: string | InventoryGroups | readonly (string | InventoryGroups)[];
  /** An environment of `evenkeel.yml`. It need not be confirmed: the program has decided. */
  readonly environment?: string;
  /** A pattern of controllers, or `@file`. */
  readonly limit?: string;
  readonly extraVars?: Mapping;
  /** `label@file` or `file`, besides those of `evenkeel.yml`; not `label@prompt`. */
  readonly vaultIds?: readonly string[];
}

/** Options of every run. */
export interface ConductOptions {
  /** Maximum number of controllers at once. Default: `forks` of `evenkeel.yml`, otherwise 50, or "auto" for a check. */
  readonly forks?: ForkCount;
  /** Maximum size of a registered value, in bytes. */
  readonly maxRegistered?: number;
  /** Simulated controllers in this process instead of the real ones. */
  readonly simulate?: boolean;
  /** `n.n.n`: the API versions that simulated controllers accept. Default: that of the inventory. */
  readonly apiVersions?: readonly string[];
  /**
   * The number of `-v`: with 1, events have the `values` of every task; with 3, `request-finished` is reported; with 4,
   * bodies.
   */
  readonly verbosity?: number;
  /** Waits while other runs hold locks on these controllers. Default: the run is refused. */
  readonly wait?: boolean;
  /** Why the program runs it, and the ticket it belongs to, for the history. */
  readonly reason?: string;
  readonly ticket?: string;
  /**
   * Each event as it happens, secrets masked. Warnings about what was loaded follow `run-started`. If it throws, the run ends as
   * with `signal`, and its promise rejects with that error.
   */
  readonly onEvent?: (event: Event) => void;
  /** When aborted, running writes finish, and nothing new starts. */
  readonly signal?: AbortSignal;
}

/** A new run. */
interface StartOptions extends TargetOptions, ConductOptions {
  /** Changes nothing, and reports what would change. */
  readonly check?: boolean;
  /** Modules as objects, besides those in files. */
  readonly modules?: readonly Module[];
  /** Folders and packages with modules, besides `modules` next to a playbook or `evenkeel.yml`. */
  readonly modulePath?: readonly string[];
  /**
   * False: the state folder is not used: no journal, and no state of simulated controllers. Such a run cannot be
   * resumed or rolled back.
   */
  readonly state?: boolean;
  /** `I/N`, `auto/N`: only this part of the controllers, while other machines have the other parts. */
  readonly shard?: string;
}

export interface RunPlaybookOptions extends StartOptions {
  /** Playbook files, relative to `cwd`. */
  readonly playbooks: readonly string[];
  /** Answers to `vars_prompt`, by variable. A prompt without an answer gets its default. */
  readonly answers?: Mapping;
  /** Only tasks with these tags. Absent: all; an empty list is refused. */
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
  /** The strategy of plays that set none. */
  readonly strategy?: 'host_pinned' | 'linear';
  /** The name, or a glob, of the first task to run. */
  readonly startAtTask?: string;
  /** Runs notified handlers even on controllers that failed. */
  readonly forceHandlers?: boolean;
}

export interface RunTaskOptions extends StartOptions {
  /** Controllers: names, groups, globs, `a:b`, `a:&b`, `a:!b`. */
  readonly pattern: string;
  /** The name of a module, or one as an object. */
  readonly module: string | Module;
  readonly args?: Mapping;
}

export interface ResumeOptions extends ProgramOptions, ConductOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  /** Resumes although playbooks, variables or the inventory have changed. */
  readonly force?: boolean;
  readonly vaultIds?: readonly string[];
  /** The modules that the run had as objects: they are not kept. */
  readonly modules?: readonly Module[];
}

/** Default: the inventory of the original run. */
export interface RollbackOptions extends TargetOptions, ConductOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  /** Changes nothing, and reports what would be restored. */
  readonly check?: boolean;
  /** Restores also what may lock Evenkeel out. */
  readonly allowLockout?: boolean;
  /** Rolls back a run of another machine, which is known to have ended. */
  readonly force?: boolean;
}
