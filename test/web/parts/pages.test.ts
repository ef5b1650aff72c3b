import { expect } from 'chai';
import type { VNode } from 'preact';
import { ComparePage } from '../../../src/web/ui/compare.js';
import { ControllerPage, PlanList, PlanPage } from '../../../src/web/ui/plans.js';
import { RunLine, RunList, runVerdict, searchedRun, type ShownRun } from '../../../src/web/ui/run_list.js';
import { Trend } from '../../../src/web/ui/trend.js';
import { EventMaker } from '../../rig/events.js';
import { packed } from '../../rig/page_run.js';
import { Browser } from './browser.js';
import { press, rendered, type Piece } from './rendered.js';

const RUNS: readonly ShownRun[] = [
  {
    run: 'r3',
    time: '2026-03-03T10:00:00.000Z',
    what: 'run site.yml',
    command: 'run',
    environment: 'lab',
    status: 'failed',
    seconds: 40,
    controllers: 4,
    author: { user: 'ann', ticket: 'T-1', reason: 'upgrade' },
    outcomes: { ok: 1, changed: 1, failed: 1, unreachable: 1 },
  },
  {
    run: 'r2',
    time: '2026-03-02T10:00:00.000Z',
    what: 'run other.yml',
    command: 'run',
    environment: 'lab',
    status: 'finished',
    author: { user: 'bob' },
  },
  {
    run: 'r1',
    time: '2026-03-01T10:00:00.000Z',
    what: 'run site.yml',
    command: 'run',
    environment: 'lab',
    status: 'finished',
    seconds: 20,
    outcomes: { changed: 4 },
  },
  {
    run: 'r0',
    time: '2026-03-01T09:00:00.000Z',
    what: 'run site.yml',
    command: 'run',
    environment: null,
    status: 'finished',
    seconds: 80,
    author: { user: 'bob' },
  },
];

const texts = (root: Piece, name: string): readonly string[] => root.all(name).map(({ text }) => text);
const links = (root: Piece): readonly unknown[] => root.all('a').map((one) => one.attribute('href'));

describe('the pages of evenkeel ui', () => {
  let browser: Browser;
  afterEach(() => browser.close());

  async function page<P extends object>(
    component: (props: P) => VNode | null,
    props: NoInfer<P>,
    answers: Readonly<Record<string, unknown>>,
    hash = '',
  ): Promise<Piece> {
    browser = new Browser(answers);
    browser.location.hash = hash;
    const root = rendered(component, props);
    expect(root.text).to.satisfy((text: string) => text === '' || text.includes('Loading…'));
    await browser.settled();
    return root;
  }

  const shown = (root: Piece): readonly unknown[] => links(root).filter((one) => String(one).startsWith('/runs/'));

  it('list all runs, with chips for what is on more than one of them', async () => {
    const root = await page(RunList, {}, { '/api/runs': RUNS });
    expect(browser.asked).to.deep.equal(['/api/runs']);
    expect(shown(root)).to.deep.equal(['/runs/r3', '/runs/r2', '/runs/r1', '/runs/r0']);
    expect(root.all('span').find((one) => one.attribute('role') === 'status')?.text).to.equal('4 runs');
    const chipsOf = (of: Piece): readonly string[] =>
      of.all('button').flatMap((one) => (one.attribute('class')?.startsWith('chip') === true ? [one.text] : []));
    const chips = chipsOf(root);
    expect(chips).to.deep.equal(['failed 1', 'ok 3', 'user ann 1', 'user bob 2']);
    press(root, 'user bob 2');
    expect(shown(root)).to.deep.equal(['/runs/r2', '/runs/r0']);
    expect(browser.location.hash).to.equal('#q=user%3Abob');
    expect(root.all('span').find((one) => one.attribute('role') === 'status')?.text).to.equal('2 of 4 runs');
    browser.go('#q=user:nobody');
    expect(root.text).to.include('Nothing matches.');
    browser.go('');
    expect(shown(root).length).to.equal(4);
    await browser.close();
    const turned = await page(RunList, {}, { '/api/runs': RUNS.toReversed() });
    expect(shown(turned)[0]).to.equal('/runs/r0');
    expect(chipsOf(turned)).to.deep.equal(chips);
  });

  it('say that there are no runs, and why they cannot be read', async () => {
    expect((await page(RunList, {}, { '/api/runs': [] })).text).to.include('No runs are kept yet.');
    await browser.close();
    const lost = await page(RunList, {}, {});
    expect(texts(lost, 'p').at(-1)).to.equal('not kept');
    expect(lost.text).to.not.include('0 runs');
  });

  it('show a run in a line', () => {
    browser = new Browser();
    const line = (run: ShownRun) => rendered(RunLine, { run });
    const [first, second] = RUNS.map(line);
    expect(first?.all('span').map(({ text }) => text)).to.deep.equal([
      'failed',
      'run',
      'site.yml',
      'lab',
      '40 s',
      'ann · T-1',
      '1 ok, 1 changed, 1 failed, 1 unreachable',
      '',
      '',
      '',
      '',
      '',
      '1 ok, 1 changed, 1 failed, 1 unreachable',
    ]);
    const bars = first?.all('span').filter((one) => one.attribute('class')?.startsWith('fill') === true);
    expect(bars?.map((one) => [one.attribute('class'), one.style['width']])).to.deep.equal(
      ['ok', 'changed', 'failed', 'unreachable'].map((name) => [`fill fill-${name}`, 'max(3px, 25%)']),
    );
    expect(second?.all('span').map(({ text }) => text)).to.deep.equal([
      'ok',
      'run',
      'other.yml',
      'lab',
      '',
      'bob',
      '',
      '',
      '',
    ]);
    expect(second?.all('time')[0]?.attribute('datetime')).to.equal('2026-03-02T10:00:00.000Z');
    expect(RUNS.map(runVerdict)).to.deep.equal(['failed', 'ok', 'ok', 'ok']);
  });

  it('search a run by its words, its state, and whether it changed anything', () => {
    browser = new Browser();
    expect(RUNS.map((run) => searchedRun(run, 'more')).slice(0, 3)).to.deep.equal([
      {
        environment: 'lab',
        user: 'ann',
        started: '2026-03-03T10:00:00.000Z',
        statuses: ['failed', 'changed'],
        text: 'run site.yml r3 T-1 upgrade more',
      },
      {
        environment: 'lab',
        user: 'bob',
        started: '2026-03-02T10:00:00.000Z',
        statuses: ['ok'],
        text: 'run other.yml r2   more',
      },
      {
        environment: 'lab',
        user: undefined,
        started: '2026-03-01T10:00:00.000Z',
        statuses: ['ok', 'changed'],
        text: 'run site.yml r1   more',
      },
    ]);
  });

  it('compare the runs of a playbook in one environment', async () => {
    const root = await page(Trend, { run: 'r3' }, { '/api/runs': RUNS });
    expect(texts(root, 'h2')).to.deep.equal(['Trend 2 runs of this playbook']);
    expect(root.all('tr').map((one) => one.childNodes.map(({ text }) => text))).to.deep.equal([
      ['Run', 'Duration', 'Changed', 'Failed', 'Compare'],
      ['failed 2026-03-03 10:00:00 UTC', ' 40 s', ' 1', ' 2', 'this run'],
      ['ok 2026-03-01 10:00:00 UTC', ' 20 s', ' 4', ' 0', 'compare'],
    ]);
    const bars = root.all('span').filter((one) => one.attribute('class') === 'measure');
    expect(bars.map((one) => [one.firstChild?.attribute('class'), one.firstChild?.style['width']])).to.deep.equal([
      ['fill-running', '100%'],
      ['fill-changed', '25%'],
      ['fill-failed', '100%'],
      ['fill-running', '50%'],
      ['fill-changed', '100%'],
      ['fill-failed', '0%'],
    ]);
    expect(links(root)).to.deep.equal(['/runs/r3', '/runs/r1', '/compare/r1/r3']);
  });

  it('show the end of a run that was running', async () => {
    const waiting: (() => void)[] = [];
    const { setTimeout: start } = globalThis;
    Object.assign(globalThis, { setTimeout: (call: () => void) => waiting.push(call) });
    try {
      const answers = { '/api/runs': [{ ...RUNS[0]!, status: 'running' }, RUNS[0]] };
      const root = await page(Trend, { run: 'r3' }, answers);
      expect(texts(root, 'th')[5]).to.include('running');
      answers['/api/runs'] = [RUNS[0]!, RUNS[0]!];
      for (const call of waiting.splice(0)) call();
      await browser.settled();
      expect(texts(root, 'th')[5]).to.include('failed');
    } finally {
      Object.assign(globalThis, { setTimeout: start });
    }
  });

  it('compare no more than 20 runs, and none if there is only one', async () => {
    expect((await page(Trend, { run: 'r2' }, { '/api/runs': RUNS })).inner).to.equal('');
    await browser.close();
    const many = Array.from({ length: 21 }, (_, index): ShownRun => ({ ...RUNS[0]!, run: `r${index}` }));
    const root = await page(Trend, { run: 'r3' }, { '/api/runs': many });
    expect(root.all('tr').length).to.equal(21);
  });

  it('list plans, and whether they were applied', async () => {
    const plan = { id: 'p1', file: 'a.plan', created: '2026-03-03T10:00:00.000Z', applied: [] };
    const plans = [plan, { ...plan, id: 'p2', file: 'b.plan', applied: [{ run: 'r1', controllers: 2 }] }];
    const root = await page(PlanList, {}, { '/api/plans': plans });
    expect(texts(root, 'li')).to.deep.equal([
      'not applieda.plan2026-03-03 10:00:00 UTC',
      'appliedb.plan2026-03-03 10:00:00 UTC',
    ]);
    expect(links(root).slice(-2)).to.deep.equal(['/plans/p1', '/plans/p2']);
    await browser.close();
    expect((await page(PlanList, {}, { '/api/plans': [] })).text).to.include('No saved plan is known.');
  });

  it('show a plan, and how it is carried out until it was', async () => {
    const apply = "evenkeel apply 'a b.plan'";
    const about = { id: 'p 1', file: 'a b.plan', created: '', argv: ['plan', 'site.yml'] };
    const plan = { ...about, apply, lines: ['    + mtu: 1'] };
    const shownPlan = (applied: readonly object[], more = {}) =>
      page(PlanPage, { id: 'p 1' }, { '/api/plans/p%201': { ...plan, applied, ...more } });
    const open = await shownPlan([]);
    expect(texts(open, 'h1')).to.deep.equal(['Plan p 1']);
    expect(texts(open, 'code')).to.deep.equal(['evenkeel plan site.yml', apply]);
    expect(texts(open, 'pre')).to.deep.equal(['    + mtu: 1']);
    await browser.close();
    const done = await shownPlan([{ run: 'r1', controllers: 2 }], { argv: undefined });
    expect(texts(done, 'code')).to.deep.equal([]);
    expect(texts(done, 'p').slice(-2)).to.deep.equal(['a b.plan', 'Applied to 2 controllers by run r1']);
  });

  it('show the history of a controller, and search it by what happened', async () => {
    const [first, second] = RUNS;
    const history = [
      {
        run: first,
        counts: { ok: 3, failed: 1 },
        results: [
          { task: 'Create', status: 'changed', words: 'created', message: 'not converged', diff: ['+ mtu: 1'] },
          { task: 'Say', status: 'failed', message: 'is full', diff: [] },
          { task: 'Print', status: 'changed', words: '', message: 'printed', diff: [] },
          { task: 'Send', status: 'changed', words: 'sent PUT /api/x', message: 'PUT /api/x answered 200', diff: [] },
        ],
        left: 2,
      },
      { run: second, counts: { ok: 1 }, results: [], left: 0 },
    ];
    const answers = { '/api/controllers/lb%2F1': { read: 50, runs: history, problems: ['run.json is damaged'] } };
    const root = await page(ControllerPage, { name: 'lb/1' }, answers);
    const note = () => root.all('span').find((one) => one.attribute('role') === 'status')?.text;
    expect([texts(root, 'h1'), note()]).to.deep.equal([['lb/1'], 'in 2 runs, newest first; searched the newest 50']);
    expect(texts(root, 'li')).to.deep.equal([
      'Δ changed Create created; not converged+ mtu: 1',
      '× failed Say is full',
      'Δ changed Print printed',
      'Δ changed Send PUT /api/x answered 200',
      'and 2 more results',
    ]);
    expect(root.all('pre').length).to.equal(1);
    expect(texts(root, 'p').slice(-3)).to.deep.equal([
      'run.json is damaged',
      '3 ok, 1 failed · all steps',
      '1 ok · all steps',
    ]);
    expect(links(root)).to.include('/runs/r3#controller=lb%2F1');
    for (const [words, found] of [
      ['full', '1 of 2 runs'],
      ['created', '1 of 2 runs'],
      ['say', '1 of 2 runs'],
      ['nothing', '0 of 2 runs'],
    ] as const) {
      browser.go(`#q=${words}`);
      expect(note(), words).to.equal(found);
    }
    expect(root.text).to.include('Nothing matches.');
    await browser.close();
    const none = await page(
      ControllerPage,
      { name: 'lb2' },
      { '/api/controllers/lb2': { read: 1, runs: [], problems: [] } },
    );
    expect(none.text).to.include('No run had this controller; searched the newest 1.');
  });

  it('compare two runs: outcomes, controllers, causes and times', async () => {
    const run = (ends: Readonly<Record<string, string>>, seconds: number, task = 'One') => {
      const make = new EventMaker();
      const names = Object.keys(ends);
      const at = { task, seconds };
      return packed([
        make.runStarted(),
        make.playStarted(names),
        ...names.map((name) =>
          ends[name] === 'ok'
            ? make.taskFinished(name, 'ok', at)
            : make.taskFinished(name, 'failed', { ...at, message: `${name} ${ends[name] ?? ''}` }),
        ),
        ...names.map((name) => make.controllerFinished(name)),
        make.pass(seconds).runFinished(),
      ]);
    };
    const compared = (before: Uint8Array, after: Uint8Array) =>
      page(ComparePage, { before: 'a', after: 'b' }, { '/api/runs/a': before, '/api/runs/b': after });
    const many = Array.from({ length: 21 }, (_, index) => `lb${index + 10}`);
    const every = (end: string) => Object.fromEntries(many.map((name) => [name, end]));
    const root = await compared(run(every('ok'), 1), run({ ...every('is full'), lb10: 'ok', lb99: 'timed out' }, 4));
    expect(texts(root, 'h2')).to.deep.equal([
      'Controllers that ended differently ',
      'New failures 2 causes',
      'Median time of tasks that differs by a tenth or more, or of one run only',
    ]);
    const rows = root.all('tr').map((one) => one.childNodes.map(({ text }) => text.trim()));
    expect(rows.filter(([name]) => name !== 'Run')).to.deep.equal([
      ['', 'Before', 'After'],
      ['Duration', '1.0 s', '4.0 s'],
      ['√ ok', '21', '1'],
      ['× failed', '0', '21'],
      ['', 'Before', 'After'],
      ['One', '1.0 s', '4.0 s'],
    ]);
    const moved = texts(root, 'p').filter((text) => text.includes('→'));
    expect(moved).to.deep.equal([
      `ok → failed 20 controllers: ${many.slice(1).join(', ')}`,
      'not in this run → failed 1 controller: lb99',
    ]);
    expect(texts(root, 'h3')).to.deep.equal(['20 controllers <controller> is full', '1 controller lb99 timed out']);
    await browser.close();
    const other = await compared(run({ lb1: 'no', lb2: 'ok' }, 0.5), run({ lb1: 'ok', lb2: 'ok' }, 0.5, 'Two'));
    expect(texts(other, 'h2')[1]).to.equal('Failures that are gone 1 cause');
    expect(
      other
        .all('tr')
        .slice(-2)
        .map((one) => one.childNodes.map(({ text }) => text.trim())),
    ).to.have.deep.members([
      ['One', '500 ms', 'not run'],
      ['Two', 'not run', '500 ms'],
    ]);
    await browser.close();
    const same = await compared(run({ lb1: 'ok' }, 1), run({ lb1: 'ok' }, 1));
    expect(texts(same, 'p').filter((text) => text === 'None.')).to.have.length(2);
    await browser.close();
    const longer = await compared(run(every('ok'), 1), run(every('is full'), 1));
    expect(texts(longer, 'p').find((text) => text.includes('→'))).to.equal(
      `ok → failed 21 controllers: ${many.slice(0, 20).join(', ')} and 1 more`,
    );
    await browser.close();
    const gone = await page(ComparePage, { before: 'a', after: 'b' }, { '/api/runs/a': run({ lb1: 'ok' }, 1) });
    expect(texts(gone, 'p').at(-1)).to.equal('not kept');
  });

  it('have a theme that is kept, and help', async () => {
    const root = await page(PlanList, {}, { '/api/plans': [] });
    expect(document.title).to.equal('Plans · evenkeel');
    const theme = () => root.all('button')[0]?.attribute('title');
    const seen = [theme()];
    for (let turn = 0; turn < 3; turn++) {
      root.all('button')[0]?.dispatch('click');
      await browser.settled();
      seen.push(theme());
      expect(`Theme: ${browser.stored.get('evenkeel-theme') ?? ''}`).to.equal(theme());
      expect(`Theme: ${browser.dataset['theme'] ?? ''}`).to.equal(theme());
    }
    expect(seen).to.deep.equal(['Theme: auto', 'Theme: light', 'Theme: dark', 'Theme: auto']);
    press(root, '?');
    expect(root.all('dialog').map(({ calls }) => calls)).to.deep.equal([['showModal']]);
    root.all('dialog')[0]?.dispatch('close');
    expect(root.all('dialog').length).to.equal(0);
    browser.press('?', { ctrlKey: true });
    expect(root.all('dialog').length).to.equal(0);
    browser.press('?');
    expect(root.all('dialog').length).to.equal(1);
    await browser.close();
    browser = new Browser({ '/api/plans': [] });
    browser.stored.set('evenkeel-theme', 'dark');
    expect(rendered(PlanList, {}).all('button')[0]?.attribute('title')).to.equal('Theme: dark');
  });
});
