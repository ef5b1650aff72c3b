import { expect } from 'chai';
import fc from 'fast-check';
import type { StrategyName } from '../../src/core/model/playbook/playbook.js';
import type { Event } from '../../src/core/model/run/event.js';
import { cleaning } from '../differential/generated/cleaning.js';
import { generate, written, type Draft } from '../differential/generated/generate.js';
import type { Features } from '../differential/generated/scene.js';
import { amountOf, SEED, shareOf } from '../rig/random_seed.js';
import { pastOf, Recorder, type Entry } from '../rig/recorder.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

const HOSTS = ['h1', 'h2', 'h3', 'h4'];

const seeds = fc.integer({ min: 1, max: 1_000_000 });
const strategies = fc.constantFrom<StrategyName>('linear', 'host_pinned');
const forks = fc.integer({ min: 1, max: 4 });

function runDraft(draft: Draft, options: TextOptions): Promise<Ran> {
  const { playbook, files = {}, playbooks = [] } = written(draft);
  const { 'inventory.yml': inventory = '', ...others } = files;
  const forced = draft.arguments.includes('--force-handlers');
  const given = { inventory, files: others, playbooks: ['site.yml', ...playbooks], forceHandlers: forced };
  return runText(playbook, { ...given, ...options });
}

/** The run as it was recorded, and as a resume after so many entries sees it. */
async function record(
  draft: Draft,
  options: TextOptions,
): Promise<{ readonly ran: Ran; readonly entries: readonly Entry[] }> {
  const journal = new Recorder();
  const ran = await runDraft(draft, { ...options, journal, watch: journal.watch });
  return { ran, entries: journal.entries };
}

async function goOn(draft: Draft, entries: readonly Entry[], options: TextOptions): Promise<Ran> {
  const journal = new Recorder(entries);
  return runDraft(draft, { ...options, journal, past: await pastOf(entries), watch: journal.watch });
}

/** The reported steps of a controller, in order. */
function walkOf(tasks: Ran['tasks'], controller: string): readonly unknown[] {
  return tasks
    .filter((event) => event.controller === controller)
    .map(({ task, item, status, ignored, rescued, handler, spoken, message }) => {
      return [handler, task, item, status, ignored, rescued, spoken === true ? message : undefined];
    });
}

/** A share of the places where a resume makes sense, others for each playbook; `.ci/nightly` takes them all. */
function cuts(entries: readonly Entry[], seed: number): readonly number[] {
  const all = entries.flatMap((entry, index) => (entry.type === 'run-finished' ? [] : [index + 1]));
  return shareOf(all, 40, seed);
}

async function check(seed: number, only: Partial<Features>, options: TextOptions): Promise<void> {
  const draft = generate(seed, only);
  const { ran, entries } = await record(draft, options);
  for (const cut of cuts(entries, seed)) {
    const before = entries.slice(0, cut);
    const resumed = await goOn(draft, before, options);
    const where = `seed ${seed}, cut at ${cut} of ${entries.length}`;
    expect(resumed.finished.stats, where).to.deep.equal(ran.finished.stats);
    const { exitCode, unstarted, cutOff, reason } = ran.finished;
    expect(resumed.finished, where).to.deep.include({ exitCode, unstarted });
    expect([resumed.finished.cutOff, resumed.finished.reason], where).to.deep.equal([cutOff, reason]);
    const finished = before.filter((entry) => entry.type === 'task-finished');
    for (const host of HOSTS) {
      const [all, first, second] = [walkOf(ran.tasks, host), walkOf(finished, host), walkOf(resumed.tasks, host)];
      // A step that was settled but not reported when the run was interrupted is never reported.
      const missing = all.length - first.length - second.length;
      expect(missing, `${where}, ${host}`).to.be.within(0, 1);
      expect([...first, ...second], `${where}, ${host}`).to.deep.equal(
        all.filter((_, index) => missing === 0 || index !== first.length),
      );
    }
  }
}

/** Interrupts the run after so many events, then resumes it until it finishes. */
async function interrupted(seed: number, options: TextOptions, at: number): Promise<void> {
  const { draft } = cleaning(generate(seed, { once: false, endings: false, tags: false }));
  const whole = await runDraft(draft, options);
  const interrupt = new AbortController();
  const journal = new Recorder();
  const watch = (event: Event): void => {
    journal.watch(event);
    if (journal.entries.length >= at) interrupt.abort();
  };
  await runDraft(draft, { ...options, journal, watch, drain: interrupt.signal });
  const { finished } = await goOn(draft, journal.entries, options);
  expect(finished.stats, `seed ${seed}, interrupted at ${at}`).to.deep.equal(whole.finished.stats);
  expect(finished.exitCode).to.equal(whole.finished.exitCode);
}

describe('a run that was cut off', () => {
  it('has the same result after an interrupt, whatever its always did', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, forks, strategies, fc.nat(80), (seed, atOnce, strategy, at) =>
        interrupted(seed, { strategy, forks: atOnce }, at),
      ),
      { seed: SEED, numRuns: amountOf({ change: 4, gate: 5 }, 60), endOnFailure: true },
    );
  }).timeout(240_000);

  for (const strategy of ['linear', 'host_pinned'] as const satisfies readonly StrategyName[])
    it(`has the same result, wherever it was interrupted, under ${strategy}`, async () => {
      await fc.assert(
        fc.asyncProperty(seeds, forks, (seed, atOnce) =>
          check(seed, { once: strategy === 'linear', endings: false, tags: false }, { strategy, forks: atOnce }),
        ),
        { seed: SEED, numRuns: amountOf({ change: 2, gate: 3 }, 8), endOnFailure: true },
      );
    }).timeout(240_000);
});
