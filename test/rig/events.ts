import type { ControllerFinished } from '../../src/core/model/run/controller_event.js';
import type {
  BatchFinished,
  Event,
  GateFinished,
  GateStarted,
  PlayStarted,
  RunFinished,
  RunStarted,
  TaskFinished,
} from '../../src/core/model/run/event.js';
import { emptyStats, type Stats } from '../../src/core/model/run/result.js';
import { maskEvent } from '../../src/core/secrets/mask_event.js';
import type { Masked } from '../../src/core/secrets/mask_text.js';
import { Secrets } from '../../src/core/secrets/secrets.js';

/** As the journal and outputs get it. */
export function masked(event: Event): Masked<Event> {
  return maskEvent(event, new Secrets());
}

type Given<E> = Partial<Omit<E, 'type' | 'time' | 'run'>>;

/** Makes the events of a run by hand, with defaults for what a test leaves out. Time passes only when the test says so. */
export class EventMaker {
  readonly #start: number;
  #seconds = 0;
  #play = 'Roll out';
  #stats: Record<string, Stats> = {};

  /** @param start milliseconds since the epoch; a fixed time by default. */
  constructor(start = Date.parse('2025-03-01T12:00:00.000Z')) {
    this.#start = start;
  }

  /** Seconds go by. */
  pass(seconds: number): this {
    this.#seconds += seconds;
    return this;
  }

  runStarted(given: Given<RunStarted> = {}): Event {
    return {
      ...this.#fact(),
      type: 'run-started',
      schemaVersion: 1,
      version: '0.1.0',
      playbooks: ['playbooks/rollout.yml'],
      environment: null,
      check: false,
      forks: 50,
      simulated: false,
      ...given,
    };
  }

  playStarted(controllers: readonly string[], given: Given<PlayStarted> = {}): Event {
    this.#play = given.play ?? this.#play;
    for (const name of controllers) this.#stats[name] ??= emptyStats();
    const source = { file: 'playbooks/rollout.yml', line: 1, column: 3 };
    return {
      ...this.#fact(),
      type: 'play-started',
      play: this.#play,
      controllers,
      strategy: 'host_pinned',
      tasks: 2,
      source,
      ...given,
    };
  }

  batchStarted(controllers: readonly string[], batch = 1, batches = 1): Event {
    return { ...this.#fact(), type: 'batch-started', play: this.#play, batch, batches, controllers };
  }

  taskStarted(controller: string, task = 'Create the cloud', module = 'cloud_present'): Event {
    return { ...this.#fact(), type: 'task-started', play: this.#play, task, module, controller, handler: false };
  }

  taskProgressed(controller: string, message: string, seconds?: number): Event {
    const source = { file: 'playbooks/rollout.yml', line: 4, column: 7 };
    const about = { play: this.#play, task: 'Create the cloud', controller, message, source };
    return { ...this.#fact(), type: 'task-progressed', ...about, ...(seconds !== undefined && { seconds }) };
  }

  requestRetried(
    controller: string,
    seconds: number,
    reason: string,
    given: { readonly awaited?: string } = {},
  ): Event {
    const waits = { seconds, left: 12, awaited: controller, reason, ...given };
    return { ...this.#fact(), type: 'request-retried', controller, attempt: 3, ...waits };
  }

  throttled(controller: string, status: number, seconds: number): Event {
    return { ...this.#fact(), type: 'controller-throttled', controller, status, seconds };
  }

  /** Adds to the stats of `runFinished`. */
  taskFinished(controller: string, status: TaskFinished['status'], given: Given<TaskFinished> = {}): Event {
    const event: TaskFinished = {
      ...this.#fact(),
      type: 'task-finished',
      play: this.#play,
      task: 'Create the cloud',
      module: 'cloud_present',
      controller,
      handler: false,
      status,
      seconds: 0.2,
      diff: false,
      source: { file: 'playbooks/rollout.yml', line: 4, column: 7 },
      ...given,
    };
    if (event.item === undefined && event.round === undefined) this.#count(event);
    return event;
  }

  controllerFinished(controller: string, given: Given<Omit<ControllerFinished, 'controller' | 'play'>> = {}): Event {
    return { ...this.#fact(), type: 'controller-finished', play: this.#play, controller, ...given };
  }

  batchFinished(batch = 1, given: Given<Omit<BatchFinished, 'batch' | 'play'>> = {}): Event {
    return { ...this.#fact(), type: 'batch-finished', play: this.#play, batch, failed: [], ...given };
  }

  gateStarted(controllers: readonly string[], given: Given<GateStarted> = {}): Event {
    const source = { file: 'playbooks/rollout.yml', line: 3, column: 3 };
    const demands = { batch: 1, passes: 1, failures: 1, interval: 5 };
    return { ...this.#fact(), type: 'gate-started', play: this.#play, controllers, ...demands, source, ...given };
  }

  gateChecked(round = 1, failed: readonly string[] = []): Event {
    return { ...this.#fact(), type: 'gate-checked', play: this.#play, batch: 1, round, failed };
  }

  gateFinished(action: GateFinished['action'] = 'continue', status: GateFinished['status'] = 'passed'): Event {
    return { ...this.#fact(), type: 'gate-finished', play: this.#play, batch: 1, status, action };
  }

  playFinished(): Event {
    return { ...this.#fact(), type: 'play-finished', play: this.#play };
  }

  warning(message: string, given: { controller?: string } = {}): Event {
    return { ...this.#fact(), type: 'warning', message, ...given };
  }

  request(controller: string, given: Given<Extract<Event, { type: 'request-finished' }>> = {}): Event {
    const url = `https://${controller}/api/cloud/`;
    return {
      ...this.#fact(),
      type: 'request-finished',
      controller,
      method: 'GET',
      url,
      status: 200,
      seconds: 0.1,
      ...given,
    };
  }

  retried(controller: string, attempt: number, attempts: number): Event {
    const source = { file: 'playbooks/rollout.yml', line: 4, column: 7 };
    const task = 'Create the cloud';
    return { ...this.#fact(), type: 'task-retried', play: this.#play, task, controller, attempt, attempts, source };
  }

  runFinished(given: Given<RunFinished> = {}): Event {
    const stats = Object.fromEntries(
      Object.entries(this.#stats).filter(([, one]) => Object.values(one).some((n) => n > 0)),
    );
    const seconds = this.#seconds;
    return {
      ...this.#fact(),
      type: 'run-finished',
      status: 'ok',
      exitCode: 0,
      seconds,
      stats,
      unstarted: [],
      ...given,
    };
  }

  #fact(): { readonly time: string; readonly run: string } {
    return { time: new Date(this.#start + this.#seconds * 1000).toISOString(), run: '20250301-120000-abcd' };
  }

  #count({ controller, status, ignored, rescued }: TaskFinished): void {
    const stats = (this.#stats[controller] ??= emptyStats());
    if (rescued === true) {
      stats.rescued++;
      return;
    }
    if (ignored === true) stats.ignored++;
    if (ignored === true || status === 'changed') stats.ok++;
    if (status !== 'interrupted' && (ignored !== true || status === 'changed')) stats[status]++;
  }
}

/** `lb01`, `lb02`, … as many as wanted, all of one length. */
export function controllerNames(number: number): readonly string[] {
  const digits = Math.max(2, String(number).length);
  return Array.from({ length: number }, (_, index) => `lb${String(index + 1).padStart(digits, '0')}`);
}
