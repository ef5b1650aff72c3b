import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { inFolder } from '../../rig/folder.js';
import { IS_WHOLE } from '../../rig/random_seed.js';
import { scriptArgs } from '../../rig/script.js';
import { locksOf } from './rig.js';

const LOCKER = fileURLToPath(new URL('locker.ts', import.meta.url));
const PROCESSES = IS_WHOLE ? 5 : 3;
const ROUNDS = 25;
const KILLS = IS_WHOLE ? 5 : 3;

describe('processes that race for overlapping sets of controllers', () => {
  it('are never held twice, and never block forever, even if holders are killed', async function () {
    this.timeout(120_000);
    await inFolder({}, async (folder) => {
      const race = new Race(folder);
      for (let index = 0; index < PROCESSES; index++) race.start();
      await race.over();
      expect(race.violations).to.deep.equal([]);
      expect(race.kills).to.equal(KILLS);
      expect(race.done, 'processes that were not killed').to.equal(PROCESSES);
      expect(race.held).to.be.greaterThan(PROCESSES);
      const last = await locksOf(path.join(folder, 'locks'), 'last');
      expect(await last.acquire('abcdef')).to.deep.equal({ status: 'held' });
      await last.release();
      const left = (await readdir(path.join(folder, 'locks'))).filter((name) => name.endsWith('.json'));
      expect(left).to.deep.equal([]);
    });
  });
});

class Race {
  readonly violations: string[] = [];
  held = 0;
  done = 0;
  kills = 0;
  #started = 0;
  readonly #running = new Set<Promise<unknown>>();

  constructor(private readonly folder: string) {}

  start(): void {
    const seed = ++this.#started;
    const args = [...scriptArgs(LOCKER), this.folder, `p${seed}`, String(seed), String(ROUNDS)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close').finally(() => this.#running.delete(closed));
    this.#running.add(closed);
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#heard(line, child);
    });
  }

  async over(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running);
  }

  /** Kills the process that has just obtained its locks, and starts another. */
  #heard(line: string, child: ChildProcess): void {
    // A process may finish before the kill arrives.
    if (line === 'done') this.done += child.killed ? 0 : 1;
    else if (line === 'held') this.held += 1;
    else this.violations.push(line);
    if (line !== 'held' || this.held % 7 !== 0 || this.kills === KILLS || child.killed) return;
    // It may have ended meanwhile.
    if (!child.kill('SIGKILL')) return;
    this.kills += 1;
    this.start();
  }
}
