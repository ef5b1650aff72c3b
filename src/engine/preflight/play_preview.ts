import { allSteps, ENDING_ACTIONS, sectionSteps, tasksIn } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Included, Meta, Step, Task } from '../../core/model/playbook/step.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { Variables } from '../../language/scope.js';
import { LoadedModules } from '../../module/catalogue.js';
import type { Module } from '../../module/contract.js';
import type { ReadyPlay } from '../input/ready_play.js';
import { runsInCheck } from '../keywords/may_write.js';
import { compileSteps, gateSelection, isLeftOut, selectSections, selectSteps } from '../keywords/selected_steps.js';
import type { RunFinding } from './findings.js';
import { allSetBy } from './later_variables.js';
import { PlayViews } from './play_views.js';
import type { RunPreview } from './run_preview.js';

/** The actions that send requests to their controller, and to no other. */
const REQUESTS: ReadonlySet<string> = new Set(['api_request', 'ping', 'resource_facts']);

/** One play before the run. */
export class PlayPreview {
  readonly handlersMayEnd: boolean;
  readonly #modules: LoadedModules;
  /** Asked for each controller. */
  readonly #contacting = new WeakMap<Task, boolean>();
  readonly views: PlayViews;
  /** The steps that the run's options select, without the flushes of handlers between them. */
  readonly sections: readonly Step[];
  /** With these flushes. */
  readonly steps: readonly Step[];
  /** Of the gate. */
  readonly checks: readonly Step[];
  /** Steps that may end the play for all: no later step is certain on any controller. */
  readonly endings = new Set<Meta>();

  constructor(
    readonly run: RunPreview,
    private readonly ready: ReadyPlay,
  ) {
    const { play } = ready;
    const { input } = run;
    this.#modules = new LoadedModules(input.sources.catalogue);
    this.views = new PlayViews(run, ready);
    const selected = selectSections(run.start.within(play), input.selection);
    this.sections = sectionSteps(selected);
    run.leftOut.add(play, this.sections, input.selection);
    this.steps = compileSteps(selected, play.source, false);
    const hasChecks = !input.settings.check && !isLeftOut(play, this.sections);
    this.checks = hasChecks ? selectSteps(play.gate?.checks ?? [], gateSelection(input.selection)) : [];
    this.handlersMayEnd = play.handlers.some(mayEndPlay);
  }

  /** Loads the modules, and finds what tasks may set. Call this first. */
  async open(): Promise<void> {
    const { play } = this.ready;
    await this.#modules.load([...allSteps(play), ...play.handlers]);
    const { anywhere, shared } = this.run;
    const loadedModule = (name: string): Module => this.module(name);
    const steps = allSteps(play);
    anywhere.add(allSetBy([...steps, ...play.handlers], loadedModule));
    shared.add(allSetBy(play.handlers, loadedModule));
    const away = tasksIn(steps).filter(({ delegateFacts }) => delegateFacts !== undefined);
    shared.add(allSetBy(away, loadedModule));
  }

  module(name: string): Module {
    return this.#modules.get(name);
  }

  /** Loads the modules of what is included. The handlers of an included role may run at any time from now on. */
  async take({ steps, handlers }: Included): Promise<void> {
    await this.#modules.load([...steps, ...handlers]);
    const mayEnd = handlers.some(mayEndPlay);
    this.run.shared.add(mayEnd ? 'anything' : allSetBy(handlers, (name) => this.module(name)));
  }

  /** Whether one controller carries the task out for all of its batch. */
  isOnce(task: Task | Include): boolean {
    const module = this.module(task.module);
    return task.runOnce !== undefined || (module.type === 'action' && module.once !== undefined);
  }

  /** Whether the task, which is certain to run, contacts its controller. */
  contactsController(task: Task): boolean {
    return getOrAdd(this.#contacting, task, () => this.#doesContact(task));
  }

  #doesContact({ module: name, args, checkMode }: Task): boolean {
    const module = this.module(name);
    if (module.type === 'resource') return true;
    if (!REQUESTS.has(name) && module.connection === undefined) return false;
    const check = checkMode === undefined ? this.run.input.settings.check : checkMode.value !== false;
    return !check || runsInCheck(module, args) === true;
  }

  /** Whether the controller's connection has not been checked yet. */
  isNew(controller: string): boolean {
    if (this.run.connected.has(controller)) return false;
    this.run.connected.add(controller);
    return true;
  }

  /**
   * A task certainly contacts the controller.
   *
   * @param contact its variables; `isOwn`: the task has connection settings of its own; `isGiven`: its arguments name the address
   */
  noteContact(
    name: string,
    { seen, isOwn, isGiven }: { readonly seen: Variables; readonly isOwn: boolean; readonly isGiven: boolean },
  ): void {
    const { addresses, input } = this.run;
    if (input.restores === true || (!isOwn && addresses.isLocated(name))) return;
    const own = this.views.other(name);
    if (own !== undefined) addresses.addContacted(name, own, seen, isGiven);
  }

  isCertain({ after }: RunFinding): boolean {
    return after === undefined || [...after].every((meta) => !this.endings.has(meta));
  }
}

function mayEndPlay(handler: Handler): boolean {
  if (handler.type === 'include') return true;
  return handler.type === 'meta' && ENDING_ACTIONS.has(handler.action);
}
