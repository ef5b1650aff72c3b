import { lifeOf, ownIdentity, type Life } from '../../locks/process_identity.js';
import { JournalError } from '../../journal/disk/journal_error.js';
import type { KeptRun } from '../../journal/read/read_run.js';
import { DEFAULT_KEPT, pruneRuns } from '../../journal/prune.js';
import type { RunJournal } from '../../journal/write/run_journal.js';
import { continueRun, startRun } from '../../journal/write/start_run.js';
import type { Event } from '../../model/run/event.js';
import type { ProcessIdentity } from '../../model/run/process_identity.js';
import type { Secrets } from '../../secrets/secrets.js';
import type { Mapping } from '../../model/values/value.js';
import { maskEvent } from '../../secrets/mask_event.js';
import { mayWrite } from './consent.js';
import type { LoadedRun } from '../load/load_run.js';
import { shownArgv } from '../../cli/shown_argv.js';

/** What is kept of a run besides what happens in it. */
export interface Keeping {
  /** `run`, `task`, `rollback`. */
  readonly command: string;
  /** What the user typed after the program's name; of a program: nothing. */
  readonly argv: readonly string[];
  /** As they were given. */
  readonly playbooks: readonly string[];
  /** Of a rollback: the run that it undoes. */
  readonly undoes?: string | undefined;
  /** What a resume needs to make the same run again; kept sealed. */
  readonly invocation?: Mapping | undefined;
  /** The inputs of the run, stored in readable form. */
  readonly fingerprint?: Mapping | undefined;
  /** The run to resume. Absent for a new run. */
  readonly kept?: KeptRun | undefined;
}

/** What it takes to keep a run. */
export interface Recording {
  readonly id: string;
  readonly loaded: LoadedRun;
  /** What relative file names in the inventory are relative to. */
  readonly cwd: string;
  readonly version: string;
  readonly check: boolean;
  readonly simulate: boolean;
  readonly secrets: Secrets;
  readonly keeping: Keeping;
  /** Each event as it happens, masked. */
  readonly emit: (event: Event) => void;
  /**
   * Registers a function to call if the process ends before the run does; returns a function that removes it. Absent if nothing can end the
   * process.
   */
  readonly atExit?: ((act: () => void) => () => void) | undefined;
}

/** All output of a run passes through here: it is masked once, written to the journal, and passed on. */
export interface RunRecord {
  /** Absent where nothing can be kept and nothing is written. */
  readonly journal: RunJournal | undefined;
  readonly emit: (event: Event) => void;
  /** Everything is on disk; runs that are too many are removed. */
  close(): Promise<void>;
}

/**
 * Starts the journal of a run, or continues it.
 *
 * @throws JournalError if the run may write but its journal cannot be written
 */
export async function openRecord(recording: Recording): Promise<RunRecord> {
  const { secrets, emit: tell, atExit } = recording;
  const { journal, warning } = await openJournal(recording);
  const warn = warning === undefined ? undefined : onceAfterFirst(tell, warning, recording.id);
  const stay =
    journal &&
    atExit?.(() => {
      journal.flush();
    });
  return {
    journal,
    emit: (event) => {
      const shown = maskEvent(event, secrets);
      journal?.keep(shown);
      tell(shown);
      warn?.();
    },
    close: async () => {
      stay?.();
      if (journal === undefined) return;
      await journal.close();
      await removeOld(recording);
    },
  };
}

/** As this process sees it. */
export function lifeOfProcess(process: ProcessIdentity): Life {
  return lifeOf(process, ownIdentity());
}

interface OpenedJournal {
  readonly journal?: RunJournal;
  /** Why there is none. */
  readonly warning?: string;
}

async function openJournal(recording: Recording): Promise<OpenedJournal> {
  const { loaded, secrets, id, keeping } = recording;
  const { stateDirectory } = loaded.target.project;
  try {
    const journal =
      keeping.kept === undefined
        ? await startRun(stateDirectory, id, startOf(recording), secrets)
        : await continueRun(stateDirectory, keeping.kept, ownIdentity(), secrets, keeping.fingerprint);
    return { journal };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    if (await mayWrite(loaded, recording)) {
      throw new JournalError(
        `${error.message}: nothing was contacted`,
        error.hint ??
          'a run that may write is kept; state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder',
      );
    }
    return { warning: `${error.message}; the run continues because it writes nothing` };
  }
}

function startOf({
  keeping,
  version,
  cwd,
  check,
  simulate,
  loaded,
  secrets,
}: Recording): Parameters<typeof startRun>[2] {
  return {
    evenkeel: version,
    command: keeping.command,
    argv: shownArgv(keeping.argv, secrets),
    cwd,
    check,
    simulated: simulate,
    environment: loaded.target.environment?.name ?? null,
    playbooks: keeping.playbooks,
    process: ownIdentity(),
    undoes: keeping.undoes,
    invocation: keeping.invocation,
    fingerprint: keeping.fingerprint,
  };
}

/** The stream of events begins with what a reader of it must know first. */
function onceAfterFirst(tell: (event: Event) => void, message: string, run: string): () => void {
  let told = false;
  return () => {
    if (told) return;
    told = true;
    tell({ type: 'warning', time: new Date().toISOString(), run, message });
  };
}

/** What cannot be removed now is removed after another run. */
async function removeOld({ loaded }: Recording): Promise<void> {
  const { stateDirectory } = loaded.target.project;
  await pruneRuns(stateDirectory, { keep: DEFAULT_KEPT, lifeOf: lifeOfProcess, most: MOST_AT_ONCE }).catch(
    () => undefined,
  );
}

/** A history that has grown long is shortened bit by bit, so that no run ends late for it. */
const MOST_AT_ONCE = 20;
