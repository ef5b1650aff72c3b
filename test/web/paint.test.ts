import { expect } from 'chai';
import { CELL_STATES, OUTCOMES, type Page } from '../../src/reporting/page/format/page.js';
import { codeAt, createView, VIEW_ORDERS, type View, type ViewOrder } from '../../src/web/data/view.js';
import { GLYPHS } from '../../src/web/data/words.js';
import type { Colours } from '../../src/web/matrix/context.js';
import {
  cellAt,
  fittingRow,
  layOut,
  READABLE,
  rowBox,
  scrollFor,
  type MatrixCell,
  type Geometry,
  type Scroll,
} from '../../src/web/matrix/geometry.js';
import { paint } from '../../src/web/matrix/paint.js';
import { hasSameTitles, isSameLayout, visibleColumns, type PaintedMatrix } from '../../src/web/matrix/shown.js';
import { controllerNames, EventMaker } from '../rig/events.js';
import { pageOf } from '../rig/page_run.js';
import { LETTER, Sheet } from './sheet.js';

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

const NAMES = controllerNames(24);
/** Two plays of two tasks and a handler each. Each pair of controllers ends in another way. */
const PAGE = pageOf(
  (function* () {
    const make = new EventMaker();
    yield make.runStarted();
    const groups = { emea: [...NAMES.keys()].slice(0, 12), apac: [...NAMES.keys()].slice(12) };
    for (const [nth, play] of ['Prepare the site', 'Roll out'].entries()) {
      yield make.playStarted(NAMES, { play, tasks: 2, groups });
      yield make.batchStarted(NAMES);
      const at = (line: number) => ({ source: { file: `site${nth}.yml`, line, column: 3 } });
      for (const [index, name] of NAMES.entries()) {
        const kind = (index >> 1) + nth;
        const [one, two, tell] = [
          { task: 'Create the cloud', ...at(4) },
          { task: 'Say', ...at(9) },
          { task: 'Tell everybody about it', ...at(14), handler: true },
        ];
        if (kind === 0) continue;
        if (kind % 8 === 1) yield make.taskFinished(name, 'unreachable', one);
        else if (kind % 8 === 2) yield make.taskFinished(name, 'failed', { ...one, ignored: true });
        else yield make.taskFinished(name, kind % 3 === 0 ? 'changed' : 'ok', one);
        if (kind % 8 === 3) yield make.taskFinished(name, 'failed', { ...two, rescued: true });
        else if (kind % 8 === 4) yield make.taskFinished(name, 'interrupted', two);
        else if (kind % 8 > 4) yield make.taskFinished(name, kind % 2 === 0 ? 'skipped' : 'failed', two);
        if (kind % 4 === 2) yield make.taskFinished(name, 'changed', tell);
      }
      yield make.playFinished();
    }
    yield make.runFinished();
  })(),
);

interface Shown {
  readonly view: View;
  readonly geometry: Geometry;
  readonly scroll: Scroll;
  readonly sheet: Sheet;
}

interface Options {
  readonly row?: number;
  readonly width?: number;
  readonly room?: number;
  readonly scroll?: Scroll;
  readonly query?: string;
  readonly order?: ViewOrder;
  readonly selected?: MatrixCell;
  readonly page?: Page;
}

const TOP: Scroll = { top: 0, left: 0 };

function show(options: Options = {}): Shown {
  const { row = 18, width = 600, room = 400, scroll = TOP, query = '', order = 'name' } = options;
  const view = createView(options.page ?? PAGE, query, order);
  const geometry = layOut(view, { width, room }, row);
  const sheet = new Sheet(geometry.width, geometry.height);
  paint(sheet, { view, geometry, scroll, colours: COLOURS, selected: options.selected });
  return { view, geometry, scroll, sheet };
}

const SIZES = [2, 6, 9, READABLE, 24];
const SCROLLS: readonly Scroll[] = [TOP, { top: 31, left: 0 }, { top: 0, left: 37 }, { top: 100, left: 90 }];
/** The columns of the second are as narrow as they may be to have glyphs. */
const WIDTHS = [130, 238, 300, 1000];

/** In each size, scrolled in each way. */
const everywhere = SIZES.flatMap((row) =>
  WIDTHS.flatMap((width) => SCROLLS.map((scroll) => ({ row, width, scroll, room: 300 }))),
);

/** Each cell of a view, and where it is on the sheet. */
function cells({ view, geometry, scroll }: Shown) {
  return [...view.rows].flatMap((row, place) =>
    view.columns.map((column, at) => ({
      place,
      at,
      code: codeAt(view.page, row, column),
      x: geometry.left + at * geometry.column - scroll.left,
      y: geometry.top + place * geometry.row - scroll.top,
    })),
  );
}

describe('the painted matrix', () => {
  it('is painted from cells of every state', () => {
    expect([...new Set(PAGE.state)].sort((a, b) => a - b)).to.deep.equal([...CELL_STATES.keys()]);
    expect(PAGE.columns.map(({ type }) => type)).to.include.members(['task', 'handler']);
  });

  it('looks at no columns but those in sight', () => {
    const seen = (left: number) => {
      const { view, geometry } = show({ width: 130 });
      return visibleColumns({ view, geometry, scroll: { top: 0, left }, colours: COLOURS, selected: undefined });
    };
    // Beside the names, there is room for three columns of eleven pixels and a part of a fourth one.
    expect([0, 13, 32].map(seen)).to.deep.equal([
      [0, 4],
      [1, 5],
      [2, 6],
    ]);
  });

  it('has each cell in the colour of its state, and only within its place', () => {
    for (const options of everywhere) {
      const shown = show(options);
      const { geometry, sheet } = shown;
      for (const { x, y, code } of cells(shown)) {
        const [middle, height] = [x + Math.floor(geometry.column / 2), geometry.row];
        const colour = code === 0 ? 'panel' : COLOURS.fill[code];
        const isFree = (left: number, top: number) =>
          left >= geometry.left && left < geometry.width && top >= geometry.top && top < geometry.height;
        const where = JSON.stringify(options);
        for (let line = y; line < y + height; line++) {
          const isGap = height >= 9 && line === y + height - 1;
          if (isFree(middle, line)) expect(sheet.at(middle, line), where).to.equal(isGap ? 'panel' : colour);
          if (isFree(x, line)) expect(sheet.at(x, line), where).to.equal(isGap ? 'panel' : colour);
          const gap = x + geometry.column - 1;
          if (isFree(gap, line)) expect(sheet.at(gap, line), where).to.equal('panel');
        }
      }
    }
  });

  it('has nothing below its last row', () => {
    const make = new EventMaker();
    const names = ['lb1', 'lb2'];
    const page = pageOf([
      make.runStarted(),
      make.playStarted(names),
      ...names.map((name) => make.taskFinished(name, 'ok')),
    ]);
    for (const row of [2, 6, 24]) {
      const { geometry, sheet } = show({ page, row });
      const column = Array.from({ length: geometry.height - geometry.top }, (_, y) =>
        sheet.at(geometry.left, geometry.top + y),
      );
      const gap = row >= 9 ? 1 : 0;
      const one = [...new Array<string>(row - gap).fill('fill ok'), ...new Array<string>(gap).fill('panel')];
      expect(column).to.deep.equal([...one, ...one, 'panel', 'panel', 'panel', 'panel']);
    }
  });

  it('has no cell over its titles and names', () => {
    for (const options of everywhere) {
      const { geometry, sheet } = show(options);
      const { left, top, width, height } = geometry;
      for (let y = 18; y < top - 1; y++)
        for (const x of [0, left - 1, left, left + 5, width - 1]) expect(sheet.at(x, y)).to.equal('panel');
      for (let y = top; y < height; y++) expect(sheet.at(0, y)).to.equal('panel');
      for (const x of [0, left - 1]) expect(sheet.at(x, 0)).to.equal('panel');
    }
  });

  it('has a glyph in the middle of each visible cell if there is room', () => {
    for (const options of everywhere) {
      const shown = show(options);
      const { geometry, sheet } = shown;
      const isRoom = geometry.row >= READABLE && geometry.column >= READABLE;
      const isVisible = ({ x, y }: { x: number; y: number }) =>
        x + geometry.column > geometry.left &&
        x < geometry.width &&
        y + geometry.row > geometry.top &&
        y < geometry.height;
      const expected = cells(shown).flatMap((cell) => {
        const text = GLYPHS[CELL_STATES[cell.code] ?? 'none'];
        const x = cell.x + (geometry.column - 1) / 2;
        const y = cell.y + (geometry.row - 1) / 2 + 0.5;
        return isRoom && text !== '' && isVisible(cell) ? [{ text, x, y, style: COLOURS.ink[cell.code] }] : [];
      });
      const glyphs = sheet.texts.filter(({ style }) => String(style).startsWith('ink '));
      const found = glyphs.map(({ text, x, y, style }) => ({ text, x, y, style }));
      expect(found, JSON.stringify(options)).to.have.deep.members(expected);
      for (const { font, textAlign, textBaseline } of glyphs) {
        expect([textAlign, textBaseline]).to.deep.equal(['center', 'middle']);
        expect(font).to.equal(`600 ${Math.min(15, geometry.row - 4)}px system-ui, sans-serif`);
      }
    }
  });

  it('has the names of controllers, with their outcome, if there is room', () => {
    for (const options of everywhere) {
      const shown = show({ ...options, selected: { row: 5, column: -1 } });
      const { view, geometry, scroll, sheet } = shown;
      const y = (place: number) => geometry.top + (place + 0.5) * geometry.row - scroll.top;
      const visible = [...view.rows].flatMap((row, place) =>
        y(place) + geometry.row / 2 > geometry.top && y(place) - geometry.row / 2 < geometry.height
          ? [[row, place] as const]
          : [],
      );
      const names = sheet.texts.filter(({ x }) => x === 11);
      const size = Math.min(13, geometry.row - 2);
      const expected = visible.map(([row, place]) => ({
        text: PAGE.controllers[row],
        x: 11,
        y: y(place),
        style: 'text',
        angle: 0,
        textAlign: 'left',
        textBaseline: 'middle',
        font: `${place === 5 ? '600 ' : ''}${size}px system-ui, sans-serif`,
      }));
      expect(names, JSON.stringify(options)).to.deep.equal(geometry.row >= READABLE ? expected : []);
      for (const [row, place] of geometry.row >= READABLE ? visible : []) {
        const middle = Math.floor(y(place));
        if (middle < geometry.top || middle >= geometry.height) continue;
        const across = [1, 2, 5, 6].map((x) => sheet.at(x, middle));
        const colour = COLOURS.outcome[PAGE.outcome[row] ?? 0];
        expect(across).to.deep.equal(['panel', colour, colour, 'panel']);
        const below = Math.ceil(y(place) + geometry.row / 2) - 1;
        if (below < geometry.height) expect(sheet.at(3, below)).to.equal('panel');
      }
    }
  });

  it('has readable rows at the top for controllers that failed, in every order, however low the others are', () => {
    for (const order of VIEW_ORDERS) {
      const view = createView(PAGE, '', order);
      const outcomes = [...view.rows].map((row) => OUTCOMES[PAGE.outcome[row] ?? 0] ?? '');
      const isLost = (outcome: string) => outcome === 'failed' || outcome === 'unreachable';
      expect(view.lost).to.equal(outcomes.filter(isLost).length).and.be.above(1);
      expect(outcomes.slice(0, view.lost).every(isLost), order).to.equal(true);
      const geometry = layOut(view, { width: 600, room: 400 }, 2, view.lost);
      const sheet = new Sheet(geometry.width, geometry.height);
      paint(sheet, { view, geometry, scroll: TOP, colours: COLOURS, selected: undefined });
      const shown = [...view.rows].slice(0, view.lost).map((row) => PAGE.controllers[row]);
      expect(sheet.texts.filter(({ x }) => x === 11).map(({ text }) => text)).to.deep.equal(shown);
      const box = rowBox({ ...geometry, height: 1000 }, TOP, view.lost);
      expect(box).to.deep.equal({ top: geometry.top + view.lost * 18, width: geometry.contentWidth, height: 2 });
      const at = geometry.top + view.lost * 18 - 1;
      const under = [at, at + 1, at + 3].map((y) => cellAt(view, geometry, TOP, geometry.left, y)?.row);
      expect(under).to.deep.equal([view.lost - 1, view.lost, view.lost + 1]);
      const last = scrollFor({ ...geometry, height: geometry.top + 100 }, TOP, {
        row: view.rows.length - 1,
        column: 0,
      });
      expect(last.top).to.equal(view.lost * 18 + (view.rows.length - view.lost - 1) * 2 - (100 - 2) / 2);
    }
  });

  it('fits rows into the room that readable rows leave', () => {
    expect(fittingRow(300, 0, 626)).to.equal(2);
    expect(fittingRow(100, 0, 626)).to.equal(4);
    expect(fittingRow(100, 10, 626)).to.equal(3);
  });

  it('has the names of groups where rows are too low for those of controllers', () => {
    const make = new EventMaker();
    const groups = { emea: [...NAMES.keys()].slice(0, 12), apac: [...NAMES.keys()].slice(12) };
    const started = [make.runStarted(), make.playStarted(NAMES, { groups })];
    const page = pageOf([...started, ...NAMES.map((name) => make.taskFinished(name, 'ok'))]);
    const { geometry, sheet } = show({ page, row: 6, order: 'group', room: 400 });
    const names = sheet.texts.filter(({ x }) => x === 4).map(({ text, y }) => [text, y]);
    const middle = (from: number, to: number) => geometry.top + ((from + to) / 2) * 6;
    expect(names).to.deep.equal([
      ['emea', middle(0, 12)],
      ['apac', middle(12, 24)],
    ]);
    const lines = [0, 12 * 6 - 2, 12 * 6 - 1, 12 * 6, 24 * 6 - 2, 24 * 6 - 1].map((y) =>
      sheet.at(geometry.left - 7, geometry.top + y),
    );
    expect(lines).to.deep.equal(['line', 'line', 'panel', 'line', 'line', 'panel']);
    // Scrolled, a name is in the middle of what is visible of its group; one that is out of sight has none.
    const scrolled = show({ page, row: 6, order: 'group', room: 400, scroll: { top: 40, left: 0 } });
    expect(scrolled.sheet.texts.filter(({ x }) => x === 4).map(({ text, y }) => [text, y])).to.deep.equal([
      ['emea', geometry.top + 16],
      ['apac', middle(12, 24) - 40],
    ]);
    const low = show({ page, row: 6, order: 'group', room: 400, scroll: { top: 12 * 6 - 10, left: 0 } });
    expect(low.sheet.texts.filter(({ x }) => x === 4).map(({ text }) => text)).to.deep.equal(['apac']);
    expect(low.sheet.at(geometry.left - 7, geometry.top)).to.equal('line');
    const out = show({ page, row: 6, order: 'group', room: 400, scroll: { top: 12 * 6, left: 0 } });
    expect(out.sheet.at(geometry.left - 7, geometry.top + 12 * 6)).to.equal('panel');
  });

  it('has the names of steps, and a band with the name of each play', () => {
    for (const [width, isLevel] of [
      [300, false],
      [1000, true],
    ] as const)
      for (const left of [0, 40, 70]) {
        const shown = show({ width, scroll: { top: 0, left } });
        const { geometry, view, sheet } = shown;
        expect(geometry.isLevel).to.equal(isLevel);
        const where = JSON.stringify({ width, left });
        const titles = sheet.texts.filter(({ y, font }) => y < geometry.top && !font.startsWith('600 '));
        const expected = view.columns.flatMap((column, at) => {
          const about = PAGE.columns[column];
          const x = geometry.left + at * geometry.column - left;
          if (about === undefined || x + geometry.column <= geometry.left || x >= geometry.width) return [];
          const text = `${about.type === 'handler' ? '» ' : ''}${about.task}`;
          const style = about.type === 'task' ? 'text' : 'dim';
          const font = `${about.type === 'task' ? '' : 'italic '}12px system-ui, sans-serif`;
          return [{ text, x, style, font }];
        });
        if (isLevel) {
          const lines = expected.map(({ text, x }) => ({ text, x: x + 2 }));
          const first = titles.filter(({ y }) => y === geometry.top - 28);
          const second = titles.filter(({ y }) => y === geometry.top - 12);
          expect(
            first.map(({ x, text }, at) => ({ text: `${text} ${second[at]?.text ?? ''}`.trim(), x })),
            where,
          ).to.deep.equal(lines);
          for (const { text } of first) expect(text.length * LETTER).to.be.below(geometry.column - 8);
        } else {
          expect(
            titles.map(({ text, x }) => ({ text, x })),
            where,
          ).to.deep.equal(expected.map(({ text, x }) => ({ text: cut(text, 122), x: x + geometry.column / 2 + 3 })));
          for (const { y, angle } of titles) {
            expect(y).to.equal(geometry.top - 6);
            expect(angle).to.be.within(-Math.PI / 3, -Math.PI / 4);
          }
        }
        const perStep = isLevel ? 2 : 1;
        expect(titles.map(({ style, font }) => [style, font])).to.deep.equal(
          expected.flatMap(({ style, font }) => Array.from({ length: perStep }, () => [style, font])),
        );
        const first = view.columns.findIndex((column) => PAGE.columns[column]?.play === 1);
        const bands = [
          ['Prepare the site', 0, first],
          ['Roll out', first, view.columns.length],
        ] as const;
        const texts = sheet.texts.filter(({ y }) => y === 9.5);
        const places = bands.flatMap(([name, from, to]) => {
          const x = Math.max(geometry.left, geometry.left + from * geometry.column - left);
          const end = geometry.left + to * geometry.column - left - 2;
          return end > x ? [{ text: cut(name, end - x - 10), x, end }] : [];
        });
        expect(
          texts.map(({ text, x, style }) => [text, x, style]),
          where,
        ).to.deep.equal(places.map(({ text, x }) => [text, x + 5, 'text']));
        for (const { x, end } of places) {
          const across = [x, x + 1, end - 1, end].filter((one) => one < geometry.width && one >= geometry.left);
          for (const one of across)
            expect(sheet.at(one, 17), `${where} ${one}`).to.equal(one === end ? 'panel' : 'band');
          expect(sheet.at(x, 18)).to.equal('panel');
        }
        for (const x of [0, geometry.width - 1]) expect(sheet.at(x, geometry.top - 1)).to.equal('line');
      }
  });

  it('has a band for a play of a single step', () => {
    const page = pageOf(
      (function* () {
        const make = new EventMaker();
        yield make.runStarted();
        for (const play of ['One', 'Two', 'Three']) {
          yield make.playStarted(['lb1'], { play });
          yield make.batchStarted(['lb1']);
          yield make.taskFinished('lb1', 'ok', { task: play });
          yield make.playFinished();
        }
        yield make.runFinished();
      })(),
    );
    const { geometry, sheet } = show({ page });
    const texts = sheet.texts.filter(({ y }) => y === 9.5);
    expect(texts.map(({ text, x }) => [text, x])).to.deep.equal(
      ['One', 'Two', 'Three'].map((name, at) => [name, geometry.left + at * geometry.column + 5]),
    );
  });

  it('marks what is selected', () => {
    for (const row of [2, 18])
      for (const scroll of [TOP, { top: 20, left: 25 }]) {
        const marks = (selected?: MatrixCell) => show({ row, scroll, width: 300, ...(selected && { selected }) });
        const { geometry, sheet } = marks();
        expect(sheet.strokes).to.deep.equal([]);
        const height = Math.max(row, 6);
        const top = geometry.top + 7 * row - scroll.top + (row - height) / 2;
        const box = (x: number, width: number) =>
          (['panel', 'text'] as const).map((style, at) => ({
            x: x - 1,
            y: top - 1,
            width: width + 2,
            height: height + 1,
            style,
            lineWidth: at === 0 ? 5 : 2,
          }));
        for (const column of [0, 2]) {
          const cell = box(geometry.left + column * geometry.column - scroll.left, geometry.column - 1);
          expect(marks({ row: 7, column }).sheet.strokes).to.deep.equal(cell);
        }
        const whole = box(geometry.left, geometry.contentWidth - geometry.left);
        expect(marks({ row: 7, column: -1 }).sheet.strokes).to.deep.equal(whole);
      }
  });

  it('knows what is visible of the row under the pointer', () => {
    const { geometry } = show({ width: 300, room: 200 });
    const visible = (top: number, place: number) => {
      const box = rowBox(geometry, { top, left: 25 }, place);
      expect(box.width).to.equal(Math.min(geometry.width, geometry.contentWidth - 25));
      return [box.top - geometry.top, box.height];
    };
    const room = geometry.height - geometry.top;
    expect(visible(0, 2)).to.deep.equal([36, 18]);
    expect(visible(20, 1)).to.deep.equal([0, 16]);
    expect(visible(36 + 10 - room, 2)).to.deep.equal([room - 10, 10]);
  });

  it('cuts names that have no room, at the same place each time', () => {
    const make = new EventMaker();
    const long = ['lb1', 'lb2'].map((name) => name.padEnd(80, 'x'));
    const page = pageOf([
      make.runStarted(),
      make.playStarted(long),
      ...long.map((name) => make.taskFinished(name, 'ok')),
    ]);
    for (const width of [300, 600, 300]) {
      const { sheet, geometry } = show({ page, width });
      const names = sheet.texts.filter(({ x }) => x === 11).map(({ text }) => text);
      expect(names).to.deep.equal(long.map((name) => cut(name, geometry.left - 18)));
    }
  });
});

/** The longest beginning that fits with an ellipsis, or all of it. */
function cut(text: string, width: number): string {
  const most = Math.floor(width / LETTER);
  if (text.length <= most) return text;
  return most <= 1 ? '' : `${text.slice(0, most - 1)}…`;
}

describe('a matrix that is painted again', () => {
  it('has other titles, or other places, if one of what they depend on is another', () => {
    const view = createView(PAGE, '', 'name');
    const geometry = layOut(view, { width: 600, room: 200 }, 18);
    const first: PaintedMatrix = { view, geometry, scroll: TOP, colours: COLOURS, selected: undefined };
    for (const [one, titles, place] of [
      [{ ...first, scroll: { ...TOP } }, true, true],
      [{ ...first, scroll: { ...TOP, top: 1 } }, true, false],
      [{ ...first, selected: { row: 0, column: 0 } }, true, false],
      [{ ...first, view: { ...view, rows: view.rows.slice(1) } }, true, false],
      [{ ...first, scroll: { ...TOP, left: 1 } }, false, false],
      [{ ...first, geometry: { ...geometry, column: geometry.column + 1 } }, false, false],
      [{ ...first, view: { ...view, columns: view.columns.slice(1) } }, false, false],
      [{ ...first, view: { ...view, page: { ...view.page, columns: [...view.page.columns] } } }, false, false],
      [{ ...first, colours: { ...COLOURS } }, false, false],
    ] as const)
      expect([hasSameTitles(first, one), isSameLayout(first, one)]).to.deep.equal([titles, place]);
  });
});
