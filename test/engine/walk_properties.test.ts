import { expect } from 'chai';
import fc from 'fast-check';
import type { StrategyName } from '../../src/core/model/playbook/playbook.js';
import type { Event, TaskFinished } from '../../src/core/model/run/event.js';
import { emptyStats, type Stats } from '../../src/core/model/run/result.js';
import { cleaning } from '../differential/generated/cleaning.js';
import { generate, written, type Draft } from '../differential/generated/generate.js';
import type { Entry, Features } from '../differential/generated/scene.js';
import { IS_WHOLE } from '../rig/random_seed.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

const COUNT = IS_WHOLE ? 60 : 30;
const RUNS = { numRuns: COUNT, endOnFailure: true } as const;
const DEADLINE_MS = 15_000;

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const strategies = fc.constantFrom<StrategyName>('linear', 'host_pinned');
const forks = fc.integer({ min: 1, max: 4 });

/** Without anything by which one controller depends on another. */
const ALONE: Partial<Features> = { once: false, endings: false, tags: false };

function runDraft(draft: Draft, options: TextOptions): Promise<Ran> {
  const { playbook, files = {}, playbooks = [] } = written(draft);
  const { 'inventory.yml': inventory = '', ...others } = files;
  const run = runText(playbook, { inventory, files: others, playbooks: ['site.yml', ...playbooks], ...options });
  return within(run, `seed ${draft.seed} hangs`);
}

async function within<T>(work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(message));
    }, DEADLINE_MS);
  });
  return Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** The results of a controller, in order. */
function walkOf({ tasks }: Ran, controller: string): readonly unknown[] {
  return tasks
    .filter((event) => event.controller === controller)
    .map(({ task, item, status, ignored, rescued, handler, spoken, message }) => {
      return [handler, task, item, status, ignored, rescued, spoken === true ? message : undefined];
    });
}

function counted(events: readonly TaskFinished[]): Stats {
  const stats = emptyStats();
  for (const { item, status, ignored = false, rescued = false, changed = false, included = 1 } of events) {
    if (item !== undefined) continue;
    if (status === 'ok') stats.ok += included;
    if (status === 'changed' || ignored) stats.ok++;
    // A failure that was rescued, or counts as one, may have changed something, too.
    if (status === 'changed' || (ignored && changed)) stats.changed++;
    if (status === 'skipped') stats.skipped++;
    if (ignored) stats.ignored++;
    else if (rescued) stats.rescued++;
    else if (status === 'failed') stats.failed++;
  }
  return stats;
}

const names = (events: readonly Event[], type: 'task-started' | 'task-finished'): ReadonlySet<string> =>
  new Set(events.flatMap((event) => (event.type === type ? [`${event.controller} ${event.task}`] : [])));

describe('any playbook', () => {
  it('does the same on each controller under both strategies', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, forks, async (seed, atOnce) => {
        const draft = generate(seed, ALONE);
        const linear = await runDraft(draft, { strategy: 'linear', forks: atOnce });
        const pinned = await runDraft(draft, { strategy: 'host_pinned', forks: atOnce });
        for (const host of ['h1', 'h2', 'h3', 'h4']) expect(walkOf(pinned, host)).to.deep.equal(walkOf(linear, host));
        expect(pinned.finished.stats).to.deep.equal(linear.finished.stats);
        expect(pinned.finished.exitCode).to.equal(linear.finished.exitCode);
      }),
      RUNS,
    );
  }).timeout(120_000);

  it('ends with a correct recap, in whatever order tasks finish', async () => {
    const throttles = fc.integer({ min: 0, max: 2 });
    await fc.assert(
      fc.asyncProperty(seeds, forks, strategies, throttles, async (seed, atOnce, strategy, throttle) => {
        const draft = generate(seed, { once: true, serial: true, includes: true, tags: false });
        const playbooks = draft.playbooks.map((plays) => plays.map((play) => ({ ...(play as Entry), throttle })));
        const { finished, tasks, events } = await runDraft({ ...draft, playbooks }, { strategy, forks: atOnce });
        expect(names(events, 'task-finished')).to.deep.equal(names(events, 'task-started'));
        for (const [host, stats] of Object.entries(finished.stats))
          expect(counted(tasks.filter(({ controller }) => controller === host))).to.deep.equal(stats);
      }),
      RUNS,
    );
  }).timeout(120_000);

  it('runs the always of every started block, whenever it is interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, forks, strategies, fc.nat(60), async (seed, atOnce, strategy, at) => {
        const { draft, blocks } = cleaning(generate(seed, ALONE));
        const interrupt = new AbortController();
        let seen = 0;
        const watch = (): void => {
          if (seen++ === at) interrupt.abort();
        };
        const { events } = await runDraft(draft, { strategy, forks: atOnce, drain: interrupt.signal, watch });
        const [started, done] = [names(events, 'task-started'), names(events, 'task-finished')];
        for (const { tasks, always } of blocks)
          for (const host of ['h1', 'h2', 'h3', 'h4'].filter((one) =>
            tasks.some((task) => started.has(`${one} ${task}`)),
          ))
            expect(done.has(`${host} ${always}`), `${host} ${always}, seed ${seed}`).to.equal(true);
      }),
      { ...RUNS, numRuns: 2 * COUNT },
    );
  }).timeout(120_000);
});
