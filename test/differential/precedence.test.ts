import { expect } from 'chai';
import { COLUMN } from '../rig/ansible.js';
import { Confirmed } from '../rig/confirmed.js';
import { followed } from './older.js';
import { project } from './precedence/project.js';
import { asked, readCases, recorded, VIEW_NAMES } from './precedence/recording.js';
import { looped, winners, winnersIn } from './precedence/winners.js';
import type { Answer } from './rig/answer.js';
import { comparable, expectedOf } from './rig/expected.js';
import { ourAnswer } from './rig/our_answers.js';

const cases = await readCases();
const columns = await recorded();
const { looped: loops } = columns.newest;
const orders = followed('orders', { reference: columns.reference.orders, newest: columns.newest.orders });
const answers = followed('precedence', { reference: columns.reference.answers, newest: columns.newest.answers });

describe('a variable that two places of a project give', () => {
  let ours: Answer;
  before(async function () {
    this.timeout(120_000);
    ours = await ourAnswer(project(), 'host_pinned');
  });

  for (const view of VIEW_NAMES) {
    it(`has the value that it has in Ansible: ${view}`, () => {
      expect(winners(ours, view)).to.deep.equal(winnersIn(orders[view] ?? []));
    });
  }

  it('is of no account where a loop has a variable of its name', () => {
    expect(looped(ours)).to.deep.equal(loops);
  });
});

describe('variables, with Ansible and with us', () => {
  for (const one of cases) {
    it(one.title, async () => {
      const answer = answers[one.title];
      if (answer === undefined) throw new Error('nothing is recorded');
      expect(comparable(await ourAnswer(one, 'linear'))).to.deep.equal(comparable(expectedOf(one, answer)));
      if (one.differs !== undefined) expect(expectedOf(one, answer), 'nothing differs').to.not.deep.equal(answer);
    });
  }
});

describe('the recorded precedence', () => {
  it('is what Ansible prints', async function () {
    this.timeout(1_800_000);
    const then = columns[COLUMN];
    const confirmed = await Confirmed.of('precedence');
    const all = [[project(), cases, then]];
    if (confirmed.asked(all).length === 0) return;
    const now = await asked();
    expect(Object.keys(now.answers)).to.deep.equal(Object.keys(then.answers));
    for (const [title, answer] of Object.entries(then.answers)) expect(now.answers[title], title).to.deep.equal(answer);
    for (const view of VIEW_NAMES) expect(now.orders[view], view).to.deep.equal(then.orders[view]);
    expect(now.looped).to.deep.equal(then.looped);
    await confirmed.keep(all);
  });
});
