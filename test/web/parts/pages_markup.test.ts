import { expect } from 'chai';
import type { VNode } from 'preact';
import { ControllerPage, PlanList, PlanPage } from '../../../src/web/ui/plans.js';
import { RunList, type ShownRun } from '../../../src/web/ui/run_list.js';
import { Trend } from '../../../src/web/ui/trend.js';
import { Browser } from './browser.js';
import { rendered } from './rendered.js';

const RUN: ShownRun = {
  run: 'r2',
  time: '2026-03-03T10:00:00.000Z',
  what: 'run site.yml',
  command: 'run',
  environment: 'lab',
  status: 'failed',
  seconds: 40,
  author: { user: 'ann', ticket: 'T-1' },
  outcomes: { ok: 3, 'cut off': 1 },
};
const BEFORE: ShownRun = { ...RUN, run: 'r1', status: 'finished', seconds: 20, author: { user: 'bob' }, outcomes: {} };

describe('the markup of the pages of evenkeel ui', () => {
  let browser: Browser;
  afterEach(() => browser.close());

  /** Without its top, each block on a line of its own. Times are shown in the zone of the reader. */
  async function markup<P extends object>(
    component: (props: P) => VNode | null,
    props: NoInfer<P>,
    answers: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    browser = new Browser(answers);
    const root = rendered(component, props);
    await browser.settled();
    return root.inner
      .replace(/^<main><div class="top">.*?<\/div>/s, '')
      .replace(/<\/main>$/, '')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [^<]+/g, 'TIME')
      .replaceAll(/(<\/(?:p|h\d|button|td|th|tr|li|a|thead|div|strong|time|pre)>)(?=<)/g, '$1\n')
      .replaceAll(/(<(?:article|ol|ul|div|section|table|tr|tbody|a)\b[^>]*>)(?=<)/g, '$1\n');
  }

  it('has runs with their bars, and chips for their states and users', async () => {
    expect(await markup(RunList, {}, { '/api/runs': [RUN, BEFORE] })).to.equal(`<h1>Runs</h1>
<div class="search" role="search">
<input type="search" aria-label="Search" placeholder="Search: status:failed env:production user:ann since:3d" value=""><span class="dim" role="status">2 runs</span></div>
<div class="chips" role="group" aria-label="Show only">
<button type="button" class="chip group" aria-pressed="false">failed <span class="dim">1</span></button>
<button type="button" class="chip group" aria-pressed="false">ok <span class="dim">1</span></button>
<button type="button" class="chip group" aria-pressed="false"><span class="dim">user </span>ann <span class="dim">1</span></button>
<button type="button" class="chip group" aria-pressed="false"><span class="dim">user </span>bob <span class="dim">1</span></button>
</div>
<ol class="runs">
<li><a class="run" href="/runs/r2">
<span class="verdict verdict-failed">failed</span><strong class="what"><span class="nowrap">run</span> <span class="nowrap">site.yml</span></strong>
<span class="dim">lab</span><time class="dim" datetime="2026-03-03T10:00:00.000Z">TIME</time>
<span class="dim">40 s</span><span class="dim">ann · T-1</span><span class="outcomes"><span class="outcome-bar" aria-hidden="true"><span class="fill fill-ok" style="width:max(3px, 75%)"></span><span class="fill fill-cut-off" style="width:max(3px, 25%)"></span></span><span class="dim">3 ok, 1 cut off</span></span></a>
</li>
<li><a class="run" href="/runs/r1">
<span class="verdict verdict-ok">ok</span><strong class="what"><span class="nowrap">run</span> <span class="nowrap">site.yml</span></strong>
<span class="dim">lab</span><time class="dim" datetime="2026-03-03T10:00:00.000Z">TIME</time>
<span class="dim">20 s</span><span class="dim">bob</span><span class="outcomes"><span class="outcome-bar" aria-hidden="true"></span><span class="dim"></span></span></a>
</li>
</ol>`);
  });

  it('has plans, and what one of them would change', async () => {
    const plan = { id: 'p1', file: 'a.plan', created: '2026-03-03T10:00:00.000Z', applied: [] };
    expect(await markup(PlanList, {}, { '/api/plans': [plan] })).to.equal(`<h1>Plans</h1>
<ol class="runs">
<li><a class="run plan" href="/plans/p1">
<span class="dim">not applied</span><strong class="what">a.plan</strong>
<time class="dim" datetime="2026-03-03T10:00:00.000Z">TIME</time>
</a>
</li>
</ol>`);
    await browser.close();
    const apply = 'evenkeel apply a.plan';
    const one = { ...plan, apply, argv: ['plan', 'site.yml'], lines: ['lb1', '    + mtu: 1'], isEmpty: false };
    expect(await markup(PlanPage, { id: 'p1' }, { '/api/plans/p1': one })).to.equal(`<h1>Plan p1</h1>
<p class="facts"><span>a.plan</span><code>evenkeel plan site.yml</code></p>
<p class="next">carry it out with <span class="command"><code>evenkeel apply a.plan</code><button type="button">Copy</button>
<span class="unseen" role="status"></span></span></p>
<pre class="diff printed" tabindex="0" role="group" aria-label="What the plan would change"><span class="">lb1</span><span class="added">    + mtu: 1</span></pre>`);
    await browser.close();
    const empty = { ...one, isEmpty: true };
    expect(await markup(PlanPage, { id: 'p1' }, { '/api/plans/p1': empty })).to.not.include('carry it out');
  });

  it('has what happened on a controller', async () => {
    const results = [
      { task: 'Create', status: 'changed', words: 'created', diff: ['+ mtu: 1'] },
      { task: 'Say', status: 'failed', message: 'is full' },
    ];
    const runs = [{ run: RUN, counts: { ok: 3, failed: 1 }, results }];
    const answers = { '/api/controllers/lb1': { read: 1, runs, problems: [] } };
    expect(await markup(ControllerPage, { name: 'lb1' }, answers)).to.equal(`<h1>lb1</h1>
<div class="search" role="search">
<input type="search" aria-label="Search" placeholder="Search: status:failed env:production user:ann since:3d" value=""><span class="dim" role="status">in 1 run, newest first; searched the newest 1</span></div>
<article class="card">
<a class="run" href="/runs/r2">
<span class="verdict verdict-failed">failed</span><strong class="what"><span class="nowrap">run</span> <span class="nowrap">site.yml</span></strong>
<span class="dim">lab</span><time class="dim" datetime="2026-03-03T10:00:00.000Z">TIME</time>
<span class="dim">40 s</span><span class="dim">ann · T-1</span><span class="outcomes"><span class="outcome-bar" aria-hidden="true"></span><span class="dim"></span></span></a>
<p class="dim">3 ok, 1 failed · <a href="/runs/r2#controller=lb1">all steps</a>
</p>
<ul class="items">
<li><span class="state"><span class="mark fill fill-changed" aria-hidden="true">Δ</span> changed</span> <strong>Create</strong> created<pre class="diff" tabindex="0" role="group" aria-label="Difference"><span class="added">+ mtu: 1</span></pre>
</li>
<li><span class="state"><span class="mark fill fill-failed" aria-hidden="true">×</span> failed</span> <strong>Say</strong> is full</li>
</ul></article>`);
  });

  it('has a table of the runs of a playbook', async () => {
    expect(await markup(Trend, { run: 'r2' }, { '/api/runs': [RUN, BEFORE] })).to
      .equal(`<section id="trend" aria-labelledby="trend-title">
<h2 id="trend-title" tabindex="-1">Trend <span class="note">2 runs of this playbook</span></h2>
<div class="scroll" tabindex="0" role="group" aria-label="Runs of this playbook">
<table class="trend">
<thead><tr>
<th scope="col">Run</th>
<th scope="col">Duration</th>
<th scope="col">Changed</th>
<th scope="col">Failed</th>
<th scope="col">Compare</th>
</tr>
</thead>
<tbody>
<tr>
<th scope="row"><span class="verdict verdict-failed">failed</span> <a href="/runs/r2">TIME</a>
</th>
<td data-name="Duration"><span class="measure"><span class="fill-running" style="width:100%"></span></span> 40 s</td>
<td data-name="Changed"><span class="measure"><span class="fill-changed" style="width:0%"></span></span> 0</td>
<td data-name="Failed"><span class="measure"><span class="fill-failed" style="width:0%"></span></span> 0</td>
<td>this run</td>
</tr>
<tr>
<th scope="row"><span class="verdict verdict-ok">ok</span> <a href="/runs/r1">TIME</a>
</th>
<td data-name="Duration"><span class="measure"><span class="fill-running" style="width:50%"></span></span> 20 s</td>
<td data-name="Changed"><span class="measure"><span class="fill-changed" style="width:0%"></span></span> 0</td>
<td data-name="Failed"><span class="measure"><span class="fill-failed" style="width:0%"></span></span> 0</td>
<td><a href="/compare/r1/r2">compare</a>
</td>
</tr>
</tbody></table></div>
</section>`);
  });
});
