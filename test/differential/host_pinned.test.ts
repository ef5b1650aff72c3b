import { expect } from 'chai';
import { shareOf } from '../rig/random_seed.js';
import { readCases } from './rig/cases.js';
import { comparablePinned, expectedPinned, hasDone } from './rig/expected.js';
import { answersOf } from './rig/our_answers.js';
import { readRecording } from './rig/recordings.js';

/** In the gate one half of them runs under linear, the other half here; in `.ci/nightly` all run under both. */
const files = (await readCases()).map((file, index) => ({
  ...file,
  cases: shareOf(file.cases, { change: 16, gate: 12 }, index),
}));

describe('the same playbook, where controllers do not wait for each other', () => {
  for (const file of files) {
    describe(file.about, () => {
      const ask = answersOf(file, 'host_pinned');
      for (const one of file.cases) {
        it(one.title, async function () {
          const recorded = (await readRecording(file.name))[one.title];
          if (recorded === undefined) throw new Error('nothing is recorded: npm run record');
          const { ahead = [], apart = [], unsettled = false } = one.host_pinned ?? {};
          if (unsettled) this.skip();
          const expected = expectedPinned(one, recorded);
          const answer = await ask(one);
          const others = [...ahead, ...apart];
          expect(comparablePinned(answer, others)).to.deep.equal(comparablePinned(expected, others));
          for (const name of apart)
            expect(hasDone(name, expected, answer) || hasDone(name, answer, expected), name).to.equal(true);
          for (const name of ahead) expect(hasDone(name, expected, answer), name).to.equal(true);
        });
      }
    });
  }
});
