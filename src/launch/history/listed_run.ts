import type { Project } from '../../project/project/project.js';
import type { Author, RecordedResumption, RunHeader, RunStart } from '../../record/journal/format/run_header.js';
import type { Life } from '../../record/locks/process_identity.js';
import { oneLine } from '../../reporting/text/plain.js';
import { commandLine } from '../../reporting/text/words.js';

/** The status of a run. `cut off`: its process ended before the run did. */
export type RunStatus = 'finished' | 'failed' | 'unreachable' | 'stale' | 'interrupted' | 'cut off' | 'running';

/** A run, as its header describes it. */
export interface ListedRun extends Pick<
  RunStart,
  'argv' | 'command' | 'playbooks' | 'environment' | 'shard' | 'check' | 'simulated' | 'author' | 'undoes'
> {
  readonly run: string;
  readonly time: string;
  readonly status: RunStatus;
  /** Absent if the run is still running or was cut off. */
  readonly exitCode?: number;
  /** The journal could not be written for a while: a resume finishes the run. */
  readonly unkept?: true;
  readonly seconds?: number;
  readonly controllers?: number;
  readonly resumes?: readonly RecordedResumption[];
}

/** @param life state of the process that runs or resumes it */
export function listedRun(header: RunHeader, life: Life): ListedRun {
  const { id, time, argv, command, playbooks, environment, check, simulated, end, undoes, author, resumes, shard } =
    header;
  return {
    run: id,
    time,
    argv,
    command,
    playbooks,
    environment,
    ...(shard !== undefined && { shard }),
    check,
    simulated,
    status: runStatus(header, life),
    ...(end && { exitCode: end.exitCode, seconds: end.seconds, controllers: end.controllers }),
    ...(end?.unkept === true && { unkept: true }),
    ...(author && { author }),
    ...(resumes && { resumes }),
    ...(undoes !== undefined && { undoes }),
  };
}

/** A run whose process cannot be seen from this machine is listed as running. */
function runStatus({ end }: RunHeader, life: Life): RunStatus {
  if (end === undefined) return life === 'gone' ? 'cut off' : 'running';
  return end.status === 'ok' ? 'finished' : end.status;
}

/**
 * `run playbooks/rollout.yml`, `rollback of ID`, or the typed command if it is another one; then `(shard 2/4)`, `(check)` and
 * `(simulated)`, also in place of their options.
 */
export function whatText(run: ListedRun): string {
  const words = commandWords(run);
  const { shard } = run;
  const isPart = shard !== undefined && !words.includes(shard) && !words.includes(`--shard=${shard}`);
  return [
    commandLine(words),
    ...(isPart ? [`(shard ${shard})`] : []),
    ...(run.check && !READING.has(run.command) ? ['(check)'] : []),
    ...(run.simulated ? ['(simulated)'] : []),
  ].join(' ');
}

/** These never write. */
const READING: ReadonlySet<string> = new Set(['plan', 'drift']);
/** Options that the words in parentheses say. */
const SAID: ReadonlySet<string> = new Set(['--check', '-C', '--simulate']);

/** The rerun of a rollback starts with `run --rerun`. */
function commandWords({ argv, command, playbooks, undoes }: ListedRun): readonly string[] {
  if (undoes !== undefined) return ['rollback', 'of', undoes];
  return command === 'run' || argv.length === 0 ? [command, ...playbooks] : argv.filter((word) => !SAID.has(word));
}

const OUT = '--out';

/** The file in which `evenkeel plan` saves a plan, as it was typed. */
export function outIn(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => word === OUT || word.startsWith(`${OUT}=`));
  return argv[at] === OUT ? argv[at + 1] : argv[at]?.slice(OUT.length + 1);
}

/** `2026-11-20 18:50:22`, in UTC as in the run's id. */
export function timeText(time: string): string {
  return time.replace('T', ' ').replace(/\..*$/, '');
}

/** `by ann on ops1, CHG0012: new sites` */
export function authorText({ user, host, ticket, reason }: Author): string {
  const why = [ticket, reason].filter((text) => text !== undefined).join(': ');
  return oneLine(`by ${user} on ${host}${why === '' ? '' : `, ${why}`}`);
}

/** For the commands that follow: the project file, if one was named for this command. */
export function configOption({ named, file }: Pick<Project, 'named' | 'file'>): readonly string[] {
  return named === undefined || file === undefined ? [] : ['--config', file];
}
