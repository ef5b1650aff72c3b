import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Event } from '../../src/core/model/run/event.js';
import type { PageFacts } from '../../src/reporting/page/format/page.js';
import { pageHtml, readAssets } from '../../src/reporting/page/html.js';
import {
  CHROMIUM,
  openPage,
  sayWithoutBrowser,
  settled,
  startBrowser,
  violations,
  type Watched,
} from '../rig/browser.js';
import { EventMaker } from '../rig/events.js';
import { fleetEvents, packed } from '../rig/page_run.js';

describe('a report in a browser', function () {
  let folder: string;
  let browser: Browser;
  let url: string;
  const open: Watched[] = [];

  before(async function () {
    if (CHROMIUM === undefined) {
      sayWithoutBrowser('a report in a browser');
      this.skip();
    }
    folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
    browser = await startBrowser();
    url = await report('fleet.html', fleetEvents(120, 6), {
      title: 'run playbooks/rollout.yml',
      commands: [{ purpose: 'continue with', command: 'evenkeel run --rerun 2026' }],
    });
  });
  after(async () => {
    if (CHROMIUM === undefined) return;
    await browser.close();
    await rm(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const { page, complaints } of open.splice(0)) {
      await page.close();
      expect(complaints).to.deep.equal([]);
    }
  });

  async function report(name: string, events: Iterable<Event>, facts: PageFacts): Promise<string> {
    const file = path.join(folder, name);
    const text = { title: 'A report <title>', summary: 'in words' };
    await writeFile(file, pageHtml(packed(events, facts), text, readAssets()));
    return pathToFileURL(file).href;
  }

  async function show(hash = '', options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const watched = await openPage(browser, url + hash, options);
    open.push(watched);
    return watched.page;
  }

  it('shows the result, the causes and the changes, each cause and change once', async () => {
    const page = await show();
    expect(await page.textContent('h1')).to.equal('failed 94 changed, 15 failed, 11 unreachable');
    const failures = await page.locator('#failures h3').allTextContents();
    expect(failures).to.have.length(2);
    expect(failures[0]).to.include('15 controllers').and.include('name of <controller> is reserved (POST /api/cloud/)');
    expect(await page.locator('#failures article').first().textContent()).to.include('and 5 more');
    const changes = await page.locator('#changes .change').allTextContents();
    expect(changes).to.have.length(2);
    expect(changes[0]).to.include('updated cloud "edge": mtu, note').and.include('the same on');
    expect(await page.locator('#changes .usual').allTextContents()).to.include('- mtu: 1400');
    expect(await page.title()).to.equal('A report <title>');
  });

  it('shows text from controllers as text', async () => {
    const page = await show('#controller=lb004&step=1');
    expect(await page.locator('.drawer .message').textContent()).to.include(
      '<img src=x onerror="alert(1)"> name of lb004',
    );
    expect(await page.locator('img, #page script').count()).to.equal(0);
  });

  it('allows only its own script, and no text as HTML', async () => {
    const page = await show();
    const refused = await page.evaluate<boolean>(
      '(() => { try { document.body.innerHTML = "<p>x</p>"; return false; } catch (error) { return error instanceof TypeError; } })()',
    );
    expect(refused).to.equal(true);
    expect(open[0]?.complaints).to.have.length(1);
    open.length = 0;
    await page.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no accessibility problems that axe finds, ${colorScheme}`, async () => {
      const page = await show('#controller=lb004&step=1', { colorScheme });
      expect(await violations(page)).to.deep.equal([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Table' }).click();
      expect(await violations(page)).to.deep.equal([]);
      await page.keyboard.press('?');
      await settled(page);
      expect(await page.locator('dialog[open]').count()).to.equal(1);
      expect(await violations(page)).to.deep.equal([]);
    });
  }

  for (const [width, height] of [
    [360, 740],
    [3840, 2160],
  ] as const) {
    it(`fits a screen of ${width} × ${height}`, async () => {
      const page = await show('', { viewport: { width, height } });
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      const wide = 'section *, header *';
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('${wide}')].filter((one) => !one.matches('.unseen') && one.scrollWidth > one.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)).map(({ className }) => className)`,
        ),
      ).to.deep.equal([]);
      await page.locator('.scroller canvas').click({ position: { x: width > 1000 ? 400 : 120, y: 200 } });
      await settled(page);
      expect(await page.locator('.drawer h2').textContent()).to.match(/^lb\d+$/);
      expect(await violations(page)).to.deep.equal([]);
    });
  }

  it('can be used with the keyboard', async () => {
    const page = await show();
    await page.keyboard.press('/');
    await page.keyboard.type('status:failed group:emea');
    await settled(page);
    expect(await page.locator('.search [role=status]').textContent()).to.equal('8 of 120 controllers');
    // They are gathered in parts, between frames.
    await page.locator('#failures h3').first().waitFor();
    expect(await page.locator('#failures h3').count()).to.equal(1);
    await page.keyboard.press('Escape');
    await settled(page);
    await page.keyboard.press('f');
    await settled(page);
    expect(await page.evaluate('document.activeElement.id')).to.equal('failures-title');
    await page.keyboard.press('m');
    expect(await page.evaluate('document.activeElement.closest("[role=grid]") !== null')).to.equal(true);
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) {
      await page.keyboard.press(key);
      await settled(page);
    }
    expect(await page.locator('.drawer h2').textContent()).to.equal('lb011');
    expect(await page.locator('.drawer .cell .state').textContent()).to.equal('× failed');
    expect(page.url()).to.include('controller=lb011').and.include('step=1').and.include('status%3Afailed');
    await page.keyboard.press('Escape');
    await settled(page);
    expect(await page.locator('.drawer').count()).to.equal(0);
    expect(await page.evaluate('document.activeElement.textContent')).to.include('failed');
  });

  it('moves through the matrix by keys, also to cells that are not rendered yet', async () => {
    const page = await show();
    const row = `document.activeElement.closest('[role="grid"] tr')?.getAttribute('aria-rowindex')`;
    for (const isTable of [false, true]) {
      if (isTable) await page.getByRole('button', { name: 'Table' }).click();
      await page.keyboard.press('m');
      for (const [key, expected] of [
        ['Control+End', '121'],
        ['PageUp', '101'],
        ['Control+Home', '2'],
        ['PageDown', '22'],
      ] as const) {
        await page.keyboard.press(key);
        await settled(page);
        expect(await page.evaluate(row), `${key} ${isTable}`).to.equal(expected);
      }
    }
    for (const [top, expected] of [
      [1e6, '23'],
      [0, '24'],
    ] as const) {
      await page.evaluate(`document.querySelector('.grid').scrollTop = ${top}`);
      await settled(page);
      await page.keyboard.press('ArrowDown');
      await settled(page);
      expect(await page.evaluate(row), `${top}`).to.equal(expected);
    }
  });

  it('shows what a search finds before it counts what is below', async () => {
    const page = await show();
    const order = await page.evaluate<readonly string[]>(`(async () => {
      const seen = [];
      const watch = (selector, name) => new MutationObserver(() => seen.push(name)).observe(
        document.querySelector(selector), { subtree: true, childList: true, characterData: true, attributes: true });
      watch('.search [role=status]', 'search');
      watch('#timeline', 'timeline');
      const input = document.querySelector('.search input');
      input.value = 'group:emea';
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      requestAnimationFrame(() => seen.push('painted'));
      while (!seen.includes('timeline')) await new Promise((done) => requestAnimationFrame(done));
      return [...new Set(seen)];
    })()`);
    expect(order).to.deep.equal(['search', 'painted', 'timeline']);
  });

  it('keeps the focus in the drawer if it covers the page, and returns it', async () => {
    const page = await show('', { viewport: { width: 600, height: 800 } });
    const focused = (): Promise<string> =>
      page.evaluate(
        '`${document.activeElement.closest(".drawer") === null ? "page" : "drawer"}: ${document.activeElement.textContent}`',
      );
    await page.locator('#failures .name').first().focus();
    await page.keyboard.press('Enter');
    await settled(page);
    const drawer = page.getByRole('dialog', { name: 'lb004' });
    expect(await drawer.getAttribute('aria-modal')).to.equal('true');
    expect(await focused()).to.equal('drawer: lb004');
    await page.keyboard.press('Shift+Tab');
    const last = await focused();
    expect(last).to.match(/^drawer: .*Step 2/);
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('drawer: ×');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).to.equal(last);
    expect(await violations(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await settled(page);
    expect(await page.locator('.drawer').count()).to.equal(0);
    expect(await focused()).to.equal('page: lb004');
  });

  it('leaves the page usable beside the drawer if there is room', async () => {
    const page = await show('#controller=lb004');
    expect(await page.getByRole('complementary', { name: 'lb004' }).count()).to.equal(1);
    expect(await page.locator('main').getAttribute('inert')).to.equal(null);
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('shows the same again for its address', async () => {
    const page = await show('#q=status%3Aunreachable&table=&order=name');
    expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).to.equal('12');
    expect(await page.locator('.search input').inputValue()).to.equal('status:unreachable');
    expect(await page.locator('[aria-pressed=true]').allTextContents()).to.deep.equal(['? 11 unreachable', 'Table']);
  });

  it('shows the routes of controllers, and finds and orders them by route', async () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const routes = await report(
      'routes.html',
      [
        make.runStarted(),
        make.playStarted(names, { routes: { paris: [0, 2], madrid: [1] } }),
        make.taskFinished('lb1', 'failed', { message: 'no' }),
        make.taskFinished('lb2', 'failed', { message: 'no' }),
        make.taskFinished('lb3', 'failed', { message: 'no' }),
        make.taskFinished('lb4', 'ok'),
        make.runFinished({ status: 'failed', exitCode: 2 }),
      ],
      { title: 'run site.yml' },
    );
    const watched = await openPage(browser, `${routes}#table=&order=route&controller=lb3&step=0`);
    open.push(watched);
    const { page } = watched;
    expect(await page.locator('#failures dl').textContent()).to.include(
      'Routesparis (2 controllers), madrid (1 controller)',
    );
    expect(await page.locator('.drawer').textContent())
      .to.include('via route paris')
      .and.include('the same on 2 other controllers');
    const rows = async (): Promise<readonly string[]> => page.locator('[role=grid] tbody th').allTextContents();
    expect((await rows()).map((text) => text.replaceAll(/[^ ]* (lb\d) \w+/g, '$1'))).to.deep.equal([
      'lb1 paris',
      'lb3 paris',
      'lb2 madrid',
      'lb4',
    ]);
    await page.getByRole('button', { name: 'route paris' }).click();
    await settled(page);
    expect(await page.locator('.search input').inputValue()).to.equal('route:paris');
    expect(await rows()).to.have.length(2);
    expect(await violations(page)).to.deep.equal([]);
  });

  it('shows every fact of a result in the drawer, with the name of its controller', async () => {
    const make = new EventMaker();
    const result = (name: string): Event =>
      make.pass(3).taskFinished(name, 'failed', {
        task: `Create the cloud of ${name}`,
        message: `${name} refused`,
        hint: `ask ${name}`,
        tenant: 'blue',
        delegatedTo: 'lb9',
        seconds: 2.5,
      });
    const facts = await report(
      'facts.html',
      [make.runStarted(), make.playStarted(['lb1', 'lb2']), result('lb1'), result('lb2'), make.runFinished()],
      { title: 'run site.yml' },
    );
    for (const name of ['lb1', 'lb2']) {
      const watched = await openPage(browser, `${facts}#controller=${name}&step=0`);
      open.push(watched);
      const cell = watched.page.getByRole('region', { name: 'Result' });
      expect(await cell.locator('h3').textContent()).to.equal(`Create the cloud of ${name}`);
      expect(await cell.textContent())
        .to.include(`${name} refused`)
        .and.include(`Hint: ask ${name}`)
        .and.include('Took2.5 s')
        .and.include('Delegated tolb9')
        .and.include('Tenantblue')
        .and.include('Modulecloud_present')
        .and.include('Positionplaybooks/rollout.yml:4');
    }
  });

  it('renders only the visible rows', async () => {
    const page = await show('#table=');
    const rows = page.locator('[role=grid] tbody tr[aria-rowindex]');
    expect(await rows.count()).to.be.below(80);
    await page.evaluate('document.querySelector(".grid").scrollTop = 1e6');
    await page.getByRole('rowheader', { name: 'lb120' }).waitFor();
    await settled(page);
    expect(await rows.count()).to.be.below(80);
  });

  it('zooms with keys and buttons, and describes what is under the pointer', async () => {
    const page = await show();
    const height = 'document.querySelector(".extent").clientHeight';
    const before = await page.evaluate<number>(height);
    await page.getByRole('button', { name: 'Larger rows' }).click();
    await page.waitForFunction(`${height} > ${before}`);
    await page.locator('.scroller canvas').hover({ position: { x: 260, y: 180 } });
    await settled(page);
    expect(await page.locator('.tip').textContent()).to.match(/^lb\d+ · Step 1/);
    const canvas = await page.locator('.scroller canvas').boundingBox();
    const row = await page.locator('.hovered').boundingBox();
    expect((row?.y ?? 0) - (canvas?.y ?? 0)).to.be.within(180 - (row?.height ?? 0), 180);
    expect(row?.width).to.be.above(200);
    // At each corner, the description is within the matrix, which cuts what is outside.
    const matrix = await page.locator('.matrix').boundingBox();
    for (const x of [240, 360])
      for (const y of [150, (canvas?.height ?? 0) - 12]) {
        await page.locator('.scroller canvas').hover({ position: { x, y } });
        await settled(page);
        const tip = await page.locator('.tip').boundingBox();
        const [left, top] = [(tip?.x ?? 0) - (matrix?.x ?? 0), (tip?.y ?? 0) - (matrix?.y ?? 0)];
        expect(left).to.be.within(0, (matrix?.width ?? 0) - (tip?.width ?? 0));
        expect(top).to.be.within(0, (matrix?.height ?? 0) - (tip?.height ?? 0));
      }
  });

  it('shows local time beside UTC, and one axis for batches, with the share that failed, and charts', async () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2', 'lb3', 'lb4'];
    const batches = await report(
      'batches.html',
      [
        make.runStarted(),
        make.playStarted(names),
        make.batchStarted(names.slice(0, 2), 1, 2),
        make.pass(9).taskFinished('lb1', 'failed'),
        make.taskFinished('lb2', 'ok'),
        make.batchFinished(1, { failed: ['lb1'] }),
        make.batchStarted(names.slice(2), 2, 2),
        make.pass(9).taskFinished('lb3', 'ok'),
        make.taskFinished('lb4', 'ok'),
        make.batchFinished(2),
        make.runFinished({ status: 'failed', exitCode: 2 }),
      ],
      { title: 'run site.yml' },
    );
    const watched = await openPage(browser, batches, { timezoneId: 'Asia/Kolkata' });
    open.push(watched);
    const { page } = watched;
    expect(await page.locator('.facts').textContent()).to.include('2025-03-01 17:30:00 (12:00:00 UTC)');
    expect(await page.locator('.tools select').inputValue()).to.equal('outcome');
    const width = (selector: string) => page.evaluate<number>(`document.querySelector('${selector}').clientWidth`);
    expect(await width('.bar .failed')).to.be.closeTo((await width('.bar')) / 2, 1);
    expect(await page.locator('.bar .failed').count()).to.equal(1);
    const sides = await page.evaluate<readonly string[]>(
      `['.track', '.timeline .axis', '.timeline svg'].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ left, right }) => left + ' ' + right)`,
    );
    expect(new Set(sides).size, sides.join(', ')).to.equal(1);
  });

  it('has no character that plain Linux fonts lack', () => {
    const escapes = readAssets().script.match(/(?<=\\u)[0-9A-Fa-f]{4}/g) ?? [];
    const others = new Set(escapes.map((code) => String.fromCharCode(Number.parseInt(code, 16))));
    expect([...others].sort()).to.deep.equal(Array.from('–…←↑→↓√○►◊Δ').sort());
  });

  it('prints without controls', async () => {
    const page = await show();
    await page.emulateMedia({ media: 'print' });
    await settled(page);
    expect(await page.locator('.search').isVisible()).to.equal(false);
    expect(await page.locator('#failures').isVisible()).to.equal(true);
  });

  it('can show a run that did nothing', async () => {
    const empty = await report('empty.html', [], { title: 'run nothing.yml' });
    const watched = await openPage(browser, empty);
    open.push(watched);
    expect(await watched.page.textContent('h1')).to.equal('running no controllers');
  });
});
