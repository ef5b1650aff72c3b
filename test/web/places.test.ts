import { expect } from 'chai';
import { createView } from '../../src/web/data/view.js';
import { fitted } from '../../src/web/matrix/context.js';
import { cellAt, fittingRow, layOut, rowAt, rowHeight, rowTop } from '../../src/web/matrix/geometry.js';
import { fleetEvents, pageOf } from '../rig/page_run.js';
import { LETTER, Sheet } from './sheet.js';

describe('a text on the canvas', () => {
  /** Counts what is measured. */
  class Measured extends Sheet {
    measured = 0;
    override measureText(text: string): { readonly width: number } {
      this.measured += 1;
      return super.measureText(text);
    }
  }
  const shown = (text: string, width: number): string => fitted(new Sheet(1, 1), text, width);

  it('is whole where it fits, else its longest beginning with an ellipsis, or nothing', () => {
    const widths = [6, 5, 4, 3, 2, 1, 0];
    expect(widths.map((letters) => shown('abcdef', letters * LETTER))).to.deep.equal([
      'abcdef',
      'abcd…',
      'abc…',
      'ab…',
      'a…',
      '',
      '',
    ]);
    expect(shown('abcdef', 6 * LETTER - 1)).to.equal('abcd…');
    expect(shown('abcdef', 5 * LETTER - 1)).to.equal('abc…');
    expect(shown('', 0)).to.equal('');
  });

  it('is measured once for each font and width', () => {
    const sheet = new Measured(1, 1);
    const texts = (font: string): readonly string[] => {
      sheet.font = font;
      return ['measured once', 'another'].map((text) => fitted(sheet, text, 7 * LETTER));
    };
    expect(texts('11px a')).to.deep.equal(['measur…', 'another']);
    const { measured } = sheet;
    expect(measured).to.be.greaterThan(1);
    expect(texts('11px a')).to.deep.equal(['measur…', 'another']);
    expect(sheet.measured).to.equal(measured);
    expect(texts('12px a')).to.deep.equal(['measur…', 'another']);
    expect(sheet.measured).to.equal(2 * measured);
    expect(fitted(sheet, 'measured once', 13 * LETTER)).to.equal('measured once');
  });
});

describe('the places of the matrix', () => {
  const view = createView(pageOf(fleetEvents(10, 3)), '', 'name');
  const geometry = layOut(view, { width: 900, room: 400 }, 9, 2);
  const { left, top, column, width, row, tallRow } = geometry;
  const at = (x: number, y: number, scroll = { top: 0, left: 0 }) => cellAt(view, geometry, scroll, x, y);

  it('are cells and names, from the first pixel to the last', () => {
    expect(width).to.equal(900);
    expect([left, 400 >= geometry.height]).to.deep.equal([220, true]);
    const bottom = top + 2 * tallRow + 8 * row;
    expect(at(0, top)).to.deep.equal({ row: 0, column: -1 });
    expect(at(left - 1, top + tallRow - 1)).to.deep.equal({ row: 0, column: -1 });
    expect(at(left, top + tallRow)).to.deep.equal({ row: 1, column: 0 });
    expect(at(left + column, top + 2 * tallRow)).to.deep.equal({ row: 2, column: 1 });
    expect(at(left + 3 * column - 1, bottom - 1)).to.deep.equal({ row: 9, column: 2 });
    expect(at(left, top, { top: tallRow, left: column })).to.deep.equal({ row: 1, column: 1 });
    for (const [x, y] of [
      [-1, top],
      [0, top - 1],
      [width, top],
      [left + 3 * column, top],
      [0, bottom],
    ] as const)
      expect(at(x, y), `${x} ${y}`).to.equal(undefined);
    expect(at(0, top, { top: -1, left: 0 }), 'scrolled beyond the first row').to.equal(undefined);
  });

  it('are one below the other, the readable ones first', () => {
    const heights = Array.from({ length: 10 }, (_, place) => rowHeight(geometry, place));
    expect(heights).to.deep.equal([tallRow, tallRow, row, row, row, row, row, row, row, row]);
    expect(tallRow).to.be.greaterThan(row);
    for (const place of heights.keys()) {
      expect(rowAt(geometry, rowTop(geometry, place)), `${place}`).to.equal(place);
      expect(rowAt(geometry, rowTop(geometry, place) + rowHeight(geometry, place) / 2)).to.equal(place + 0.5);
    }
  });

  it('have the largest rows up to 24 that need no scrolling, or the smallest', () => {
    const above = layOut(view, { width: 320, room: 400 }, 2).top;
    const fits = (rows: number, room: number): number => fittingRow(rows, 0, above + room);
    expect([fits(10, 240), fits(10, 10_000), fits(1000, 10)]).to.deep.equal([24, 24, 2]);
    expect(fits(10, 239)).to.be.lessThan(24);
    expect(fits(100, 200)).to.equal(2);
    expect(fits(100, 300)).to.equal(3);
  });
});
