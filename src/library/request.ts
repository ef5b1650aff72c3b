import type { Event, RunFinished, TaskFinished } from '../core/model/run/event.js';
import { type Diagnostic, placeText } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { parseJson } from '../core/model/values/json.js';
import { jsonText, isMapping } from '../core/model/values/value.js';
import { removedText } from '../core/model/version.js';
import { runOptions, type RunOptions, type RunRequest } from '../launch/request/run_request.js';
import type { InventorySource } from '../project/inventory/load.js';
import * as kinds from './option_kinds.js';
import type { OptionKinds } from './option_kinds.js';
import type {
  ConductOptions,
  ResumeOptions,
  RollbackOptions,
  RunPlaybookOptions,
  RunTaskOptions,
  TargetOptions,
} from './options.js';

/**
 * The content of the event `run-finished`, and warnings from before the run. Failed controllers are part of the result,
 * never an exception.
 */
export interface RunResult extends RunFinished {
  /** Warnings of loading, with secrets masked. */
  readonly warnings: readonly Diagnostic[];
}

export interface TaskResult extends RunResult {
  /** The result of the task, by controller. */
  readonly tasks: Readonly<Record<string, TaskFinished>>;
}

/** Its `run` is empty if there was nothing to restore. */
export interface RollbackResult extends RunResult {
  readonly notRestored: readonly NotRestored[];
}

export interface NotRestored {
  readonly controller: string;
  /** Absent: the whole controller. */
  readonly object?: string;
  /** Worded to follow the object or controller: `was created: a rollback deletes nothing`. */
  readonly reason: string;
}

/**
 * A run that has started: a promise of its result, and its events for `for await`. Events before the loop are not kept,
 * so begin the loop at once. Leaving the loop does not end the run; the option `signal` does.
 */
export interface Run<R extends RunResult = RunResult> extends Promise<R>, AsyncIterable<Event> {}

/** The input is invalid. No controller was contacted. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(describe).join('\n'));
  }
}

function describe({ message, source, hint }: Diagnostic): string {
  const place = source === undefined ? '' : `${placeText(source)}: `;
  return `${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
}

/** If an error is not caught, Node shows the first line of its stack: the caller's, not one of the bundle, which is long. */
export async function fromCaller<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidInputError) Error.captureStackTrace(error, fromCaller);
    throw error;
  }
}

const TARGET: OptionKinds<TargetOptions> = {
  cwd: kinds.text,
  env: kinds.environment,
  inventory: kinds.inventory,
  environment: kinds.text,
  limit: kinds.text,
  extraVars: kinds.values,
  vaultIds: kinds.texts,
};
const CONDUCT: OptionKinds<ConductOptions> = {
  forks: kinds.forks,
  maxRegistered: kinds.count,
  simulate: kinds.flag,
  apiVersions: kinds.versions,
  verbosity: kinds.level,
  wait: kinds.flag,
  reason: kinds.text,
  ticket: kinds.text,
  onEvent: kinds.listener,
  signal: kinds.signal,
};
const START = {
  ...TARGET,
  ...CONDUCT,
  check: kinds.flag,
  modules: kinds.modules,
  modulePath: kinds.texts,
  state: kinds.flag,
  shard: kinds.shard,
} as const;

/** The options of each function: a program in JavaScript may misspell one, or pass anything. */
const OPTIONS = {
  loadInventory: TARGET,
  runPlaybook: {
    ...START,
    playbooks: kinds.someTexts,
    answers: kinds.values,
    // Without a tag, all tasks would run.
    tags: kinds.someTexts,
    skipTags: kinds.texts,
    strategy: kinds.strategy,
    startAtTask: kinds.text,
    forceHandlers: kinds.flag,
  } satisfies OptionKinds<RunPlaybookOptions>,
  runTask: {
    ...START,
    pattern: kinds.text,
    module: kinds.moduleOrName,
    args: kinds.values,
  } satisfies OptionKinds<RunTaskOptions>,
  resume: {
    ...CONDUCT,
    cwd: kinds.text,
    env: kinds.environment,
    run: kinds.text,
    force: kinds.flag,
    vaultIds: kinds.texts,
    modules: kinds.modules,
  } satisfies OptionKinds<ResumeOptions>,
  rollback: {
    ...TARGET,
    ...CONDUCT,
    run: kinds.text,
    check: kinds.flag,
    allowLockout: kinds.flag,
    force: kinds.flag,
  } satisfies OptionKinds<RollbackOptions>,
};

type Caller = keyof typeof OPTIONS;

const REQUIRED: Readonly<Record<Caller, readonly string[]>> = {
  loadInventory: [],
  runPlaybook: ['playbooks'],
  runTask: ['pattern', 'module'],
  resume: ['run'],
  rollback: ['run'],
};

export function playbookRequest(options: RunPlaybookOptions): RunRequest {
  return { ...requestOptions('runPlaybook', options), command: { type: 'run', playbooks: options.playbooks } };
}

export function taskRequest(options: RunTaskOptions): RunRequest {
  const checked = requestOptions('runTask', options);
  const { pattern, module, args = {} } = options;
  const name = typeof module === 'string' ? module : module.name;
  return { ...checked, command: { type: 'task', pattern, module: name, args: jsonText(args) } };
}

/**
 * The options by their names in a request. A program is asked nothing: it has confirmed its environment. Throws an
 * `InvalidInputError` if an option is unknown, missing or has a wrong value.
 */
export function requestOptions(caller: Caller, options: TargetOptions & ConductOptions): RunOptions {
  const problems = kinds.isObject(options) ? optionProblems(caller, options) : [withoutOptions(caller, options)];
  if (problems.length > 0) throw new InvalidInputError(problems.map((message) => ({ severity: 'error', message })));
  const { inventory, environment: env, extraVars, vaultIds: vaultId, apiVersions: apiVersion } = options;
  const renamed = {
    env,
    vaultId,
    apiVersion,
    yes: true,
    inventory: inventory === undefined ? undefined : inventorySources(inventory),
    extraVars: extraVars && [jsonText(extraVars)],
  };
  return runOptions({ ...options, ...renamed });
}

function withoutOptions(caller: Caller, options: unknown): string {
  const [required] = REQUIRED[caller];
  if (options === undefined && required !== undefined) return `${required} is missing`;
  return `${caller} takes an object of options, not ${describeWrong(options)}`;
}

function optionProblems(caller: Caller, options: object): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(options).filter(([, value]) => value !== undefined));
  const known = new Map<string, kinds.OptionKind<unknown>>(Object.entries(OPTIONS[caller]));
  const missing = REQUIRED[caller].filter((name) => !given.has(name)).map((name) => `${name} is missing`);
  const wrong = [...given].flatMap(([name, value]) => {
    const kind = known.get(name);
    if (kind === undefined) return [unknownOption(caller, name, [...known.keys()])];
    if (!kind.is(value)) return [`${name} must be ${kind.words}, not ${describeWrong(value)}`];
    return [kind.problem?.(value) ?? []].flat().map((problem) => `${name}: ${problem}`);
  });
  return [...missing, ...wrong];
}

/** Shows numbers only: any other value may be or contain a secret. */
function describeWrong(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'this list';
  const names: Record<string, string> = { string: 'this text', object: 'this object', function: 'a function' };
  return names[typeof value] ?? typeof value;
}

function unknownOption(caller: Caller, name: string, known: readonly string[]): string {
  const removed = removedText(name);
  if (removed !== undefined) return removed;
  const hint = didYouMean(name, known);
  return `${caller} has no option "${name}"${hint === undefined ? '' : ` (${hint})`}`;
}

function inventorySources(inventory: NonNullable<TargetOptions['inventory']>): readonly InventorySource[] {
  return [inventory].flat().map((source) => (typeof source === 'string' ? source : inlineSource(source)));
}

/** As plain data, without values that JSON cannot contain. */
function inlineSource(groups: object): InventorySource {
  const data: unknown = parseJson(jsonText(groups));
  return isMapping(data) ? data : {};
}
