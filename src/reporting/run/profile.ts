import type { Meter } from '../../core/model/run/controller_event.js';
import type { Event, Exchange, RunFinished, TaskFinished } from '../../core/model/run/event.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { titleText } from '../text/shorten.js';
import { columnWidth, pad, truncate } from '../text/width.js';
import { count, elapsed, grouped } from '../text/words.js';

const MOST_SHOWN = 5;
const WIDEST_NAME = 40;

interface TaskTime {
  readonly task: string;
  seconds: number;
  runs: number;
  longest: number;
  /** The controller that took longest. */
  slowest: string;
}

interface ControllerTime {
  readonly controller: string;
  tasks: number;
  requests: number;
  /** Seconds from requests to their answers. */
  waiting: number;
}

/** Where the time of a run went: a fold over its events, and measurements of this process. */
export class RunProfile implements Meter {
  readonly #tasks = new Map<string, TaskTime>();
  readonly #controllers = new Map<string, ControllerTime>();
  /** Seconds of pauses before retried requests. */
  #pauses = 0;
  #templates = 0;
  #isEvaluating = false;
  /** Milliseconds from the start of the process to the start of the run. */
  #before = 0;
  #cpu = { user: 0, system: 0 };

  template<T>(evaluate: () => T): T {
    // A template may use variables that are templates themselves.
    if (this.#isEvaluating) return evaluate();
    const started = performance.now();
    this.#isEvaluating = true;
    try {
      return evaluate();
    } finally {
      this.#isEvaluating = false;
      this.#templates += (performance.now() - started) / 1000;
    }
  }

  request({ controller, seconds }: Exchange): void {
    const one = this.#controller(controller);
    one.requests++;
    one.waiting += seconds;
  }

  handle(event: Event): void {
    if (event.type === 'run-started') {
      this.#before = performance.now();
      this.#cpu = process.cpuUsage();
    }
    if (event.type === 'request-retried') this.#pauses += event.seconds;
    if (event.type === 'task-finished' && event.item === undefined) this.#finish(event);
  }

  /** @param mask masks what is secret by now */
  lines({ seconds }: RunFinished, palette: Palette, mask: (text: string) => string): readonly string[] {
    const { user, system } = process.cpuUsage(this.#cpu);
    const cpu = (user + system) / 1e6;
    const before = `${elapsed(this.#before / 1000)} to read and check everything`;
    const computed = `Evenkeel computed for ${elapsed(cpu)}: ${elapsed(this.#templates)} for templates`;
    return [
      palette.strong('profile'),
      `  before      ${before}`,
      `  run         ${elapsed(seconds)}, of which ${computed}`,
      ...this.#taskLines(palette, mask),
      ...this.#controllerLines(palette),
    ];
  }

  #finish({ controller, task, source, seconds }: TaskFinished): void {
    const key = `${placeText(source)} ${task}`;
    const time = getOrAdd(this.#tasks, key, () => ({ task, seconds: 0, runs: 0, longest: 0, slowest: controller }));
    time.seconds += seconds;
    time.runs++;
    if (seconds > time.longest) {
      time.longest = seconds;
      time.slowest = controller;
    }
    this.#controller(controller).tasks += seconds;
  }

  #controller(name: string): ControllerTime {
    return getOrAdd(this.#controllers, name, () => ({ controller: name, tasks: 0, requests: 0, waiting: 0 }));
  }

  #taskLines(palette: Palette, mask: (text: string) => string): readonly string[] {
    const tasks = [...this.#tasks.values()].sort((a, b) => b.seconds - a.seconds);
    if (tasks.length === 0) return [];
    const shown = tasks.slice(0, MOST_SHOWN).map(({ task, seconds, runs, longest, slowest }) => ({
      name: titleText(task, mask),
      seconds,
      text: `${count(runs, 'time')}, ${elapsed(seconds / runs)} each, at most ${elapsed(longest)} on ${oneLine(slowest)}`,
    }));
    return [`  tasks       ${this.#taskTime()}`, ...rows(shown, palette)];
  }

  /** How tasks spent their time. The rest is work, and waiting for the processor and for a turn (`forks`, `throttle`). */
  #taskTime(): string {
    const all = [...this.#controllers.values()];
    const total = all.reduce((sum, { tasks }) => sum + tasks, 0);
    const waiting = all.reduce((sum, one) => sum + Math.min(one.waiting, one.tasks), 0);
    const requests = all.reduce((sum, one) => sum + one.requests, 0);
    const rest = Math.max(0, total - waiting - this.#pauses);
    const share = (seconds: number): string => `${total === 0 ? 0 : Math.round((seconds / total) * 100)} %`;
    const pauses = this.#pauses === 0 ? '' : `, ${share(this.#pauses)} pauses before retries`;
    return `${elapsed(total)} on ${count(all.length, 'controller')} together: ${share(waiting)} waiting for ${grouped(requests)} answers${pauses}, ${share(rest)} everything else`;
  }

  #controllerLines(palette: Palette): readonly string[] {
    const slowest = [...this.#controllers.values()].sort((a, b) => b.tasks - a.tasks);
    if (slowest.length < 2) return [];
    const shown = slowest.slice(0, MOST_SHOWN).map(({ controller, tasks, requests, waiting }) => ({
      name: oneLine(controller),
      seconds: tasks,
      text: `${count(requests, 'request')}, ${elapsed(waiting)} waiting`,
    }));
    return ['  controllers that took longest', ...rows(shown, palette)];
  }
}

interface ProfileRow {
  readonly name: string;
  readonly seconds: number;
  readonly text: string;
}

function rows(shown: readonly ProfileRow[], palette: Palette): readonly string[] {
  const names = shown.map(({ name }) => name);
  const width = columnWidth(names, WIDEST_NAME);
  const times = shown.map(({ seconds }) => elapsed(seconds));
  const timeWidth = columnWidth(times, WIDEST_NAME);
  return shown.map(({ name, text }, index) => {
    const spent = times[index] ?? '';
    return `    ${spent.padStart(timeWidth)}  ${pad(truncate(name, width), width)}  ${palette.faint(text)}`;
  });
}
