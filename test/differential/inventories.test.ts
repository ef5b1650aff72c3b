import { expect } from 'chai';
import { COLUMN } from '../rig/ansible.js';
import { Confirmed } from '../rig/confirmed.js';
import { ourAnswer } from './inventories/answers.js';
import { readCases } from './inventories/cases.js';
import { expectedOf } from './inventories/expected.js';
import { asked, recorded } from './inventories/recording.js';
import { followed } from './older.js';

const cases = await readCases();
const columns = await recorded();
const recording = followed('inventories', columns);

describe('an inventory, as Ansible and as we print it', () => {
  for (const one of cases) {
    it(one.title, async () => {
      const theirs = recording[one.title];
      if (theirs === undefined) throw new Error('nothing is recorded');
      const expected = expectedOf(one, theirs);
      expect(Object.values(expected), 'refused').to.not.include(null);
      expect(await ourAnswer(one)).to.deep.equal(expected);
      if (one.differs !== undefined) expect(expected, 'nothing differs').to.not.deep.equal(theirs);
    });
  }
});

describe('the recorded inventories', () => {
  it('are still what Ansible prints', async function () {
    this.timeout(1_800_000);
    const confirmed = await Confirmed.of('inventories');
    const all = [[cases, columns[COLUMN]]];
    if (confirmed.asked(all).length === 0) return;
    expect(await asked()).to.deep.equal(columns[COLUMN]);
    await confirmed.keep(all);
  });
});
