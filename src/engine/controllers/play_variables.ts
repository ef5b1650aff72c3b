import { resolveName } from '../../core/files/paths.js';
import type { Controller } from '../../core/model/inventory/inventory.js';
import type { Play, Playbook } from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { LazyMapping, type Value } from '../../core/model/values/value.js';
import { inPrecedence, type VariableLayer } from '../../core/model/values/variables.js';
import { renderText } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { asText } from '../../language/runtime/result.js';
import { Variables } from '../../language/scope.js';
import type { RunSources } from '../input/run_input.js';
import { TaskProblem } from '../keywords/failed_result.js';
import { Groups } from './fleet.js';

/** The data of a play for its controllers' variables. */
export interface PlayView {
  readonly definition: Play;
  readonly playbook: Playbook;
  /** Its name, or its pattern if it has no name. */
  readonly name: string;
  /** All controllers of the play, including failed ones. */
  readonly controllers: readonly string[];
  /** The same for the batch. */
  readonly batch: readonly string[];
  readonly variables: PlayVariables;
  /** The magic variable `hostvars`. */
  readonly hostvars: Value;
}

/** The variables that a play's controllers see before any task adds to them; layers are shared, never copied. */
export class PlayVariables {
  readonly #inventoryLayers = new WeakMap<Controller, readonly VariableLayer[]>();

  /** @param answers to `vars_prompt` */
  constructor(
    private readonly play: Play,
    private readonly answers: VariableLayer | undefined,
  ) {}

  /**
   * The layers that `hostvars` shows: the inventory, and `group_vars` and `host_vars` beside the playbook. Lowest
   * precedence first.
   */
  ofInventory(controller: Controller): readonly VariableLayer[] {
    return getOrAdd(this.#inventoryLayers, controller, () => {
      const adjacent = adjacentLayers(controller, this.play);
      return adjacent.length === 0 ? controller.layers : inPrecedence([...controller.layers, ...adjacent]);
    });
  }

  /** The same with the layers of the play. Lowest precedence first. */
  ofPlay(controller: Controller): readonly VariableLayer[] {
    const { answers } = this;
    return [...this.ofInventory(controller), ...this.play.layers, ...(answers === undefined ? [] : [answers])];
  }
}

/** The `group_vars` and `host_vars` of a controller beside playbooks, weakest first within a level. */
export function adjacentLayers(
  { name, groups }: Controller,
  { groupLayers, controllerLayers }: Pick<Play, 'groupLayers' | 'controllerLayers'>,
): readonly VariableLayer[] {
  if (groupLayers.size + controllerLayers.size === 0) return [];
  const ofGroups = ['all', ...groups].flatMap((group) => groupLayers.get(group) ?? []);
  return [...ofGroups, ...(controllerLayers.get(name) ?? [])];
}

/**
 * The `vars_files` whose names depend on this controller's variables. Throws if one cannot be read, or is missing.
 *
 * @param use for tasks of others, those that its variables do not name, and those that are missing, are left out, as in Ansible
 */
export async function readVariableFiles(
  { directory, variableFiles: all }: Pick<Play, 'directory' | 'variableFiles'>,
  sources: Pick<RunSources, 'readVariables'>,
  variables: Variables,
  use: 'own' | 'delegate' = 'own',
): Promise<readonly VariableLayer[]> {
  const layers: VariableLayer[] = [];
  for (const names of all)
    try {
      layers.push(await firstThatExists(directory, names, sources, variables.child(layers)));
    } catch (error) {
      const isMissing =
        error instanceof TaskProblem || (error instanceof TemplateError && error.undefinedName !== undefined);
      if (use === 'own' || !isMissing) throw error;
    }
  return layers;
}

async function firstThatExists(
  directory: string,
  names: Located<readonly string[]>,
  { readVariables }: Pick<RunSources, 'readVariables'>,
  variables: Variables,
): Promise<VariableLayer> {
  const missing: string[] = [];
  for (const name of names.value) {
    const file = asText(renderText(name, variables, names.source));
    const layer = await readVariables(resolveName(directory, file));
    if (layer !== undefined) return layer;
    missing.push(file);
  }
  throw new TaskProblem(`none of the variables files exists: ${missing.join(', ')}`, names.source);
}

export type BeforePlays = Pick<RunSources, 'inventory' | 'extraVars' | 'library' | 'answers'>;

/** What keywords of a play see, as in Ansible: no variables of a controller. */
export function variablesBefore(play: Play, { answers, extraVars, library, inventory }: BeforePlays): Variables {
  const given = answers?.get(play);
  const values = { groups: new Groups(inventory), hostvars: new LaterHostVariables(), playbook_dir: play.directory };
  const magic: VariableLayer = { level: 'magic', origin: 'magic variables', values, literal: true };
  const all = [...play.layers, ...(given === undefined ? [] : [given]), ...extraVars, magic];
  return new Variables(all, undefined, undefined, library);
}

/** Tasks set variables of controllers: a pattern must not take the default of a variable that is set only later. */
class LaterHostVariables extends LazyMapping {
  override get(name: string): never {
    return refuse(`hostvars of ${name}`);
  }

  override keys(): never {
    return refuse('hostvars');
  }
}

function refuse(what: string): never {
  const hint = 'add_host or group_by in an earlier play can make a group for "hosts"';
  throw new TemplateError(`${what} are not known yet: the keywords of a play are rendered before the run`, { hint });
}
