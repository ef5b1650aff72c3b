import type { Socket } from 'node:net';
import * as Type from 'typebox';
import type { LoadWatch } from '../../controller/pace/slow_down.js';
import type { SettingSources } from '../../controller/settings/settings.js';
import type { Confine, HostAndPort } from '../../controller/transport/confinement.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import type { Inventory } from '../../core/model/inventory/inventory.js';
import type { Play, Playbook, StrategyName } from '../../core/model/playbook/playbook.js';
import { MOST_FORKS, type ForkCount } from '../../core/model/run/choices.js';
import type { Journal } from '../../core/model/run/journal.js';
import type { OpenWrittenSecrets, Past } from '../../core/model/run/past.js';
import type { PlanGuide, PlanMaker } from '../../core/model/run/plan.js';
import type { OpenSession } from '../../core/model/run/session.js';
import type { Shard } from '../../core/model/run/shard.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import type { Library } from '../../language/library.js';
import type { Catalogue } from '../../module/catalogue.js';
import type { ReadyPlay } from './ready_play.js';
import type { UnsettledWrites } from './unsettled_writes.js';

/** Everything that a run needs, loaded and checked. Immutable. */
export interface RunInput {
  readonly identity: RunIdentity;
  readonly settings: RunSettings;
  readonly selection: RunSelection;
  readonly sources: RunSources;
  readonly connections: RunConnections;
  readonly record: EngineRecord;
  readonly user: RunUser;
  readonly stops: RunStops;
}

export interface RunIdentity {
  /** Sorts by time; `evenkeel_run_id`. */
  readonly id: string;
  readonly version: string;
  /** Of `--env`: `evenkeel_environment`. */
  readonly environment?: string | undefined;
  /** For people: also without `--env`, if only one environment has this inventory. */
  readonly environmentName?: string | undefined;
  /** Absolute: `evenkeel.yml`, if there is one. */
  readonly projectFile?: string | undefined;
  /** `ansible_inventory_sources`: absolute paths, and lists of names as they were given. */
  readonly inventorySources?: readonly string[] | undefined;
  readonly simulated: boolean;
}

/** Settings for the execution of tasks. */
export interface RunSettings extends EngineOptions {
  /** Controllers at work at once, at least 1. */
  readonly forks: ForkCount;
  /** Maximum bytes of a registered value or fact; all values of a controller may take four times as much. Absent: no limit. */
  readonly maxRegistered?: number | undefined;
  /** For plays that do not name one; absent: `host_pinned`. */
  readonly strategy?: StrategyName | undefined;
  readonly check: boolean;
  readonly diff: boolean;
  readonly verbosity: number;
  /** Report what every task returned, as from `-v` on. */
  readonly results?: boolean | undefined;
}

/** The most that they can become. */
export function mostForks({ forks }: Pick<RunSettings, 'forks'>): number {
  return forks === 'auto' ? MOST_FORKS : forks;
}

/** Which controllers and tasks of the playbooks run. */
export interface RunSelection {
  readonly plays: readonly ReadyPlay[];
  /** Names that `--limit` and `--shard` selected; absent: every controller that a play names. */
  readonly limit?: ReadonlySet<string> | undefined;
  /** Whether controllers were left out that the run is for, so that it has failed. Absent: no. */
  readonly isPartial?: boolean | undefined;
  /** `ansible_limit`: `--limit` as it was given. */
  readonly limitPattern?: string | undefined;
  /** Other runs carry out the other shards at the same time. Absent: this run has the whole fleet. */
  readonly shard?: Shard | undefined;
  /** `--tags`; empty means `all`. */
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
  /** `--start-at-task`: the name, or a glob, of the first task to run; everything before it is skipped. */
  readonly startAtTask?: string | undefined;
}

export interface RunSources {
  readonly playbooks: readonly Playbook[];
  readonly inventory: Inventory;
  /** `-e`, weakest first. */
  readonly extraVars: readonly VariableLayer[];
  /** The user's answers to `vars_prompt`, by play. */
  readonly answers?: ReadonlyMap<Play, VariableLayer> | undefined;
  readonly catalogue: Catalogue;
  /** The filters for templates; absent: the built-in ones. */
  readonly library?: Library | undefined;
  readonly readVariables: ReadVariablesFile;
  /** Known secrets; the run adds those that it finds. */
  readonly secrets: Secrets;
}

/** How controllers are reached. */
export interface RunConnections {
  readonly connect: Connect;
  /** Called before an action writes that does not say so: rejects if another run has the lock. Absent: there are no locks. */
  readonly beforeWrite?: ((to: ConnectionSettings, declaredBy: DeclaredBy) => Promise<void>) | undefined;
  /** Has the exchanges of the run watched. Absent: they are not, so `forks` of `auto` stay few. */
  readonly watchLoad?: ((watch: LoadWatch) => void) | undefined;
  /** Opens the sockets of modules to controllers behind a route. Absent: they are opened directly. */
  readonly openTunnel?: OpenTunnel | undefined;
  /** Which addresses the sockets of modules may reach; absent: all. */
  readonly confine?: Confine | undefined;
  /** `-u` and `-k`: for controllers without credentials in their variables, as in Ansible. */
  readonly credentials?: TypedCredentials | undefined;
  /** Sources for values that connection variables refer to. */
  readonly settingSources: SettingSources;
  /** Writes of earlier runs whose outcome is unknown. Absent: there are none. */
  readonly unsettled?: UnsettledWrites | undefined;
  /** Decrypts these layers in advance, so that their use delays nothing. Absent if nothing is encrypted. */
  readonly unlock?: ((layers: readonly VariableLayer[]) => Promise<void>) | undefined;
}

/** The outputs of a run, and the records of its earlier part. */
export interface EngineRecord {
  /** Records the run, for a resume and for a rollback. Absent: nothing is recorded. */
  readonly journal?: Journal | undefined;
  /** The values that the project last wrote to secrets that controllers do not show. Absent: they are not recorded. */
  readonly writtenSecrets?: OpenWrittenSecrets | undefined;
  /** Plans the rollback of writes of this run, for a failed gate. Absent if rollback is not possible. */
  readonly planRollback?: PlanRollback | undefined;
  /** Called with the values of each task, or item of a loop. They are not masked, so do not output them. */
  readonly onResult?: OnResult | undefined;
  /** The plan that the run makes or applies. Absent: neither. */
  readonly plan?: PlanMaker | PlanGuide | undefined;
  /** Work from before the interrupt, which a resume continues. Absent: a new run. */
  readonly past?: Past | undefined;
}

export type OnResult = (found: {
  readonly controller: string;
  /** The controller that the task contacted, if not its own. */
  readonly target: string | undefined;
  readonly play: string;
  readonly task: string;
  readonly tenant: string | undefined;
  readonly address: string | undefined;
  readonly values: Mapping;
}) => void;

/** The user's answers during the run. */
export interface RunUser {
  /** `pause` with a prompt, and a gate that failed; absent in a program. */
  readonly ask?: Ask | undefined;
  /** `--step`: asked before each task is begun. */
  readonly confirmTask?: ConfirmTask | undefined;
}

/** Signals that end a run early. */
export interface RunStops {
  /** Aborted: running writes finish, and nothing new starts. */
  readonly drain: AbortSignal;
  /** Aborted to stop even cleanup (`always`). Absent: cleanup always runs. */
  readonly abort?: AbortSignal | undefined;
  /**
   * Aborted by `Connections` when several controllers in a row rejected the same credentials: nothing new starts, so that no more accounts
   * are locked.
   */
  readonly credentialsRefused: AbortSignal;
}

/** `continue`: run this task and all later ones without asking. */
export type ConfirmTask = (title: string) => Promise<'run' | 'skip' | 'continue'>;

/** Resolves to the answer; undefined if there is none, or when the signal was aborted. */
export type Ask = (
  question: { readonly question: string; readonly hidden: boolean },
  signal: AbortSignal,
) => Promise<string | undefined>;

/**
 * Rolls back the writes of the current run in one play on some controllers. The engine runs the rollback like any other
 * play, so it is reported and recorded.
 */
export type PlanRollback = (part: RunPart) => Promise<PlannedRollback>;

export interface RunPart {
  /** From 0: its places begin with this number and a colon. */
  readonly play: number;
  /** The controllers whose tasks wrote; the tasks may have been delegated. */
  readonly controllers: readonly string[];
  /** Controllers of the batch that the play no longer has, so that what they wrote stays. */
  readonly gone: readonly string[];
  /** The variables beside the playbook, which can say how to connect. */
  readonly adjacent: Pick<Play, 'groupLayers' | 'controllerLayers'>;
}

export interface PlannedRollback {
  /** One play whose tasks each restore one object on the controllers concerned. Absent if there is nothing to restore. */
  readonly playbook?: Playbook | undefined;
  /** The controllers of that play. */
  readonly controllers: readonly string[];
  /** Contains the module that it calls. */
  readonly catalogue: Catalogue;
  /** Changes that cannot be undone. The reason follows the object's name: `was created: …`. */
  readonly final: readonly { readonly controller: string; readonly object: string; readonly reason: string }[];
}

export interface TypedCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** What leads to the address of a connection. Undefined: what the run found out, or a task. */
export type DeclaredBy = 'inventory' | 'play' | undefined;

/** The variables that led to a connection. */
interface CredentialsLookup {
  get(name: string): Value | undefined;
  /** Identity of the controller itself: another one than that of the settings if a task's variables lead elsewhere. Undefined: unknown. */
  readonly home: string | undefined;
  /** Whether the address is in the arguments of the task. */
  readonly isGiven: boolean;
  readonly declaredBy: DeclaredBy;
}

/** Opens a connection through the route of a controller. If that fails, the socket has been destroyed with the error. */
type OpenTunnel = (settings: ConnectionSettings, to: HostAndPort) => Promise<Socket>;

/** Opens a session with a controller, or with a simulated one in its place. */
export type Connect = (settings: ConnectionSettings, lookup: CredentialsLookup) => Promise<OpenSession> | OpenSession;

/**
 * Reads a file of variables whose name depends on a controller's variables (`vars_files`, `include_vars`). The path is
 * absolute. Undefined if there is no such file; rejects with a `LoadError` if it is invalid. Ignores later changes, so that a run is
 * consistent, unless the run itself `hasSaved` the file.
 */
export type ReadVariablesFile = (file: string, hasSaved?: boolean) => Promise<VariableLayer | undefined>;

/** Options that the engine gets as the user gave them. The journal keeps them, so a resume and a rerun have them, too. */
export const ENGINE_OPTIONS = {
  /** `--force-handlers`: in all plays. */
  forceHandlers: Type.Optional(Type.Boolean()),
  /** No task can leave check mode (`check_mode: false`), so nothing is written in any case. */
  readOnly: Type.Optional(Type.Boolean()),
};

/** Unset options may be undefined. */
type EngineOptions = { readonly [K in keyof GivenOptions]: GivenOptions[K] | undefined };
type GivenOptions = Type.Static<Type.TObject<typeof ENGINE_OPTIONS>>;
