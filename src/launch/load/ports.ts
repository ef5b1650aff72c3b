import type { Playbook } from '../../core/model/playbook/playbook.js';
import type { Meter } from '../../core/model/run/controller_event.js';
import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import type { Ask, ConfirmTask } from '../../engine/input/run_input.js';
import type { Module } from '../../module/contract.js';
import type { Reporter } from '../../reporting/reporter.js';
import type { Workspace } from '../request/invocation.js';
import type { Respond } from './answers.js';
import type { PreparedRun } from './prepared_run.js';
import type { AskSecret } from './vault_passwords.js';
import type { Delegates } from './writes.js';

/** What a run needs from its caller: the command line or a program. */
export interface RunPorts extends Workspace {
  readonly version: string;
  /** Known secrets. A run adds the ones that it finds. */
  readonly secrets: Secrets;
  /** Modules that a program passes as objects. */
  readonly modules?: readonly Module[] | undefined;
  readonly caller: RunCaller;
  readonly user: User;
  readonly report: RunReport;
  /** Absent: nothing is measured. */
  readonly meter?: Meter | undefined;
  readonly signals: RunSignals;
}

/** Who starts the run: for the journal, and for messages of runs that wait for its locks. */
interface RunCaller {
  /** `evenkeel run`, `runPlaybook` */
  readonly name: string;
  /** `run`, `task`, `resume`, … */
  readonly command: string;
  /** The typed arguments, with secrets masked. Empty for a program. */
  readonly argv: (secrets: Secrets) => readonly string[];
}

/** Answers the questions of a run. */
export interface User {
  /** Why `--step` cannot work here; empty if it can. */
  readonly stepProblems: readonly Diagnostic[];
  /** Answers `vars_prompt`. */
  readonly answer: Respond;
  /** What is wrong with the answers of a program to these prompts. Absent: a person answers. */
  readonly checkPrompts?: ((playbooks: readonly Playbook[]) => readonly Diagnostic[]) | undefined;
  readonly askSecret: AskSecret;
  /** Confirms a run in an environment that asks for it; undefined: confirmed. */
  readonly confirm: (run: RunConfirmation) => Promise<Objection | undefined>;
  /** Answers questions of running tasks. Calls `stop`, which ends the run, when a question is interrupted. */
  readonly duringRun: (stop: () => void) => { readonly ask?: Ask; readonly confirmTask?: ConfirmTask };
}

export interface RunConfirmation {
  readonly environment: string;
  readonly label: string;
  readonly controllers: ReadonlySet<string>;
  /** Others. */
  readonly delegates: Delegates;
}

/** Why a valid run does not start. */
export interface Objection {
  readonly status: 'declined' | 'interrupted';
  readonly message: string;
  /** The run was interrupted while it waited for other runs. */
  readonly waiting?: { readonly run: string; readonly controllers: ReadonlySet<string> };
}

/** Shows what happens. */
export interface RunReport {
  /** Warnings found before the run; their files are relative to `cwd`. */
  readonly warnings: (found: readonly Diagnostic[], cwd: string) => void;
  /** Prints a line of text before the run. */
  readonly notice: (message: string, importance: 'always' | 'detail') => void;
  /** Prepares the outputs of a run; returns why some cannot be written. Absent: there is nothing to prepare. */
  readonly prepare?: (() => Promise<readonly Diagnostic[]>) | undefined;
  /** Opens the reporter of the run's events. */
  readonly open: (run: PreparedRun, id: string, cwd: string) => Reporter;
}

export interface RunSignals {
  /**
   * From now on, interrupts only abort these signals, because something must be brought to its end. Before, they end the
   * process at once, even while it computes. Absent: someone else decides about interrupts.
   *
   * @param mayBlock whether code of the project will run, which may compute for ever
   */
  readonly takeOver?: ((mayBlock?: boolean) => void) | undefined;
  /** First interrupt: nothing new starts, writes in flight finish. */
  readonly drain: AbortSignal;
  /** Second interrupt: running requests are aborted. */
  readonly abort: AbortSignal;
  /**
   * Takes over, and registers what must happen if the process exits early; returns how to unregister it. Absent: it
   * does not exit early.
   */
  readonly atExit?: ((act: () => void) => () => void) | undefined;
}
