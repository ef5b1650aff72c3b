import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { COLUMN, hasAnsible } from '../rig/ansible.js';
import { ansibleAnswersNow } from './rig/ansible_answers_now.js';
import { readCases } from './rig/cases.js';
import { readRecordings } from './rig/recordings.js';
import { sampleOf } from './rig/sample.js';

const files = await readCases();
const recorded = await Promise.all(files.map(({ name }) => readRecordings(name)));
const sample = sampleOf(
  files.flatMap(({ name, cases }, index) =>
    cases.map((one) => ({ name, one, answer: recorded[index]?.[COLUMN][one.title] })),
  ),
);

describe('the recorded answers', () => {
  for (const [index, file] of files.entries()) {
    it(`are of the cases of ${file.name}, each title once`, () => {
      const titles = file.cases.map(({ title }) => title);
      expect(Object.keys(recorded[index]?.reference ?? {})).to.deep.equal(titles);
      // A title too many is one of a case that was renamed or removed.
      expect(Object.keys(recorded[index]?.newest ?? {})).to.deep.equal(titles);
    });
  }

  it(`are still what Ansible says (${sample.told})`, async function () {
    if (!hasAnsible()) this.skip();
    this.timeout(600_000);
    const answers = await ansibleAnswersNow(
      sample.items.map(({ one }) => one),
      (one, answer) => isDeepStrictEqual(answer, sample.items.find((item) => item.one === one)?.answer),
    );
    for (const [index, { name, one, answer }] of sample.items.entries())
      expect(answers[index], `${name}: ${one.title}`).to.deep.equal(answer);
  });
});
