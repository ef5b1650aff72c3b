import type { TaskFinished } from '../../../core/model/run/event.js';
import { placeText } from '../../../core/model/source/diagnostic.js';
import { plain } from '../../text/plain.js';
import {
  CELL_STATES,
  copyCells,
  durationCode,
  emptyCells,
  type CellArrays,
  type CellState,
  type PageColumn,
} from '../format/page.js';

/** Maximum number of columns for a task that runs repeatedly. Further runs share the last column: there may be thousands. */
const MOST_REPEATED = 50;

/** A step, and what each controller did in it, by the index of the controller. */
export interface Column {
  readonly about: PageColumn;
  cells: CellArrays;
}

export interface Cell {
  readonly state: CellState;
  readonly detail: number;
  readonly seconds: number;
  /** Milliseconds since the start of the run. */
  readonly ended: number;
}

/** The cells of a run. Steps are in the order of the playbook, not in the order in which controllers reach them. */
export class Cells {
  readonly #order: Column[] = [];
  readonly #repeated = new Map<string, Column[]>();
  /** The last column of each controller in the current play. */
  readonly #previous: (Column | undefined)[] = [];
  #rows = 0;

  get columns(): readonly Column[] {
    return this.#order;
  }

  startPlay(): void {
    this.#previous.length = 0;
  }

  /** Adds rows up to this number of controllers. */
  grow(rows: number): void {
    if (rows <= this.#rows) return;
    this.#rows = Math.max(rows, this.#rows * 2);
    for (const column of this.#order) {
      const cells = emptyCells(this.#rows);
      copyCells(column.cells, cells, 0);
      column.cells = cells;
    }
  }

  put(column: Column, row: number, cell: Cell): void {
    const { state, detail, took, ended } = column.cells;
    state[row] = CELL_STATES.indexOf(cell.state);
    detail[row] = cell.detail;
    took[row] = durationCode(cell.seconds);
    ended[row] = cell.ended;
    this.#previous[row] = column;
  }

  /**
   * A task that runs several times has a column for each time. The check of a gate has one column, which shows its last
   * round; an interrupted task has one column, which shows its resume.
   */
  columnFor(event: TaskFinished, play: number, row: number): Column {
    const key = `${play} ${event.round === undefined ? '' : 'gate '}${event.module} ${placeText(event.source)}`;
    const known = this.#repeated.get(key) ?? [];
    const free = event.round === undefined ? known.find(({ cells }) => isFree(cells.state[row])) : known[0];
    const column = free ?? (known.length === MOST_REPEATED ? known.at(-1) : undefined);
    if (column !== undefined) return column;
    const made = this.#insert(event, play, row);
    this.#repeated.set(key, [...known, made]);
    return made;
  }

  #insert(event: TaskFinished, play: number, row: number): Column {
    const { task, module, source, handler, round } = event;
    const type = round === undefined ? (handler ? 'handler' : 'task') : 'gate';
    const column = {
      about: { play, task: plain(task), module, type, place: source } as const,
      cells: emptyCells(this.#rows),
    };
    this.#order.splice(this.#placeAfter(this.#previous[row], column.about), 0, column);
    return column;
  }

  /**
   * The index for a new column: after the controller's previous step, and after the steps that follow it in the same
   * file, up to the line of the new step.
   */
  #placeAfter(previous: Column | undefined, { play, place }: PageColumn): number {
    const start = previous === undefined ? this.#order.findLastIndex((one) => one.about.play < play) : -1;
    let at = previous === undefined ? start + 1 : this.#order.indexOf(previous) + 1;
    for (; at < this.#order.length; at++) {
      const next = this.#order[at]?.about;
      if (next?.play !== play || next.place.file !== place.file || next.place.line > place.line) break;
    }
    return at;
  }
}

function isFree(state: number | undefined): boolean {
  return state === 0 || CELL_STATES[state ?? 0] === 'interrupted';
}
