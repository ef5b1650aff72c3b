import { pack, unpack, type ArraysOf } from './pack.js';

/** What one controller did at one step. The order is part of the format. */
export const CELL_STATES = [
  'none',
  'ok',
  'changed',
  'skipped',
  'failed',
  'unreachable',
  'interrupted',
  'ignored',
  'rescued',
] as const;
export type CellState = (typeof CELL_STATES)[number];

const NOT_ENDED = ['running', 'waiting'] as const;
/** How a controller ended. The order is part of the format. */
export const OUTCOMES = ['ok', 'changed', 'failed', 'unreachable', 'cut off', 'not started', ...NOT_ENDED] as const;
export type ControllerOutcome = (typeof OUTCOMES)[number];

/** A position in a file, which has the name that the user gave it. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Facts about a run that its events do not contain. */
export interface PageFacts {
  /** `run playbooks/rollout.yml (check)` */
  readonly title: string;
  /** As lists of runs have it: before the run loads its files. */
  readonly started?: string | undefined;
  /** The command line, as typed. */
  readonly argv?: readonly string[] | undefined;
  /** `ann on ops1, CHG0012: new sites` */
  readonly author?: string | undefined;
  /** Who started it. */
  readonly user?: string | undefined;
  /** Commands that continue or undo the run: `continue with`, and `evenkeel resume 20261120T…`. */
  readonly commands?: readonly { readonly purpose: string; readonly command: string }[] | undefined;
  /** The process of the run ended before the run did. */
  readonly cutOff?: boolean | undefined;
}

export interface PageGroup {
  readonly name: string;
  /** Indexes of controllers. */
  readonly controllers: readonly number[];
}

export interface PageRun {
  readonly id: string;
  readonly version: string;
  /** ISO 8601. */
  readonly started: string;
  readonly environment: string | null;
  readonly check: boolean;
  /** The status of `run-finished`; `running` before it. */
  readonly status: string;
  readonly reason?: string | undefined;
  /** The duration of the run; up to its last event while it is running. */
  readonly seconds: number;
}

export interface PagePlay {
  readonly name: string;
  readonly controllers: number;
  /** Planned tasks. */
  readonly tasks: number;
  readonly rollback: boolean;
  /** Times are milliseconds since the start of the run. */
  readonly started: number;
  readonly ended: number | null;
}

export interface PageBatch {
  readonly play: number;
  readonly batch: number;
  readonly batches: number;
  readonly controllers: readonly number[];
  readonly started: number;
  readonly ended: number | null;
  readonly failed: number;
}

export interface PageGate {
  readonly play: number;
  readonly batch: number;
  readonly started: number;
  readonly ended: number | null;
  readonly rounds: number;
  readonly status: 'running' | 'passed' | 'failed';
  readonly action?: string | undefined;
}

/** Lines of a file; `first` is the number of the first one. */
export interface TaskText {
  readonly first: number;
  readonly lines: readonly string[];
}

/** A step of a play: a task, a handler, or a check of a gate. */
export interface PageColumn {
  readonly play: number;
  readonly task: string;
  readonly module: string;
  readonly type: 'task' | 'handler' | 'gate';
  readonly place: SourcePosition;
}

/** What a cell shows besides its status. `NAME` replaces names of controllers, so that equal results have equal details. */
export interface Detail {
  /** Absent: the name of the column. */
  readonly task?: string | undefined;
  readonly message?: string | undefined;
  /** Equal for failures with the same cause, and for equal changes of a step. */
  readonly group?: number | undefined;
  /** Of a failure that changed something: the `group` of its change. */
  readonly written?: number | undefined;
  readonly hint?: string | undefined;
  /** The place of the cause, if that is not the task. */
  readonly place?: SourcePosition | undefined;
  readonly object?: string | undefined;
  /** The outcome of its write is unknown. */
  readonly unconfirmed?: boolean | undefined;
  /** What the task did, or would do: `created cloud "edge"`. */
  readonly words?: string | undefined;
  /** Index of a text. */
  readonly diff?: number | undefined;
  /** Index of the diff's text in which the templates of the playbook replace the values that they produced. */
  readonly template?: number | undefined;
  readonly check?: boolean | undefined;
  readonly delegatedTo?: string | undefined;
  readonly tenant?: string | undefined;
  readonly attempts?: number | undefined;
  readonly requests?: number | undefined;
  readonly retries?: number | undefined;
  /** The round of a gate. */
  readonly round?: number | undefined;
  readonly items?: readonly DetailItem[] | undefined;
  /** Number of items that are left out. */
  readonly moreItems?: number | undefined;
}

export interface DetailItem extends Detail {
  readonly item: string;
  readonly status: CellState;
}

export interface PageWarning {
  readonly message: string;
  readonly controller?: string | undefined;
  readonly place?: SourcePosition | undefined;
}

/** Placeholders for the name of a controller, and for the part of the name before the first dot. */
export const CONTROLLER_NAME = '{{inventory_hostname}}';
export const SHORT_NAME = '{{inventory_hostname_short}}';

/** The part of a page that is JSON. */
export interface PageHead {
  readonly format: 1;
  readonly facts: PageFacts;
  readonly run: PageRun;
  readonly controllers: readonly string[];
  readonly groups: readonly PageGroup[];
  /** The routes to controllers. */
  readonly routes: readonly PageGroup[];
  readonly plays: readonly PagePlay[];
  readonly batches: readonly PageBatch[];
  readonly gates: readonly PageGate[];
  readonly columns: readonly PageColumn[];
  /** The lines of each step's task; null: unknown. */
  readonly yaml: readonly (TaskText | null)[];
  /** The first is empty. */
  readonly details: readonly Detail[];
  /** Lines of diffs. */
  readonly texts: readonly string[];
  readonly warnings: readonly PageWarning[];
}

/** An array with an entry per cell has one column after the other, each with an entry per controller. */
const ARRAYS = {
  /** Index into `OUTCOMES`, per controller. */
  outcome: Uint8Array,
  /** Index into `CELL_STATES`, per cell. */
  state: Uint8Array,
  /** Index into the details, per cell. */
  detail: Uint32Array,
  /** How long it took, per cell (`durationCode`). */
  took: Uint16Array,
  /** When it ended, in milliseconds since the start of the run, per cell. */
  ended: Uint32Array,
} as const;

type PageArrays = ArraysOf<typeof ARRAYS>;

/** The arrays with an entry per cell. */
export type CellArrays = Omit<PageArrays, 'outcome'>;

export function emptyCells(cells: number): CellArrays {
  return {
    state: new Uint8Array(cells),
    detail: new Uint32Array(cells),
    took: new Uint16Array(cells),
    ended: new Uint32Array(cells),
  };
}

/** Copies so many cells, or all, from one place to another. */
export function copyCells(from: CellArrays, to: CellArrays, place: number, start = 0, count?: number): void {
  const end = count === undefined ? undefined : start + count;
  for (const name of ['state', 'detail', 'took', 'ended'] as const)
    to[name].set(from[name].subarray(start, end), place);
}

const DOUBLING = 2048;

/** Seconds in 16 bits: exact to a third of a thousandth, up to 49 days. */
export function durationCode(seconds: number): number {
  return Math.min(65_535, Math.round(Math.log2(1 + Math.max(0, seconds) * 1000) * DOUBLING));
}

export function decodeSeconds(code: number): number {
  return (2 ** (code / DOUBLING) - 1) / 1000;
}

/** A page as the browser has it. */
export interface Page extends PageHead, PageArrays {}

export function packPage({ outcome, state, detail, took, ended, ...head }: Page): Uint8Array<ArrayBuffer> {
  return pack(head, ARRAYS, { outcome, state, detail, took, ended });
}

/** @throws Error if the bytes are not a page */
export function readPage(packed: Uint8Array<ArrayBuffer>): Page {
  const { head, arrays } = unpack(packed, ARRAYS);
  if (!isHead(head)) throw new Error('this is not the data of a page');
  return { ...head, ...arrays };
}

/** Checks only the format: the data and the script of a page come from the same version. */
function isHead(head: unknown): head is PageHead {
  return typeof head === 'object' && head !== null && 'format' in head && head.format === 1;
}
