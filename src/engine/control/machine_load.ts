import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { MachineLoad } from './auto_forks.js';

/** The part of the time for which a busy event loop works. */
const BUSY = 0.9;
const LOOP_EVERY_MS = 20;
const MEMORY_EVERY_MS = 250;
/** What a controller at work may need. */
const FORK_BYTES = 2 * 2 ** 20;
/** Left for everything else. */
const SPARE_BYTES = 64 * 2 ** 20;
/** Left for everything else. A controller has a socket, a simulated one two. */
const SPARE_FILES = 100;

/** Reads what this process can take, at most every few milliseconds. @param forksInUse controllers at work */
export function machineLoad(forksInUse: () => number): () => MachineLoad {
  const files = Math.floor((openFileLimit() - SPARE_FILES) / 2);
  let loop = performance.eventLoopUtilization();
  let [loopAt, memoryAt] = [performance.now(), -Infinity];
  let load: MachineLoad = { isBusy: false, room: files };
  return () => {
    const now = performance.now();
    if (now - loopAt >= LOOP_EVERY_MS) {
      const latest = performance.eventLoopUtilization();
      load = { ...load, isBusy: performance.eventLoopUtilization(latest, loop).utilization > BUSY };
      [loop, loopAt] = [latest, now];
    }
    if (now - memoryAt >= MEMORY_EVERY_MS) {
      const more = Math.floor((freeBytes() - SPARE_BYTES) / FORK_BYTES);
      load = { ...load, room: Math.min(files, more < 0 ? 0 : forksInUse() + more) };
      memoryAt = now;
    }
    return load;
  };
}

function freeBytes(): number {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  return Math.min(limit - used, process.availableMemory());
}

/** How many files this process may have open. Node raises its limit to the hard one when it starts. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
    return soft === 'unlimited' ? Infinity : Number(soft) || FEWEST_FILES;
  } catch {
    // Not Linux.
    return FEWEST_FILES;
  }
}

/** What systems allow without being asked for more. */
const FEWEST_FILES = 1024;
