import { expect } from 'chai';
import fc from 'fast-check';
import { appendTo } from '../../../src/core/model/values/groups.js';
import { generate, written } from '../../differential/generated/generate.js';
import { eventsOf } from '../../rig/events_of.js';
import { inFolder } from '../../rig/folder.js';
import { evenkeel } from '../../rig/in_process.js';
import { amountOf } from '../../rig/random_seed.js';

/** Of two shards, the first has h1, h2 and h3, the second h4. */
const SHARDS = ['1/2', '2/2'];
const RUNS = { numRuns: amountOf({ change: 8, gate: 12 }, 150), endOnFailure: true } as const;

/** Begins the message of a task that a shard cannot carry out. */
const REFUSED = '--shard: ';

/** The names of tasks with `run_once`. Those that a shard takes only print or check: each shard does it, one run once. */
function namesRunOnce(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(namesRunOnce);
  return 'run_once' in part && 'name' in part ? [String(part.name), ...inner] : inner;
}

interface Walked {
  readonly code: number;
  /** Whether it refused what a shard cannot do. */
  readonly isRefused: boolean;
  readonly plays: number;
  /** Whether a task with `run_once` failed. */
  readonly failedOnce: boolean;
  /** What each controller did, in order. */
  readonly walks: ReadonlyMap<string, readonly unknown[]>;
}

/** @param once tasks to leave out */
async function walked(cwd: string, args: readonly string[], once: readonly string[]): Promise<Walked> {
  const { code, stdout, stderr } = await evenkeel(['run', '-i', 'inventory.yml', ...args, '-o', 'json'], { cwd });
  const walks = new Map<string, unknown[]>();
  let [plays, failedOnce, isRefused] = [0, false, stderr.includes(REFUSED)];
  for (const event of code === 1 ? [] : eventsOf(stdout)) {
    if (event.type === 'play-started') plays++;
    if (event.type !== 'task-finished') continue;
    const { controller, task, item, status, ignored, rescued, handler, spoken, message = '' } = event;
    if (once.some((name) => task.endsWith(name))) {
      failedOnce ||= status === 'failed';
      continue;
    }
    isRefused ||= message.startsWith(REFUSED);
    const said = spoken === true ? message : undefined;
    appendTo(walks, controller, [handler, task, item, status, ignored, rescued, said]);
  }
  return { code, isRefused, plays, failedOnce, walks };
}

describe('the shards of any playbook', () => {
  it('do together what one run does, or refuse it', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const draft = generate(seed);
        const { playbook, files = {}, playbooks = [], arguments: options = [] } = written(draft);
        const once = namesRunOnce(draft);
        await inFolder({ ...files, 'site.yml': playbook }, async (cwd) => {
          const args = ['site.yml', ...playbooks, ...options];
          const shards = [];
          for (const shard of SHARDS) shards.push(await walked(cwd, [...args, '--shard', shard], once));
          const codes = shards.map(({ code }) => code);
          if (codes.every((code) => code === 1)) return undefined;
          // The steps of a file that is not the same for all controllers are refused by the shard that includes it.
          if (shards.some(({ isRefused }) => isRefused)) return undefined;
          const whole = await walked(cwd, args, once);
          // A shard checks its own controllers, a run all of them.
          if (codes.includes(1)) return expect(whole.code).to.equal(1);
          // A run ends with a play in which all controllers failed, and a shard with one in which all of its own did.
          if (shards.some(({ plays }) => plays !== whole.plays)) return undefined;
          // One that fails in one shard does not end the others.
          if ([whole, ...shards].some(({ failedOnce }) => failedOnce)) return undefined;
          accepted++;
          expect(new Map(shards.flatMap(({ walks }) => [...walks]))).to.deep.equal(whole.walks);
          return expect(Math.max(...codes)).to.equal(whole.code);
        });
      }),
      RUNS,
    );
    expect(accepted).to.be.greaterThan(RUNS.numRuns / 5);
  }).timeout(240_000);
});
