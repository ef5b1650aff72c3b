import { expect } from 'chai';
import { COLUMN } from '../rig/ansible.js';
import { Confirmed } from '../rig/confirmed.js';
import { ansibleRecording, GENERATED, generatedCases } from './generated/cases.js';
import { said } from './generated/compare.js';
import type { Case } from './rig/cases.js';
import { expectedOf } from './rig/expected.js';
import { ourAnswer } from './rig/our_answers.js';
import { readRecording, readRecordings } from './rig/recordings.js';

const recording = await readRecording(GENERATED);

const SPECIAL = ['all', 'tagged', 'untagged', 'always', 'never'];

/** Whether an unknown tag is selected. */
function hasSlip({ playbook, files = {}, arguments: given = [] }: Case): boolean {
  const text = [playbook, ...Object.values(files)].join('\n');
  const written = [...text.matchAll(/tags:\s*((?:- \w+\s*)+|\[.*\]|\w+)/g)].flatMap(
    ([, tags = '']) => tags.match(/\w+/g) ?? [],
  );
  const asked = given.filter((one) => !one.startsWith('-')).flatMap((one) => one.split(','));
  return asked.some((tag) => !SPECIAL.includes(tag) && !written.includes(tag));
}

describe('a generated playbook, with Ansible and with us', () => {
  for (const one of generatedCases) {
    it(one.title, async () => {
      const recorded = recording[one.title];
      if (recorded === undefined) throw new Error('the generator has changed: npm run record');
      const own = await ourAnswer(one, 'linear');
      // Ansible ignores unknown tags; Evenkeel refuses them.
      if (hasSlip(one)) expect(own).to.have.property('refused', true);
      else expect(said(one, own)).to.deep.equal(said(one, expectedOf(one, recorded)));
    });
  }

  it('does with Ansible what is recorded', async function () {
    this.timeout(1_800_000);
    const then = (await readRecordings(GENERATED))[COLUMN];
    const confirmed = await Confirmed.of('generated');
    const all = generatedCases.map((one) => [one, then[one.title]]);
    if (confirmed.asked(all).length === 0) return;
    const now = await ansibleRecording(then);
    for (const one of generatedCases) {
      const [there, before] = [now, then].map((answers) => answers[one.title]);
      if (there === undefined || before === undefined) throw new Error('nothing is recorded: npm run record');
      expect(said(one, there), one.title).to.deep.equal(said(one, before));
    }
    await confirmed.keep(all);
  });
});
