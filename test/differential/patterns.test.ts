import { expect } from 'chai';
import { COLUMN } from '../rig/ansible.js';
import { Confirmed } from '../rig/confirmed.js';
import { inFolder } from '../rig/folder.js';
import { followed } from './older.js';
import { ansibleSelected, comparable, comparableTo, ourSelected, type Selected } from './patterns/answers.js';
import { differenceOf, DIFFERENCES } from './patterns/differences.js';
import { fleets } from './patterns/generated.js';
import { INVENTORIES, LIMIT_FILES } from './patterns/inventories.js';
import { asked, isLike, recorded, withQuestions } from './patterns/recording.js';
import { ASKS, titleOf } from './patterns/table.js';

const columns = await recorded();
const recording = followed('patterns', columns);

describe('patterns, with Ansible and with us', () => {
  let ours: readonly Selected[];
  before(async () => {
    ours = await withQuestions((questions) => Promise.all(questions.map(ourSelected)));
  });

  for (const [index, ask] of ASKS.entries()) {
    const title = titleOf(ask);
    it(title, () => {
      const theirs = recording[title];
      const own = ours[index];
      if (theirs === undefined || own === undefined) throw new Error('nothing is recorded');
      const expected = differenceOf(title) ?? theirs;
      expect(comparableTo(expected, own)).to.deep.equal(comparable(expected));
    });
  }

  it('differ on purpose only where they do', () => {
    for (const [title, own] of DIFFERENCES.flatMap(({ ours: some }) => Object.entries(some))) {
      expect(recording, title).to.have.property(title);
      expect(recording[title], title).to.not.deep.equal(own);
    }
  });

  it('of generated fleets select the same', async function () {
    this.timeout(1_800_000);
    await compareFleets();
  });
});

describe('the recorded selections', () => {
  it('are still what Ansible selects', async function () {
    this.timeout(1_800_000);
    const confirmed = await Confirmed.of('patterns');
    const all = [[INVENTORIES, LIMIT_FILES, ASKS, columns[COLUMN]]];
    if (confirmed.asked(all).length === 0) return;
    const now = await asked();
    expect(Object.keys(now)).to.deep.equal(Object.keys(recording));
    for (const [title, then] of Object.entries(columns[COLUMN])) {
      const again = now[title] ?? { error: 'nothing was answered' };
      if (!isLike(again, then)) expect(again, title).to.deep.equal(then);
    }
    await confirmed.keep(all);
  });
});

async function compareFleets(): Promise<void> {
  const generated = fleets(60, 20_140_218);
  const files = Object.fromEntries(generated.map(({ inventory }, index) => [`${index}.yml`, inventory]));
  await inFolder(files, async (folder) => {
    const questions = generated.flatMap(({ patterns }, index) =>
      patterns.map((hosts) => ({ folder, inventory: `${index}.yml`, hosts, limit: null })),
    );
    const confirmed = await Confirmed.of('fleets');
    const all = await Promise.all(
      questions.map(async (question) => {
        const { inventory, hosts } = question;
        return { own: await ourSelected(question), fleet: files[inventory] ?? '', hosts };
      }),
    );
    const compared = [all.map(({ own, fleet, hosts }) => [fleet, hosts, comparable(own)])];
    if (confirmed.asked(compared).length === 0) return;
    const theirs = ansibleSelected(questions);
    for (const [index, { own, fleet, hosts }] of all.entries()) {
      const wanted = theirs[index];
      if (wanted === undefined || isBehindTheEnd(own)) continue;
      expect(comparableTo(wanted, own), `${hosts} of ${fleet}`).to.deep.equal(comparable(wanted));
    }
    await confirmed.keep(compared);
  });
}

/** An intended difference: Ansible matches no host. */
function isBehindTheEnd(own: Selected): boolean {
  return 'error' in own && /\[[1-9]\d*[:-]\d*\]" is out of range/.test(own.error);
}
