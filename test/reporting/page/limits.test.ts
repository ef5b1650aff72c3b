import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { liveSources } from '../../../src/reporting/page/fold/sources.js';
import { CELL_STATES, OUTCOMES } from '../../../src/reporting/page/format/page.js';
import { EventMaker } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';
import { pageOf } from '../../rig/page_run.js';

const CUT = '… (cut here)';
const begin = (make: EventMaker, names = ['lb1', 'lb2'], given = {}) => [
  make.runStarted(),
  make.playStarted(names, given),
];

describe('the limits of a page', () => {
  it('keep 50 columns of a repeated task: the last one has what comes later', () => {
    const make = new EventMaker();
    const times = (number: number) =>
      pageOf([
        ...begin(make, ['lb1']),
        ...Array.from({ length: number }, (_, at) => make.taskFinished('lb1', at === number - 1 ? 'changed' : 'ok')),
      ]);
    for (const [number, columns] of [
      [49, 49],
      [50, 50],
      [51, 50],
      [60, 50],
    ] as const) {
      const page = times(number);
      expect(page.columns.length).to.equal(columns);
      expect(CELL_STATES[page.state[columns - 1] ?? 0]).to.equal('changed');
      expect(CELL_STATES[page.state[columns - 2] ?? 0]).to.equal('ok');
    }
  });

  it('keep the first 200 items of a loop', () => {
    const items = (number: number) => {
      const make = new EventMaker();
      const results = Array.from({ length: number }, (_, at) => make.taskFinished('lb1', 'ok', { item: `i${at}` }));
      return pageOf([...begin(make), ...results, make.taskFinished('lb1', 'ok')]).details.at(-1)?.items;
    };
    expect(items(200)).to.have.length(200);
    expect(items(201)).to.have.length(200);
    expect(items(201)?.at(-1)?.item).to.equal('i199');
  });

  it('keep of more items one of each cause and change, then failures, changes and others, in their order', () => {
    const kept = (
      state: (at: number) => Parameters<EventMaker['taskFinished']>[1],
      message: (at: number) => string,
    ) => {
      const make = new EventMaker();
      const results = Array.from({ length: 300 }, (_, at) =>
        make.taskFinished('lb1', state(at), { item: `i${at}`, message: message(at) }),
      );
      const detail = pageOf([...begin(make), ...results, make.taskFinished('lb1', 'failed')]).details.at(-1);
      expect(detail).to.include({ moreItems: 100 });
      return detail?.items?.map(({ item }) => item) ?? [];
    };
    const failed = kept(
      (at) => (at % 100 === 99 ? 'failed' : 'ok'),
      (at) => `no ${at}`,
    );
    expect(failed.slice(-3)).to.deep.equal(['i197', 'i199', 'i299']);
    const rare = kept(
      (at) => (at < 298 ? 'failed' : 'changed'),
      (at) => (at === 297 ? 'rare' : 'no'),
    );
    expect(rare.slice(-4)).to.deep.equal(['i196', 'i197', 'i297', 'i298']);
    const changed = kept(
      (at) => (at < 250 ? 'ok' : 'changed'),
      () => 'same',
    );
    expect(changed).to.have.length(200);
    expect(changed.slice(149, 151)).to.deep.equal(['i149', 'i250']);
  });

  it('cut messages, names and diffs', () => {
    const make = new EventMaker();
    const last = (given: Parameters<EventMaker['taskFinished']>[2]) => {
      const page = pageOf([
        ...begin(make),
        make.taskFinished('lb1', 'changed', { task: 'a' }),
        make.taskFinished('lb1', 'changed', given),
      ]);
      return { page, detail: page.details.at(-1) ?? {} };
    };
    expect(last({ message: 'x'.repeat(4000) }).detail.message).to.equal('x'.repeat(4000));
    expect(last({ message: 'x'.repeat(4001) }).detail.message).to.equal(`${'x'.repeat(4000)}${CUT}`);
    const change = (length: number) =>
      ({
        kind: 'update',
        object: 'pool "a"',
        before: { n: 'a' },
        after: { n: 'x'.repeat(length), o: 'y'.repeat(length), p: 'z'.repeat(length) },
      }) as const;
    const { page, detail } = last({ change: change(9000) });
    const diff = page.texts[detail.diff ?? 0] ?? '';
    expect([diff.length, diff.slice(-11)]).to.deep.equal([20_011, '\n… cut here']);
    const object = `pool "${'o'.repeat(600)}"`;
    const named = last({ change: { ...change(1), object } }).detail;
    expect([named.words?.length, named.words?.endsWith(CUT)]).to.deep.equal([500 + CUT.length, true]);
  });

  it('keep 500 warnings, each cut', () => {
    const make = new EventMaker();
    const warnings = (number: number) =>
      pageOf([...begin(make), ...Array.from({ length: number }, (_, at) => make.warning(`w${at} ${'x'.repeat(2100)}`))])
        .warnings;
    expect(warnings(500)).to.have.length(500);
    expect(warnings(510)).to.have.length(500);
    const alike = pageOf([
      ...begin(make),
      ...Array.from({ length: 600 }, (_, at) => make.warning(`of lb${at}`, { controller: `lb${at}` })),
      make.warning('later'),
    ]);
    expect(alike.warnings.map(({ message }) => message)).to.deep.equal(['of <controller>', 'later']);
    expect(alike.warnings[0]?.controller).to.match(/^600 controllers: lb0, lb1, .* more$/);
    expect(warnings(1)[0]?.message.replace(/….*$/, '')).to.have.length(2000);
  });

  it('keep 14 lines of a task, each up to 160 columns, and none of the next task', () =>
    inFolder(
      {
        'a.yml': `- hosts: all\n  tasks:\n    - name: One\n      debug:\n        msg:\n${'          - x\n'.repeat(20)}    - name: Two\n      debug: {msg: ${'y'.repeat(200)}}\n\n\n    - name: Three\n      debug:\n`,
      },
      async (cwd) => {
        const { task, place } = liveSources(cwd, (text) => text);
        const shown = (line: number, name: string) =>
          task({ file: 'a.yml', line, column: 7 }, { task: name, module: 'debug' });
        const one = shown(3, 'One');
        expect([one?.first, one?.lines.length, one?.lines.slice(0, 3)]).to.deep.equal([
          3,
          14,
          ['    - name: One', '      debug:', '        msg:'],
        ]);
        const two = shown(26, 'Two');
        expect([two?.first, two?.lines.length, two?.lines[1]?.length]).to.deep.equal([26, 2, 160]);
        expect(shown(30, 'Three')?.lines).to.deep.equal(['    - name: Three', '      debug:']);
        expect(shown(30, 'Other')?.lines.length).to.equal(2);
        expect(task({ file: 'a.yml', line: 1, column: 3 }, { task: 'Other', module: 'ping' })).to.equal(undefined);
        expect(place({ file: `${cwd}/a.yml`, line: 1, column: 3 }).file).to.equal('a.yml');
        await Promise.resolve();
      },
    ));
});

describe('the fold of a page', () => {
  it('has the outcome of each controller', () => {
    const outcome = (...events: ((make: EventMaker) => readonly Event[])[]) => {
      const make = new EventMaker();
      const page = pageOf([
        ...begin(make),
        make.batchStarted(['lb1', 'lb2']),
        ...events.flatMap((one) => [...one(make)]),
      ]);
      return [...page.outcome].map((code) => OUTCOMES[code]);
    };
    const done =
      (status: 'ok' | 'changed' | 'failed' | 'unreachable', given = {}) =>
      (make: EventMaker) => [make.taskFinished('lb1', status, given), make.controllerFinished('lb1')];
    expect(outcome()).to.deep.equal(['waiting', 'waiting']);
    expect(outcome((make) => [make.taskStarted('lb2')])).to.deep.equal(['waiting', 'running']);
    expect(outcome((make) => [make.taskFinished('lb2', 'ok')])).to.deep.equal(['waiting', 'running']);
    for (const [status, given, expected] of [
      ['ok', {}, 'ok'],
      ['ok', { changed: true }, 'changed'],
      ['changed', {}, 'changed'],
      ['failed', {}, 'failed'],
      ['failed', { ignored: true }, 'ok'],
      ['failed', { rescued: true }, 'ok'],
      ['failed', { ignored: true, changed: true }, 'changed'],
      ['failed', { rescued: true, changed: true }, 'changed'],
      ['unreachable', {}, 'unreachable'],
      ['unreachable', { ignored: true }, 'ok'],
    ] as const)
      expect(outcome(done(status, given)), `${status} ${JSON.stringify(given)}`).to.deep.equal([expected, 'waiting']);
    expect(outcome((make) => [make.taskFinished('lb1', 'failed'), ...done('changed')(make)])[0]).to.equal('failed');
    expect(outcome((make) => [make.taskFinished('lb1', 'failed', { round: 1 }), ...done('ok')(make)])[0]).to.equal(
      'ok',
    );
    expect(outcome(done('ok'), (make) => [make.taskStarted('lb1')])[0]).to.equal('ok');
    const end = (make: EventMaker) => [make.runFinished({ changed: ['lb1'] })];
    expect(outcome(done('failed', { rescued: true, changed: true }), end)).to.deep.equal(['changed', 'not started']);
    const ended = { cutOff: ['lb1'], unstarted: ['lb2'] };
    expect(
      outcome((make) => [make.taskStarted('lb1'), make.taskStarted('lb2'), make.batchFinished(1, ended)]),
    ).to.deep.equal(['cut off', 'not started']);
  });

  it('keeps plays, batches and gates of several plays apart, and finds them again in a resume', () => {
    const make = new EventMaker();
    const play = (name: string, given = {}) => make.playStarted(['lb1', 'lb2'], { play: name, ...given });
    const page = pageOf([
      make.runStarted(),
      play('One'),
      make.batchStarted(['lb1'], 1, 2),
      make.pass(1).batchFinished(1, { failed: ['lb1'] }),
      make.gateStarted(['lb1'], { passes: 2 }),
      make.pass(1).gateChecked(1, ['lb1']),
      make.pass(1).gateChecked(2),
      make.gateFinished('stop', 'failed'),
      make.batchStarted(['lb2'], 2, 2),
      make.pass(1).batchFinished(2),
      play('Back', { rollback: true }),
      make.batchStarted(['lb1']),
      make.pass(1).playFinished(),
      make.pass(1).playFinished(),
      play('Two'),
      make.batchStarted(['lb1', 'lb2']),
      make.gateStarted(['lb2'], { batch: 1 }),
      make.runStarted(),
      play('One'),
      make.batchStarted(['lb2'], 1, 2),
      make.pass(1).batchFinished(1),
      make.playFinished(),
    ]);
    expect(page.plays.map(({ name, rollback, started, ended }) => [name, rollback, started, ended])).to.deep.equal([
      ['One', false, 0, 7000],
      ['Back', true, 4000, 5000],
      ['Two', false, 6000, null],
    ]);
    const batches = page.batches.map(({ play: at, batch, controllers, started, ended, failed }) => [
      at,
      batch,
      controllers,
      started,
      ended,
      failed,
    ]);
    expect(batches).to.deep.equal([
      [0, 2, [1], 3000, 4000, 0],
      [1, 1, [0], 4000, null, 0],
      [2, 1, [0, 1], 6000, null, 0],
      [0, 1, [0, 1], 0, 7000, 0],
    ]);
    expect(page.gates.map(({ play: at, rounds, status, action }) => [at, rounds, status, action])).to.deep.equal([
      [0, 2, 'failed', 'stop'],
      [2, 0, 'running', undefined],
    ]);
  });
});
