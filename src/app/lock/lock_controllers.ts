import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { Holder } from '../../locks/lock.js';
import { LockFolder, LockFolderError } from '../../locks/lock_folder.js';
import { Locks, type AcquireResult } from '../../locks/locks.js';
import { LateLocks } from '../../locks/late_locks.js';
import { placeKey } from '../../locks/place_key.js';
import { ownIdentity } from '../../locks/process_identity.js';
import type { Diagnostic } from '../../model/source/diagnostic.js';
import type { Connect, RunInput } from '../../run/input/run_input.js';
import { placesOf, type Places } from './lock_places.js';
import { lateRefusal, refusals, takeOverText, waitingText } from './lock_messages.js';
import type { SelectedPlay } from '../../cli/text/listing.js';
import type { LoadedRun } from '../load/load_run.js';
import { writesInCheck } from '../load/writes_in_check.js';

/** Goes without locks. */
const OFF = 'off';

/** A run that is about to begin. */
export interface LockRequest {
  readonly run: string;
  readonly loaded: LoadedRun;
  readonly selected: readonly SelectedPlay[];
  readonly answers: RunInput['answers'];
  readonly check: boolean;
  readonly simulate: boolean;
  /** `--wait`: until the others are done. */
  readonly wait: boolean;
  /** For the runs that wait for this one. */
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the caller stops waiting. */
  readonly signal: AbortSignal;
  /** What the user should see while nothing runs yet. */
  readonly tell: (message: string, importance: 'always' | 'detail') => void;
}

/** The locks on controllers, held until the run ends. */
export interface Permit {
  /** Contacts no controller that another run has locked. */
  guard(connect: Connect): Connect;
  /** Never throws. */
  release(): Promise<void>;
}

export type LockAnswer =
  | { readonly status: 'granted'; readonly permit: Permit }
  | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly status: 'interrupted' };

/** What only looks, or touches nothing, needs no permit. */
export const FREE: Permit = { guard: (connect) => connect, release: () => Promise.resolve() };

/** Keeps the run's controllers from every other run of this machine: all of them, or none. */
export async function lockControllers(request: LockRequest): Promise<LockAnswer> {
  const { loaded, selected, answers, env } = request;
  if (env['EVENKEEL_LOCK_DIR'] === OFF || !(await writes(request))) return { status: 'granted', permit: FREE };
  const places = await placesOf(loaded, selected, answers);
  try {
    return await lockIn(await openFolder(env), places, request);
  } catch (error) {
    if (!(error instanceof LockFolderError)) throw error;
    return { status: 'refused', diagnostics: [unusable(error)] };
  }
}

async function lockIn(folder: LockFolder, places: Places, request: LockRequest): Promise<LockAnswer> {
  const locks = new Locks({
    folder,
    holder: holderOf(request),
    onTakeOver: (holder) => {
      request.tell(takeOverText(holder), 'detail');
    },
  });
  const locked = await obtain(locks, places, request);
  if (locked.status === 'interrupted') return locked;
  if (locked.status === 'refused') return { ...locked, diagnostics: refusals(locked.conflicts, places) };
  return { status: 'granted', permit: permitOf(locks) };
}

function obtain(locks: Locks, places: Places, { wait, signal, tell }: LockRequest): Promise<AcquireResult> {
  const keys = new Set(places.keys());
  if (!wait) return locks.acquire(keys);
  return locks.acquireWhenFree(keys, signal, (rivals) => {
    tell(waitingText(rivals, places), 'always');
  });
}

function permitOf(locks: Locks): Permit {
  const late = new LateLocks(locks);
  return {
    guard: (connect) => async (settings, variables) => {
      const rivals = await late.acquire(placeKey(settings.url));
      if (rivals.length > 0) throw new Error(lateRefusal(rivals, settings.url));
      return connect(settings, variables);
    },
    release: () => locks.release(),
  };
}

/** A task with `check_mode: false` writes in a check, too. */
async function writes({ check, simulate, loaded }: LockRequest): Promise<boolean> {
  if (simulate) return false;
  return !check || (await writesInCheck(loaded.playbooks)).type !== 'none';
}

/** `EVENKEEL_LOCK_DIR` if set, else a folder of the user that all projects share. */
function openFolder(env: LockRequest['env']): Promise<LockFolder> {
  const given = env['EVENKEEL_LOCK_DIR'] ?? '';
  if (given !== '') return LockFolder.open(path.resolve(given), { own: false });
  const user = process.getuid?.() ?? userInfo().username;
  return LockFolder.open(path.join(tmpdir(), `evenkeel-${user}`, 'claims'), { own: true });
}

function holderOf({ run, command }: LockRequest): Holder {
  const since = new Date().toISOString();
  return { run, process: ownIdentity(), user: userName(), command, since };
}

/** In a container the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}

function unusable({ message }: LockFolderError): Diagnostic {
  return {
    severity: 'error',
    message: `cannot find out which other runs are active: ${message}; nothing was contacted`,
    hint: 'EVENKEEL_LOCK_DIR names another folder for locks; EVENKEEL_LOCK_DIR=off runs without them',
  };
}
