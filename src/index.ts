/**
 * What programs and modules of your own import from `evenkeel`.
 *
 * @packageDocumentation
 */
export { Type, type Static } from 'typebox';
export type { Diagnostic } from './core/model/source/diagnostic.js';
export type {
  BatchFinished,
  BatchStarted,
  ControllerFinished,
  ControllerThrottled,
  Event,
  GateChecked,
  GateFinished,
  GateStarted,
  HandlerNotified,
  PlayFinished,
  PlayStarted,
  RequestFinished,
  RequestRetried,
  RunFinished,
  RunStarted,
  TaskFinished,
  TaskProgressed,
  TaskRetried,
  TaskStarted,
  Warning,
} from './core/model/run/event.js';
export type { Change, Stats } from './core/model/run/result.js';
export type { Mapping, Value } from './core/model/values/value.js';
export { absentMember, collectionMember, singleton } from './module/collection.js';
export { defineAction, defineResource } from './module/contract.js';
export { CONTROLS, declaration } from './module/comparison/desired.js';
export type {
  ActionContext,
  ActionModule,
  ActionResult,
  ControllerObject,
  Module,
  Plan,
  RawAnswer,
  RawRequest,
  Reader,
  ResourceModule,
  Singleton,
  Writer,
} from './module/contract.js';
/** @deprecated defineHelper is the name of defineFilter in older projects */
export { defineFilter, defineFilter as defineHelper, type FilterDefinition } from './language/runtime/user_filter.js';
export { loadInventory } from './library/runs.js';
export type { LoadedController, LoadedGroup, LoadedInventory } from './library/runs.js';
export { resume, rollback, runPlaybook, runTask } from './library/runs.js';
export { InvalidInputError } from './library/request.js';
export type { NotRestored, RollbackResult, Run, RunResult, TaskResult } from './library/request.js';
export type {
  InventoryGroup,
  InventoryGroups,
  ResumeOptions,
  RollbackOptions,
  RunPlaybookOptions,
  RunTaskOptions,
  TargetOptions,
} from './library/options.js';
