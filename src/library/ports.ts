import type { Playbook } from '../core/model/playbook/playbook.js';
import type { Event, Warning } from '../core/model/run/event.js';
import type { Diagnostic } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import { entry, type Mapping } from '../core/model/values/value.js';
import { VERSION } from '../core/model/version.js';
import { maskEvent } from '../core/secrets/mask_event.js';
import { maskDiagnostics } from '../core/secrets/mask_source.js';
import { maskText } from '../core/secrets/mask_text.js';
import { Secrets } from '../core/secrets/secrets.js';
import type { Respond } from '../launch/load/answers.js';
import type { RunPorts } from '../launch/load/ports.js';
import { noAnswer } from '../launch/load/vault_passwords.js';
import type { Module } from '../module/contract.js';
import type { ConductOptions, ProgramOptions } from './options.js';

export interface ProgramCaller {
  /** `runPlaybook` */
  readonly name: string;
  /** The command that does the same. */
  readonly command: string;
}

type PortOptions = ProgramOptions & Pick<ConductOptions, 'onEvent' | 'signal'>;

/** The ports of a run that a program starts: there are no questions, and the program gets events. */
export interface ProgramPorts extends RunPorts {
  /** Passes an event on, to the program's `onEvent` as well. If that throws, the run ends as with `signal`. */
  readonly emit: (event: Event) => void;
  /** Waits for what `onEvent` has begun, at most until `signal` is aborted, and throws what it has thrown. */
  readonly told: () => Promise<void>;
  /** Found before the run, secrets masked. */
  warnings(): readonly Diagnostic[];
}

export function createPorts(
  caller: ProgramCaller,
  { cwd = process.cwd(), env = process.env, signal, onEvent }: PortOptions,
  emitToRun: (event: Event) => void,
  {
    answers = {},
    modules,
  }: { readonly answers?: Mapping | undefined; readonly modules?: readonly Module[] | undefined },
): ProgramPorts {
  const secrets = new Secrets();
  const found: Diagnostic[] = [];
  const warnings = (): readonly Diagnostic[] => maskDiagnostics(found, (text) => maskText(text, secrets));
  const failed = new AbortController();
  const fail = (error: unknown): void => failed.abort(error);
  let told: Promise<void> = Promise.resolve();
  const emit = (event: Event): void => {
    try {
      const said: unknown = onEvent?.(event);
      // An async function: Node would end the program.
      if (isThenable(said)) {
        const earlier = told;
        told = Promise.resolve(said)
          .catch(fail)
          .then(() => earlier);
      }
    } catch (error) {
      fail(error);
    }
    emitToRun(event);
  };
  return {
    cwd,
    env,
    version: VERSION,
    secrets,
    modules,
    emit,
    told: async () => {
      let giveUp = (): void => undefined;
      const aborted = new Promise<void>((resolve) => (giveUp = resolve));
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted !== true) await Promise.race([told, aborted]);
      signal?.removeEventListener('abort', giveUp);
      failed.signal.throwIfAborted();
    },
    warnings,
    caller: { ...caller, argv: () => [] },
    user: {
      stepProblems: [],
      answer: answerFrom(answers),
      checkPrompts: (playbooks) => unaskedAnswers(Object.keys(answers), playbooks),
      askSecret: noAnswer,
      confirm: () => Promise.resolve(undefined),
      duringRun: () => ({}),
    },
    report: {
      warnings: (diagnostics) => {
        found.push(...diagnostics.filter(({ severity }) => severity === 'warning'));
      },
      notice: () => undefined,
      open: (_run, id) => ({
        handle: (event) => {
          emit(event);
          if (event.type === 'run-started') for (const one of found) emit(maskEvent(toWarning(one, id), secrets));
        },
        close: () => Promise.resolve(),
      }),
    },
    signals: {
      drain: AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])]),
      abort: new AbortController().signal,
      // Only flushes the journal.
      atExit,
    },
  };
}

/** Also a promise of another library. */
function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}

const exits = new Set<() => void>();

function exit(): void {
  for (const act of exits) act();
}

/** With one listener for all runs, because Node warns of more than ten. */
function atExit(act: () => void): () => void {
  if (exits.size === 0) process.on('exit', exit);
  exits.add(act);
  return () => {
    exits.delete(act);
    if (exits.size === 0) process.off('exit', exit);
  };
}

function toWarning({ message, source, hint }: Diagnostic, run: string): Warning {
  const text = hint === undefined ? message : `${message} (${hint})`;
  const time = new Date().toISOString();
  return { type: 'warning', time, run, message: text, ...(source !== undefined && { source }) };
}

/** With a misspelt name, the default of the prompt would be used. */
function unaskedAnswers(answered: readonly string[], playbooks: readonly Playbook[]): readonly Diagnostic[] {
  const prompts = playbooks.flatMap(({ plays }) => plays.flatMap((play) => play.prompts.map(({ name }) => name)));
  return answered
    .filter((name) => !prompts.includes(name))
    .map((name) => {
      const message = `answers has "${name}", but no vars_prompt asks for it`;
      return { severity: 'error', message, hint: didYouMean(name, prompts) };
    });
}

function answerFrom(answers: Mapping): Respond {
  return ({ name }) => {
    const answer = entry(answers, name);
    return Promise.resolve(answer === undefined ? { type: 'unanswered', program: true } : { type: 'answered', answer });
  };
}
