import { noAnswer } from '../app/load/vault_passwords.js';
import type { Respond } from '../app/load/answers.js';
import type { Objection, RunPorts, RunReport } from '../app/load/ports.js';
import { requestProblems } from '../app/request/invocation.js';
import type { RunRequest } from '../app/request/run_request.js';
import { startRun, type RunOutcome } from '../app/run/start_run.js';
import type { Module } from '../module/contract.js';
import type { Diagnostic } from '../model/source/diagnostic.js';
import type { Event, RunFinished, Warning } from '../model/run/event.js';
import { EXIT } from '../model/exit_code.js';
import { Secrets } from '../secrets/secrets.js';
import { placeText } from '../model/source/source.js';
import { entry, type Mapping } from '../model/values/value.js';
import { maskEvent } from '../secrets/mask_event.js';
import { VERSION } from '../version.js';

/** Options of the command line that ask the user, or that have another name here. */
type NotTaken =
  | 'command'
  | 'env'
  | 'extraVars'
  | 'vaultId'
  | 'vaultPasswordFile'
  | 'askVaultPass'
  | 'apiVersion'
  | 'strategy'
  | 'step'
  | 'diff'
  | 'user'
  | 'askPass'
  | 'yes'
  | 'within';

/** With the options of `evenkeel run`, by their names in camel case. */
export interface RunPlaybookOptions extends Omit<RunRequest, NotTaken> {
  /** Playbook files, relative to `cwd`. */
  readonly playbooks: readonly string[];
  /** Default: the working directory of the process. */
  readonly cwd?: string;
  /** An environment of `evenkeel.yml`. It need not be confirmed: the program has decided. */
  readonly environment?: string;
  readonly extraVars?: Mapping;
  /** To `vars_prompt`, by variable. A prompt without an answer gets its default. */
  readonly answers?: Mapping;
  /** Modules besides those in files. `evenkeel resume` does not know them. */
  readonly modules?: readonly Module[];
  readonly strategy?: 'host_pinned' | 'linear';
  /** `label@file` or `file`, besides those of the project file; not `label@prompt`. */
  readonly vaultIds?: readonly string[];
  /** `n.n.n`: the API versions that simulated controllers accept. Default: that of the inventory. */
  readonly apiVersions?: readonly string[];
  /** Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Each event as it happens, secrets masked; warnings about what was loaded follow `run-started`. */
  readonly onEvent?: (event: Event) => void;
  /** Aborted: writes in flight finish and nothing new starts. */
  readonly signal?: AbortSignal;
}

/** The input cannot be understood; nothing was contacted. */
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

/**
 * Runs playbooks as `evenkeel run` does, without printing anything. Failed controllers are in the result (`exitCode`, `stats`), never
 * an exception.
 *
 * @throws InvalidInputError with every mistake that was found, each with its place.
 */
export async function runPlaybook(options: RunPlaybookOptions): Promise<RunFinished> {
  const { playbooks, environment, extraVars, vaultIds, apiVersions, ...others } = options;
  const { cwd, env, answers, modules, onEvent, signal, ...same } = others;
  const request: RunRequest = {
    // Options with the same name here and there; misspelled ones are found by the schema of a request.
    ...same,
    command: { type: 'run', playbooks },
    env: environment,
    extraVars: extraVars === undefined ? [] : [JSON.stringify(extraVars)],
    vaultId: vaultIds,
    apiVersion: apiVersions,
    yes: true,
  };
  const problems = requestProblems(request);
  if (problems.length > 0) throw new InvalidInputError(problems.map((message) => ({ severity: 'error', message })));
  return resultOf(await startRun(request, portsOf({ cwd, env, answers, modules, onEvent, signal })));
}

type PortOptions = {
  [K in 'cwd' | 'env' | 'answers' | 'modules' | 'onEvent' | 'signal']: RunPlaybookOptions[K] | undefined;
};

function portsOf({ cwd = process.cwd(), env = process.env, signal, answers, modules, onEvent }: PortOptions): RunPorts {
  const secrets = new Secrets();
  return {
    ...{ cwd, env, version: VERSION, secrets, modules },
    caller: { name: 'runPlaybook', command: 'run', argv: () => [] },
    user: {
      stepProblems: [],
      answer: answersOf(answers ?? {}),
      askSecret: noAnswer,
      confirm: () => Promise.resolve(undefined),
      duringRun: () => ({}),
    },
    report: reportTo(onEvent, secrets),
    signals: {
      drain: signal ?? new AbortController().signal,
      abort: new AbortController().signal,
      // Only flushes the journal.
      atExit: (act) => {
        process.on('exit', act);
        return () => process.off('exit', act);
      },
    },
  };
}

/** Warnings come after `run-started`, which is what a listener learns first. */
function reportTo(onEvent: RunPlaybookOptions['onEvent'], secrets: Secrets): RunReport {
  const warnings: Diagnostic[] = [];
  return {
    warnings: (found) => {
      warnings.push(...found.filter(({ severity }) => severity === 'warning'));
    },
    notice: () => undefined,
    open: (_run, id) => ({
      handle: (event) => {
        onEvent?.(event);
        if (event.type !== 'run-started') return;
        for (const warning of warnings) onEvent?.(maskEvent(warningOf(warning, id), secrets));
      },
      close: () => Promise.resolve(),
    }),
  };
}

function answersOf(answers: Mapping): Respond {
  return ({ name }) => {
    const answer = entry(answers, name);
    return Promise.resolve(answer === undefined ? { type: 'unanswered' } : { type: 'answered', answer });
  };
}

function warningOf({ message, source, hint }: Diagnostic, run: string): Warning {
  const text = hint === undefined ? message : `${message} (${hint})`;
  const time = new Date().toISOString();
  return { type: 'warning', time, run, message: text, ...(source !== undefined && { source }) };
}

function resultOf(outcome: RunOutcome): RunFinished {
  switch (outcome.status) {
    case 'finished':
      return outcome.finished;
    case 'refused':
    case 'preflight-failed':
      throw new InvalidInputError(outcome.diagnostics);
    case 'declined':
    case 'interrupted':
      if (outcome.waiting !== undefined) return notBegun(outcome.waiting);
      throw new InvalidInputError([{ severity: 'error', message: outcome.message }]);
    default:
      return outcome satisfies never;
  }
}

/** The result of a run whose signal was aborted while it waited for other runs. */
function notBegun({ run, controllers }: NonNullable<Objection['waiting']>): RunFinished {
  const time = new Date().toISOString();
  const ended = { status: 'interrupted', exitCode: EXIT.interrupted, seconds: 0 } as const;
  return { type: 'run-finished', time, run, ...ended, stats: {}, unstarted: [...controllers] };
}
