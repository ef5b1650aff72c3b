import path from 'node:path';
import type { Play } from '../../core/model/playbook/playbook.js';
import type { Handler, Included, Located, Step } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import { placeText } from '../../core/model/source/diagnostic.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import { renderText } from '../../language/render.js';
import { asText } from '../../language/runtime/result.js';
import type { Variables } from '../../language/scope.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { Barrier } from '../batch/strategy.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { variablesWith } from '../controllers/magic.js';
import type { RunSources } from '../input/run_input.js';
import { failedBecause, type FailedResult, TaskProblem } from '../keywords/failed_result.js';
import { renderTitle } from '../keywords/rendered_keywords.js';
import { withPublished } from '../task/task_end.js';
import type { PlayContext, WalkFrame, WalkJournal } from './play_context.js';

/** One controller's walk through one play, as steps see it. */
export interface Walker {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly connections: ControllerConnections;
  readonly variables: WalkVariables;
  readonly notified: NotifiedHandlers;
  readonly journal: WalkJournal;
  /** Number of tasks that were carried out, not skipped. */
  performed: number;
  /** The step that a halt of the batch kept the controller from. */
  readonly haltedAt: StepPosition | undefined;
  /** The controller reaches a shared step inside a loop or a flush. Returns how often it has. */
  visit(shared: string): number;
  /** Why nothing more may start on this controller; undefined if it may. */
  refusal(frame: WalkFrame): StepEnd | undefined;
  steps(steps: readonly Step[], frame: WalkFrame): Promise<StepEnd>;
}

const NO_HANDLERS: ReadonlyMap<Handler, undefined> = new Map();

/** The handlers that a controller must still run in its play. */
export class NotifiedHandlers {
  #pending: Map<Handler, string | undefined> | undefined;
  /** A handler failed, and no `rescue` handled the failure. */
  haveFailed = false;

  constructor(
    private readonly context: PlayContext,
    private readonly state: ControllerState,
    private readonly variables: WalkVariables,
  ) {}

  /** Notified, and not run yet. The values tell handlers apart (`#identity`): rendering all names again at each notification takes long. */
  get pending(): ReadonlyMap<Handler, string | undefined> {
    return this.#pending ?? NO_HANDLERS;
  }

  /**
   * A role that is used again has its handlers again. Of those with the same name, only the latest runs, as in ansible-core since 2.16.
   * @param novelty notifications from before the interrupt are already `reported`
   */
  notify(handlers: readonly Handler[], novelty: 'new' | 'reported'): void {
    const { run, play } = this.context;
    const before = [...this.pending];
    for (const handler of handlers) {
      if (this.pending.has(handler)) continue;
      const identity = this.#identity(handler);
      const [earlier] = before.find(([, one]) => identity !== undefined && one === identity) ?? [];
      if (earlier !== undefined) this.remove(earlier);
      (this.#pending ??= new Map()).set(handler, identity);
      if (novelty === 'reported' || earlier !== undefined) continue;
      const title = this.#title(handler, this.state.used());
      run.emit({ type: 'handler-notified', play: play.name, handler: title, controller: this.state.name });
    }
  }

  /** The name is unmasked, because different ones could look the same. Handlers without a name all run, as in Ansible. */
  #identity(handler: Handler): string | undefined {
    return handler.name && `${placeText(handler.source)} ${this.#title(handler, undefined)}`;
  }

  #title(handler: Handler, used: UsedVariables | undefined): string {
    return renderTitle(handler, () => this.variables.scope(handler.layers), used);
  }

  /** The handler was run. */
  remove(handler: Handler): void {
    this.#pending?.delete(handler);
  }
}

/** The variables of one controller during its walk through a play. */
export class WalkVariables {
  /** Variables that included roles made public. */
  #published: readonly VariableLayer[] = [];

  /** @param first what the controller sees before any task adds to it */
  constructor(
    private readonly context: PlayContext,
    private readonly state: ControllerState,
    private readonly first: Variables,
  ) {}

  /**
   * The variables as they are now, with further ones. Above them is what the controller got since its walk through the play began,
   * lowest precedence first within a level: facts, results, `include_vars`, and the groups that `group_by` and `add_host` added.
   */
  scope(layers: readonly VariableLayer[]): Variables {
    const { controller, isRegrouped, layers: since } = this.state;
    const inventory = isRegrouped ? this.context.play.variables.ofInventory(controller) : [];
    return this.first.child([...this.#published, ...layers, ...inventory, ...since]);
  }

  /** Makes the variables of an included role visible to all later steps. */
  publish(included: Pick<Included, 'layers'>): void {
    this.#published = withPublished(this.#published, included);
  }
}

/** The controller's variables before any task adds to them, or why they cannot be determined. */
export async function firstVariables(context: PlayContext, state: ControllerState): Promise<Variables | FailedResult> {
  const {
    run,
    play: { variables, definition },
  } = context;
  const base = variablesWith(variables.ofPlay(state.controller), context, state);
  try {
    const hasFiles = definition.variableFiles.length > 0;
    const files = hasFiles ? await variableFiles(definition, run.input.sources, base) : [];
    const all = files.length === 0 ? base : base.child(files);
    run.secrets.learnLayers(all.layersSince(), all);
    return all;
  } catch (error) {
    return failedBecause(error, 'vars_files');
  }
}

/** The `vars_files` whose names depend on this controller's variables. Throws if one is missing or cannot be read. */
export async function variableFiles(
  { directory, variableFiles: all }: Pick<Play, 'directory' | 'variableFiles'>,
  sources: Pick<RunSources, 'readVariables'>,
  variables: Variables,
): Promise<readonly VariableLayer[]> {
  const layers: VariableLayer[] = [];
  for (const names of all) layers.push(await firstThatExists(directory, names, sources, variables.child(layers)));
  return layers;
}

async function firstThatExists(
  directory: string,
  names: Located<readonly string[]>,
  { readVariables }: Pick<RunSources, 'readVariables'>,
  variables: Variables,
): Promise<VariableLayer> {
  const files = names.value.map((name) => asText(renderText(name, variables, names.source)));
  for (const file of files) {
    const layer = await readVariables(path.resolve(directory, file));
    if (layer !== undefined) return layer;
  }
  throw new TaskProblem(`none of the variables files exists: ${files.join(', ')}`, names.source);
}
