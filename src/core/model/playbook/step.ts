import type { Locate, Source } from '../source/diagnostic.js';
import type { Mapping, Value } from '../values/value.js';
import type { VariableLayer } from '../values/variables.js';

/** A bare expression (`when`, `until`, …). `language` compiles each text once. */
export interface Condition {
  readonly expression: Value;
  readonly source: Source;
}

/** A value from the playbook that may contain templates, with its place. */
export interface Located<T = Value> {
  readonly value: T;
  readonly source: Source;
  /** The same keyword of the enclosing block or play, used if the template evaluates to `omit`. */
  readonly outer?: Located | undefined;
}

/** The steps that a controller runs in order. Imports are already replaced by their content, which inherits their keywords. */
export type Step = Task | Block | Include | RoleRun | Meta;

/** Keywords that steps inherit from blocks, roles and imports. Each step has its own and the inherited ones. */
export interface Inheritable {
  /** All must be true; outer ones come first. */
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
  /** Maximum number of controllers that run this at once; 0: no limit besides forks. */
  readonly throttle: Located | undefined;
  /** Time limit of one attempt, in seconds; 0: no limit. */
  readonly timeout: Located | undefined;
}

export interface Task extends Inheritable {
  readonly type: 'task';
  readonly name: Located<string> | undefined;
  /** The role of the task, shown before its name: `web : reload`. */
  readonly role: string | undefined;
  readonly module: string;
  /** As written (a mapping, or free-form text already split into one), merged over `module_defaults`, not rendered. */
  readonly args: Value;
  readonly source: Source;
  /** Finds the position of anything inside the task: `['cloud_present', 'mtu']`. */
  readonly locate: Locate;
  /** The path of the module's key: arguments are at `locate([moduleKey, …])`. */
  readonly argsPath: readonly string[];
  /** Arguments that the module declares as public, even if their names look like secrets. */
  readonly publicArgs: readonly string[];
  readonly loop: Loop | undefined;
  readonly until: Until | undefined;
  readonly register: string | undefined;
  readonly changedWhen: readonly Condition[] | undefined;
  readonly failedWhen: readonly Condition[] | undefined;
}

/**
 * `block rescue always`. The steps inside inherited its keywords during loading, except the loop (an extension of
 * Evenkeel), which repeats the whole block: `when` and the other keywords are then evaluated with the item.
 * Its own ones are those of the loop itself.
 */
export interface Block extends Partial<Pick<Inheritable, 'anyErrorsFatal' | 'ignoreErrors' | 'noLog' | 'runOnce'>> {
  readonly type: 'block';
  readonly name: Located<string> | undefined;
  readonly source: Source;
  readonly steps: readonly Step[];
  readonly rescue: readonly Step[];
  readonly always: readonly Step[];
  readonly loop: Loop | undefined;
  readonly when: readonly Condition[];
  /** The variables that render the loop. */
  readonly layers: readonly VariableLayer[];
}

/** A role of the play, a dependency or an `import_role`. A controller runs it once, unless `repeatable`. */
export interface RoleRun {
  readonly type: 'role';
  readonly name: string;
  readonly source: Source;
  /** Equal for runs with the same role and parameters. */
  readonly key: string;
  /** `allow_duplicates`. */
  readonly repeatable: boolean;
  readonly steps: readonly Step[];
}

/**
 * `include_tasks` and `include_role`: a task like any other (module, `when`, `loop`, `register`), after which the
 * controller runs the included steps. They inherit the keywords around the include, but not its own.
 */
export interface Include extends Omit<Task, 'type'> {
  readonly type: 'include';
  /**
   * Reads the included steps, for rendered `args`. Returns the same object for the same arguments. Rejects with a
   * `LoadError` if a file cannot be read or parsed.
   */
  readonly read: (args: Mapping) => Promise<Included>;
}

export interface Included {
  /** What was included, for messages: a file, `role web`. */
  readonly title: string;
  /** Equal if the steps are from the same files, and what they include is searched for in the same folders. */
  readonly key: string;
  readonly steps: readonly Step[];
  /** Handlers of an included role, which are added to the play's. */
  readonly handlers: readonly Handler[];
  /** Variables of a role with `public: true`, visible to all later steps of the play. */
  readonly layers: readonly VariableLayer[];
}

export type MetaAction =
  | 'flush_handlers'
  /** The flush at the end of a play. No playbook can write it. */
  | 'finish_handlers'
  | 'end_host'
  | 'end_role'
  | 'end_batch'
  | 'end_play'
  | 'clear_host_errors'
  | 'clear_facts'
  | 'reset_connection'
  | 'noop';

/** An instruction to the engine itself; not counted in the recap, as in Ansible. */
export interface Meta extends Partial<Pick<Inheritable, 'anyErrorsFatal' | 'noLog'>> {
  readonly type: 'meta';
  readonly action: MetaAction;
  readonly name: Located<string> | undefined;
  readonly role: string | undefined;
  readonly source: Source;
  readonly when: readonly Condition[];
  readonly tags: readonly string[];
  readonly layers: readonly VariableLayer[];
}

/** A step that runs when it is notified. `flush_handlers` cannot be a handler. */
export type Handler = (Task | Include | Meta) & { readonly listen: readonly string[] };

export interface Loop {
  /** The lookup of `with_NAME`, which makes the items. Undefined for `loop`: `over` is the list. */
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
  /** Whether `ansible_loop` also has all items. */
  readonly allItems: boolean;
  readonly breakWhen: readonly Condition[] | undefined;
  /** For each item, what it connects by: items with the same text are left out once it cannot be reached. Absent: all are. */
  readonly connection?: Located | undefined;
  /** Maximum number of items at once; results stay in order. */
  readonly parallel: Located | undefined;
}

/**
 * `until retries delay backoff`: executions = retries + 1. `retries` without `until` repeats until the task does not
 * fail.
 */
export interface Until {
  readonly until: readonly Condition[] | undefined;
  readonly retries: Located | undefined;
  /** Seconds. */
  readonly delay: Located | undefined;
  /** Factor by which the delay grows after each attempt. */
  readonly backoff: Located | undefined;
}
