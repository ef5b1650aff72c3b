import type { Locate, Source } from './source.js';
import type { Value } from './value.js';
import type { VariableLayer } from './variables.js';

export interface Playbook {
  /** As the user wrote it. */
  readonly file: string;
  /** Absolute: `playbook_dir`. */
  readonly directory: string;
  readonly plays: readonly Play[];
}

/** A bare expression (`when`, `until`, …), not yet compiled: the template layer compiles each text once. */
export interface Condition {
  readonly expression: Value;
  readonly source: Source;
}

/** A value from the playbook that may hold templates, with its place. */
export interface Located<T = Value> {
  readonly value: T;
  readonly source: Source;
}

export type StrategyName = 'host_pinned' | 'linear';

export interface Play {
  readonly name: string | undefined;
  readonly source: Source;
  /** Patterns as written, joined by a comma if the playbook had a list; may hold templates (extra variables only). */
  readonly hosts: Located<string>;
  /** `vars`, static `vars_files`; weakest first. */
  readonly layers: readonly VariableLayer[];
  /** `vars_files` whose names hold templates that only a controller's variables can fill; a list means the first that exists. */
  readonly variableFiles: readonly Located<readonly string[]>[];
  /** `group_vars` and `host_vars` beside the playbook, by group or controller name. */
  readonly groupLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly controllerLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly steps: readonly Step[];
  readonly handlers: readonly Handler[];
  /** Absent: all controllers at once. Each entry a count or `"n%"`, possibly templated. */
  readonly serial: readonly Located[] | undefined;
  readonly strategy: StrategyName | undefined;
  readonly tags: readonly string[];
}

/** What a controller walks through, one after the other. Blocks and includes join this union. */
export type Step = Task;

export interface Task {
  readonly type: 'task';
  readonly name: Located<string> | undefined;
  readonly module: string;
  /** As written (a mapping, or free-form text already split into one), not rendered. */
  readonly args: Value;
  readonly source: Source;
  /** The place of anything inside the task: `['cloud_present', 'mtu']`. */
  readonly locate: Locate;
  /** The key the module stood under: its arguments are at `locate([moduleKey, …])`. */
  readonly argsPath: readonly string[];
  readonly layers: readonly VariableLayer[];
  /** All must hold. */
  readonly when: readonly Condition[];
  readonly loop: Loop | undefined;
  readonly until: Until | undefined;
  readonly register: string | undefined;
  readonly changedWhen: readonly Condition[] | undefined;
  readonly failedWhen: readonly Condition[] | undefined;
  readonly ignoreErrors: Located | undefined;
  readonly noLog: Located | undefined;
  readonly checkMode: Located | undefined;
  readonly diff: Located | undefined;
  /** Inherited ones included. */
  readonly tags: readonly string[];
  readonly notify: readonly Located<string>[];
}

export interface Handler extends Task {
  readonly listen: readonly string[];
}

export interface Loop {
  /** `loop` and `with_list` take a list; the others make one from what they are given. */
  readonly kind: 'loop' | 'with_items' | 'with_dict' | 'with_list' | 'with_sequence';
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
