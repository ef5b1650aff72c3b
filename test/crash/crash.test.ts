import { expect } from 'chai';
import { IS_WHOLE, SEED, shareOf } from '../rig/random_seed.js';
import { TESTED_DIALECTS } from '../rig/simulated.js';
import { Chain, type Budget, type Left, type Start } from './chain.js';
import { CONTROLLERS } from './fleet.js';
import { Random } from './random.js';
import { ROLLOUTS } from './rollout.js';

/** Shared by the cases. */
const KILLS = Number(process.env['EVENKEEL_KILLS'] ?? (IS_WHOLE ? 400 : 6));
const DIALECTS = shareOf(TESTED_DIALECTS, 2);
const STARTS = ['run', 'apply'] as const satisfies readonly Start[];
describe('a run that is killed', function () {
  // The time depends on the number of processes; a busy machine must not fail.
  this.timeout(1_800_000);
  const struck = new Set<string>();

  for (const dialect of DIALECTS) {
    const kills = Math.ceil(KILLS / DIALECTS.length / STARTS.length);

    it(`${kills} times for each start, over controllers of the dialect ${dialect} (EVENKEEL_SEED=${SEED}), has the result of an undisturbed one`, async () => {
      const undisturbed = await Chain.run(dialect, 'run', new Random(SEED), { kills: 0, struck: new Set() });
      expect(Object.keys(undisturbed.stats)).to.have.lengthOf(CONTROLLERS);
      for (const stats of Object.values(undisturbed.stats))
        expect(stats).to.include({ ...ROLLOUTS[dialect].tasks, failed: 0 });
      // In parallel: while one starts, the others work. One run gets most of the kills, because each further run must finish, too.
      const killed = STARTS.map(async (start, index) => {
        // Other moments for each of them.
        const random = new Random(SEED + 10 * index + TESTED_DIALECTS.indexOf(dialect));
        const budget: Budget = { kills, struck };
        while (budget.kills > 0) expectSame(await Chain.run(dialect, start, random.fork(), budget), undisturbed);
      });
      await Promise.all(killed);
    });
  }

  it('is killed at every stage of a request', () => {
    expect([...struck].sort()).to.deep.equal(['answered', 'carried out', 'received', 'start']);
  });
});

function expectSame(left: Left, undisturbed: Left): void {
  expect(left.stats).to.deep.equal(undisturbed.stats);
  expect(left.state).to.deep.equal(undisturbed.state);
  expect(left.saved).to.deep.equal(undisturbed.saved);
}
