import { EventEmitter, on } from 'node:events';
import { EXIT } from '../core/model/exit_code.js';
import type { Event, RunFinished, TaskFinished } from '../core/model/run/event.js';
import { type Diagnostic, Diagnostics } from '../core/model/source/diagnostic.js';
import type { Mapping } from '../core/model/values/value.js';
import { maskDiagnostics } from '../core/secrets/mask_source.js';
import { maskText } from '../core/secrets/mask_text.js';
import { Secrets } from '../core/secrets/secrets.js';
import { controllerVariables, restrict } from '../inventory/ansible_inventory.js';
import type { Objection } from '../launch/load/ports.js';
import { loadTarget } from '../launch/load/target.js';
import { type RunOutcome, startRun } from '../launch/start/start_run.js';
import type { GroupedUndos } from '../launch/undo/rollback_playbook.js';
import { resumeRun } from '../resume/resume_run.js';
import { rollBack } from '../rollback/roll_back.js';
import type { ResumeOptions, RollbackOptions, RunPlaybookOptions, RunTaskOptions, TargetOptions } from './options.js';
import { createPorts, type ProgramPorts } from './ports.js';
import {
  fromCaller,
  InvalidInputError,
  type NotRestored,
  playbookRequest,
  requestOptions,
  type RollbackResult,
  type Run,
  type RunResult,
  taskRequest,
  type TaskResult,
} from './request.js';

/**
 * Runs playbooks as `evenkeel run` does, without printing anything.
 *
 * @throws InvalidInputError with every mistake that was found, each with its place. The other functions do as well.
 */
export function runPlaybook(options: RunPlaybookOptions): Run {
  return streamed(async (emit) => {
    const request = playbookRequest(options);
    const ports = createPorts({ name: 'runPlaybook', command: 'run' }, options, emit, options);
    return toRunResult(await startRun(request, ports), ports);
  });
}

/** Runs one task, as `evenkeel task` does. */
export function runTask(options: RunTaskOptions): Run<TaskResult> {
  return streamed(async (emit) => {
    const request = taskRequest(options);
    const { module, modules = [] } = options;
    const given = typeof module === 'string' ? modules : [...modules, module];
    const tasks: Record<string, TaskFinished> = {};
    const keep = (event: Event): void => {
      if (event.type === 'task-finished' && event.item === undefined) tasks[event.controller] = event;
      emit(event);
    };
    const ports = createPorts({ name: 'runTask', command: 'task' }, options, keep, { modules: given });
    return { ...(await toRunResult(await startRun(request, ports), ports)), tasks };
  });
}

/** Finishes an interrupted run under the same id, as `evenkeel resume` does. */
export function resume(options: ResumeOptions): Run {
  return streamed(async (emit) => {
    const request = requestOptions('resume', options);
    const ports = createPorts({ name: 'resume', command: 'resume' }, options, emit, options);
    const { run, force } = options;
    const { outcome } = await resumeRun({ ...request, run, force }, ports);
    return toRunResult(outcome, ports);
  });
}

/** Restores what a run changed, as `evenkeel rollback --yes` does. */
export function rollback(options: RollbackOptions): Run<RollbackResult> {
  return streamed(async (emit) => {
    const request = requestOptions('rollback', options);
    const ports = createPorts({ name: 'rollback', command: 'rollback' }, options, emit, {});
    const { run, allowLockout, force } = options;
    let notRestored: readonly NotRestored[] = [];
    const { outcome, isPartial } = await rollBack({ ...request, run, allowLockout, force }, ports, ({ plan }) => {
      notRestored = listNotRestored(plan, ports.secrets);
      const nothing = { status: 'ended', message: 'nothing to roll back' } as const;
      return Promise.resolve(plan.undos.size > 0 ? 'start' : nothing);
    });
    const ending = isPartial
      ? ({ status: 'failed', exitCode: EXIT.failed } as const)
      : ({ status: 'ok', exitCode: EXIT.ok } as const);
    const result = await (outcome.status === 'ended' ? finishedAtOnce(ports, ending) : toRunResult(outcome, ports));
    return { ...result, notRestored };
  });
}

/** What a rollback does not restore, and why. */
function listNotRestored(
  { final, skipped: skippedControllers, undos }: GroupedUndos,
  secrets: Secrets,
): readonly NotRestored[] {
  const refused = [...undos].flatMap(([controller, own]) =>
    own.flatMap(({ object, refusal }) => (refusal === undefined ? [] : [{ controller, object, reason: refusal }])),
  );
  const skipped = [...skippedControllers].map(([controller, reason]) => ({ controller, reason }));
  return [...final, ...skipped, ...refused].map(({ controller, reason, ...of }) => ({
    controller,
    reason: maskText(reason, secrets),
    ...('object' in of && { object: maskText(of.object, secrets) }),
  }));
}

async function toRunResult(outcome: RunOutcome, ports: ProgramPorts): Promise<RunResult> {
  switch (outcome.status) {
    case 'finished':
      await ports.told();
      return { ...outcome.finished, warnings: ports.warnings() };
    case 'refused':
    case 'preflight-failed':
      throw new InvalidInputError(maskDiagnostics(outcome.diagnostics, (text) => maskText(text, ports.secrets)));
    case 'declined':
    case 'interrupted':
      if (outcome.waiting !== undefined) return notBegun(outcome.waiting, ports);
      throw new InvalidInputError([{ severity: 'error', message: outcome.message }]);
  }
}

/** The result of a run whose signal was aborted while it waited for the locks of other runs. */
function notBegun({ run, controllers }: NonNullable<Objection['waiting']>, ports: ProgramPorts): Promise<RunResult> {
  const ended = { status: 'interrupted', exitCode: EXIT.interrupted } as const;
  return finishedAtOnce(ports, { ...ended, run, unstarted: [...controllers] });
}

/** A run that contacted nothing is not in the journal, but its last event is the same as that of others. */
async function finishedAtOnce(
  ports: ProgramPorts,
  ended: Pick<RunFinished, 'status' | 'exitCode'> & Partial<Pick<RunFinished, 'run' | 'unstarted'>>,
): Promise<RunResult> {
  const time = new Date().toISOString();
  const finished = { type: 'run-finished', time, run: '', seconds: 0, stats: {}, unstarted: [], ...ended } as const;
  ports.emit(finished);
  await ports.told();
  return { ...finished, warnings: ports.warnings() };
}

/** Starts a run whose events can be iterated while it runs. */
function streamed<R extends RunResult>(start: (emit: (event: Event) => void) => Promise<R>): Run<R> {
  // Any number of loops may read a run.
  const emitter = new EventEmitter().setMaxListeners(0);
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    emitter.emit(END);
  };
  const result = fromCaller(() => start((event) => emitter.emit(EVENT, event)).finally(end));
  return Object.assign(result, {
    [Symbol.asyncIterator]: () => {
      // A loop throws the failure once it has read the events before it. One that was left throws nothing.
      result.catch(() => undefined);
      return unread(hasEnded ? [] : on(emitter, EVENT, { close: [END] }), result);
    },
  });
}

const EVENT = 'event';
const END = 'end';

/** The events that one loop has not consumed yet. Throws what the run throws. */
async function* unread(
  events: Iterable<readonly Event[]> | AsyncIterable<readonly Event[]>,
  result: Promise<unknown>,
): AsyncGenerator<Event, void, undefined> {
  for await (const emitted of events) yield* emitted;
  await result;
}

/** An inventory as it was understood. */
export interface LoadedInventory {
  /** By name, in the order of the inventory; with `limit`, only those that it selects. */
  readonly controllers: Readonly<Record<string, LoadedController>>;
  /** By name; `all` and `ungrouped` are among them. */
  readonly groups: Readonly<Record<string, LoadedGroup>>;
  readonly warnings: readonly Diagnostic[];
}

export interface LoadedController {
  /** Every group it belongs to, but `all`: weakest first. */
  readonly groups: readonly string[];
  /**
   * Variables of the inventory and `extraVars`; the strongest value wins. Templates are as written, and encrypted
   * values stay encrypted.
   */
  readonly variables: Mapping;
}

export interface LoadedGroup {
  /** Direct members. */
  readonly controllers: readonly string[];
  readonly children: readonly string[];
}

/**
 * Reads an inventory, as `evenkeel inventory` does. Contacts nothing.
 *
 * @throws InvalidInputError
 */
export function loadInventory(options: TargetOptions = {}): Promise<LoadedInventory> {
  return fromCaller(() => readInventory(options));
}

async function readInventory(options: TargetOptions): Promise<LoadedInventory> {
  const request = requestOptions('loadInventory', options);
  const { cwd = process.cwd(), env = process.env } = options;
  const diagnostics = new Diagnostics();
  const secrets = new Secrets();
  const target = await loadTarget(request, { cwd, env, secrets }, diagnostics);
  diagnostics.requireExecution();
  const list = maskDiagnostics(diagnostics.list, (text) => maskText(text, secrets));
  if (diagnostics.failed()) throw new InvalidInputError(list);
  const { limit, extraVars } = target;
  const inventory = limit === undefined ? target.inventory : restrict(target.inventory, limit);
  const controllers = [...inventory.controllers].map(
    ([name, one]) => [name, { groups: one.groups, variables: controllerVariables(one, extraVars) }] as const,
  );
  const groups = [...inventory.groups].map(
    ([name, group]) => [name, { controllers: group.controllers, children: group.children }] as const,
  );
  return { controllers: Object.fromEntries(controllers), groups: Object.fromEntries(groups), warnings: list };
}
