import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from '../model/process_identity.js';

/** This very process. */
export function ownProcess(): ProcessIdentity {
  return { pid: process.pid, host: hostname(), start: startOf(process.pid) ?? '' };
}

/** Whether that process still lives. One of another machine counts as living: nobody here can say. */
export function isRunning({ pid, host, start }: ProcessIdentity): boolean {
  if (host !== hostname()) return true;
  if (!exists(pid)) return false;
  const now = startOf(pid);
  return now === undefined || start === '' || now === start;
}

function exists(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Linux says it in ticks since it was booted, so it also takes which boot that was. Undefined on other systems. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name comes second, in brackets, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields[19];
    return ticks === undefined ? undefined : `${boot}/${ticks}`;
  } catch {
    return undefined;
  }
}
