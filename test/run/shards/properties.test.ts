import { expect } from 'chai';
import fc from 'fast-check';
import { generate, written } from '../../differential/generated/generate.js';
import { eventsOf } from '../../rig/events_of.js';
import { inFolder } from '../../rig/folder.js';
import { evenkeel } from '../../rig/in_process.js';
import { amountOf } from '../../rig/random_seed.js';

/** Of two shards, the first has h1, h2 and h3, the second h4. */
const SHARDS = ['1/2', '2/2'];
const RUNS = { seed: 27, numRuns: amountOf({ change: 8, gate: 12 }, 150), endOnFailure: true } as const;

/** What each controller did, in order, and the codes of the runs. */
async function walksOf(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly walks: ReadonlyMap<string, readonly unknown[]> }> {
  const { code, stdout } = await evenkeel(['run', '-i', 'inventory.yml', ...args, '-o', 'json'], { cwd });
  const walks = new Map<string, unknown[]>();
  for (const event of code === 1 ? [] : eventsOf(stdout)) {
    if (event.type !== 'task-finished') continue;
    const { controller, task, item, status, ignored, rescued, handler, spoken, message } = event;
    const done = [handler, task, item, status, ignored, rescued, spoken === true ? message : undefined];
    walks.set(controller, [...(walks.get(controller) ?? []), done]);
  }
  return { code, walks };
}

describe('the shards of any playbook', () => {
  it('do together what one run does, or all refuse it', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const { playbook, files = {}, playbooks = [], arguments: options = [] } = written(generate(seed));
        await inFolder({ ...files, 'site.yml': playbook }, async (cwd) => {
          const args = ['site.yml', ...playbooks, ...options];
          const shards = [];
          for (const shard of SHARDS) shards.push(await walksOf(cwd, [...args, '--shard', shard]));
          const codes = shards.map(({ code }) => code);
          if (codes.includes(1)) return expect(codes).to.deep.equal([1, 1]);
          accepted++;
          const whole = await walksOf(cwd, args);
          expect(new Map(shards.flatMap(({ walks }) => [...walks]))).to.deep.equal(whole.walks);
          return expect(Math.max(...codes)).to.equal(whole.code);
        });
      }),
      RUNS,
    );
    expect(accepted).to.be.greaterThan(RUNS.numRuns / 5);
  }).timeout(240_000);
});
