import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Event } from '../../src/core/model/run/event.js';
import { newRunId } from '../../src/record/journal/format/run_folders.js';
import { startUi, type Ui } from '../../src/ui/server.js';
import { CHROMIUM, openPage, sayWithoutBrowser, settled, startBrowser, violations } from '../rig/browser.js';
import { EventMaker, masked } from '../rig/events.js';
import { beginRun } from '../rig/kept.js';
import { fleetEvents } from '../rig/page_run.js';
import { NO_TEXTS } from '../rig/ui_texts.js';

describe('the pages of a project in a browser', () => {
  let state: string;
  let ui: Ui;
  let browser: Browser;
  let page: Page;
  let complaints: readonly string[] = [];

  before(async function () {
    if (CHROMIUM === undefined) {
      sayWithoutBrowser('the pages of a project in a browser');
      this.skip();
    }
    state = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
    const author = { user: 'ann', host: 'ops1', ticket: 'CHG0012' };
    const keep = async (at: number, environment: string, events: Iterable<Event>): Promise<void> => {
      const by = environment === 'staging' ? { user: 'bob', host: 'ops1' } : author;
      const run = await beginRun(state, { id: newRunId(new Date(at)), start: { environment, author: by } });
      for (const event of events) run.keep(masked({ ...event, run: run.id }));
      await run.close();
    };
    const make = new EventMaker();
    const staged = [make.playStarted(['lb1']), make.taskFinished('lb1', 'ok'), make.runFinished()];
    await keep(0, 'production', fleetEvents(8, 3));
    await keep(1000, 'staging', [make.runStarted({ environment: 'staging' }), ...staged]);
    await keep(2000, 'production', fleetEvents(30, 3));
    ui = await startUi({ stateDirectory: state, directory: state, cwd: state, texts: NO_TEXTS }, 0);
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser, ui.url));
  });
  after(async () => {
    if (CHROMIUM === undefined) return;
    await browser.close();
    await ui.close();
    await rm(state, { recursive: true });
  });
  beforeEach(async () => {
    await page.goto(ui.url);
  });
  afterEach(() => {
    expect(complaints).to.deep.equal([]);
  });

  it('list the runs with the outcomes of their controllers', async () => {
    expect(page.url()).to.equal(`${new URL(ui.url).origin}/`);
    const line = page.locator('.run');
    await line.first().waitFor();
    expect(await line.first().textContent())
      .to.include('run site.yml')
      .and.include('ann · CHG0012')
      .and.include('4 failed');
    await page.locator('.search input').fill('chg0012 site');
    await settled(page);
    expect(await line.count()).to.equal(2);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(' env:production user:ann since:1970-01-01 foo:1');
    await settled(page);
    expect(await page.locator('.search [role=status]').textContent()).to.equal(
      '0 of 3 runs; unknown key foo: (keys are status: env: user: since:)',
    );
    expect(await page.textContent('.empty')).to.equal('Nothing matches.');
    await page.locator('.search input').fill('env:staging');
    await settled(page);
    expect(await line.count()).to.equal(1);
    expect(page.url()).to.include('q=env%3Astaging');
    await page.getByRole('button', { name: 'env staging' }).click();
    await page.getByRole('button', { name: 'env production' }).click();
    await settled(page);
    expect(await page.locator('.search input').inputValue()).to.equal('env:production');
    expect(await violations(page)).to.deep.equal([]);
  });

  it('show a run and, from there, the history of a controller', async () => {
    await page.locator('.run').first().waitFor();
    // On one line of 23 px, as on any page.
    const wordHeight = `(() => {
      const run = document.querySelector('.run').cloneNode(true);
      const verdict = run.querySelector('.verdict');
      verdict.textContent = 'interrupted';
      document.querySelector('.runs li').append(run);
      const height = verdict.offsetHeight;
      run.remove();
      return height;
    })()`;
    for (const width of [360, 1000, 1201, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      expect(await page.evaluate(wordHeight), `${width}`).to.be.within(15, 30);
    }
    const started = await page.locator('.run time').first().textContent();
    await page.locator('.run').first().click();
    await page.locator('#failures').waitFor();
    expect(await page.locator('.facts').first().textContent()).to.include(started);
    expect(await page.locator('nav').textContent()).to.equal('Runs Plans');
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(360);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator('.search input').fill('env:staging');
    await settled(page);
    expect(await page.locator('.search [role=status]').textContent()).to.equal('0 of 30 controllers');
    await page.locator('.search input').fill('');
    expect(await page.textContent('h1')).to.include('4 failed');
    await page.locator('#failures .name').first().click();
    await page.getByRole('link', { name: 'All runs of this controller' }).click();
    await page.locator('.card').first().waitFor();
    expect(await page.textContent('h1')).to.equal('lb04');
    await page.locator('.search input').fill('env:staging');
    await settled(page);
    expect(await page.locator('.search [role=status]').textContent()).to.equal('0 of 2 runs');
    await page.locator('.search input').fill('env:production reserved');
    await settled(page);
    expect(await page.locator('.card').first().textContent())
      .to.include('updated cloud "edge"')
      .and.include('reserved');
    expect(await violations(page)).to.deep.equal([]);
  });

  it('show the trend of a playbook, and what differs between two of its runs', async () => {
    await page.goto(`${new URL(ui.url).origin}/#q=env%3Aproduction`);
    await page.locator('.run').first().click();
    await page.locator('#trend tbody tr').first().waitFor();
    const rows = await page.locator('#trend tbody tr').allTextContents();
    expect(rows).to.have.length(2);
    expect(rows[0]).to.match(/^failed .* 0\.8 s 23 7this run$/);
    expect(rows[1]).to.match(/^failed .* 0\.2 s 6 2compare$/);
    expect(await violations(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'compare' }).click();
    await page.locator('#moved').waitFor();
    expect(await page.locator('#moved').textContent()).to.include('not in this run → changed 17 controllers:');
    expect(await page.locator('#moved').textContent()).to.not.include('None.');
    expect(await page.locator('#steps').textContent()).to.include('None.');
    expect(await page.locator('#moved a').count()).to.be.at.least(17);
    expect(await violations(page)).to.deep.equal([]);
    await page.goto(page.url().replace(/([^/]+)\/[^/]+$/, '$1/$1'));
    await page.locator('#moved', { hasText: 'None.' }).waitFor();
  });

  it('follow a running run', async () => {
    const make = new EventMaker();
    const running = path.join(state, 'running');
    const journal = await beginRun(running, { id: newRunId() });
    const live = await startUi({ stateDirectory: running, directory: state, cwd: state, texts: NO_TEXTS }, 0);
    const { page: own, complaints: told } = await openPage(browser, live.url);
    let read = 0;
    own.on('request', (request) => {
      if (request.url().endsWith(`/api/runs/${journal.id}`)) read++;
    });
    try {
      for (const event of [make.runStarted(), make.playStarted(['lb1', 'lb2']), make.taskFinished('lb1', 'ok')])
        journal.keep(masked(event));
      journal.flush();
      await own.goto(`${new URL(live.url).origin}/runs/${journal.id}`);
      await own.locator('h1', { hasText: 'running' }).waitFor();
      expect(await own.locator('.progress').textContent()).to.include('25 %');
      journal.keep(masked(make.taskFinished('lb2', 'failed', { message: 'it broke' })));
      journal.flush();
      await own.locator('#failures h3', { hasText: 'it broke' }).waitFor();
      const source = { file: 'site.yml', line: 90, column: 3 };
      await own.evaluate(`{
        window.mutated = 0;
        const all = { subtree: true, childList: true, characterData: true, attributes: true };
        new MutationObserver((found) => (window.mutated += found.length)).observe(document.body, all);
      }`);
      journal.keep(masked(make.taskFinished('lb1', 'ok', { task: 'Second', source })));
      journal.flush();
      await own.locator('#matrix .note', { hasText: '2 controllers × 2 steps' }).waitFor();
      expect(await own.evaluate('window.mutated')).to.be.below(40);
      await own.goto(`${own.url()}#controller=lb1&step=1`);
      const first = { task: 'First', source: { ...source, line: 1 } };
      journal.keep(masked(make.taskFinished('lb3', 'ok', first)));
      journal.flush();
      await own.locator('#matrix .note', { hasText: '3 controllers × 3 steps' }).waitFor();
      expect(await own.locator('.drawer .cell h3').textContent()).to.equal('Second');
      expect(own.url()).to.include('step=2');
      expect(read).to.equal(1);
      journal.keep(masked(make.runFinished({ status: 'failed', exitCode: 2 })));
    } finally {
      await journal.close();
    }
    await own.locator('h1', { hasText: 'failed 2 ok, 1 failed' }).waitFor();
    expect(await own.locator('.next code').textContent()).to.equal(`evenkeel run --rerun ${journal.id}`);
    expect(told).to.deep.equal([]);
    await own.close();
    await live.close();
  });
});
