import { expect } from 'chai';
import fc from 'fast-check';
import type { Event } from '../../../src/core/model/run/event.js';
import { PageData } from '../../../src/reporting/page/fold/page_data.js';
import { liveSources } from '../../../src/reporting/page/fold/sources.js';
import { pageDelta, withDelta, type PageDelta } from '../../../src/reporting/page/format/delta.js';
import { packPage, readPage, type Page } from '../../../src/reporting/page/format/page.js';
import { EventMaker } from '../../rig/events.js';

const FACTS = { title: 'run site.yml' };
const NAMES = ['lb1', 'lb2', 'lb3', 'lb4'];

/** As the browser has it. */
function copied(page: Page): Page {
  return readPage(packPage(page));
}

function sent(delta: PageDelta): PageDelta {
  return JSON.parse(JSON.stringify(delta)) as PageDelta;
}

/** Any controller may reach any step next, even one that it has finished. */
function eventsOf(choices: readonly (readonly [controller: number, line: number])[]): readonly Event[] {
  const make = new EventMaker();
  return [
    make.runStarted(),
    make.playStarted(NAMES.slice(0, 2)),
    make.batchStarted(NAMES.slice(0, 2)),
    ...choices.map(([controller, line]) =>
      make.pass(1).taskFinished(NAMES[controller] ?? '', line % 2 === 0 ? 'ok' : 'changed', {
        task: `Step ${line}`,
        source: { file: 'site.yml', line, column: 3 },
      }),
    ),
    make.batchFinished(1, { failed: ['lb1'] }),
    make.runFinished(),
  ];
}

describe('the delta that a browser gets during a run', () => {
  it('turns the earlier page into the current one, wherever steps were added', () => {
    const choice = fc.tuple(fc.nat(NAMES.length - 1), fc.integer({ min: 4, max: 9 }));
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (choices, every) => {
        const data = new PageData(liveSources('/nowhere', (text) => text));
        let last = data.page(FACTS);
        let shown = copied(last);
        for (const [index, event] of eventsOf(choices).entries()) {
          data.handle(event);
          if (index % every !== 0) continue;
          const now = data.page(FACTS);
          shown = withDelta(shown, sent(pageDelta(last, now)));
          last = now;
          expect(shown).to.deep.equal(copied(now));
        }
      }),
    );
  });

  it('keeps the objects of known steps, by which the browser finds the open step', () => {
    const data = new PageData(liveSources('/nowhere', (text) => text));
    const [first, second] = [eventsOf([[0, 8]]), eventsOf([[1, 4]])];
    for (const event of first.slice(0, -1)) data.handle(event);
    const before = data.page(FACTS);
    const open = before.columns[0];
    for (const event of second.slice(2, -1)) data.handle(event);
    const after = withDelta(before, pageDelta(before, data.page(FACTS)));
    expect(after.columns.map(({ task }) => task)).to.deep.equal(['Step 4', 'Step 8']);
    expect(open && after.columns.indexOf(open)).to.equal(1);
  });
});
