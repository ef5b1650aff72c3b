import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { RunPage } from '../../../src/web/run_page.js';
import { EventMaker } from '../../rig/events.js';
import { fleetEvents, pageOf } from '../../rig/page_run.js';
import { PaintingBrowser } from './painting_browser.js';
import { Piece, press, renderAgain, rendered } from './rendered.js';

const FLEET = pageOf(fleetEvents(8, 3), { title: 'run site.yml', argv: ['run', 'site.yml', '--limit', 'a b'] });
const [FIRST = '', , , FAILED = '', , LOST = ''] = FLEET.controllers;

type RunPageProps = Parameters<typeof RunPage>[0];

const texts = (root: Piece, name: string): readonly string[] => root.all(name).map(({ text }) => text);
const link = (root: Piece, words: string) => root.all('a').find(({ text }) => text === words);

describe('the whole page of a run', () => {
  let browser: PaintingBrowser;
  let isNarrow = false;
  beforeEach(() => (isNarrow = false));
  afterEach(async () => {
    await browser.close();
    Reflect.deleteProperty(globalThis, 'matchMedia');
  });

  async function shown(given: Partial<RunPageProps> = {}, hash = '', answers: Readonly<Record<string, unknown>> = {}) {
    browser = new PaintingBrowser(answers);
    browser.location.hash = hash;
    Object.assign(globalThis, {
      matchMedia: () => ({
        matches: isNarrow,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }),
    });
    Object.assign(document, { activeElement: null, body: new Piece('body') });
    const props = { page: FLEET, isServed: false, ...given };
    const root = rendered(RunPage, props);
    await later();
    return {
      root,
      drawer: () => root.all('section').find((one) => one.attribute('class') === 'drawer'),
      again: (next: Partial<RunPageProps>) => {
        renderAgain(root, RunPage, { ...props, ...next });
      },
    };
  }

  /** After the timer of what is below the matrix, too. */
  async function later(): Promise<void> {
    await browser.settled();
    await new Promise((resolve) => setTimeout(resolve, 2));
    await browser.settled();
  }

  const address = (): Readonly<Record<string, string>> =>
    Object.fromEntries(new URLSearchParams(browser.location.hash.slice(1)));

  it('shows what is searched for in all of its sections', async () => {
    const { root } = await shown();
    const headings = () => texts(root, 'h2').filter((text) => !text.startsWith('Timeline'));
    expect(headings()).to.deep.equal([
      'Failures 2 causes, 2 controllers',
      'Matrix 8 controllers × 3 steps',
      'Changes 1 task, 7 controllers',
      'Warnings 1',
    ]);
    const status = () => root.all('span').find((one) => one.attribute('role') === 'status')?.text;
    expect(status()).to.equal('');
    const search = async (value: string) => {
      root.all('input')[0]?.dispatch('input', { currentTarget: { value } });
      await later();
    };
    await search(`host:${FAILED}`);
    expect(address()).to.deep.equal({ q: `host:${FAILED}` });
    expect(status()).to.equal('1 of 8 controllers');
    expect(headings()).to.deep.equal([
      'Failures 1 cause, 1 controller',
      'Matrix 1 controller × 3 steps',
      'Changes 1 task, 1 controller',
      'Warnings 1',
    ]);
    await search('host:nobody');
    expect(headings()).to.deep.equal(['Matrix 0 controllers × 3 steps', 'Warnings 1']);
    expect(root.text).to.include('Nothing matches.');
    expect(root.all('canvas')).to.deep.equal([]);
    await search('');
    expect(browser.location.hash).to.equal('#');
  });

  it('opens a cell beside it, and closes it by a key or a button', async () => {
    const { root, drawer } = await shown();
    const outer = root.all('div')[0];
    expect([drawer(), outer?.attribute('class')]).to.deep.equal([undefined, 'page']);
    press(root, FAILED);
    expect(address()).to.deep.equal({ controller: FAILED, step: '1' });
    expect(outer?.attribute('class')).to.equal('page with-drawer');
    expect(drawer()?.attribute('role')).to.equal('complementary');
    expect(root.all('main')[0]?.attribute('inert')).to.equal(undefined);
    expect(drawer()?.all('h2')[0]?.text).to.equal(FAILED);
    expect(drawer()?.all('h3')[0]?.text).to.equal('Step 2 <b>of</b> "all" & more');
    browser.press('Escape');
    expect([drawer(), browser.location.hash]).to.deep.equal([undefined, '#']);
    browser.press('Escape');
    press(root, LOST);
    expect(address()).to.deep.equal({ controller: LOST, step: '0' });
    const close = drawer()?.all('button')[0];
    expect(close?.text).to.equal('×');
    close?.dispatch('click');
    expect(drawer()).to.equal(undefined);
  });

  it('covers itself by the cell if it is narrow', async () => {
    isNarrow = true;
    const { root, drawer } = await shown({}, `#controller=${FIRST}`);
    expect(drawer()?.attribute('role')).to.equal('dialog');
    expect(root.all('main')[0]?.attribute('inert')).to.not.equal(undefined);
    browser.press('Escape');
    expect(root.all('main')[0]?.attribute('inert')).to.be.oneOf([undefined, 'false']);
  });

  it('shows no cell of a controller that it does not have', async () => {
    const { drawer } = await shown({}, '#controller=other&step=1');
    expect(drawer()).to.equal(undefined);
  });

  it('stays at its step when another one appears before it', async () => {
    const { again } = await shown({}, `#controller=${FIRST}&step=0`);
    const [first, second, third] = FLEET.columns;
    again({ page: { ...FLEET, columns: [second!, first!, third!] } });
    await browser.settled();
    expect(address()).to.deep.equal({ controller: FIRST, step: '1' });
  });

  it('has keys for search and help', async () => {
    const { root } = await shown();
    browser.press('/');
    expect(root.all('input')[0]?.calls).to.deep.equal(['focus']);
    expect(root.all('dialog')).to.deep.equal([]);
    browser.press('?');
    expect(root.all('dialog').map(({ calls }) => calls)).to.deep.equal([['showModal']]);
    root.all('dialog')[0]?.dispatch('close');
    expect(root.all('dialog')).to.deep.equal([]);
    press(root, '?');
    expect(root.all('dialog').length).to.equal(1);
  });

  it('has an order and a table of the matrix, and a legend of what is in it', async () => {
    const { root } = await shown();
    const select = root.all('select')[0];
    const table = root.all('button').find(({ text }) => text === 'Table');
    expect(texts(root, 'option')).to.deep.equal(['group', 'outcome', 'name']);
    const legend = root.all('ul').find((one) => one.attribute('aria-label') === 'Legend');
    expect(legend?.all('li').map(({ text }) => text)).to.deep.equal(['√ ok', 'Δ changed', '× failed', '? unreachable']);
    for (const [value, order] of [
      ['name', 'name'],
      ['size', 'group'],
    ] as const) {
      select?.dispatch('change', { currentTarget: { value } });
      await browser.settled();
      expect(address()['order']).to.equal(order);
    }
    expect([table?.attribute('aria-pressed'), root.all('canvas').length]).to.deep.equal(['false', 2]);
    table?.dispatch('click');
    await browser.settled();
    expect([table?.attribute('aria-pressed'), root.all('canvas').length]).to.deep.equal(['true', 0]);
    expect(address()).to.deep.equal({ order: 'group', table: '' });
    table?.dispatch('click');
    expect(address()).to.deep.equal({ order: 'group' });
  });

  it('ends with twenty warnings, more on demand, and the command line as a shell takes it', async () => {
    const warnings = (many: number) => [
      { message: 'old', place: { file: 'site.yml', line: 4, column: 3 } },
      { message: 'slow', controller: 'lb1' },
      ...Array.from({ length: many }, (_, index) => ({ message: `warning ${index}` })),
    ];
    const listed = (root: Piece) => root.all('ul').find((one) => one.attribute('class') === 'warnings');
    const { root, again } = await shown({ page: { ...FLEET, warnings: warnings(1200) } });
    expect(texts(root, 'h2').at(-1)).to.equal('Warnings 1,202');
    const items = listed(root)?.all('li') ?? [];
    expect(items.length).to.equal(20);
    expect(items.slice(0, 3).map(({ text }) => text.trim())).to.deep.equal([
      'old site.yml:4',
      'lb1: slow',
      'warning 0',
    ]);
    press(root, '1,182 more warnings');
    await browser.settled();
    expect(listed(root)?.all('li').length).to.equal(220);
    expect(texts(root, 'footer')).to.deep.equal([
      `evenkeel ${FLEET.run.version} · evenkeel run site.yml --limit 'a b'`,
    ]);
    for (const argv of [[], undefined]) {
      again({ page: { ...FLEET, warnings: [], facts: { title: 'run site.yml', argv } } });
      expect(texts(root, 'footer')).to.deep.equal([`evenkeel ${FLEET.run.version}`]);
      expect(listed(root)).to.equal(undefined);
    }
  });

  it('links to other pages, and has the drift that was printed, only if it is served', async () => {
    const make = new EventMaker();
    const events: readonly Event[] = [
      make.runStarted(),
      make.playStarted(['lb1']),
      make.batchStarted(['lb1']),
      make.taskFinished('lb1', 'changed'),
    ];
    const drift = { title: 'drift site.yml', argv: ['drift', 'site.yml'] };
    const running = pageOf(events, drift);
    const over = pageOf([...events, make.runFinished()], drift);
    const path = `/api/runs/${over.run.id}/drift`;
    const answers = { '/api/runs': [], [path]: { lines: ['~ cloud "a": mtu'] } };
    const seen = async (given: Partial<RunPageProps>, more: Readonly<Record<string, unknown>> = answers) => {
      const { root } = await shown(given, '', more);
      const found = [texts(root, 'h2').includes('Drift as the terminal showed it'), link(root, 'Runs') !== undefined];
      const asked = browser.asked.includes(path);
      await browser.close();
      return [...found, asked];
    };
    expect(await seen({ page: over, isServed: true })).to.deep.equal([true, true, true]);
    expect(await seen({ page: over, isServed: true }, { [path]: { lines: [] } })).to.deep.equal([false, true, true]);
    expect(await seen({ page: over, isServed: true }, {})).to.deep.equal([false, true, true]);
    expect(await seen({ page: running, isServed: true })).to.deep.equal([false, true, false]);
    expect(await seen({ page: { ...over, facts: { ...drift, argv: ['run'] } }, isServed: true })).to.deep.equal([
      false,
      true,
      false,
    ]);
    expect(await seen({ page: over, isServed: false })).to.deep.equal([false, false, false]);
    const { root } = await shown({ page: over, isServed: true, lost: 'out of date' }, '', answers);
    expect([document.title, texts(root, 'p')[0]]).to.deep.equal(['drift site.yml · evenkeel', 'out of date']);
  });
});
