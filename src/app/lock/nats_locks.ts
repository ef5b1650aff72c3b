import { setTimeout as sleep } from 'node:timers/promises';
import { placeKey } from '../../locks/place_key.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import { someOf } from '../../report/text/words.js';
import { NatsLocks, type AcquireLeases } from '../../workers/nats/locks.js';
import { LEASE_MS } from '../../workers/nats/broker/storage.js';
import { NatsError } from '../../workers/nats/broker/connection.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { leaseOf, natsOptions } from '../request/nats_options.js';
import { guarded, holderOf, type LockAnswer, type LockPorts, type RunLock } from './run_lock.js';
import type { Places } from './lock_places.js';

/** The interval at which a waiting run looks for locks again, in ms. */
const AGAIN_MS = 1000;
const MOST_NAMES = 5;
const WAITS = '--wait waits until it is done';

/** Locks all of the run's controllers, or none, with leases on the broker, against runs on all machines. */
export async function lockOverNats(
  run: PreparedRun,
  id: string,
  places: Places,
  ports: LockPorts,
): Promise<LockAnswer> {
  const { user, since, process: own } = holderOf(id, run.label);
  let answer: LockAnswer | undefined;
  try {
    const locks = await NatsLocks.open({
      nats: natsOptions(run.request, ports.cwd, run.loaded.target.secrets),
      ...leaseOf(ports.env),
      holder: { run: id, user, host: own.host, since },
      onTakeOver: ({ run: gone }) => {
        ports.report.notice(`run ${gone} ended without releasing its locks: its controllers are free again`, 'detail');
      },
      report: (line) => {
        // Once the locks are granted, the run has a connection of its own, which reports the same.
        if (answer?.status !== 'granted') ports.report.notice(line, 'always');
      },
    });
    try {
      answer = await obtain(locks, places, { run, id }, ports);
      return answer;
    } finally {
      if (answer?.status !== 'granted') await locks.release();
    }
  } catch (error) {
    if (!(error instanceof NatsError)) throw error;
    const message = `${error.message}: nothing was contacted`;
    return { status: 'refused', diagnostics: [{ severity: 'error', message, hint: error.hint }] };
  }
}

async function obtain(
  locks: NatsLocks,
  places: Places,
  { run, id }: { readonly run: PreparedRun; readonly id: string },
  { signals, report, env }: LockPorts,
): Promise<LockAnswer> {
  let reported = '';
  for (;;) {
    const acquired = await locks.acquire(places.keys());
    if (acquired.status === 'held') return { status: 'granted', lock: lockOf(locks) };
    const diagnostics = refusals(acquired, places, { id, leaseSeconds: (leaseOf(env).leaseMs ?? LEASE_MS) / 1000 });
    if (run.request.wait !== true) return { status: 'refused', diagnostics };
    const waiting = diagnostics.map(({ message }) => message).join('; ');
    if (waiting !== reported) report.notice(`waiting: ${waiting} (Ctrl-C to stop waiting)`, 'always');
    reported = waiting;
    if (!(await passed(AGAIN_MS, signals.drain))) return { status: 'interrupted' };
  }
}

function lockOf(locks: NatsLocks): RunLock {
  const lockLate = async (url: string): Promise<string | undefined> => {
    if (!locks.areConfirmed)
      return 'the locks of this run may be lost: the NATS server has not confirmed them recently';
    const place = placeKey(url);
    if (locks.has(place)) return undefined;
    const acquired = await locks.acquire([place]);
    if (acquired.status === 'held') return undefined;
    return acquired.conflicts
      .map(({ holder }) => `${heldBy(holder)} holds the lock on ${url}: nothing was sent to it`)
      .join('; ');
  };
  return { lockLate, guard: (connect) => guarded(connect, lockLate), release: () => locks.release(), lost: locks.lost };
}

function refusals(
  { conflicts }: Extract<AcquireLeases, { status: 'refused' }>,
  places: Places,
  { id, leaseSeconds }: { readonly id: string; readonly leaseSeconds: number },
): readonly Diagnostic[] {
  return conflicts.map(({ holder, places: common }) => {
    // In the order of the inventory.
    const needed = new Set(common);
    const names = [...places].flatMap(([place, controllers]) => (needed.has(place) ? controllers : []));
    // The holder is another process of the same run, or a dead one.
    const isSame = holder.run === id;
    const what = isSame
      ? 'is already running, or ended a moment ago without releasing its locks'
      : `holds the lock on ${someOf(names, MOST_NAMES)}`;
    const hint = isSame ? `--wait continues it when its locks expire, at most ${leaseSeconds} s after its end` : WAITS;
    return { severity: 'error', message: `${heldBy(holder)} ${what}`, hint };
  });
}

function heldBy({
  run,
  user,
  host,
  since,
}: {
  readonly run: string;
  readonly user: string;
  readonly host: string;
  readonly since: string;
}): string {
  return `run ${run} (started by ${user} on ${host} at ${since.replace(/\.\d+Z$/, 'Z')})`;
}

/** Whether the time passed without an interrupt. */
function passed(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return sleep(milliseconds, true, { signal }).catch(() => false);
}
