import type { Event } from '../../../core/model/run/event.js';
import type { Past, PastWrite, UnsettledWrite } from '../../../core/model/run/past.js';
import { isSameMachine, type ProcessIdentity } from '../../../core/model/run/process.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import { text, texts } from '../../../core/model/values/stored.js';
import { isList, isMapping, type Mapping } from '../../../core/model/values/value.js';
import { maskedTexts } from '../../../core/secrets/mask_value.js';
import { MASK } from '../../../core/secrets/secrets.js';
import type { Sealer } from '../format/project_key.js';
import { runFolder } from '../format/run_folders.js';
import { type HeaderFile, markAsRead, readHeader, type RunHeader, type RunStart } from '../format/run_header.js';
import { recordText, shownText, type KeptRecord } from './entry.js';
import { PastSteps } from './past_steps.js';
import { objectWrites, PastWrites, reachedIn, type KeptWrite, type ObjectWrite } from './past_writes.js';
import { readJournal, type JournalEnd } from './read_journal.js';
import { shownWrites, type ShownWrite } from './shown_writes.js';
import { UnsettledInRun } from './unsettled_in_run.js';
import { openUnsealer, WholeRecords } from './whole_record.js';

/** A write of a run, whether its step was settled or not. */
export interface WrittenObject extends PastWrite {
  /** The object as the controller showed it after the write. Absent: it was not read. */
  readonly seen?: Mapping | undefined;
  /** The last write before its step was forgotten. Absent: it was not. */
  readonly forgottenAfter?: number | undefined;
  /** Of the intent, as the journal shows them. Absent if `no_log` masks them. */
  readonly shown: Readonly<Partial<Record<'object' | 'path', string>>>;
  /** The parts of it that are not readable in the journal, which a reader must mask. If all of it is sealed, only its address. */
  readonly masked: readonly string[];
}

/** Where a run reached a controller. */
interface ReachedAddress {
  /** @throws JournalError if the key is lost */
  readonly url: string;
  /** Without secrets. */
  readonly shown: string;
}

/** The journal of a run, read once. Opens sealed values on demand. */
export interface KeptRun {
  readonly header: RunHeader;
  /** @throws JournalError if the key is lost or was replaced. Undefined if the run has no request. */
  readonly invocation: () => Mapping | undefined;
  /** @throws JournalError if the key is lost or was replaced */
  readonly inputs: () => Pick<RunStart, 'playbooks' | 'fingerprint'>;
  /** For a resume. The methods throw a `JournalError` if the key is lost. */
  readonly past: Past;
  /** All of them, in the order of the intents. @throws JournalError if the key is lost */
  readonly writes: () => readonly WrittenObject[];
  readonly shownWrites: () => readonly ShownWrite[];
  /** The last writes to the wanted objects, by `objectNameKey`. Opens only their sealed values. */
  readonly objectWrites: (isWanted: (key: string) => boolean) => ReadonlyMap<string, ObjectWrite>;
  /** Writes whose outcome is unknown; their place is the identity of the controller. */
  readonly unsettled: () => readonly UnsettledWrite[];
  /** Where the inventory or the play first led each controller, by name. */
  readonly reached: () => ReadonlyMap<string, ReachedAddress>;
  /** For appending to it. */
  readonly tail: TailOfJournal;
}

/** The end of a journal, for a resume. */
interface TailOfJournal extends JournalEnd {
  readonly file: HeaderFile;
  readonly lastWrite: number;
  /** @throws JournalError if the key is lost */
  readonly sealer: () => Sealer;
}

export interface RunReading {
  /** The reading process. The run is not pruned while it lives. */
  readonly process: ProcessIdentity;
  /** Each event in order, masked as in the journal: for recaps and reports, in the same pass. */
  readonly onEvent?: ((event: Event) => void) | undefined;
  /** Receives the problems of the journal; invalid lines are skipped. Absent: a problem is an error. */
  readonly onBroken?: ((problem: string) => void) | undefined;
  /** Nothing that the tasks left is read, only what else there is: faster, if the run has ended. */
  readonly withoutTasks?: boolean | undefined;
}

/** What `withoutTasks` passes over: lines about one task but for its write and its warnings, and those that say that a controller has finished. */
const UNNEEDED: ReadonlySet<string> = new Set(
  'task-started task-finished task-retried task-progressed request-finished step-settled controller-finished'.split(
    ' ',
  ),
);

/**
 * Reads a run of the state directory. The run is not pruned until `use` has finished.
 *
 * @param id from `findRun`
 * @throws JournalError if there is no such run, or its journal is invalid: `…/journal.jsonl:12: it is not JSON`
 */
export async function withRun<T>(
  stateDirectory: string,
  id: string,
  reading: RunReading,
  use: (run: KeptRun) => Promise<T> | T,
): Promise<T> {
  const { run, release } = await openRun(stateDirectory, id, reading);
  try {
    return await use(run);
  } finally {
    await release();
  }
}

/**
 * As `withRun`, for a run whose large values are read later: it is not pruned until it is released or the process ends.
 *
 * @throws JournalError as `withRun`
 */
export async function openRun(
  stateDirectory: string,
  id: string,
  reading: RunReading,
): Promise<{ readonly run: KeptRun; readonly release: () => Promise<void> }> {
  const release = await markAsRead(runFolder(stateDirectory, id), reading.process);
  try {
    return { run: await readRun(stateDirectory, id, reading), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function readRun(stateDirectory: string, id: string, reading: RunReading): Promise<KeptRun> {
  const file = await readHeader(stateDirectory, id);
  const opener = await openUnsealer(stateDirectory, file.header);
  const start = (): Mapping => (file.sealed === undefined ? {} : opener.open(file.sealed, 'how it was asked for'));
  const whole = new WholeRecords(opener);
  const writes = new PastWrites();
  const past = new PastSteps(whole, writes);
  const reached = new Map<string, KeptRecord>();
  const unsettled = new UnsettledInRun(reached, whole, isSameMachine(file.header.process, reading.process));
  const isBrief = reading.withoutTasks === true && file.header.end !== undefined;
  const end = await readJournal(runFolder(stateDirectory, id), {
    event: (event) => {
      past.event(event);
      unsettled.event(event);
      reading.onEvent?.(event);
    },
    record: (record) => {
      if (record.type === 'controller-reached') getOrAdd(reached, recordText(record, 'controller'), () => record);
      past.record(record);
      writes.record(record);
    },
    broken: reading.onBroken,
    unneeded: isBrief ? UNNEEDED : undefined,
  });
  return {
    header: file.header,
    invocation: () => {
      const { playbooks: _, fingerprint: __, ...invocation } = start();
      return Object.keys(invocation).length === 0 ? undefined : invocation;
    },
    inputs: () => {
      const { playbooks, fingerprint } = start();
      return {
        playbooks: texts(playbooks) ? playbooks : file.header.playbooks,
        fingerprint: isMapping(fingerprint) ? fingerprint : undefined,
      };
    },
    past,
    writes: () => writes.all.map((write) => writtenObject(write, whole, writes.forgottenAfter(write))),
    shownWrites: () => shownWrites(writes, whole),
    objectWrites: (isWanted) => objectWrites(writes, whole, isWanted),
    unsettled: () => unsettled.among(writes.all),
    reached: () =>
      new Map(
        [...reached].map(([name, record]) => [
          name,
          {
            shown: recordText(record, 'url'),
            get url() {
              return whole.address(record);
            },
          },
        ]),
      ),
    tail: { ...end, file, lastWrite: writes.last, sealer: opener.sealer },
  };
}

function writtenObject(
  { intent, outcome, finished, verified }: KeptWrite,
  whole: WholeRecords,
  forgottenAfter: number | undefined,
): WrittenObject {
  const answer = finished && whole.answer(finished);
  const seen = verified && whole.verified(verified);
  const intended = whole.intended(intent);
  const { object, path } = intent.shown;
  const named = [intended.object, intended.tenant, intended.path, intended.name].filter((text) => text !== undefined);
  const readable = new Set(['object', 'tenant', 'path', 'name'].map((field) => shownText(intent, field)));
  const address = reachedIn(intent, 'url').includes(MASK) ? [intended.reached.url] : [];
  const masked = [
    ...named.filter((text) => !readable.has(text)),
    ...address,
    ...maskedIn(intended, 'change', intent),
    ...(verified ? maskedIn(seen, 'seen', verified) : []),
  ];
  const written = {
    intent: intended,
    outcome,
    shown: { ...(text(object) && { object }), ...(text(path) && { path }) },
    masked: intended.hidden === true ? address : masked,
    ...(answer === undefined ? {} : { answer }),
    ...(forgottenAfter !== undefined && { forgottenAfter }),
  };
  if (seen === undefined) return written;
  return {
    ...written,
    // It may be in a file.
    get seen() {
      return seen.seen;
    },
  };
}

/**
 * The parts of a field that are not readable in the journal. For large values this was computed when the field was
 * written.
 */
function maskedIn(whole: unknown, field: string, { shown }: KeptRecord): readonly string[] {
  if (!isMapping(whole)) return [];
  if (Object.hasOwn(shown, field)) return maskedTexts(whole[field], shown[field]);
  const { masked } = whole;
  return isList(masked) ? masked.filter((text) => typeof text === 'string') : [];
}
