import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { hasAnsible } from '../rig/ansible.js';
import { ansibleAnswersNow } from './rig/ansible_answers_now.js';
import { readCases } from './rig/cases.js';
import { readRecording } from './rig/recordings.js';
import { sampleOf } from './rig/sample.js';

const files = await readCases();
const recorded = await Promise.all(files.map(({ name }) => readRecording(name)));
const sample = sampleOf(
  files.flatMap(({ name, cases }, index) => cases.map((one) => ({ name, one, answer: recorded[index]?.[one.title] }))),
);

describe('the recorded answers', () => {
  for (const [index, file] of files.entries()) {
    it(`are of the cases of ${file.name}, each title once`, () => {
      expect(Object.keys(recorded[index] ?? {})).to.deep.equal(file.cases.map(({ title }) => title));
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
