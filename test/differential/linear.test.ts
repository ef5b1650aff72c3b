import { expect } from 'chai';
import { shareOf } from '../rig/random_seed.js';
import { readCases } from './rig/cases.js';
import { comparable, expectedOf } from './rig/expected.js';
import { answersOf } from './rig/our_answers.js';
import { readRecording } from './rig/recordings.js';

/** In the gate others than under host_pinned; all in `.ci/nightly`. */
const files = (await readCases()).map((file, index) => ({
  ...file,
  cases: shareOf(file.cases, { change: 24, gate: 12 }, index + 2),
}));

describe('the same playbook, with Ansible and with us under linear', () => {
  for (const file of files) {
    describe(file.about, () => {
      const ask = answersOf(file, 'linear');
      for (const one of file.cases) {
        it(one.title, async () => {
          const recorded = (await readRecording(file.name))[one.title];
          if (recorded === undefined) throw new Error('nothing is recorded: npm run record');
          const expected = comparable(expectedOf(one, recorded));
          expect(comparable(await ask(one))).to.deep.equal(expected);
          if (one.differs !== undefined) expect(expected, 'nothing differs').to.not.deep.equal(comparable(recorded));
        });
      }
    });
  }
});
