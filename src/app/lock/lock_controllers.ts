import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { LockFolder, LockFolderError } from '../../locks/lock_folder.js';
import { Locks, type AcquireResult, LateLocks } from '../../locks/locks.js';
import { placeKey } from '../../locks/place_key.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import { guarded, holderOf, NO_LOCK, type LockAnswer, type LockPorts, type RunLock } from './run_lock.js';
import { placesOf, type Places } from './lock_places.js';
import { lateRefusal, refusals, takeOverText, waitingText } from './lock_messages.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { runMayWrite } from '../load/writes.js';

/** `EVENKEEL_LOCK_DIR=off`: no locks. */
const OFF = 'off';

/** Locks all of the run's controllers, or none, against other runs on this machine. */
export async function lockControllers(run: PreparedRun, id: string, ports: LockPorts): Promise<LockAnswer> {
  const { loaded, selected, answers } = run;
  const { env } = ports;
  if (env['EVENKEEL_LOCK_DIR'] === OFF || !(await runMayWrite(run.loaded, run.request)))
    return { status: 'granted', lock: NO_LOCK };
  const places = await placesOf(loaded, selected, answers);
  try {
    const own = await lockIn(await openFolder(env), places, run, id, ports);
    if (run.request.nats === undefined || own.status !== 'granted') return own;
    // Take local locks as well, because other runs on this machine possibly do not use the broker.
    const { lockOverNats } = await import('./nats_locks.js');
    const leased = await lockOverNats(run, id, places, ports);
    if (leased.status === 'granted') return { status: 'granted', lock: bothLocks(own.lock, leased.lock) };
    await own.lock.release();
    return leased;
  } catch (error) {
    if (!(error instanceof LockFolderError)) throw error;
    return { status: 'refused', diagnostics: [unusable(error)] };
  }
}

async function lockIn(
  folder: LockFolder,
  places: Places,
  run: PreparedRun,
  id: string,
  ports: LockPorts,
): Promise<LockAnswer> {
  const locks = new Locks({
    folder,
    holder: holderOf(id, `${ports.caller.name} ${run.label}`),
    onTakeOver: (holder) => {
      ports.report.notice(takeOverText(holder), 'detail');
    },
  });
  const locked = await obtain(locks, places, run, ports);
  if (locked.status === 'interrupted') return locked;
  if (locked.status === 'refused') return { ...locked, diagnostics: refusals(locked.conflicts, places) };
  return { status: 'granted', lock: lockOf(locks) };
}

function bothLocks(own: RunLock, leases: RunLock): RunLock {
  const lockLate = async (url: string): Promise<string | undefined> =>
    (await own.lockLate(url)) ?? leases.lockLate(url);
  return {
    lockLate,
    guard: (connect) => guarded(connect, lockLate),
    release: async () => {
      await Promise.all([own.release(), leases.release()]);
    },
    lost: leases.lost,
  };
}

function obtain(
  locks: Locks,
  places: Places,
  run: PreparedRun,
  { report, signals }: LockPorts,
): Promise<AcquireResult> {
  const keys = new Set(places.keys());
  if (run.request.wait !== true) return locks.acquire(keys);
  return locks.acquireWhenFree(keys, signals.drain, (conflicts) => {
    report.notice(waitingText(conflicts, places), 'always');
  });
}

function lockOf(locks: Locks): RunLock {
  const late = new LateLocks(locks);
  const lockLate = async (url: string): Promise<string | undefined> => {
    const conflicts = await late.acquire(placeKey(url));
    return conflicts.length === 0 ? undefined : lateRefusal(conflicts, url);
  };
  return {
    lockLate,
    guard: (connect) => guarded(connect, lockLate),
    release: () => locks.release(),
  };
}

/** `EVENKEEL_LOCK_DIR`, which users may share; else a folder of this user, for all projects. */
function openFolder(env: LockPorts['env']): Promise<LockFolder> {
  const given = env['EVENKEEL_LOCK_DIR'] ?? '';
  if (given !== '') return LockFolder.open(path.resolve(given), { own: false });
  const user = process.getuid?.() ?? userInfo().username;
  return LockFolder.open(path.join(tmpdir(), `evenkeel-${user}`, 'claims'), { own: true });
}

function unusable({ message }: LockFolderError): Diagnostic {
  return {
    severity: 'error',
    message: `cannot find out which other runs are active: ${message}; nothing was contacted`,
    hint: 'EVENKEEL_LOCK_DIR names another folder for locks; EVENKEEL_LOCK_DIR=off runs without them',
  };
}
