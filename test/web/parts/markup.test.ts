import { expect } from 'chai';
import { createView } from '../../../src/web/data/view.js';
import { Drawer } from '../../../src/web/parts/drawer.js';
import { Header } from '../../../src/web/parts/header.js';
import { Help } from '../../../src/web/parts/help.js';
import { Search } from '../../../src/web/parts/search.js';
import { Why } from '../../../src/web/parts/summaries.js';
import { Top } from '../../../src/web/parts/top.js';
import { EventMaker } from '../../rig/events.js';
import { pageOf } from '../../rig/page_run.js';
import { Browser } from './browser.js';
import { press, rendered, type Piece } from './rendered.js';

const nothing = (): void => undefined;
const TOP = { isServed: false, theme: 'dark', onTheme: nothing, onHelp: nothing } as const;
const BUTTONS = `<button type="button" aria-label="Theme: dark" title="Theme: dark"><span class="disc disc-dark"></span></button>
<button type="button" aria-label="Help" title="Help (?)">?</button>`;

/** Each block on a line of its own. Times are shown in the zone of the reader. */
function markup({ inner }: Piece): string {
  return inner
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [^<]+/g, 'TIME')
    .replaceAll(/(<\/(?:p|h\d|button|dt|dd|nav|li|header|section|div)>)(?=<)/g, '$1\n')
    .replaceAll(/(<(?:header|article|ol|dl|section|div)\b[^>]*>)(?=<)/g, '$1\n');
}

/** A run that a gate stopped, with all that its head can show. */
function stopped() {
  const make = new EventMaker();
  const names = ['lb1', 'lb2', 'lb3'];
  const commands = [
    { purpose: 'continue with', command: 'evenkeel resume 1' },
    { purpose: 'or roll back with', command: 'evenkeel rollback 1' },
  ];
  const at = { task: 'One', source: { file: 'site.yml', line: 4, column: 3 } };
  return pageOf(
    [
      make.runStarted({ environment: 'lab' }),
      make.playStarted(names, { groups: { emea: [0, 1], edge: [2] }, routes: { paris: [0, 1], rome: [2] } }),
      make.batchStarted(names),
      make.taskFinished('lb1', 'changed', at),
      make.taskFinished('lb2', 'changed', at),
      make.taskFinished('lb3', 'unreachable', { ...at, message: 'no answer', hint: 'look' }),
      make.taskFinished('lb1', 'ok', { task: 'Two', source: { file: 'site.yml', line: 8, column: 3 } }),
      make.gateStarted(['lb1', 'lb2']),
      make.gateFinished('stop', 'failed'),
      make.pass(75).runFinished({ status: 'failed', exitCode: 6, reason: 'the gate failed' }),
    ],
    { title: 'run site.yml', author: 'ann', started: '2026-03-03T10:00:00.000Z', commands },
  );
}

describe('the markup of the page', () => {
  let browser: Browser;
  beforeEach(() => {
    browser = new Browser();
  });
  afterEach(() => browser.close());

  async function header(page: ReturnType<typeof pageOf>): Promise<string> {
    const root = rendered(Header, { ...TOP, view: createView(page, '', 'name'), query: '', onQuery: nothing });
    await browser.settled();
    return markup(root);
  }

  it('has in its head how the run ended, what it was, and what to do next', async () => {
    expect(await header(stopped())).to.equal(`<header>
<div class="top">
<p class="brand">evenkeel <span class="dim"><span class="nowrap">run</span> <span class="nowrap">20250301-120000-abcd</span></span></p>
${BUTTONS}
</div>
<h1><span class="verdict verdict-failed">failed</span> 2 changed, 1 unreachable</h1>
<p class="facts"><strong>run site.yml</strong><span>lab</span><span>TIME</span><span>1 min 15 s</span><span>ann</span><span>3 controllers</span><span>1 gate</span></p>
<p class="reason">Ended early: the gate failed</p>
<p class="next">continue with <span class="command"><code>evenkeel resume 1</code><button type="button">Copy</button>
<span class="unseen" role="status"></span></span></p>
<p class="next">or roll back with <span class="command"><code>evenkeel rollback 1</code><button type="button">Copy</button>
<span class="unseen" role="status"></span></span></p>
<div class="chips" role="group" aria-label="Show only">
<button type="button" class="chip" aria-pressed="false"><span class="mark fill fill-changed" aria-hidden="true">Δ</span> 2 changed</button>
<button type="button" class="chip" aria-pressed="false"><span class="mark fill fill-unreachable" aria-hidden="true">?</span> 1 unreachable</button>
<button type="button" class="chip group" aria-pressed="false"><span class="dim">route </span>paris <span class="dim">2</span></button>
<button type="button" class="chip group" aria-pressed="false"><span class="dim">route </span>rome <span class="dim">1</span></button>
<button type="button" class="chip group" aria-pressed="false">emea <span class="dim">2</span></button>
<button type="button" class="chip group" aria-pressed="false">edge <span class="dim">1</span></button>
</div>
</header>`);
  });

  it('has in its head how far a run is, and what is not known of one that was cut off', async () => {
    const make = new EventMaker();
    const running = pageOf(
      [
        make.runStarted(),
        make.playStarted(['lb1', 'lb2']),
        make.batchStarted(['lb1', 'lb2']),
        make.pass(10).taskFinished('lb1', 'ok'),
        make.controllerFinished('lb1'),
      ],
      { title: 'run site.yml' },
    );
    expect(await header(running)).to.equal(`<header>
<div class="top">
<p class="brand">evenkeel <span class="dim"><span class="nowrap">run</span> <span class="nowrap">20250301-120000-abcd</span></span></p>
${BUTTONS}
</div>
<h1><span class="verdict verdict-running">running</span> 1 ok, 1 waiting</h1>
<p class="facts"><strong>run site.yml</strong><span>TIME</span><span>10 s</span><span>2 controllers</span></p>
<p class="progress"><progress aria-label="Progress of the play" value="0.25"></progress> 25 %<span class="dim"> about 30 s left in this play</span></p>
<div class="chips" role="group" aria-label="Show only">
<button type="button" class="chip" aria-pressed="false"><span class="mark fill fill-ok" aria-hidden="true">√</span> 1 ok</button>
<button type="button" class="chip" aria-pressed="false"><span class="mark fill fill-waiting" aria-hidden="true">…</span> 1 waiting</button>
</div>
</header>`);
    expect(await header(pageOf([], { title: 'run', cutOff: true }))).to.equal(`<header>
<div class="top">
<p class="brand">evenkeel <span class="dim"><span class="nowrap">run</span> <span class="nowrap"></span></span></p>
${BUTTONS}
</div>
<h1><span class="verdict verdict-cut-off">cut off</span> no controllers</h1>
<p class="facts"><strong>run</strong><span></span><span>0 ms</span><span>0 controllers</span></p>
<div class="chips" role="group" aria-label="Show only">
</div>
</header>`);
  });

  it('has a cause with all that is known of it', () => {
    expect(markup(rendered(Why, { view: createView(stopped(), '', 'name'), onOpen: nothing }))).to
      .equal(`<section id="failures" aria-labelledby="failures-title">
<h2 id="failures-title" tabindex="-1">Failures <span class="note">1 cause, 1 controller</span></h2>
<article class="card unreachable">
<h3><span class="state"><span class="mark fill fill-unreachable" aria-hidden="true">?</span> unreachable</span> <span class="amount">1 controller</span> no answer</h3>
<p><span class="task">One <span class="dim">cloud_present · site.yml:4</span></span></p>
<p>Hint: look</p>
<dl>
<dt>Controllers</dt>
<dd><span class="names"><button type="button" class="name">lb3</button>
</span></dd>
<dt>Route</dt>
<dd>rome</dd>
<dt>Written before</dt>
<dd>nothing</dd>
</dl></article></section>`);
  });

  it('has a dialog of a controller where there is no room beside it', () => {
    const calls = { onClose: nothing, onOpen: nothing };
    const root = rendered(Drawer, { page: stopped(), isServed: true, isModal: true, row: 2, column: 0, ...calls });
    expect(markup(root)).to
      .equal(`<section class="drawer" role="dialog" aria-modal="true" aria-labelledby="drawer-title">
<div class="top">
<h2 id="drawer-title" tabindex="-1">lb3</h2>
<button type="button" aria-label="Close" title="Close (Esc)">×</button>
</div>
<p><span class="mark fill fill-unreachable" aria-hidden="true">?</span> unreachable<span class="dim"> in edge</span><span class="dim"> via route rome</span></p>
<p><a href="/controllers/lb3">All runs of this controller</a></p>
<section class="cell" aria-label="Result">
<h3>One</h3>
<p><span class="state"><span class="mark fill fill-unreachable" aria-hidden="true">?</span> unreachable</span><span class="dim"> on this controller only</span></p>
<pre class="message">no answer</pre><p>Hint: look</p>
<dl>
<dt>Took</dt>
<dd>0.2 s</dd>
<dt>Ended</dt>
<dd>TIME</dd>
<dt>Module</dt>
<dd>cloud_present</dd>
<dt>Play</dt>
<dd>Roll out</dd>
<dt>Position</dt>
<dd>site.yml:4</dd>
</dl></section>
<section aria-label="All steps of the controller">
<h3>All steps <span class="note">1</span></h3>
<ol class="steps">
<li><button type="button" aria-current="true"><span class="state"><span class="mark fill fill-unreachable" aria-hidden="true">?</span> unreachable</span><span class="what">One</span><span class="dim">0.2 s</span></button>
</li>
</ol></section>
</section>`);
  });

  it('has links to other pages if it is served, a search, and help that closes itself', () => {
    expect(markup(rendered(Top, { ...TOP, isServed: true, note: 'x' }))).to.equal(`<div class="top">
<p class="brand"><a href="/">evenkeel</a> <span class="dim"><span class="nowrap">x</span></span></p>
<nav aria-label="Pages"><a href="/">Runs</a> <a href="/plans">Plans</a></nav>
${BUTTONS}
</div>`);
    const search = { box: null, fields: ['status'], example: 'status:ok', query: 'q', note: '3 runs' } as const;
    expect(markup(rendered(Search, { ...search, onQuery: nothing }))).to.equal(`<div class="search" role="search">
<input type="search" aria-label="Search" placeholder="Search: status:ok" value="q"><span class="dim" role="status">3 runs</span></div>`);
    const help = rendered(Help, { onClose: nothing });
    const closed: string[] = [];
    Object.assign(help.all('dialog')[0] ?? {}, { close: () => closed.push('closed') });
    expect(markup(help).split('\n').slice(0, 4)).to.deep.equal([
      '<dialog aria-labelledby="help-title"><h2 id="help-title">Help</h2>',
      '<h3>Keys</h3>',
      '<dl>',
      '<dt><kbd>/</kbd></dt>',
    ]);
    expect(help.all('dd').map(({ text }) => text)).to.deep.equal([
      'search',
      'move in the matrix',
      'open the cell',
      'close',
      'larger and smaller rows',
      'matrix',
      'failures',
      'changes',
      'timeline',
      'this help',
      'controllers that failed; also ok, changed, unreachable, cut-off, not-started, running, waiting',
      'controllers with a skipped task; also ignored, rescued, interrupted',
      'controllers of a group',
      'controllers of a route',
      'controllers by name',
      'tasks by name or module',
      'words in names, messages and changes',
      'runs, on all pages; since takes 12h, 3d, 2w or a date',
      'all others',
    ]);
    press(help, 'Close');
    expect(closed).to.deep.equal(['closed']);
  });
});
