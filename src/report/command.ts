import path from 'node:path';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { EXIT } from '../core/model/exit_code.js';
import { changedControllers, type RunFinished } from '../core/model/run/event.js';
import { Diagnostics, type Diagnostic } from '../core/model/source/diagnostic.js';
import { configOption, type RunStatus } from '../launch/history/listed_run.js';
import { nextCommand, type RunDetail } from '../launch/history/run_detail.js';
import { loadProject, type Project } from '../project/project/project.js';
import { findRun, JournalError } from '../record/journal/format/run_folders.js';
import { PageData } from '../reporting/page/fold/page_data.js';
import { keptSources } from '../reporting/page/fold/sources.js';
import type { PageFacts } from '../reporting/page/format/page.js';
import { pageHtml, readAssets } from '../reporting/page/html.js';
import { runTitle } from '../reporting/run/headings.js';
import { totalsLine } from '../reporting/run/recap.js';
import { UNCOLOURED } from '../reporting/text/palette.js';
import { plain } from '../reporting/text/plain.js';
import { count, nameSome } from '../reporting/text/words.js';
import { JoinedRuns, type JoinedRun } from './joined_runs.js';
import { runSource, type RunSource } from './run_source.js';
import { runReport, writeReport } from './write_report.js';

export interface ReportCommandOptions {
  /** Ids, beginnings of ids, `last`, folders and files of events. */
  readonly runs: readonly string[];
  /** Absent: standard output. */
  readonly out?: string | undefined;
  readonly detailedExitcode?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel report RUN…` */
export async function reportCommand(typed: ReportCommandOptions, context: CommandContext): Promise<number> {
  const options = typed.out === '-' ? { ...typed, out: undefined } : typed;
  const { out, color } = options;
  const { cwd, env, stdout } = context;
  const diagnostics = new Diagnostics();
  if (out === undefined && stdout.isTTY) {
    const message = 'a report is an HTML file: pass its name with --out';
    diagnostics.error(message, undefined, 'such as: evenkeel report last --out run.html');
  }
  const project = await loadProject(cwd, env, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, color);
  show(diagnostics.list, context, color);
  try {
    return await report(options, project, context);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context, color);
  }
}

/** A run of this project is shown. Several runs, or those of other machines, are one run, and end as it would have. */
async function report(
  { runs, out, detailedExitcode, color }: ReportCommandOptions,
  project: Project,
  context: CommandContext,
): Promise<number> {
  const { cwd, stderr } = context;
  const { stateDirectory } = project;
  const sources = await Promise.all(runs.map((named) => runSource(named, { cwd, stateDirectory })));
  const [only, ...others] = sources;
  if (only?.isPath === false && others.length === 0) {
    const html = await runReport(stateDirectory, await findRun(stateDirectory, only.named), configOption(project));
    await put(html, out, context);
    return EXIT.ok;
  }
  const { html, totals, problems, isChanged, exitCode } = await joinRuns(sources, cwd, configOption(project));
  await put(html, out, context);
  stderr.write(`${plain(totals)}\n`);
  show(problems, context, color);
  return exitCode === EXIT.ok && isChanged && detailedExitcode === true ? EXIT.changes : exitCode;
}

async function put(
  html: string,
  out: string | undefined,
  { cwd, stdout, stderr, signals }: CommandContext,
): Promise<void> {
  if (out === undefined) {
    // Masked as text, its script and its data would no longer be whole; nor without what looks like a command of GitHub.
    stdout.unmasked.write(Buffer.from(html));
    return;
  }
  signals.takeOver?.();
  await writeReport(path.resolve(cwd, out), html);
  stderr.write(`the report is in ${out}\n`);
}

/** Several runs as one. */
interface Joined {
  readonly html: string;
  /** `300 controllers · 298 ok · 2 failed · 34 s` */
  readonly totals: string;
  /** The code that one run of all would have had; 1 if shards are missing. */
  readonly exitCode: number;
  readonly isChanged: boolean;
  /** Shards that are missing, and controllers that several runs have. */
  readonly problems: readonly Diagnostic[];
}

const MOST_NAMES = 5;

/**
 * @throws JournalError if a run cannot be read, or the runs do not belong together
 */
async function joinRuns(sources: readonly RunSource[], cwd: string, config: readonly string[]): Promise<Joined> {
  const data = new PageData(keptSources(cwd));
  const joined = new JoinedRuns((event) => data.handle(event));
  const refused = sources.flatMap(({ named, refusal }) =>
    refusal === undefined ? [] : [`${named}: nothing ran: ${refusal}`],
  );
  if (refused.length === sources.length) throw new JournalError(refused.join('\n'));
  const begun = sources.filter(({ refusal }) => refusal === undefined);
  const details: (RunDetail | undefined)[] = [];
  for (const { named, read } of begun.toSorted((a, b) => (a.started < b.started ? -1 : 1))) {
    joined.begin(named);
    details.push(await read((event) => joined.handle(event)));
  }
  const missing = [...refused, ...missingShards(joined.all)];
  const problems: readonly Diagnostic[] = [
    ...missing.map((message) => ({ severity: 'error', message }) as const),
    ...repeated(joined.all).map((message) => ({ severity: 'warning', message }) as const),
  ];
  for (const { message } of problems) joined.warn(message);
  const finished = joined.finish();
  const title = joinedTitle(joined.all);
  const totals = totalsLine(finished, UNCOLOURED);
  const text = { title: `${title}: ${finished.status}`, summary: `${title}: ${totals}` };
  return {
    html: pageHtml(data.pack({ title, ...joinedFacts(joined.all, details, config) }), text, readAssets()),
    totals,
    isChanged: changedControllers(finished).size > 0,
    exitCode: missing.length > 0 ? EXIT.usage : finished.exitCode,
    problems,
  };
}

/** @throws JournalError if some are shards of other fleets, or no shards */
function missingShards(runs: readonly JoinedRun[]): readonly string[] {
  const shards = runs.map(({ started: { shard = 'a whole fleet' } }) => shard);
  const counts = new Set(shards.map((shard) => shard.split('/')[1]));
  const [of] = counts;
  if (counts.size > 1) throw new JournalError(`these runs are not the shards of one fleet: ${shards.join(', ')}`);
  if (of === undefined) return [];
  const all = Array.from({ length: Number(of) }, (_, at) => `${at + 1}/${of}`);
  return all.filter((shard) => !shards.includes(shard)).map((shard) => `shard ${shard} is missing`);
}

function repeated(runs: readonly JoinedRun[]): readonly string[] {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const name of runs.flatMap(({ controllers }) => [...controllers])) (seen.has(name) ? again : seen).add(name);
  if (again.size === 0) return [];
  return [`several of these runs have ${nameSome([...again], MOST_NAMES)}: the newest run of a controller counts`];
}

function joinedTitle([first, ...others]: readonly JoinedRun[]): string {
  if (first === undefined) return '';
  if (others.length === 0) return runTitle(first.started);
  const { shard, ...started } = first.started;
  return `${runTitle(started)} (${count(others.length + 1, shard === undefined ? 'run' : 'shard')})`;
}

/**
 * @param details of the same runs; undefined where only the events of a run are known
 * @param config from `configOption`
 */
function joinedFacts(
  runs: readonly JoinedRun[],
  details: readonly (RunDetail | undefined)[],
  config: readonly string[],
): Pick<PageFacts, 'commands' | 'cutOff'> {
  const commands = runs.flatMap(({ named, started: { shard, run, check }, finished, staleGate }, at) => {
    const ended = { ...finished, staleGate, ...details[at], run, check, status: joinedStatus(finished) };
    const command = nextCommand(ended, config);
    const what = shard === undefined ? named : `shard ${shard}`;
    return command === undefined ? [] : [{ purpose: `continue ${what} with`, command }];
  });
  return { commands, cutOff: runs.some(({ finished }) => finished === undefined) };
}

function joinedStatus(finished: RunFinished | undefined): Exclude<RunStatus, 'running'> {
  if (finished === undefined) return 'cut off';
  return finished.status === 'ok' ? 'finished' : finished.status;
}
