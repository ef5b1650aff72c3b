import type { Route } from '../../controller/network.js';
import type { ConnectionSettings } from '../../model/inventory/connection.js';
import type { Event } from '../../model/run/event.js';
import type { Inventory } from '../../model/inventory/inventory.js';
import type { Journal, Past } from '../../model/run/journal.js';
import type { Play, Playbook, StrategyName } from '../../model/playbook/playbook.js';
import type { Secrets } from '../../secrets/secrets.js';
import type { OpenSession } from '../../model/run/session.js';
import type { Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { Library } from '../../template/library.js';

/** Everything that one run needs, loaded and checked; nothing of it is changed. */
export interface RunInput {
  /** Sorts by time; `evenkeel_run_id`. */
  readonly id: string;
  readonly version: string;
  readonly playbooks: readonly Playbook[];
  readonly inventory: Inventory;
  /** `ansible_inventory_sources`: absolute paths, and lists of names as they were given. */
  readonly inventorySources?: readonly string[] | undefined;
  /** `-e`, weakest first. */
  readonly extraVars: readonly VariableLayer[];
  readonly catalogue: Catalogue;
  /** What templates may call; absent: the built-in helpers. */
  readonly library?: Library | undefined;
  /** Names that `--limit` selected; absent: every controller that a play names. */
  readonly limit?: ReadonlySet<string> | undefined;
  /** `ansible_limit`: `--limit` as it was given. */
  readonly limitPattern?: string | undefined;
  /** `--tags`; empty means `all`. */
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
  /** Controllers at work at once, at least 1. */
  readonly forks: number;
  /** Maximum bytes of a registered value or fact; all values of a controller may take four times as much. Absent: no limit. */
  readonly maxRegistered?: number | undefined;
  /** For plays that do not name one; absent: `host_pinned`. */
  readonly strategy?: StrategyName | undefined;
  /** `--force-handlers`: also for plays that do not say so. */
  readonly forceHandlers?: boolean | undefined;
  /** `--start-at-task`: the name, or a glob, of the first task to run; what stands before it is left out. */
  readonly startAtTask?: string | undefined;
  /** `--step`: asked before each task is begun. */
  readonly confirmTask?: ConfirmTask | undefined;
  /** What the user answered to `vars_prompt`, by play. */
  readonly answers?: ReadonlyMap<Play, VariableLayer> | undefined;
  /** Asks the user while the run goes on (`pause` with a prompt); absent: nobody is there. */
  readonly ask?: Ask | undefined;
  readonly check: boolean;
  readonly diff: boolean;
  readonly verbosity: number;
  readonly environment?: string | undefined;
  /** Absolute: `evenkeel.yml`, if there is one. */
  readonly projectFile?: string | undefined;
  readonly simulated: boolean;
  readonly connect: Connect;
  /** What sockets that a module opens may reach; absent: everything. */
  readonly route?: Route | undefined;
  /** `-u` and `-k`: for controllers whose variables name none, as in Ansible. */
  readonly credentials?: Credentials | undefined;
  readonly secrets: Secrets;
  readonly readVariables: ReadVariables;
  /** Decrypts what is encrypted in these layers, so that using it holds up nobody else. Absent: nothing is. */
  readonly unlock?: ((layers: readonly VariableLayer[]) => Promise<void>) | undefined;
  /** The text of a `controller_ca_file`; throws if it cannot be read. */
  readonly readCa: (file: string) => string;
  readonly emit: (event: Event) => void;
  /** Keeps what is done, for a crash and for a rollback. Absent: nothing is kept. */
  readonly journal?: Journal | undefined;
  /** Plans how writes of this run are put back, for a gate that fails. Absent: nobody can. */
  readonly planRollback?: PlanRollback | undefined;
  /** What was done before the run was cut off: it is finished. Absent: it begins. */
  readonly past?: Past | undefined;
  /** Aborted: what is being written is finished, nothing new starts. */
  readonly signal: AbortSignal;
  /** Aborted: not even what cleans up (`always`) goes on. Absent: it always does. */
  readonly abort?: AbortSignal | undefined;
  /**
   * Aborted when the same credentials were refused by several controllers in a row (`Connections` tells): nothing new
   * starts, so that no more accounts are locked.
   */
  readonly credentialsRefused: AbortSignal;
}

/** `continue`: this one and all that follow, without asking again. */
export type ConfirmTask = (title: string) => Promise<'run' | 'skip' | 'continue'>;

/** Resolves to the answer; undefined if nobody gave one, or when the signal was aborted. */
export type Ask = (
  question: { readonly question: string; readonly hidden: boolean },
  signal: AbortSignal,
) => Promise<string | undefined>;

/**
 * What puts back what the run itself has written, as long as it goes on: of one play, to some controllers. The engine runs it like any
 * other play, so that it is told and kept.
 */
export type PlanRollback = (part: RunPart) => Promise<PlannedRollback>;

export interface RunPart {
  /** From 0: its places begin with this number and a colon. */
  readonly play: number;
  /** Who wrote: their tasks may have been delegated. */
  readonly controllers: readonly string[];
}

export interface PlannedRollback {
  /** With one play, each of whose tasks puts one object back for the controllers that need it. Absent: nothing is to be put back. */
  readonly playbook?: Playbook | undefined;
  /** Whom that play is for. */
  readonly controllers: readonly string[];
  /** Where the module is that it calls. */
  readonly catalogue: Catalogue;
  /** What nobody can undo; the reason goes on where the object's name ends: `was created: …`. */
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
