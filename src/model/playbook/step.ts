import type { Locate, Source } from '../source/source.js';
import type { Mapping, Value } from '../values/value.js';
import type { VariableLayer } from '../values/variables.js';

/** A bare expression (`when`, `until`, …), not yet compiled: the template layer compiles each text once. */
export interface Condition {
  readonly expression: Value;
  readonly source: Source;
}

/** A value from the playbook that may hold templates, with its place. */
export interface Located<T = Value> {
  readonly value: T;
  readonly source: Source;
  /** The same keyword of the enclosing block or play, used if the template evaluates to `omit`. */
  readonly outer?: Located | undefined;
}

/** The steps that a controller runs in order. Imports are already replaced by their content, which inherits their keywords. */
export type Step = Task | Block | Include | RoleRun | Meta;

/** Keywords that blocks, roles and imports hand inward; each step has its own and what it inherited. */
export interface Inheritable {
  /** All must hold; those of what is around come first. */
  readonly when: readonly Condition[];
  readonly tags: readonly string[];
  /** Variables of roles, blocks, imports and the step itself; weakest first within a level. */
  readonly layers: readonly VariableLayer[];
  readonly notify: readonly Located<string>[];
  readonly ignoreErrors: Located | undefined;
  readonly ignoreUnreachable: Located | undefined;
  readonly noLog: Located | undefined;
  readonly checkMode: Located | undefined;
  readonly diff: Located | undefined;
  readonly anyErrorsFatal: Located | undefined;
  readonly runOnce: Located | undefined;
  readonly delegateTo: Located | undefined;
  readonly delegateFacts: Located | undefined;
  /** Controllers that do this at once; 0: as many as forks. */
  readonly throttle: Located | undefined;
  /** Seconds for one attempt; 0: no limit. */
  readonly timeout: Located | undefined;
}

export interface Task extends Inheritable {
  readonly type: 'task';
  readonly name: Located<string> | undefined;
  /** The role that it belongs to, a prefix of its name, as in `web : reload`. */
  readonly role: string | undefined;
  readonly module: string;
  /** As written (a mapping, or free-form text already split into one) over `module_defaults`, not rendered. */
  readonly args: Value;
  readonly source: Source;
  /** The place of anything inside the task: `['cloud_present', 'mtu']`. */
  readonly locate: Locate;
  /** The key of the module: its arguments are at `locate([moduleKey, …])`. */
  readonly argsPath: readonly string[];
  /** Arguments that the module declares to be no secrets, whatever their names say. */
  readonly publicArgs: readonly string[];
  readonly loop: Loop | undefined;
  readonly until: Until | undefined;
  readonly register: string | undefined;
  readonly changedWhen: readonly Condition[] | undefined;
  readonly failedWhen: readonly Condition[] | undefined;
}

/**
 * `block rescue always`. Its keywords were handed inward when it was loaded, but for the loop (ours), which repeats the whole
 * block: `when` and the rest are then looked at with the item in sight.
 */
export interface Block {
  readonly type: 'block';
  readonly name: Located<string> | undefined;
  readonly source: Source;
  readonly steps: readonly Step[];
  readonly rescue: readonly Step[];
  readonly always: readonly Step[];
  readonly loop: Loop | undefined;
  /** What the loop is rendered with. */
  readonly layers: readonly VariableLayer[];
}

/** A role of the play, a dependency or an `import_role`: a controller walks through it once, unless `repeatable`. */
export interface RoleRun {
  readonly type: 'role';
  readonly name: string;
  readonly source: Source;
  /** The same for two that do the same: name and parameters. */
  readonly key: string;
  /** `allow_duplicates`. */
  readonly repeatable: boolean;
  readonly steps: readonly Step[];
}

/**
 * `include_tasks` and `include_role`: a task like any other (module, `when`, `loop`, `register`), after which the controller walks
 * through what it brought. Its keywords do not go inward, but those around it do.
 */
export interface Include extends Omit<Task, 'type'> {
  readonly type: 'include';
  /**
   * Reads what to include, for rendered `args`. Returns the same object for the same arguments. Rejects with a `LoadError` if it cannot be
   * read or parsed.
   */
  readonly read: (args: Mapping) => Promise<Included>;
}

export interface Included {
  /** What was read, for messages: a file, `role web`. */
  readonly title: string;
  readonly steps: readonly Step[];
  /** Of a role: they join the play's. */
  readonly handlers: readonly Handler[];
  /** Of a role with `public: true`: for all that follows in the play. */
  readonly layers: readonly VariableLayer[];
}

export type MetaAction =
  | 'flush_handlers'
  /** The flush at the end of a play, after which none comes; no playbook can write it. */
  | 'finish_handlers'
  | 'end_host'
  | 'end_batch'
  | 'end_play'
  | 'clear_host_errors'
  | 'clear_facts'
  | 'reset_connection'
  | 'noop';

/** An instruction to the engine itself; not counted in the recap, as in Ansible. */
export interface Meta {
  readonly type: 'meta';
  readonly action: MetaAction;
  readonly name: Located<string> | undefined;
  readonly role: string | undefined;
  readonly source: Source;
  readonly when: readonly Condition[];
  readonly tags: readonly string[];
  readonly layers: readonly VariableLayer[];
}

/** A step that runs when it is notified; a meta is any but `flush_handlers`. */
export type Handler = (Task | Include | Meta) & { readonly listen: readonly string[] };

export interface Loop {
  /** Of `with_NAME`: the lookup that makes the items. Without one (`loop`), `over` is the list. */
  readonly lookup: string | undefined;
  readonly over: Located;
  /** Default `item`. */
  readonly variable: string;
  readonly indexVariable: string | undefined;
  readonly label: Located | undefined;
  /** Seconds between items. */
  readonly pause: Located | undefined;
  /** Whether `ansible_loop` is set. */
  readonly extended: boolean;
  readonly breakWhen: readonly Condition[] | undefined;
  /** Items at once; results stay in order. */
  readonly parallel: Located | undefined;
}

/** `until retries delay backoff`: executions = retries + 1. `retries` without `until` repeats until the task does not fail. */
export interface Until {
  readonly until: readonly Condition[] | undefined;
  readonly retries: Located | undefined;
  /** Seconds. */
  readonly delay: Located | undefined;
  /** Factor by which the delay grows after each attempt. */
  readonly backoff: Located | undefined;
}
