import { expect } from 'chai';
import { createView, type View } from '../../../src/web/data/view.js';
import {
  fittingRow,
  layOut,
  nextRow,
  rowAt,
  rowTop,
  scrollFor,
  type Scroll,
} from '../../../src/web/matrix/geometry.js';
import { Matrix, type MatrixProps } from '../../../src/web/matrix/matrix.js';
import { fleetEvents, pageOf } from '../../rig/page_run.js';
import { PaintingBrowser, SIZE, type Painted, type Scrolled } from './painting_browser.js';
import { Piece, renderAgain, rendered } from './rendered.js';

const [ROWS, STEPS] = [100, 40];
const PAGE = pageOf(fleetEvents(ROWS, STEPS));

function viewOf(status: View['page']['run']['status'], lost = 0): View {
  const view = createView(PAGE, '', 'name');
  return { ...view, lost, page: { ...view.page, run: { ...view.page.run, status } } };
}

describe('the matrix of the page', () => {
  let browser: PaintingBrowser;
  beforeEach(() => (browser = new PaintingBrowser()));
  afterEach(() => browser.close());

  const shown = async (view: View, given: Partial<MatrixProps> = {}) => {
    const opened: unknown[] = [];
    const props: MatrixProps = {
      view,
      selected: undefined,
      isTable: false,
      colours: 'light',
      onOpen: (cell) => opened.push(cell),
      ...given,
    };
    const root = rendered(Matrix, props);
    await browser.settled();
    const named = (name: string): (Piece & Scrolled) | undefined =>
      root.all('div').find((one) => one.attribute('class') === name);
    return {
      root,
      opened,
      scroller: named('scroller'),
      canvas: root.all('canvas')[0],
      overview: root.all('canvas')[1],
      table: root.all('table')[0],
      place: () => {
        const { scrollTop = 0, scrollLeft = 0 } = named('scroller') ?? {};
        return { top: scrollTop, left: scrollLeft };
      },
      again: async (next: Partial<MatrixProps>) => {
        renderAgain(root, Matrix, { ...props, ...next });
        await browser.settled();
      },
    };
  };
  const [cell, other] = [
    { row: 60, column: 35 },
    { row: 20, column: 2 },
  ];
  const view = viewOf('failed');
  const row = fittingRow(ROWS, 0, SIZE.room);
  const geometry = layOut(view, SIZE, row);
  const start = { top: 0, left: 0 };

  it('scrolls to the cell that is selected, once for each', async () => {
    const { again, place, scroller } = await shown(view, { selected: cell });
    const first = scrollFor(geometry, start, cell);
    expect(first.left).to.be.above(0);
    expect(place()).to.deep.equal(first);
    scroller?.scrollTo?.({ top: 3, left: 4 });
    await again({ selected: { ...cell } });
    expect(place()).to.deep.equal({ top: 3, left: 4 });
    await again({ selected: other });
    expect(place()).to.deep.equal(scrollFor(geometry, { top: 3, left: 4 }, other));
    for (const next of [{ ...other, row: 90 }, { row: 90, column: 38 }, undefined]) {
      const before = place();
      await again({ selected: next });
      expect(place()).to.deep.equal(next === undefined ? before : scrollFor(geometry, before, next));
      if (next !== undefined) expect(place()).to.not.deep.equal(before);
    }
  });

  it('scrolls where the keys move, and opens that cell if one is open', async () => {
    const quiet = await shown(view);
    quiet.table?.dispatch('keydown', { key: 'End', ctrlKey: true });
    const last = { row: ROWS - 1, column: STEPS - 1 };
    expect(quiet.place()).to.deep.equal(scrollFor(geometry, start, last));
    expect(quiet.opened).to.deep.equal([]);
    quiet.table?.dispatch('keydown', { key: 'Enter' });
    expect(quiet.opened).to.deep.equal([last]);
    const open = await shown(view, { selected: cell });
    open.table?.dispatch('keydown', { key: 'ArrowDown' });
    open.table?.dispatch('keydown', { key: 'Home', ctrlKey: true });
    expect(open.opened).to.deep.equal([
      { row: 61, column: 35 },
      { row: 0, column: -1 },
    ]);
    expect(open.place().top).to.equal(0);
  });

  it('opens the cell that is clicked, and names the one under the pointer until it leaves', async () => {
    const { canvas, opened, root, again } = await shown(view);
    const hovered = `${PAGE.controllers[view.rows[2] ?? 0]} · Step 2 <b>`;
    const at = { offsetX: geometry.left + 1.5 * geometry.column, offsetY: geometry.top + 2.5 * geometry.row };
    canvas?.dispatch('click', at);
    canvas?.dispatch('click', { offsetX: at.offsetX, offsetY: 1 });
    expect(opened).to.deep.equal([{ row: 2, column: 1 }]);
    canvas?.dispatch('mousemove', at);
    expect(root.text).to.include(hovered);
    canvas?.dispatch('mousemove', { ...at, offsetY: 1 });
    expect(root.text).not.to.include(hovered);
    canvas?.dispatch('mousemove', at);
    canvas?.dispatch('mouseleave');
    expect(root.text).not.to.include(hovered);
    canvas?.dispatch('mousemove', at);
    await again({ view: createView(PAGE, `host:${PAGE.controllers[0]}`, 'name') });
    expect(root.text).not.to.include('· Step 2 <b>');
  });

  it('keeps the row in the middle, or under the wheel, where it is while rows change their heights', async () => {
    const buttons = (root: Piece, label: string) =>
      root.all('button').find((one) => one.attribute('aria-label') === label);
    const expected = (from: number, by: 1 | -1, scroll: Scroll, y: number) => {
      const before = layOut(view, SIZE, from);
      const below = Math.max(0, y - before.top);
      const after = layOut(view, SIZE, nextRow(from, by));
      return { top: Math.max(0, rowTop(after, rowAt(before, scroll.top + below)) - below), left: scroll.left };
    };
    const middle = geometry.height / 2;
    const larger = nextRow(row, 1);
    for (const zoom of [
      (root: Piece) => buttons(root, 'Larger rows')?.dispatch('click'),
      (root: Piece) => root.all('div')[0]?.dispatch('keydown', { key: '+' }),
      (root: Piece) => root.all('div')[0]?.dispatch('keydown', { key: '=' }),
    ]) {
      const { place, root, scroller } = await shown(view);
      scroller?.scrollTo?.({ top: 10, left: 20 });
      zoom(root);
      await browser.settled();
      const once = expected(row, 1, { top: 10, left: 20 }, middle);
      expect(place()).to.deep.equal(once);
      expect(once.top).to.be.above(10);
      buttons(root, 'Smaller rows')?.dispatch('click');
      await browser.settled();
      const back = expected(larger, -1, once, layOut(view, SIZE, larger).height / 2);
      expect(place()).to.deep.equal(back);
      root.all('div')[0]?.dispatch('keydown', { key: 'x' });
      await browser.settled();
      expect(place()).to.deep.equal(back);
    }
    const { place, scroller } = await shown(view);
    scroller?.scrollTo?.({ top: 10, left: 20 });
    const wheel = async (deltaY: number, timeStamp: number, ctrlKey: boolean, offsetY: number) => {
      let isPrevented = false;
      const preventDefault = (): void => {
        isPrevented = true;
      };
      scroller?.dispatch('wheel', { deltaY, timeStamp, ctrlKey, offsetY, preventDefault });
      await browser.settled();
      return isPrevented;
    };
    expect(await wheel(-1, 100, false, 200)).to.equal(false);
    expect(place()).to.deep.equal({ top: 10, left: 20 });
    expect(await wheel(-1, 100, true, 200)).to.equal(true);
    const near = expected(row, 1, { top: 10, left: 20 }, 200);
    expect(place()).to.deep.equal(near);
    expect(await wheel(-1, 159, true, 200)).to.equal(true);
    expect(place()).to.deep.equal(near);
    await wheel(1, 160, true, 20);
    expect(place()).to.deep.equal(expected(larger, -1, near, 20));
  });

  it('scrolls to where the overview is pressed, and follows while it stays pressed', async () => {
    const { overview, place, scroller } = await shown(view);
    const at = (y: number) => (y / geometry.height) * rowTop(geometry, ROWS) - (geometry.height - geometry.top) / 2;
    scroller?.scrollTo?.({ top: 0, left: 7 });
    overview?.dispatch('pointerdown', { pointerId: 5, offsetY: 200 });
    expect(overview?.calls).to.deep.equal(['capture 5']);
    expect(place()).to.deep.equal({ top: at(200), left: 7 });
    overview?.dispatch('pointermove', { buttons: 0, offsetY: 250 });
    expect(place().top).to.equal(at(200));
    overview?.dispatch('pointermove', { buttons: 1, offsetY: 250 });
    expect(place().top).to.equal(at(250));
  });

  it('has a table alone, or a picture that is as large as what it shows', async () => {
    const table = await shown(view, { isTable: true });
    expect([table.root.all('canvas').length, table.root.all('table').length]).to.deep.equal([0, 1]);
    expect(table.root.all('button')).to.deep.equal([]);
    const { scroller, canvas, root } = await shown(view);
    const { height, contentWidth, contentHeight, width } = geometry;
    expect(scroller?.style).to.deep.equal({ height: `${height + 16}px` });
    expect(canvas?.style).to.deep.equal({ width: `${width}px`, height: `${height}px` });
    const extent = root.all('div').find((one) => one.attribute('class') === 'extent');
    expect(extent?.style).to.deep.equal({ width: `${contentWidth}px`, height: `${contentHeight - height}px` });
    const narrow = createView(pageOf(fleetEvents(3, 2)), '', 'name');
    const few = await shown(narrow);
    const small = layOut(narrow, SIZE, fittingRow(3, narrow.lost, SIZE.room), narrow.lost);
    expect(few.scroller?.style).to.deep.equal({ height: `${small.height}px` });
  });

  it('has readable rows for controllers with problems, in a run that runs for up to sixteen more', async () => {
    const scrolledTo = async (status: View['page']['run']['status'], lost: number) =>
      (await shown(viewOf(status, lost), { selected: cell })).place().top;
    const expected = (tall: number) => {
      const tallest = layOut(view, SIZE, fittingRow(ROWS, tall, SIZE.room), tall);
      return scrollFor(tallest, start, cell).top;
    };
    expect(await scrolledTo('failed', 17)).to.equal(expected(17));
    expect(await scrolledTo('running', 17)).to.equal(expected(32));
    expect(await scrolledTo('running', 0)).to.equal(expected(0));
    expect(await scrolledTo('running', 99)).to.equal(expected(100));
  });

  it('paints what is selected or has the focus, again after each change', async () => {
    const { again, canvas, table } = await shown(view);
    const strokes = (): number => (canvas as Partial<Painted> | undefined)?.strokes?.length ?? 0;
    expect(strokes()).to.equal(0);
    table?.dispatch('focusin');
    await browser.settled();
    const focused = strokes();
    expect(focused).to.be.above(0);
    table?.dispatch('focusout');
    await browser.settled();
    expect(strokes()).to.equal(focused);
    await again({ selected: other });
    expect(strokes()).to.be.above(focused);
  });

  it('is new in picture, overview and table after what it shows, its colours or its place change', async () => {
    const { again, root } = await shown(view, { selected: other });
    const canvases = (): readonly (Piece & Partial<Painted>)[] => root.all('canvas');
    const counts = (): readonly number[] => {
      const [picture, overview] = canvases();
      return [picture?.strokes?.length ?? 0, overview?.fills?.length ?? 0];
    };
    const change = async (next: Partial<MatrixProps>): Promise<readonly boolean[]> => {
      const before = counts();
      await again({ selected: other, ...next });
      return counts().map((count, at) => count > (before[at] ?? 0));
    };
    const first = (): string | undefined => root.all('tbody')[0]?.all('th')[0]?.text;
    const name = ({ rows }: View, place: number): string => PAGE.controllers[rows[place] ?? 0] ?? '';
    const turned = { ...view, rows: view.rows.toReversed() };
    expect(first()).to.include(name(view, other.row - 4));
    expect(await change({ view: turned })).to.deep.equal([true, true]);
    expect(first()).to.include(name(turned, other.row - 4));
    expect(name(turned, 0)).to.not.equal(name(view, 0));

    const value = () => ({ color: 'dark ink', backgroundColor: 'dark fill' });
    Object.defineProperty(globalThis, 'getComputedStyle', { value, configurable: true });
    expect(await change({ view: turned, colours: 'dark' })).to.deep.equal([true, true]);
    expect(canvases()[1]?.fills?.at(-1)).to.equal('dark fill');

    const classes = (): readonly unknown[] => root.all('div').map((one) => one.attribute('class'));
    expect(classes()).to.include('grid unseen');
    await again({ selected: other, isTable: true });
    expect(canvases()).to.deep.equal([]);
    expect(classes()).to.include('grid');
    expect(await change({})).to.deep.equal([true, true]);
    expect(classes()).to.include('grid unseen');
  });

  it('is as high as its rows, if there are fewer of the same height', async () => {
    const { again, root } = await shown(view);
    root.all('div')[0]?.dispatch('keydown', { key: '+' });
    await browser.settled();
    for (const count of [ROWS, 50, 60]) {
      const part = { ...view, rows: view.rows.subarray(0, count) };
      await again({ view: part });
      const { contentHeight, height } = layOut(part, SIZE, nextRow(row, 1));
      const extent = root.all('div').find((one) => one.attribute('class') === 'extent');
      expect(extent?.style['height'], String(count)).to.equal(`${contentHeight - height}px`);
    }
  });

  it('is not painted while it has no width', async () => {
    Object.defineProperty(Piece.prototype, 'clientWidth', { get: () => 0, configurable: true });
    const { canvas } = await shown(view, { selected: cell });
    expect((canvas as Partial<Painted> | undefined)?.context).to.equal(undefined);
  });
});
