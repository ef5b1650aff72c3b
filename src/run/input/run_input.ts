import type { Route } from '../../controller/transport/route.js';
import type { SettingSources } from '../../controller/settings/settings.js';
import type { ConnectionSettings } from '../../model/inventory/connection.js';
import type { Event } from '../../model/run/event.js';
import type { Inventory } from '../../model/inventory/inventory.js';
import type { Journal } from '../../model/run/journal.js';
import type { PlanGuide, PlanMaker } from '../../model/run/plan.js';
import type { Play, Playbook, StrategyName } from '../../model/playbook/playbook.js';
import type { Secrets } from '../../secrets/secrets.js';
import type { OpenWrittenSecrets } from '../../model/run/written_secrets.js';
import type { OpenSession } from '../../model/run/session.js';
import type { Mapping, Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { MadePlay, Target } from './target.js';
import type { Library } from '../../template/library.js';
import type { Past, WrittenPath } from '../../model/run/past.js';

/** Everything that one run needs, loaded and checked; nothing of it is changed. */
export interface RunInput {
  readonly identity: RunIdentity;
  readonly settings: RunSettings;
  readonly selection: RunSelection;
  readonly sources: RunSources;
  readonly connections: RunConnections;
  readonly record: RunRecord;
  readonly user: RunUser;
  readonly stops: RunStops;
}

/** What names the run and where it comes from. */
export interface RunIdentity {
  /** Sorts by time; `evenkeel_run_id`. */
  readonly id: string;
  readonly version: string;
  readonly environment?: string | undefined;
  /** Absolute: `evenkeel.yml`, if there is one. */
  readonly projectFile?: string | undefined;
  /** `ansible_inventory_sources`: absolute paths, and lists of names as they were given. */
  readonly inventorySources?: readonly string[] | undefined;
  readonly simulated: boolean;
}

/** How tasks run. */
export interface RunSettings {
  /** Controllers at work at once, at least 1. */
  readonly forks: number;
  /** Maximum bytes of a registered value or fact; all values of a controller may take four times as much. Absent: no limit. */
  readonly maxRegistered?: number | undefined;
  /** For plays that do not name one; absent: `host_pinned`. */
  readonly strategy?: StrategyName | undefined;
  /** `--force-handlers`: also for plays that do not say so. */
  readonly forceHandlers?: boolean | undefined;
  readonly check: boolean;
  /** No task can leave check mode (`check_mode: false`). */
  readonly readOnly?: boolean | undefined;
  readonly diff: boolean;
  readonly verbosity: number;
  /** Report what every task returned, as from `-v` on. */
  readonly results?: boolean | undefined;
}

/** Which controllers and tasks of the playbooks run. */
export interface RunSelection {
  /** The plays with the controllers of each. */
  readonly targets: readonly Target[];
  /** Names that `--limit` selected; absent: every controller that a play names. */
  readonly limit?: ReadonlySet<string> | undefined;
  /** `ansible_limit`: `--limit` as it was given. */
  readonly limitPattern?: string | undefined;
  /** `--tags`; empty means `all`. */
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
  /** `--start-at-task`: the name, or a glob, of the first task to run; everything before it is skipped. */
  readonly startAtTask?: string | undefined;
}

/** What was loaded. */
export interface RunSources {
  readonly playbooks: readonly Playbook[];
  readonly inventory: Inventory;
  /** `-e`, weakest first. */
  readonly extraVars: readonly VariableLayer[];
  /** What the user answered to `vars_prompt`, by play. */
  readonly answers?: ReadonlyMap<Play, VariableLayer> | undefined;
  readonly catalogue: Catalogue;
  /** What templates may call; absent: the built-in helpers. */
  readonly library?: Library | undefined;
  readonly readVariables: ReadVariables;
  /** Known secrets; the run adds what it learns. */
  readonly secrets: Secrets;
}

/** How controllers are reached. */
export interface RunConnections {
  readonly connect: Connect;
  /** What sockets that a module opens may reach; absent: everything. */
  readonly route?: Route | undefined;
  /** `-u` and `-k`: for controllers whose variables name none, as in Ansible. */
  readonly credentials?: Credentials | undefined;
  /** What connection variables refer to. */
  readonly settingSources: SettingSources;
  /** Decrypts these layers in advance, so that their use delays nothing. Absent if nothing is encrypted. */
  readonly unlock?: ((layers: readonly VariableLayer[]) => Promise<void>) | undefined;
}

/** What is reported and kept, and what was kept before. */
export interface RunRecord {
  readonly emit: (event: Event) => void;
  /** Keeps what is done, for a crash and for a rollback. Absent: nothing is kept. */
  readonly journal?: Journal | undefined;
  /** What the project last wrote to secrets that controllers do not show. Absent: nothing is kept. */
  readonly writtenSecrets?: OpenWrittenSecrets | undefined;
  /** Plans the rollback of writes of this run, for a failed gate. Absent if rollback is not possible. */
  readonly planRollback?: PlanRollback | undefined;
  /** Called with what each task, or item of a loop, has found out: not masked, so not for any output. */
  readonly onResult?: OnResult | undefined;
  /** The plan that the run makes or applies. Absent: neither. */
  readonly plan?: PlanMaker | PlanGuide | undefined;
  /** What was done before the run was cut off: it is finished. Absent: it begins. */
  readonly past?: Past | undefined;
  /** What the run last put at a path that its controller cannot show, if another process knows that. Absent: this one does. */
  readonly lastWritten?: ((at: WrittenPath) => Promise<Mapping | undefined>) | undefined;
}

export type OnResult = (found: {
  readonly controller: string;
  readonly play: string;
  readonly task: string;
  readonly values: Mapping;
}) => void;

/** The user's answers during the run. */
export interface RunUser {
  /** `pause` with a prompt; absent without a terminal. */
  readonly ask?: Ask | undefined;
  /** `--step`: asked before each task is begun. */
  readonly confirmTask?: ConfirmTask | undefined;
}

/** What ends a run early. */
export interface RunStops {
  /** Aborted: running writes finish, nothing new starts. */
  readonly signal: AbortSignal;
  /** Aborted to stop even cleanup (`always`). Absent: cleanup always runs. */
  readonly abort?: AbortSignal | undefined;
  /**
   * Aborted by `Connections` when several controllers in a row rejected the same credentials: nothing new starts, so that no more accounts
   * are locked.
   */
  readonly credentialsRefused: AbortSignal;
}

/** `continue`: this one and all that follow, without asking again. */
export type ConfirmTask = (title: string) => Promise<'run' | 'skip' | 'continue'>;

/** Resolves to the answer; undefined if there is none, or when the signal was aborted. */
export type Ask = (
  question: { readonly question: string; readonly hidden: boolean },
  signal: AbortSignal,
) => Promise<string | undefined>;

/**
 * Rolls back what the running run wrote in one play on some controllers. The engine runs it like any other play, so it is reported and
 * recorded.
 */
export type PlanRollback = (part: RunPart) => Promise<PlannedRollback>;

export interface RunPart {
  /** From 0: its places begin with this number and a colon. */
  readonly play: number;
  /** The controllers whose tasks wrote; the tasks may have been delegated. */
  readonly controllers: readonly string[];
}

export interface PlannedRollback {
  /** One play whose tasks each restore one object on the controllers concerned. Absent if there is nothing to restore. */
  readonly playbook?: Playbook | undefined;
  /** The controllers of that play. */
  readonly controllers: readonly string[];
  /** Contains the module that it calls. */
  readonly catalogue: Catalogue;
  /** The play, for workers. */
  readonly made: MadePlay;
  /** What cannot be undone; the reason is worded to follow the object's name: `was created: …`. */
  readonly final: readonly { readonly controller: string; readonly object: string; readonly reason: string }[];
}

export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** The variables that led to a connection. */
interface Lookup {
  get(name: string): Value | undefined;
  /** URL of the controller itself; another one than that of the settings if a task's variables lead elsewhere. Undefined: unknown. */
  readonly home: string | undefined;
}

/** Opens a session with a controller, or with a simulated one in its place. */
export type Connect = (settings: ConnectionSettings, variables: Lookup) => Promise<OpenSession> | OpenSession;

/**
 * Reads a file of variables whose name only a controller's variables could fill in (`vars_files`, `include_vars`). The path is
 * absolute. Undefined if there is no such file; rejects with a `LoadError` if it cannot be understood.
 */
export type ReadVariables = (file: string) => Promise<VariableLayer | undefined>;
