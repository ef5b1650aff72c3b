import { open, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { LockFolder } from '../../../src/record/locks/lock_folder.js';
import { Locks } from '../../../src/record/locks/locks.js';
import { judgeLife, ownIdentity } from '../../../src/record/locks/process_identity.js';
import { holder } from './rig.js';

// Locks some of a few places again and again, together with others that do the same. Arguments: folder, name, seed, rounds.
// Prints `held` each time that it has its locks, and `VIOLATION` if another process has one of them, too.

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A file that only one process can create names the holder; a killed holder leaves it behind. */
async function enter(file: string): Promise<void> {
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return;
    } catch {
      const pid = Number(await readFile(file, 'utf8'));
      // Killed before it could write its name, or later.
      const own = ownIdentity();
      if (pid !== 0 && judgeLife({ ...own, pid, started: undefined }, own) !== 'gone') {
        process.stdout.write(`VIOLATION ${path.basename(file)} ${pid} ${process.pid}\n`);
        return;
      }
      await unlink(file);
    }
  }
}

async function main([root = '', name = '', seed = '', rounds = '']: readonly string[]): Promise<void> {
  const random = numbers(Number(seed));
  const folder = await LockFolder.open(path.join(root, 'locks'), { own: true });
  for (let round = 0; round < Number(rounds); round++) {
    // The order changes from round to round.
    const locks = new Locks({ folder, holder: holder(`${Math.floor(random() * 1000)}-${name}-${round}`) });
    const places = new Set(PLACES.filter(() => random() < 0.4));
    const acquired =
      random() < 0.5
        ? await locks.acquireWhenFree(places, new AbortController().signal, () => undefined)
        : await locks.acquire(places);
    if (acquired.status === 'held') {
      process.stdout.write('held\n');
      for (const place of places) await enter(path.join(root, place));
      for (const place of places) await unlink(path.join(root, place));
    }
    await locks.release();
  }
  process.stdout.write('done\n');
}

await main(process.argv.slice(2));
