import { expect } from 'chai';
import { createView } from '../../../src/web/data/view.js';
import { layOut, type MatrixCell } from '../../../src/web/matrix/geometry.js';
import { Grid } from '../../../src/web/matrix/grid.js';
import { Hovered } from '../../../src/web/matrix/hovered.js';
import { EventMaker } from '../../rig/events.js';
import { fleetEvents, pageOf } from '../../rig/page_run.js';
import { rendered, renderAgain, type Piece } from './rendered.js';

const VIEW = createView(pageOf(fleetEvents(100, 15)), '', 'name');

function grid(active: MatrixCell, isShown: boolean, view = VIEW) {
  const calls: (readonly [string, unknown])[] = [];
  const note = (name: string) => (value: unknown) => calls.push([name, value]);
  const root = rendered(Grid, {
    view,
    active,
    isShown,
    onMove: note('move'),
    onOpen: note('open'),
    onFocus: note('focus'),
  });
  return { root, calls };
}

const rowsOf = (root: Piece): readonly Piece[] =>
  root.all('tr').filter((one) => one.attribute('aria-rowindex') !== undefined && one.parentNode?.localName === 'tbody');
const indexes = (pieces: readonly Piece[], name: string): readonly number[] =>
  pieces.map((one) => Number(one.attribute(name)));

describe('the matrix as a table', () => {
  it('has the rows and columns around the active cell beside the picture', () => {
    const around = (row: number, column: number) => {
      const { root } = grid({ row, column }, false);
      const rows = indexes(rowsOf(root), 'aria-rowindex');
      const columns = indexes(root.all('tr')[0]?.childNodes ?? [], 'aria-colindex');
      return [rows[0], rows.at(-1), columns[1], columns.at(-1)].map(Number);
    };
    expect(around(50, 8)).to.deep.equal([48, 56, 6, 14]);
    expect(around(0, -1)).to.deep.equal([2, 6, 2, 6]);
    expect(around(3, 0)).to.deep.equal([2, 9, 2, 6]);
    expect(around(99, 14)).to.deep.equal([97, 101, 12, 16]);
    const { root } = grid({ row: 50, column: 8 }, false);
    expect(root.firstChild?.attribute('class')).to.equal('grid unseen');
    const [table] = root.all('table');
    expect([table?.attribute('aria-rowcount'), table?.attribute('aria-colcount')]).to.deep.equal(['101', '16']);
  });

  it('has what is visible, and the height of the rest, if it is shown alone', () => {
    const { root } = grid({ row: 0, column: 0 }, true);
    expect(root.firstChild?.attribute('class')).to.equal('grid');
    const rows = rowsOf(root);
    expect(rows.length).to.equal(40);
    expect(root.all('tr').at(-1)?.style).to.deep.equal({ height: '1800px' });
    expect(root.all('th').length).to.equal(1 + 15 + 40);
  });

  it('has the rows around what is visible, the active one, and room for the others', () => {
    const nothing = (): void => undefined;
    const props = { view: VIEW, isShown: true, onMove: nothing, onOpen: nothing, onFocus: nothing };
    const root = rendered(Grid, { ...props, active: { row: 0, column: 0 } });
    const box = root.firstChild as Piece & { scrollTop: number };
    Object.assign(box, { scrollTop: 900, clientHeight: 300 });
    for (const [top, first, count, heights] of [
      [900, 13, 27, ['330px', '300px', '1560px']],
      [270, 3, 26, ['30px', '2190px']],
      [0, 2, 18, ['2460px']],
      [2700, 13, 19, ['330px', '2100px']],
    ] as const) {
      box.scrollTop = top;
      box.dispatch('scroll', {});
      renderAgain(root, Grid, { ...props, active: { row: 11, column: 0 } });
      const rows = indexes(rowsOf(root), 'aria-rowindex');
      expect([rows[0], rows.length], String(top)).to.deep.equal([first, count]);
      const spaces = root.all('tr').filter((one) => one.attribute('aria-hidden') === 'true');
      expect(spaces.map(({ style }) => style['height'])).to.deep.equal(heights);
    }
  });

  it('scrolls no further than the active row needs, if it is shown alone', () => {
    const nothing = (): void => undefined;
    const props = { view: VIEW, onMove: nothing, onOpen: nothing, onFocus: nothing };
    const root = rendered(Grid, { ...props, isShown: true, active: { row: 0, column: 0 } });
    const box = root.firstChild as Piece & { scrollTop: number };
    Object.assign(box, { scrollTop: 0, clientHeight: 300 });
    const to = (row: number, isShown = true): number => {
      box.dispatch('scroll');
      renderAgain(root, Grid, { ...props, isShown, active: { row, column: 0 } });
      return box.scrollTop;
    };
    // Nine rows fit below the titles, the last of them with a row of room.
    expect([7, 8, 1, 0, 50, 43, 42].map((row) => to(row))).to.deep.equal([0, 30, 30, 0, 1290, 1290, 1260]);
    box.scrollTop = 15;
    expect([to(7), to(8)]).to.deep.equal([15, 30]);
    expect([to(90, false), to(90)]).to.deep.equal([30, 2490]);
  });

  it('can be tabbed to at the active cell only', () => {
    for (const column of [-1, 2]) {
      const { root } = grid({ row: 1, column }, false);
      const cells = [...root.all('tbody')[0]!.all('th'), ...root.all('td')];
      const tabbed = cells.filter((one) => one.attribute('tabindex') === '0');
      expect(tabbed.map((one) => one.attribute('aria-colindex'))).to.deep.equal([String(column + 2)]);
      expect(tabbed[0]?.parentNode?.attribute('aria-rowindex')).to.equal('3');
      expect(new Set(cells.map((one) => one.attribute('tabindex')))).to.deep.equal(new Set(['-1', '0']));
    }
  });

  it('moves to a cell that is clicked, and opens it', () => {
    const { root, calls } = grid({ row: 50, column: 8 }, false);
    rowsOf(root)[1]?.childNodes[2]?.dispatch('click');
    rowsOf(root)[2]?.childNodes[0]?.dispatch('click');
    expect(calls).to.deep.equal([
      ['move', { row: 47, column: 5 }],
      ['open', { row: 47, column: 5 }],
      ['move', { row: 48, column: -1 }],
      ['open', { row: 48, column: -1 }],
    ]);
  });

  it('moves by keys, and no further than its edges', () => {
    const press = (active: MatrixCell, key: string, more = {}) => {
      const { root, calls } = grid(active, false);
      root.all('table')[0]?.dispatch('keydown', { key, ...more });
      return calls.map(([name, to]) => [name, (to as MatrixCell).row, (to as MatrixCell).column]);
    };
    const middle = { row: 50, column: 8 };
    const first = { row: 0, column: -1 };
    const last = { row: 99, column: 14 };
    const moves: readonly (readonly [MatrixCell, string, object, number, number])[] = [
      [middle, 'ArrowDown', {}, 51, 8],
      [middle, 'ArrowUp', {}, 49, 8],
      [middle, 'ArrowLeft', {}, 50, 7],
      [middle, 'ArrowRight', {}, 50, 9],
      [middle, 'PageDown', {}, 70, 8],
      [middle, 'PageUp', {}, 30, 8],
      [middle, 'Home', {}, 50, -1],
      [middle, 'End', {}, 50, 14],
      [middle, 'Home', { ctrlKey: true }, 0, -1],
      [middle, 'End', { ctrlKey: true }, 99, 14],
      [first, 'ArrowUp', {}, 0, -1],
      [first, 'ArrowLeft', {}, 0, -1],
      [last, 'ArrowDown', {}, 99, 14],
      [last, 'ArrowRight', {}, 99, 14],
      [last, 'PageDown', {}, 99, 14],
    ];
    for (const [from, key, more, row, column] of moves)
      expect(press(from, key, more), key).to.deep.equal([['move', row, column]]);
    for (const key of ['Enter', ' ']) expect(press(middle, key)).to.deep.equal([['open', 50, 8]]);
    for (const more of [{ altKey: true }, { metaKey: true }]) expect(press(middle, 'ArrowUp', more)).to.deep.equal([]);
    expect(press(middle, 'x')).to.deep.equal([]);
  });

  it('says when it gets and loses the focus', () => {
    const { root, calls } = grid({ row: 0, column: 0 }, false);
    root.all('table')[0]?.dispatch('focusin');
    root.all('table')[0]?.dispatch('focusout');
    expect(calls).to.deep.equal([
      ['focus', true],
      ['focus', false],
    ]);
  });

  it('names controllers with outcome and route, and the state of each cell', () => {
    const make = new EventMaker();
    const view = createView(
      pageOf([
        make.runStarted(),
        make.playStarted(['lb1', 'lb2'], { routes: { paris: [1] } }),
        make.taskFinished('lb1', 'changed', { task: 'One' }),
        make.taskFinished('lb2', 'failed', { task: 'One', message: 'no' }),
        ...['lb1', 'lb2'].map((name) => make.controllerFinished(name)),
      ]),
      '',
      'name',
    );
    const { root } = grid({ row: 0, column: 0 }, true, view);
    expect(root.all('tr').map((one) => one.childNodes.map(({ text }) => text))).to.deep.equal([
      ['Controller', 'One'],
      ['× lb2 failed paris', '× failed'],
      ['Δ lb1 changed', 'Δ changed'],
    ]);
    expect(root.all('td').map((one) => one.attribute('class'))).to.deep.equal(['failed', 'changed']);
    expect(root.all('th')[1]?.attribute('title')).to.equal('Roll out');
  });
});

describe('what is under the pointer', () => {
  const make = new EventMaker();
  const page = pageOf([
    make.runStarted(),
    make.playStarted(['lb1', 'lb2']),
    make.taskFinished('lb1', 'failed', { task: 'One', message: `lb1 ${'x'.repeat(300)}\nand more`, seconds: 2 }),
    make.taskFinished('lb2', 'ok', { task: 'One' }),
    make.taskFinished('lb2', 'ok', {
      task: 'Two',
      message: 'lb2 is well',
      source: { file: 'a.yml', line: 9, column: 1 },
    }),
  ]);
  const view = createView(page, '', 'name');
  const geometry = layOut(view, { width: 600, room: 400 }, 18);
  const hovered = (cell: MatrixCell, x: number, y: number) =>
    rendered(Hovered, { view, geometry, scroll: { top: 0, left: 0 }, pointer: { cell, x, y } });

  it('is said in words, with the first 200 characters of the message', () => {
    const text = (row: number, column: number) => hovered({ row, column }, 0, 0).text;
    expect(text(0, 0)).to.equal(`lb1 · Onefailed in 2.0 s${`lb1 ${'x'.repeat(300)}`.slice(0, 200)}`);
    expect(text(0, 1)).to.equal('lb1 · Twonot run');
    expect(text(1, 0)).to.equal('lb2 · Oneok in 0.2 s');
    expect(text(1, -1)).to.equal('lb2');
    const { width } = geometry;
    expect(hovered({ row: 1, column: 1 }, width, 400).inner).to.equal(
      `<div class="hovered" style="top:${geometry.top + 18}px;width:${Math.min(width, geometry.contentWidth)}px;height:18px"></div>` +
        `<div class="tip" aria-hidden="true" style="right:24px;bottom:${geometry.height - 400 + 14}px"><strong>lb2</strong>` +
        ' · Two<br><span class="ink-ok">ok</span><span class="dim"> in 0.2 s</span><div class="dim">lb2 is well</div></div>',
    );
  });

  it('is shown on the side that has room', () => {
    const { width, height } = geometry;
    const place = (x: number, y: number) => hovered({ row: 1, column: 0 }, x, y).all('div')[1]?.style;
    expect(place(100, 20)).to.deep.equal({ left: '114px', top: '34px' });
    expect(place(width / 2, height / 2)).to.deep.equal({ left: `${width / 2 + 14}px`, top: `${height / 2 + 14}px` });
    expect(place(width / 2 + 1, height / 2 + 1)).to.deep.equal({
      right: `${width / 2 - 1 + 24}px`,
      bottom: `${height / 2 - 1 + 14}px`,
    });
    expect(hovered({ row: 1, column: 0 }, 0, 0).all('div')[0]?.style).to.deep.equal({
      top: `${geometry.top + 18}px`,
      width: `${Math.min(width, geometry.contentWidth)}px`,
      height: '18px',
    });
  });
});
