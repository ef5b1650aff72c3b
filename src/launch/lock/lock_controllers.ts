import { stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { isFileError, expandHome } from '../../core/files/paths.js';
import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import { maskText } from '../../core/secrets/mask_text.js';
import type { Connect } from '../../engine/input/run_input.js';
import { journalFile, runFolder } from '../../record/journal/format/run_folders.js';
import { type LockHolder, controllerKey, LockFolder, LockFolderError } from '../../record/locks/lock_folder.js';
import { Locks, type AcquireResult, type LockConflict } from '../../record/locks/locks.js';
import { accountName, ownIdentity } from '../../record/locks/process_identity.js';
import type { RunPorts } from '../load/ports.js';
import { stateFolder, type PreparedRun } from '../load/prepared_run.js';
import { runMayWrite } from '../load/writes.js';
import type { Refused } from '../request/run_request.js';
import { findLockedNames, type NamesByAddress, type TakenOver } from './locked_names.js';

/** What the locks need of a run's ports. */
interface LockPorts extends Pick<RunPorts, 'env' | 'caller' | 'signals'> {
  readonly report: Pick<RunPorts['report'], 'notice'>;
}

/** The locks of a run, for as long as it lasts. */
export interface RunLock {
  /** Refuses each controller that another run has locked, also those that become known during the run. */
  guard(connect: Connect): Connect;
  /** The same before a write, for actions that do not say that they write. */
  beforeWrite(to: ConnectionSettings): Promise<void>;
  /** A write of the run may take effect after its end: the next run must know. */
  outlive(): void;
  /** Never throws. */
  release(): Promise<void>;
}

type LockAnswer =
  | { readonly status: 'granted'; readonly lock: RunLock }
  | Refused
  /** Interrupted while it waited for other runs. */
  | { readonly status: 'interrupted' };

/** For a run that writes to no controller. */
export const NO_LOCK: RunLock = {
  guard: (connect) => connect,
  beforeWrite: () => Promise.resolve(),
  outlive: () => undefined,
  release: () => Promise.resolve(),
};

/** `EVENKEEL_LOCK_DIR=off`: no locks. */
const OFF = 'off';
const FOUR_WEEKS_MS = 28 * 86_400_000;

/** Locks all of the run's controllers, or none, against other runs on this machine. */
export async function lockControllers(
  run: PreparedRun,
  id: string,
  ports: LockPorts,
  takenOver: TakenOver,
): Promise<LockAnswer> {
  const { loaded, selected, answers } = run;
  const { env } = ports;
  if (env['EVENKEEL_LOCK_DIR'] === OFF || !(await runMayWrite(run))) return { status: 'granted', lock: NO_LOCK };
  const names = await findLockedNames(loaded, selected, answers);
  const lock = async (some: NamesByAddress): Promise<LockAnswer> => {
    try {
      return await lockIn(await openFolder(env), some, { run, id, takenOver }, ports);
    } catch (error) {
      if (!(error instanceof LockFolderError)) throw error;
      return { status: 'refused', diagnostics: [(await import('./lock_texts.js')).unusable(error)] };
    }
  };
  return names === undefined ? { status: 'granted', lock: lockAtFirstWrite(() => lock(new Map())) } : lock(names);
}

const ignore = (): undefined => undefined;

/** For a run that only reads, as far as its modules say. */
function lockAtFirstWrite(open: () => Promise<LockAnswer>): RunLock {
  let opened: Promise<RunLock> | undefined;
  const openOnce = (): Promise<RunLock> =>
    (opened ??= open().then((answer) => {
      if (answer.status === 'granted') return answer.lock;
      throw new Error(answer.status === 'refused' ? answer.diagnostics[0]?.message : answer.status);
    }));
  return {
    ...NO_LOCK,
    beforeWrite: async (to) => (await openOnce()).beforeWrite(to),
    outlive: () => {
      opened?.then((lock) => {
        lock.outlive();
      }, ignore);
    },
    release: async () => (await opened?.catch(ignore))?.release(),
  };
}

async function lockIn(
  folder: LockFolder,
  names: NamesByAddress,
  { run, id, takenOver }: { readonly run: PreparedRun; readonly id: string; readonly takenOver: TakenOver },
  ports: LockPorts,
): Promise<LockAnswer> {
  const locks = new Locks({
    folder,
    holder: {
      run: id,
      process: ownIdentity(),
      user: accountName(),
      command: maskText(`${ports.caller.name} ${run.label}`, run.loaded.target.secrets),
      since: new Date().toISOString(),
      state: stateFolder(run),
    },
    onTakeOver: (holder, common) => {
      if (holder.ended !== true) ports.report.notice(takeOverText(holder), 'detail');
      // A resume knows its own writes.
      if (holder.run !== id) takenOver.add(holder, common);
    },
    lastRecord,
  });
  const locked = await obtain(locks, names, run, ports);
  if (locked.status === 'interrupted') return locked;
  if (locked.status === 'refused') {
    const { refusals } = await import('./lock_texts.js');
    return { ...locked, diagnostics: refusals(locked.conflicts, names) };
  }
  return { status: 'granted', lock: toRunLock(locks, takenOver, ports.signals.abort) };
}

async function obtain(
  locks: Locks,
  names: NamesByAddress,
  run: PreparedRun,
  { report, signals }: LockPorts,
): Promise<AcquireResult> {
  const keys = new Set(names.keys());
  if (run.request.wait !== true) {
    const acquired = await locks.acquire(keys, signals.drain);
    return acquired.status === 'refused' && signals.drain.aborted ? { status: 'interrupted' } : acquired;
  }
  const { waitingText } = await import('./lock_texts.js');
  return locks.acquireWhenFree(keys, signals.drain, (conflicts) =>
    report.notice(waitingText(conflicts, names), 'always'),
  );
}

function toRunLock(locks: Locks, takenOver: TakenOver, abort: AbortSignal): RunLock {
  const late = new LateLocks(locks, abort);
  const beforeWrite = async (settings: ConnectionSettings): Promise<void> => {
    const controller = controllerIdentity(settings);
    const conflicts = await late.acquire(controllerKey(controller));
    if (conflicts.length > 0) throw new Error((await import('./lock_texts.js')).lateRefusal(conflicts, controller));
    await takenOver.known();
  };
  return {
    guard: (connect) => async (settings, variables) => {
      await beforeWrite(settings);
      return connect(settings, variables);
    },
    beforeWrite,
    outlive: () => locks.outlive(),
    release: async () => {
      await takenOver.known();
      await locks.release((dead) => takenOver.isDone(dead));
    },
  };
}

/** `EVENKEEL_LOCK_DIR`, which users may share; else a folder of this user, for all projects. */
function openFolder(env: LockPorts['env']): Promise<LockFolder> {
  const given = env['EVENKEEL_LOCK_DIR'] ?? '';
  if (given !== '') return LockFolder.open(path.resolve(expandHome(given)), { own: false });
  const user = process.getuid?.() ?? userInfo().username;
  return LockFolder.open(path.join(tmpdir(), `evenkeel-${user}`, 'claims'), { own: true });
}

/** Of a journal that cannot be read, such as another user's: four weeks after its start. Few runs last longer. */
function lastRecord({ state, run, since }: LockHolder): Promise<number | undefined> {
  if (state === undefined) return Promise.resolve(undefined);
  return stat(journalFile(runFolder(state, run))).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) =>
      isFileError(error, 'ENOENT') || isFileError(error, 'ENOTDIR') ? undefined : Date.parse(since) + FOUR_WEEKS_MS,
  );
}

/** For a run that takes over the locks of a killed run. */
function takeOverText({ run, process: { pid } }: LockHolder): string {
  return `run ${run} (process ${pid}) ended without releasing its locks: its controllers are free again`;
}

interface Waiting {
  readonly resolve: (conflicts: readonly LockConflict[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Locks controllers whose address is only known during the run. Requests made at the same time share a lock file: one file for each
 * controller would be thousands of files for every run to scan.
 */
export class LateLocks {
  #pending = new Map<string, Waiting[]>();
  #working = false;

  /** @param signal as of `Locks.acquire` */
  constructor(
    private readonly locks: Pick<Locks, 'acquire' | 'has'>,
    private readonly signal?: AbortSignal,
  ) {}

  /** Never waits for another run. Returns the conflicts; empty if the lock is held. @throws LockFolderError */
  acquire(place: string): Promise<readonly LockConflict[]> {
    if (this.locks.has(place)) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.#pending.set(place, [...(this.#pending.get(place) ?? []), { resolve, reject }]);
      if (!this.#working) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#pending.size > 0) {
      const batch = this.#pending;
      this.#pending = new Map();
      try {
        await this.#acquireBatch(batch);
      } catch (error) {
        for (const { reject } of [...batch.values()].flat()) reject(error);
      }
    }
    this.#working = false;
  }

  /** Controllers without a conflict are tried again without the others. */
  async #acquireBatch(batch: Map<string, Waiting[]>): Promise<void> {
    while (batch.size > 0) {
      const acquired = await this.locks.acquire(batch.keys(), this.signal);
      const conflicts = acquired.status === 'held' ? [] : acquired.conflicts;
      for (const [place, waiting] of batch) {
        const inTheWay = conflicts.filter(({ places }) => places.length === 0 || places.includes(place));
        if (acquired.status !== 'held' && inTheWay.length === 0) continue;
        batch.delete(place);
        for (const { resolve } of waiting) resolve(inTheWay);
      }
    }
  }
}
