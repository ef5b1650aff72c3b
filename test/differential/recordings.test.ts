import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { COLUMN } from '../rig/ansible.js';
import { Confirmed } from '../rig/confirmed.js';
import { ansibleAnswersNow } from './rig/ansible_answers_now.js';
import { readCases } from './rig/cases.js';
import { readRecordings } from './rig/recordings.js';

const files = await readCases();
const recorded = await Promise.all(files.map(({ name }) => readRecordings(name)));
const all = files.flatMap(({ name, cases }, index) =>
  cases.map((one) => ({ name, one, answer: recorded[index]?.[COLUMN][one.title] })),
);

describe('the recorded answers', () => {
  for (const [index, file] of files.entries()) {
    it(`are of the cases of ${file.name}, each title once`, () => {
      const titles = file.cases.map(({ title }) => title);
      expect(Object.keys(recorded[index]?.reference ?? {})).to.deep.equal(titles);
      // An extra title belongs to a renamed or removed case.
      expect(Object.keys(recorded[index]?.newest ?? {})).to.deep.equal(titles);
    });
  }

  it('are what Ansible prints', async function () {
    this.timeout(1_800_000);
    const confirmed = await Confirmed.of('playbooks');
    const asked = confirmed.asked(all);
    if (asked.length === 0) return;
    const answers = await ansibleAnswersNow(
      asked.map(({ one }) => one),
      (one, answer) => isDeepStrictEqual(answer, asked.find((item) => item.one === one)?.answer),
    );
    for (const [index, { name, one, answer }] of asked.entries())
      expect(answers[index], `${name}: ${one.title}`).to.deep.equal(answer);
    await confirmed.keep(all);
  });
});
