import { hostname } from 'node:os';
import type { Event, TaskFinished } from '../../core/model/run/event.js';
import { shardText } from '../../core/model/run/shard.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import { groupBy } from '../../core/model/values/groups.js';
import { maskEvent } from '../../core/secrets/mask_event.js';
import { maskText, type Masked } from '../../core/secrets/mask_text.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import { JournalError, runFolder } from '../../record/journal/format/run_folders.js';
import type { Author } from '../../record/journal/format/run_header.js';
import { DEFAULT_KEPT, pruneRuns } from '../../record/journal/prune.js';
import type { RunJournal } from '../../record/journal/write/run_journal.js';
import { startJournal } from '../../record/journal/write/start_journal.js';
import { accountName, ownIdentity } from '../../record/locks/process_identity.js';
import { ReplacedNames } from '../../reporting/text/replaced_names.js';
import { commandLine, nameControllers, nameSome } from '../../reporting/text/words.js';
import { configOption } from '../history/listed_run.js';
import { lifeOfProcess } from '../history/run_life.js';
import type { RunPorts } from '../load/ports.js';
import { stateFolder, type PreparedRun } from '../load/prepared_run.js';
import { runMayWrite } from '../load/writes.js';
import type { RunRequest } from '../request/run_request.js';

/** The parts of a prepared run that its record needs. */
type RecordedRun = Pick<PreparedRun, 'loaded' | 'selected' | 'request' | 'journalOptions'>;

export interface RecordPorts extends Pick<RunPorts, 'cwd' | 'env' | 'version' | 'caller' | 'signals'> {
  readonly report: Pick<RunPorts['report'], 'notice'>;
  /** Each event as it happens. */
  readonly emit: (event: Masked<Event>) => void;
}

/** All output of a run passes through here: secrets are masked once, then events are recorded and reported. */
export interface RunRecord {
  /** Absent if the run keeps no state, or if it writes nothing and its journal cannot be created. */
  readonly journal: RunJournal | undefined;
  readonly emit: (event: Event) => void;
  /** Writes everything to disk, and prunes the oldest runs. */
  close(): Promise<void>;
}

/** Milliseconds between two writes of the texts of tasks, for pages of running runs. */
const TEXTS_EVERY = 1000;

/**
 * Opens the journal of a new or resumed run.
 *
 * @throws JournalError if a run that may write cannot be kept, or goes on from what is no longer so
 */
export async function openRecord(run: RecordedRun, id: string, ports: RecordPorts): Promise<RunRecord> {
  const { secrets } = run.loaded.target;
  await requireAsRead(run);
  const state = run.journalOptions.isKept === false ? undefined : stateFolder(run);
  const { journal, warning } = state === undefined ? {} : await openJournal(run, state, id, ports);
  /** By controller. */
  const open = new Map<string, string>();
  const unregister = ports.signals.atExit?.(() => {
    journal?.flush();
    if (open.size > 0) ports.report.notice(openTasksText(open, journal && resumeLine(run, id)), 'always');
  });
  const tasks = new Map<string, TaskFinished>();
  // The task of `evenkeel task` is in no file.
  const hasTexts = journal !== undefined && run.request.command.type !== 'task';
  const keepTexts = async (): Promise<void> => {
    if (state === undefined || !hasTexts) return;
    const { keepTaskTexts } = await import('../history/task_texts.js');
    const { hasChanged } = run.loaded.reads;
    await keepTaskTexts(runFolder(state, id), tasks, { cwd: ports.cwd, secrets, hasChanged });
  };
  let [isNew, keptAt, keeping] = [false, Date.now(), Promise.resolve()];
  const replacedNames = new ReplacedNames();
  secrets.spellAlso(replacedNames.spellings);
  const emit = (event: Event): void => {
    if (event.type === 'play-started') replacedNames.add(event.controllers);
    const shown = maskEvent(event, secrets);
    journal?.keep(shown);
    if (shown.type === 'task-started') open.set(shown.controller, shown.task);
    else if (shown.type === 'task-finished' && shown.item === undefined) open.delete(shown.controller);
    if (shown.type === 'task-finished' && !tasks.has(placeText(shown.source))) {
      tasks.set(placeText(shown.source), shown);
      isNew = true;
    }
    if (isNew && Date.parse(shown.time) - keptAt >= TEXTS_EVERY) {
      [isNew, keptAt] = [false, Date.parse(shown.time)];
      // The texts are only for reports.
      keeping = keeping.then(keepTexts).catch(() => undefined);
    }
    ports.emit(shown);
  };
  let late = warning;
  return {
    journal,
    emit: (event) => {
      emit(event);
      const message = late;
      // A program that hears it may emit more.
      late = undefined;
      // It follows the first event: readers of the stream expect `run-started` there.
      if (message !== undefined) emit({ type: 'warning', time: new Date().toISOString(), run: id, message });
    },
    close: async () => {
      unregister?.();
      if (journal === undefined || state === undefined) return;
      await keeping;
      await keepTexts();
      await journal.close();
      // Folders that cannot be removed now are removed after a later run.
      await pruneRuns(state, { keep: DEFAULT_KEPT, lifeOf: lifeOfProcess, most: MOST_AT_ONCE }).catch(() => undefined);
    },
  };
}

const MOST_NAMES = 3;

/** What a process leaves that ends in the middle of a run, such as by a module whose promise never settles. */
function openTasksText(open: ReadonlyMap<string, string>, resume: string | undefined): string {
  const tasks = [...groupBy(open, ([, task]) => task)].map(
    ([task, on]) =>
      `"${task}" on ${nameControllers(
        on.map(([name]) => name),
        MOST_NAMES,
      )}`,
  );
  const next = resume === undefined ? '' : `; continue with: ${resume}`;
  return `not finished: ${nameSome(tasks, MOST_NAMES)}${next}`;
}

/** Undefined for a check, which cannot be resumed. */
export function resumeLine({ request, loaded }: RecordedRun, id: string): string | undefined {
  if (request.check === true) return undefined;
  return commandLine(['evenkeel', 'resume', id, ...configOption(loaded.target.project)]);
}

async function requireAsRead({ loaded, journalOptions }: RecordedRun): Promise<void> {
  try {
    await loaded.rollback?.requireAsRead();
    await journalOptions.requireAsRead?.();
  } catch (error) {
    throw error instanceof JournalError ? nothingContacted(error) : error;
  }
}

function nothingContacted({ message, hint }: JournalError, otherwise?: string): JournalError {
  return new JournalError(`${message}: nothing was contacted`, hint ?? otherwise);
}

/** The journal, or a warning that there is none. */
async function openJournal(run: RecordedRun, stateDirectory: string, id: string, ports: RecordPorts) {
  const { loaded, request, journalOptions } = run;
  const { secrets } = loaded.target;
  const { kept, fingerprint } = journalOptions;
  try {
    if (kept === undefined) return { journal: await startJournal(stateDirectory, id, runHeader(run, ports), secrets) };
    const { continueRun } = await import('../../record/journal/write/continue_run.js');
    const now = { fingerprint, author: describeAuthor(request, ports, secrets) };
    return { journal: await continueRun(stateDirectory, kept, ownIdentity(), secrets, now) };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    if (kept !== undefined || (await runMayWrite(run)))
      throw nothingContacted(
        error,
        'Evenkeel keeps every run that may write; state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder',
      );
    return {
      warning: `${error.message}; the run continues because it writes ${request.simulate === true ? 'to no real controller' : 'nothing'}`,
    };
  }
}

function runHeader(
  { loaded, request, journalOptions }: RecordedRun,
  ports: RecordPorts,
): Parameters<typeof startJournal>[2] {
  const { environmentName, secrets, shard } = loaded.target;
  const { version, cwd, caller } = ports;
  return {
    evenkeel: version,
    command: caller.command,
    argv: caller.argv(secrets),
    cwd,
    check: request.check === true,
    simulated: request.simulate === true,
    environment: environmentName ?? null,
    shard: shard && shardText(shard),
    playbooks: journalOptions.playbooks ?? loaded.playbooks.map(({ file }) => file),
    process: ownIdentity(),
    author: describeAuthor(request, ports, secrets),
    undoes: journalOptions.undoes,
    invocation: journalOptions.invocation,
    fingerprint: journalOptions.fingerprint,
  };
}

/** With sudo, the user who typed the command counts. */
function describeAuthor({ reason, ticket }: RunRequest, { env }: RecordPorts, secrets: Secrets): Author {
  const { SUDO_USER: sudo = '' } = env;
  const account = accountName();
  return {
    user: sudo === '' || sudo === account ? account : `${sudo} (as ${account})`,
    host: hostname(),
    ...(reason !== undefined && { reason: maskText(reason, secrets) }),
    ...(ticket !== undefined && { ticket: maskText(ticket, secrets) }),
  };
}

/** A long history is pruned bit by bit, so that it delays no run. */
const MOST_AT_ONCE = 20;
