import type { VariablesKind } from '../inventory/inventory.js';
import type { Source } from '../source/diagnostic.js';
import type { Value } from '../values/value.js';
import type { VariableLayer } from '../values/variables.js';
import type { Handler, Include, Inheritable, Located, MetaAction, Step, Task } from './step.js';

/** An entry of `vars_prompt`: a variable that the user is asked for, unless `-e` sets it. */
export interface Prompt {
  readonly name: string;
  readonly source: Source;
  /** The question; defaults to the variable's name. */
  readonly prompt: string | undefined;
  /** Replaces an empty answer. */
  readonly default: Value | undefined;
  /** Do not echo the answer, and treat it as a secret. Ansible's default: true. */
  readonly private: boolean;
  /** Ask twice. */
  readonly confirm: boolean;
  /** The answer is data, never a template. */
  readonly unsafe: boolean;
}

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
  /**
   * The pattern contains a template, or earlier tasks may add controllers or groups, so terms without matches are known
   * only during the run.
   */
  readonly late?: boolean;
  /** Instead of the pattern: the names of exactly these controllers, which may look like patterns. */
  readonly names?: readonly string[];
}

export interface Play {
  readonly name: string | undefined;
  readonly source: Source;
  /** The absolute folder of the play's file, the base of relative names in the play. */
  readonly directory: string;
  /** Patterns as written, one per line if the playbook has a list; may contain templates (of what is known before any controller is). */
  readonly hosts: Hosts;
  /** `vars`, static `vars_files`, defaults and vars of static roles (visible to the whole play, as in Ansible); weakest first. */
  readonly layers: readonly VariableLayer[];
  /**
   * `vars_files` whose names contain templates that need a controller's variables; of a list, the first existing file
   * counts.
   */
  readonly variableFiles: readonly Located<readonly string[]>[];
  readonly prompts: readonly Prompt[];
  /** `group_vars` and `host_vars` next to the playbook, by group or controller name. */
  readonly groupLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  readonly controllerLayers: ReadonlyMap<string, readonly VariableLayer[]>;
  /** Adds to the two maps what is there for a name that a task adds. Rejects with a `LoadError` if a file is invalid. */
  readonly addAdjacent?: ((kind: VariablesKind, name: string) => Promise<void>) | undefined;
  readonly preTasks: readonly Step[];
  /** The steps of `roles`, then of `tasks`. */
  readonly tasks: readonly Step[];
  readonly postTasks: readonly Step[];
  /** The handlers of `roles`, of the play, then of imported roles. */
  readonly handlers: readonly Handler[];
  readonly roles: PlayRoles;
  /** Absent: all controllers at once. Each entry is a count or `"n%"`, or a template. */
  readonly serial: readonly Located[] | undefined;
  readonly maxFailPercentage: Located | undefined;
  /** Of a failure before the first step; the steps inherit it. */
  readonly anyErrorsFatal?: Located | undefined;
  readonly forceHandlers: Located | undefined;
  readonly order: Located<string> | undefined;
  /** Maximum number of forks; never more than the run's. */
  readonly forks: Located | undefined;
  readonly strategy: StrategyName | undefined;
  /** Conditions for the start of the next batch. Absent: none. */
  readonly gate?: Gate | undefined;
  readonly tags: readonly string[];
}

/** `gate`: checks that a batch must pass, in repeated rounds. */
export interface Gate {
  readonly source: Source;
  /** At least one. Checks notify no handlers. */
  readonly checks: readonly Step[];
  /** Seconds between two rounds. */
  readonly interval: Located | undefined;
  /** The number of consecutive rounds that must pass. */
  readonly passes: Located | undefined;
  /** The number of failed rounds after which the gate fails. */
  readonly failures: Located | undefined;
  /** One of `GATE_ACTIONS`, or a template. */
  readonly onFail: Located<string> | undefined;
}

/** What a failed gate does: stops the rollout, rolls the batch back and stops, or asks the user. */
export const GATE_ACTIONS = ['stop', 'rollback', 'pause'] as const;

export type GateAction = (typeof GATE_ACTIONS)[number];

/** Names of the roles that are known before the play runs. */
interface PlayRoles {
  /** Roles named by `roles` and imports, with repetitions. */
  readonly named: readonly string[];
  /** Dependencies of these roles, without duplicates. */
  readonly dependencies: readonly string[];
}

/** After these, the steps that follow do not run. */
export const ENDING_ACTIONS: ReadonlySet<MetaAction> = new Set(['end_host', 'end_role', 'end_batch', 'end_play']);

/**
 * All steps in order, including the steps of blocks and roles, without the content of includes, which is not yet known.
 */
export function* everyStep(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    for (const inner of stepListsIn(step)) yield* everyStep(inner);
  }
}

/** The lists of steps of a block or a role. */
export function stepListsIn(step: Step): readonly (readonly Step[])[] {
  if (step.type === 'block') return [step.steps, step.rescue, step.always];
  if (step.type === 'role') return [step.steps];
  step.type satisfies 'task' | 'include' | 'meta';
  return [];
}

/** The steps that call a module. */
export function tasksIn(steps: readonly Step[]): readonly (Task | Include)[] {
  return [...everyStep(steps)].filter((step) => step.type === 'task' || step.type === 'include');
}

/** The number of tasks that a controller runs if nothing fails: without those of `rescue`. */
export function plannedTasks(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + plannedIn(step), 0);
}

function plannedIn(step: Step): number {
  if (step.type === 'block') return plannedTasks([...step.steps, ...step.always]);
  if (step.type === 'role') return plannedTasks(step.steps);
  return { task: 1, include: 1, meta: 0 }[step.type];
}

/** All steps of a play in running order, without handlers; the checks of its gate last. */
export function allSteps(play: Sections & Pick<Play, 'gate'>): readonly Step[] {
  return [...sectionSteps(play), ...(play.gate?.checks ?? [])];
}

type Sections = Pick<Play, 'preTasks' | 'tasks' | 'postTasks'>;

/** The steps that each controller runs: without handlers and the checks of the gate. */
export function sectionSteps({ preTasks, tasks, postTasks }: Sections): readonly Step[] {
  return [...preTasks, ...tasks, ...postTasks];
}

/** The name of a handler or a topic, alone or with its role: `web : reload`. */
export function withRole(role: string | undefined, name: string): readonly string[] {
  return role === undefined ? [name] : [name, `${role} : ${name}`];
}

/** What notifies a handler: its name and its topics. */
export function notifyingNames({ name, role, listen }: Handler): readonly string[] {
  return [...(name === undefined ? [] : [name.value]), ...listen].flatMap((one) => withRole(role, one));
}

/** The inherited keywords of steps outside any play. */
export const NOTHING_INHERITED: Inheritable = {
  when: [],
  tags: [],
  layers: [],
  notify: [],
  ignoreErrors: undefined,
  ignoreUnreachable: undefined,
  noLog: undefined,
  checkMode: undefined,
  diff: undefined,
  anyErrorsFatal: undefined,
  runOnce: undefined,
  delegateTo: undefined,
  delegateFacts: undefined,
  throttle: undefined,
  timeout: undefined,
};

type GeneratedParts = Pick<Play, 'name' | 'source' | 'hosts' | 'directory' | 'tasks'> &
  Partial<Pick<Play, 'groupLayers' | 'controllerLayers'>>;

/** A generated play with these tasks and only the required keywords. */
export function generatedPlay(parts: GeneratedParts): Play {
  return {
    layers: [],
    variableFiles: [],
    prompts: [],
    groupLayers: new Map(),
    controllerLayers: new Map(),
    preTasks: [],
    postTasks: [],
    handlers: [],
    roles: { named: [], dependencies: [] },
    serial: undefined,
    maxFailPercentage: undefined,
    forceHandlers: undefined,
    order: undefined,
    forks: undefined,
    strategy: undefined,
    tags: [],
    ...parts,
  };
}

/** A generated task with only the required keywords. */
export function generatedTask(parts: Pick<Task, 'name' | 'module' | 'args' | 'source'> & Partial<Task>): Task {
  return {
    ...NOTHING_INHERITED,
    type: 'task',
    role: undefined,
    locate: () => parts.source,
    argsPath: [],
    publicArgs: [],
    loop: undefined,
    until: undefined,
    register: undefined,
    changedWhen: undefined,
    failedWhen: undefined,
    ...parts,
  };
}
