import { expect } from 'chai';
import fc from 'fast-check';
import type { Event } from '../../../src/core/model/run/event.js';
import { PageData } from '../../../src/reporting/page/fold/page_data.js';
import { liveSources } from '../../../src/reporting/page/fold/sources.js';
import { pageDelta, withDelta, type PageDelta } from '../../../src/reporting/page/format/delta.js';
import {
  CELL_STATES,
  durationCode,
  OUTCOMES,
  packPage,
  readPage,
  type Page,
} from '../../../src/reporting/page/format/page.js';
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

  it('has what is new since: details, texts, outcomes and cells, each at its place', () => {
    const make = new EventMaker();
    const data = new PageData(liveSources('/nowhere', (text) => text));
    const add = (...events: readonly Event[]): Page => {
      for (const event of events) data.handle(event);
      return data.page(FACTS);
    };
    const done = (name: string, line: number, n: number, status: 'ok' | 'changed' = 'changed') =>
      make.taskFinished(name, status, {
        task: `Step ${line}`,
        source: { file: 'site.yml', line, column: 3 },
        seconds: n,
        ...(n > 0 && { change: { kind: 'update', object: 'pool "a"', before: { n: 0 }, after: { n } } }),
      });
    const between = (before: Page, after: Page) => {
      const delta = pageDelta(before, after);
      expect(withDelta(copied(before), sent(delta))).to.deep.equal(copied(after));
      const { growth, details, texts, outcomes, cells } = delta;
      const columns = growth?.columns.map((one) => (typeof one === 'number' ? one : one.task));
      return [details.map(({ diff }) => diff), texts, growth?.controllers, columns, outcomes, cells];
    };
    const [running, changed] = [OUTCOMES.indexOf('running'), CELL_STATES.indexOf('changed')];
    const text = (n: number) => `pool "a"\n- n: 0\n+ n: ${n}`;
    const first = add(make.runStarted(), make.playStarted(['lb1', 'lb2']), make.batchStarted(['lb1', 'lb2']));
    const second = add(make.pass(1).warning('x'), done('lb1', 6, 0), done('lb2', 6, 1), make.pass(2).warning('y'));
    expect(between(first, second)).to.deep.equal([
      [undefined, 0],
      [text(1)],
      [],
      ['Step 6'],
      [0, running, 1, running],
      [0, changed, 1, 0, 1000, 1, changed, 2, durationCode(1), 1000],
    ]);
    const third = add(done('lb3', 4, 2), done('lb2', 8, 3));
    expect(between(second, third).slice(0, 4)).to.deep.equal([
      [1, 2],
      [text(2), text(3)],
      ['lb3'],
      ['Step 4', 0, 'Step 8'],
    ]);
  });

  it('has the cells of a gate whose last round ended otherwise, said something else or ended later', () => {
    const make = new EventMaker();
    const data = new PageData(liveSources('/nowhere', (text) => text));
    const round = (name: string, status: 'ok' | 'skipped', message: string): Event =>
      make.taskFinished(name, status, { message, round: 1, seconds: 0 });
    const page = (...events: readonly Event[]): Page => {
      for (const event of events) data.handle(event);
      return data.page(FACTS);
    };
    const first = page(
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3', 'lb4']),
      ...NAMES.map((name) => round(name, 'ok', 'a')),
    );
    const second = page(
      round('lb1', 'skipped', 'a'),
      round('lb2', 'ok', 'b'),
      round('lb3', 'ok', 'a'),
      make.pass(2).warning('x'),
      round('lb4', 'ok', 'a'),
    );
    const [ok, skipped] = [CELL_STATES.indexOf('ok'), CELL_STATES.indexOf('skipped')];
    expect(pageDelta(first, second).cells).to.deep.equal(
      [
        [0, skipped, 1, 0, 0],
        [1, ok, 2, 0, 0],
        [3, ok, 1, 0, 2000],
      ].flat(),
    );
    expect(withDelta(copied(first), sent(pageDelta(first, second)))).to.deep.equal(copied(second));
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
