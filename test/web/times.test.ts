import { expect } from 'chai';
import type { Event } from '../../src/core/model/run/event.js';
import { completed } from '../../src/web/data/frame_work.js';
import { matchingRows, parseQuery } from '../../src/web/data/query.js';
import { runProgress, stepTimes, visibleTimes } from '../../src/web/data/timing.js';
import { createView, type View } from '../../src/web/data/view.js';
import { EventMaker } from '../rig/events.js';
import { pageOf } from '../rig/page_run.js';

const at = (line: number) => ({ task: `T${line}`, source: { file: 'site.yml', line, column: 3 } });

function viewOf(names: readonly string[], events: (make: EventMaker) => Iterable<Event>): View {
  const make = new EventMaker();
  return createView(pageOf([make.runStarted(), make.playStarted(names), ...events(make)]), '', 'name');
}

describe('the times of steps', () => {
  it('are those of all controllers that ran it: the middle, the slow ones and the slowest', () => {
    const names = Array.from({ length: 200 }, (_, index) => `lb${index + 1}`);
    const view = viewOf([...names, 'idle'], (make) => [
      ...names.map((name, index) => make.taskFinished(name, 'ok', { ...at(1), seconds: ((index * 7) % 200) + 1 })),
      make.taskFinished('lb3', 'ok', { ...at(2), seconds: 0 }),
    ]);
    const times = (column: number) => {
      const { slowest, ...found } = stepTimes(view, column) ?? { slowest: -1 };
      const rounded = Object.entries(found).map(([name, value]) => [name, Math.round(value)] as const);
      return { ...Object.fromEntries(rounded), slowest: view.page.controllers[slowest] };
    };
    expect(times(0)).to.deep.equal({
      column: 0,
      times: 200,
      median: 101,
      p90: 181,
      p99: 199,
      longest: 200,
      slowest: names.find((_, index) => (index * 7) % 200 === 199),
    });
    expect(times(1)).to.deep.equal({ column: 1, times: 1, median: 0, p90: 0, p99: 0, longest: 0, slowest: 'lb3' });
    expect(stepTimes(createView(view.page, 'host:idle', 'name'), 0)).to.equal(undefined);
  });

  it('add up to what was at work in each part of the run, and what ended in it', () => {
    const tasks = [
      [10, 10],
      [10.05, 0.01],
      [40, 3.3],
      [41, 25],
      [99.9, 0.4],
      [100, 7],
    ] as const;
    let now = 0;
    const view = viewOf(
      tasks.map((_, index) => `lb${index}`),
      (make) => [
        ...tasks.map(([ended, seconds], index) => {
          const passed = make.pass(ended - now);
          now = ended;
          return passed.taskFinished(`lb${index}`, 'ok', { ...at(1), seconds });
        }),
        make.runFinished(),
      ],
    );
    const { step, atWork, throughput } = completed(visibleTimes(view)).activity;
    expect(step * atWork.length).to.be.closeTo(100, 1e-9);
    const parts = [...atWork.keys()];
    const busy = parts.map((part) =>
      tasks.reduce((sum, [ended, seconds]) => {
        const [from, to] = [Math.max(part * step, ended - seconds), Math.min((part + 1) * step, ended)];
        return sum + Math.max(0, to - from) / step;
      }, 0),
    );
    const ended = parts.map(
      (part) =>
        tasks.filter(([end]) => Math.min(parts.length - 1, Math.floor(end / step + 1e-9)) === part).length / step,
    );
    for (const part of parts) {
      expect(atWork[part], `at work in ${part}`).to.be.closeTo(busy[part] ?? 0, 0.05);
      expect(throughput[part], `ended in ${part}`).to.be.closeTo(ended[part] ?? 0, 1e-6);
    }
  });

  it('name the ten controllers that took longest, the slowest first', () => {
    const names = Array.from({ length: 25 }, (_, index) => `lb${String(index).padStart(2, '0')}`);
    const took = (index: number): number => ((index * 7) % 24) + 1;
    const view = viewOf(names, (make) =>
      names.map((name, index) => make.taskFinished(name, 'ok', { ...at(1), seconds: took(index) })),
    );
    const { slowest } = completed(visibleTimes(view));
    expect(slowest.map(([row, seconds]) => [view.page.controllers[row], Math.round(seconds)])).to.deep.equal(
      names
        .map((name, index) => [name, took(index)] as const)
        .sort(([, a], [, b]) => b - a)
        .slice(0, 10),
    );
  });

  it('say what is left of a play from a twentieth on', () => {
    const left = (done: number) => {
      const names = Array.from({ length: 20 }, (_, index) => `lb${index}`);
      const view = viewOf(names, (make) => [
        ...names.slice(0, done).map((name) => make.taskFinished(name, 'ok', at(1))),
        make.pass(10).taskStarted('lb19'),
      ]);
      return completed(runProgress(view));
    };
    // Two tasks are planned.
    expect(left(1)).to.deep.equal({ done: 0.025, left: undefined });
    expect(left(2)).to.deep.equal({ done: 0.05, left: 190 });
    expect(left(20)).to.deep.equal({ done: 0.5, left: 10 });
  });
});

describe('a search for a status', () => {
  it('finds outcomes of controllers, and results of their tasks', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const view = viewOf(names, (make) => [
      make.taskFinished('a', 'ok', at(1)),
      make.taskFinished('b', 'skipped', at(2)),
      make.taskFinished('c', 'failed', { ...at(1), ignored: true }),
      make.taskFinished('d', 'failed', { ...at(1), rescued: true }),
      make.taskStarted('e'),
      ...['a', 'b', 'c', 'd'].map((name) => make.controllerFinished(name)),
      make.batchFinished(1, { cutOff: ['e'], unstarted: ['f'] }),
    ]);
    const found = (query: string): string => {
      const rows = matchingRows(view.page, parseQuery(query));
      return names.filter((_, row) => rows[row] === 1).join('');
    };
    expect(found('status:ok')).to.equal('abcd');
    expect(found('status:skipped')).to.equal('b');
    expect(found('status:ignored,rescued')).to.equal('cd');
    for (const query of ['status:cut-off', 'status:"cut off"']) expect(found(query), query).to.equal('e');
    expect(found('status:not-started')).to.equal('f');
    expect(found('-status:ok')).to.equal('ef');
    expect(found('status:nothing')).to.equal('');
  });
});
