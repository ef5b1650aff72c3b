import type { Handler, Include, Included, Meta, Step, Task } from '../../model/playbook/step.js';
import { isRead } from '../../model/run/http_method.js';
import { findController } from '../../model/inventory/localhost.js';
import type { Controller } from '../../model/inventory/inventory.js';
import type { Play } from '../../model/playbook/playbook.js';
import { plannedTasks, sectionsOf, stepsOf, tasksIn } from '../../model/playbook/steps.js';
import { entry, isMapping } from '../../model/values/value.js';
import { playArea } from '../../model/playbook/step_place.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Module } from '../../module/contract.js';
import { Variables } from '../../template/scope.js';
import { Magic, type MagicContext } from '../controllers/magic.js';
import { LoadedModules } from '../batch/loaded_modules.js';
import {
  compileSteps,
  gateSelection,
  selectSections,
  selectSteps,
  type TagSelection,
} from '../keywords/selected_steps.js';
import { PlayVariables } from '../controllers/play_variables.js';
import { variableFiles } from '../walk/variable_files.js';
import type { Target } from '../input/target.js';
import type { ConnectionInput } from './connection_findings.js';
import { ControllerPreview } from './controller_preview.js';
import { findingOf, type Finding } from './findings.js';
import { allSetBy, LaterVariables } from './later_variables.js';
import type { LeftOut } from './left_out.js';
import type { PlayOutlook } from './outlook.js';
import type { RunPreview } from './run_preview.js';
import { MagicBefore, OtherVariables } from './magic_before.js';

/** What a controller sees at the start of a play. */
export interface ControllerView {
  readonly scope: Variables;
  /** Weakest first, as `scope` has them, without those of `vars_files` that only the controller can name. */
  readonly layers: readonly VariableLayer[];
  /** What tasks may set from then on. */
  readonly later: LaterVariables;
}

/** One play before the run. */
export class PlayPreview implements PlayOutlook {
  readonly handlersMayEnd: boolean;
  readonly #modules: LoadedModules;
  readonly #variables: PlayVariables;
  /** The steps that the run's options select, without the flushes of handlers between them. */
  readonly sections: readonly Step[];
  readonly #steps: readonly Step[];
  /** Of the gate. */
  readonly checks: readonly Step[];
  readonly #magic: MagicContext;
  readonly #endings = new Set<Meta>();

  constructor(
    private readonly run: RunPreview,
    private readonly target: Target,
  ) {
    const { play, name, controllers } = target;
    const { input } = run;
    this.#modules = new LoadedModules(input.sources.catalogue);
    this.#variables = new PlayVariables(play, input.sources.answers?.get(play));
    const selected = selectSections(run.start.within(play), input.selection);
    this.sections = sectionsOf(selected);
    run.variables.leftOut.add(play, this.sections, input.selection);
    this.#steps = compileSteps(selected, play.source, false);
    this.checks = input.settings.check ? [] : checksOf(play, selected, input.selection);
    this.handlersMayEnd = play.handlers.some(mayEndPlay);
    const hostvars = new OtherVariables((other) => this.#variablesOf(other));
    const view = { definition: play, name, hostvars, targets: controllers, batch: controllers };
    this.#magic = { run: run.magic, play: view };
  }

  /** Loads the modules, and finds what tasks may set. Call this first. */
  async open(): Promise<void> {
    const { play } = this.target;
    await this.load([...stepsOf(play), ...play.handlers]);
    this.#foresee(play);
  }

  async findings(): Promise<readonly Finding[]> {
    const { controllers } = this.target;
    await this.open();
    const found: (readonly Finding[])[] = [];
    for (const name of controllers) {
      if (this.run.input.signal.aborted) return [];
      await this.run.loopYielder.yieldLoop();
      found.push(await this.#ofController(name));
    }
    const certain = found.flat().filter((finding) => this.#isCertain(finding));
    return withoutChance(certain, controllers.length);
  }

  get tags(): TagSelection {
    return this.run.input.selection;
  }

  get connection(): ConnectionInput {
    return this.run.connection;
  }

  module(name: string): Module {
    return this.#modules.get(name);
  }

  load(steps: readonly (Step | Handler)[]): Promise<void> {
    return this.#modules.load(steps);
  }

  /** Handlers of an included role: they may run at any time from now on. */
  take({ handlers }: Included): void {
    if (handlers.length > 0) this.run.variables.shared.add('anything');
  }

  isOnce(task: Task | Include): boolean {
    const module = this.module(task.module);
    return task.runOnce !== undefined || (module.type === 'action' && module.once !== undefined);
  }

  /** Whether the task, which is certain to run, contacts its controller. */
  speaks({ module: name, args, checkMode }: Task): boolean {
    const module = this.module(name);
    if (module.type === 'resource') return true;
    if (name !== 'api_request' && module.connection === undefined) return false;
    const check = checkMode === undefined ? this.run.input.settings.check : checkMode.value !== false;
    const given = isMapping(args) ? args : {};
    const method = entry(given, 'method') ?? entry(given, 'http_method') ?? 'GET';
    if (!check || typeof module.check === 'boolean') return !check || module.check === true;
    return typeof method === 'string' && isRead(method.toUpperCase());
  }

  /** Whether the controller's connection has not been checked yet. */
  isNew(controller: string): boolean {
    if (this.run.controllers.connected.has(controller)) return false;
    this.run.controllers.connected.add(controller);
    return true;
  }

  find(controller: string): Controller | undefined {
    const found = findController(this.run.input.sources.inventory, controller);
    return found?.implicit === true ? undefined : found;
  }

  /** The variables of a controller that tasks are delegated to. */
  delegate(name: string): Variables | undefined {
    const controller = this.find(name);
    if (controller === undefined) return undefined;
    const layers = [
      ...this.#variables.ofPlay(controller),
      ...this.run.variables.anywhere.layers,
      ...this.run.input.sources.extraVars,
    ];
    return this.#scope(layers, controller, this.run.variables.anywhere);
  }

  leftOut(error: unknown): LeftOut | undefined {
    return this.run.variables.leftOut.reasonFor(error);
  }

  /** A step that may end the play for all: no later step is certain on any controller. */
  mayEnd(meta: Meta): void {
    this.#endings.add(meta);
  }

  #isCertain({ after }: Finding): boolean {
    return after === undefined || [...after].every((meta) => !this.#endings.has(meta));
  }

  #foresee(play: Play): void {
    const { anywhere, shared } = this.run.variables;
    const moduleOf = (name: string): Module => this.module(name);
    const steps = stepsOf(play);
    anywhere.add(allSetBy([...steps, ...play.handlers], moduleOf));
    shared.add(allSetBy(play.handlers, moduleOf));
    const away = tasksIn(steps).filter(({ delegateFacts }) => delegateFacts !== undefined);
    shared.add(allSetBy(away, moduleOf));
  }

  /** The variables of a controller at the start of the play. */
  async viewOf(name: string): Promise<ControllerView | { readonly findings: readonly Finding[] }> {
    const { run } = this;
    const controller = findController(run.input.sources.inventory, name);
    if (controller === undefined) return { findings: [] };
    const later = run.variables.later.get(name) ?? new LaterVariables([], run.variables.shared);
    run.variables.later.set(name, later);
    const layers = [...this.#variables.ofPlay(controller), ...run.input.sources.extraVars];
    const base = this.#scope(layers, controller, later);
    const files = await this.#files(name, base, later);
    if ('findings' in files) return files;
    return { scope: files.layers.length === 0 ? base : base.child(files.layers), layers, later };
  }

  async #ofController(name: string): Promise<readonly Finding[]> {
    const { run, target } = this;
    if (run.controllers.failed.has(name)) return [];
    const view = await this.viewOf(name);
    if ('findings' in view) return view.findings;
    const { scope: own, layers, later } = view;
    const hasBegun = run.input.past?.reached(name, playArea(target.number)) !== undefined;
    const preview = new ControllerPreview(this, name, own, later, hasBegun);
    const failed = await preview.through(this.#steps, this.checks);
    if (failed && !hasBegun) run.controllers.failed.add(name);
    if (preview.findings.length > 0) run.learn(layers, own);
    return preview.findings;
  }

  /** The `vars_files` that only the controller's variables can name. */
  async #files(
    controller: string,
    base: Variables,
    later: LaterVariables,
  ): Promise<{ readonly layers: readonly VariableLayer[] } | { readonly findings: readonly Finding[] }> {
    const { play } = this.target;
    if (play.variableFiles.length === 0) return { layers: [] };
    try {
      return {
        layers: await variableFiles({ definition: play, readVariables: this.run.input.sources.readVariables }, base),
      };
    } catch (error) {
      const finding = findingOf(error, controller, play.source, base);
      if (finding !== undefined) return { findings: [finding] };
      later.add('anything');
      return { layers: [] };
    }
  }

  #scope(layers: readonly VariableLayer[], controller: Controller, later: LaterVariables): Variables {
    const magic = new MagicBefore(new Magic(this.#magic, { controller }), later);
    return new Variables(layers, undefined, magic, this.run.input.sources.library);
  }

  #variablesOf(name: string): Variables | undefined {
    const controller = findController(this.run.input.sources.inventory, name);
    if (controller === undefined) return undefined;
    const { input, variables } = this.run;
    const layers = [
      ...this.#variables.ofInventory(controller),
      ...variables.anywhere.layers,
      ...input.sources.extraVars,
    ];
    return this.#scope(layers, controller, variables.anywhere);
  }
}

/** A gate is left out with the tasks of its play. */
function checksOf(
  play: Play,
  selected: Pick<Play, 'preTasks' | 'tasks' | 'postTasks'>,
  tags: TagSelection,
): readonly Step[] {
  const isLeftOut = plannedTasks(sectionsOf(selected)) === 0 && plannedTasks(sectionsOf(play)) > 0;
  return isLeftOut ? [] : selectSteps(play.gate?.checks ?? [], gateSelection(tags));
}

function mayEndPlay(handler: Handler): boolean {
  if (handler.type === 'include') return true;
  return handler.type === 'meta' && ['end_host', 'end_batch', 'end_play'].includes(handler.action);
}

/** A task that one controller runs for all certainly fails only if it would fail on each of them. */
function withoutChance(findings: readonly Finding[], everyone: number): readonly Finding[] {
  const key = ({ message, source }: Finding): string => JSON.stringify([message, source]);
  const counts = new Map<string, Set<string>>();
  for (const finding of findings.filter(({ once }) => once === true)) {
    const names = counts.get(key(finding)) ?? new Set();
    counts.set(key(finding), names.add(finding.controller));
  }
  return findings.filter((finding) => finding.once !== true || counts.get(key(finding))?.size === everyone);
}
