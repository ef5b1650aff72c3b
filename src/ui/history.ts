import { open } from 'node:fs/promises';
import { isGone } from '../core/files/paths.js';
import type { RunFinished, TaskFinished } from '../core/model/run/event.js';
import { errorMessage } from '../core/model/source/diagnostic.js';
import { groupBy } from '../core/model/values/groups.js';
import { listedRun, type ListedRun, whatText } from '../launch/history/listed_run.js';
import { lifeOfProcess } from '../launch/history/run_life.js';
import { JournalError, journalFile, listRuns, runFolder } from '../record/journal/format/run_folders.js';
import { readHeader } from '../record/journal/format/run_header.js';
import { EntryReader } from '../record/journal/read/entry.js';
import { JournalTail } from '../record/journal/read/read_journal.js';
import { changeWords } from '../reporting/diff/change_groups.js';
import { diffLines } from '../reporting/diff/diff_text.js';
import { cellState } from '../reporting/page/fold/details.js';
import type { CellState, ControllerOutcome } from '../reporting/page/format/page.js';
import { recapRows } from '../reporting/run/recap.js';
import { causeLine } from '../reporting/text/messages.js';
import { plain } from '../reporting/text/plain.js';
import { shorten } from '../reporting/text/shorten.js';

const MOST_RUNS = 200;
/** The maximum number of journals to read for the page of a controller. */
const MOST_READ = 50;
/** Of each state, so that many changes hide no failure. */
const MOST_RESULTS = 100;

/** A run in the list. `unreadable`: its header cannot be read, and `what` says why. */
export interface RunSummary extends Omit<ListedRun, 'status'> {
  readonly status: ListedRun['status'] | 'unreadable';
  /** `run playbooks/rollout.yml (check)` */
  readonly what: string;
  readonly outcomes?: OutcomeCounts | undefined;
}

interface ControllerHistory {
  /** The number of runs that were looked through. */
  readonly read: number;
  readonly runs: readonly ControllerRun[];
  /** What could not be read. */
  readonly problems: readonly string[];
}

/** What a run did on a controller. */
interface ControllerRun {
  readonly run: RunSummary;
  /** Number of tasks by result. */
  readonly counts: Readonly<Record<string, number>>;
  readonly results: readonly ControllerResult[];
  /** Number of further results. */
  readonly left: number;
}

interface ControllerResult {
  readonly task: string;
  readonly status: CellState;
  readonly message?: string | undefined;
  readonly words?: string | undefined;
  readonly diff?: readonly string[] | undefined;
}

const LONGEST_MESSAGE = 4000;
const LONGEST_LINE = 500;
const MOST_LINES = 200;

/** The kept runs of a project, newest first. */
export class RunHistory {
  readonly #outcomes = new Map<string, OutcomeCounts | undefined>();

  constructor(readonly stateDirectory: string) {}

  async runs(): Promise<readonly RunSummary[]> {
    const ids = (await listRuns(this.stateDirectory)).slice(0, MOST_RUNS);
    const runs: RunSummary[] = [];
    // One after the other, because the end of a large journal has megabytes.
    for (const id of ids) runs.push(...(await this.#summary(id)));
    return runs;
  }

  /** The runs of a controller, with its changes and failures. */
  async controller(name: string): Promise<ControllerHistory> {
    const newest = (await this.runs()).slice(0, MOST_READ);
    const runs: ControllerRun[] = [];
    const problems: (readonly [run: string, problem: string])[] = [];
    for (const run of newest) {
      if (run.status === 'unreadable') {
        problems.push([run.run, run.what]);
        continue;
      }
      const ofRun: string[] = [];
      const part = await this.#controllerRun(run, name, ofRun);
      problems.push(...ofRun.slice(0, 1).map((problem) => [run.run, problem] as const));
      if (part !== undefined) runs.push(part);
    }
    const read = newest.filter(({ status }) => status !== 'unreadable').length;
    return { read, runs, problems: joinProblems(problems) };
  }

  /** None if the run was pruned meanwhile. */
  async #summary(id: string): Promise<readonly RunSummary[]> {
    try {
      const { header } = await readHeader(this.stateDirectory, id);
      const listed = listedRun(header, lifeOfProcess(header.process));
      return [{ ...listed, what: whatText(listed), outcomes: await this.#knownOutcomes(id, header.end?.time) }];
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      const { message, hint } = error;
      if (isGone(runFolder(this.stateDirectory, id))) return [];
      return [unreadableRun(id, hint === undefined ? message : `${message}: ${hint}`)];
    }
  }

  /** A resumed run has several ends. */
  async #knownOutcomes(id: string, ended: string | undefined): Promise<OutcomeCounts | undefined> {
    if (ended === undefined) return undefined;
    const key = `${id} ${ended}`;
    if (!this.#outcomes.has(key)) this.#outcomes.set(key, await readOutcomes(this.stateDirectory, id));
    return this.#outcomes.get(key);
  }

  async #controllerRun(run: RunSummary, name: string, problems: string[]): Promise<ControllerRun | undefined> {
    const counts: Record<string, number> = {};
    const results: ControllerResult[] = [];
    let left = 0;
    const folder = runFolder(this.stateDirectory, run.run);
    const tail = await JournalTail.open(folder).catch((error: unknown) => {
      if (!isGone(folder)) problems.push(errorMessage(error));
    });
    if (tail === undefined) return undefined;
    const take = (event: TaskFinished): void => {
      if (event.controller !== name || event.item !== undefined || event.round !== undefined) return;
      const state = cellState(event);
      const number = (counts[state] ?? 0) + 1;
      counts[state] = number;
      if (state === 'ok' || state === 'skipped') return;
      if (number <= MOST_RESULTS) results.push(toControllerResult(event));
      else left++;
    };
    try {
      await tail.read(
        (event) => {
          if (event.type === 'task-finished') take(event);
        },
        (problem) => problems.push(problem),
        // Most lines are about other controllers, and need not be parsed.
        (line) => line.includes(JSON.stringify(name)),
      );
    } finally {
      await tail.close();
    }
    return Object.keys(counts).length === 0 ? undefined : { run, counts, results, left };
  }
}

/** Those of several runs that differ only by the run are one: after an update, it is that of each run of earlier versions. */
function joinProblems(problems: readonly (readonly [run: string, problem: string])[]): readonly string[] {
  const alike = groupBy(problems, ([run, problem]) => problem.replaceAll(run, ''));
  return [...alike.values()].map(([[, first], ...more]) =>
    more.length === 0 ? first : `${first}, and ${more.length} more for the same reason`,
  );
}

/** Its id begins with its time. */
function unreadableRun(run: string, what: string): RunSummary {
  const time = run.replace(/^(....)(..)(..T..)(..)(..Z).*$/, '$1-$2-$3:$4:$5');
  const nothing = { argv: [], playbooks: [], command: '', environment: null, check: false, simulated: false };
  return { ...nothing, run, time, what, status: 'unreadable' };
}

function toControllerResult(event: TaskFinished): ControllerResult {
  const { task, message, change } = event;
  return {
    task: plain(task),
    status: cellState(event),
    message: message === undefined ? undefined : shorten(causeLine(plain(message)), LONGEST_MESSAGE, 'cut here'),
    ...(change !== undefined && {
      words: shorten(plain(changeWords(event)), LONGEST_LINE, 'cut here'),
      diff: diffLines(change)
        .slice(1, MOST_LINES + 1)
        .map((line) => shorten(plain(line), LONGEST_LINE, 'cut here')),
    }),
  };
}

const FIRST_BYTES = 64 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;

type OutcomeCounts = Partial<Record<ControllerOutcome, number>>;

/** The outcomes of a run's controllers. Reads only the end of its journal; undefined if the run did not finish. */
async function readOutcomes(stateDirectory: string, id: string): Promise<OutcomeCounts | undefined> {
  const handle = await open(journalFile(runFolder(stateDirectory, id)), 'r').catch(() => undefined);
  // The page of the run says why.
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    for (let length = FIRST_BYTES; length <= MOST_BYTES; length *= 4) {
      const from = Math.max(0, size - length);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
      const finished = finishedIn(buffer.subarray(0, bytesRead).toString('utf8'));
      if (finished !== undefined) return countOutcomes(finished);
      if (from === 0) return undefined;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The first line may be cut. */
function finishedIn(text: string): RunFinished | undefined {
  for (const line of text.split('\n').reverse()) {
    if (!line.includes('"run-finished"')) continue;
    const entry = new EntryReader().parse(line);
    if (entry.type === 'event' && entry.event.type === 'run-finished') return entry.event;
  }
  return undefined;
}

function countOutcomes(finished: RunFinished): OutcomeCounts {
  const counts: OutcomeCounts = {};
  for (const { verdict } of recapRows(finished)) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}
