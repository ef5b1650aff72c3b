import type { Play } from './playbook.js';
import type { Inheritable, Task } from './step.js';

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

type TaskParts = Pick<Task, 'name' | 'module' | 'args' | 'source'> & Partial<Task>;

/** A generated task with only the required keywords. */
export function generatedTask(parts: TaskParts): Task {
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
