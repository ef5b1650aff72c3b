import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { PageData } from '../../../src/reporting/page/fold/page_data.js';
import { liveSources } from '../../../src/reporting/page/fold/sources.js';
import { pageDelta, withDelta } from '../../../src/reporting/page/format/delta.js';
import { durationCode, OUTCOMES, packPage, readPage, type Page } from '../../../src/reporting/page/format/page.js';
import { contentPolicy, pageHtml, shellHtml } from '../../../src/reporting/page/html.js';
import { EventMaker } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';
import { pageOf } from '../../rig/page_run.js';

const FACTS = { title: 'run site.yml' };
const at = (line: number, column = 3) => ({ source: { file: 'site.yml', line, column } });

const outcomes = ({ controllers, outcome }: Page): Readonly<Record<string, string>> =>
  Object.fromEntries(controllers.map((name, row) => [name, OUTCOMES[outcome[row] ?? 0] ?? '']));

describe('the page of a run', () => {
  it('says what the run is, also after a resume', () => {
    const make = new EventMaker();
    const about = {
      version: '1.2.3',
      environment: 'prod',
      check: true,
      run: 'R1',
    };
    const begun = { ...make.runStarted(about), run: 'R1' } as Event;
    const known = { id: 'R1', started: '2025-03-01T12:00:00.000Z', version: '1.2.3' };
    const mode = { environment: 'prod', check: true };
    expect(pageOf([begun]).run).to.deep.equal({ ...known, ...mode, status: 'running', seconds: 0 });
    const events = [begun, make.pass(3).warning('slow')];
    expect(pageOf(events).run.seconds).to.equal(3);
    const end = make.runFinished({ status: 'interrupted', exitCode: 130, reason: 'too many', seconds: 2 });
    expect(pageOf([...events, end]).run).to.deep.equal({
      ...known,
      ...mode,
      status: 'interrupted',
      reason: 'too many',
      seconds: 3,
    });
    const resumed = { ...make.pass(5).runStarted({ ...about, version: '1.3.0' }), run: 'R1' } as Event;
    expect(pageOf([...events, end, resumed]).run).to.deep.include({
      started: known.started,
      version: '1.3.0',
      status: 'running',
      seconds: 3,
    });
  });

  it('has the groups and routes of all plays, and each play, batch and gate', () => {
    const make = new EventMaker();
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2'], { groups: { emea: [0], all: [0, 1] }, routes: { madrid: [1] } }),
      make.batchStarted(['lb1', 'lb2'], 1, 1),
      make.gateStarted(['lb1'], { passes: 2 }),
      make.pass(1).gateChecked(1, ['lb1']),
      make.pass(1).gateChecked(2),
      make.gateFinished('continue', 'passed'),
      make.batchFinished(1, { failed: ['lb1'] }),
      make.playFinished(),
      make.playStarted(['lb2', 'lb3'], {
        play: 'Second',
        groups: { emea: [1] },
        routes: { madrid: [1], paris: [0] },
        tasks: 7,
      }),
      make.batchStarted(['lb3'], 2, 3),
      make.gateStarted(['lb3'], { batch: 2 }),
    ]);
    expect(page.groups).to.deep.equal([
      { name: 'emea', controllers: [0, 2] },
      { name: 'all', controllers: [0, 1] },
    ]);
    expect(page.routes).to.deep.equal([
      { name: 'madrid', controllers: [1, 2] },
      { name: 'paris', controllers: [1] },
    ]);
    expect(page.plays).to.deep.equal([
      { name: 'Roll out', controllers: 2, tasks: 2, rollback: false, started: 0, ended: 2000 },
      { name: 'Second', controllers: 2, tasks: 7, rollback: false, started: 2000, ended: null },
    ]);
    expect(page.batches).to.deep.equal([
      { play: 0, batch: 1, batches: 1, controllers: [0, 1], started: 0, ended: 2000, failed: 1 },
      { play: 1, batch: 2, batches: 3, controllers: [2], started: 2000, ended: null, failed: 0 },
    ]);
    expect(page.gates).to.deep.equal([
      { play: 0, batch: 1, started: 0, ended: 2000, rounds: 2, status: 'passed', action: 'continue' },
      { play: 1, batch: 2, started: 2000, ended: null, rounds: 0, status: 'running' },
    ]);
  });

  it('returns from the rollback of a batch to its play, and finds plays again after a resume', () => {
    const make = new EventMaker();
    const begun = [
      make.runStarted(),
      make.playStarted(['lb1'], { play: 'First' }),
      make.taskFinished('lb1', 'ok', at(4)),
      make.playFinished(),
      make.playStarted(['lb1'], { play: 'Second' }),
      make.batchStarted(['lb1']),
      make.playStarted(['lb1'], { play: 'Undo', rollback: true }),
      make.taskFinished('lb1', 'ok', at(5)),
      make.playFinished(),
      make.taskFinished('lb1', 'ok', at(9)),
    ];
    const plays = ({ columns }: Page): readonly unknown[] => columns.map(({ play, place }) => [play, place.line]);
    const page = pageOf([...begun, make.batchFinished(1, { failed: ['lb1'] })]);
    expect(page.plays.map(({ name, rollback }) => [name, rollback])).to.deep.equal([
      ['First', false],
      ['Second', false],
      ['Undo', true],
    ]);
    expect(plays(page)).to.have.deep.members([
      [0, 4],
      [2, 5],
      [1, 9],
    ]);
    expect(page.batches).to.have.lengthOf(1);
    expect(page.batches[0]).to.include({ play: 1, failed: 1 });
    const again = pageOf([
      ...begun,
      make.runStarted({ resumed: true }),
      make.playStarted(['lb1'], { play: 'First' }),
      make.playFinished(),
      make.playStarted(['lb1'], { play: 'Second' }),
      make.taskFinished('lb1', 'changed', at(12)),
    ]);
    expect(again.plays).to.have.lengthOf(3);
    expect(plays(again)).to.deep.include([1, 12]);
  });

  it('has how each controller ended, whatever it did before the end', () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'];
    const begun = [
      make.runStarted(),
      make.playStarted(names),
      make.taskStarted('lb1'),
      make.taskFinished('lb2', 'failed'),
      make.taskFinished('lb3', 'changed'),
      make.controllerFinished('lb3'),
    ];
    expect(outcomes(pageOf(begun))).to.deep.equal({
      lb1: 'running',
      lb2: 'failed',
      lb3: 'changed',
      lb4: 'waiting',
      lb5: 'waiting',
    });
    expect(outcomes(pageOf(begun, { ...FACTS, cutOff: true }))).to.include({ lb1: 'cut off', lb4: 'not started' });
    const stats = (given: object) => ({
      ok: 0,
      changed: 0,
      unreachable: 0,
      failed: 0,
      skipped: 0,
      rescued: 0,
      ignored: 0,
      ...given,
    });
    const end = make.runFinished({
      status: 'interrupted',
      unstarted: ['lb5', 'lb3'],
      cutOff: ['lb1'],
      stats: {
        lb1: stats({ ok: 1 }),
        lb2: stats({ changed: 1 }),
        lb3: stats({ unreachable: 1 }),
        lb4: stats({ ok: 1 }),
      },
    });
    expect(outcomes(pageOf([...begun, end]))).to.deep.equal({
      lb1: 'cut off',
      lb2: 'changed',
      lb3: 'unreachable',
      lb4: 'ok',
      lb5: 'not started',
    });
  });

  it('has a controller as waiting in each of its plays until it begins it', () => {
    const make = new EventMaker();
    const begun = [
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3']),
      ...['lb1', 'lb2', 'lb3'].flatMap((name) => [make.taskFinished(name, 'ok'), make.controllerFinished(name)]),
      make.playFinished(),
      make.playStarted(['lb1', 'lb2'], { play: 'Second' }),
      make.taskFinished('lb2', 'changed'),
      make.controllerFinished('lb2'),
    ];
    expect(outcomes(pageOf(begun))).to.deep.equal({ lb1: 'waiting', lb2: 'changed', lb3: 'ok' });
    expect(outcomes(pageOf(begun, { ...FACTS, cutOff: true }))).to.include({ lb1: 'cut off', lb2: 'changed' });
    for (const own of [make.taskStarted('lb1'), make.taskFinished('lb1', 'ok')])
      expect(outcomes(pageOf([...begun, own]))).to.include({ lb1: 'running' });
  });

  it('has what a resume will continue as waiting, whatever became of it before', () => {
    const make = new EventMaker();
    const before = [
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3']),
      make.taskStarted('lb1'),
      make.taskStarted('lb2'),
      make.controllerFinished('lb2', { cutOff: true }),
      make.batchFinished(1, { unstarted: ['lb3'] }),
    ];
    expect(outcomes(pageOf(before))).to.deep.equal({ lb1: 'running', lb2: 'cut off', lb3: 'not started' });
    const resumed = [...before, make.runStarted(), make.playStarted(['lb1', 'lb2', 'lb3'])];
    expect(outcomes(pageOf(resumed))).to.deep.equal({ lb1: 'waiting', lb2: 'waiting', lb3: 'waiting' });
    const over = { lb1: 'cut off', lb2: 'cut off', lb3: 'not started' };
    expect(outcomes(pageOf(resumed, { ...FACTS, cutOff: true }))).to.deep.equal(over);
  });

  it('has what happened while a task ran, and only that', () => {
    const make = new EventMaker();
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.taskStarted('lb1'),
      make.taskStarted('lb2'),
      make.request('lb1'),
      make.request('lb1'),
      make.requestRetried('lb1', 1, 'busy'),
      make.taskFinished('lb1', 'ok', at(4)),
      make.taskFinished('lb2', 'ok', { ...at(4), task: 'Another name' }),
      make.taskStarted('lb1'),
      make.taskFinished('lb1', 'ok', at(8)),
    ]);
    const rows = page.controllers.length;
    const detail = (column: number, row: number): unknown => page.details[page.detail[column * rows + row] ?? 0];
    expect(detail(0, 0)).to.deep.equal({ requests: 2, retries: 1 });
    expect(detail(0, 1)).to.deep.equal({ task: 'Another name' });
    expect(detail(1, 0)).to.deep.equal({});
  });
});

describe('a page that grows', () => {
  it('is the same in the browser: with new steps before, new controllers, and what changed of both', () => {
    const data = new PageData(liveSources('/nowhere', (text) => text));
    const make = new EventMaker();
    const steps: readonly (readonly Event[])[] = [
      [make.runStarted(), make.playStarted(['lb1', 'lb2'])],
      [make.pass(1).taskFinished('lb1', 'ok', { ...at(8), seconds: 2 })],
      [make.pass(1).taskFinished('lb2', 'changed', { ...at(4), seconds: 3, message: 'new' }), make.warning('odd')],
      [make.pass(1).playStarted(['lb3'], { play: 'Second', groups: { emea: [0] } })],
      [make.pass(1).taskFinished('lb3', 'failed', { ...at(20), seconds: 4, message: 'broken' })],
      [
        make.pass(1).taskFinished('lb3', 'ok', { ...at(20), round: 1 }),
        make.pass(1).taskFinished('lb3', 'failed', { ...at(20), round: 2, message: 'gate' }),
      ],
      [make.runFinished({ status: 'failed', exitCode: 2 })],
    ];
    let last = data.page(FACTS);
    let shown = readPage(packPage(last));
    for (const [number, events] of steps.entries()) {
      for (const event of events) data.handle(event);
      const now = data.page({ title: `step ${number}` });
      const delta = pageDelta(last, now);
      shown = withDelta(shown, JSON.parse(JSON.stringify(delta)) as typeof delta);
      expect(shown, `step ${number}`).to.deep.equal(readPage(packPage(now)));
      last = now;
    }
    const same = pageDelta(last, data.page(FACTS));
    expect([same.lists, same.growth, same.cells, same.outcomes, same.details, same.texts]).to.deep.equal([
      {},
      undefined,
      [],
      [],
      [],
      [],
    ]);
  });

  it('sends only the lists that changed', () => {
    const data = new PageData(liveSources('/nowhere', (text) => text));
    const make = new EventMaker();
    for (const event of [make.runStarted(), make.playStarted(['lb1'])]) data.handle(event);
    const before = data.page(FACTS);
    data.handle(make.warning('odd'));
    expect(pageDelta(before, data.page(FACTS)).lists).to.deep.equal({ warnings: [{ message: 'odd' }] });
  });
});

describe('the task of a page', () => {
  const FILE =
    '- hosts: all\n  tasks:\n    - name: One\n      debug:\n\n        msg: a\n    - name: Two\n      debug: { msg: b }';

  it('is all of its lines, up to the end of the file', () =>
    inFolder({ 'site.yml': FILE }, (cwd) => {
      const { task, place } = liveSources(cwd, (text) => text.toUpperCase());
      const lines = (line: number, about = { task: 'One', module: 'debug' }): unknown =>
        task({ file: 'site.yml', line, column: 7 }, about);
      expect(lines(3)).to.deep.equal({ first: 3, lines: ['    - NAME: ONE', '      DEBUG:', '', '        MSG: A'] });
      expect(lines(7, { task: 'Two', module: 'debug' })).to.deep.equal({
        first: 7,
        lines: ['    - NAME: TWO', '      DEBUG: { MSG: B }'],
      });
      expect(lines(8, { task: 'gone', module: 'gone' }), 'a file that has changed').to.equal(undefined);
      expect(lines(99)).to.equal(undefined);
      expect(task({ file: 'none.yml', line: 1, column: 1 }, { task: 'One', module: 'debug' })).to.equal(undefined);
      expect(place({ file: `${cwd}/a/b.yml`, line: 1, column: 2 })).to.deep.equal({
        file: 'a/b.yml',
        line: 1,
        column: 2,
      });
      return Promise.resolve();
    }));
});

describe('the file of a page', () => {
  const assets = { script: 'script', styles: 'styles' };
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

  it('may load nothing but its own script and styles', () => {
    const policy = contentPolicy(assets);
    expect(policy.split('; ')).to.deep.equal([
      "default-src 'none'",
      `script-src 'sha256-${hash('script')}'`,
      `style-src 'sha256-${hash('styles')}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(contentPolicy(assets, 'more', 'rules')).to.equal(`${policy}; more; rules`);
    const html = pageHtml(new Uint8Array([1, 2, 3]), { title: '<a> & "b"', summary: "it's" }, assets);
    expect(html).to.include(`<meta http-equiv="Content-Security-Policy" content="${policy}">\n`);
    expect(html).to.include('<title>&lt;a&gt; &amp; &quot;b&quot;</title>').and.to.include('<p>it&#39;s</p>');
    const [, data = ''] = /id="data">(.*?)</.exec(html) ?? [];
    expect([...gunzipSync(Buffer.from(data, 'base64'))]).to.deep.equal([1, 2, 3]);
    expect(shellHtml(assets)).to.not.include('Content-Security-Policy');
  });

  it('has the format of this version, or cannot be read', () => {
    const page = pageOf([new EventMaker().runStarted()]);
    expect(readPage(packPage(page)).format).to.equal(1);
    for (const wrong of [
      { ...page, format: 2 },
      { ...page, format: undefined },
    ])
      expect(() => readPage(packPage(wrong as never))).to.throw('this is not the data of a page');
    expect([durationCode(1e9), durationCode(-1), durationCode(0)]).to.deep.equal([65_535, 0, 0]);
  });
});
