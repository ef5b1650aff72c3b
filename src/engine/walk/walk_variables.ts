import path from 'node:path';
import type { Play } from '../../core/model/playbook/playbook.js';
import type { Included, Located } from '../../core/model/playbook/step.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { renderText } from '../../language/render.js';
import { asText } from '../../language/runtime/text.js';
import type { Variables } from '../../language/scope.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { variablesWith } from '../controllers/magic.js';
import type { RunSources } from '../input/run_input.js';
import { failedBecause, TaskProblem, type FailedResult } from '../keywords/failed_result.js';
import { withPublished } from '../task/task_end.js';
import type { PlayContext } from './play_context.js';

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
