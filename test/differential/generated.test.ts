import { expect } from 'chai';
import { hasAnsible } from '../rig/ansible.js';
import { ansibleRecording, GENERATED, generatedCases } from './generated/cases.js';
import { said } from './generated/compare.js';
import { ourAnswer } from './rig/our_answers.js';
import { readRecording } from './rig/recordings.js';

const recording = await readRecording(GENERATED);

describe('a generated playbook, with Ansible and with us', () => {
  for (const one of generatedCases) {
    it(one.title, async () => {
      const recorded = recording[one.title];
      if (recorded === undefined) throw new Error('the generator has changed: npm run record');
      expect(said(one, await ourAnswer(one, 'linear'))).to.deep.equal(said(one, recorded));
    });
  }

  it('does with Ansible what is recorded', async function () {
    if (!hasAnsible()) this.skip();
    this.timeout(300_000);
    const now = await ansibleRecording(recording);
    for (const one of generatedCases) {
      const [there, then] = [now, recording].map((answers) => answers[one.title]);
      if (there === undefined || then === undefined) throw new Error('nothing is recorded: npm run record');
      expect(said(one, there), one.title).to.deep.equal(said(one, then));
    }
  });
});
