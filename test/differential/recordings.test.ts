import { expect } from 'chai';
import { hasAnsible } from '../rig/ansible.js';
import { ansibleAnswers } from './rig/ansible_answers.js';
import { readCases } from './rig/cases.js';
import { readRecording, recordingOf } from './rig/recordings.js';

const files = await readCases();

describe('the recorded answers', () => {
  for (const file of files) {
    it(`are of the cases of ${file.name}, each title once`, async () => {
      expect(Object.keys(await readRecording(file.name))).to.deep.equal(file.cases.map(({ title }) => title));
    });
  }

  it('are still what Ansible says', async function () {
    if (!hasAnsible()) this.skip();
    this.timeout(600_000);
    const answers = await ansibleAnswers(files.flatMap(({ cases }) => cases));
    let start = 0;
    for (const file of files) {
      const here = answers.slice(start, (start += file.cases.length));
      expect(recordingOf(file, here), file.name).to.deep.equal(await readRecording(file.name));
    }
  });
});
