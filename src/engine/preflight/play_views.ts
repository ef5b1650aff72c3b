import { type Controller, findController } from '../../core/model/inventory/inventory.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { LazyMapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { NotKnownYet } from '../../language/runtime/errors.js';
import { Variables } from '../../language/scope.js';
import { Magic, type MagicContext, VariablesOf } from '../controllers/magic.js';
import { PlayVariables, readVariableFiles } from '../controllers/play_variables.js';
import type { ReadyPlay } from '../input/ready_play.js';
import { toPreflightFinding, type RunFinding } from './findings.js';
import { LaterVariables } from './later_variables.js';
import type { RunPreview } from './run_preview.js';

/** The variables that a controller sees at the start of a play. */
export interface ControllerView {
  readonly scope: Variables;
  /** Weakest first, as `scope` has them, without those of `vars_files` that only the controller can name. */
  readonly layers: readonly VariableLayer[];
  /** The variables that tasks may set from then on. */
  readonly later: LaterVariables;
}

/** The variables that the controllers of a play see before the run. */
export class PlayViews {
  readonly #variables: PlayVariables;
  readonly #magic: MagicContext;

  constructor(
    private readonly run: RunPreview,
    private readonly ready: ReadyPlay,
  ) {
    const { play, name, controllers } = ready;
    this.#variables = new PlayVariables(play, run.input.sources.answers?.get(play));
    const hostvars = new OtherVariables((other) => this.#findVariables(other));
    const view = { definition: play, name, hostvars, controllers, batch: controllers };
    this.#magic = { run: run.magic, play: view };
  }

  /** The variables of a controller at the start of the play. */
  async view(name: string): Promise<ControllerView | { readonly findings: readonly RunFinding[] }> {
    const { run } = this;
    const controller = findController(run.input.sources.inventory, name);
    if (controller === undefined) return { findings: [] };
    const later = getOrAdd(run.later, name, () => new LaterVariables([], run.shared));
    const layers = [...this.#variables.ofPlay(controller), ...run.input.sources.extraVars];
    const base = this.#scope(layers, controller, later);
    const files = await this.#files(name, base, later);
    if ('findings' in files) return files;
    return { scope: files.layers.length === 0 ? base : base.child(files.layers), layers, later };
  }

  find(controller: string): Controller | undefined {
    const found = findController(this.run.input.sources.inventory, controller);
    return found?.implicit === true ? undefined : found;
  }

  /** The variables of a controller that need not be in the play. */
  other(name: string): Variables | undefined {
    const controller = this.find(name);
    return controller && this.#anywhere(controller, this.#variables.ofPlay(controller));
  }

  /** The same, as tasks that are delegated to it see them: the run reads the `vars_files` that its variables name. */
  delegate(name: string): Variables | undefined {
    const hasFiles = this.ready.play.variableFiles.length > 0;
    return this.other(name)?.child(hasFiles ? ANY_LATER.layers : []);
  }

  /** With everything that tasks of any controller may set. */
  #anywhere(controller: Controller, own: readonly VariableLayer[]): Variables {
    const { input, anywhere } = this.run;
    return this.#scope([...own, ...anywhere.layers, ...input.sources.extraVars], controller, anywhere);
  }

  /** The `vars_files` that only the controller's variables can name. */
  async #files(
    controller: string,
    base: Variables,
    later: LaterVariables,
  ): Promise<{ readonly layers: readonly VariableLayer[] } | { readonly findings: readonly RunFinding[] }> {
    const { play } = this.ready;
    try {
      return { layers: await readVariableFiles(play, this.run.input.sources, base) };
    } catch (error) {
      const finding = toPreflightFinding(error, controller, play.source, base);
      if (finding !== undefined) return { findings: [finding] };
      later.add('anything');
      return { layers: [] };
    }
  }

  #scope(layers: readonly VariableLayer[], controller: Controller, later: LaterVariables): Variables {
    const magic = new MagicBefore(new Magic(this.#magic, { controller }), later);
    return new Variables(layers, undefined, magic, this.run.input.sources.library);
  }

  #findVariables(name: string): Variables | undefined {
    const controller = findController(this.run.input.sources.inventory, name);
    return controller && this.#anywhere(controller, this.#variables.ofInventory(controller));
  }
}

const ANY_LATER = new LaterVariables();
ANY_LATER.add('anything');

/** Magic variables that are known only during the play. */
const LATER = new Set(['ansible_play_hosts', 'ansible_play_batch', 'play_hosts', 'evenkeel_run_id', 'vars']);
/** Magic variables that a change of the inventory affects. */
const CHANGING: ReadonlySet<string> = new Set(['groups', 'group_names', 'hostvars', 'ansible_play_hosts_all']);

/** The magic variables as far as they are known before the run. */
class MagicBefore extends LazyMapping {
  constructor(
    private readonly magic: Magic,
    private readonly later: LaterVariables,
  ) {
    super();
  }

  override get(name: string): Value | undefined {
    if (LATER.has(name) || (CHANGING.has(name) && this.later.anything)) {
      this.magic.requireKnown(name);
      throw new NotKnownYet(name);
    }
    return this.magic.get(name);
  }

  override keys(): readonly string[] {
    return this.magic.keys();
  }
}

/** `hostvars` before the run: tasks may have changed the variables of other controllers by then, so they are unknown. */
class OtherVariables extends LazyMapping {
  constructor(private readonly findVariables: (controller: string) => Variables | undefined) {
    super();
  }

  override get(name: string): Value | undefined {
    const variables = this.findVariables(name);
    return variables === undefined ? undefined : new VariablesBefore(variables);
  }

  override keys(): never {
    throw new NotKnownYet('hostvars');
  }
}

/** Another controller's variables. */
class VariablesBefore extends VariablesOf {
  override keys(): never {
    throw new NotKnownYet('hostvars');
  }
}
