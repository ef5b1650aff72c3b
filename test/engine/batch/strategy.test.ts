import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { StrategyName } from '../../../src/core/model/playbook/playbook.js';
import { comparePositions, type StepPosition } from '../../../src/core/model/playbook/step_place.js';
import { createStrategy } from '../../../src/engine/batch/strategy.js';
import { fixedForks } from '../../../src/engine/control/auto_forks.js';
import { withinTurns } from '../../rig/turns.js';

interface Observed {
  /** `controller position` when a task starts. */
  readonly started: readonly string[];
  readonly mostAtOnce: number;
}

/** Walks controllers through positions; a task takes as many turns of the event loop as `turns` says. */
async function walkAll(
  name: StrategyName,
  forks: number,
  ways: Readonly<Record<string, readonly StepPosition[]>>,
  turns: (controller: string) => number = () => 1,
  most?: number,
): Promise<Observed> {
  const started: string[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const walked = createStrategy(name, { limit: fixedForks(forks), most })(
    Object.keys(ways),
    async (controller, gate) => {
      for (const position of ways[controller] ?? []) {
        await gate.beginStep(position);
        started.push(`${controller} ${position.join('.')}`);
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        for (let turn = 0; turn < turns(controller); turn++) await setImmediate();
        atOnce--;
        gate.endStep();
      }
    },
  );
  await withinTurns(walked);
  return { started, mostAtOnce };
}

const steps = (count: number): readonly StepPosition[] => Array.from({ length: count }, (_, index) => [index]);

describe('strategies', () => {
  it('host_pinned runs each controller from its first task to its last', async () => {
    const { started } = await walkAll('host_pinned', 1, { a: steps(2), b: steps(2) });
    expect(started).to.deep.equal(['a 0', 'a 1', 'b 0', 'b 1']);
  });

  it('host_pinned does not let controllers wait for each other', async () => {
    const ways = { slow: steps(3), fast: steps(3) };
    const { started } = await walkAll('host_pinned', 2, ways, (name) => (name === 'slow' ? 9 : 1));
    expect(started).to.deep.equal(['slow 0', 'fast 0', 'fast 1', 'fast 2', 'slow 1', 'slow 2']);
  });

  it('linear starts a task only when all controllers have finished the previous one, in the order of the batch', async () => {
    const ways = { slow: steps(3), fast: steps(3) };
    const { started } = await walkAll('linear', 2, ways, (name) => (name === 'slow' ? 9 : 1));
    expect(started).to.deep.equal(['slow 0', 'fast 0', 'slow 1', 'fast 1', 'slow 2', 'fast 2']);
  });

  for (const strategy of ['host_pinned', 'linear'] as const)
    it(`${strategy} has at most as many controllers at work as the run and the play allow`, async () => {
      const ways = { a: steps(2), b: steps(2), c: steps(2), d: steps(2) };
      const most = async (forks: number, ofPlay?: number) =>
        (await walkAll(strategy, forks, ways, () => 3, ofPlay)).mostAtOnce;
      expect([await most(9), await most(3), await most(9, 2), await most(2, 3), await most(1, 9)]).to.deep.equal([
        4, 3, 2, 2, 1,
      ]);
    });

  it('host_pinned begins new steps once all that had begun have replayed theirs, or wait for another', async () => {
    const log: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const strategy = createStrategy('host_pinned', { limit: fixedForks(1) }, (name) => name !== 'c');
    const walked = strategy(['a', 'b', 'c'], async (name, barrier) => {
      log.push(`${name} replays`);
      if (name === 'b') {
        barrier.waitForOthers();
        await released;
        log.push('b has what a has');
      }
      await barrier.startNew();
      await barrier.beginStep([1]);
      log.push(`${name} begins, ${barrier.lockstep ? 'in lockstep' : 'alone'}`);
      release();
      barrier.endStep();
    });
    await withinTurns(walked);
    expect(log).to.deep.equal([
      'a replays',
      'b replays',
      'a begins, alone',
      'b has what a has',
      'b begins, alone',
      'c replays',
      'c begins, alone',
    ]);
  });

  it('host_pinned fails as a controller does that had begun, also before others have replayed their steps', async () => {
    const strategy = createStrategy('host_pinned', { limit: fixedForks(2) }, () => true);
    const walked = strategy(['a', 'b'], async (name, barrier) => {
      if (name === 'a') throw new Error('a is broken');
      for (let turn = 0; turn < 3; turn++) await setImmediate();
      await barrier.startNew();
    });
    expect(await withinTurns(walked).catch((error: unknown) => String(error))).to.equal('Error: a is broken');
  });

  it('linear counts its rounds, and is in lockstep', async () => {
    const rounds: unknown[] = [];
    const strategy = createStrategy('linear', { limit: fixedForks(2) });
    const walked = strategy(['a', 'b'], async (name, barrier) => {
      for (const position of steps(2)) {
        await barrier.beginStep(position);
        rounds.push([name, barrier.opening, barrier.lockstep]);
        barrier.endStep();
      }
    });
    await withinTurns(walked);
    expect(rounds).to.deep.equal([1, 2].flatMap((round) => ['a', 'b'].map((name) => [name, round, true])));
  });

  it('linear starts the lowest position first', async () => {
    const ways = { a: [[0], [1, 0], [1, 1], [2]], b: [[0], [2]], c: [[0], [1, 1], [2]] };
    const { started } = await walkAll('linear', 9, ways);
    expect(started).to.deep.equal(['a 0', 'b 0', 'c 0', 'a 1.0', 'a 1.1', 'c 1.1', 'a 2', 'b 2', 'c 2']);
  });

  it('linear continues without finished controllers', async () => {
    const { started } = await walkAll('linear', 9, { a: steps(1), b: steps(3), c: [] });
    expect(started).to.deep.equal(['a 0', 'b 0', 'b 1', 'b 2']);
  });

  for (const name of ['host_pinned', 'linear'] as const) {
    it(`${name} never exceeds its forks, and finishes everything`, async () => {
      const way = fc
        .array(fc.nat(4), { maxLength: 5 })
        .map((all) => [...new Set(all)].sort((a, b) => a - b).map((one) => [one]));
      const ways = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), way);
      await fc.assert(
        fc.asyncProperty(ways, fc.integer({ min: 1, max: 4 }), async (given, forks) => {
          const { started, mostAtOnce } = await walkAll(
            name,
            forks,
            given,
            (controller) => controller.charCodeAt(0) % 4,
          );
          expect(mostAtOnce).to.be.at.most(forks);
          expect(started).to.have.length(Object.values(given).flat().length);
        }),
        { numRuns: 50 },
      );
    });
  }

  it('compares positions from left to right', () => {
    const positions: StepPosition[] = [[2], [0, 5], [1], [0], [1, 0, 3], [1, 0]];
    expect(positions.sort(comparePositions)).to.deep.equal([[0], [0, 5], [1], [1, 0], [1, 0, 3], [2]]);
  });
});
