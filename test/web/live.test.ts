import { expect } from 'chai';
import fc from 'fast-check';
import { CELL_STATES, OUTCOMES, type Page } from '../../src/reporting/page/format/page.js';
import { visibleChanges } from '../../src/web/data/changes.js';
import { visibleFailures } from '../../src/web/data/equal.js';
import { CELLS_PER_FRAME, completed, FrameWork, type InParts } from '../../src/web/data/frame_work.js';
import { visibleTimes } from '../../src/web/data/timing.js';
import { createView, VIEW_ORDERS, type View } from '../../src/web/data/view.js';
import type { Colours } from '../../src/web/matrix/context.js';
import { layOut } from '../../src/web/matrix/geometry.js';
import { paint } from '../../src/web/matrix/paint.js';
import { fleetEvents, pageOf } from '../rig/page_run.js';
import { Sheet } from './sheet.js';

const COLOURS: Colours = {
  fill: CELL_STATES.map((state) => `fill ${state}`),
  ink: CELL_STATES.map((state) => `ink ${state}`),
  outcome: OUTCOMES.map((outcome) => `outcome ${outcome}`),
  text: 'text',
  dim: 'dim',
  line: 'line',
  panel: 'panel',
  band: 'band',
  accent: 'accent',
};

/** Counts what is painted. */
class CountingSheet extends Sheet {
  rectangles = 0;

  override fillRect(x: number, y: number, width: number, height: number): void {
    this.rectangles++;
    super.fillRect(x, y, width, height);
  }
}

/** A later page of the same run, in which some cells and controllers are different. */
function changed(page: Page, cells: readonly (readonly [at: number, code: number])[]): Page {
  const [state, outcome] = [page.state.slice(), page.outcome.slice()];
  for (const [at, code] of cells) {
    state[at % state.length] = code;
    outcome[at % outcome.length] = code % OUTCOMES.length;
  }
  return { ...page, state, outcome };
}

describe('the matrix of a running run', () => {
  const page = pageOf(fleetEvents(40, 4));

  it('has after each change what a new picture would have', () => {
    const sizes = fc.constantFrom(2, 6, 9, 18);
    const cells = fc.array(fc.tuple(fc.nat(159), fc.nat(CELL_STATES.length - 1)), { maxLength: 6 });
    const scroll = fc.record({ top: fc.nat(60), left: fc.nat(30) });
    fc.assert(
      fc.property(sizes, cells, cells, scroll, fc.constantFrom(...VIEW_ORDERS), (row, first, second, from, order) => {
        const selected = { row: 3, column: 1 };
        const at = (now: Page) => {
          const view = createView(now, '', order);
          const geometry = layOut(view, { width: 300, room: 260 }, row, 4);
          return { view, geometry, scroll: from, colours: COLOURS, selected };
        };
        const before = changed(page, first);
        const [old, now] = [at(before), at(changed(before, second))];
        const { width, height } = old.geometry;
        const [sheet, fresh] = [new Sheet(width, height), new Sheet(width, height)];
        paint(sheet, now, paint(sheet, old));
        paint(fresh, now);
        const pixels = Array.from({ length: width * height }, (_, at) => [at % width, Math.floor(at / width)] as const);
        expect(pixels.find(([x, y]) => sheet.at(x, y) !== fresh.at(x, y))).to.equal(undefined);
      }),
      { numRuns: 25 },
    );
  });

  it('paints only the cells that changed', () => {
    const large = pageOf(fleetEvents(500, 20));
    const view = createView(large, '', 'name');
    const geometry = layOut(view, { width: 600, room: 1200 }, 2);
    const about = { geometry, scroll: { top: 0, left: 0 }, colours: COLOURS, selected: undefined };
    const sheet = new CountingSheet(geometry.width, geometry.height);
    const shown = paint(sheet, { view, ...about });
    expect(sheet.rectangles).to.be.above(100);
    sheet.rectangles = 0;
    const state = large.state.slice();
    // Two of the first column, which are neighbours, and one of the last.
    for (const at of [105, 106, 19 * 500 + 300]) state[at] = 8;
    paint(sheet, { view: createView({ ...large, state }, '', 'name'), ...about }, shown);
    expect(sheet.rectangles).to.equal(2);
  });

  it('paints the names that have become others, or have another outcome', () => {
    const names = [...page.controllers.keys()];
    const at = (rows: readonly number[], outcomes: Readonly<Record<number, number>> = {}) => {
      const outcome = Uint8Array.from(names, (row) => outcomes[row] ?? 0);
      const view = createView({ ...page, outcome }, '', 'name');
      view.rows.set(rows);
      const geometry = layOut(view, { width: 600, room: 900 }, 18);
      return { view, geometry, scroll: { top: 0, left: 0 }, colours: COLOURS, selected: undefined };
    };
    const again = (now: ReturnType<typeof at>): readonly string[] => {
      const { width, height, left } = now.geometry;
      const sheet = new Sheet(width, height);
      const shown = paint(sheet, at(names));
      const before = sheet.texts.length;
      paint(sheet, now, shown);
      return sheet.texts.slice(before).flatMap(({ x, text }) => (x < left ? [text] : []));
    };
    const named = (...rows: readonly number[]) => rows.map((row) => page.controllers[row]);
    expect(again(at(names, { 2: 1, 5: 3 }))).to.deep.equal(named(2, 5));
    const turned = names.map((row) => (row === 0 ? OUTCOMES.length : row === OUTCOMES.length ? 0 : row));
    expect(again(at(turned, { 0: 1 }))).to.deep.equal(named(OUTCOMES.length, 0));
  });
});

describe('a matrix that is scrolled', () => {
  it('has what a new picture would have, and keeps its titles unless they move', () => {
    const view = createView(pageOf(fleetEvents(60, 4)), '', 'name');
    const geometry = layOut(view, { width: 300, room: 260 }, 6);
    const at = (top: number, left: number) => ({
      view,
      geometry,
      scroll: { top, left },
      colours: COLOURS,
      selected: undefined,
    });
    const sheet = new Sheet(geometry.width, geometry.height);
    let shown = paint(sheet, at(0, 0));
    for (const [top, left, titles] of [
      [40, 0, 0],
      [20, 0, 0],
      [20, 30, 5],
      [60, 30, 0],
    ] as const) {
      const before = sheet.texts.length;
      shown = paint(sheet, at(top, left), shown);
      expect(sheet.texts.slice(before).filter(({ y }) => y < geometry.top)).to.have.lengthOf(titles);
      const fresh = new Sheet(geometry.width, geometry.height);
      paint(fresh, at(top, left));
      const pixels = [...Array(geometry.width * geometry.height).keys()].map(
        (pixel) => [pixel % geometry.width, Math.floor(pixel / geometry.width)] as const,
      );
      expect(pixels.find(([x, y]) => sheet.at(x, y) !== fresh.at(x, y))).to.equal(undefined);
    }
  });
});

describe('what the page of a running run computes', () => {
  it('is divided among frames, so that each visits a limited number of cells', () => {
    const view = createView(pageOf(fleetEvents(6000, 6)), '');
    const frames: (() => void)[] = [];
    const work = new FrameWork((run) => frames.push(run));
    let visited = 0;
    const counted = function* <T>(parts: InParts<T>): InParts<T> {
      for (;;) {
        const { done, value } = parts.next();
        if (done === true) return value;
        visited += value;
        yield value;
      }
    };
    const results = new Map<unknown, unknown>();
    const computations: readonly ((of: View) => InParts<unknown>)[] = [visibleFailures, visibleChanges, visibleTimes];
    for (const compute of computations) work.add(counted(compute(view)), (result) => results.set(compute, result));
    const dropped = work.add(counted(visibleTimes(view)), () => results.set('dropped', true));
    dropped();
    const perFrame: number[] = [];
    for (let run = frames.shift(); run !== undefined; run = frames.shift()) {
      visited = 0;
      run();
      perFrame.push(visited);
      expect(frames.length).to.be.at.most(1);
    }
    expect(Math.max(...perFrame)).to.be.at.most(CELLS_PER_FRAME + view.rows.length);
    expect(perFrame.length).to.be.above(2);
    for (const compute of computations) expect(results.get(compute)).to.deep.equal(completed(compute(view)));
    expect(results.size).to.equal(computations.length);
  });

  it('goes on after a computation that throws', () => {
    const frames: (() => void)[] = [];
    const work = new FrameWork((run) => frames.push(run));
    const results: string[] = [];
    work.add(
      // oxlint-disable-next-line require-yield -- it throws first
      (function* (): InParts<string> {
        throw new Error('a bug');
      })(),
      (result) => results.push(result),
    );
    work.add(
      (function* (): InParts<string> {
        yield 1;
        return 'next';
      })(),
      (result) => results.push(result),
    );
    expect(() => frames.shift()?.()).to.throw('a bug');
    frames.shift()?.();
    expect(results).to.deep.equal(['next']);
    expect(frames).to.deep.equal([]);
  });
});
