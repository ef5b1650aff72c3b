import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import type { LockHolder, LockFolderError } from '../../record/locks/lock_folder.js';
import type { LockConflict } from '../../record/locks/locks.js';
import type { NamesByAddress } from './locked_names.js';

/** How many controllers a message names. */
const MOST_NAMES = 5;

/** Why a run must not start: one error for each run that has a lock. */
export function refusals(rivals: readonly LockConflict[], names: NamesByAddress): readonly Diagnostic[] {
  return rivals.map((rival) => ({
    severity: 'error',
    message: `${lockText(rival, names)}: nothing was contacted`,
    hint: hintFor(rival),
  }));
}

/** Names the runs that this run waits for. */
export function waitingText(rivals: readonly LockConflict[], names: NamesByAddress): string {
  const others = rivals.map((rival) => lockText(rival, names)).join('; ');
  return `waiting: ${others} (Ctrl-C to stop waiting)`;
}

/** Why a controller that was added during the run is not contacted. */
export function lateRefusal(rivals: readonly LockConflict[], url: string): string {
  const [first] = rivals;
  if (first === undefined) return `another run holds the lock on ${url}`;
  const { holder, file } = first;
  const way = hintFor(first);
  const said = holder === undefined ? unclear(file) : `run ${holder.run} holds the lock on ${url} ${described(holder)}`;
  return `${said}: nothing was sent to it; ${holder === undefined || first.elsewhere ? way : 'run it again for this controller'}`;
}

function lockText({ holder, file, places }: LockConflict, names: NamesByAddress): string {
  if (holder === undefined) return unclear(file);
  const held = places.flatMap((place) => names.get(place) ?? []);
  const what = held.length === 0 ? 'is already running' : `holds the lock on ${listed(held)}`;
  return `run ${holder.run} ${what} ${described(holder)}`;
}

function unclear(file: string): string {
  return `the lock ${file} cannot be understood, so it may be on any controller`;
}

function described({ user, command, since, process: { pid, host } }: LockHolder): string {
  return `(${command}, started by ${user} on ${host} at ${since.replace(/\.\d+Z$/, 'Z')}, process ${pid})`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const others = names.length - shown.length;
  return new Intl.ListFormat('en-GB').format(others > 0 ? [...shown, `${others} more`] : shown);
}

function hintFor({ holder, file, elsewhere }: LockConflict): string {
  if (holder === undefined) return 'remove it if no run is active';
  if (!elsewhere) return '--wait waits until it is done';
  return `this machine cannot see whether that run is still active: if it is not, remove ${file}`;
}

export function unusable({ message }: LockFolderError): Diagnostic {
  return {
    severity: 'error',
    message: `cannot find out which other runs are active: ${message}; nothing was contacted`,
    hint: 'EVENKEEL_LOCK_DIR names another folder for locks; EVENKEEL_LOCK_DIR=off runs without them',
  };
}
