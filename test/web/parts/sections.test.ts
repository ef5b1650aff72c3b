import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { createView, type View } from '../../../src/web/data/view.js';
import { Drawer } from '../../../src/web/parts/drawer.js';
import { Header } from '../../../src/web/parts/header.js';
import { Help } from '../../../src/web/parts/help.js';
import { Chips, Search } from '../../../src/web/parts/search.js';
import { What, Why } from '../../../src/web/parts/summaries.js';
import { Timeline } from '../../../src/web/parts/timeline.js';
import { Top } from '../../../src/web/parts/top.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { pageOf } from '../../rig/page_run.js';
import { Browser } from './browser.js';
import { press, renderAgain, rendered, type Piece } from './rendered.js';

const nothing = (): void => undefined;

function viewOf(controllers: readonly string[], events: (make: EventMaker) => Iterable<Event>, given = {}): View {
  const make = new EventMaker();
  const started = [make.runStarted(given), make.playStarted(controllers), make.batchStarted(controllers)];
  return createView(pageOf([...started, ...events(make)], { title: 'run site.yml' }), '', 'name');
}

const at = (line: number) => ({ source: { file: 'site.yml', line, column: 3 } });
const texts = (root: Piece, name: string): readonly string[] => root.all(name).map(({ text }) => text);

describe('the failures of the page', () => {
  it('are grouped by cause, five at first, then twenty more', () => {
    const names = controllerNames(27);
    const view = viewOf(names, (make) =>
      names.map((name, index) => make.taskFinished(name, 'failed', { message: `cause ${index}`, ...at(4) })),
    );
    const root = rendered(Why, { view, onOpen: nothing });
    expect(texts(root, 'h2')).to.deep.equal(['Failures 27 causes, 27 controllers']);
    expect(texts(root, 'h3').length).to.equal(5);
    press(root, '22 more causes');
    expect(texts(root, 'h3').length).to.equal(25);
    press(root, '2 more causes');
    expect(texts(root, 'h3').length).to.equal(27);
    expect(texts(root, 'button').filter((text) => text.includes('more'))).to.deep.equal([]);
  });

  it('name the controller if it is the only one', () => {
    const failed = (names: readonly string[]) => {
      const view = viewOf(names, (make) =>
        names.map((name) =>
          make.taskFinished(name, 'failed', {
            task: 'Say',
            module: 'debug',
            message: `${name} is full\nof it`,
            ...at(4),
          }),
        ),
      );
      return rendered(Why, { view, onOpen: nothing });
    };
    expect(texts(failed(['lb1']), 'h3')).to.deep.equal(['× failed 1 controller lb1 is full']);
    expect(texts(failed(['lb1', 'lb2']), 'h3')).to.deep.equal(['× failed 2 controllers <controller> is full']);
    expect(texts(failed(['lb1']), 'pre')).to.deep.equal(['of it']);
    expect(texts(failed(['lb1']), 'p')).to.deep.equal(['Say debug · site.yml:4']);
  });

  it('say which routes they are on, what was written before, and what was not confirmed', () => {
    const names = ['lb1', 'lb2', 'lb3'];
    const change = (object: string) => ({ kind: 'create', object, before: null, after: {} }) as const;
    const make = new EventMaker();
    const events = [
      make.runStarted(),
      make.playStarted(names, { routes: { paris: [0], madrid: [1, 2] } }),
      ...names.map((name) =>
        make.taskFinished(name, 'changed', { task: 'One', ...at(2), change: change(`cloud "a of ${name}"`) }),
      ),
      make.taskFinished('lb1', 'changed', { task: 'Two', ...at(3), change: change('pool "b"') }),
      ...names.map((name) =>
        make.taskFinished(name, 'failed', { task: 'Three', message: 'no', hint: `why not ${name}`, ...at(4) }),
      ),
    ];
    const opened: (readonly number[])[] = [];
    const view = createView(pageOf(events), '', 'name');
    const root = rendered(Why, { view, onOpen: (row, column) => opened.push([row, column]) });
    expect(texts(root, 'dt')).to.deep.equal(['Controllers', 'Routes', 'Written before']);
    expect(texts(root, 'dd').slice(1)).to.deep.equal([
      'paris (1 controller), madrid (2 controllers)',
      'cloud "a of <controller>", pool "b" (1 controller)',
    ]);
    expect(texts(root, 'p')).to.include('Hint: why not <controller>');
    press(root, 'lb2');
    expect(opened).to.deep.equal([[1, 2]]);
  });

  it('are followed by what was sent, but not confirmed, by tasks that did not fail', () => {
    const change = { kind: 'create', object: 'cloud "a"', before: null, after: {} } as const;
    const opened: (readonly number[])[] = [];
    const view = viewOf(['lb1', 'lb2'], (make) => [
      make.taskFinished('lb1', 'ok', at(4)),
      make.taskFinished('lb2', 'interrupted', { unconfirmed: true, change, task: 'Say', module: 'debug', ...at(5) }),
    ]);
    const root = rendered(Why, { view, onOpen: (row, column) => opened.push([row, column]) });
    expect(texts(root, 'h2')).to.deep.equal(['Sent, but not confirmed 1 object']);
    expect([texts(root, 'h3'), texts(root, 'p')]).to.deep.equal([['cloud "a"'], ['Say debug · site.yml:5']]);
    press(root, 'lb2');
    expect(opened).to.deep.equal([[1, 1]]);
  });

  it('list five objects that were written, and count the others', () => {
    const written = (names: string): string | undefined => {
      const view = viewOf(['lb1'], (make) => [
        ...names.split('').map((name, index) =>
          make.taskFinished('lb1', 'changed', {
            task: name,
            ...at(2 + index),
            change: { kind: 'create', object: `pool "${name}"`, before: null, after: {} },
          }),
        ),
        make.taskFinished('lb1', 'failed', { message: 'no', ...at(40) }),
      ]);
      return texts(rendered(Why, { view, onOpen: nothing }), 'dd').at(-1);
    };
    const five = 'pool "a", pool "b", pool "c", pool "d", pool "e"';
    expect([written('abcde'), written('abcdef'), written('abcdefg')]).to.deep.equal([
      five,
      `${five} and 1 more`,
      `${five} and 2 more`,
    ]);
  });

  it('are not there if nothing failed; a check wrote nothing before, but for tasks with check_mode: false', () => {
    const passed = viewOf(['lb1'], (make) => [make.taskFinished('lb1', 'ok')]);
    expect(rendered(Why, { view: passed, onOpen: nothing }).inner).to.equal('');
    const change = { kind: 'create', object: 'cloud "a"', before: null, after: {} } as const;
    const failed = (check: boolean, before: (make: EventMaker) => readonly Event[] = () => []) => {
      const events = (make: EventMaker) => [
        ...before(make),
        make.taskFinished('lb1', 'unreachable', { message: 'no', ...at(9) }),
      ];
      return texts(rendered(Why, { view: viewOf(['lb1'], events, { check }), onOpen: nothing }), 'dt');
    };
    expect(failed(true)).to.deep.equal(['Controllers']);
    expect(failed(true, (make) => [make.taskFinished('lb1', 'changed', { change, check: true })])).to.deep.equal([
      'Controllers',
    ]);
    for (const shown of [failed(false), failed(true, (make) => [make.taskFinished('lb1', 'changed', { change })])])
      expect(shown).to.deep.equal(['Controllers', 'Written before']);
  });
});

describe('what is below the matrix', () => {
  let browser: Browser;
  beforeEach(() => {
    browser = new Browser();
  });
  afterEach(() => browser.close());

  it('follows the view', async () => {
    const failing = (message: string) =>
      viewOf(['lb1', 'lb2'], (make) => [
        make.pass(2).taskFinished('lb1', 'failed', { message, ...at(4) }),
        make.taskFinished('lb2', 'changed', {
          task: message,
          ...at(5),
          seconds: 3,
          change: { kind: 'update', object: 'cloud "a"', before: { mtu: 1 }, after: { mtu: 2 } },
        }),
      ]);
    for (const [component, tag] of [
      [Why, 'h3'],
      [What, 'h3'],
      [Timeline, 'th'],
    ] as const) {
      const root = rendered(component, { view: failing('first'), onOpen: nothing });
      expect(texts(root, tag).join()).to.include('first');
      renderAgain(root, component, { view: failing('second'), onOpen: nothing });
      await browser.settled();
      expect(texts(root, tag).join(), component.name).to.include('second').and.not.include('first');
    }
  });
});

describe('the changes of the page', () => {
  const changed = (make: EventMaker, name: string, object: string, line: number, field = 'mtu') =>
    make.taskFinished(name, 'changed', {
      task: `Task ${line}`,
      ...at(line),
      change: { kind: 'update', object, before: { [field]: 1 }, after: { [field]: 2 } },
    });

  it('show eight tasks, three changes of each and three names of each at first', () => {
    const names = controllerNames(5);
    const view = viewOf(names, (make) => [
      ...names.map((name) => changed(make, name, 'cloud "a"', 1)),
      ...names.map((name, index) => changed(make, name, 'pool "p"', 2, `field${index}`)),
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((line) => changed(make, 'lb1', 'cloud "z"', line)),
    ]);
    const root = rendered(What, { view, onOpen: nothing });
    expect(root.all('article').length).to.equal(8);
    const [first, second] = root.all('article');
    expect(first?.all('button').map(({ text }) => text)).to.deep.equal([...names.slice(0, 3), 'and 2 more']);
    expect(first?.all('p').map(({ text }) => text.slice(0, 60))).to.deep.equal([first?.all('p')[0]?.text.slice(0, 60)]);
    expect(first?.text).to.include('the same on 5 controllers: ');
    expect(second?.all('p').length).to.equal(3);
    expect(second?.text).not.to.include('the same on');
    expect(second?.all('button').at(-1)?.text).to.equal('2 more different changes');
    press(root, '2 more different changes');
    expect(root.all('article')[1]?.all('p').length).to.equal(5);
    press(root, '2 more tasks');
    expect(root.all('article').length).to.equal(10);
  });

  it('open the cell of a name', () => {
    const opened: (readonly number[])[] = [];
    const view = viewOf(['lb1', 'lb2', 'lb3'], (make) => [
      make.taskFinished('lb1', 'ok', at(1)),
      ...['lb1', 'lb2', 'lb3'].map((name) => changed(make, name, 'cloud "a"', 2)),
    ]);
    const root = rendered(What, { view, onOpen: (row, column) => opened.push([row, column]) });
    press(root, 'lb3');
    press(root, 'lb1');
    expect(opened).to.deep.equal([
      [2, 1],
      [0, 1],
    ]);
  });

  it('name their controller if it is the only one', () => {
    const shown = (...names: readonly string[]) => {
      const view = viewOf(names, (make) => names.map((name) => changed(make, name, `cloud "of ${name}"`, 1, name)));
      return texts(rendered(What, { view, onOpen: nothing }), 'strong').concat(
        texts(rendered(What, { view, onOpen: nothing }), 'pre'),
      );
    };
    expect(shown('lb1')).to.deep.equal(['updated cloud "of lb1": lb1', '- lb1: 1+ lb1: 2']);
    const general = '{{inventory_hostname}}';
    expect(shown('lb1', 'lb2')).to.deep.equal([
      `updated cloud "of ${general}": ${general}`,
      `- ${general}: 1+ ${general}: 2`,
    ]);
  });

  it('are what would change in a check, and not there without changes', () => {
    const heading = (check: boolean) =>
      texts(
        rendered(What, {
          view: viewOf(['lb1'], (make) => [changed(make, 'lb1', 'cloud "a"', 1)], { check }),
          onOpen: nothing,
        }),
        'h2',
      );
    expect(heading(true)).to.deep.equal(['Would change 1 task, 1 controller']);
    expect(heading(false)).to.deep.equal(['Changes 1 task, 1 controller']);
    const none = viewOf(['lb1'], (make) => [make.taskFinished('lb1', 'ok')]);
    expect(rendered(What, { view: none, onOpen: nothing }).inner).to.equal('');
  });
});

describe('the drawer of the page', () => {
  const make = new EventMaker();
  const page = pageOf([
    make.runStarted(),
    make.playStarted(['lb1', 'lb2', 'lb3'], { groups: { emea: [0, 1], edge: [0] }, routes: { paris: [0] } }),
    ...['lb1', 'lb2', 'lb3'].map((name) => make.taskFinished(name, 'ok', { task: 'One', ...at(1), seconds: 2 })),
    make.retried('lb1', 2, 5),
    make.retried('lb1', 3, 5),
    ...[1, 2, 3, 4, 5].map(() => make.request('lb1')),
    ...[1, 2, 3].map((seconds) => make.requestRetried('lb1', seconds, 'it is busy')),
    make.request('lb2'),
    make.taskFinished('lb1', 'failed', {
      task: 'Two',
      ...at(2),
      seconds: 3,
      message: 'no\nway of lb1',
      hint: 'ask',
    }),
    make.taskFinished('lb2', 'skipped', { task: 'Three', ...at(3) }),
  ]);
  const drawer = (row: number, column?: number, more = {}) => {
    const calls: unknown[] = [];
    const root = rendered(Drawer, {
      page,
      isServed: false,
      isModal: false,
      row,
      column,
      onClose: () => calls.push('closed'),
      onOpen: (...place: unknown[]) => calls.push(place),
      ...more,
    });
    return { root, calls };
  };

  it('says what a controller did at a step', () => {
    const { root } = drawer(0, 1);
    expect(root.all('h2').map(({ text, calls }) => [text, calls])).to.deep.equal([['lb1', ['focus']]]);
    expect(texts(root, 'h3')).to.deep.equal(['Two', 'All steps 2']);
    expect(texts(root, 'p')).to.deep.equal([
      '× failed in emea, edge via route paris',
      '× failed on this controller only',
      'Hint: ask',
    ]);
    expect(texts(root, 'pre')).to.deep.equal(['no\nway of lb1']);
    const facts = root.all('dt').map(({ text }, index) => [text, root.all('dd')[index]?.text]);
    expect(facts).to.deep.equal([
      ['Took', '3.0 s'],
      ['Ended', facts[1]?.[1]],
      ['Attempts', '4'],
      ['Requests', '5'],
      ['Retried requests', '3'],
      ['Module', 'cloud_present'],
      ['Play', 'Roll out'],
      ['Position', 'site.yml:2'],
    ]);
  });

  it('counts the others with the same result', () => {
    expect(texts(drawer(1, 0).root, 'p')).to.deep.equal(['► running in emea', '√ ok the same on 2 other controllers']);
  });

  it('says nothing of a step that did not run', () => {
    const { root } = drawer(2, 1);
    expect(texts(root, 'dt')).to.deep.equal(['Module', 'Play', 'Position']);
    expect(texts(root, 'p').slice(1)).to.deep.equal([' not run']);
  });

  it('lists all steps that ran, marks the shown one, and opens others', () => {
    const { root, calls } = drawer(0, 1);
    const steps = root.all('ol')[0]?.all('button') ?? [];
    expect(steps.map((one) => [one.text, one.attribute('aria-current')])).to.deep.equal([
      ['√ okOne2.0 s', undefined],
      ['× failedTwo3.0 s', 'true'],
    ]);
    steps[0]?.dispatch('click');
    press(root, '×');
    expect(calls).to.deep.equal([[0, 0], 'closed']);
  });

  it('is a dialog if it covers the page, and links to all runs if it is served', () => {
    const about = (more: object) => drawer(1, undefined, more).root;
    const [modal, beside] = [about({ isModal: true }), about({ isServed: true })];
    const roles = [modal, beside].map(({ firstChild }) => [
      firstChild?.attribute('role'),
      firstChild?.attribute('aria-modal'),
    ]);
    expect(roles).to.deep.equal([
      ['dialog', 'true'],
      ['complementary', undefined],
    ]);
    expect([modal, beside].map((one) => one.all('a').map((link) => link.attribute('href')))).to.deep.equal([
      [],
      ['/controllers/lb2'],
    ]);
    expect(texts(modal, 'h3')).to.deep.equal(['All steps 2']);
  });
});

describe('the head of the page', () => {
  const top = { isServed: false, theme: 'dark', onTheme: nothing, onHelp: nothing } as const;

  it('says how the run ended, what was run, and for how many', () => {
    const names = controllerNames(3);
    const make = new EventMaker();
    const page = pageOf(
      [
        make.runStarted({ environment: 'production' }),
        make.playStarted(names, { groups: { emea: [0, 1], edge: [2] } }),
        make.batchStarted(names),
        make.pass(90).taskFinished(names[0] ?? '', 'changed'),
        make.taskFinished(names[1] ?? '', 'failed', { message: 'no' }),
        make.taskFinished(names[2] ?? '', 'ok'),
        ...names.map((name) => make.controllerFinished(name)),
        make.playFinished(),
        make.runFinished({ status: 'failed', exitCode: 2 }),
      ],
      { title: 'run site.yml', author: 'ann', commands: [{ purpose: 'resume with', command: 'evenkeel resume 1' }] },
    );
    const queries: string[] = [];
    const view = createView(page, '', 'name');
    const root = rendered(Header, { ...top, view, query: 'status:ok', onQuery: (query) => queries.push(query) });
    expect(texts(root, 'h1')).to.deep.equal(['failed 1 ok, 1 changed, 1 failed']);
    const facts = root.all('p').find((one) => one.attribute('class') === 'facts');
    const [strong, spans] = [facts?.all('strong')[0]?.text, facts?.all('span').map(({ text }) => text) ?? []];
    expect([strong, spans[0], ...spans.slice(2)]).to.deep.equal([
      'run site.yml',
      'production',
      '1 min 30 s',
      'ann',
      '3 controllers',
    ]);
    expect(texts(root, 'p').at(-1)).to.equal('resume with evenkeel resume 1Copy');
    const chips = root.all('button').filter((one) => one.attribute('class')?.startsWith('chip') === true);
    expect(chips.map((one) => [one.text, one.attribute('class'), one.attribute('aria-pressed')])).to.deep.equal([
      ['√ 1 ok', 'chip', 'true'],
      ['Δ 1 changed', 'chip', 'false'],
      ['× 1 failed', 'chip', 'false'],
      ['emea 2', 'chip group', 'false'],
      ['edge 1', 'chip group', 'false'],
    ]);
    for (const chip of [chips[0], chips[2], chips[4]]) chip?.dispatch('click');
    expect(queries).to.deep.equal(['', 'status:ok status:failed', 'status:ok group:edge']);
    expect(root.all('progress')).to.deep.equal([]);
  });

  it('has the name of the tool, links to other pages if it is served, and the theme', () => {
    const own = rendered(Top, { ...top, note: 'run 1' });
    expect(own.text).to.equal('evenkeel run 1?');
    expect(own.all('a')).to.deep.equal([]);
    const served = rendered(Top, { ...top, isServed: true });
    expect(served.all('a').map((one) => [one.text, one.attribute('href')])).to.deep.equal([
      ['evenkeel', '/'],
      ['Runs', '/'],
      ['Plans', '/plans'],
    ]);
    const [theme, help] = served.all('button');
    expect([theme?.attribute('aria-label'), help?.attribute('title')]).to.deep.equal(['Theme: dark', 'Help (?)']);
    expect(theme?.all('span')[0]?.attribute('class')).to.equal('disc disc-dark');
  });

  it('has chips that add their term to the search, and take it out again', () => {
    const pressed = (field: 'status' | 'group', query = '') => {
      let typed = '';
      const root = rendered(Chips, { field, query, entries: [['cut off', 1]], onQuery: (text) => (typed = text) });
      press(root, 'cut off 1');
      return [root.all('button')[0]?.attribute('aria-pressed'), typed];
    };
    expect([pressed('status'), pressed('group')]).to.deep.equal([
      ['false', 'status:cut-off'],
      ['false', 'group:"cut off"'],
    ]);
    expect([pressed('status', 'status:cut-off'), pressed('group', 'x group:"cut off"')]).to.deep.equal([
      ['true', ''],
      ['true', 'x'],
    ]);
  });

  it('has chips for up to twelve entries', () => {
    const chips = (number: number) =>
      rendered(Chips, {
        field: 'group',
        query: '',
        onQuery: nothing,
        entries: Array.from({ length: number }, (_, index) => [`g${index}`, 1] as const),
      }).all('button').length;
    expect([0, 1, 12, 13].map(chips)).to.deep.equal([0, 1, 12, 0]);
  });

  it('has a search that says what was found and what it does not understand', () => {
    const typed: string[] = [];
    const search = (query: string, note: string) =>
      rendered(Search, {
        box: null,
        fields: ['status', 'env'],
        example: 'status:failed',
        query,
        note,
        onQuery: (text) => typed.push(text),
      });
    const root = search('status:ok', '3 runs');
    expect(root.text).to.equal('3 runs');
    const [box] = root.all('input');
    expect(box?.attribute('placeholder')).to.equal('Search: status:failed');
    box?.dispatch('input', { currentTarget: { value: 'lb' } });
    expect(search('group:x', '').text).to.equal(search('group:x', '3 runs').text.replace('3 runs; ', ''));
    expect(search('group:x', '').text).not.to.equal('');
  });

  it('has help about keys and terms', () => {
    const root = rendered(Help, { onClose: nothing });
    const [keys, terms] = ['kbd', 'code'].map((name) => texts(root, name));
    expect(keys).to.deep.equal(['/', '← ↑ → ↓', 'Enter', 'Esc', '+ -', 'm', 'f', 'c', 't', '?']);
    expect(terms).to.deep.equal([
      'status:failed',
      'status:skipped',
      'group:emea',
      'route:madrid',
      'host:lb1*',
      'task:DNS',
      'timed out',
      'env:production user:ann since:3d',
      '-status:ok -"timed out"',
    ]);
    expect(root.all('dd').length).to.equal(19);
  });
});

describe('the times of the page', () => {
  it('are those of batches, gates, tasks and the slowest controllers', () => {
    const names = ['lb1', 'lb2', 'lb3'];
    const make = new EventMaker();
    const batch = (number: number, controllers: readonly string[]) => make.batchStarted(controllers, number, 2);
    const page = pageOf([
      make.runStarted(),
      make.playStarted(names),
      batch(1, names.slice(0, 2)),
      make.pass(10).taskFinished('lb1', 'ok', { task: 'Short', ...at(1), seconds: 1 }),
      make.taskFinished('lb2', 'failed', { task: 'Short', ...at(1), seconds: 2, message: 'no' }),
      ...['lb1', 'lb2'].map((name) => make.controllerFinished(name)),
      make.batchFinished(1, { failed: ['lb2'] }),
      batch(2, names.slice(2)),
      make.pass(30).taskFinished('lb3', 'ok', { task: 'Long', ...at(2), seconds: 30 }),
      make.controllerFinished('lb3'),
      make.batchFinished(2),
      make.playFinished(),
      make.runFinished(),
    ]);
    const opened: unknown[] = [];
    const root = rendered(Timeline, {
      view: createView(page, '', 'name'),
      onOpen: (...place) => opened.push(place),
    });
    expect(texts(root, 'h2')).to.deep.equal(['Timeline 40 s']);
    const [batches] = root.all('ol');
    expect(batches?.all('li').map(({ text }) => text)).to.deep.equal([
      'Roll out 1/22 controllers, 10 s, 1 failed',
      'Roll out 2/21 controller, 30 s',
    ]);
    const bars = batches?.all('span').filter((one) => one.attribute('class') === 'bar') ?? [];
    expect(bars.map(({ style }) => style)).to.deep.equal([
      { left: '0%', width: '25%' },
      { left: '25%', width: '75%' },
    ]);
    expect(bars.map((one) => one.childNodes.map(({ style }) => style))).to.deep.equal([
      [{ width: 'max(3px, 50%)' }],
      [],
    ]);
    // 160 steps of a quarter of a second: one controller works from 8 s on, two from 9 s to 10 s.
    const [atWork, ended] = root.all('polygon').map((one) => one.attribute('points')?.split(' ') ?? []);
    expect([atWork?.[0], atWork?.at(-1), atWork?.length]).to.deep.equal(['0,40', '160,40', 322]);
    const heights = [1, 63, 65, 73, 79, 83, 319].map((place) => atWork?.[place]);
    expect(heights).to.deep.equal(['0,40.0', '31,40.0', '32,21.0', '36,2.0', '39,2.0', '41,21.0', '159,21.0']);
    expect(ended?.filter((point) => point.endsWith(',2.0'))).to.deep.equal(['40,2.0', '41,2.0']);
    expect(ended?.filter((point) => point.endsWith(',21.0'))).to.deep.equal(['159,21.0', '160,21.0']);
    expect(root.all('figcaption').map(({ text }) => text)).to.deep.equal(['Controllers at work', 'Tasks per second']);
    expect(root.all('svg').map((one) => one.attribute('aria-label'))).to.deep.equal([
      'Controllers at work over time, at most 2',
      'Tasks per second over time, at most 8',
    ]);
    expect(root.all('tr').map((one) => one.childNodes.map(({ text }) => text))).to.deep.equal([
      ['Task', 'Times', 'Median', '90 %', '99 %', 'Longest', 'On'],
      ['Long', '1', '30 s', '30 s', '30 s', '30 s', 'lb3'],
      ['Short', '2', '2.0 s', '2.0 s', '2.0 s', '2.0 s', 'lb2'],
    ]);
    expect(
      root
        .all('ol')[1]
        ?.all('li')
        .map(({ text }) => text),
    ).to.deep.equal(['lb3 30 s', 'lb2 2.0 s', 'lb1 1.0 s']);
    root
      .all('td')
      .find(({ text }) => text === 'lb2')
      ?.all('button')[0]
      ?.dispatch('click');
    root.all('ol')[1]?.all('button')[2]?.dispatch('click');
    expect(opened).to.deep.equal([
      [1, 0],
      [0, undefined],
    ]);
  });

  it('go on until now for a batch that has not ended', () => {
    const make = new EventMaker();
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.batchStarted(['lb1'], 1, 2),
      make.pass(10).taskFinished('lb1', 'ok', { seconds: 1 }),
      make.batchFinished(1),
      make.batchStarted(['lb2'], 2, 2),
      make.pass(20).taskFinished('lb2', 'ok', { seconds: 2 }),
    ]);
    const root = rendered(Timeline, { view: createView(page, '', 'name'), onOpen: nothing });
    expect(
      root
        .all('ol')[0]
        ?.all('li')
        .map(({ text }) => text),
    ).to.deep.equal(['Roll out 1/21 controller, 10 s', 'Roll out 2/21 controller, 20 s']);
  });

  it('have gates that end with their run, and that a resume checks again', () => {
    const make = new EventMaker();
    const begun = [
      make.runStarted(),
      make.playStarted(['lb1']),
      make.batchStarted(['lb1']),
      make.pass(10).taskFinished('lb1', 'ok', { seconds: 1 }),
      make.batchFinished(),
      make.gateStarted(['lb1']),
      make.pass(5).gateChecked(1, ['lb1']),
    ];
    const end = make.runFinished({ status: 'interrupted', exitCode: 130 });
    const again = [
      make.runStarted({ resumed: true }),
      make.playStarted(['lb1']),
      make.gateStarted(['lb1']),
      make.pass(1).gateChecked(),
      make.gateFinished(),
    ];
    const shown = (events: readonly Event[], cutOff = false) => {
      const view = createView(pageOf(events, { title: 'run', cutOff }), '', 'name');
      const [batches] = rendered(Timeline, { view, onOpen: nothing }).all('ol');
      return batches?.all('li').map(({ text }) => text);
    };
    expect([begun, [...begun, end], [...begun, end, ...again]].map((events) => shown(events))).to.deep.equal([
      ['Roll out1 controller, 10 s, gate running after 1 round'],
      ['Roll out1 controller, 10 s, gate interrupted after 1 round'],
      ['Roll out1 controller, 10 s, gate passed after 1 round'],
    ]);
    expect(shown(begun, true)).to.deep.equal(['Roll out1 controller, 10 s, gate interrupted after 1 round']);
  });

  it('have up to 60 batches with the rounds of their gates, and the 20 tasks that took longest', () => {
    const make = new EventMaker();
    const names = controllerNames(61);
    const page = pageOf([
      make.runStarted(),
      make.playStarted(names),
      ...names.flatMap((name, index) => [
        make.batchStarted([name], index + 1, 61),
        make
          .pass(1)
          .taskFinished(name, 'ok', { task: `Task ${index % 21}`, ...at(1 + (index % 21)), seconds: 1 + (index % 21) }),
        make.batchFinished(index + 1, index === 1 ? { failed: [name] } : {}),
        ...(index === 0
          ? [
              make.gateStarted(names),
              make.gateChecked(1),
              make.pass(5).gateChecked(2, [name]),
              make.gateFinished('stop', 'failed'),
            ]
          : []),
      ]),
      make.playFinished(),
      make.runFinished(),
    ]);
    const root = rendered(Timeline, { view: createView(page, '', 'name'), onOpen: nothing });
    const lines =
      root
        .all('ol')[0]
        ?.all('li')
        .map(({ text }) => text) ?? [];
    expect([lines[0], lines[1], lines[59], lines[60], lines.length]).to.deep.equal([
      'Roll out 1/611 controller, 1.0 s, gate failed after 2 rounds',
      'Roll out 2/611 controller, 1.0 s, 1 failed',
      'Roll out 60/611 controller, 1.0 s',
      'and 1 more',
      61,
    ]);
    const failed = root.all('span').filter((one) => one.attribute('class') === 'failed');
    expect(failed.map(({ style }) => style)).to.deep.equal([{ width: 'max(3px, 100%)' }]);
    const gates = root.all('span').filter((one) => one.attribute('class') === 'bar gate failed');
    expect(gates.map(({ style }) => style)).to.deep.equal([{ left: `${100 / 66}%`, width: `${(5 / 66) * 100}%` }]);
    const tasks = root.all('tr').map((one) => one.childNodes[0]?.text);
    expect([tasks.length, tasks[1], tasks[20]]).to.deep.equal([21, 'Task 20', 'Task 1']);
    expect(root.all('ol')[1]?.all('li').length).to.equal(10);
  });

  it('are not there if nothing took time', () => {
    const view = viewOf(['lb1'], () => []);
    expect(rendered(Timeline, { view, onOpen: nothing }).inner).to.equal('');
  });
});
