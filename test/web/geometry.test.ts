import { expect } from 'chai';
import fc from 'fast-check';
import { createView } from '../../src/web/data/view.js';
import { cellAt, layOut, nextRow, rowHeight, rowTop, scrollFor } from '../../src/web/matrix/geometry.js';
import { fleetEvents, pageOf } from '../rig/page_run.js';

const sizes = fc.record({ width: fc.integer({ min: 320, max: 1600 }), room: fc.integer({ min: 300, max: 900 }) });

describe('the geometry of the matrix', () => {
  it('scrolls to a cell so that it is seen, and is found there', () => {
    const cell = fc.record({ row: fc.nat({ max: 99 }), column: fc.integer({ min: -1, max: 19 }) });
    const from = fc.record({ top: fc.nat({ max: 1000 }), left: fc.nat({ max: 800 }) });
    const view = createView(pageOf(fleetEvents(100, 20)), '', 'name');
    fc.assert(
      fc.property(
        sizes,
        fc.nat({ max: 20 }),
        fc.constantFrom(2, 9, 24),
        cell,
        from,
        (size, tall, row, place, scroll) => {
          const geometry = layOut(view, size, row, tall);
          const to = scrollFor(geometry, scroll, place);
          const { left, top, column } = geometry;
          const x = place.column < 0 ? left / 2 : left + (place.column + 0.5) * column - to.left;
          const y = top + rowTop(geometry, place.row) + rowHeight(geometry, place.row) / 2 - to.top;
          expect(cellAt(view, geometry, to, x, y)).to.deep.equal(place);
          expect(y).to.be.within(top, geometry.height);
          if (place.column < 0) expect(to.left).to.equal(scroll.left);
          expect(scrollFor(geometry, to, place)).to.deep.equal(to);
        },
      ),
    );
  });

  it('has heights of rows from 2 to 32, one after the other', () => {
    const heights = [2, 3, 4, 6, 9, 13, 18, 24, 32];
    expect(heights.map((row) => nextRow(row, 1))).to.deep.equal([...heights.slice(1), 32]);
    expect(heights.map((row) => nextRow(row, -1))).to.deep.equal([2, ...heights.slice(0, -1)]);
  });

  it('has columns of up to 150, and level names from 92 on', () => {
    const laid = (columns: number, width: number) => {
      const view = createView(pageOf(fleetEvents(3, columns)), '', 'name');
      const { column, isLevel } = layOut(view, { width, room: 300 }, 18);
      return [column, isLevel];
    };
    expect([laid(1, 320), laid(1, 240), laid(2, 280), laid(2, 279), laid(20, 320)]).to.deep.equal([
      [150, true],
      [144, true],
      [92, true],
      [59, false],
      [11, false],
    ]);
  });

  it('has cells between the names and its edges', () => {
    const view = createView(pageOf(fleetEvents(3, 2)), '', 'name');
    const geometry = layOut(view, { width: 300, room: 300 }, 18);
    const { top, left, width, column } = geometry;
    const found = (x: number, y: number, scroll = { top: 0, left: 0 }) => cellAt(view, geometry, scroll, x, y);
    expect([found(-1, top), found(width, top), found(0, top - 1), found(0, top + 54)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([found(0, top), found(left - 1, top + 53), found(left, top + 18), found(width - 1, top)]).to.deep.equal([
      { row: 0, column: -1 },
      { row: 2, column: -1 },
      { row: 1, column: 0 },
      { row: 0, column: 1 },
    ]);
    expect(found(width - 1, top, { top: 18, left: 2 * column })).to.equal(undefined);
    const wide = createView(pageOf(fleetEvents(3, 40)), '', 'name');
    const narrow = layOut(wide, { width: 300, room: 300 }, 18);
    const ends = [299, 300].map((x) => cellAt(wide, narrow, { top: 0, left: 0 }, x, narrow.top)?.column);
    expect(ends).to.deep.equal([18, undefined]);
  });

  it('has more room for names on wider screens', () => {
    const view = createView(pageOf(fleetEvents(3, 2)), '', 'name');
    const left = [519, 520, 899, 900].map((width) => layOut(view, { width, room: 300 }, 18).left);
    expect(left).to.deep.equal([96, 140, 140, 220]);
  });
});
