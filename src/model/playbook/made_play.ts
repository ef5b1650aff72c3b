import type { Inheritable } from './step.js';
import type { Play } from './playbook.js';

/** What steps inherit outside of any play. */
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

type Said = Pick<Play, 'name' | 'source' | 'hosts' | 'directory' | 'tasks'> &
  Partial<Pick<Play, 'groupLayers' | 'controllerLayers'>>;

/** A generated play with these tasks and only the required keywords. */
export function madePlay(said: Said): Play {
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
    ...said,
  };
}
