import type { Source } from '../source/source.js';
import type { VariableLayer } from '../values/variables.js';
import type { Prompt } from './prompt.js';
import type { Handler, Located, Step } from './step.js';

export interface Playbook {
  /** As the user wrote it. */
  readonly file: string;
  /** Absolute: `playbook_dir`. */
  readonly directory: string;
  readonly plays: readonly Play[];
}

export type StrategyName = 'host_pinned' | 'linear';

/** The pattern of a play. */
export interface Hosts extends Located<string> {
  /** It has a template, or earlier tasks may add what it names: only the run can tell which terms match nothing. */
  readonly late?: boolean;
}

export interface Play {
  readonly name: string | undefined;
  readonly source: Source;
  /** The absolute folder of the play's file, the base of relative names in the play. */
  readonly directory: string;
  /** Patterns as written, one a line if the playbook had a list; may hold templates (extra variables only). */
  readonly hosts: Hosts;
  /** `vars`, static `vars_files`, defaults and vars of static roles (visible to the whole play, as in Ansible); weakest first. */
  readonly layers: readonly VariableLayer[];
  /** `vars_files` whose names hold templates that only a controller's variables can fill; a list means the first that exists. */
  readonly variableFiles: readonly Located<readonly string[]>[];
  readonly prompts: readonly Prompt[];
  /** `group_vars` and `host_vars` next to the playbook, by group or controller name. */
  readonly groupLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly controllerLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly preTasks: readonly Step[];
  /** Those of `roles`, then `tasks`. */
  readonly tasks: readonly Step[];
  readonly postTasks: readonly Step[];
  /** Those of `roles`, the play's own, then those of imported roles. */
  readonly handlers: readonly Handler[];
  readonly roles: PlayRoles;
  /** Absent: all controllers at once. Each entry a count or `"n%"`, possibly templated. */
  readonly serial: readonly Located[] | undefined;
  readonly maxFailPercentage: Located | undefined;
  readonly forceHandlers: Located | undefined;
  readonly order: Located<string> | undefined;
  /** Controllers at work at once; never more than the run's. */
  readonly forks: Located | undefined;
  readonly strategy: StrategyName | undefined;
  /** What must hold after a batch before the next one starts. Absent: nothing. */
  readonly gate?: Gate | undefined;
  readonly tags: readonly string[];
}

/** `gate`: checks that a batch has to pass, round after round. */
export interface Gate {
  readonly source: Source;
  /** At least one. They notify no handler. */
  readonly checks: readonly Step[];
  /** Seconds between two rounds. */
  readonly interval: Located | undefined;
  /** Rounds in a row that must pass. */
  readonly passes: Located | undefined;
  /** Failed rounds that end it. */
  readonly failures: Located | undefined;
  /** One of `GATE_ACTIONS`, or a template. */
  readonly onFail: Located<string> | undefined;
}

/** What a gate does that fails: ends the rollout, puts the batch back before that, or asks the user. */
export const GATE_ACTIONS = ['stop', 'rollback', 'pause'] as const;

export type GateAction = (typeof GATE_ACTIONS)[number];

/** Names of the roles that a play knows before it runs. */
interface PlayRoles {
  /** Roles named by `roles` and imports, with repetitions. */
  readonly named: readonly string[];
  /** What those depend on, each once. */
  readonly dependencies: readonly string[];
}
