import type { Step, Task } from '../model/playbook.js';
import { renderText } from '../template/render.js';
import type { Variables } from '../template/scope.js';
import { hasTemplate } from '../template/template.js';
import { asText } from '../template/text.js';
import type { ControllerState } from './controller_state.js';
import { LazySession } from './lazy_session.js';
import type { PlayContext } from './play_context.js';
import type { Position } from './position.js';
import type { Gate } from './strategy.js';
import { runTask, type TaskEnd } from './task.js';
import type { TaskRun } from './task_run.js';

/** How far a controller came. `stopped`: it was well, but nothing new may start. */
export type WalkEnd = TaskEnd['status'] | 'stopped';

/** One controller's way through one play: its steps one after the other, then the handlers that were notified. */
export class Walk {
  readonly #pending = new Set<number>();
  readonly #session: LazySession;

  /** @param variables what the controller sees before any task adds to it */
  constructor(
    private readonly context: PlayContext,
    private readonly state: ControllerState,
    private readonly gate: Gate,
    private readonly variables: Variables,
  ) {
    const open = () => context.run.sessions.open(state.controller, (name) => this.#scope([]).get(name));
    this.#session = new LazySession(open, this.context.run.breather);
  }

  async toTheEnd(): Promise<WalkEnd> {
    const { steps } = this.context;
    const end = await this.#steps(steps, []);
    return end === 'completed' ? this.#flush([steps.length]) : end;
  }

  async #steps(steps: readonly Step[], inside: Position): Promise<WalkEnd> {
    for (const [index, step] of steps.entries()) {
      const end = step.type === 'task' ? await this.#task(step, [...inside, index], false) : 'completed';
      if (end !== 'completed') return end;
    }
    return 'completed';
  }

  /** Notified handlers in the order of definition, each once; those that a handler notifies join, earlier ones too. */
  async #flush(at: Position): Promise<WalkEnd> {
    const { handlers } = this.context.handlers;
    const done = new Set<number>();
    const isDue = (index: number): boolean => this.#pending.has(index) && !done.has(index);
    for (let round = 0; [...this.#pending].some(isDue); round++) {
      for (const [index, handler] of handlers.entries()) {
        if (!isDue(index)) continue;
        done.add(index);
        const end = handler.type === 'task' ? await this.#task(handler, [...at, round, index], true) : 'completed';
        if (end !== 'completed') return end;
      }
    }
    this.#pending.clear();
    return 'completed';
  }

  async #task(task: Task, position: Position, handler: boolean): Promise<WalkEnd> {
    const { brake, breather } = this.context.run;
    await this.gate.enter(position);
    try {
      await breather.breathe();
      if (brake.applied) return 'stopped';
      const end = await runTask(this.#taskRun(task, handler));
      this.#notify(end.notified);
      return end.status;
    } finally {
      this.gate.exit();
    }
  }

  #notify(notified: readonly number[]): void {
    for (const index of notified) {
      if (this.#pending.has(index)) continue;
      this.#pending.add(index);
      const handler = this.context.handlers.handlers[index];
      if (handler === undefined) continue;
      const { run, name } = this.context;
      run.emit({ type: 'handler-notified', play: name, handler: this.#title(handler), controller: this.state.name });
    }
  }

  #taskRun(task: Task, handler: boolean): TaskRun {
    const module = this.context.modules.get(task.module);
    if (module === undefined) throw new Error(`the module ${task.module} was not loaded`);
    const { context, state } = this;
    const scope = () => this.#scopeOf(task);
    return { context, state, task, module, title: this.#title(task), handler, session: this.#session, scope };
  }

  #scopeOf(task: Task): Variables {
    const scope = this.#scope(task.layers);
    if (task.layers.length > 0) this.context.run.secrets.learnLayers(task.layers, scope);
    return scope;
  }

  #scope(layers: Task['layers']): Variables {
    const { facts } = this.state;
    return this.variables.child(facts === undefined ? layers : [...layers, facts]);
  }

  /** The name with its templates filled in; as it was written if they cannot be. */
  #title(task: Pick<Task, 'name' | 'module' | 'layers'>): string {
    if (task.name === undefined) return task.module;
    const { value, source } = task.name;
    if (!hasTemplate(value)) return value;
    try {
      return asText(renderText(value, this.#scope(task.layers), source));
    } catch {
      return value;
    }
  }
}
