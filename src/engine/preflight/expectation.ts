import { DIALECTS, type Dialect } from '../../core/model/dialect.js';
import { CONNECTION_NAMES } from '../../core/model/inventory/connection_variables.js';
import type { Block, Include, Included, Meta, Task } from '../../core/model/playbook/step.js';
import { orElse, type Source } from '../../core/model/source/diagnostic.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { evaluate, isTrue } from '../../language/render.js';
import { NotKnownYet, TemplateError } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import { versionAdvice } from '../../module/arguments/kind_schema.js';
import { declaredTenants, namedTenant } from '../../module/comparison/desired.js';
import type { Module } from '../../module/contract.js';
import { isMasked } from '../context/task_events.js';
import { lookupIn } from '../controllers/controller_connections.js';
import { GIVEN } from '../controllers/session_pool.js';
import { disagreement, delegateName } from '../execution/delegation.js';
import { checkedArguments, connectionArguments } from '../execution/task_arguments.js';
import { describeCrash, TaskProblem } from '../keywords/failed_result.js';
import { allHold, loopLayer } from '../keywords/rendered_keywords.js';
import type { TagSelection } from '../keywords/selected_steps.js';
import { includedRun } from '../task/task_end.js';
import { connectionFindings } from './connection_findings.js';
import { EXPECTED, isExpected, type RunFinding, toPreflightFinding } from './findings.js';
import type { PlayPreview } from './play_preview.js';

/** What surrounds the current steps. */
export interface PreviewContext {
  readonly layers: readonly VariableLayer[];
  /** Whether a failure is expected: a `rescue` around would catch it. */
  readonly rescuable: boolean;
  /** Number of enclosing includes. */
  readonly depth: number;
  /** Chooses among the steps of an include. Absent: that of the run. */
  readonly selection?: TagSelection;
  /** The key of the role that an include with a loop includes: it runs for each item. */
  readonly looped?: string | undefined;
}

export const TOP: PreviewContext = { layers: [], rescuable: false, depth: 0 };

/** A file may include itself until a condition is false, which only the run may be able to evaluate. */
export const MOST_KNOWN_INCLUDES = 20;

/** The fate of a task, as far as known before the run. `open`: unknown. `broken`: its arguments certainly fail. */
export type Expectation = 'skipped' | 'carried out' | 'broken' | 'open';

/** One task, or one item of its loop. */
export interface Item {
  readonly scope: Variables;
  readonly variables?: Mapping | undefined;
  readonly expectation: Expectation;
}

/** Whether a step with an unknown loop is certainly skipped; a condition that cannot be evaluated may need an item. */
export function withoutItems({ when }: Pick<Task, 'when'>, scope: Variables): Expectation {
  try {
    return allHold(when, scope) ? 'carried out' : 'skipped';
  } catch (error) {
    return error instanceof NotKnownYet ? 'open' : 'carried out';
  }
}

/** Whether the playbook handles a failure of the step: then the run is not refused because of it. */
export function isExpectedToFail({ ignoreErrors }: Task | Include | Block, { rescuable }: PreviewContext): boolean {
  return rescuable || (ignoreErrors !== undefined && ignoreErrors.value !== false);
}

/** Whether the playbook itself stops the controller here, with its message (`fail`, `assert`). */
export function endsInFailure({ module, args }: Task, scope: Variables): boolean {
  if (module === 'fail') return true;
  if (module !== 'assert' || !isMapping(args)) return false;
  const that = args['that'] ?? null;
  try {
    return !(isList(that) ? that : [that]).every((condition) => isTrue(evaluate(condition, scope)));
  } catch (error) {
    if (error instanceof NotKnownYet) return false;
    if (error instanceof TemplateError) return true;
    throw error;
  }
}

/** An error of a step as a finding, as `toPreflightFinding`. Its `no_log` hides why. */
export function toStepFinding(
  error: unknown,
  controller: string,
  step: Task | Include | Block,
  scope: Variables,
): RunFinding | undefined {
  const { source } = step;
  const finding = toPreflightFinding(error, controller, source, scope);
  if (finding === undefined || !isMasked({ task: step }, scope)) return finding;
  return { controller, source, message: 'this fails, and no_log hides why', hint: 'see why with no_log: false' };
}

/** Problems of the connection of a task that certainly runs. */
export function taskConnectionFindings(...about: Parameters<typeof settingFindings>): readonly RunFinding[] {
  const [, controller, task, { scope }] = about;
  try {
    return [...settingFindings(...about), ...tenantFindings(...about), ...fieldFindings(...about)];
  } catch (error) {
    return [toStepFinding(error, controller, task, scope)].filter((one) => one !== undefined);
  }
}

/** Warnings about fields that the controller's version of the API does not have. */
function fieldFindings(
  ...[play, controller, task, { scope }]: Parameters<typeof settingFindings>
): readonly RunFinding[] {
  const [{ args, delegateTo }, module] = [task, play.module(task.module)];
  if (delegateTo !== undefined) return [];
  // Fails if the module cannot tell its connection.
  const set = argumentsSetting(play, task, scope);
  if (module.type !== 'resource' || (module.knownFields ?? module.knownFieldsFor) === undefined || !isMapping(args))
    return [];
  const version = readVersion(scope.child(taskLayers(task, set)));
  if (version === undefined) return [];
  return versionAdvice(module, args, version).map(({ path, message, hint }) => {
    return { controller, message, hint, isWarning: true, source: task.locate([...task.argsPath, ...path]) };
  });
}

function settingFindings(
  play: PlayPreview,
  controller: string,
  task: Task,
  { scope, variables }: Item,
  around: PreviewContext,
): readonly RunFinding[] {
  // It is not known which controller runs a task for its whole batch.
  if (!play.contactsController(task) || play.isOnce(task)) return [];
  const name = contacted(controller, task, scope);
  const delegated = name !== controller;
  const set = argumentsSetting(play, task, scope);
  const hasOwnConnection = play.module(task.module).connection !== undefined;
  // A connection from the arguments is known only if the arguments are.
  if (set === undefined && hasOwnConnection) return [];
  const given = taskLayers(task, set);
  const others = [...around.layers, ...task.layers, ...loopLayer(variables)];
  // Many tasks have the same connection in their arguments.
  const key = hasOwnConnection && given.length > 0 ? jsonText([name, set]) : name;
  const isOwn = definesConnection(hasOwnConnection ? others : [...others, ...given]);
  if (!isOwn && !play.isNew(key)) return [];
  const seen = delegated ? play.views.delegate(name)?.child([...others, ...given]) : scope.child(given);
  const leads = set?.some(([variable]) => variable === 'controller_url') === true;
  if (seen === undefined || !(leads || play.views.find(name) !== undefined)) return [];
  play.noteContact(name, { seen, isOwn: isOwn || leads, isGiven: leads });
  return connectionFindings(name, seen, play.run.connection).map((finding) => ({ ...finding, delegated }));
}

/** Whether a step has connection settings. */
export function definesConnection(layers: readonly VariableLayer[]): boolean {
  return layers.some(({ values }) => Object.keys(values).some((name) => CONNECTION_NAMES.has(name)));
}

function contacted(controller: string, { delegateTo }: Task, scope: Variables): string {
  return (delegateTo && delegateName(delegateTo, scope)) ?? controller;
}

/** Finds a `tenant_ref` that names another tenant than the task or its controller. */
function tenantFindings(
  ...[play, controller, task, { scope, variables }, around]: Parameters<typeof settingFindings>
): readonly RunFinding[] {
  const module = play.module(task.module);
  if (play.isOnce(task) || declaredTenants(module, task.args).length === 0) return [];
  const find = (): readonly RunFinding[] => {
    const args = knownArguments(play, task, scope);
    const given = taskLayers(task, connecting(module, args));
    const name = contacted(controller, task, scope);
    const others = [...around.layers, ...task.layers, ...loopLayer(variables)];
    const seen = name === controller ? scope.child(given) : play.views.delegate(name)?.child([...others, ...given]);
    const tenants = seen && tenantTraits(seen, play);
    return declaredTenants(module, args).flatMap((one) => {
      const named = tenants && namedTenant(one.text, tenants.collection);
      const problem = named && 'name' in named && disagreement(one, named.name, seen);
      return problem ? [{ ...problem, controller, source: task.locate([...task.argsPath, ...one.path]) }] : [];
    });
  };
  return orElse([], find, ...EXPECTED);
}

function tenantTraits(seen: Variables, { run: { connection } }: PlayPreview): Dialect['tenants'] {
  const dialect = lookupIn(seen)('controller_dialect');
  return (connection.settingSources.dialects ?? DIALECTS).get(typeof dialect === 'string' ? dialect : '')?.tenants;
}

/** The variables that a task's arguments set, such as `controller_tenant`. */
function taskLayers(task: Task, set: readonly (readonly [string, Value])[] = []): readonly VariableLayer[] {
  if (set.length === 0) return [];
  const locate = (): Source => task.locate(task.argsPath);
  return [{ level: 'magic', origin: GIVEN, literal: true, values: Object.fromEntries(set), locate }];
}

/** Undefined if the arguments are unknown, or wrong, which is reported separately. */
function argumentsSetting(
  play: PlayPreview,
  task: Task,
  scope: Variables,
): readonly (readonly [string, Value])[] | undefined {
  const module = play.module(task.module);
  const mayConnect = isMapping(task.args) && ('tenant' in task.args || 'username' in task.args);
  if (!mayConnect && module.connection === undefined) return [];
  const known = orElse(undefined, () => knownArguments(play, task, scope), ...EXPECTED);
  return known && connecting(module, known);
}

/** @throws TaskProblem if the module itself fails */
function connecting(module: Module, args: Mapping): ReturnType<typeof connectionArguments> {
  try {
    return connectionArguments(module, args);
  } catch (error) {
    if (isExpected(error)) throw error;
    const { message, hint } = describeCrash(error, module.name);
    throw new TaskProblem(message, undefined, hint);
  }
}

/** Whether the condition of a step is certainly false. */
export function isCertainlySkipped({ when }: Meta, scope: Variables): boolean {
  return orElse(false, () => !allHold(when, scope), ...EXPECTED);
}

/** The arguments of a task as the run would pass them to its module. Throws if they are wrong. */
export function knownArguments(play: PlayPreview, task: Task | Include, scope: Variables): Mapping {
  const locate: Task['locate'] = (path) => task.locate([...task.argsPath, ...path]);
  return checkedArguments(play.module(task.module), task.args, scope, locate);
}

/** The surroundings of the steps of an include. */
export function aroundIncluded(
  include: Include,
  included: Included,
  variables: Mapping | undefined,
  { layers, depth, ...around }: PreviewContext,
): PreviewContext {
  return { ...around, layers: [...layers, ...includedRun(include, included, variables).layers], depth: depth + 1 };
}

/** What surrounds the steps of a block in one round of its loop. */
export function inRound(around: PreviewContext, values: Mapping): PreviewContext {
  return { ...around, layers: [...around.layers, ...loopLayer(values, 'include params')] };
}

/** Undefined if it is not set, or known only during the run; a wrong one is reported elsewhere. */
function readVersion(scope: Variables): string | undefined {
  const version = orElse(undefined, () => lookupIn(scope)('controller_api_version'), NotKnownYet, TemplateError);
  return typeof version === 'string' && /^\d+\.\d+\.\d+$/.test(version) ? version : undefined;
}
