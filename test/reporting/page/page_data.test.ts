import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { keptSources, liveSources } from '../../../src/reporting/page/fold/sources.js';
import { CELL_STATES, decodeSeconds, durationCode, OUTCOMES } from '../../../src/reporting/page/format/page.js';
import { EventMaker } from '../../rig/events.js';
import { cellsOf, fleetEvents, packed, pageOf } from '../../rig/page_run.js';

const place = (line: number): { source: { file: string; line: number; column: number } } => ({
  source: { file: 'site.yml', line, column: 3 },
});

describe('the data of a page', () => {
  it('has a cell for each controller and step', () => {
    const make = new EventMaker();
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3']),
      make.taskStarted('lb1'),
      make.pass(2).taskFinished('lb1', 'changed', { ...place(4), seconds: 1.5 }),
      make.taskFinished('lb1', 'ok', { task: 'Second', ...place(8) }),
      make.taskFinished('lb2', 'failed', { ...place(4), message: 'it broke' }),
      make.controllerFinished('lb1'),
      make.runFinished({ status: 'failed', exitCode: 2, unstarted: ['lb3'] }),
    ]);
    expect(page.columns.map(({ task }) => task)).to.deep.equal(['Create the cloud', 'Second']);
    expect(cellsOf(page, CELL_STATES)).to.deep.equal({
      lb1: ['changed', 'ok'],
      lb2: ['failed', 'none'],
      lb3: ['none', 'none'],
    });
    expect([...page.outcome].map((code) => OUTCOMES[code])).to.deep.equal(['changed', 'failed', 'not started']);
    expect(decodeSeconds(page.took[0] ?? 0)).to.be.closeTo(1.5, 0.001);
    expect(page.ended[0]).to.equal(2000);
    expect(page.run).to.include({ status: 'failed', seconds: 2 });
  });

  it('has one column for a step that controllers reach whom the start of the play did not name', () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'];
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1']),
      ...names.map((name, at) => make.taskFinished(name, at % 2 === 0 ? 'ok' : 'changed', place(4))),
      ...names.map((name) =>
        make.taskFinished(name, 'failed', { ...place(8), message: `${name} broke`, seconds: 1.5 }),
      ),
    ]);
    const states = names.map((name, at) => [name, [at % 2 === 0 ? 'ok' : 'changed', 'failed']]);
    expect(cellsOf(page, CELL_STATES)).to.deep.equal(Object.fromEntries(states));
    expect([...page.took.slice(5)].map(decodeSeconds)).to.deep.equal(names.map(() => decodeSeconds(durationCode(1.5))));
  });

  it('stores equal details once, despite different names of controllers', () => {
    const page = pageOf(fleetEvents(300, 3));
    const details = new Set(page.detail);
    // No change, two changes, a failure, and a failed connection for each address.
    expect(details.size).to.be.below(35);
    expect(page.texts).to.have.length(2);
    const failed = page.details.find(({ hint }) => hint !== undefined);
    expect(failed?.message).to.equal(
      '400 <img src=x onerror="alert(1)"> name of {{inventory_hostname}} is reserved (POST /api/cloud/)',
    );
    const unreachable = page.details.filter(({ message }) => message?.startsWith('no connection') === true);
    expect(unreachable.length).to.be.above(20);
    expect(new Set(unreachable.map(({ group }) => group)).size).to.equal(1);
  });

  it('orders steps as in the file, whichever controller reaches them first', () => {
    const make = new EventMaker();
    const step = (name: string, line: number): Event =>
      make.taskFinished(name, 'ok', { task: `line ${line}`, ...place(line) });
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      step('lb1', 1),
      step('lb1', 20),
      step('lb2', 1),
      step('lb2', 10),
      step('lb2', 20),
      step('lb2', 30),
    ]);
    expect(page.columns.map(({ task }) => task)).to.deep.equal(['line 1', 'line 10', 'line 20', 'line 30']);
  });

  it('has a column for each run of a repeated task, but one for all rounds of a gate', () => {
    const make = new EventMaker();
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'ok', place(4)),
      make.taskFinished('lb1', 'changed', place(4)),
      make.gateStarted(['lb1']),
      make.taskFinished('lb1', 'failed', { ...place(9), round: 1 }),
      make.gateChecked(1, ['lb1']),
      make.taskFinished('lb1', 'ok', { ...place(9), round: 2 }),
      make.gateChecked(2),
      make.gateFinished(),
    ]);
    expect(cellsOf(page, CELL_STATES)).to.deep.equal({ lb1: ['ok', 'changed', 'ok'] });
    expect(page.columns.map(({ type }) => type)).to.deep.equal(['task', 'task', 'gate']);
    expect(page.groups).to.deep.equal([]);
    expect(page.gates).to.have.length(1);
    expect(page.gates[0]).to.include({ status: 'passed', rounds: 2 });
  });

  it('keeps the items of a loop with its task', () => {
    const make = new EventMaker();
    const page = pageOf([
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'ok', { item: 'a' }),
      make.taskFinished('lb1', 'failed', { item: 'b', message: 'no' }),
      make.taskFinished('lb1', 'failed', { message: 'one item failed' }),
    ]);
    expect(page.columns).to.have.length(1);
    expect(page.details[page.detail[0] ?? 0]?.items).to.deep.equal([
      { item: 'a', status: 'ok' },
      { item: 'b', status: 'failed', message: 'no', group: 0 },
    ]);
  });

  it('keeps the earlier results of a resumed run', () => {
    const make = new EventMaker();
    const begin = [make.runStarted(), make.playStarted(['lb1', 'lb2'])];
    const page = pageOf([
      ...begin,
      make.taskFinished('lb1', 'changed', place(4)),
      make.taskFinished('lb1', 'interrupted', place(8)),
      make.runStarted({ resumed: true }),
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'ok', place(8)),
      make.taskFinished('lb2', 'ok', place(4)),
    ]);
    expect(page.plays).to.have.length(1);
    expect(cellsOf(page, CELL_STATES)).to.deep.equal({ lb1: ['changed', 'ok'], lb2: ['ok', 'none'] });
  });

  it('shows what was running when a run was cut off', () => {
    const make = new EventMaker();
    const events = [make.runStarted(), make.playStarted(['lb1', 'lb2']), make.taskStarted('lb1')];
    const outcomes = (cutOff: boolean): readonly string[] =>
      [...pageOf(events, { title: 'run', cutOff }).outcome].map((code) => OUTCOMES[code] ?? '');
    expect(outcomes(false)).to.deep.equal(['running', 'waiting']);
    expect(outcomes(true)).to.deep.equal(['cut off', 'not started']);
  });

  it('is small for a large fleet', () => {
    const page = packed(fleetEvents(2000, 10));
    // Eleven bytes for a cell, before they are compressed.
    expect(page.length).to.be.below(2000 * 10 * 11 + 200_000);
  });

  it('keeps durations from a millisecond to weeks', () => {
    for (const seconds of [0, 0.001, 0.25, 3, 600, 86_400, 3e6])
      expect(decodeSeconds(durationCode(seconds))).to.be.closeTo(seconds, seconds * 0.0005 + 1e-9);
  });
});

describe('the sources on a page', () => {
  const lines = [
    '- hosts: all',
    '  tasks:',
    '    - name: Set it',
    '      debug:',
    '        msg: hunter2 is "{{ x }}"',
    '        var: "{{ motd }}"',
    '        password: plain',
    '      retries: 3',
    '      loop: [{ text: hunter2 }]',
    '    - name: Next',
  ];
  const place = { file: 'site.yml', line: 3, column: 7 };
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
    await writeFile(path.join(folder, 'site.yml'), lines.join('\n'));
  });
  after(() => rm(folder, { recursive: true }));

  it('show the task as written, without secrets, if the secrets are known', () => {
    const sources = liveSources(folder, (text) => text.replaceAll('hunter2', '********'));
    expect(sources.task(place, { task: 'Set it', module: 'debug' })).to.deep.equal({
      first: 3,
      lines: [
        '    - name: Set it',
        '      debug:',
        '        msg: ******** is "{{ x }}"',
        '        var: "{{ motd }}"',
        '        password: ********',
        '      retries: 3',
        '      loop: [{ text: ******** }]',
      ],
    });
  });

  it('show no text values if the secrets are unknown', () => {
    expect(keptSources(folder).task(place, { task: 'Set it', module: 'debug' })?.lines).to.deep.equal([
      '    - name: Set it',
      '      debug:',
      '        msg: …',
      '        var: "{{ motd }}"',
      '        password: …',
      '      retries: 3',
      '      loop: …',
    ]);
  });

  it('are left out if the file has changed since it was read', () => {
    const sources = liveSources(
      folder,
      (text) => text,
      () => true,
    );
    expect(sources.task(place, { task: 'Set it', module: 'debug' })).to.equal(undefined);
  });

  it('are left out if the file has another task there now', () => {
    expect(keptSources(folder).task(place, { task: 'Before', module: 'assert' })).to.equal(undefined);
    expect(keptSources(folder).task({ ...place, file: 'gone.yml' }, { task: 'Set it', module: 'debug' })).to.equal(
      undefined,
    );
  });

  it('have paths relative to the working directory', () => {
    const file = path.join(folder, 'roles/a.yml');
    expect(keptSources(folder).place({ ...place, file })).to.deep.equal({ ...place, file: 'roles/a.yml' });
  });
});
