import {
  changedControllers,
  type BatchFinished,
  type PlayStarted,
  type RunFinished,
  type TaskFinished,
} from '../../../core/model/run/event.js';
import type { Stats } from '../../../core/model/run/result.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import type { ControllerOutcome, DetailItem, PageGroup } from '../format/page.js';
import type { RequestCounts } from './details.js';

/** The state of a controller in a run. */
export class MatrixRow {
  requestCounts: RequestCounts = noRequests();
  /** Items of the running loop. */
  items: DetailItem[] = [];
  #phase: 'waiting' | 'running' | 'finished' | 'cut off' | 'not started' = 'waiting';
  /** Whether it has begun an earlier play. */
  #hasRun = false;
  #worst: 'ok' | 'changed' | 'failed' | 'unreachable' = 'ok';

  /** @param isOver whether the run, or its process, has ended */
  outcome(isOver: boolean): ControllerOutcome {
    if (this.#worst === 'failed' || this.#worst === 'unreachable') return this.#worst;
    switch (this.#phase) {
      case 'finished':
        return this.#worst;
      case 'running':
        return isOver ? 'cut off' : 'running';
      case 'waiting':
        if (!isOver) return 'waiting';
        return this.#hasRun ? 'cut off' : 'not started';
      case 'cut off':
      case 'not started':
        return this.#phase;
    }
  }

  /** A play has begun, maybe of a resume, but maybe not its batch. */
  startPlay(): void {
    this.#hasRun ||= this.#phase !== 'waiting' && this.#phase !== 'not started';
    this.#phase = 'waiting';
  }

  start(): void {
    if (this.#phase !== 'finished') this.#phase = 'running';
    this.requestCounts = noRequests();
  }

  /** Collects the items of a finished loop. The check of a gate concerns its batch, not the controller. */
  finish({ status, ignored, rescued, round, changed }: TaskFinished): readonly DetailItem[] {
    const { items } = this;
    this.items = [];
    if (round !== undefined) return items;
    if (this.#phase === 'waiting' || this.#phase === 'not started') this.#phase = 'running';
    const isTrouble = (status === 'failed' || status === 'unreachable') && ignored !== true && rescued !== true;
    if (isTrouble) this.#worst = status;
    else if ((status === 'changed' || changed === true) && this.#worst === 'ok') this.#worst = 'changed';
    return items;
  }

  end(phase: 'finished' | 'cut off' | 'not started'): void {
    this.#phase = phase;
  }

  /** The recap includes what an interrupted run did before its resume. */
  resolve({ failed, unreachable }: Stats, isChanged: boolean): void {
    if (failed > 0) this.#worst = 'failed';
    else if (unreachable > 0) this.#worst = 'unreachable';
    else this.#worst = isChanged ? 'changed' : 'ok';
    this.#phase = 'finished';
  }
}

function noRequests(): RequestCounts {
  return { attempts: 0, requests: 0, retries: 0 };
}

/** The controllers of a run, by name, in the order in which the run named them. */
export class Rows {
  readonly #places = new Map<string, number>();
  readonly #rows: MatrixRow[] = [];
  readonly #groups = new Map<string, Set<number>>();
  readonly #routes = new Map<string, Set<number>>();

  get names(): readonly string[] {
    return [...this.#places.keys()];
  }

  get all(): readonly MatrixRow[] {
    return this.#rows;
  }

  get groups(): readonly PageGroup[] {
    return listed(this.#groups);
  }

  get routes(): readonly PageGroup[] {
    return listed(this.#routes);
  }

  startPlay({ controllers, groups = {}, routes = {} }: PlayStarted): void {
    const places = controllers.map((name) => this.rowOrder(name));
    for (const name of controllers) this.row(name).startPlay();
    addMembers(this.#groups, groups, places);
    addMembers(this.#routes, routes, places);
  }

  rowOrder(name: string): number {
    return getOrAdd(this.#places, name, () => this.#rows.push(new MatrixRow()) - 1);
  }

  row(name: string): MatrixRow {
    const row = this.#rows[this.rowOrder(name)];
    if (row === undefined) throw new Error(`${name} has no row`);
    return row;
  }

  endBatch({ cutOff = [], unstarted = [] }: BatchFinished): void {
    for (const name of cutOff) this.row(name).end('cut off');
    for (const name of unstarted) this.row(name).end('not started');
  }

  finish(finished: RunFinished): void {
    const { stats, unstarted, cutOff = [] } = finished;
    const changed = changedControllers(finished);
    for (const [name, one] of Object.entries(stats)) this.row(name).resolve(one, changed.has(name));
    for (const name of unstarted) if (!Object.hasOwn(stats, name)) this.row(name).end('not started');
    for (const name of cutOff) this.row(name).end('cut off');
  }
}

type Members = Map<string, Set<number>>;

/** @param places row of each controller; the numbers in `found` are indexes into it */
function addMembers(
  known: Members,
  found: Readonly<Record<string, readonly number[]>>,
  places: readonly number[],
): void {
  for (const [name, members] of Object.entries(found)) {
    const group = getOrAdd(known, name, () => new Set());
    for (const member of members) group.add(places[member] ?? 0);
  }
}

function listed(groups: Members): readonly PageGroup[] {
  return [...groups].map(([name, controllers]) => ({ name, controllers: [...controllers] }));
}
