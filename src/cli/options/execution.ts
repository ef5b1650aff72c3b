import { InvalidArgumentError, Option, type Command } from 'commander';
import { expandHome } from '../../core/files/paths.js';
import { DIFFS, OUTPUTS } from '../../core/model/run/choices.js';
import { REPORT_KINDS, type RequestedReport } from '../../reporting/reports/report.js';
import type { ExecutionOptions } from '../run_reporter.js';
import { apiVersions, forkCount, MODULE_PATH, NO_COLOR, size } from './define.js';

export const FORKS = [
  '-f, --forks <number>',
  'controllers at once, or auto (default 50; reading: auto)',
  forkCount,
] as const;
export const SIMULATE = ['--simulate', 'use simulated controllers in this process instead of the real ones'] as const;

/** The options of every command that runs tasks. */
export function withExecution(command: Command): Command {
  return withConduct(command, {
    forks: FORKS[1],
    maxRegistered: 'the largest value that a task may register (default 16MB)',
    detailedExitcode: 'exit 3 when something changed or would change',
    simulate: SIMULATE[1],
  })
    .option(...MODULE_PATH)
    .option(...NO_COLOR);
}

/** For commands that write. */
export const CHECK = ['-C, --check', 'change nothing; show what would change'] as const;

/** Descriptions of options that differ between commands. */
interface Words {
  readonly forks: string;
  readonly maxRegistered: string;
  readonly detailedExitcode: string;
  readonly simulate: string;
}

/** Only for commands that can write to controllers. */
export const VERIFY_IDEMPOTENT = [
  '--verify-idempotent',
  'check afterwards that a second run would change nothing; exit 2 if it would',
] as const;

/** `evenkeel simulate` has it, too. */
export const API_VERSION = [
  '--api-version <n.n.n>',
  'API version that simulated controllers accept (repeatable; default: that of the inventory)',
  apiVersions,
] as const;

/** The options of every command that runs tasks or compares. */
export const REPORT = [
  '--report <kind=file>',
  `also write a file: ${REPORT_KINDS.join(', ')} (repeatable)`,
  addReport,
] as const;

function addReport(value: string, previous: readonly RequestedReport[] | undefined): readonly RequestedReport[] {
  const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
  const kind = REPORT_KINDS.find((one) => one === name);
  if (kind === undefined || file === '')
    throw new InvalidArgumentError(
      `It takes KIND=FILE, such as junit=report.xml; the kinds are ${REPORT_KINDS.join(', ')}.`,
    );
  return [...(previous ?? []), { kind, file: expandHome(notStdout(file)) }];
}

/** Refuses `-`: stdout has the output of the run. */
export function notStdout(name: string): string {
  if (name === '-') throw new InvalidArgumentError('It takes a file: stdout has the output of the run.');
  return name;
}

/** Options for execution and output, which resume and rollback have too. */
export function withConduct(command: Command, words: Words): Command {
  const conduct = command
    .option('-D', 'show changes in detail (same as --diff)')
    .addOption(new Option('--diff [mode]', 'show changes, =host per controller or =fleet').choices(DIFFS))
    .option('-f, --forks <number>', words.forks, forkCount)
    .option('--max-registered <size>', words.maxRegistered, size)
    .addOption(new Option('-o, --output <kind>', 'how to report').choices(OUTPUTS))
    .option(...REPORT)
    .option('--log <file>', 'also append the lines of the output "lines" to a file, with times', notStdout)
    .option('--profile', 'show where the time went: controllers, templates, slowest tasks')
    .option('-v, --verbose', 'more detail; repeat up to -vvvv', (_: unknown, level: number) => level + 1, 0)
    .option('--detailed-exitcode', words.detailedExitcode)
    .option('--simulate', words.simulate)
    .option(...API_VERSION)
    .option('--wait', 'wait while other runs hold locks on these controllers')
    .option('--yes', 'do not ask before running in an environment with "confirm"')
    .option('--reason <text>', 'why you run it; "evenkeel runs" shows it')
    .option('--ticket <id>', 'ticket or change that it belongs to; "evenkeel runs" shows it');
  return withCredentials(conduct);
}

/** The options of commands that read controllers without a playbook. */
export function withReading(command: Command): Command {
  const reading = command
    .option(...FORKS)
    .option(...SIMULATE)
    .option(...API_VERSION);
  return withCredentials(reading);
}

/** The options of every command that signs in. */
export function withCredentials(command: Command): Command {
  return command
    .option('-u, --user <name>', 'user name, if the inventory has none')
    .option('-k, --ask-pass', 'ask for the password; used if the inventory has none');
}

/** The values of `withTarget` and `withExecution` as commander returns them, before aliases are joined. */
export type Raw = Omit<ExecutionOptions, 'verbosity'> & { readonly verbose: number; readonly D?: boolean };

type Joined<T> = Omit<T, 'verbose' | 'D'> & { readonly verbosity: number };

/** Joins the options that can be written in two ways. */
export function execution<T extends Raw>({ verbose, D, ...rest }: T): Joined<T> {
  const { diff, ...others } = rest;
  const shown = diff ?? (D === true ? 'auto' : undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot see what is left of a generic type without some of its fields
  return { ...others, verbosity: verbose, ...(shown === undefined ? {} : { diff: shown }) } as Joined<T>;
}

/** `--diff` alone would take the next word as its mode, such as a group named `fleet`. */
export function explicitDiff(argument: string): string {
  return argument === '--diff' ? '--diff=auto' : argument;
}
